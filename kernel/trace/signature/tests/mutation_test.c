// SPDX-License-Identifier: GPL-2.0
/*
 * Damaged tables: refused, or harmless.
 *
 * Each round copies a table and damages it at random.  If the table is still
 * accepted, the round uses it in every way that a table is used.  The copy has
 * exactly the size of the table, so that KASAN, if configured, sees every access
 * outside; what is captured and printed is always checked.  A round that fails
 * prints its seed, which reproduces the damage.
 */
#include <linux/jiffies.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "builder.h"

#define ROUNDS		10000
/* Rounds with the image's table: at least this many, then as many as time allows */
#define IMAGE_ROUNDS	8
#define IMAGE_MS	1000
#define MAX_SITES	16	/* of one table, that are printed and looked for */
/* Far more than any damaged table needs, even in an emulated machine with KASAN */
#define ROUND_MS	30000

/* One table that gets damaged over and over */
struct victim {
	struct kunit		*test;
	const void		*pristine;
	u32			size;
	struct trace_seq	*s;
	struct rnd_state	random;
	u64			seed;
	u32			refused;
	u32			accepted;
};

static u32 below(struct victim *v, u32 limit)
{
	return prandom_u32_state(&v->random) % limit;
}

/* A table with every kind of prototype and type */
static const void *build(struct kunit *test, u32 *size)
{
	struct builder *b = builder_new(test);
	u32 num = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	u32 byte = builder_int(b, "char", 1, FTRACE_SIG_INT_CHAR);
	u32 truth = builder_int(b, "_Bool", 1, FTRACE_SIG_INT_BOOL);
	u32 wide = builder_int(b, "__int128", 16, FTRACE_SIG_INT_SIGNED);
	u32 real = builder_float(b, "double", 8);
	u32 gfp = builder_ref(b, FTRACE_SIG_TYPEDEF, "gfp_t",
			      builder_int(b, "unsigned int", 4, 0), 4);
	u32 fixed = builder_ref(b, FTRACE_SIG_CONST, "", gfp, 4);
	u32 call = builder_ref(b, FTRACE_SIG_PTR, "", builder_func(b, num),
			       sizeof(long));
	u32 bytes = builder_array(b, byte, sizeof(long), sizeof(long));
	u32 pair = builder_members(b, FTRACE_SIG_STRUCT, "pair", 2 * sizeof(long), 4);
	u32 color, proto;

	builder_member(b, "low", num, 0, 5);
	builder_member(b, "high", num, 5, 27);
	builder_member(b, "flags", gfp, 0, 0);
	builder_member(b, "bytes", bytes, sizeof(long) * BITS_PER_BYTE, 0);
	color = builder_enum(b, "color", 4, 0, 3);
	builder_enumerator(b, "RED", 0, 4);
	builder_enumerator(b, "GREEN", 1, 4);
	builder_enumerator(b, "BLUE", -1, 4);

	builder_site(b, 0x400, builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0));
	proto = builder_proto(b, pair, FTRACE_SIG_RET_PAIR, FTRACE_SIG_VARIADIC);
	builder_param(b, "call", call, 0, 1);
	builder_param(b, "both", pair, 1, 2);
	builder_param(b, "wide", wide, FTRACE_SIG_PLACE_STACK + 2, 16 / sizeof(long));
	builder_param(b, "color", color, FTRACE_SIG_PLACE_STACK + 1, 1);
	builder_param(b, "flags", fixed, FTRACE_SIG_PLACE_CONST, 0);
	builder_param(b, "gone", gfp, FTRACE_SIG_PLACE_REMOVED, 0);
	builder_param(b, "seven", num, FTRACE_SIG_PLACE_CONST, 0);
	builder_const(b, 0xcc0);
	builder_const(b, -7);
	builder_site(b, 0x100, proto);
	builder_site(b, 0x300, proto);
	proto = builder_proto(b, call, FTRACE_SIG_RET_WORD, FTRACE_SIG_CLONE);
	builder_param(b, "c", byte, 0, 1);
	builder_param(b, "t", truth, FTRACE_SIG_PLACE_STACK + 15, 1);
	builder_param(b, "r", real, FTRACE_SIG_PLACE_UNKNOWN, 0);
	builder_site(b, 0x200, proto);
	proto = builder_proto(b, num, FTRACE_SIG_RET_WORD, FTRACE_SIG_SYSCALL_32);
	builder_param(b, "regs", call, FTRACE_SIG_PLACE_PT_REGS, 0);
	builder_param(b, "fd", num, FTRACE_SIG_PLACE_SYSCALL, 1);
	builder_param(b, "op", gfp, FTRACE_SIG_PLACE_SYSCALL_S32 + 1, 1);
	builder_site(b, 0x500, proto);
	return builder_finish(b, size);
}

