// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of text that is written without formats: it must be as with formats. */
#include <kunit/test.h>
#include <linux/kallsyms.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/time64.h>
#include <linux/trace_seq.h>

#include "trace.h"
#include "trace_func_text.h"
#include "trace_output.h"
#include "trace_text_line.h"

#define RANDOM_VALUES	20000
/* More than any number of a test has characters */
#define MAX_ROOM	40
/* Of the symbols, each of this many */
#define STRIDE		5

/* Two buffers: what is tested writes to one, formats to the other */
struct pair {
	struct trace_seq	written;
	struct trace_seq	printed;
};

static struct pair *make_pair(struct kunit *test)
{
	struct pair *pair = kunit_kzalloc(test, sizeof(*pair), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pair);
	return pair;
}

/* Both are empty, but for the last @room bytes if that is not 0 */
static void begin(struct pair *pair, size_t room)
{
	trace_seq_init(&pair->written);
	trace_seq_init(&pair->printed);
	if (room) {
		pair->written.seq.len = pair->written.seq.size - room;
		pair->printed.seq.len = pair->printed.seq.size - room;
	}
}

static bool same(const struct pair *pair)
{
	const struct trace_seq *a = &pair->written, *b = &pair->printed;

	return a->seq.len == b->seq.len && !a->full == !b->full &&
	       !memcmp(a->buffer, b->buffer, a->seq.len);
}

static void expect_same(struct kunit *test, struct pair *pair, const char *what)
{
	pair->written.buffer[min(pair->written.seq.len, pair->written.seq.size - 1)] = '\0';
	pair->printed.buffer[min(pair->printed.seq.len, pair->printed.seq.size - 1)] = '\0';
	KUNIT_EXPECT_TRUE_MSG(test, same(pair), "%s: \"%s\" for \"%s\"", what,
			      pair->written.buffer, pair->printed.buffer);
}

static void write_columns(struct trace_seq *s, u64 value)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_padded(&t, value, 3, '0');
	trace_text_padded(&t, value, 12, ' ');
	trace_text_char(&t, '|');
	trace_text_left_aligned(&t, (s32)value, 7);
	trace_text_string(&t, "| ");
	trace_text_padded(&t, value, 22, '0');
	trace_text_end(&t);
}

static void check_value(struct kunit *test, struct pair *pair, u64 value, size_t room)
{
	begin(pair, room);
	trace_text_put_u64(&pair->written, value);
	trace_seq_printf(&pair->printed, "%llu", value);
	expect_same(test, pair, "unsigned");

	begin(pair, room);
	trace_text_put_s64(&pair->written, value);
	trace_seq_printf(&pair->printed, "%lld", (s64)value);
	expect_same(test, pair, "signed");

	begin(pair, room);
	trace_text_put_hex(&pair->written, value);
	trace_seq_printf(&pair->printed, "0x%llx", value);
	expect_same(test, pair, "hexadecimal");

	begin(pair, room);
	write_columns(&pair->written, value);
	trace_seq_printf(&pair->printed, "%03llu%12llu|%-7d| %022llu", value, value,
			 (s32)value, value);
	expect_same(test, pair, "columns");
}

/* The powers of 2 and 10 and their neighbours: where the number of digits changes */
static void check_edges(struct kunit *test, struct pair *pair, size_t room)
{
	u64 ten = 1;
	int i, more;

	for (i = 0; i < 64; i++)
		for (more = -1; more <= 1; more++)
			check_value(test, pair, (1ULL << i) + more, room);
	for (i = 0; i < 20; i++, ten *= 10)
		for (more = -1; more <= 1; more++)
			check_value(test, pair, ten + more, room);
	check_value(test, pair, U64_MAX, room);
}

static void numbers(struct kunit *test)
{
	struct pair *pair = make_pair(test);
	struct rnd_state random;
	int i;

	check_edges(test, pair, 0);
	prandom_seed_state(&random, 1);
	for (i = 0; i < RANDOM_VALUES; i++) {
		u64 value = (u64)prandom_u32_state(&random) << 32 | prandom_u32_state(&random);

		check_value(test, pair, value >> (value & 63), 0);
	}
}

static void numbers_without_room(struct kunit *test)
{
	struct pair *pair = make_pair(test);
	size_t room;

	for (room = 1; room <= MAX_ROOM; room++)
		check_edges(test, pair, room);
}

