// SPDX-License-Identifier: GPL-2.0
/*
 * Print what was copied of the memory that arguments point to.
 *
 * The event says of each item which parameter it belongs to and what kind it is, so that
 * it is printed right whatever the options are by now.  What its bytes mean, the
 * signature tells.
 */
#include <linux/bitfield.h>
#include <linux/ctype.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "forms.h"
#include "peek.h"
#include "signature.h"
#include "text.h"

static u32 item_size(u32 item)
{
	return FIELD_GET(FTRACE_SIG_ITEM_SIZE, item);
}

/* How many 32-bit words an item takes, its first one included */
static unsigned int item_words(u32 item)
{
	return 1 + DIV_ROUND_UP(item_size(item), sizeof(u32));
}

/* How many 32-bit words there are, by the head */
static unsigned int data_words(const u32 *data)
{
	return FIELD_GET(FTRACE_SIG_DATA_SIZE, data[0]) / sizeof(u32);
}

/**
 * ftrace_sig_data_is_valid - check what is attached to an event
 * @data: what is attached, aligned to four bytes
 * @nr_words: how many machine words, at least one
 *
 * Return: whether it is copied memory, and all of it.
 */
bool ftrace_sig_data_is_valid(const u32 *data, unsigned int nr_words)
{
	unsigned int size = FIELD_GET(FTRACE_SIG_DATA_SIZE, data[0]);
	unsigned int at, end = data_words(data);

	if (FIELD_GET(FTRACE_SIG_DATA_MARK, data[0]) != FTRACE_SIG_DATA_MAGIC ||
	    size % sizeof(u32) || DIV_ROUND_UP(size, sizeof(long)) != nr_words)
		return false;
	for (at = 1; at < end; at += item_words(data[at]))
		if (FIELD_GET(FTRACE_SIG_ITEM_KIND, data[at]) >= FTRACE_SIG_STEP_NR ||
		    FIELD_GET(FTRACE_SIG_ITEM_END, data[at]) > FTRACE_PEEK_FAULT)
			return false;
	return at == end;
}

static u32 item_kind(u32 item)
{
	return FIELD_GET(FTRACE_SIG_ITEM_KIND, item);
}

static u32 item_param(u32 item)
{
	return FIELD_GET(FTRACE_SIG_ITEM_PARAM, item);
}

/* The item of a parameter that is, or is not, the value before a change; or NULL */
static const u32 *find_item(const u32 *data, u32 param, bool before)
{
	unsigned int at, end = data ? data_words(data) : 0;

	for (at = 1; at < end; at += item_words(data[at]))
		if (item_param(data[at]) == param &&
		    (item_kind(data[at]) == FTRACE_SIG_STEP_BEFORE) == before)
			return &data[at];
	return NULL;
}

static bool is_fault(u32 item)
{
	return FIELD_GET(FTRACE_SIG_ITEM_END, item) == FTRACE_PEEK_FAULT;
}

static bool is_cut(u32 item)
{
	return FIELD_GET(FTRACE_SIG_ITEM_END, item) != FTRACE_PEEK_NUL;
}

/* Text of ASCII or of some other encoding, that is, without control characters */
static bool is_text(const u8 *bytes, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		if (bytes[i] == 0x7f || (bytes[i] < ' ' && !isspace(bytes[i])))
			return false;
	return true;
}

/* Only strings have bytes in front of what cannot be read */
static bool has_text(const u32 *item)
{
	return item_size(*item) && is_text((const u8 *)(item + 1), item_size(*item));
}

static void print_fault(struct trace_seq *s, unsigned long address)
{
	trace_seq_printf(s, "0x%lx <fault>", address);
}

static bool print_string(struct trace_seq *s, const u32 *item, unsigned long address)
{
	const char *text = (const char *)(item + 1);
	u32 size = item_size(*item);

	if (is_fault(*item) && !has_text(item)) {
		print_fault(s, address);
		return true;
	}
	/* It was not a string, but bytes that happen to have type char */
	if (is_cut(*item) && !is_text(text, size))
		return false;
	ftrace_sig_print_text(s, text, size, is_cut(*item));
	if (is_fault(*item))
		trace_seq_puts(s, " <fault>");
	return true;
}

static bool print_bytes(struct trace_seq *s, const u32 *item, unsigned long address)
{
	if (is_fault(*item))
		print_fault(s, address);
	else
		ftrace_sig_print_text(s, (const char *)(item + 1), item_size(*item),
				      is_cut(*item));
	return true;
}

/* The type that a pointer of type @id points to; void if it is no pointer */
static u32 target_of(const struct ftrace_sig_table *table, u32 id)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id);

	return type.kind == FTRACE_SIG_PTR ? type.words[2] : 0;
}

/* A damaged table may have numbers of no bytes where something points to them */
static bool is_single(const struct ftrace_sig_type *type)
{
	return type->size && (type->kind == FTRACE_SIG_INT || type->kind == FTRACE_SIG_ENUM ||
			      type->kind == FTRACE_SIG_PTR);
}

