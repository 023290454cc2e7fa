/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stubs that call sites of several callbacks call, see linux/ftrace_sets.h. A stub pushes
 * the set that it belongs to, and leads to an entry, or to what calls the callbacks of a set.
 */
#include <linux/ftrace_sets.h>
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

/* Call sites call it directly, so it needs no ENDBR */
.macro STUB_BEGIN set
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
.Lstub\@:
	.set stub_end, .Lstub\@ + FTRACE_SET_STUB_SIZE
	pushq	$(ftrace_sets + \set * FTRACE_SET_SIZE)
.endm

.macro STUB_END
	.org	stub_end, 0xcc
	.set nr_stubs, nr_stubs + 1
.endm

.macro ENTRY_STUB set words
	STUB_BEGIN \set
	call	trace_function_set_\words
	/* The traced function expects all registers as they were; flags do not matter */
	leaq	8(%rsp), %rsp
	RET
	STUB_END
.endm

.macro CALLBACKS_STUB set target
	STUB_BEGIN \set
	jmp	\target
	STUB_END
.endm

	.text
	.balign FTRACE_SET_STUB_SIZE
SYM_INNER_LABEL(ftrace_set_stubs, SYM_L_GLOBAL)

.set nr_stubs, 0

/* In the order of the kinds */
.macro SET number
SYM_CODE_START(ftrace_set_\number)
	.irp words, 0, 1, 2, 3, 4, 5, 6
	ENTRY_STUB \number \words
	.endr
	CALLBACKS_STUB \number ftrace_set_callbacks
	CALLBACKS_STUB \number ftrace_set_callbacks_regs
SYM_CODE_END(ftrace_set_\number)
.endm

	.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	SET	\number
	.endr

.if nr_stubs != FTRACE_SETS * FTRACE_SET_KINDS
.error "There are stubs for another number of sets, or of kinds"
.endif

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
