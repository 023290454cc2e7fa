// SPDX-License-Identifier: GPL-2.0
/*
 * Loading tables of the image: valid tables of this image are used until they are
 * unloaded; all others are refused.
 *
 * Suites run before anything in user space could load the module.
 */
#include <linux/ftrace.h>
#include <linux/sched.h>

#include <asm/sections.h>

#include "builder.h"

#ifdef CONFIG_FTRACE_SIGNATURES_LOADABLE

/* A function of the image: noinline, and traced, so it has a call site */
static unsigned long site(struct kunit *test)
{
	unsigned long ip = builder_call_site(schedule_timeout);

	KUNIT_ASSERT_NE(test, ip, 0);
	return ip;
}

static u32 add_proto(struct builder *b)
{
	u32 num = builder_int(b, "long", sizeof(long), FTRACE_SIG_INT_SIGNED);
	u32 proto = builder_proto(b, num, FTRACE_SIG_RET_WORD, 0);

	builder_param(b, "first", num, 0, 1);
	builder_param(b, "second", num, 1, 1);
	return proto;
}

/* A table with one call site at _stext and one at @offset */
static void *build_with(struct kunit *test, const u8 *build_id, s64 offset,
			u32 *size)
{
	struct builder *b = builder_new(test);
	u32 proto = add_proto(b);

	builder_site(b, 0, proto);
	builder_site(b, offset, proto);
	return builder_finish_apart(b, build_id, size);
}

static void *build(struct kunit *test, u32 *size)
{
	u8 build_id[FTRACE_SIG_BUILD_ID_SIZE];

	KUNIT_ASSERT_TRUE(test, ftrace_sig_build_id(build_id));
	return build_with(test, build_id,
			  site(test) - (unsigned long)_stext, size);
}

static bool known(unsigned long ip)
{
	struct ftrace_signature sig;

	guard(preempt)();
	return ftrace_signature_find(ip, &sig);
}

static u32 shape(unsigned long ip)
{
	guard(preempt)();
	return ftrace_sig_shape(ip);
}

/* A signature is known while its table is registered, and no longer */
static void loadable_life(struct kunit *test)
{
	unsigned long ip = site(test);
	u32 size, round;
	void *data = build(test, &size);

	for (round = 0; round < 3; round++) {
		KUNIT_EXPECT_FALSE(test, known(ip));
		KUNIT_EXPECT_EQ(test, shape(ip), 0);
		KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(shape(ip)), 0);

		KUNIT_ASSERT_EQ(test, ftrace_signatures_register(data, size), 0);
		KUNIT_EXPECT_TRUE(test, known(ip));
		KUNIT_EXPECT_FALSE(test, known(ip + 1));
		KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(shape(ip)), 2);
		KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(shape(ip)), 2);
		ftrace_signatures_unregister();
	}
	KUNIT_EXPECT_FALSE(test, known(ip));
	KUNIT_EXPECT_EQ(test, shape(ip), 0);
}

/* The table is not copied: lookups return its own words. */
static void loadable_found(struct kunit *test)
{
	unsigned long ip = site(test);
	struct ftrace_signature sig;
	u32 size;
	void *data = build(test, &size);

	KUNIT_ASSERT_EQ(test, ftrace_signatures_register(data, size), 0);
	scoped_guard(preempt) {
		bool found = ftrace_signature_find(ip, &sig);

		KUNIT_EXPECT_TRUE(test, found);
		if (found) {
			const struct ftrace_sig_param *param = &sig.proto->params[1];

			KUNIT_EXPECT_EQ(test, sig.proto->nr_params, 2);
			KUNIT_EXPECT_STREQ(test, "second",
					   ftrace_sig_string(sig.table,
							     FTRACE_SIG_ID(param->name_words)));
			KUNIT_EXPECT_PTR_EQ(test, (void *)sig.table->ips,
					    data + ((struct ftrace_sig_header *)data)->ips);
		}
	}
	ftrace_signatures_unregister();
}

static void loadable_twice(struct kunit *test)
{
	u32 size, other_size;
	void *data = build(test, &size), *other = build(test, &other_size);

	KUNIT_ASSERT_EQ(test, ftrace_signatures_register(data, size), 0);
	KUNIT_EXPECT_EQ(test, ftrace_signatures_register(data, size), -EBUSY);
	KUNIT_EXPECT_EQ(test, ftrace_signatures_register(other, other_size), -EBUSY);
	KUNIT_EXPECT_TRUE(test, known(site(test)));
	ftrace_signatures_unregister();
	KUNIT_EXPECT_FALSE(test, known(site(test)));
	/* No table is registered, so this does nothing */
	ftrace_signatures_unregister();
}

static void expect_refused(struct kunit *test, void *data, u32 size, int err)
{
	KUNIT_EXPECT_EQ(test, ftrace_signatures_register(data, size), err);
	KUNIT_EXPECT_FALSE(test, ftrace_sig_image_is_known());
	KUNIT_EXPECT_FALSE(test, known(site(test)));
	/* If it was registered by mistake, the next test must not see it */
	ftrace_signatures_unregister();
}