static void strings_without_room(struct kunit *test)
{
	struct pair *pair = make_pair(test);
	size_t room;

	for (room = 1; room <= MAX_ROOM; room++) {
		begin(pair, room);
		trace_text_puts(&pair->written, "twelve chars");
		trace_text_putc(&pair->written, ';');
		trace_text_puts(&pair->written, "");
		trace_seq_puts(&pair->printed, "twelve chars");
		trace_seq_putc(&pair->printed, ';');
		trace_seq_puts(&pair->printed, "");
		expect_same(test, pair, "string");

		begin(pair, room);
		trace_text_put_spaces(&pair->written, 12);
		trace_seq_printf(&pair->printed, "%*s", 12, "");
		expect_same(test, pair, "spaces");

		begin(pair, room);
		trace_func_text_print(&pair->written, (unsigned long)trace_seq_puts);
		trace_seq_printf(&pair->printed, "%ps", trace_seq_puts);
		expect_same(test, pair, "name");
	}
}

struct names {
	struct kunit	*test;
	struct pair	*pair;
	unsigned int	nr;
};

static void check_symbol(struct names *names, unsigned long address, bool offset)
{
	struct pair *pair = names->pair;
	char text[KSYM_SYMBOL_LEN];

	begin(pair, 0);
	/* What may change is not known: it is printed by others */
	if (!trace_func_text_sym(&pair->written, address, offset))
		return;
	if (offset)
		sprint_symbol(text, address);
	else
		kallsyms_lookup(address, NULL, NULL, NULL, text);
	trace_seq_puts(&pair->printed, text);
	expect_same(names->test, pair, "symbol");
}

static void check_address(struct names *names, unsigned long address)
{
	struct pair *pair = names->pair;

	begin(pair, 0);
	trace_func_text_print(&pair->written, address);
	trace_seq_printf(&pair->printed, "%ps", (void *)address);
	expect_same(names->test, pair, "name");
	begin(pair, 0);
	if (trace_func_text_pointer(&pair->written, address)) {
		unsigned long size, offset;

		KUNIT_EXPECT_TRUE(names->test,
				  kallsyms_lookup_size_offset(address, &size, &offset));
		trace_seq_printf(&pair->printed, offset ? "%pS" : "%ps", (void *)address);
		expect_same(names->test, pair, "pointer");
	}
	check_symbol(names, address, false);
	check_symbol(names, address, true);
}

/* The first time it is looked up; the second time it may be known */
static int check_name(void *data, const char *name, unsigned long address)
{
	struct names *names = data;

	if (names->nr++ % STRIDE)
		return 0;
	check_address(names, address);
	check_address(names, address);
	check_address(names, address + 5);
	return 0;
}

static void names(struct kunit *test)
{
	struct names names = { .test = test, .pair = make_pair(test) };

	kallsyms_on_each_symbol(check_name, &names);
	KUNIT_EXPECT_GT(test, names.nr, 0);
	check_address(&names, 0);
	check_address(&names, 1);
	check_address(&names, ULONG_MAX);
	check_address(&names, (unsigned long)&names);
}

static void name_is_known(struct kunit *test)
{
	const struct trace_func_text *known;
	unsigned long address = (unsigned long)trace_seq_printf;

	KUNIT_EXPECT_TRUE(test, trace_func_text_learn(address));
	preempt_disable();
	known = trace_func_text_find(address);
	preempt_enable();
	KUNIT_ASSERT_NOT_NULL(test, known);
	KUNIT_EXPECT_EQ(test, known->len, strlen("trace_seq_printf"));
	KUNIT_EXPECT_EQ(test, known->name_len, known->len);
	KUNIT_EXPECT_EQ(test, known->offset, 0);
	/* Nothing is kept with interrupts disabled, or of what is no code */
	local_irq_disable();
	KUNIT_EXPECT_FALSE(test, trace_func_text_learn(address));
	local_irq_enable();
	KUNIT_EXPECT_FALSE(test, trace_func_text_learn((unsigned long)&address));
}

static void context(struct kunit *test)
{
	struct trace_iterator *iter = kunit_kzalloc(test, sizeof(*iter), GFP_KERNEL);
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);
	struct trace_entry entry = { };
	struct pair *pair = make_pair(test);
	static const u64 times[] = { 0, 499, 500, 999999500, 12345678901234ULL, U64_MAX / 2 };
	static const int pids[] = { 0, 1, 1234567, 12345678 };
	int i, nr;

	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_ASSERT_NOT_NULL(test, tr);
	iter->tr = tr;
	iter->ent = &entry;
	for (i = 0; i < ARRAY_SIZE(times) * ARRAY_SIZE(pids) * 2; i++) {
		char comm[TASK_COMM_LEN];
		u64 time = times[i / 2 % ARRAY_SIZE(times)];
		u32 usecs;

		nr = i / 2 / ARRAY_SIZE(times);
		entry.pid = pids[nr];
		iter->cpu = nr * 111;
		iter->ts = time;
		iter->iter_flags = i & 1 ? TRACE_FILE_TIME_IN_NS : 0;
		trace_find_cmdline(entry.pid, comm);

		begin(pair, 0);
		trace_seq_init(&iter->seq);
		KUNIT_EXPECT_TRUE(test, trace_print_context(iter));
		memcpy(pair->written.buffer, iter->seq.buffer, iter->seq.seq.len);
		pair->written.seq.len = iter->seq.seq.len;
		trace_seq_printf(&pair->printed, "%16s-%-7d [%03d]  ", comm, entry.pid, iter->cpu);
		if (iter->iter_flags & TRACE_FILE_TIME_IN_NS) {
			unsigned long secs = div_u64_rem(ns2usecs(time), USEC_PER_SEC, &usecs);

			trace_seq_printf(&pair->printed, "%5lu.%06u: ", secs, usecs);
		} else {
			trace_seq_printf(&pair->printed, "%12llu: ", time);
		}
		expect_same(test, pair, "context");
	}
}

