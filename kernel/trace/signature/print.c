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
#include <linux/kallsyms.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "../trace_signature.h"
#include "../trace_func_text.h"
#include "../trace_text_line.h"
#include "constants.h"
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

/* Whether the name of the function may tell how to print one of its values */
static bool asks_for_name(const struct ftrace_signature *sig, unsigned int how)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	u32 i;

	if (how & FTRACE_SIG_IS_RESULT)
		return ftrace_sig_is_integer(sig->table, FTRACE_SIG_ID(proto->ret));
	for (i = 0; i < proto->nr_params; i++) {
		if (ftrace_sig_is_integer(sig->table,
					  FTRACE_SIG_ID(proto->params[i].type_place)))
			return true;
	}
	return false;
}

/*
 * The function of a syscall that has its parameters: what constants these are made of is
 * told for "__do_sys_openat", and true of all entries.
 */
static const char *syscall_function(char *name)
{
	static const char * const entries[] = { "__x64_", "__ia32_" };
	size_t i, skip;

	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		skip = str_has_prefix(name, entries[i]);
		if (skip)
			return memcpy(name + skip - strlen("__do_"), "__do_", strlen("__do_"));
	}
	return name;
}

/*
 * The name of a function in the source, without the suffix that the compiler gave a
 * copy; NULL if it is not known, or if nothing depends on it.
 */
static noinline const char *find_function_name(unsigned long ip,
					       const struct ftrace_signature *sig,
					       unsigned int how, char name[KSYM_NAME_LEN])
{
	const struct trace_func_text *known;

	if (!asks_for_name(sig, how))
		return NULL;
	known = trace_func_text_find(ip);
	if (known && known->name_len < KSYM_NAME_LEN) {
		memcpy(name, known->text, known->name_len);
		name[known->name_len] = '\0';
	} else if (!kallsyms_lookup(ip, NULL, NULL, NULL, name)) {
		return NULL;
	}
	name[strcspn(name, ".")] = '\0';
	return ftrace_sig_is_syscall(sig->proto) ? syscall_function(name) : name;
}

/* Whether a result may be negative, however many bytes of the word it has */
static bool may_be_negative(unsigned long retval)
{
	return (s8)retval < 0 || (s16)retval < 0;
}

static __always_inline const char *function_name(unsigned long ip,
						 const struct ftrace_signature *sig,
						 unsigned int how, char name[KSYM_NAME_LEN])
{
	return how & FTRACE_SIG_NAMES ? find_function_name(ip, sig, how, name) : NULL;
}

/*
 * The native syscall that a compat syscall is a variant of; NULL if it is none.  Where
 * both have a parameter of the same name, it is made of the same constants.
 */
#define NATIVE_NAME_LEN	64

static const char *native_syscall(const char *func, char native[NATIVE_NAME_LEN])
{
	size_t skip = func ? str_has_prefix(func, "__do_compat_") : 0;

	if (!skip || strlen(func + skip) >= NATIVE_NAME_LEN - strlen("__do_"))
		return NULL;
	snprintf(native, NATIVE_NAME_LEN, "__do_%s", func + skip);
	return native;
}

static const struct ftrace_family *family_of_param(const char *func, const char *name)
{
	const struct ftrace_family *family = ftrace_family_of_param(func, name);
	char native[NATIVE_NAME_LEN];

	if (family || !native_syscall(func, native))
		return family;
	return ftrace_family_of_param(native, name);
}

static const struct ftrace_family *family_of_result(const char *func, unsigned int *how)
{
	const struct ftrace_family *family = ftrace_family_of_result(func);
	char native[NATIVE_NAME_LEN];

	*how |= ftrace_family_errno(func);
	if (!native_syscall(func, native))
		return family;
	*how |= ftrace_family_errno(native);
	return family ?: ftrace_family_of_result(native);
}

/* The value that a clone assumes: see struct ftrace_sig_proto. */
static void print_const(struct trace_seq *s, const struct ftrace_signature *sig,
			u32 type, u32 index, unsigned int how,
			const struct ftrace_family *family)
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

	ftrace_sig_print_named(s, sig->table, type, words, how, family);
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
	if (FTRACE_SIG_IS_SYSCALL(place))
		return words + FTRACE_SIG_SYSCALL_ARG(place);
	return NULL;
}

static void print_param_name(struct trace_seq *s, const char *name)
{
	size_t len = strlen(name);

	if (likely(len + 1 < trace_text_left(s))) {
		memcpy(s->buffer + s->seq.len, name, len);
		s->buffer[s->seq.len + len] = '=';
		s->seq.len += len + 1;
	} else {
		trace_text_puts(s, name);
		trace_text_putc(s, '=');
	}
}

static void print_no_value(struct trace_seq *s, u32 place)
{
	if (place == FTRACE_SIG_PLACE_REMOVED)
		trace_seq_puts(s, removed);
	else if (place == FTRACE_SIG_PLACE_EMPTY)
		trace_seq_puts(s, "{}");
	else
		trace_seq_puts(s, unknown);
}

