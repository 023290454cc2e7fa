/* SPDX-License-Identifier: GPL-2.0 */
/* The stubs of sets, and what calls the callbacks of a set */
#include <linux/ftrace_sets.h>
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#include "ftrace_32.h"

#define ENTRY_WORDS	0, 1, 2, 3

.macro PUSH_SET set
	pushl	$(ftrace_sets + \set * FTRACE_SET_SIZE)
.endm

/*
 * The entry gets the set and the address behind the call site as parameters, and takes them off
 * the stack. It is not called: its return address is the other one on the stack, so it returns to
 * the traced function, and the unwinder finds that function.
 */
.macro GO_TO_ENTRY words
	pushl	4(%esp)
	jmp	trace_function_set_\words
.endm

#include "ftrace_set_stubs.h"

/*
 * Call the callbacks of a set. They get a struct ftrace_regs, as ftrace_caller would fill it in,
 * see ftrace_32.S. What they write to the registers is what the traced function gets.
 *
 * The registers are at the top of the stack. Behind them is the set, then the address where the
 * traced function continues, then its return address.
 */
.macro CALL_CALLBACKS
	movl	PTREGS_SIZE(%esp), %ecx
	movl	(PTREGS_SIZE + 4)(%esp), %eax
	movl	(PTREGS_SIZE + 8)(%esp), %edx
	movl	%eax, PT_EIP(%esp)
	PUSH_FRAMES caller=%edx function=%eax
	pushl	%esp			/* 4th argument */
	addl	$FRAMES_BYTES, (%esp)
	subl	$MCOUNT_INSN_SIZE, %eax
	call	ftrace_set_call

	addl	$(FRAMES_BYTES + 4), %esp
	movl	PT_EIP(%esp), %eax
	movl	%eax, (PTREGS_SIZE + 4)(%esp)
.endm

SYM_CODE_START_LOCAL(ftrace_set_callbacks)
	SAVE_ARGUMENTS
	leal	(PTREGS_SIZE + 8)(%esp), %eax
	movl	%eax, PT_OLDESP(%esp)
	CALL_CALLBACKS
	RESTORE_ARGUMENTS
	addl	$(PTREGS_SIZE + 4), %esp
	RET
SYM_CODE_END(ftrace_set_callbacks)

/* The same with all registers, as from ftrace_regs_caller, and with the flags */
SYM_CODE_START_LOCAL(ftrace_set_callbacks_regs)
	SAVE_ALL_REGISTERS skip=4
	CALL_CALLBACKS
	RESTORE_FLAGS
	POP_REGISTERS
	leal	(PTREGS_SIZE - PT_DS + 4)(%esp), %esp
	RET
SYM_CODE_END(ftrace_set_callbacks_regs)