static const struct state {
	const char	*text;
	unsigned char	flags, count;
} states[] = {
	{ ".....", 0, 0 },
	{ "d....", TRACE_FLAG_IRQS_OFF, 0 },
	{ "b....", TRACE_FLAG_BH_OFF, 0 },
	{ "D....", TRACE_FLAG_IRQS_OFF | TRACE_FLAG_BH_OFF, 0 },
	{ ".n...", TRACE_FLAG_NEED_RESCHED, 0 },
	{ ".p...", TRACE_FLAG_PREEMPT_RESCHED, 0 },
	{ ".N...", TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED, 0 },
	{ "..h..", TRACE_FLAG_HARDIRQ, 0 },
	{ "..s..", TRACE_FLAG_SOFTIRQ, 0 },
	{ "..H..", TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ, 0 },
	{ "..z..", TRACE_FLAG_NMI | TRACE_FLAG_SOFTIRQ, 0 },
	{ "..Z..", TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ, 0 },
	{ "...1.", 0, 0x01 },
	{ "....2", 0, 0x20 },
	{ "dnhfa", TRACE_FLAG_IRQS_OFF | TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_HARDIRQ, 0xaf },
};

static void state(struct kunit *test)
{
	struct pair *pair = make_pair(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		struct trace_entry entry = {
			.flags = states[i].flags, .preempt_count = states[i].count,
		};

		begin(pair, 0);
		KUNIT_EXPECT_TRUE(test, trace_print_lat_fmt(&pair->written, &entry));
		trace_seq_puts(&pair->printed, states[i].text);
		expect_same(test, pair, "state");
	}
}

/* A line that others precede, or none */
static struct trace_iterator *begin_line(struct kunit *test, size_t before, size_t *size)
{
	struct trace_iterator *iter = kunit_kzalloc(test, sizeof(*iter), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, iter);
	trace_seq_init(&iter->seq);
	while (before--)
		trace_seq_putc(&iter->seq, '-');
	*size = trace_line_begin(iter);
	return iter;
}

static void fill(struct trace_seq *s)
{
	while (!s->full)
		trace_text_puts(s, "text, ");
}

static void expect_end(struct kunit *test, struct trace_seq *s, const char *end)
{
	KUNIT_EXPECT_FALSE(test, s->full);
	/* Readers put a zero behind it */
	KUNIT_ASSERT_LT(test, s->seq.len, s->seq.size);
	s->buffer[s->seq.len] = '\0';
	KUNIT_EXPECT_STREQ(test, s->buffer + s->seq.len - strlen(end), end);
}

