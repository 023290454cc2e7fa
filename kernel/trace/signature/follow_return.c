// SPDX-License-Identifier: GPL-2.0
/*
 * Copy what a call has changed, when it returns.
 *
 * A pointer may be gone from its register by then, so it is kept from the call's entry,
 * with what was there: a value itself, of longer memory a hash.  What is the same at the
 * return is not written.  A buffer that is not const, beside its length, may be one that
 * the function fills: if it has changed, it is written as far as the result says that it
 * was filled.  What a result points to is written at the return, too.
 */
#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/hash.h>

#include "follow.h"

static bool can_change(const struct ftrace_sig_step *step)
{
	return READ_ONCE(step->class) & FTRACE_SIG_FOLLOW_CHANGES;
}

static u64 hash_bytes(const u8 *bytes, unsigned int size)
{
	u64 hash = size;

	while (size--)
		hash = rol64((hash ^ *bytes++) * GOLDEN_RATIO_64, 29);
	return hash;
}

/* A value that can be kept as it is, and its size; 0 for all else */
static unsigned int value_size(const struct ftrace_sig_step *step)
{
	unsigned int size = READ_ONCE(step->size);

	if (READ_ONCE(step->kind) != FTRACE_SIG_STEP_MEMORY || size > sizeof(u64))
		return 0;
	return size;
}

/*
 * The hash of the item that was written last, behind @item.  False: nothing of it can be
 * read.  Of a string, the part that can be read counts.
 */
static bool hash_item(const struct follow_writer *w, const u8 *item, u64 *hash)
{
	u32 head = *(u32 *)item, size = FIELD_GET(FTRACE_SIG_ITEM_SIZE, head);

	if (w->at == item || (FIELD_GET(FTRACE_SIG_ITEM_END, head) == FTRACE_PEEK_FAULT && !size))
		return false;
	*hash = hash_bytes(item + sizeof(u32), size);
	return true;
}

/* Of a buffer, both fit into the place of a value */
static u64 hash_and_length(u64 hash, u32 length)
{
	return hash << 32 | length;
}

/* What is at @address at the entry.  False: it cannot be read. */
static bool keep_before(struct follow_writer *w, const struct ftrace_sig_step *step,
			unsigned long address, u64 *before)
{
	unsigned int size = value_size(step);
	unsigned long length;
	u8 *item = w->at;
	bool known;

	*before = 0;
	if (size)
		return ftrace_peek(before, address, size);
	follow_copy(w, step, address);
	known = hash_item(w, item, before);
	w->at = item;
	if (READ_ONCE(step->kind) != FTRACE_SIG_STEP_BYTES)
		return known;
	/* The length is needed in any case: 0 for one that is not sensible */
	if (!follow_length(w, step, &length) || length > U32_MAX)
		length = 0;
	*before = known ? hash_and_length(*before, length) : length;
	return known;
}

/* Keep a call's pointers, and what is there.  @w has the words of its arguments. */
static void keep_pointers(struct follow_writer *w, const struct follow_steps *found,
			  struct ftrace_sig_kept *kept)
{
	struct follow_quiet quiet = follow_quiet_begin();
	unsigned int i, nr = 0;

	kept->unknown = 0;
	for (i = 0; i < found->nr && nr < FTRACE_SIG_MAX_KEPT; i++) {
		const struct ftrace_sig_step *step = &found->steps[i];
		unsigned long address;
		u64 before = 0;

		if (!can_change(step))
			continue;
		if (!follow_address(w, step, &address))
			address = 0;
		else if (!keep_before(w, step, address, &before))
			kept->unknown |= BIT(nr);
		kept->of[nr].address = address;
		kept->of[nr++].before = before;
	}
	kept->nr = nr;
	follow_quiet_end(quiet);
}

/**
 * ftrace_sig_keep - keep a call's pointers, and what they point to, until it returns
 * @user: the tracer that will write the event of the return
 * @ip: address of the function's call site
 * @shape: what ftrace_sig_entry_shape() returned, with FTRACE_SIG_SHAPE_KEEP
 * @fregs: the registers at the call site
 * @kept: gets what is kept
 *
 * Context: any, NMI included, with preemption off.
 * Return: the size in bytes of what is kept, 0 if the function can change nothing that an
 * option asks for.
 */
unsigned int ftrace_sig_keep(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     struct ftrace_regs *fregs, struct ftrace_sig_kept *kept)
{
	struct follow_steps found;
	struct follow_buffer *buffer;
	struct follow_args args;
	struct follow_writer w;

	if (!(follow_classes(user) & FTRACE_SIG_FOLLOW_CHANGES))
		return 0;
	buffer = follow_get_buffer();
	if (!buffer)
		return 0;

	args = follow_capture(shape, fregs, buffer->words);
	follow_writer_init(&w, args.args, args.nr, args.nr);
	follow_find_steps(ip, buffer->steps, &found);
	keep_pointers(&w, &found, kept);
	ftrace_sig_follow_end();
	if (!kept->nr || !follow_steps_are_valid(&found))
		return 0;
	return offsetof(struct ftrace_sig_kept, of[kept->nr]);
}

/* How many bytes of a buffer were filled.  False: that is not known. */
static bool filled(const struct ftrace_sig_step *step, u64 length, long result, u64 *size)
{
	*size = length;
	switch (FIELD_GET(FTRACE_SIG_STEP_FILLS, READ_ONCE(step->size))) {
	case FTRACE_SIG_FILLS_UNLESS_NEGATIVE:
		result = (int)result;
		if (!result)
			return true;
		fallthrough;
	case FTRACE_SIG_FILLS_RESULT:
		if (result < 0)
			return false;
		*size = min_t(u64, length, result);
	}
	return true;
}

