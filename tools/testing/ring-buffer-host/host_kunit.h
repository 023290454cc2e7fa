/* SPDX-License-Identifier: GPL-2.0 */
/* As much of KUnit as the ring buffer's tests need. */
#ifndef HOST_KUNIT_H
#define HOST_KUNIT_H

#include "host_more.h"

struct kunit { const char *name; bool failed; };
struct kunit_case { void (*run)(struct kunit *test); const char *name; };
struct kunit_suite {
	const char *name;
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(f)	{ .run = f, .name = #f }
#define host_expect(test, ok, what, a, b) do {					\
	if (!(ok)) {								\
		printf("# %s:%d: %s: %lld, %lld\n", __func__, __LINE__, what,	\
		       (long long)(a), (long long)(b));				\
		(test)->failed = true;						\
	}									\
} while (0)
#define host_compare(test, a, op, b) do {					\
	typeof(a) a_ = (a);							\
	typeof(b) b_ = (b);							\
	host_expect(test, a_ op b_, #a " " #op " " #b, a_, b_);			\
} while (0)
#define KUNIT_EXPECT_EQ(test, a, b)	host_compare(test, a, ==, b)
#define KUNIT_EXPECT_GE(test, a, b)	host_compare(test, a, >=, b)
#define KUNIT_EXPECT_GT(test, a, b)	host_compare(test, a, >, b)
#define KUNIT_EXPECT_LE(test, a, b)	host_compare(test, a, <=, b)
#define KUNIT_EXPECT_LT(test, a, b)	host_compare(test, a, <, b)
#define KUNIT_EXPECT_TRUE(test, a)	host_expect(test, !!(a), #a, 0, 0)
#define KUNIT_EXPECT_FALSE(test, a)	host_expect(test, !(a), "not " #a, 0, 0)
#define KUNIT_EXPECT_NULL(test, a)	host_expect(test, !(a), #a, 0, 0)
#define KUNIT_EXPECT_NOT_NULL(test, a)	host_expect(test, !!(a), #a, 0, 0)
#define KUNIT_EXPECT_STREQ(test, a, b)	host_expect(test, !strcmp(a, b), #a, 0, 0)
#define host_assert(expect, ...) do {						\
	expect(__VA_ARGS__);							\
	if (test->failed)							\
		host_warn(__FILE__, __LINE__, "assertion");			\
} while (0)
#define KUNIT_ASSERT_EQ(...)		host_assert(KUNIT_EXPECT_EQ, __VA_ARGS__)
#define KUNIT_ASSERT_LT(...)		host_assert(KUNIT_EXPECT_LT, __VA_ARGS__)
#define KUNIT_ASSERT_LE(...)		host_assert(KUNIT_EXPECT_LE, __VA_ARGS__)
#define KUNIT_ASSERT_TRUE(...)		host_assert(KUNIT_EXPECT_TRUE, __VA_ARGS__)
#define KUNIT_ASSERT_NOT_NULL(...)	host_assert(KUNIT_EXPECT_NOT_NULL, __VA_ARGS__)
#define kunit_kzalloc(test, size, gfp)	host_alloc(size)
#define MODULE_DESCRIPTION(s)
#define MODULE_LICENSE(s)
#define set_cpus_allowed_ptr(task, mask) ((void)(mask))
#define trace_seq_init(s)		((s)->len = 0)
#define BIT_ULL(n)			(1ULL << (n))
LIBC char *strstr(const char *s, const char *t);

#define kunit_test_suite(suite)							\
LIBC int main(void)								\
{										\
	struct kunit test = { };						\
	struct kunit_case *c;							\
	int failed = 0, n = 0;							\
										\
	for (c = (suite).test_cases; c->run; c++) {				\
		test.failed = (suite).init(&test);				\
		c->run(&test);							\
		(suite).exit(&test);						\
		printf("%s - %s\n", test.failed ? "not ok" : "ok", c->name);	\
		fflush(NULL);							\
		failed += test.failed;						\
		n++;								\
	}									\
	printf("1..%d\n", n);							\
	return failed;								\
}

#endif /* HOST_KUNIT_H */
