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

#include "follow.h"
#include "forms.h"

static bool can_change(const struct ftrace_sig_step *step)
{
	return READ_ONCE(step->class) & FTRACE_SIG_FOLLOW_CHANGES;
}

/* A value that can be kept as it is, and its size; 0 for all else */
static unsigned int value_size(const struct ftrace_sig_step *step)
{
	unsigned int size = READ_ONCE(step->size);

	if (READ_ONCE(step->kind) != FTRACE_SIG_STEP_MEMORY || size > sizeof(u64))
		return 0;
	return size;
}

/* Of a buffer, both fit into the place of a value */
static u64 hash_and_length(u64 hash, u32 length)
{
	return hash << 32 | length;
}

/*
 * The entries of struct ftrace_sig_kept that a step needs: one more for the argument that is
 * the length, of all but buffers
 */
static unsigned int entries_of(const struct ftrace_sig_step *step)
{
	return READ_ONCE(step->kind) != FTRACE_SIG_STEP_BYTES &&
	       follow_has_word_of_length(step) ? 2 : 1;
}

/* What is at @address at the entry.  False: it cannot be read. */
static bool keep_before(const struct follow_writer *w, const struct ftrace_sig_step *step,
			unsigned long address, void *scratch, u64 *before)
{
	unsigned int size = value_size(step), length;
	bool known;

	*before = 0;
	if (size)
		return ftrace_peek(before, address, size);
	length = follow_length_at_entry(w, step);
	if (READ_ONCE(step->kind) == FTRACE_SIG_STEP_BYTES && length > INT_MAX)
		length = 0;
	known = follow_see(step, address, length, scratch, before) != FOLLOW_UNREADABLE;
	/* The length of a buffer is needed in any case */
	if (READ_ONCE(step->kind) == FTRACE_SIG_STEP_BYTES)
		*before = known ? hash_and_length(*before, length) : length;
	return known;
}

