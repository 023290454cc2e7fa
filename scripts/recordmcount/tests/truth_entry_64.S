/* SPDX-License-Identifier: GPL-2.0 */
/*
 * __fentry__ and mcount of the truth tests: show all registers and stack words of
 * a call, and make the function return through truth_return.  Nothing but the C
 * code that is called here may look at or change anything else.
 */
	.text

/* \frame: where the return address of the function that calls is */
	.macro	ENTRY name, frame:vararg
	.globl	\name
	.type	\name, @function
\name:
	pushq	%rax
	pushq	%r10
	pushq	%r11
	pushq	%r9
	pushq	%r8
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	movq	%rsp, %rdi		/* the six argument registers */
	movq	72(%rsp), %rsi		/* return into the function */
	leaq	\frame, %rdx
	call	truth_entry
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%r8
	popq	%r9
	popq	%r11
	popq	%r10
	popq	%rax
	ret
	.size	\name, . - \name
	.endm

	ENTRY	__fentry__, 80(%rsp)
	ENTRY	mcount, 8(%rbp)

	.globl	truth_return
	.type	truth_return, @function
truth_return:
	subq	$8, %rsp		/* for the return address */
	pushq	%rdx
	pushq	%rax
	movq	%rsp, %rdi		/* rax, rdx */
	call	truth_leave
	movq	%rax, 16(%rsp)
	popq	%rax
	popq	%rdx
	ret
	.size	truth_return, . - truth_return

	.globl	_start
	.type	_start, @function
_start:
	movq	%rsp, %rdi
	andq	$-64, %rsp
	call	truth_main
	.size	_start, . - _start

	.section .note.GNU-stack, "", @progbits
