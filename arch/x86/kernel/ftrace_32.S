/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What traced functions of x86-32 call and return to.
 *
 * The compiler lets each function begin with "call __fentry__", or, for static
 * tracing, has "call mcount" follow the prologue.  With dynamic tracing the call
 * is a no-op until somebody traces the function; then it goes to ftrace_caller,
 * or to ftrace_regs_caller if a callback wants all registers.
 *
 * All of them hand a struct pt_regs to the callbacks: as struct ftrace_regs in
 * the sense of asm/ftrace.h, in which
 *
 *	ax, dx, cx	are the argument registers (-mregparm=3),
 *	bp		is the frame pointer as the function's caller, or with
 *			mcount the function, has it,
 *	sp		is where the return address of the function is; the stack
 *			arguments stand above it,
 *	ip		is where the function continues, which callbacks may change,
 *	cs		is 0 if nothing else of it was filled in.
 *
 * A callback gets ip (eax), parent ip (edx), ftrace_ops (ecx) and the address of
 * the registers (on the stack).  Only the flags may change for the function: the
 * compiler does not know of the call.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>

#include "ftrace_32.h"

/*
 * Restore the function's registers and continue in it, or where a callback wants
 * it to continue.
 */
.macro RESTORE_ARGUMENTS_AND_RETURN
	movl	PT_EIP(%esp), %eax
	movl	%eax, PTREGS_SIZE(%esp)
	RESTORE_ARGUMENTS
	addl	$PTREGS_SIZE, %esp
	RET
.endm

/* The callback that stands for no callback */
SYM_FUNC_START(ftrace_stub)
	RET
SYM_FUNC_END(ftrace_stub)

#ifdef CONFIG_DYNAMIC_FTRACE

/* Called until the calls have been turned into no-ops */
SYM_FUNC_START(__fentry__)
	RET
SYM_FUNC_END(__fentry__)
EXPORT_SYMBOL(__fentry__)

/*
 * On the stack are the address where the function continues, then the function's
 * own return address, because __fentry__ is called before anything else is done.
 */
SYM_CODE_START(ftrace_caller)
	SAVE_ARGUMENTS
	movl	PTREGS_SIZE(%esp), %eax
	movl	PTREGS_SIZE + 4(%esp), %edx
	leal	PTREGS_SIZE + 4(%esp), %ecx
	movl	%eax, PT_EIP(%esp)
	movl	%ecx, PT_OLDESP(%esp)

	movl	%esp, %ecx
	PUSH_FRAMES caller=%edx function=%eax
	pushl	%ecx			/* 4th argument */
	subl	$MCOUNT_INSN_SIZE, %eax
	movl	function_trace_op, %ecx

SYM_INNER_LABEL(ftrace_call, SYM_L_GLOBAL)
	call	ftrace_stub

	addl	$(FRAMES_BYTES + 4), %esp
	RESTORE_ARGUMENTS_AND_RETURN
SYM_CODE_END(ftrace_caller)

/*
 * The same with every register.  Callbacks may change all but the stack pointer
 * and the segments, as kprobes do.
 */
SYM_CODE_START(ftrace_regs_caller)
	SAVE_ALL_REGISTERS		/* orig_ax is 0: no direct call, for now */

	movl	PTREGS_SIZE(%esp), %eax
	movl	PTREGS_SIZE + 4(%esp), %edx
	movl	%esp, %ecx
	PUSH_FRAMES caller=%edx function=%eax
	pushl	%ecx			/* 4th argument */
	subl	$MCOUNT_INSN_SIZE, %eax
	movl	function_trace_op, %ecx

SYM_INNER_LABEL(ftrace_regs_call, SYM_L_GLOBAL)
	call	ftrace_stub

	addl	$(FRAMES_BYTES + 4), %esp
	movl	PT_EIP(%esp), %eax
	movl	%eax, PTREGS_SIZE(%esp)

	/*
	 * A callback may have put the address of a direct call here, see
	 * arch_ftrace_set_direct_caller().  Jump there as if the function had
	 * called it: next on the stack is the address where the function continues.
	 */
	movl	PT_ORIG_EAX(%esp), %eax
	movl	%eax, PT_OLDSS(%esp)
	testl	%eax, %eax
	jnz	.Ldirect

	RESTORE_FLAGS
	POP_REGISTERS
	leal	(PT_OLDSS - PT_DS + 4)(%esp), %esp
	RET

.Ldirect:
	RESTORE_FLAGS
	POP_REGISTERS
	leal	(PT_OLDSS - PT_DS)(%esp), %esp
	RET
SYM_CODE_END(ftrace_regs_caller)

/* A direct call that does nothing */
SYM_FUNC_START(ftrace_stub_direct_tramp)
	RET
SYM_FUNC_END(ftrace_stub_direct_tramp)

#else /* !CONFIG_DYNAMIC_FTRACE */

/*
 * The function has its frame: ebp points to its caller's, above which is the
 * return address.  The argument registers are intact, because only the prologue
 * has run.
 *
 * The callback is read before its ftrace_ops, in the order in which
 * update_ftrace_function() makes them visible.
 */
SYM_FUNC_START(mcount)
	cmpl	$ftrace_stub, ftrace_trace_function
	jne	.Ltrace
	RET

.Ltrace:
	SAVE_ARGUMENTS
	movl	%ebx, PT_EBX(%esp)
	movl	ftrace_trace_function, %ebx
	movl	PTREGS_SIZE(%esp), %eax
	movl	4(%ebp), %edx
	leal	4(%ebp), %ecx
	movl	%eax, PT_EIP(%esp)
	movl	%ecx, PT_OLDESP(%esp)

	movl	%esp, %ecx
	PUSH_FRAME ip=%eax
	pushl	%ecx			/* 4th argument */
	subl	$MCOUNT_INSN_SIZE, %eax
	movl	function_trace_op, %ecx
	CALL_NOSPEC ebx

	addl	$(FRAME_BYTES + 4), %esp
	movl	PT_EBX(%esp), %ebx
	RESTORE_ARGUMENTS_AND_RETURN
SYM_FUNC_END(mcount)
EXPORT_SYMBOL(mcount)

#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Functions in the graph return here.  The result in eax, or in edx:eax, must reach
 * the caller.  ecx is free.
 */
SYM_CODE_START(return_to_handler)
	movl	%esp, %ecx
	subl	$PTREGS_SIZE, %esp
	movl	%eax, PT_EAX(%esp)
	movl	%edx, PT_EDX(%esp)
	movl	%ebp, PT_EBP(%esp)
	movl	%ecx, PT_OLDESP(%esp)
	movl	%esp, %eax
	call	ftrace_return_to_handler

	movl	%eax, %ecx
	movl	PT_EAX(%esp), %eax
	movl	PT_EDX(%esp), %edx
	addl	$PTREGS_SIZE, %esp
	JMP_NOSPEC ecx
SYM_CODE_END(return_to_handler)

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
/* The same for those that an entry of function_graph has hooked: this tracer is asked first */
SYM_CODE_START(return_to_function_graph)
	/* What stood there may have been overwritten by an interrupt since the return */
	pushl	$return_to_function_graph
	/* struct graph_result, whose last member is what was just pushed */
	pushl	%edx
	pushl	%eax
	movl	%esp, %eax
	call	function_graph_return

	testb	%al, %al
	popl	%eax
	popl	%edx
	popl	%ecx
	jz	return_to_handler
	JMP_NOSPEC ecx
SYM_CODE_END(return_to_function_graph)
#endif
#endif
