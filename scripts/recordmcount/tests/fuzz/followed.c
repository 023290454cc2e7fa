// SPDX-License-Identifier: GPL-2.0
/*
 * Copied memory in events: what the kernel plans to copy by a signature, and how it
 * prints what an event says that was copied.
 *
 * A plan must stay within the call's words and within the limits.  An event may have
 * been made for another signature or be damaged: whatever it says, printing takes no step
 * outside of it, and prints one line of text.
 */
#include "kernel_shim.h"

#include "../../../../kernel/trace/signature/peek.h"
#include "../../../../kernel/trace/signature/signature.h"
#include "../../../../kernel/trace/trace_text_line.h"
#include "followed.h"
#include "report.h"

#define MAX_WORDS	64	/* of copied memory, in words of 32 bits */

unsigned int ftrace_sig_max_string = 128;
unsigned int ftrace_sig_max_event = 512;
unsigned int ftrace_sig_max_depth;
unsigned int ftrace_sig_max_members;

/* No tracer asks for copied memory */
u32 ftrace_sig_follow_shape(const struct ftrace_signature *sig)
{
	return 0;
}

bool ftrace_sig_follows(enum ftrace_sig_user user, const struct ftrace_signature *sig)
{
	return false;
}

void ftrace_sig_forget_plans(unsigned long start, unsigned long end) { }

static struct trace_seq seq;

static void check_step(const struct ftrace_signature *sig, unsigned int nr_words,
		       const struct ftrace_sig_step *step)
{
	bool result = step->param == FTRACE_SIG_RESULT;
	u32 length = step->kind == FTRACE_SIG_STEP_MEMORY ? FTRACE_SIG_LENGTH_NONE :
		     FIELD_GET(FTRACE_SIG_STEP_LENGTH, step->size);

	if (!result && step->param >= sig->proto->nr_params)
		wrong("a step for a parameter that does not exist");
	if (!result && step->word >= nr_words)
		wrong("a step for a word that is not captured");
	if (step->kind >= FTRACE_SIG_STEP_BEFORE || !step->class)
		wrong("a step of no kind");
	if (step->kind == FTRACE_SIG_STEP_MEMORY &&
	    (!step->size || step->size > FTRACE_SIG_EVENT_MAX))
		wrong("a step of %u bytes", step->size);
	if (step->kind == FTRACE_SIG_STEP_BYTES && length != FTRACE_SIG_LENGTH_VALUE)
		wrong("bytes without a length");
	if ((length == FTRACE_SIG_LENGTH_VALUE || length == FTRACE_SIG_LENGTH_POINTER) &&
	    FIELD_GET(FTRACE_SIG_STEP_WORD, step->size) >= nr_words)
		wrong("a length in a word that is not captured");
}

static void check_plan(const struct ftrace_signature *sig, unsigned int nr_words)
{
	struct ftrace_sig_step steps[FTRACE_SIG_MAX_STEPS];
	unsigned int nr = ftrace_sig_plan(sig, steps);

	if (nr > FTRACE_SIG_MAX_STEPS)
		wrong("a plan of %u steps", nr);
	while (nr--)
		check_step(sig, nr_words, &steps[nr]);
}

/* An item for some parameter; sizes are those of types more often than others */
static u32 make_item(const struct ftrace_signature *sig, uint64_t r, unsigned int room)
{
	static const unsigned char sizes[] = { 0, 1, 2, 4, 8, 16, 24, 40 };
	u32 size = r & 0x100 ? sizes[r >> 16 & 7] : r >> 16 & 0x7f;
	u32 nr = sig->proto->nr_params + 1, param = (r >> 32 & 0xff) % nr;

	if (param == sig->proto->nr_params)
		param = FTRACE_SIG_RESULT;
	return FIELD_PREP(FTRACE_SIG_ITEM_PARAM, param) |
	       FIELD_PREP(FTRACE_SIG_ITEM_FORM, r >> 40) |
	       FIELD_PREP(FTRACE_SIG_ITEM_KIND, (r >> 48 & 0xff) % FTRACE_SIG_STEP_NR) |
	       FIELD_PREP(FTRACE_SIG_ITEM_END, (r >> 56 & 0xf) % (FTRACE_PEEK_FAULT + 1)) |
	       FIELD_PREP(FTRACE_SIG_ITEM_SIZE, min_t(u32, size, room * sizeof(u32)));
}