/* Keep a call's pointers, and what is there.  @w has the words of its arguments. */
static void keep_pointers(const struct follow_writer *w, const struct follow_steps *found,
			  void *scratch, struct ftrace_sig_kept *kept)
{
	struct follow_quiet quiet = follow_quiet_begin();
	unsigned int i, nr = 0;

	kept->unknown = 0;
	for (i = 0; i < found->nr; i++) {
		const struct ftrace_sig_step *step = &found->steps[i];
		unsigned long address;
		unsigned int last;
		u64 before = 0;

		if (!can_change(step))
			continue;
		last = nr + entries_of(step) - 1;
		if (last >= FTRACE_SIG_MAX_KEPT)
			break;
		if (!follow_address(w, step, &address))
			address = 0;
		else if (!keep_before(w, step, address, scratch, &before))
			kept->unknown |= BIT(nr);
		kept->of[last].address = follow_word_of_length(w, step);
		kept->of[last].before = 0;
		kept->of[nr].address = address;
		kept->of[nr].before = before;
		nr = last + 1;
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
	keep_pointers(&w, &found, buffer->scratch, kept);
	ftrace_sig_follow_end();
	if (!kept->nr || !follow_steps_are_valid(&found))
		return 0;
	return offsetof(struct ftrace_sig_kept, of[kept->nr]);
}

/* Cut a result to the bits of its type.  False: it is an error. */
static bool read_result(u8 fills, u64 *result)
{
	unsigned int shift = (sizeof(u64) - FIELD_GET(FTRACE_SIG_FILLS_WIDTH, fills)) *
			     BITS_PER_BYTE;
	s64 number;

	if (shift >= BITS_PER_TYPE(u64))
		return true;
	number = (s64)(*result << shift) >> shift;
	*result = *result << shift >> shift;
	/* An errno may be in an unsigned integer, but not in one of 8 or 16 bits */
	if (fills & FTRACE_SIG_FILLS_SIGNED)
		return number >= 0;
	return number >= 0 || number < -MAX_ERRNO || shift > 32;
}

/**
 * follow_filled - how many bytes of a buffer a function has filled
 * @step: the step, of kind FTRACE_SIG_STEP_BYTES
 * @length: how many there are
 * @result: what the function has returned; bits above those of its type are ignored
 *
 * Context: any.
 * Return: 0 to @length.
 */
unsigned int follow_filled(const struct ftrace_sig_step *step, unsigned int length, u64 result)
{
	u8 fills = READ_ONCE(step->aux), rule = FIELD_GET(FTRACE_SIG_FILLS, fills);

	if (rule == FTRACE_SIG_FILLS_ALL)
		return length;
	if (!read_result(fills, &result))
		return 0;
	if (rule == FTRACE_SIG_FILLS_UNLESS_ERROR || result > length ||
	    (rule == FTRACE_SIG_FILLS_COUNT_OR_ALL && !result))
		return length;
	return result;
}

static void put_value(struct follow_writer *w, const struct ftrace_sig_step *step, u32 kind,
		      const u64 *value, unsigned int size)
{
	memcpy(w->at + sizeof(u32), value, size);
	follow_put_item(w, step, kind, size, FTRACE_PEEK_NUL);
}

/*
 * What was kept of a pointer at the entry
 *
 * @address: the pointer
 * @state: what was there, see struct ftrace_sig_kept
 * @known: whether it could be read
 * @length: how many bytes there are now, see follow_length()
 * @scratch: where to look at what is there now
 */
struct follow_before {
	unsigned long	address;
	u64		state;
	bool		known;
	unsigned int	length;
	void		*scratch;
};

/* The same, or unreadable as before */
static bool is_same(const struct follow_before *before, enum follow_seen seen, u64 now)
{
	if (seen == FOLLOW_UNREADABLE)
		return !before->known;
	return before->known && now == before->state;
}

/*
 * Say that it is not known whether there is a change, or what it is.  There is always room
 * for that, see reserve_unknown(), unless the steps are replaced meanwhile.
 */
static void put_unknown(struct follow_writer *w, const struct ftrace_sig_step *step)
{
	if (w->end - w->at >= (long)sizeof(u32))
		follow_put_item(w, step, FTRACE_SIG_STEP_BEFORE, 0, FTRACE_PEEK_FAULT);
}

/* A value that can be compared: write both if they differ */
static void copy_changed_value(struct follow_writer *w, const struct ftrace_sig_step *step,
			       const struct follow_before *before)
{
	unsigned int size = value_size(step);
	u64 after = 0;

	if (!ftrace_peek(&after, before->address, size)) {
		/* It was readable */
		if (before->known)
			follow_put_item(w, step, FTRACE_SIG_STEP_MEMORY, 0, FTRACE_PEEK_FAULT);
		return;
	}
	if (before->known && after == before->state)
		return;
	if (w->end - w->at < 2 * (sizeof(u32) + sizeof(u64))) {
		put_unknown(w, step);
		return;
	}
	if (before->known)
		put_value(w, step, FTRACE_SIG_STEP_BEFORE, &before->state, size);
	put_value(w, step, FTRACE_SIG_STEP_MEMORY, &after, size);
}

/* A buffer: write what was filled, if any byte of the buffer has changed */
static void copy_changed_bytes(struct follow_writer *w, const struct ftrace_sig_step *step,
			       const struct follow_before *before, u64 result)
{
	u32 length = lower_32_bits(before->state), size = follow_filled(step, length, result);
	enum follow_seen seen;
	u64 now;

	if (!size)
		return;
	seen = follow_see(step, before->address, length, before->scratch, &now);
	if (is_same(before, seen, hash_and_length(now, length))) {
		if (seen == FOLLOW_PART && size > FOLLOW_MOST_BYTES)
			put_unknown(w, step);
	} else if (!follow_has_room(w)) {
		put_unknown(w, step);
	} else {
		follow_copy(w, step, before->address, size);
	}
}

/* Write what is there now, unless it is the same as at the entry */
static void copy_changed(struct follow_writer *w, const struct ftrace_sig_step *step,
			 const struct follow_before *before, u64 result)
{
	enum follow_seen seen;
	u64 now;

	if (value_size(step)) {
		copy_changed_value(w, step, before);
		return;
	}
	if (READ_ONCE(step->kind) == FTRACE_SIG_STEP_BYTES) {
		copy_changed_bytes(w, step, before, result);
		return;
	}
	seen = follow_see(step, before->address, before->length, before->scratch, &now);
	if (is_same(before, seen, now)) {
		if (seen == FOLLOW_PART)
			put_unknown(w, step);
	} else if (!follow_has_room(w)) {
		put_unknown(w, step);
	} else {
		follow_copy(w, step, before->address, before->length);
	}
}

/*
 * Keep a word for each pointer that may have changed: if there is no room for what is there
 * now, put_unknown() must say so.  copy_changes() gives these words back, one by one.
 */
static void reserve_unknown(struct follow_writer *w, const struct follow_steps *found)
{
	unsigned int i;

	/* Besides the head, that leaves room for another item */
	static_assert((1 + FTRACE_SIG_MAX_STEPS + 1) * sizeof(u32) + sizeof(u64) <=
		      FTRACE_SIG_EVENT_MIN);
	for (i = 0; i < found->nr; i++)
		if (can_change(&found->steps[i]))
			w->spare += sizeof(u32);
	w->end -= w->spare;
}

static void use_spare(struct follow_writer *w)
{
	if (!w->spare)
		return;
	w->spare -= sizeof(u32);
	w->end += sizeof(u32);
}

/* @word: the argument that tells of the length, if one does */
static unsigned int length_now(const struct ftrace_sig_step *step, unsigned long word,
			       u64 result)
{
	if (READ_ONCE(step->kind) == FTRACE_SIG_STEP_FORM &&
	    FIELD_GET(FTRACE_SIG_STEP_LENGTH, READ_ONCE(step->size)) ==
	    FTRACE_SIG_LENGTH_RESULT && (int)result > 0)
		return result;
	return follow_length(step, word);
}

static void copy_changes(struct follow_writer *w, const struct follow_steps *found,
			 const struct ftrace_sig_kept *kept, void *scratch, u64 result)
{
	unsigned int i, nr = 0;

	for (i = 0; i < found->nr; i++) {
		const struct ftrace_sig_step *step = &found->steps[i];
		unsigned int last;

		if (!can_change(step))
			continue;
		last = nr + entries_of(step) - 1;
		use_spare(w);
		if (!kept || last >= min(kept->nr, FTRACE_SIG_MAX_KEPT)) {
			put_unknown(w, step);
		} else if (kept->of[nr].address) {
			const struct follow_before before = {
				.address = kept->of[nr].address,
				.state = kept->of[nr].before,
				.known = !(kept->unknown & BIT(nr)),
				.length = length_now(step, kept->of[last].address, result),
				.scratch = scratch,
			};

			copy_changed(w, step, &before, result);
		}
		nr = last + 1;
	}
}

static void copy_result(struct follow_writer *w, const struct follow_steps *found,
			u32 classes, unsigned long result)
{
	const struct ftrace_sig_step *step = found->steps;

	/* It is the first step, if it is one */
	if (found->nr && READ_ONCE(step->param) == FTRACE_SIG_RESULT &&
	    READ_ONCE(step->class) & classes && result && !IS_ERR_VALUE(result))
		follow_copy(w, step, result, FORM_LENGTH_UNKNOWN);
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
	if (classes & FTRACE_SIG_FOLLOW_CHANGES)
		reserve_unknown(&w, &found);
	quiet = follow_quiet_begin();
	copy_result(&w, &found, classes, retval);
	if (classes & FTRACE_SIG_FOLLOW_CHANGES)
		copy_changes(&w, &found, kept, buffer->scratch,
			     IS_ENABLED(CONFIG_64BIT) ? retval : (u64)high << 32 | retval);
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
