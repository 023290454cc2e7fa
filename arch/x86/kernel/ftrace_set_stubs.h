/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stubs that call sites of several callbacks call, see linux/ftrace_sets.h, for the files
 * that define, before they include this one:
 *
 *	ENTRY_WORDS		what numbers of words there are entries for,
 *	PUSH_SET set		pushes the address of a set,
 *	GO_TO_ENTRY words	calls the entry for a number of words, and returns,
 *
 * and afterwards
 *
 *	ftrace_set_callbacks		calls the callbacks with the registers that carry
 *					arguments, and returns,
 *	ftrace_set_callbacks_regs	does the same with all registers.
 */

/* Call sites call it directly, so it needs no ENDBR */
.macro STUB_BEGIN set
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
.Lstub\@:
	.set stub_end, .Lstub\@ + FTRACE_SET_STUB_SIZE
	PUSH_SET \set
.endm

.macro STUB_END
	.org	stub_end, 0xcc
	.set nr_stubs, nr_stubs + 1
.endm

.macro ENTRY_STUB set words
	STUB_BEGIN \set
	GO_TO_ENTRY \words
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
	.irp words, ENTRY_WORDS
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
