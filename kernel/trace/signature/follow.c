// SPDX-License-Identifier: GPL-2.0
/*
 * Copy what the arguments of a traced function point to, when it is called.
 *
 * The words of the arguments and the copied memory are first put together in a buffer of
 * this CPU, then written at once, the memory attached to the event: each byte is read only
 * once, so that all is well formed whatever other CPUs write at the same time.  Contexts
 * nest, so a CPU has a buffer for each level.
 *
 * Which arguments are followed depends on the function alone.  Its shape tells whether
 * there are any that an option asks for; calls of all other functions do not come here.
 * Those with one short string do not, either: see follow_string.h.
 */
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "follow.h"
#include "follow_string.h"

/* Allocated when an option asks for it the first time, and never freed */
struct follow_buffers __percpu *follow_buffers;
DEFINE_PER_CPU(unsigned int, follow_nr_levels);

/* What each tracer asks for, and all of it; changed under follow_mutex */
u32 follow_classes_of[FTRACE_SIG_NR_USERS];
static u32 all_classes;
static DEFINE_MUTEX(follow_mutex);

/* Copy what the steps ask for.  Returns the number of words. */
static unsigned int copy_steps(struct follow_writer *w, const struct follow_steps *found,
			       u32 classes)
{
	unsigned long address;
	unsigned int i;

	classes &= ~FTRACE_SIG_FOLLOW_CHANGES;
	for (i = 0; i < found->nr && follow_has_room(w); i++) {
		const struct ftrace_sig_step *step = &found->steps[i];

		if (READ_ONCE(step->class) & classes &&
		    READ_ONCE(step->param) != FTRACE_SIG_RESULT &&
		    follow_address(w, step, &address))
			follow_copy(w, step, address, follow_length_at_entry(w, step));
	}
	return follow_finish(w);
}

/* Copy all that is asked for, behind the words in @buffer.  Returns the number of words. */
static unsigned int copy_followed(unsigned long ip, struct follow_buffer *buffer,
				  struct follow_args args, u32 classes)
{
	struct follow_steps found;
	struct follow_quiet quiet;
	struct follow_writer w;
	unsigned int nr;

	follow_writer_init(&w, args.args, args.nr, args.nr);
	follow_find_steps(ip, buffer->steps, &found);
	quiet = follow_quiet_begin();
	nr = copy_steps(&w, &found, classes);
	follow_quiet_end(quiet);
	return follow_steps_are_valid(&found) ? nr : 0;
}

/**
 * ftrace_sig_follow_begin - copy a call's arguments, and what they point to
 * @user: the tracer that writes the event
 * @ip: address of the function's call site
 * @shape: what ftrace_sig_entry_shape() returned, with FTRACE_SIG_SHAPE_FOLLOW
 * @fregs: the registers at the call site
 * @followed: gets the words to be written; valid until ftrace_sig_follow_end()
 *
 * Context: any, NMI included, with preemption off.
 * Return: false if contexts nest too deep; then only arguments can be written, and
 * ftrace_sig_follow_end() must not be called.
 */
bool ftrace_sig_follow_begin(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     struct ftrace_regs *fregs, struct ftrace_sig_followed *followed)
{
	struct follow_buffer *buffer = follow_get_buffer();
	struct follow_args args;
	unsigned int nr;

	if (unlikely(!buffer))
		return false;

	args = follow_capture(shape, fregs, buffer->words);
	nr = copy_followed(ip, buffer, args, follow_classes(user));
	followed->words = buffer->words;
	followed->nr_words = ftrace_sig_nr_words(shape);
	followed->attached = followed->words + followed->nr_words;
	followed->nr_attached = args.args + args.nr + nr - followed->attached;
	return true;
}

/**
 * ftrace_sig_follow_end - the words have been written
 *
 * Context: that of ftrace_sig_follow_begin() or ftrace_sig_return_begin().
 */
void ftrace_sig_follow_end(void)
{
	this_cpu_dec(follow_nr_levels);
}

