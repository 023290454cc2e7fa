/* SPDX-License-Identifier: GPL-2.0 */
/* What entries of call sites have to know of the architecture, see linux/ftrace_entries.h */
#ifndef _ASM_X86_FTRACE_ENTRIES_H
#define _ASM_X86_FTRACE_ENTRIES_H

/*
 * The registers that carry the arguments of the traced function are those of the entry's first
 * parameters. FTRACE_ENTRIES_BY_WORDS() is for entries that copy arguments: one for each number of
 * registers.
 */
#ifdef CONFIG_X86_64
/* psABI, "Parameter Passing" */
#define FTRACE_ENTRY_REGS	6
#define FTRACE_ENTRY_ARGS						\
	unsigned long arg0, unsigned long arg1, unsigned long arg2,	\
	unsigned long arg3, unsigned long arg4, unsigned long arg5
#define FTRACE_ENTRY_WORDS	{ arg0, arg1, arg2, arg3, arg4, arg5 }
#define FTRACE_ENTRIES_BY_WORDS(macro)	\
	macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6)

/* For an entry of sets. It returns to the stub, which takes off the stack what it has pushed. */
#define __ftrace_set_entry
#else
/* eax, edx and ecx: the kernel is compiled with -mregparm=3 */
#define FTRACE_ENTRY_REGS	3
#define FTRACE_ENTRY_ARGS	unsigned long arg0, unsigned long arg1, unsigned long arg2
#define FTRACE_ENTRY_WORDS	{ arg0, arg1, arg2 }
#define FTRACE_ENTRIES_BY_WORDS(macro)	\
	macro(0) macro(1) macro(2) macro(3)

/* For an entry of sets. It does not return to the stub: it takes off the stack what that pushed. */
#define __ftrace_set_entry	__attribute__((__stdcall__))
#endif

#endif /* _ASM_X86_FTRACE_ENTRIES_H */