/**
 * ftrace_sig_print_params - print the parameters of a call
 * @s: where to
 * @sig: the function's signature
 * @words: what was captured
 * @nr_words: how many words were captured
 * @data: what was copied of the memory that arguments point to, or NULL
 * @how: FTRACE_SIG_NO_SYMBOLS and so on
 * @func: the function's name in the source, or NULL if it is not known; only used
 *	with FTRACE_SIG_NAMES
 */
void ftrace_sig_print_params(struct trace_seq *s,
			     const struct ftrace_signature *sig,
			     const unsigned long *words, unsigned int nr_words,
			     const struct ftrace_sig_data *data, unsigned int how,
			     const char *func)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	size_t room = how & FTRACE_SIG_CUT ? TRACE_TEXT_VALUE : 0;
	struct trace_text_kept kept;
	bool more = false, followed;
	u32 i, nr_consts = 0;

	for (i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];
		const char *name = ftrace_sig_string(sig->table,
						     FTRACE_SIG_ID(param->name_words));
		u32 place = FTRACE_SIG_BITS(param->type_place);
		u32 type = FTRACE_SIG_ID(param->type_place);
		const unsigned long *value = find_words(proto, place, words,
							nr_words);

		const struct ftrace_family *family = NULL;
		unsigned long extended;

		/* The registers of the user, in which the syscall's parameters are */
		if (place == FTRACE_SIG_PLACE_PT_REGS)
			continue;
		if (value && place >= FTRACE_SIG_PLACE_SYSCALL_S32) {
			extended = (s32)*value;
			value = &extended;
		}
		if (how & FTRACE_SIG_NAMES)
			family = family_of_param(func, name);
		if (more)
			trace_text_puts(s, ", ");
		more = true;
		if (name[0])
			print_param_name(s, name);

		kept = trace_text_keep(s, room * (proto->nr_params - i - 1));
		followed = value && data &&
			   ftrace_sig_print_pointer(s, sig, i, value, data, how);
		if (value && !followed)
			ftrace_sig_print_named(s, sig->table, type, value, how, family);
		else if (place == FTRACE_SIG_PLACE_CONST)
			print_const(s, sig, type, nr_consts++, how, family);
		else if (!value)
			print_no_value(s, place);
		trace_text_give_back(s, kept);
	}

	if (proto->flags & (FTRACE_SIG_VARIADIC | FTRACE_SIG_UNPROTOTYPED))
		trace_seq_puts(s, more ? ", ..." : "...");
}

/**
 * ftrace_sig_print_ret - print the result of a call
 * @s: where to
 * @sig: the function's signature
 * @retval: the result's first word
 * @high: its second word, or NULL if the event has none
 * @how: FTRACE_SIG_NO_SYMBOLS and so on
 * @func: the function's name in the source, which tells whether a negative result is an
 *	errno, or NULL if it is not known
 *
 * Return: false if the function has no result and nothing was printed.
 */
