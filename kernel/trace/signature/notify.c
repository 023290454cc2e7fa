// SPDX-License-Identifier: GPL-2.0
/*
 * Tell of changes to those that have decided beforehand what is copied for a call: with
 * ftrace_sig_fixed_words(), when the call site was patched.
 */
#include <linux/notifier.h>

#include "signature.h"

static BLOCKING_NOTIFIER_HEAD(notifiers);

/**
 * ftrace_sig_register_notifier - ask for a call when there is something else to copy
 * @nb: is called in process context, after the functions of the image have got or lost their
 *	signatures, or a tracer's options ask for something else to be followed. A module's
 *	functions have their signatures before any of them can be traced.
 *
 * Context: process context.
 * Return: 0.
 */
int ftrace_sig_register_notifier(struct notifier_block *nb)
{
	return blocking_notifier_chain_register(&notifiers, nb);
}

/**
 * ftrace_sig_notify - tell that there is something else to copy
 *
 * Context: process context, may sleep, without a lock of the signatures.
 */
void ftrace_sig_notify(void)
{
	blocking_notifier_call_chain(&notifiers, 0, NULL);
}