static void lines_end(struct kunit *test)
{
	enum print_line_t ret;
	struct trace_iterator *iter;
	size_t size;

	/* A line that fits is as it was printed */
	iter = begin_line(test, 0, &size);
	trace_text_puts(&iter->seq, "text\n");
	ret = trace_line_end(iter, size, TRACE_TYPE_NO_CONSUME);
	KUNIT_EXPECT_EQ(test, ret, TRACE_TYPE_NO_CONSUME);
	expect_end(test, &iter->seq, "text\n");
	KUNIT_EXPECT_EQ(test, iter->seq.seq.len, 5);

	/* One that does not fit is cut, and not printed again */
	iter = begin_line(test, 0, &size);
	fill(&iter->seq);
	ret = trace_line_end(iter, size, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_EQ(test, ret, TRACE_TYPE_HANDLED);
	expect_end(test, &iter->seq, "text, ...\n");
	KUNIT_EXPECT_EQ(test, iter->seq.seq.size, size);

	/* Also if it was a format that did not fit */
	iter = begin_line(test, 0, &size);
	trace_seq_printf(&iter->seq, "%s%*d", "text", (int)size, 1);
	ret = trace_line_end(iter, size, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_EQ(test, ret, TRACE_TYPE_HANDLED);
	expect_end(test, &iter->seq, "...\n");
	iter = begin_line(test, 0, &size);
	/* What knows nothing of trace_seqs does not tell where its text ends */
	seq_buf_printf(&iter->seq.seq, "%*d", (int)size, 1);
	ret = trace_line_end(iter, size, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_EQ(test, ret, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_TRUE(test, trace_seq_has_overflowed(&iter->seq));

	/* Behind others it is tried again */
	iter = begin_line(test, 10, &size);
	fill(&iter->seq);
	ret = trace_line_end(iter, size, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_EQ(test, ret, TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_TRUE(test, iter->seq.full);
}

/* What stands before the text is not looked at */
static void expect_cut(struct kunit *test, struct trace_seq *s, const char *text,
		       const char *expected)
{
	trace_seq_init(s);
	trace_seq_puts(s, "([{\"");
	trace_seq_puts(s, text);
	trace_text_cut(s, 4);
	s->buffer[s->seq.len] = '\0';
	KUNIT_EXPECT_STREQ(test, s->buffer + 4, expected);
}

static void expect_closed(struct kunit *test, struct trace_seq *s, const char *text,
			  const char *end)
{
	char expected[64];

	scnprintf(expected, sizeof(expected), "%s%s", text, end);
	expect_cut(test, s, text, expected);
}

static void lines_keep_room(struct kunit *test)
{
	struct trace_text_kept outer, inner;
	size_t whole;
	struct trace_iterator *iter = begin_line(test, 0, &whole);
	struct trace_seq *s = &iter->seq;

	/* What follows has its room, and what is inside takes from what is outside */
	outer = trace_text_keep(s, trace_line_room(iter, 200));
	inner = trace_text_keep(s, trace_line_room(iter, 100));
	fill(s);
	trace_text_give_back(s, inner);
	trace_seq_printf(s, "%90d", 1);
	trace_text_puts(s, "|");
	fill(s);
	trace_text_give_back(s, outer);
	trace_seq_printf(s, "%190d", 2);
	KUNIT_EXPECT_FALSE(test, s->full);
	trace_line_end(iter, whole, TRACE_TYPE_HANDLED);
	expect_end(test, s, "2");
	KUNIT_EXPECT_NOT_NULL(test, strstr(s->buffer, "text, ...  "));
	KUNIT_EXPECT_NOT_NULL(test, strstr(s->buffer, " 1|text, ...  "));

	/* More than there is leaves no room, and says so */
	trace_seq_init(s);
	trace_seq_puts(s, "x");
	outer = trace_text_keep(s, whole * 2);
	trace_text_puts(s, "y");
	trace_text_give_back(s, outer);
	expect_end(test, s, "x...");

	/* What is open is closed */
	expect_closed(test, s, "f={a=[1, (2, ", "...)]}");
	expect_closed(test, s, "s=\"a{\\\"[bcd", "\"...");
	expect_closed(test, s, "{'{', \"(\", c='", "'...}");
	expect_closed(test, s, "[3</it's {>, 4<pi{pe", ">...]");
	expect_closed(test, s, "(1<<3|[<fault>", "...])");
	/* Of an escape that may be cut nothing stays */
	expect_cut(test, s, "\"a\\377\\", "\"a\\377\"...");
	expect_cut(test, s, "\"a\\377\\3", "\"a\\377\"...");
	expect_cut(test, s, "\"a\\377\\37", "\"a\\377\"...");
	expect_cut(test, s, "\"a\\377\\371", "\"a\\377\\371\"...");
	expect_cut(test, s, "\"\\\\\\\\\\", "\"\\\\\"...");
	expect_cut(test, s, "c='\\", "c=''...");
	expect_cut(test, s, "\"\\n\", x=", "\"\\n\", x=...");
	expect_closed(test, s, "}), [] ", "...");
	expect_closed(test, s, "[(((((((((((((((((((", "...)))))))))))))))]");

	/* A line that is tried again keeps nothing, so that it has all the room there is */
	iter = begin_line(test, 10, &whole);
	outer = trace_text_keep(&iter->seq, trace_line_room(iter, 200));
	KUNIT_EXPECT_EQ(test, iter->seq.seq.size, whole);
	fill(&iter->seq);
	trace_text_give_back(&iter->seq, outer);
	KUNIT_EXPECT_TRUE(test, iter->seq.full);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(numbers),
	KUNIT_CASE(numbers_without_room),
	KUNIT_CASE(strings_without_room),
	KUNIT_CASE_SLOW(names),
	KUNIT_CASE(name_is_known),
	KUNIT_CASE(context),
	KUNIT_CASE(state),
	KUNIT_CASE(lines_end),
	KUNIT_CASE(lines_keep_room),
	{ }
};

static struct kunit_suite suite = {
	.name		= "trace_text",
	.test_cases	= cases,
};
kunit_test_suite(suite);
