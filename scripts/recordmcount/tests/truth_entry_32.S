/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What truth_entry_64.S has, for x86-32; the C code has its arguments in eax, edx,
 * ecx.
 */
	.text

/* \frame: where the return address of the function that calls is */
	.macro	ENTRY name, frame:vararg
	.globl	\name
	.type	\name, @function
\name:
	pushl	%ecx
	pushl	%edx
	pushl	%eax
	movl	%esp, %eax		/* the three argument registers */
	movl	12(%esp), %edx		/* return into the function */
	leal	\frame, %ecx
	call	truth_entry
	popl	%eax
	popl	%edx
	popl	%ecx
	ret
	.size	\name, . - \name
	.endm

	ENTRY	__fentry__, 16(%esp)
	ENTRY	mcount, 4(%ebp)

	.globl	truth_return
	.type	truth_return, @function
truth_return:
	subl	$4, %esp		/* for the return address */
	pushl	%edx
	pushl	%eax
	movl	%esp, %eax		/* eax, edx */
	call	truth_leave
	movl	%eax, 8(%esp)
	popl	%eax
	popl	%edx
	ret
	.size	truth_return, . - truth_return

	.globl	_start
	.type	_start, @function
_start:
	movl	%esp, %eax
	andl	$-64, %esp
	call	truth_main
	.size	_start, . - _start

	.section .note.GNU-stack, "", @progbits
