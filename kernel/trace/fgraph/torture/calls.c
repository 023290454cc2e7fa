// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: the functions that are called. They call each other, jump to
 * each other, sleep, unwind the stack, and end the task.
 */
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/stacktrace.h>

#include "torture.h"

enum { LEAF_A, LEAF_B, NEST_A, NEST_B, JUMP_A, JUMP_B, REST, UNWIND, LEAVE };

#define FGT_TRACE	64
/* A function of this file is shorter, together with what is in line in it */
#define FGT_LENGTH	4096

/* What the innermost call returns: a value that fills the register */
static __always_inline unsigned long finish(struct fgt_context *context, u32 number)
{
	struct fgt_call *call = &context->calls[context->nr - 1];

	if (call->number != number)
		fgt_fail("%s() was called with another's number", fgt_names[call->function]);
	call->result = (unsigned long)call ^ number * 0x9e3779b97f4a7c15UL;
	call->done = true;
	return call->result;
}

static void call_one(struct fgt_context *context, unsigned int function)
{
	unsigned int nr = context->nr;
	unsigned long result;

	if (nr >= context->most || !context->budget)
		return;
	context->budget--;
	fgt_begin(context, function, false);
	result = fgt_functions[function](context, context->calls[nr].number);
	fgt_end(context, nr, result);
}

static unsigned int any_function(struct fgt_context *context)
{
	return fgt_random(&context->rnd, context->leave ? FGT_FUNCTIONS : LEAVE);
}

static noinline __noclone unsigned long leaf_a(struct fgt_context *context, u32 number)
{
	return finish(context, number);
}

static noinline __noclone unsigned long leaf_b(struct fgt_context *context, u32 number)
{
	return finish(context, number);
}

static noinline __noclone unsigned long nest_a(struct fgt_context *context, u32 number)
{
	unsigned int i = fgt_random(&context->rnd, 4);

	while (i--)
		call_one(context, any_function(context));
	return finish(context, number);
}

/* Mostly itself again: deep, until there is no room on the return stack */
static noinline __noclone unsigned long nest_b(struct fgt_context *context, u32 number)
{
	call_one(context, fgt_once_in(&context->rnd, 12) ? any_function(context) : NEST_B);
	return finish(context, number);
}

static noinline __noclone unsigned long jump_a(struct fgt_context *context, u32 number)
{
	if (context->nr >= context->most)
		return finish(context, number);
	if (fgt_once_in(&context->rnd, 2))
		return leaf_b(context, fgt_begin(context, LEAF_B, true)->number);
	return nest_a(context, fgt_begin(context, NEST_A, true)->number);
}

static noinline __noclone unsigned long jump_b(struct fgt_context *context, u32 number)
{
	if (context->nr >= context->most)
		return finish(context, number);
	return jump_a(context, fgt_begin(context, JUMP_A, true)->number);
}

static noinline __noclone unsigned long rest(struct fgt_context *context, u32 number)
{
	fgt_rest(context);
	return finish(context, number);
}

/* Whether @pc may be in @function: it begins before, not long before, and no other between */
static bool is_in(unsigned long pc, unsigned int function)
{
	unsigned long distance = pc - (unsigned long)fgt_functions[function];
	unsigned int i;

	for (i = 0; i < FGT_FUNCTIONS; i++)
		if (pc - (unsigned long)fgt_functions[i] < distance)
			return false;
	return distance < FGT_LENGTH;
}

static bool is_in_any(unsigned long pc)
{
	unsigned int i;

	for (i = 0; i < FGT_FUNCTIONS; i++)
		if (is_in(pc, i))
			return true;
	return false;
}

/*
 * Whether the trace ends with return_to_handler. An interrupt may come to its first
 * instruction; or to its last ones, when the frame is gone and the address that is on the
 * stack does not replace any. Only the functions that were called surely have a frame.
 */
