/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of entries have in common: calling one as a call site does. */
#ifndef _KERNEL_TRACE_CALL_SITE_TEST_H
#define _KERNEL_TRACE_CALL_SITE_TEST_H

#include <kunit/test.h>
#include <linux/linkage.h>
#include <linux/stringify.h>
#include <linux/types.h>

#ifdef CONFIG_X86_64
/* All general registers but the stack pointer */
#define NR_REGS		15

/* Stands for the return address of the traced function */
#define PARENT		0x1234567890abcdef

/* At the beginning of a function of a test, whose only parameter is an array for registers */
#define TEST_SAVE			\
	"\tpush %rbx\n"			\
	"\tpush %rbp\n"			\
	"\tpush %r12\n"			\
	"\tpush %r13\n"			\
	"\tpush %r14\n"			\
	"\tpush %r15\n"			\
	"\tpush %rdi\n"

/* Load all registers from the array that rdi points to */
#define TEST_LOAD			\
	"\tmov 0(%rdi), %rax\n"		\
	"\tmov 8(%rdi), %rbx\n"		\
	"\tmov 16(%rdi), %rcx\n"	\
	"\tmov 24(%rdi), %rdx\n"	\
	"\tmov 32(%rdi), %rsi\n"	\
	"\tmov 48(%rdi), %rbp\n"	\
	"\tmov 56(%rdi), %r8\n"		\
	"\tmov 64(%rdi), %r9\n"		\
	"\tmov 72(%rdi), %r10\n"	\
	"\tmov 80(%rdi), %r11\n"	\
	"\tmov 88(%rdi), %r12\n"	\
	"\tmov 96(%rdi), %r13\n"	\
	"\tmov 104(%rdi), %r14\n"	\
	"\tmov 112(%rdi), %r15\n"	\
	"\tmov 40(%rdi), %rdi\n"

/*
 * Store them to the array whose address is the second word on the stack. Then rdi points to
 * the array.
 */
#define TEST_STORE			\
	"\tpush %rdi\n"			\
	"\tmov 16(%rsp), %rdi\n"	\
	"\tmov %rax, 0(%rdi)\n"		\
	"\tmov %rbx, 8(%rdi)\n"		\
	"\tmov %rcx, 16(%rdi)\n"	\
	"\tmov %rdx, 24(%rdi)\n"	\
	"\tmov %rsi, 32(%rdi)\n"	\
	"\tmov %rbp, 48(%rdi)\n"	\
	"\tmov %r8, 56(%rdi)\n"		\
	"\tmov %r9, 64(%rdi)\n"		\
	"\tmov %r10, 72(%rdi)\n"	\
	"\tmov %r11, 80(%rdi)\n"	\
	"\tmov %r12, 88(%rdi)\n"	\
	"\tmov %r13, 96(%rdi)\n"	\
	"\tmov %r14, 104(%rdi)\n"	\
	"\tmov %r15, 112(%rdi)\n"	\
	"\tpop %rax\n"			\
	"\tmov %rax, 40(%rdi)\n"

/* Push what stands for the return address; rdi is kept */
#define TEST_PUSH_PARENT		\
	"\tmovabs $" __stringify(PARENT) ", %rax\n"	\
	"\tpush %rax\n"

/* Pop it to the array that rdi points to */
#define TEST_POP_PARENT			\
	"\tpop %rax\n"			\
	"\tmov %rax, 120(%rdi)\n"

/* Before the end of the function */
#define TEST_RESTORE			\
	"\tpop %rdi\n"			\
	"\tpop %r15\n"			\
	"\tpop %r14\n"			\
	"\tpop %r13\n"			\
	"\tpop %r12\n"			\
	"\tpop %rbp\n"			\
	"\tpop %rbx\n"

/* As _ASM_RIP(), which is for statements with operands */
#define TEST_VARIABLE(name)	name "(%rip)"

/* Places in the array: rdi, rsi, rdx, rcx, r8, r9 */
#define ARGUMENT_PLACES	{ 5, 4, 3, 2, 7, 8 }
#define REGISTER_VALUE	0xabcd000000001111UL
#else
#define NR_REGS		7
#define PARENT		0x12345678

/* The same with eax for the array */
#define TEST_SAVE			\
	"\tpush %ebx\n"			\
	"\tpush %ebp\n"			\
	"\tpush %esi\n"			\
	"\tpush %edi\n"			\
	"\tpush %eax\n"

#define TEST_LOAD			\
	"\tmov 4(%eax), %ebx\n"	\
	"\tmov 8(%eax), %ecx\n"	\
	"\tmov 12(%eax), %edx\n"	\
	"\tmov 16(%eax), %esi\n"	\
	"\tmov 20(%eax), %edi\n"	\
	"\tmov 24(%eax), %ebp\n"	\
	"\tmov 0(%eax), %eax\n"

#define TEST_STORE			\
	"\tpush %eax\n"			\
	"\tmov 8(%esp), %eax\n"	\
	"\tmov %ebx, 4(%eax)\n"	\
	"\tmov %ecx, 8(%eax)\n"	\
	"\tmov %edx, 12(%eax)\n"	\
	"\tmov %esi, 16(%eax)\n"	\
	"\tmov %edi, 20(%eax)\n"	\
	"\tmov %ebp, 24(%eax)\n"	\
	"\tpop %ecx\n"			\
	"\tmov %ecx, 0(%eax)\n"

#define TEST_PUSH_PARENT		\
	"\tpush $" __stringify(PARENT) "\n"

#define TEST_POP_PARENT			\
	"\tpop %ecx\n"			\
	"\tmov %ecx, 28(%eax)\n"

#define TEST_RESTORE			\
	"\tpop %eax\n"			\
	"\tpop %edi\n"			\
	"\tpop %esi\n"			\
	"\tpop %ebp\n"			\
	"\tpop %ebx\n"

#define TEST_VARIABLE(name)	name

/* eax, edx, ecx */
#define ARGUMENT_PLACES	{ 0, 3, 2 }
#define REGISTER_VALUE	0xab001111UL
#endif

/* What a register has when an entry is called; by its place in the array */
static inline unsigned long register_value(unsigned int i)
{
	return REGISTER_VALUE * (i + 1);
}

static inline unsigned long argument_value(unsigned int i)
{
	static const u8 places[] = ARGUMENT_PLACES;

	return register_value(places[i]);
}

#endif /* _KERNEL_TRACE_CALL_SITE_TEST_H */
