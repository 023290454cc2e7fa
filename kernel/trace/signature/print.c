// SPDX-License-Identifier: GPL-2.0
/*
 * Print the words of an event by the signature of its function: the parameters
 * between the parentheses of a call, the result behind its name.
 *
 * A value that the event does not contain, or whose place the signature does not
 * tell, is printed as a question mark; nothing is guessed.  If the event has
 * another number of words than its function's signature asks for, none of its
 * arguments is known: the option was off when it was recorded, or the code at
 * this address was replaced since.
 */
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "../trace_signature.h"
#include "../trace_text.h"
#include "signature.h"

static const char unknown[] = "?";
static const char removed[] = "<optimized out>";

/* Search the functions that exist, then those that were freed. */
static bool find(const struct trace_iterator *iter, unsigned long ip,
		 struct ftrace_signature *sig)
{
	return trace_sig_is_current(iter, ip) &&
	       (ftrace_signature_find(ip, sig) ||
		ftrace_signature_find_stale(ip, sig));
}

/* The value that a clone assumes: see struct ftrace_sig_proto. */
static void print_const(struct trace_seq *s, const struct ftrace_signature *sig,
			u32 type, u32 index, unsigned int how)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	const u32 *consts = (const u32 *)&proto->params[proto->nr_params];
	u64 value = consts[2 * index] | (u64)consts[2 * index + 1] << 32;
	unsigned long words[64 / BITS_PER_LONG] = {
		value,
#if BITS_PER_LONG == 32
		value >> 32,
#endif
	};

	ftrace_sig_print_value(s, sig->table, type, words, how);
}

/* The words of a parameter in the event, or NULL if it has none. */
static const unsigned long *find_words(const struct ftrace_sig_proto *proto,
				       u32 place, const unsigned long *words,
				       unsigned int nr_words)
{
	if (nr_words != proto->nr_regs + proto->nr_stack)
		return NULL;
	if (FTRACE_SIG_IS_REG(place))
		return words + place;
	if (FTRACE_SIG_IS_STACK(place))
		return words + proto->nr_regs + place - FTRACE_SIG_PLACE_STACK;
	return NULL;
}

/**
 * ftrace_sig_print_params - print the parameters of a call
 * @s: where to
 * @sig: the function's signature
 * @words: what was captured
 * @nr_words: how many words were captured
 * @how: FTRACE_SIG_NO_SYMBOLS and so on
 */
void ftrace_sig_print_params(struct trace_seq *s,
			     const struct ftrace_signature *sig,
			     const unsigned long *words, unsigned int nr_words,
			     unsigned int how)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	const char *separator = "";
	u32 i, nr_consts = 0;

	for (i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];
		const char *name = ftrace_sig_string(sig->table,
						     FTRACE_SIG_ID(param->name_words));
		u32 place = FTRACE_SIG_BITS(param->type_place);
		u32 type = FTRACE_SIG_ID(param->type_place);
		const unsigned long *value = find_words(proto, place, words,
							nr_words);

		trace_text_puts(s, separator);
		separator = ", ";
		if (name[0]) {
			trace_text_puts(s, name);
			trace_text_putc(s, '=');
		}

		if (value)
			ftrace_sig_print_value(s, sig->table, type, value, how);
		else if (place == FTRACE_SIG_PLACE_CONST)
			print_const(s, sig, type, nr_consts++, how);
		else if (place == FTRACE_SIG_PLACE_REMOVED)
			trace_seq_puts(s, removed);
		else if (place == FTRACE_SIG_PLACE_EMPTY)
			trace_seq_puts(s, "{}");
		else
			trace_seq_puts(s, unknown);
	}

	if (proto->flags & (FTRACE_SIG_VARIADIC | FTRACE_SIG_UNPROTOTYPED))
		trace_seq_printf(s, "%s...", separator);
}

/**
 * ftrace_sig_print_ret - print the result of a call
 * @s: where to
 * @sig: the function's signature
 * @retval: the result's first word
 * @high: its second word, or NULL if the event has none
 * @how: FTRACE_SIG_NO_SYMBOLS and so on
 *
 * Return: false if the function has no result and nothing was printed.
 */
bool ftrace_sig_print_ret(struct trace_seq *s,
			  const struct ftrace_signature *sig,
			  unsigned long retval, const unsigned long *high,
			  unsigned int how)
{
	u32 type = FTRACE_SIG_ID(sig->proto->ret);
	unsigned long words[2] = { retval, high ? *high : 0 };

	how |= FTRACE_SIG_IS_RESULT;
	switch (FTRACE_SIG_BITS(sig->proto->ret)) {
	case FTRACE_SIG_RET_VOID:
		return false;
	case FTRACE_SIG_RET_WORD:
		ftrace_sig_print_value(s, sig->table, type, words, how);
		break;
	case FTRACE_SIG_RET_PAIR:
		if (high)
			ftrace_sig_print_value(s, sig->table, type, words, how);
		else
			trace_seq_puts(s, unknown);
		break;
	case FTRACE_SIG_RET_MEMORY:
		trace_seq_puts(s, "{?}");
		break;
	case FTRACE_SIG_RET_EMPTY:
		trace_seq_puts(s, "{}");
		break;
	default:
		trace_seq_puts(s, unknown);
	}
	return true;
}

/**
 * trace_sig_print_args - print the text between the parentheses of a call
 * @iter: at the event; the text goes to its @seq
 * @ip: address of the function's call site
 * @words: the words that ftrace_sig_capture() wrote; need no alignment
 * @nr_words: how many the event has
 *
 * Context: any, NMI included.
 */
void trace_sig_print_args(struct trace_iterator *iter, unsigned long ip,
			  const void *words, unsigned int nr_words)
{
	struct trace_seq *s = &iter->seq;
	unsigned long aligned[FTRACE_SIG_MAX_WORDS] __uninitialized;
	struct ftrace_signature sig;

	nr_words = min_t(unsigned int, nr_words, ARRAY_SIZE(aligned));
	memcpy(aligned, words, nr_words * sizeof(long));

	guard(preempt_notrace)();
	if (find(iter, ip, &sig))
		ftrace_sig_print_params(s, &sig, aligned, nr_words,
					trace_sig_symbols(iter));
	else
		trace_seq_puts(s, unknown);
}

/**
 * trace_sig_print_result - print the result of a call
 * @iter: at the event; the text goes to its @seq
 * @ip: address of the function's call site
 * @retval: the result's first word
 * @high: where its second word is, which needs no alignment; NULL if the event
 *	has none
 * @hex: print integers in hexadecimal
 *
 * Context: any, NMI included.
 * Return: false if the function has no result and nothing was printed.
 */
bool trace_sig_print_result(struct trace_iterator *iter, unsigned long ip,
			    unsigned long retval, const void *high, bool hex)
{
	unsigned int how = trace_sig_symbols(iter) | (hex ? FTRACE_SIG_HEX : 0);
	struct trace_seq *s = &iter->seq;
	struct ftrace_signature sig;
	unsigned long second = 0;

	if (high)
		memcpy(&second, high, sizeof(second));

	guard(preempt_notrace)();
	if (find(iter, ip, &sig))
		return ftrace_sig_print_ret(s, &sig, retval,
					    high ? &second : NULL, how);

	trace_seq_puts(s, unknown);
	return true;
}
