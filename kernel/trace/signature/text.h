/* SPDX-License-Identifier: GPL-2.0 */
struct trace_seq;
void ftrace_sig_print_text(struct trace_seq *s, const char *text, unsigned int length, bool cut);
