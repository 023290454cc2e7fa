/* SPDX-License-Identifier: GPL-2.0 */
/* Text that may contain anything, as one line. */
#ifndef _KERNEL_TRACE_SIGNATURE_TEXT_H
#define _KERNEL_TRACE_SIGNATURE_TEXT_H

#include <linux/types.h>

struct trace_seq;

void ftrace_sig_print_text(struct trace_seq *s, const char *text, unsigned int length,
			   bool cut);
void ftrace_sig_print_path(struct trace_seq *s, const char *text, unsigned int length);

#endif /* _KERNEL_TRACE_SIGNATURE_TEXT_H */