static void put_value(struct follow_writer *w, const struct ftrace_sig_step *step, u32 kind,
		      const u64 *value, unsigned int size)
{
	memcpy(w->at + sizeof(u32), value, size);
	follow_put_item(w, step, kind, size, FTRACE_PEEK_NUL);
}

/* A value that can be compared: write both if they differ */
static void copy_changed_value(struct follow_writer *w, const struct ftrace_sig_step *step,
			       unsigned long address, u64 before, bool known)
{
	unsigned int size = value_size(step);
	u64 after = 0;

	if (w->end - w->at < 2 * (sizeof(u32) + sizeof(u64)))
		return;
	if (!ftrace_peek(&after, address, size)) {
		/* It was readable */
		if (known)
			follow_put_item(w, step, FTRACE_SIG_STEP_MEMORY, 0, FTRACE_PEEK_FAULT);
		return;
	}
	if (known && after == before)
		return;
	if (known)
		put_value(w, step, FTRACE_SIG_STEP_BEFORE, &before, size);
	put_value(w, step, FTRACE_SIG_STEP_MEMORY, &after, size);
}

/* A buffer: write what was filled, if any byte of the part that is compared has changed */
static void copy_changed_bytes(struct follow_writer *w, const struct ftrace_sig_step *step,
			       unsigned long address, u64 before, bool known, long result)
{
	unsigned int most = READ_ONCE(ftrace_sig_max_string);
	u32 length = lower_32_bits(before);
	u8 *item = w->at;
	u64 now, size;

	if (!length || !filled(step, length, result, &size))
		return;
	follow_copy_bytes(w, step, address, length, most);
	if (hash_item(w, item, &now) ? known && hash_and_length(now, length) == before : !known) {
		w->at = item;
		return;
	}
	w->at = item;
	follow_copy_bytes(w, step, address, size, most);
}

/* Write what is at @address now, unless it is the same as at the entry */
static void copy_changed(struct follow_writer *w, const struct ftrace_sig_step *step,
			 unsigned long address, u64 before, bool known, long result)
{
	u8 *item = w->at;
	u64 now;

	if (value_size(step)) {
		copy_changed_value(w, step, address, before, known);
	} else if (READ_ONCE(step->kind) == FTRACE_SIG_STEP_BYTES) {
		copy_changed_bytes(w, step, address, before, known, result);
	} else {
		follow_copy(w, step, address);
		/* The same, or unreadable as before */
		if (hash_item(w, item, &now) ? known && now == before : !known)
			w->at = item;
	}
}

/* Say that changes are not known: the pointers were not kept */
static void put_lost(struct follow_writer *w, const struct ftrace_sig_step *step)
{
	follow_put_item(w, step, FTRACE_SIG_STEP_BEFORE, 0, FTRACE_PEEK_FAULT);
}

static void copy_changes(struct follow_writer *w, const struct follow_steps *found,
			 const struct ftrace_sig_kept *kept, long result)
{
	unsigned int i, nr = 0;

	for (i = 0; i < found->nr && nr < FTRACE_SIG_MAX_KEPT && follow_has_room(w); i++) {
		const struct ftrace_sig_step *step = &found->steps[i];

		if (!can_change(step))
			continue;
		if (!kept || nr >= kept->nr)
			put_lost(w, step);
		else if (kept->of[nr].address)
			copy_changed(w, step, kept->of[nr].address, kept->of[nr].before,
				     !(kept->unknown & BIT(nr)), result);
		nr++;
	}
}

static void copy_result(struct follow_writer *w, const struct follow_steps *found,
			u32 classes, unsigned long result)
{
	const struct ftrace_sig_step *step = found->steps;

	/* It is the first step, if it is one */
	if (found->nr && READ_ONCE(step->param) == FTRACE_SIG_RESULT &&
	    READ_ONCE(step->class) & classes && result && !IS_ERR_VALUE(result))
		follow_copy(w, step, result);
}

/**
 * ftrace_sig_return_begin - copy what a call has changed, and what its result points to
 * @user: the tracer that writes the event
 * @ip: address of the function's call site
 * @shape: what ftrace_sig_shape() returned, with FTRACE_SIG_SHAPE_KEEP
 * @retval: the result's first word
 * @high: its second word, if it has one
 * @kept: what ftrace_sig_keep() kept, or NULL if it kept nothing
 * @followed: gets the words to be written; valid until ftrace_sig_follow_end()
 *
 * Context: any, NMI included, with preemption off.
 * Return: false if there is nothing to be written; then ftrace_sig_follow_end() must not
 * be called.
 */
bool ftrace_sig_return_begin(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     unsigned long retval, unsigned long high,
			     const struct ftrace_sig_kept *kept,
			     struct ftrace_sig_followed *followed)
{
	unsigned int nr_words = ftrace_sig_returns_pair(shape), nr = 0;
	struct follow_buffer *buffer = follow_get_buffer();
	u32 classes = follow_classes(user);
	struct follow_steps found;
	struct follow_quiet quiet;
	struct follow_writer w;

	if (!buffer)
		return false;

	buffer->words[0] = high;
	follow_writer_init(&w, buffer->words, nr_words, 0);
	follow_find_steps(ip, buffer->steps, &found);
	quiet = follow_quiet_begin();
	copy_result(&w, &found, classes, retval);
	if (classes & FTRACE_SIG_FOLLOW_CHANGES)
		copy_changes(&w, &found, kept, retval);
	follow_quiet_end(quiet);
	if (follow_steps_are_valid(&found))
		nr = follow_finish(&w);
	if (!nr) {
		ftrace_sig_follow_end();
		return false;
	}
	followed->words = buffer->words;
	followed->nr_words = nr_words;
	followed->attached = buffer->words + nr_words;
	followed->nr_attached = nr;
	return true;
}
