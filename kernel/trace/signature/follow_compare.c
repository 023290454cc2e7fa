// SPDX-License-Identifier: GPL-2.0
/*
 * Make a number of what a pointer points to, to tell at a call's return whether that has
 * changed.
 *
 * Strings and buffers are cut when they are printed.  A change behind the cut is a change,
 * too, so more of them is compared than is printed, up to FOLLOW_MOST_BYTES.  If that part
 * is the same and there is more, it is not known whether there is a change.
 */
#include <linux/hash.h>
#include <linux/unaligned.h>

#include "follow.h"
#include "forms.h"

static_assert(FOLLOW_SCRATCH >= FTRACE_FORM_ROOM);

static u64 hash_word(u64 hash, u64 word)
{
	return rol64((hash ^ word) * GOLDEN_RATIO_64, 29);
}

static u64 hash_bytes(u64 hash, const u8 *bytes, unsigned int size)
{
	u64 rest = size;

	for (; size >= sizeof(u64); size -= sizeof(u64), bytes += sizeof(u64))
		hash = hash_word(hash, get_unaligned((const u64 *)bytes));
	while (size--)
		rest = rest << BITS_PER_BYTE | *bytes++;
	return hash_word(hash, rest);
}

static enum follow_seen see_bytes(unsigned long address, unsigned int size, u8 *scratch,
				  u64 *state)
{
	unsigned int most = min(size, FOLLOW_MOST_BYTES), at, part;

	for (at = 0; at < most; at += part) {
		part = min(most - at, FOLLOW_SCRATCH);
		if (!ftrace_peek(scratch, address + at, part))
			return FOLLOW_UNREADABLE;
		*state = hash_bytes(*state, scratch, part);
	}
	return size > most ? FOLLOW_PART : FOLLOW_ALL;
}

/* Of a string, the part that can be read counts, and that it ends there */
static enum follow_seen see_string(unsigned long address, unsigned int length, u8 *scratch,
				   u64 *state)
{
	unsigned int most = min(length, FOLLOW_MOST_BYTES), at, part = 0;
	enum ftrace_peek_end end = FTRACE_PEEK_CUT;

	for (at = 0; at < most && end == FTRACE_PEEK_CUT; at += part) {
		part = ftrace_peek_string(scratch, address + at, min(most - at, FOLLOW_SCRATCH),
					  &end);
		*state = hash_bytes(*state, scratch, part);
	}
	if (end == FTRACE_PEEK_FAULT && !at)
		return FOLLOW_UNREADABLE;
	*state = hash_word(*state, end);
	return end == FTRACE_PEEK_CUT && length > most ? FOLLOW_PART : FOLLOW_ALL;
}

static enum follow_seen see_form(const struct ftrace_sig_step *step, unsigned long address,
				 unsigned int length, u8 *scratch, u64 *state)
{
	const struct ftrace_form *form = ftrace_form_by_id(READ_ONCE(step->aux));
	const struct form_writer where = {
		.to = scratch, .room = FOLLOW_SCRATCH, .compare = true, .length = length,
	};
	unsigned int size = 0;

	if (form)
		size = ftrace_form_capture(form, address, &where);
	*state = hash_bytes(*state, scratch, size);
	return size ? FOLLOW_ALL : FOLLOW_UNREADABLE;
}

/**
 * follow_see - make a number of what is somewhere
 * @step: how it is followed
 * @address: where it is
 * @length: how many bytes there are, see follow_length()
 * @scratch: room for FOLLOW_SCRATCH bytes, aligned to a word
 * @state: gets the number: the same if the same is there, most likely another if not
 *
 * Context: any, NMI included, with preemption off.
 * Return: how much of it is in the number.
 */
enum follow_seen follow_see(const struct ftrace_sig_step *step, unsigned long address,
			    unsigned int length, void *scratch, u64 *state)
{
	*state = 0;
	switch (READ_ONCE(step->kind)) {
	case FTRACE_SIG_STEP_STRING:
		return see_string(address, length, scratch, state);
	case FTRACE_SIG_STEP_BYTES:
		return see_bytes(address, length, scratch, state);
	case FTRACE_SIG_STEP_MEMORY:
		return see_bytes(address, READ_ONCE(step->size), scratch, state);
	case FTRACE_SIG_STEP_FORM:
		return see_form(step, address, length, scratch, state);
	}
	return FOLLOW_UNREADABLE;
}
