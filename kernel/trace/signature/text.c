// SPDX-License-Identifier: GPL-2.0
#include <linux/types.h>
#include <linux/trace_seq.h>
#include "text.h"
void ftrace_sig_print_text(struct trace_seq *s, const char *text, unsigned int length, bool cut)
{
	trace_seq_printf(s, "\"%*pE\"%s", length, text, cut ? "..." : "");
}