/* Fills @data with a head and items.  Returns the number of machine words. */
static unsigned int make_data(const struct ftrace_signature *sig, u32 data[MAX_WORDS],
			      uint64_t (*next)(void))
{
	unsigned int at = 1, end = 2 + next() % (MAX_WORDS - 2);

	while (at < end) {
		u32 item = make_item(sig, next() ^ next() << 32, end - at - 1);
		u32 size = DIV_ROUND_UP(FIELD_GET(FTRACE_SIG_ITEM_SIZE, item), sizeof(u32));

		for (data[at++] = item; size--; )
			data[at++] = next() * 0x9e3779b9;
	}
	data[0] = FIELD_PREP(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) |
		  FIELD_PREP(FTRACE_SIG_DATA_SIZE, at * sizeof(u32));
	if (at % 2)
		data[at++] = 0;
	return at / 2;
}

static void check_text(const char *what)
{
	for (size_t i = 0; i < seq.seq.len; i++)
		if ((u8)seq.buffer[i] < ' ' || seq.buffer[i] == 0x7f)
			wrong("%s: character %d in a line:\n  %.*s", what, seq.buffer[i],
			      (int)seq.seq.len, seq.buffer);
}

/* How a text that was cut goes on where the whole one has something else */
static bool is_cut(const char *text, size_t len)
{
	static const char quotes[] = "\"'>";

	if (len && strchr(quotes, text[0])) {
		text++;
		len--;
	}
	return len >= 3 && !memcmp(text, "...", 3);
}

/* Where text and dots are alike, the cut is seen a little later than where it is */
static bool is_cut_before(const char *text, size_t len, size_t at)
{
	for (size_t before = 0; before <= 4 && before <= at; before++)
		if (is_cut(text + at - before, len - at + before))
			return true;
	return false;
}

/* In less room, as a line that is too long for the reader */
static void print_cut(const struct ftrace_signature *sig, const unsigned long *words,
		      unsigned int nr_words, const struct ftrace_sig_data *data,
		      unsigned int how, size_t size)
{
	static const char head[] = "f: ";
	static struct trace_seq whole;
	struct trace_text_kept kept;
	size_t at = 0;

	trace_seq_init(&whole);
	trace_seq_puts(&whole, head);
	trace_seq_putmem(&whole, seq.buffer, seq.seq.len);
	trace_seq_init(&seq);
	seq.seq.size = size;
	trace_seq_puts(&seq, head);
	kept = trace_text_keep(&seq, TRACE_TEXT_TAIL);
	ftrace_sig_print_params(&seq, sig, words, nr_words, data, how | FTRACE_SIG_CUT, NULL);
	trace_text_give_back(&seq, kept);
	check_text("arguments that were cut");
	if (seq.full || seq.seq.len > size || seq.seq.size != size)
		wrong("%zu characters in a room of %zu", seq.seq.len, size);
	while (at < min(seq.seq.len, whole.seq.len) && seq.buffer[at] == whole.buffer[at])
		at++;
	if (at != whole.seq.len && !is_cut_before(seq.buffer, seq.seq.len, at))
		wrong("cut at %zu:\n  %.*s\nof\n  %.*s", at, (int)seq.seq.len, seq.buffer,
		      (int)whole.seq.len, whole.buffer);
}

