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
#include "forms.h"

static unsigned int room_for(const struct follow_writer *w, unsigned int most)
{
	return min_t(unsigned int, most, w->end - w->at - sizeof(u32));
}

/*
 * What an argument says as a length of @width bytes; negative if it is none.  The bits above
 * the number are undefined.
 */
static long length_in(unsigned long word, unsigned int width)
{
	if (width < sizeof(int))
		return word & (BIT(width * BITS_PER_BYTE) - 1);
	return width == sizeof(int) ? (int)word : (long)word;
}

/**
 * follow_word_of_length - the argument that tells how many bytes are at a pointer
 * @w: the writer, with the arguments
 * @step: the step
 *
 * Return: the argument, or 0 if there is none.
 */
unsigned long follow_word_of_length(const struct follow_writer *w,
				    const struct ftrace_sig_step *step)
{
	unsigned int word = FIELD_GET(FTRACE_SIG_STEP_WORD, READ_ONCE(step->size));

	if (!follow_has_word_of_length(step) || word >= w->nr_args)
		return 0;
	return w->args[word];
}

/**
 * follow_length - how many bytes are at a pointer
 * @step: the step
 * @word: what follow_word_of_length() returned at the entry
 *
 * A negative number is no length of a string or a buffer.  Of an address, it means that
 * there is nothing: the kernel refuses it.
 *
 * Context: any, NMI included, with preemption off.
 * Return: the number, INT_MAX for all above, FORM_LENGTH_UNKNOWN, or FORM_LENGTH_FAULT.
 */
unsigned int follow_length(const struct ftrace_sig_step *step, unsigned long word)
{
	u16 size = READ_ONCE(step->size);
	long said;
	int there;

	if (!follow_has_word_of_length(step))
		return FORM_LENGTH_UNKNOWN;
	if (FIELD_GET(FTRACE_SIG_STEP_LENGTH, size) == FTRACE_SIG_LENGTH_VALUE)
		said = length_in(word, FIELD_GET(FTRACE_SIG_STEP_WIDTH, size));
	else if (ftrace_peek(&there, word, sizeof(there)))
		said = there;
	else
		return FORM_LENGTH_FAULT;
	if (said < 0 && READ_ONCE(step->kind) != FTRACE_SIG_STEP_FORM)
		return FORM_LENGTH_UNKNOWN;
	return clamp(said, 0, INT_MAX);
}

/**
 * follow_length_at_entry - how many bytes are at a pointer
 * @w: the writer, with the arguments
 * @step: the step
 *
 * Context: any, NMI included, with preemption off.
 * Return: as follow_length().
 */
unsigned int follow_length_at_entry(const struct follow_writer *w,
				    const struct ftrace_sig_step *step)
{
	return follow_length(step, follow_word_of_length(w, step));
}

/* @length: how many characters there can be, or FORM_LENGTH_UNKNOWN */
static void copy_string(struct follow_writer *w, const struct ftrace_sig_step *step,
			unsigned long address, unsigned int length)
{
	unsigned int limit = READ_ONCE(ftrace_sig_max_string), size;
	/* One more than the limit tells whether the string ends there */
	unsigned int room = room_for(w, limit + 1);
	bool bounded = length <= min(room, limit);
	enum ftrace_peek_end end;

	size = ftrace_peek_string(w->at + sizeof(u32), address, bounded ? length : room, &end);
	/* It may end without a NUL where it can have no more characters */
	if (bounded && end == FTRACE_PEEK_CUT)
		end = FTRACE_PEEK_NUL;
	follow_put_item(w, step, FTRACE_SIG_STEP_STRING, min(size, limit), end);
}

static void copy_form(struct follow_writer *w, const struct ftrace_sig_step *step,
		      unsigned long address, unsigned int length)
{
	const struct ftrace_form *form = ftrace_form_by_id(READ_ONCE(step->aux));
	struct form_writer where = {
		.to = w->at + sizeof(u32),
		.room = room_for(w, FTRACE_FORM_ROOM),
		.length = length,
	};
	unsigned int size;

	if (!form)
		return;
	size = ftrace_form_capture(form, address, &where);
	follow_put_item(w, step, FTRACE_SIG_STEP_FORM, size,
			size ? FTRACE_PEEK_NUL : FTRACE_PEEK_FAULT);
}

/* Copy all of @size bytes, or what there is room for, at most @most */
static void copy_bytes(struct follow_writer *w, const struct ftrace_sig_step *step,
		       unsigned long address, unsigned int size, unsigned int most)
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
 * @length: how many bytes there are, see follow_length()
 *
 * Context: any, NMI included, with preemption off.
 */
void follow_copy(struct follow_writer *w, const struct ftrace_sig_step *step,
		 unsigned long address, unsigned int length)
{
	switch (READ_ONCE(step->kind)) {
	case FTRACE_SIG_STEP_STRING:
		copy_string(w, step, address, length);
		break;
	case FTRACE_SIG_STEP_BYTES:
		if (length <= INT_MAX)
			copy_bytes(w, step, address, length, READ_ONCE(ftrace_sig_max_string));
		break;
	case FTRACE_SIG_STEP_FORM:
		copy_form(w, step, address, length);
		break;
	case FTRACE_SIG_STEP_MEMORY:
		copy_bytes(w, step, address, READ_ONCE(step->size), FTRACE_SIG_EVENT_MAX);
		break;
	}
}
