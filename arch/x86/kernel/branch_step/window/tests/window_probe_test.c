// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the kernel in which instructions have probes: the way is the one without them,
 * however they are carried out.
 */
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/kprobes.h>

#include <asm/asm.h>
#include <asm/text-patching.h>

#include "expect.h"
#include "walk.h"

static int do_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

/* It meets its own probe, which is missed then */
static int call_again(struct kprobe *probe, struct pt_regs *regs)
{
	branch_push();
	return 0;
}

static void do_nothing_after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static void expect_jump(struct kunit *test, struct branch_ctx *ctx, const char *caller)
{
	struct branch_record record;

	walk_expect_entry(test, ctx, "branch_push");
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.from, (unsigned long)branch_push + branch_push_jump.from);
	KUNIT_EXPECT_EQ(test, record.to, (unsigned long)branch_push + branch_push_jump.to);
	KUNIT_EXPECT_EQ(test, record.kind, branch_push_jump.kind);
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	walk_expect_return(test, ctx, record, caller);
	walk_expect_end(test, ctx);
}

/* If @wait, the probe becomes a jump, where the kernel can do that */
static void expect_jump_with_probe(struct kunit *test, struct kprobe *probe, bool wait)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_push");

	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(probe), 0, "%pS", probe->addr);
	if (wait && IS_ENABLED(CONFIG_OPTPROBES)) {
		wait_for_kprobe_optimizer();
		KUNIT_EXPECT_EQ(test, *probe->addr, JMP32_INSN_OPCODE);
	}
	branch_push();
	branch_ctx_stop(ctx);
	unregister_kprobe(probe);
	expect_jump(test, ctx, "expect_jump_with_probe");
	walk_close_ctx(test, ctx);
}

static void test_push(struct kunit *test)
{
	const u32 *place;

	KUNIT_ASSERT_GT(test, branch_push_places_end - branch_push_places, 0);
	for (place = branch_push_places; place < branch_push_places_end; place++) {
		kprobe_opcode_t *addr = (void *)branch_push + *place;
		struct kprobe plain = { .addr = addr, .pre_handler = do_nothing };
		struct kprobe jump = { .addr = addr, .pre_handler = do_nothing };
		struct kprobe after = {
			.addr = addr, .pre_handler = do_nothing, .post_handler = do_nothing_after,
		};

		expect_jump_with_probe(test, &plain, false);
		expect_jump_with_probe(test, &after, false);
		expect_jump_with_probe(test, &jump, true);
	}
}

/* A probe's handler comes to the same instruction: it is not over then, nor when that is behind */
static void test_push_again(struct kunit *test)
{
	const u32 *place;

	for (place = branch_push_places; place < branch_push_places_end; place++) {
		struct kprobe probe = {
			.addr = (void *)branch_push + *place, .pre_handler = call_again,
		};

		expect_jump_with_probe(test, &probe, true);
		KUNIT_EXPECT_EQ(test, probe.nmissed, 1);
	}
}

static void expect_walk_with_probe(struct kunit *test, u32 place, bool after)
{
	struct kprobe probe = {
		.addr = (void *)branch_walk + place,
		.pre_handler = do_nothing,
		.post_handler = after ? do_nothing_after : NULL,
	};
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");

	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&probe), 0, "%pS", probe.addr);
	branch_walk();
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_EQ(test, probe.nmissed, 0);
	unregister_kprobe(&probe);
	walk_expect_window(test, ctx, "expect_walk_with_probe");
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

/* Instructions of each kind */
static void test_walk(struct kunit *test)
{
	const u32 *place;

	KUNIT_ASSERT_GT(test, walk_places_end - walk_places, 0);
	for (place = walk_places; place < walk_places_end; place++) {
		expect_walk_with_probe(test, *place, false);
		expect_walk_with_probe(test, *place, true);
	}
}

/* A read that fails goes on so many bytes behind it */
static __always_inline void read_badly(const unsigned int bytes)
{
	char byte = 0;

	asm volatile("1:	movb (%1), %b0\n"
		     "	.skip %c2, 0x90\n"
		     "2:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : "+q" (byte) : "r" (-PAGE_SIZE), "i" (bytes));
}

static noinline void read_badly_far(void)
{
	read_badly(32);
}

static noinline void read_badly_near(void)
{
	read_badly(1);
}

static void read_and_expect(struct kunit *test, void (*read)(void), const char *name,
			    struct branch_record *exception)
{
	struct branch_ctx *ctx = walk_open_ctx(test, name);

	read();
	branch_ctx_stop(ctx);
	walk_expect_exception(test, ctx, name, exception);
	walk_close_ctx(test, ctx);
}

/* What stands in for an instruction fails in its place */
static void expect_fault_with_probe(struct kunit *test, void (*read)(void), const char *name,
				    bool after)
{
	struct branch_record expected, record;
	struct kprobe probe = {
		.pre_handler = do_nothing,
		.post_handler = after ? do_nothing_after : NULL,
	};

	read_and_expect(test, read, name, &expected);
	probe.addr = (void *)(long)expected.from;
	KUNIT_ASSERT_EQ(test, register_kprobe(&probe), 0);
	read_and_expect(test, read, name, &record);
	unregister_kprobe(&probe);
	KUNIT_EXPECT_EQ(test, record.from, expected.from);
	KUNIT_EXPECT_EQ(test, record.to, expected.to);
}

static void test_fault(struct kunit *test)
{
	unsigned int after;

	for (after = 0; after < 2; after++) {
		expect_fault_with_probe(test, read_badly_far, "read_badly_far", after);
		expect_fault_with_probe(test, read_badly_near, "read_badly_near", after);
	}
}

static struct kunit_case branch_window_probe_cases[] = {
	KUNIT_CASE(test_walk),
	KUNIT_CASE(test_push),
	KUNIT_CASE(test_push_again),
	KUNIT_CASE(test_fault),
	{}
};

static struct kunit_suite branch_window_probe_suite = {
	.name = "branch_window_probe",
	.test_cases = branch_window_probe_cases,
};

kunit_test_suite(branch_window_probe_suite);
