/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stubs that call sites of several callbacks call, see linux/ftrace_sets.h: what a stub
 * knows is the set that it belongs to.
 */
#include <linux/ftrace_sets.h>
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

/* Call sites call it directly, so it needs no ENDBR */
.macro stub set words
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
.Lstub\@:
	pushq	$(ftrace_sets + \set * FTRACE_SET_SIZE)
	call	trace_function_set_\words
	/* The traced function expects all registers as they were; flags are no matter */
	leaq	8(%rsp), %rsp
	RET
	.org	.Lstub\@ + FTRACE_SET_STUB_SIZE, 0xcc
.endm

	.text
	.balign FTRACE_SET_STUBS_SIZE
SYM_INNER_LABEL(ftrace_set_stubs, SYM_L_GLOBAL)

.set nr_sets, 0

.macro set number
SYM_CODE_START(ftrace_set_\number)
.Lset\@:
	.irp words, 0, 1, 2, 3, 4, 5, 6
	stub	\number \words
	.endr
	.org	.Lset\@ + FTRACE_SET_STUBS_SIZE, 0xcc
SYM_CODE_END(ftrace_set_\number)
.set nr_sets, nr_sets + 1
.endm

	.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	set	\number
	.endr

.if nr_sets != FTRACE_SETS || FTRACE_SET_KINDS != 7
.error "There are stubs for another number of sets, or of kinds"
.endif