static u32 shape_of_classes(const struct ftrace_signature *sig, u32 classes)
{
	struct ftrace_sig_step steps[FTRACE_SIG_MAX_STEPS];
	unsigned int nr;
	u32 shape = 0;

	if (!classes)
		return 0;
	for (nr = ftrace_sig_plan(sig, steps); nr--; ) {
		u32 class = steps[nr].class & classes;

		if (class & FTRACE_SIG_FOLLOW_CHANGES)
			shape |= FTRACE_SIG_SHAPE_KEEP;
		if (!(class & ~FTRACE_SIG_FOLLOW_CHANGES))
			continue;
		shape |= steps[nr].param == FTRACE_SIG_RESULT ? FTRACE_SIG_SHAPE_KEEP :
								FTRACE_SIG_SHAPE_FOLLOW;
	}
	return shape;
}

/**
 * ftrace_sig_follow_shape - what options ask for of the memory that a function points to
 * @sig: the function's signature
 *
 * Context: any, NMI included, with preemption off.
 * Return: the bits of the function's shape that depend on options.
 */
u32 ftrace_sig_follow_shape(const struct ftrace_signature *sig)
{
	return shape_of_classes(sig, READ_ONCE(all_classes));
}

/**
 * ftrace_sig_follows - whether a tracer wants memory that a function's arguments point to
 * @user: the tracer
 * @sig: the function's signature
 *
 * Context: any, NMI included, with preemption off.
 * Return: whether the options of @user ask for any: when the function is called, or, of a
 * tracer that is told of its return, then.
 */
bool ftrace_sig_follows(enum ftrace_sig_user user, const struct ftrace_signature *sig)
{
	u32 shape = shape_of_classes(sig, READ_ONCE(follow_classes_of[user]));

	if (user == FTRACE_SIG_GRAPH && shape & FTRACE_SIG_SHAPE_KEEP)
		return true;
	return shape & FTRACE_SIG_SHAPE_FOLLOW;
}

/* What follow_string() needs: it may then leave out other checks */
static void note_strings_alone(void)
{
	bool fits = READ_ONCE(ftrace_sig_max_string) >= FOLLOW_SHORT_TEXT &&
		    READ_ONCE(ftrace_sig_max_event) >= sizeof(struct follow_string);
	int i;

	for (i = 0; i < FTRACE_SIG_NR_USERS; i++) {
		if (fits && follow_classes_of[i] == FTRACE_SIG_FOLLOW_STRINGS)
			static_branch_enable(&follow_strings_alone[i]);
		else
			static_branch_disable(&follow_strings_alone[i]);
	}
}

/**
 * ftrace_sig_follow_limits - limits have changed
 *
 * Context: process context, may sleep.
 */
void ftrace_sig_follow_limits(void)
{
	guard(mutex)(&follow_mutex);
	note_strings_alone();
	/* The plans say how much of structures is copied */
	ftrace_sig_forget_plans(0, ULONG_MAX);
}

/* Other contexts use both without a test.  The caller sets no class before they see them. */
static int allocate(void)
{
	int err;

	if (follow_buffers)
		return 0;
	err = follow_cache_allocate();
	if (err)
		return err;
	follow_buffers = alloc_percpu(struct follow_buffers);
	synchronize_rcu();
	return follow_buffers ? 0 : -ENOMEM;
}

static int set_classes(enum ftrace_sig_user user, u32 classes)
{
	u32 all = classes;
	int i, err;

	guard(mutex)(&follow_mutex);
	err = allocate();
	if (err)
		return err;

	for (i = 0; i < FTRACE_SIG_NR_USERS; i++)
		if (i != user)
			all |= follow_classes_of[i];
	WRITE_ONCE(follow_classes_of[user], classes);
	note_strings_alone();
	if (all == all_classes)
		return 0;
	/*
	 * After the grace period nobody keeps a shape that was found by the old classes.
	 * A shape that is used until then asks for too much or too little, which copying
	 * and printing allow for.
	 */
	WRITE_ONCE(all_classes, all);
	synchronize_rcu();
	ftrace_sig_forget_shapes(0, ULONG_MAX);
	return 0;
}

/**
 * ftrace_sig_follow - set what a tracer's options ask for
 * @user: the tracer
 * @classes: FTRACE_SIG_FOLLOW_STRINGS and so on
 *
 * Context: process context, may sleep; the calls of one @user exclude each other.
 * Return: 0 or -ENOMEM, after which nothing has changed.
 */
int ftrace_sig_follow(enum ftrace_sig_user user, u32 classes)
{
	int err;

	if (classes == READ_ONCE(follow_classes_of[user]))
		return 0;
	err = set_classes(user, classes);
	if (!err)
		ftrace_sig_notify();
	return err;
}