/* A single value of type @id.  Returns false if the item has another size. */
static bool print_single(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
			 const u32 *item, unsigned int how)
{
	unsigned long words[16 / sizeof(long)] = {};
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id);

	if (!is_single(&type) || item_size(*item) != type.size || type.size > sizeof(words))
		return false;
	memcpy(words, item + 1, type.size);
	ftrace_sig_print_value(s, table, id, words, how);
	return true;
}

/* What a pointer to type @id points to: "&1", or the members of a structure */
static bool print_memory(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
			 unsigned long address, const u32 *item, unsigned int how)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id);
	size_t len = s->seq.len;

	if (is_fault(*item)) {
		print_fault(s, address);
		return true;
	}
	if (ftrace_sig_nr_members(&type)) {
		const struct ftrace_sig_limits limits = {
			.depth		= READ_ONCE(ftrace_sig_max_depth),
			.members	= READ_ONCE(ftrace_sig_max_members),
		};

		ftrace_sig_print_struct(s, table, id, item + 1, item_size(*item), how, &limits);
		return true;
	}
	if (is_single(&type)) {
		trace_seq_putc(s, '&');
		if (print_single(s, table, id, item, how))
			return true;
		if (!trace_seq_has_overflowed(s))
			s->seq.len = len;
	}
	return false;
}

static bool print_form(struct trace_seq *s, unsigned long address, const u32 *item,
		       unsigned int how)
{
	u32 id = FIELD_GET(FTRACE_SIG_ITEM_FORM, *item);
	const struct ftrace_form *form = ftrace_form_by_id(id);

	if (!form)
		return false;
	if (is_fault(*item))
		print_fault(s, address);
	else
		form->print(s, item + 1, item_size(*item), how);
	return true;
}

/* @id: the type of the pointer */
static bool print_item(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
		       unsigned long address, const u32 *item, unsigned int how)
{
	switch (item_kind(*item)) {
	case FTRACE_SIG_STEP_STRING:
		return how & FTRACE_SIG_TEXT && print_string(s, item, address);
	case FTRACE_SIG_STEP_BYTES:
		return how & FTRACE_SIG_TEXT && print_bytes(s, item, address);
	case FTRACE_SIG_STEP_FORM:
		return how & FTRACE_SIG_STRUCTS && print_form(s, address, item, how);
	case FTRACE_SIG_STEP_MEMORY:
		return how & FTRACE_SIG_STRUCTS &&
		       print_memory(s, table, target_of(table, id), address, item, how);
	}
	return false;
}

static u32 type_of(const struct ftrace_signature *sig, u32 param)
{
	if (param == FTRACE_SIG_RESULT)
		return FTRACE_SIG_ID(sig->proto->ret);
	return FTRACE_SIG_ID(sig->proto->params[param].type_place);
}

/**
 * ftrace_sig_print_followed - print a pointer by what was copied from there
 * @s: where to
 * @sig: the function's signature
 * @param: the number of the parameter, or FTRACE_SIG_RESULT
 * @address: the pointer
 * @data: what was copied, and is valid; or NULL
 * @how: FTRACE_SIG_TEXT and so on
 *
 * The kernel's log shows no copied memory: its readers may have no right to read it.
 *
 * Return: false if nothing was copied for this parameter, or it is not to be shown, and
 * nothing was printed.
 */
bool ftrace_sig_print_followed(struct trace_seq *s, const struct ftrace_signature *sig,
			       u32 param, unsigned long address, const u32 *data,
			       unsigned int how)
{
	const u32 *item = find_item(data, param, false);

	if (!item || how & FTRACE_SIG_HASH)
		return false;
	/* What a result points to is no result: a negative number there is no errno */
	return print_item(s, sig->table, type_of(sig, param), address, item,
			  how & ~FTRACE_SIG_IS_RESULT);
}

/*
 * Changes.  All kinds of items are shown then, whether or not the options for strings and
 * structures are on.
 */

/* Whether the item says that what was there at the entry was not kept */
static bool is_lost(const u32 *before)
{
	return before && is_fault(*before);
}

/*
 * Print what a call has made of what a pointer points to: "&{0 → 6}" or the bytes of a
 * buffer.  Returns false if the pointer itself has to be printed in front of that.
 */
static bool print_whole_change(struct trace_seq *s, const struct ftrace_signature *sig,
			       u32 param, const u32 *data, unsigned int how)
{
	const u32 *before = find_item(data, param, true), *after;
	const struct ftrace_sig_table *table = sig->table;
	u32 target = target_of(table, type_of(sig, param));
	struct ftrace_sig_type type = ftrace_sig_resolve(table, target);

	after = find_item(data, param, false);
	if (!after)
		return false;
	if (item_kind(*after) == FTRACE_SIG_STEP_BYTES)
		return !is_fault(*after) && print_bytes(s, after, 0);
	/* Small structures are kept as single values are, but not shown as such */
	if (!before || is_lost(before) || is_fault(*after) || !is_single(&type))
		return false;
	trace_seq_puts(s, "&{");
	if (!print_single(s, table, target, before, how))
		trace_seq_putc(s, '?');
	trace_seq_puts(s, " → ");
	if (!print_single(s, table, target, after, how))
		trace_seq_putc(s, '?');
	trace_seq_putc(s, '}');
	return true;
}