static void loadable_build_id(struct kunit *test)
{
	u8 build_id[FTRACE_SIG_BUILD_ID_SIZE];
	u32 size, i;

	KUNIT_ASSERT_TRUE(test, ftrace_sig_build_id(build_id));
	for (i = 0; i < sizeof(build_id); i++) {
		void *data;

		build_id[i] ^= 0x10;
		data = build_with(test, build_id,
				  site(test) - (unsigned long)_stext, &size);
		expect_refused(test, data, size, -ENOEXEC);
		build_id[i] ^= 0x10;
	}
}

/* A wrong build ID is reported first, even if the sites cannot be of this image. */
static void loadable_build_id_first(struct kunit *test)
{
	u8 build_id[FTRACE_SIG_BUILD_ID_SIZE] = { 1, 2, 3 };
	u32 size;
	void *data = build_with(test, build_id, 0x70000000, &size);

	expect_refused(test, data, size, -ENOEXEC);
}

static void loadable_sites(struct kunit *test)
{
	unsigned long text = (unsigned long)_stext;
	u8 build_id[FTRACE_SIG_BUILD_ID_SIZE];
	const s64 outside[] = {
		_etext - _stext,
		(unsigned long)_sinittext - text - 1,
		(unsigned long)_einittext - text,
		-16,
		S32_MIN,
	};
	const s64 inside[] = {
		_etext - _stext - 1,
		(unsigned long)_sinittext - text,
		(unsigned long)_einittext - text - 1,
	};
	u32 size, i;
	void *data;

	KUNIT_ASSERT_TRUE(test, ftrace_sig_build_id(build_id));
	for (i = 0; i < ARRAY_SIZE(outside); i++) {
		data = build_with(test, build_id, outside[i], &size);
		expect_refused(test, data, size, -EINVAL);
	}
	for (i = 0; i < ARRAY_SIZE(inside); i++) {
		data = build_with(test, build_id, inside[i], &size);
		KUNIT_EXPECT_EQ(test, ftrace_signatures_register(data, size), 0);
		KUNIT_EXPECT_TRUE(test, known(text + inside[i]));
		ftrace_signatures_unregister();
	}
	/* Unsorted sites, and two sites at one address */
	for (i = 0; i < 2; i++) {
		struct builder *b = builder_new(test);
		u32 proto = add_proto(b);

		builder_site(b, 64, proto);
		builder_site(b, 64 - 16 * i, proto);
		data = builder_finish_apart(b, build_id, &size);
		expect_refused(test, data, size, -EINVAL);
	}
}

/* Damage each word of the headers, each byte at the end, and each byte of the whole */
static void loadable_damaged(struct kunit *test)
{
	u32 size, length, at;
	u8 *data = build(test, &size);

	for (length = 0; length < size; length += 4)
		expect_refused(test, data, length, -EINVAL);

	for (at = 0; at < size; at++) {
		data[at] ^= 0x41;
		expect_refused(test, data, size, -EINVAL);
		data[at] ^= 0x41;
	}

	KUNIT_EXPECT_EQ(test, ftrace_signatures_register(data, size), 0);
	ftrace_signatures_unregister();
}

/* Damage with a correct checksum */
static void loadable_forged(struct kunit *test)
{
	static const u8 flags[] = {
		0, FTRACE_SIG_F_OBJECT, FTRACE_SIG_F_OBJECT | FTRACE_SIG_F_APART,
		FTRACE_SIG_F_APART | 0x80,
	};
	struct ftrace_sig_header *h;
	u32 size, i;

	h = build(test, &size);
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		h->flags = flags[i];
		builder_checksum(h);
		expect_refused(test, h, size, -EINVAL);
	}

	/* The call sites overlap the build ID */
	h = build(test, &size);
	h->ips = sizeof(*h);
	builder_checksum(h);
	expect_refused(test, h, size, -EINVAL);

	/* A module must not carry a table of that form. */
	h = build(test, &size);
	KUNIT_EXPECT_NOT_NULL(test, ftrace_sig_table_check(h, size,
							   &(struct ftrace_sig_table) {}));
}

static struct kunit_case loadable_cases[] = {
	KUNIT_CASE(loadable_life),
	KUNIT_CASE(loadable_found),
	KUNIT_CASE(loadable_twice),
	KUNIT_CASE(loadable_build_id),
	KUNIT_CASE(loadable_build_id_first),
	KUNIT_CASE(loadable_sites),
	KUNIT_CASE(loadable_damaged),
	KUNIT_CASE(loadable_forged),
	{}
};

#else

static void loadable_not(struct kunit *test)
{
	kunit_skip(test, "the image's signatures are built in");
}

static struct kunit_case loadable_cases[] = {
	KUNIT_CASE(loadable_not),
	{}
};

#endif /* CONFIG_FTRACE_SIGNATURES_LOADABLE */

static struct kunit_suite loadable_suite = {
	.name = "ftrace_signature_loadable",
	.test_cases = loadable_cases,
};

kunit_test_suite(loadable_suite);
