// SPDX-License-Identifier: GPL-2.0
/*
 * Print the addresses of functions in events by name.  The name is that of the code
 * which is at the address now.  If that may be other code than the event's, the
 * address itself is printed.
 */
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "../trace.h"
#include "../trace_func_text.h"
#include "../trace_output.h"
#include "../trace_signature.h"
#include "../trace_text.h"
#include "signature.h"

static void print_address(struct trace_iterator *iter, unsigned long address)
{
	if (trace_sig_symbols(iter) & FTRACE_SIG_HASH)
		trace_seq_printf(&iter->seq, "%p", (void *)address);
	else
		trace_text_put_hex(&iter->seq, address);
}

/**
 * trace_sig_print_name - print the name of a function
 * @iter: at the event; the text goes to its @seq
 * @ip: an address in the function, as it is in the event
 *
 * Prints the address itself if other code may be there now.
 *
 * Context: any, NMI included.
 */
void trace_sig_print_name(struct trace_iterator *iter, unsigned long ip)
{
	unsigned long here = ip + iter->tr->text_delta;

	if (trace_sig_is_current(iter, here))
		trace_func_text_print(&iter->seq, here);
	else
		print_address(iter, ip);
}

/**
 * trace_sig_print_ip - print an address, as the options of the instance say
 * @iter: at the event; the text goes to its @seq
 * @ip: the address, as it is in the event
 * @flags: TRACE_ITER_SYM_*
 *
 * Context: any, NMI included.
 * Return: false if it did not fit.
 */
bool trace_sig_print_ip(struct trace_iterator *iter, unsigned long ip, unsigned long flags)
{
	unsigned long here = ip + iter->tr->text_delta;

	if (trace_sig_is_current(iter, here))
		return seq_print_ip_sym(&iter->seq, here, flags);
	print_address(iter, ip);
	return !trace_seq_has_overflowed(&iter->seq);
}