/* The rest: " → {…}", behind the pointer */
static void print_new(struct trace_seq *s, const struct ftrace_signature *sig, u32 param,
		      const u32 *data, unsigned int how)
{
	const u32 *item = find_item(data, param, false);

	trace_seq_puts(s, " → ");
	how |= FTRACE_SIG_TEXT | FTRACE_SIG_STRUCTS;
	if (!item)
		trace_seq_putc(s, '?');
	else if (is_fault(*item) && !has_text(item))
		trace_seq_puts(s, "<fault>");
	else if (!print_item(s, sig->table, type_of(sig, param), 0, item, how))
		trace_seq_putc(s, '?');
}

/*
 * Whether what was copied at the return is the same as at the entry, and is all of it.  What
 * was compared is read after what is shown, so another CPU may have made a change between.
 */
static bool is_same_copy(const struct ftrace_sig_data *data, u32 param)
{
	const u32 *before = find_item(data->before, param, false);
	const u32 *after = find_item(data->after, param, false);

	return before && after && *before == *after && !is_cut(*after) &&
	       item_kind(*after) != FTRACE_SIG_STEP_FORM &&
	       !memcmp(before + 1, after + 1, item_size(*after));
}

/*
 * The same behind what was there at the entry, which begins at @start.  If the text is the
 * same, the change is in what the text does not show, or there is none.
 */
static void print_new_behind(struct trace_seq *s, size_t start,
			     const struct ftrace_signature *sig, u32 param,
			     const struct ftrace_sig_data *data, unsigned int how)
{
	size_t end = s->seq.len, len = end - start, new = end + strlen(" → ");

	print_new(s, sig, param, data->after, how);
	if (!find_item(data->after, param, false) || trace_seq_has_overflowed(s) ||
	    s->seq.len - new != len || memcmp(s->buffer + start, s->buffer + new, len))
		return;
	if (is_same_copy(data, param)) {
		s->seq.len = end;
		return;
	}
	s->seq.len = new;
	trace_seq_puts(s, "...");
}

static bool has_change(const u32 *data, u32 param)
{
	return find_item(data, param, false) || find_item(data, param, true);
}

/**
 * ftrace_sig_print_pointer - print a parameter by what was copied from where it points to
 * @s: where to
 * @sig: the function's signature
 * @param: the number of the parameter
 * @words: its words
 * @data: what was copied at the entry and at the return
 * @how: FTRACE_SIG_TEXT and so on
 *
 * Return: false if nothing was copied for this parameter, or it is not to be shown, and
 * nothing was printed.
 */
bool ftrace_sig_print_pointer(struct trace_seq *s, const struct ftrace_signature *sig,
			      u32 param, const unsigned long *words,
			      const struct ftrace_sig_data *data, unsigned int how)
{
	bool changed = how & FTRACE_SIG_CHANGES && !(how & FTRACE_SIG_HASH) &&
		       has_change(data->after, param);
	size_t start = s->seq.len;

	if (changed && print_whole_change(s, sig, param, data->after, how))
		return true;
	if (!ftrace_sig_print_followed(s, sig, param, *words, data->before, how)) {
		if (!changed)
			return false;
		ftrace_sig_print_value(s, sig->table, type_of(sig, param), words, how);
	}
	if (changed)
		print_new_behind(s, start, sig, param, data, how);
	return true;
}

/**
 * ftrace_sig_print_changes - print what a call has changed, by its return alone
 * @s: where to
 * @sig: the function's signature
 * @data: what was copied at the return, and is valid
 * @how: FTRACE_SIG_CHANGES and so on
 *
 * Return: false if there is nothing to be shown, and nothing was printed.
 */
bool ftrace_sig_print_changes(struct trace_seq *s, const struct ftrace_signature *sig,
			      const u32 *data, unsigned int how)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	const char *separator = "; ";
	u32 i;

	if (!(how & FTRACE_SIG_CHANGES) || how & FTRACE_SIG_HASH)
		return false;
	for (i = 0; i < proto->nr_params; i++) {
		const char *name = ftrace_sig_string(sig->table,
						     FTRACE_SIG_ID(proto->params[i].name_words));
		size_t len;

		if (!has_change(data, i))
			continue;
		trace_seq_puts(s, separator);
		separator = ", ";
		trace_seq_puts(s, name[0] ? name : "?");
		len = s->seq.len;
		trace_seq_putc(s, '=');
		if (print_whole_change(s, sig, i, data, how))
			continue;
		if (!trace_seq_has_overflowed(s))
			s->seq.len = len;
		print_new(s, sig, i, data, how);
	}
	return separator[0] == ',';
}