static u32 extreme(struct victim *v, u32 old)
{
	static const u32 values[] = {
		0, 1, 4, 255, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff
	};

	switch (below(v, 4)) {
	case 0:
		return values[below(v, ARRAY_SIZE(values))];
	case 1:
		return old + below(v, 9) - 4;
	case 2:
		return old ^ BIT(below(v, 32));
	default:
		return prandom_u32_state(&v->random);
	}
}

/* Change a word of the header or of the whole, flip a bit, swap or copy words */
static void damage(struct victim *v, u8 *data)
{
	u32 *words = (u32 *)data, nr = v->size / sizeof(u32);
	u32 i = below(v, nr), j = below(v, nr);

	switch (below(v, 5)) {
	case 0:
		i = below(v, sizeof(struct ftrace_sig_header) / sizeof(u32));
		fallthrough;
	case 1:
		words[i] = extreme(v, words[i]);
		break;
	case 2:
		data[below(v, v->size)] ^= BIT(below(v, 8));
		break;
	case 3:
		swap(words[i], words[j]);
		break;
	default:
		words[i] = words[j];
		break;
	}
}

/* Correct the checksum, so that the damage itself is checked */
static void mend_checksum(struct victim *v, void *data)
{
	struct ftrace_sig_header *h = data;

	if (h->size <= v->size && h->size >= sizeof(*h) && h->sigs <= h->size)
		builder_checksum(data);
}

static void expect_shape(struct victim *v, const struct ftrace_sig_proto *proto)
{
	u32 nr = ftrace_sig_nr_words(ftrace_sig_proto_shape(proto));

	KUNIT_EXPECT_LE_MSG(v->test, nr, FTRACE_SIG_MAX_WORDS,
			    "seed %llu", v->seed);
	if (ftrace_sig_is_syscall(proto)) {
		KUNIT_EXPECT_EQ_MSG(v->test, nr, 1, "seed %llu", v->seed);
		KUNIT_EXPECT_LE_MSG(v->test, proto->nr_stack, FTRACE_SIG_MAX_SYSCALL,
				    "seed %llu", v->seed);
		return;
	}
	KUNIT_EXPECT_EQ_MSG(v->test, nr, proto->nr_regs + proto->nr_stack,
			    "seed %llu", v->seed);
}

/* A line is text: nothing in a table can end it early */
static void expect_line(struct victim *v)
{
	const char *text = v->s->buffer;
	u32 i, len = trace_seq_used(v->s);

	for (i = 0; i < len; i++) {
		if ((unsigned char)text[i] >= ' ' && text[i] != 0x7f)
			continue;
		KUNIT_FAIL(v->test, "seed %llu: a line with the character %u",
			   v->seed, text[i]);
		return;
	}
}

