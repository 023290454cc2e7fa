/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of entries have in common: calling one as a call site does. */
#ifndef _KERNEL_TRACE_CALL_SITE_TEST_H
#define _KERNEL_TRACE_CALL_SITE_TEST_H

#include <kunit/test.h>
#include <linux/linkage.h>
#include <linux/types.h>

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

/* Before the end of the function */
#define TEST_RESTORE			\
	"\tpop %rdi\n"			\
	"\tpop %r15\n"			\
	"\tpop %r14\n"			\
	"\tpop %r13\n"			\
	"\tpop %r12\n"			\
	"\tpop %rbp\n"			\
	"\tpop %rbx\n"

/* What a register has when an entry is called; by its place in the array */
static inline unsigned long register_value(unsigned int i)
{
	return 0xabcd000000001111UL * (i + 1);
}

static inline unsigned long argument_value(unsigned int i)
{
	/* rdi, rsi, rdx, rcx, r8, r9 */
	static const u8 places[] = { 5, 4, 3, 2, 7, 8 };

	return register_value(places[i]);
}

#endif /* _KERNEL_TRACE_CALL_SITE_TEST_H */
