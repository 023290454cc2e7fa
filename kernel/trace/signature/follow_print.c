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
 * ftrace_sig_data_is_valid - check what stands behind the arguments in an event
 * @data: what stands there, aligned to four bytes
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

static const u32 *find_item(const u32 *data, u32 param)
{
	unsigned int at, end = data_words(data);

	for (at = 1; at < end; at += item_words(data[at]))
		if (FIELD_GET(FTRACE_SIG_ITEM_PARAM, data[at]) == param)
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

static void print_fault(struct trace_seq *s, unsigned long address)
{
	trace_seq_printf(s, "0x%lx <fault>", address);
}

static bool print_string(struct trace_seq *s, const u32 *item, unsigned long address)
{
	const char *text = (const char *)(item + 1);
	u32 size = item_size(*item);

	if (is_fault(*item) && (!size || !is_text(text, size))) {
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

/* A single value behind a pointer: "&1" */
static bool print_single(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
			 const u32 *item, unsigned int how)
{
	unsigned long words[16 / sizeof(long)] = {};
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id);

	if (item_size(*item) != type.size || type.size > sizeof(words))
		return false;
	memcpy(words, item + 1, type.size);
	trace_seq_putc(s, '&');
	ftrace_sig_print_value(s, table, id, words, how);
	return true;
}

/* @id: the type of the pointer */
static bool print_memory(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
			 unsigned long address, const u32 *item, unsigned int how)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id), target;

	if (is_fault(*item)) {
		print_fault(s, address);
		return true;
	}
	if (type.kind != FTRACE_SIG_PTR)
		return false;
	id = type.words[2];
	target = ftrace_sig_resolve(table, id);
	switch (target.kind) {
	case FTRACE_SIG_INT:
	case FTRACE_SIG_ENUM:
	case FTRACE_SIG_PTR:
		return print_single(s, table, id, item, how);
	}
	return false;
}

/**
 * ftrace_sig_print_followed - print a pointer by what was copied from there
 * @s: where to
 * @sig: the function's signature
 * @param: the number of the parameter
 * @address: the pointer
 * @data: what was copied, and is valid
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
	u32 type = FTRACE_SIG_ID(sig->proto->params[param].type_place);
	const u32 *item = find_item(data, param);

	if (!item || how & FTRACE_SIG_HASH)
		return false;
	switch (FIELD_GET(FTRACE_SIG_ITEM_KIND, *item)) {
	case FTRACE_SIG_STEP_STRING:
		return how & FTRACE_SIG_TEXT && print_string(s, item, address);
	case FTRACE_SIG_STEP_BYTES:
		return how & FTRACE_SIG_TEXT && print_bytes(s, item, address);
	case FTRACE_SIG_STEP_MEMORY:
		return how & FTRACE_SIG_STRUCTS &&
		       print_memory(s, sig->table, type, address, item, how);
	}
	return false;
}
