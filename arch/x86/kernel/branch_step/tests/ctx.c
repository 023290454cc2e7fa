// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts of tests.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/err.h>

#include "ctx.h"

static void close_ctx(void *ctx)
{
	branch_ctx_close(ctx);
}

struct branch_ctx *step_ctx_open(struct kunit *test, const struct branch_attr *attr,
				 const struct branch_ops *ops, void *data)
{
	struct branch_refusal refusal;
	struct branch_ctx *ctx;

	ctx = branch_ctx_open(attr, ops, data, &refusal);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx), "%s", refusal.why);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, close_ctx, ctx), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	return ctx;
}

void step_ctx_close(struct kunit *test, struct branch_ctx *ctx)
{
	kunit_release_action(test, close_ctx, ctx);
}