/* What a parameter is or points to, from memory that ends where the structure is cut */
static void use_struct(struct victim *v, const struct ftrace_signature *sig,
		       u32 type_id)
{
	struct ftrace_sig_limits limits = { below(v, 5), below(v, 50) };
	struct ftrace_sig_type type = ftrace_sig_resolve(sig->table, type_id);
	u32 length = below(v, 64);
	struct ftrace_sig_member m;
	void *bytes;

	if (type.kind == FTRACE_SIG_PTR)
		type_id = type.words[2];
	bytes = kmalloc(length, GFP_KERNEL);
	if (!bytes)
		return;
	memset(bytes, extreme(v, 0), length);
	trace_seq_init(v->s);
	ftrace_sig_print_struct(v->s, sig->table, type_id, bytes, length,
				below(v, 8), &limits);
	expect_line(v);
	ftrace_sig_member_find(sig->table, type_id, "bytes.low", below(v, 10), &m);
	kfree(bytes);
}

static void use_proto(struct victim *v, const struct ftrace_signature *sig)
{
	u32 i, nr = sig->proto->nr_regs + sig->proto->nr_stack;
	unsigned long *words, high = below(v, U32_MAX);

	/* Exactly as many words as the shape asks for */
	words = kmalloc_array(nr, sizeof(*words), GFP_KERNEL);
	for (i = 0; words && i < nr; i++)
		words[i] = (long)(s32)extreme(v, 0);

	expect_shape(v, sig->proto);
	trace_seq_init(v->s);
	ftrace_sig_print_params(v->s, sig, words, words ? nr : 0, NULL,
				(below(v, 2) ? FTRACE_SIG_STRUCTS : 0) | below(v, 64),
				"vfs_read");
	expect_line(v);
	trace_seq_init(v->s);
	ftrace_sig_print_params(v->s, sig, NULL, 0, NULL, 0, NULL);
	expect_line(v);
	trace_seq_init(v->s);
	ftrace_sig_print_ret(v->s, sig, (long)(s32)extreme(v, 0),
			     below(v, 2) ? &high : NULL, below(v, 64), "vfs_read");
	expect_line(v);
	kfree(words);
	for (i = 0; i < sig->proto->nr_params; i++)
		use_struct(v, sig, FTRACE_SIG_ID(sig->proto->params[i].type_place));
}

static void find_sites(struct victim *v, struct ftrace_sig_table *table)
{
	u32 i, step = table->nr_sites / MAX_SITES + 1;

	/* The image's is in order, and takes too long to bring into another */
	if (table->nr_sites <= BUILDER_SITES)
		ftrace_sig_table_sort(table);
	if (!ftrace_sig_table_sorted(table))
		return;
	for (i = 0; i < table->nr_sites; i += step)
		KUNIT_EXPECT_PTR_EQ_MSG(v->test,
					ftrace_sig_table_find(table, ftrace_sig_site(table, i)),
					ftrace_sig_site_proto(table, i),
					"seed %llu: site %u", v->seed, i);
	ftrace_sig_table_find(table, 0);
	ftrace_sig_table_find(table, ULONG_MAX);
}

static void use_table(struct victim *v, struct ftrace_sig_table *table)
{
	struct ftrace_signature sig = { .table = table };
	u32 i, step = table->nr_sites / MAX_SITES + 1;

	for (i = 0; i < table->nr_sites; i += step) {
		sig.proto = ftrace_sig_site_proto(table, i);
		use_proto(v, &sig);
	}
	find_sites(v, table);
}

static void play_round(struct victim *v, void *data, u64 seed)
{
	struct ftrace_sig_table table = {};
	unsigned long start = jiffies;
	u32 count;

	v->seed = seed;
	prandom_seed_state(&v->random, seed);
	memcpy(data, v->pristine, v->size);
	for (count = 1 + below(v, 3); count; count--)
		damage(v, data);
	if (below(v, 8))
		mend_checksum(v, data);

	if (ftrace_sig_table_check(data, v->size, &table)) {
		v->refused++;
	} else {
		v->accepted++;
		use_table(v, &table);
	}
	KUNIT_EXPECT_LE_MSG(v->test, jiffies_to_msecs(jiffies - start), ROUND_MS,
			    "seed %llu takes too long", seed);
	cond_resched();
}