static void print(const struct ftrace_signature *sig, const unsigned long *words,
		  unsigned int nr_words, const struct ftrace_sig_data *data,
		  unsigned int how, uint64_t random)
{
	trace_seq_init(&seq);
	ftrace_sig_print_params(&seq, sig, words, nr_words, data, how, NULL);
	check_text("arguments with copied memory");
	if (!seq.full && seq.seq.len + TRACE_TEXT_TAIL < TRACE_SEQ_SIZE)
		print_cut(sig, words, nr_words, data, how,
			  TRACE_TEXT_TAIL + random % (seq.seq.len + 1));
	if (!data->after)
		return;
	trace_seq_init(&seq);
	ftrace_sig_print_changes(&seq, sig, data->after, how);
	check_text("changes");
	trace_seq_init(&seq);
	ftrace_sig_print_followed(&seq, sig, FTRACE_SIG_RESULT, how, data->after, how);
	check_text("a result with copied memory");
}

/* A copy of its own size, so that each step outside of it is seen; NULL if it is refused */
static u32 *copy_valid(const u32 *data, unsigned int nr, bool intact)
{
	u32 *copy = malloc(nr * sizeof(long));

	memcpy(copy, data, nr * sizeof(long));
	if (ftrace_sig_data_is_valid(copy, nr))
		return copy;
	if (intact)
		wrong("copied memory in order is refused");
	free(copy);
	return NULL;
}

/* A type of which @size bytes are at hand, or what a pointer points to */
static void print_bytes_of(const struct ftrace_sig_table *table, u32 id, u32 size,
			   uint64_t (*next)(void))
{
	const struct ftrace_sig_limits limits = { 1 + next() % 8, 1 + next() % 64 };
	struct ftrace_sig_type type = ftrace_sig_resolve(table, id);
	u8 *bytes;

	if (type.kind == FTRACE_SIG_PTR) {
		id = type.words[2];
		type = ftrace_sig_resolve(table, id);
	}
	if (!ftrace_sig_is_struct(&type))
		return;
	size = size % 4 ? type.size : size % (type.size + 1);
	bytes = malloc(size);
	for (u32 i = 0; i < size; i++)
		bytes[i] = next() >> 8;
	trace_seq_init(&seq);
	ftrace_sig_print_struct(&seq, table, id, bytes, size, next() & FTRACE_SIG_HEX, &limits);
	check_text("a structure");
	free(bytes);
}

static void print_structs(const struct ftrace_signature *sig, uint64_t (*next)(void))
{
	const struct ftrace_sig_proto *proto = sig->proto;

	for (u32 i = 0; i < proto->nr_params; i++)
		print_bytes_of(sig->table, FTRACE_SIG_ID(proto->params[i].type_place),
			       next() >> 16, next);
	print_bytes_of(sig->table, FTRACE_SIG_ID(proto->ret), next() >> 16, next);
}

/**
 * follow - plan and print what is copied for a call
 * @sig: the function's signature
 * @words: what was captured
 * @nr_words: how many words
 * @next: returns numbers
 */
void follow(const struct ftrace_signature *sig, const unsigned long *words,
	    unsigned int nr_words, uint64_t (*next)(void))
{
	const unsigned int all = FTRACE_SIG_TEXT | FTRACE_SIG_STRUCTS | FTRACE_SIG_CHANGES;
	unsigned int how = next() & (all | FTRACE_SIG_HASH), i, nr;
	struct ftrace_sig_data printed;
	u32 data[MAX_WORDS + 1], *valid[2];
	bool intact;

	ftrace_sig_max_depth = 1 + next() % 8;
	ftrace_sig_max_members = 1 + next() % 64;
	check_plan(sig, nr_words);
	print_structs(sig, next);
	for (i = 0; i < 2; i++) {
		nr = make_data(sig, data, next);
		intact = next() & 1;
		if (!intact)
			data[next() % (2 * nr)] ^= 1u << next() % 32;
		valid[i] = copy_valid(data, nr, intact);
	}
	printed.before = valid[0];
	printed.after = valid[1];
	print(sig, words, nr_words, &printed, how, next());
	print(sig, words, nr_words, &printed, all, next());
	free(valid[0]);
	free(valid[1]);
}