bool ftrace_sig_print_ret(struct trace_seq *s,
			  const struct ftrace_signature *sig,
			  unsigned long retval, const unsigned long *high,
			  unsigned int how, const char *func)
{
	u32 type = FTRACE_SIG_ID(sig->proto->ret);
	unsigned long words[2] = { retval, high ? *high : 0 };
	const struct ftrace_family *family = NULL;

	how |= FTRACE_SIG_IS_RESULT;
	if (func || how & FTRACE_SIG_NAMES)
		family = family_of_result(func, &how);
	switch (FTRACE_SIG_BITS(sig->proto->ret)) {
	case FTRACE_SIG_RET_VOID:
		return false;
	case FTRACE_SIG_RET_WORD:
		ftrace_sig_print_named(s, sig->table, type, words, how, family);
		break;
	case FTRACE_SIG_RET_PAIR:
		if (high)
			ftrace_sig_print_named(s, sig->table, type, words, how, family);
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

/* How to print the values of a call */
static __always_inline unsigned int how_of(const struct trace_iterator *iter,
					   const struct trace_sig_call *call)
{
	unsigned int how = trace_sig_symbols(iter);
	u32 classes = call->classes;

	if (call->names)
		how |= FTRACE_SIG_NAMES;
	if (trace_line_is_alone(iter))
		how |= FTRACE_SIG_CUT;
	if (likely(!classes))
		return how;

	if (classes & FTRACE_SIG_FOLLOW_STRINGS)
		how |= FTRACE_SIG_TEXT;
	if (classes & FTRACE_SIG_FOLLOW_STRUCTS)
		how |= FTRACE_SIG_STRUCTS;
	if (classes & FTRACE_SIG_FOLLOW_CHANGES)
		how |= FTRACE_SIG_CHANGES;
	return how;
}

/* What was copied of memory, if that is what the words are; else NULL */
static const u32 *find_data(const void *words, unsigned int nr_words)
{
	return nr_words && ftrace_sig_data_is_valid(words, nr_words) ? words : NULL;
}

static const u32 *find_result_data(const struct trace_sig_call *call)
{
	return find_data(call->result_attached, call->nr_result_attached);
}

/*
 * The parameters' words, and what was copied of memory.  The entry of a syscall has but one
 * argument: the words are those of the syscall, which are attached to the event.
 *
 * @words: the words, aligned to four bytes
 * @nr: how many
 * @data: what was copied, or NULL
 */
struct printed_words {
	const void	*words;
	unsigned int	nr;
	const u32	*data;
};

static struct printed_words find_printed(const struct ftrace_signature *sig,
					 const struct trace_sig_call *call)
{
	struct printed_words found = { .words = call->args, .nr = call->nr_args };
	const void *attached = call->attached;
	unsigned int nr = 0;

	if (ftrace_sig_is_syscall(sig->proto)) {
		nr = sig->proto->nr_stack;
		/* If the option was off, or the user's registers were not found */
		if (call->nr_args != 1 || call->nr_attached < nr)
			return (struct printed_words){};
		found.words = attached;
		found.nr = nr;
	}
	found.data = find_data(attached + nr * sizeof(long), call->nr_attached - nr);
	return found;
}

/**
 * trace_sig_first_block - how much of what is attached to a return was found there
 * @attached: the words that are attached to an event with arguments; what is behind
 *	the first block is what was attached to the entry
 * @nr: how many
 *
 * Return: how many words the first block has; @nr if it is none.
 */
unsigned int trace_sig_first_block(const void *attached, unsigned int nr)
{
	u32 head;

	if (!nr)
		return 0;
	memcpy(&head, attached, sizeof(head));
	if (FIELD_GET(FTRACE_SIG_DATA_MARK, head) != FTRACE_SIG_DATA_MAGIC)
		return nr;
	return min(nr, DIV_ROUND_UP(FIELD_GET(FTRACE_SIG_DATA_SIZE, head),
				    (unsigned int)sizeof(long)));
}

/**
 * trace_sig_print_args - print the text between the parentheses of a call
 * @iter: at the event; the text goes to its @seq
 * @call: the words of its entry; if it is printed in one line, those of its return, too
 *
 * Context: any, NMI included.
 */
void trace_sig_print_args(struct trace_iterator *iter, const struct trace_sig_call *call)
{
	unsigned long copied[FTRACE_SIG_MAX_WORDS] __uninitialized;
	unsigned int how = how_of(iter, call);
	struct ftrace_sig_data data = {};
	struct trace_seq *s = &iter->seq;
	char name[KSYM_NAME_LEN] __uninitialized;
	struct ftrace_signature sig;
	struct printed_words found;

	guard(preempt_notrace)();
	if (!find(iter, call->ip, &sig)) {
		trace_seq_puts(s, unknown);
		return;
	}

	found = find_printed(&sig, call);
	data.before = found.data;
	data.after = find_result_data(call);
	found.nr = min_t(unsigned int, found.nr, ARRAY_SIZE(copied));
	/* Events are aligned to four bytes only */
	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS))
		found.words = memcpy(copied, found.words, found.nr * sizeof(long));
	ftrace_sig_print_params(s, &sig, found.words, found.nr,
				data.before || data.after ? &data : NULL, how,
				function_name(call->ip, &sig, how, name));
}

/**
 * trace_sig_print_result - print the result of a call
 * @iter: at the event; the text goes to its @seq
 * @call: the words of its return
 * @retval: the result's first word
 * @hex: print integers in hexadecimal
 *
 * Context: any, NMI included.
 * Return: false if the function has no result and nothing was printed.
 */
bool trace_sig_print_result(struct trace_iterator *iter, const struct trace_sig_call *call,
			    unsigned long retval, bool hex)
{
	unsigned int how = how_of(iter, call) | FTRACE_SIG_IS_RESULT |
			   (hex ? FTRACE_SIG_HEX : 0);
	struct trace_seq *s = &iter->seq;
	char name[KSYM_NAME_LEN] __uninitialized;
	struct ftrace_signature sig;
	const char *func = NULL;
	unsigned long second = 0;
	const u32 *data;

	if (call->nr_result)
		memcpy(&second, call->result, sizeof(second));

	guard(preempt_notrace)();
	if (!find(iter, call->ip, &sig)) {
		trace_seq_puts(s, unknown);
		return true;
	}

	data = find_result_data(call);
	if (data && ftrace_sig_print_followed(s, &sig, FTRACE_SIG_RESULT, retval, data, how))
		return true;
	if (how & FTRACE_SIG_NAMES || may_be_negative(retval))
		func = find_function_name(call->ip, &sig, how, name);
	return ftrace_sig_print_ret(s, &sig, retval, call->nr_result ? &second : NULL, how,
				    func);
}

/**
 * trace_sig_print_changes - print what a call has changed
 * @iter: at the event; the text goes to its @seq
 * @call: the words of its return
 *
 * Context: any, NMI included.
 * Return: false if it has changed nothing that is shown, and nothing was printed.
 */
bool trace_sig_print_changes(struct trace_iterator *iter, const struct trace_sig_call *call)
{
	unsigned int how = how_of(iter, call);
	struct ftrace_signature sig;
	const u32 *data;

	guard(preempt_notrace)();
	if (!find(iter, call->ip, &sig))
		return false;
	data = find_result_data(call);
	return data && ftrace_sig_print_changes(&iter->seq, &sig, data, how);
}
