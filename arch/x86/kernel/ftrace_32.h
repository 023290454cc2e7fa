/* SPDX-License-Identifier: GPL-2.0 */
/* What the trampolines of x86-32 and the stubs of sets have in common: how they save registers. */

/*
 * A stack frame for @ip, as the frame pointer unwinder expects it: our caller has
 * no frame, or has not linked it yet.
 */
.macro PUSH_FRAME ip:req
#ifdef CONFIG_FRAME_POINTER
	pushl	\ip
	pushl	%ebp
	movl	%esp, %ebp
#endif
.endm

/* Both frames that are missing when a function is entered: the caller's, and the function's */
.macro PUSH_FRAMES caller:req function:req
	PUSH_FRAME \caller
	PUSH_FRAME \function
.endm

#ifdef CONFIG_FRAME_POINTER
#define FRAME_BYTES	(2 * 4)
#else
#define FRAME_BYTES	0
#endif
#define FRAMES_BYTES	(2 * FRAME_BYTES)

/* The registers that carry arguments, in a new struct pt_regs on the stack */
.macro SAVE_ARGUMENTS
	subl	$PTREGS_SIZE, %esp
	movl	%eax, PT_EAX(%esp)
	movl	%edx, PT_EDX(%esp)
	movl	%ecx, PT_ECX(%esp)
	movl	%ebp, PT_EBP(%esp)
	movl	$0, PT_CS(%esp)
.endm

.macro RESTORE_ARGUMENTS
	movl	PT_EBP(%esp), %ebp
	movl	PT_ECX(%esp), %ecx
	movl	PT_EDX(%esp), %edx
	movl	PT_EAX(%esp), %eax
.endm

/*
 * All registers, as a new struct pt_regs on the stack. Before it, the stack has @skip bytes,
 * then the address where the function continues, then the function's return address.
 */
.macro SAVE_ALL_REGISTERS skip=0
	pushl	%ss
	pushl	%esp
	pushfl
	addl	$(2 * 4 + \skip), 4(%esp)	/* from ss to the return address */
	pushl	$__KERNEL_CS
	pushl	(4 * 4 + \skip)(%esp)		/* ip */
	pushl	$0				/* orig_ax */
	.irp reg, gs, fs, es, ds, eax, ebp, edi, esi, edx, ecx, ebx
	pushl	%\reg
	.endr
.endm

/* Before the registers are: none of them changes, and no instruction behind this changes flags */
.macro RESTORE_FLAGS
	pushl	PT_EFLAGS(%esp)
	popfl
.endm

/* All but the segments and the stack pointer. The stack pointer is at PT_DS then. */
.macro POP_REGISTERS
	.irp reg, ebx, ecx, edx, esi, edi, ebp, eax
	popl	%\reg
	.endr
.endm
