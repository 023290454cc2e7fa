/* SPDX-License-Identifier: GPL-2.0 */
/* What the functions of the truth tests see of their run time. */
#ifndef TRUTH_H
#define TRUTH_H

#define NOTRACE		__attribute__((no_instrument_function))

unsigned long truth_random(void) NOTRACE;
void truth_fill(void *p, unsigned long size) NOTRACE;
void truth_call(const char *name) NOTRACE;
void truth_arg(const void *value, const void *mask, unsigned long size) NOTRACE;
void truth_result(const void *value, const void *mask, unsigned long size) NOTRACE;
void truth_run(void) NOTRACE;

/* Between truth_entry_*.S and truth_runtime.c. */
void truth_return(void);
void truth_entry(const unsigned long *regs, unsigned long ip,
		 unsigned long *frame);
unsigned long truth_leave(const unsigned long *regs);
void truth_main(unsigned long *stack) __attribute__((__noreturn__));
void *memset(void *to, int value, unsigned long size) NOTRACE;

#endif
