/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_CTX_H
#define _ARCH_X86_BRANCH_STEP_CTX_H

struct branch_attr;
struct branch_ctx;
struct branch_ops;
struct kunit;

/* A context that has been started. The test fails if it is refused. */
struct branch_ctx *step_ctx_open(struct kunit *test, const struct branch_attr *attr,
				 const struct branch_ops *ops, void *data);

/* What is not closed is closed at the test's end, as when it has failed */
void step_ctx_close(struct kunit *test, struct branch_ctx *ctx);

#endif /* _ARCH_X86_BRANCH_STEP_CTX_H */