static bool is_end(const struct fgt_context *context, const unsigned long *trace, unsigned int i)
{
	if (!fgraph_torture_replaced(trace[i]))
		return false;
	if (context->kind == FGT_TASK || (i && is_in_any(trace[i - 1])))
		fgt_fail("an unwinder did not find what return address was replaced behind %pS",
			 i ? (void *)trace[i - 1] : NULL);
	return true;
}

/* The first @calls, without the last of them that are not on the stack as they have jumped */
static unsigned int without_jumpers(const struct fgt_context *context, unsigned int calls)
{
	while (calls && calls < context->nr && context->calls[calls].jumped)
		calls--;
	return calls;
}

/*
 * Each call that has not jumped must be in the trace, the innermost first, whatever else is
 * between them; and no address that was replaced.
 */
static void check_trace(struct fgt_context *context, const unsigned long *trace, unsigned int n)
{
	unsigned int call = context->nr, i;

	/* On x86-32, unwinding in some NMIs finds nothing at all, hooked or not */
	if (!n && context->kind == FGT_NMI)
		return;
	for (i = 0; i < n && !is_end(context, trace, i); i++) {
		call = without_jumpers(context, call);
		if (call && is_in(trace[i], context->calls[call - 1].function))
			call--;
	}
	call = without_jumpers(context, call);
	if (call && n < FGT_TRACE)
		fgt_fail("an unwinder did not find %s(), which is call %u of %u",
			 fgt_names[context->calls[call - 1].function], call, context->nr);
}

/*
 * If an NMI comes while a task is switched in, or nests, frame pointers may lead astray. On
 * x86-64, the unwinder warns that they do.
 */
static bool may_unwind(const struct fgt_context *context)
{
	return context->kind != FGT_NMI || !IS_ENABLED(CONFIG_X86_64) ||
	       !IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER);
}

static noinline __noclone unsigned long unwind(struct fgt_context *context, u32 number)
{
	unsigned long trace[FGT_TRACE];
	unsigned int n;

	if (may_unwind(context)) {
		n = stack_trace_save(trace, FGT_TRACE, 0);
		/* The others guess, and guesses may be anything */
		if (IS_ENABLED(CONFIG_UNWINDER_ORC) || IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER))
			check_trace(context, trace, n);
		fgt_count(FGT_UNWOUND);
	}
	return finish(context, number);
}

/* The frames of all calls that are under way are left on the return stack */
static noinline __noclone unsigned long leave(struct fgt_context *context, u32 number)
{
	if (context->leave) {
		fgt_count(FGT_LEFT);
		kthread_complete_and_exit(context->leave, 0);
	}
	return finish(context, number);
}

const fgt_function fgt_functions[FGT_FUNCTIONS] = {
	[LEAF_A] = leaf_a, [LEAF_B] = leaf_b, [NEST_A] = nest_a, [NEST_B] = nest_b,
	[JUMP_A] = jump_a, [JUMP_B] = jump_b, [REST] = rest, [UNWIND] = unwind,
	[LEAVE] = leave,
};

const char * const fgt_names[FGT_FUNCTIONS] = {
	[LEAF_A] = "leaf_a", [LEAF_B] = "leaf_b", [NEST_A] = "nest_a", [NEST_B] = "nest_b",
	[JUMP_A] = "jump_a", [JUMP_B] = "jump_b", [REST] = "rest", [UNWIND] = "unwind",
	[LEAVE] = "leave",
};

unsigned long fgt_sites[FGT_FUNCTIONS];

/* Returns 0, or -ENODEV if the functions cannot be hooked */
int fgt_find_sites(void)
{
	unsigned int i;

	for (i = 0; i < FGT_FUNCTIONS; i++) {
		fgt_sites[i] = fgraph_torture_site((unsigned long)fgt_functions[i]);
		if (!fgt_sites[i])
			return -ENODEV;
	}
	return 0;
}

/* Calls, one after the other, and what they call */
void fgt_call_some(struct fgt_context *context)
{
	unsigned int i = 1 + fgt_random(&context->rnd, 4);

	context->budget = 1 + fgt_random(&context->rnd, 2 * context->most);
	while (i--)
		call_one(context, any_function(context));
}
