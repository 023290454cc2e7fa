/* SPDX-License-Identifier: GPL-2.0 */
/* The stubs of sets, and what calls the callbacks of a set */
#include <linux/ftrace_sets.h>
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#define ENTRY_WORDS	0, 1, 2, 3, 4, 5, 6

.macro PUSH_SET set
	pushq	$(ftrace_sets + \set * FTRACE_SET_SIZE)
.endm

.macro GO_TO_ENTRY words
	call	trace_function_set_\words
	/* The traced function expects all registers as they were; flags do not matter */
	leaq	8(%rsp), %rsp
	RET
.endm

#include "ftrace_set_stubs.h"

/*
 * Call the callbacks of a set. They get a struct ftrace_regs, which is a struct pt_regs here:
 *
 *	di, si, dx,	are the registers that carry arguments (psABI, "Parameter
 *	cx, r8, r9	Passing"),
 *	ax, bp		are as the traced function's caller left them,
 *	sp		is where the return address of the traced function is; its
 *			arguments on the stack are above it,
 *	ip		is where the traced function continues; callbacks may change it,
 *	orig_ax		is 0,
 *	cs		is 0 if nothing else is there.
 *
 * What the callbacks write to the registers is what the traced function gets.
 */
#define ARGUMENT_REGS							\
	rax, RAX, rbp, RBP, rcx, RCX, rdx, RDX, rsi, RSI, rdi, RDI, r8, R8, r9, R9

.macro SAVE reg place others:vararg
	movq	%\reg, \place(%rsp)
	.ifnb \others
	SAVE	\others
	.endif
.endm

.macro RESTORE reg place others:vararg
	movq	\place(%rsp), %\reg
	.ifnb \others
	RESTORE	\others
	.endif
.endm

/*
 * Behind the registers, the stack has @skip bytes, then what the stub has pushed, which is the
 * set, then the address where the traced function continues, then its return address.
 */
.macro CALL_CALLBACKS skip
	movq	(FRAME_SIZE + \skip)(%rsp), %rdx
	movq	(FRAME_SIZE + \skip + 8)(%rsp), %rdi
	movq	(FRAME_SIZE + \skip + 16)(%rsp), %rsi
	leaq	(FRAME_SIZE + \skip + 16)(%rsp), %rcx
	movq	%rdi, RIP(%rsp)
	movq	%rcx, RSP(%rsp)
	movq	$0, ORIG_RAX(%rsp)
	subq	$MCOUNT_INSN_SIZE, %rdi
	movq	%rsp, %rcx
	call	ftrace_set_call
	movq	RIP(%rsp), %rax
	movq	%rax, (FRAME_SIZE + \skip + 8)(%rsp)
.endm

SYM_CODE_START_LOCAL(ftrace_set_callbacks)
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=16 type=UNWIND_HINT_TYPE_CALL
	subq	$FRAME_SIZE, %rsp
	SAVE	ARGUMENT_REGS
	movq	$0, CS(%rsp)
	CALL_CALLBACKS skip=0
	RESTORE	ARGUMENT_REGS
	addq	$(FRAME_SIZE + 8), %rsp
	RET
SYM_CODE_END(ftrace_set_callbacks)

/* The same with all registers and flags */
#define OTHER_REGS							\
	rbx, RBX, r10, R10, r11, R11, r12, R12, r13, R13, r14, R14, r15, R15

SYM_CODE_START_LOCAL(ftrace_set_callbacks_regs)
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=16 type=UNWIND_HINT_TYPE_CALL
	pushfq
	subq	$FRAME_SIZE, %rsp
	SAVE	ARGUMENT_REGS
	SAVE	OTHER_REGS
	movq	FRAME_SIZE(%rsp), %rax
	movq	%rax, EFLAGS(%rsp)
	movq	$__KERNEL_CS, CS(%rsp)
	movq	$__KERNEL_DS, SS(%rsp)
	CALL_CALLBACKS skip=8
	movq	EFLAGS(%rsp), %rax
	movq	%rax, FRAME_SIZE(%rsp)
	RESTORE	OTHER_REGS
	RESTORE	ARGUMENT_REGS
	addq	$FRAME_SIZE, %rsp
	popfq
	leaq	8(%rsp), %rsp
	RET
SYM_CODE_END(ftrace_set_callbacks_regs)
