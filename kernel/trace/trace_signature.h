/* SPDX-License-Identifier: GPL-2.0 */
/* What the tracers use to print words by their signature. */
#ifndef _KERNEL_TRACE_SIGNATURE_H
#define _KERNEL_TRACE_SIGNATURE_H

#include <linux/ftrace_signature.h>

struct trace_iterator;

#ifdef CONFIG_FTRACE_SIGNATURES

bool trace_sig_is_current(const struct trace_iterator *iter, unsigned long ip);
unsigned int trace_sig_symbols(const struct trace_iterator *iter);
void trace_sig_print_args(struct trace_iterator *iter, unsigned long ip,
			  const void *words, unsigned int nr_words);
bool trace_sig_print_result(struct trace_iterator *iter, unsigned long ip,
			    unsigned long retval, const void *high);

#ifdef CONFIG_FTRACE_SIGNATURES_LOADABLE
void trace_sig_hint(void);
#else
static inline void trace_sig_hint(void) { }
#endif

#else

static inline void trace_sig_hint(void) { }

static inline void trace_sig_print_args(struct trace_iterator *iter, unsigned long ip,
					const void *words,
					unsigned int nr_words) { }

static inline bool trace_sig_print_result(struct trace_iterator *iter, unsigned long ip,
					  unsigned long retval,
					  const void *high)
{
	return false;
}

#endif /* CONFIG_FTRACE_SIGNATURES */
#endif /* _KERNEL_TRACE_SIGNATURE_H */