static void play(struct victim *v, u32 rounds, u32 ms)
{
	/* Not test-managed memory: the size must match the table's to a byte */
	void *data = kvmalloc(v->size, GFP_KERNEL);
	unsigned long end = jiffies + msecs_to_jiffies(ms);
	u32 round;

	KUNIT_ASSERT_NOT_NULL(v->test, data);
	v->s = builder_seq(v->test);
	for (round = 0; round < rounds || time_before(jiffies, end); round++)
		play_round(v, data, round + 1);
	kvfree(data);
	kunit_info(v->test, "%u refused, %u accepted and used\n", v->refused,
		   v->accepted);
}

static void mutation_of_table(struct kunit *test)
{
	struct victim v = { .test = test };

	v.pristine = build(test, &v.size);
	play(&v, ROUNDS, 0);
	/* Both must have happened, or nothing was tested */
	KUNIT_EXPECT_GT(test, v.refused, ROUNDS / 4);
	KUNIT_EXPECT_GT(test, v.accepted, ROUNDS / 20);
}

/* The kernel's own table: large, with every type that the kernel uses */
static void mutation_of_image(struct kunit *test)
{
	struct victim v = { .test = test };

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the table is in a module");
	v.pristine = __start_ftrace_signatures;
	v.size = __stop_ftrace_signatures - __start_ftrace_signatures;
	KUNIT_ASSERT_GE(test, v.size, sizeof(struct ftrace_sig_header));
	play(&v, IMAGE_ROUNDS, IMAGE_MS);
	KUNIT_EXPECT_GT(test, v.refused + v.accepted, 0);
}

/* Adjust the header to the shorter length, and correct the checksum. */
static void truncate(void *data, u32 length)
{
	struct ftrace_sig_header *h = data;

	if (length < sizeof(*h))
		return;
	h->size = length & ~7u;
	if (h->sigs <= h->size)
		builder_checksum(data);
}

/* Cut the table at every length, in memory that ends there */
static void mutation_truncated(struct kunit *test)
{
	struct ftrace_sig_table table;
	const void *pristine;
	u32 size, length;

	pristine = build(test, &size);
	for (length = 0; length < size; length++) {
		void *data = kmemdup(pristine, length, GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, data);
		truncate(data, length);
		KUNIT_EXPECT_NOT_NULL_MSG(test,
					  ftrace_sig_table_check(data, length, &table),
					  "%u of %u bytes were accepted", length, size);
		kfree(data);
	}
}

/* A chain as long as the table allows: printing a value must not follow it */
static void mutation_long_chain(struct kunit *test)
{
	struct ftrace_sig_table table;
	u32 length;

	for (length = FTRACE_SIG_MAX_ALIASES; length <= FTRACE_SIG_MAX_ALIASES + 1;
	     length++) {
		struct builder *b = builder_new(test);
		u32 i, size, id = builder_int(b, "int", 4, 0);
		const char *why;
		void *data;

		for (i = 0; i < length; i++)
			id = builder_ref(b, FTRACE_SIG_CONST, "", id, 0);
		builder_site(b, 0x100, builder_proto(b, id, FTRACE_SIG_RET_WORD, 0));
		data = builder_finish(b, &size);
		why = ftrace_sig_table_check(data, size, &table);
		KUNIT_EXPECT_EQ_MSG(test, !why, length <= FTRACE_SIG_MAX_ALIASES,
				    "%u aliases", length);
	}
}

static struct kunit_case mutation_cases[] = {
	KUNIT_CASE_SLOW(mutation_of_table),
	KUNIT_CASE_SLOW(mutation_of_image),
	KUNIT_CASE(mutation_truncated),
	KUNIT_CASE(mutation_long_chain),
	{}
};

static struct kunit_suite mutation_suite = {
	.name = "ftrace_signature_mutation",
	.test_cases = mutation_cases,
};

kunit_test_suite(mutation_suite);
