// SPDX-License-Identifier: GPL-2.0
/*
 * Copy what pointers point to, as the steps of a function say.
 *
 * Steps may be replaced while they are used (follow_cache.c), so each part of a step is
 * read once, and checked against the words and the room that there are.
 */
#include <linux/bitfield.h>
#include <linux/err.h>

#include "follow.h"

/**
 * follow_writer_init - begin to write items behind the words of an event
 * @w: to be filled in
 * @words: the words, in a buffer of follow_get_buffer()
 * @nr_words: how many there are; the items go behind them
 * @nr_args: how many of them are arguments
 */
void follow_writer_init(struct follow_writer *w, unsigned long *words, unsigned int nr_words,
			unsigned int nr_args)
{
	w->args = words;
	w->nr_args = nr_args;
	w->start = (u8 *)(words + nr_words);
	w->at = w->start + sizeof(u32);
	w->end = w->start + READ_ONCE(ftrace_sig_max_event);
}

/**
 * follow_has_room - whether another item can be written
 * @w: the writer
 *
 * Return: whether there is room for an item's word and a value.
 */
bool follow_has_room(const struct follow_writer *w)
{
	return w->end - w->at >= sizeof(u32) + sizeof(u64);
}

static unsigned int room_for(const struct follow_writer *w, unsigned int most)
{
	return min_t(unsigned int, most, w->end - w->at - sizeof(u32));
}

/**
 * follow_put_item - write an item's word, and zeroes behind its bytes
 * @w: the writer; the item's bytes are there already, behind the word
 * @step: which pointer the item is of
 * @kind: FTRACE_SIG_STEP_*
 * @size: how many bytes
 * @end: how reading them ended
 */
void follow_put_item(struct follow_writer *w, const struct ftrace_sig_step *step, u32 kind,
		     unsigned int size, enum ftrace_peek_end end)
{
	unsigned int padded = ALIGN(size, sizeof(u32));
	u8 *bytes = w->at + sizeof(u32);
	u32 form = 0;

	if (kind == FTRACE_SIG_STEP_FORM)
		form = READ_ONCE(step->aux);
	*(u32 *)w->at = FIELD_PREP(FTRACE_SIG_ITEM_PARAM, READ_ONCE(step->param)) |
			FIELD_PREP(FTRACE_SIG_ITEM_FORM, form) |
			FIELD_PREP(FTRACE_SIG_ITEM_KIND, kind) |
			FIELD_PREP(FTRACE_SIG_ITEM_END, end) |
			FIELD_PREP(FTRACE_SIG_ITEM_SIZE, size);
	while (size < padded)
		bytes[size++] = 0;
	w->at = bytes + padded;
}

/**
 * follow_address - the pointer that a step follows
 * @w: the writer, with the arguments
 * @step: the step
 * @address: gets the pointer
 *
 * Return: false if it points nowhere.
 */
bool follow_address(const struct follow_writer *w, const struct ftrace_sig_step *step,
		    unsigned long *address)
{
	unsigned int word = READ_ONCE(step->word);

	*address = word < w->nr_args ? w->args[word] : 0;
	return *address && !IS_ERR_VALUE(*address);
}

/**
 * follow_length - the number of bytes that another argument says
 * @w: the writer, with the arguments
 * @step: the step, of kind FTRACE_SIG_STEP_BYTES
 * @length: gets the number
 *
 * Return: false if it is negative, and says nothing.
 */
bool follow_length(const struct follow_writer *w, const struct ftrace_sig_step *step,
		   unsigned long *length)
{
	unsigned int word = READ_ONCE(step->aux);
	bool narrow = FIELD_GET(FTRACE_SIG_STEP_WIDTH, READ_ONCE(step->size)) < sizeof(long);

	if (word >= w->nr_args)
		return false;
	*length = narrow ? (u32)w->args[word] : w->args[word];
	return narrow ? (s32)*length >= 0 : (long)*length >= 0;
}

static void copy_string(struct follow_writer *w, const struct ftrace_sig_step *step,
			unsigned long address)
{
	unsigned int room = room_for(w, READ_ONCE(ftrace_sig_max_string));
	enum ftrace_peek_end end;
	unsigned int size;

	size = ftrace_peek_string(w->at + sizeof(u32), address, room, &end);
	follow_put_item(w, step, FTRACE_SIG_STEP_STRING, size, end);
}

/**
 * follow_copy_bytes - copy all of some bytes, or what there is room for
 * @w: the writer
 * @step: the step
 * @address: where they are
 * @size: how many
 * @most: how many to copy at most
 */
void follow_copy_bytes(struct follow_writer *w, const struct ftrace_sig_step *step,
		       unsigned long address, unsigned long size, unsigned int most)
{
	enum ftrace_peek_end end = FTRACE_PEEK_NUL;

	most = room_for(w, most);
	if (size > most) {
		end = FTRACE_PEEK_CUT;
		size = most;
	}
	if (!ftrace_peek(w->at + sizeof(u32), address, size)) {
		end = FTRACE_PEEK_FAULT;
		size = 0;
	}
	follow_put_item(w, step, READ_ONCE(step->kind), size, end);
}

/**
 * follow_copy - copy what a step asks for
 * @w: the writer, with room
 * @step: the step
 * @address: the pointer
 *
 * Context: any, NMI included, with preemption off.
 */
void follow_copy(struct follow_writer *w, const struct ftrace_sig_step *step,
		 unsigned long address)
{
	unsigned long length;

	switch (READ_ONCE(step->kind)) {
	case FTRACE_SIG_STEP_STRING:
		copy_string(w, step, address);
		break;
	case FTRACE_SIG_STEP_BYTES:
		if (follow_length(w, step, &length))
			follow_copy_bytes(w, step, address, length,
					  READ_ONCE(ftrace_sig_max_string));
		break;
	case FTRACE_SIG_STEP_MEMORY:
		follow_copy_bytes(w, step, address, READ_ONCE(step->size),
				  FTRACE_SIG_EVENT_MAX);
		break;
	}
}

/**
 * follow_finish - write the head
 * @w: the writer
 *
 * Return: the number of machine words from the head on, 0 without any item.
 */
unsigned int follow_finish(struct follow_writer *w)
{
	unsigned int size = w->at - w->start;

	if (size == sizeof(u32))
		return 0;
	*(u32 *)w->start = FIELD_PREP(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) |
			   FIELD_PREP(FTRACE_SIG_DATA_SIZE, size);
	if (size % sizeof(long))
		*(u32 *)w->at = 0;
	return DIV_ROUND_UP(size, sizeof(long));
}
