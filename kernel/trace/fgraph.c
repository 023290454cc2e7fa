// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph: the entry and the return of a hooked function.
 *
 * At the entry, a frame with the function's return address is put on the task's return
 * stack, and the architecture replaces the address by that of return_to_handler, unless
 * no user wants this call. At the return, return_to_handler calls the users that wanted
 * it, takes the frame off, and goes on to the address.
 *
 * fgraph/ has the rest: frames.h the layout of the stack, unwind.c its readers, users.c
 * the registrations, sets.c which users want a function, tasks.c the stacks of tasks.
 * Documentation/trace/fgraph-design.rst describes all of it.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "fgraph/fgraph.h"
#include "fgraph/sets.h"
#include "ftrace_internal.h"
#include "trace_clock_inline.h"

DEFINE_STATIC_KEY_FALSE(kill_ftrace_graph);

static void stop_hooking(struct work_struct *work)
{
	static_branch_enable(&kill_ftrace_graph);
}
static DECLARE_WORK(stop_work, stop_hooking);

static void queue_stop(struct irq_work *work)
{
	schedule_work(&stop_work);
}
static DEFINE_IRQ_WORK(stop_irq_work, queue_stop);

/**
 * ftrace_graph_stop - hook no function any more until the next boot
 *
 * For when a return stack is found broken. Calls that are hooked already still return to
 * where they came from.
 *
 * Context: any, NMI included; where the caller may not sleep, some calls more are hooked.
 */
void ftrace_graph_stop(void)
{
	if (in_atomic() || irqs_disabled())
		irq_work_queue(&stop_irq_work);
	else
		stop_hooking(NULL);
}

#if defined(CONFIG_X86) && defined(CC_USING_FENTRY)
/*
 * Where the return address was that brought us here, for functions which are hooked
 * before they change their stack. A callee that takes arguments off the stack leaves it
 * higher up, but gcc compiles none like that for the kernel.
 */
static __always_inline bool returns_from(const struct fgraph_frame *frame,
					 struct ftrace_regs *fregs, unsigned long frame_pointer)
{
	return (unsigned long)(frame->call.retp + 1) == ftrace_regs_get_stack_pointer(fregs);
}
#elif defined(HAVE_FUNCTION_GRAPH_FP_TEST)
/* Where gcc copies the return address, it is not the hooked one that is used */
static __always_inline bool returns_from(const struct fgraph_frame *frame,
					 struct ftrace_regs *fregs, unsigned long frame_pointer)
{
	return frame->call.fp == frame_pointer;
}
#else
static __always_inline bool returns_from(const struct fgraph_frame *frame,
					 struct ftrace_regs *fregs, unsigned long frame_pointer)
{
	return true;
}
#endif

/*
 * The top frame is not that of the function which returns. If one below is, functions were
 * left without returning from them, and their frames are dropped. If none is, the stack is
 * broken: stop, and hope for the top frame. Returns the position of the frame to return by.
 */
static noinline int find_frame(struct task_struct *task, struct ftrace_regs *fregs,
			       unsigned long frame_pointer)
{
	int position = task->curr_ret_stack, next = position;
	struct fgraph_frame *frame;
	unsigned int left = 0;

	while ((frame = fgraph_next(task->ret_stack, &next))) {
		if (returns_from(frame, fregs, frame_pointer)) {
			fgraph_reset(task, position);
			task->curr_ret_depth -= left;
			pr_warn_once("fgraph: %ps returned, but %u function(s) called by it did not\n",
				     (void *)frame->call.func, left);
			return position;
		}
		position = next;
		left++;
	}
	ftrace_graph_stop();
	if (!left)
		panic("fgraph: a function returned, and its return address is lost");
	WARN_ONCE(1, "fgraph: a function returned that was not entered; function graph stopped\n");
	return task->curr_ret_stack;
}

static __always_inline void fill_frame(struct fgraph_frame *frame, unsigned long func,
				       unsigned long frame_pointer)
{
	frame->call.func = func;
	frame->call.calltime = sched_clock_inline();
#ifdef HAVE_FUNCTION_GRAPH_FP_TEST
	frame->call.fp = frame_pointer;
#endif
}

/* What a user keeps of a call that it does not want goes away */
static __always_inline bool is_wanted(bool wanted, struct task_struct *task, int position)
{
	if (!wanted)
		fgraph_reset(task, position);
	return wanted;
}

/* Whether there is one user, which is called directly */
static __always_inline bool has_only(void)
{
	return FGRAPH_DIRECT && static_branch_likely(&fgraph_has_only);
}

/* Whether the user can tell without its entryfunc() that it does not want the call */
static noinline bool is_left_out(struct fgraph_ops *gops, unsigned long func, int depth)
{
	if (gops->ask_task && !fgraph_traces_task(gops))
		return true;
	return gops->wants && !gops->wants(gops, func, depth);
}

static __always_inline bool is_to_ask(const struct fgraph_ops *gops)
{
	return unlikely(READ_ONCE(gops->ask));
}

/* Returns the bit of the only user if it wants the return */
static __always_inline unsigned int enter_only(struct ftrace_graph_ent *call,
					       struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = READ_ONCE(fgraph_only);

	return static_call(fgraph_entry)(call, gops, fregs) ? BIT(gops->idx) : 0;
}

/* Returns those of @users that want the return */
static __always_inline unsigned int enter_each(struct task_struct *task, unsigned int users,
					       struct ftrace_graph_ent *call,
					       struct ftrace_regs *fregs)
{
	unsigned int wanting = 0;

	for (; users; users &= users - 1) {
		int i = __ffs(users), position = task->curr_ret_stack;
		struct fgraph_ops *gops = READ_ONCE(fgraph_users[i]);

		if (is_to_ask(gops) && is_left_out(gops, call->func, call->depth))
			continue;
		if (is_wanted(gops->entryfunc(call, gops, fregs), task, position))
			wanting |= BIT(i);
	}
	return wanting;
}

#define ONLY	(~0U)

/*
 * Put a frame on the stack for the call of @call->func. Returns false if there is no stack, or
 * no room on it, which is counted. The position that the stack had is stored to @position.
 */
static __always_inline bool begin_call(struct task_struct *task, struct ftrace_graph_ent *call,
				       unsigned long ret, unsigned long frame_pointer,
				       unsigned long *retp, int *position)
{
	unsigned long *stack = READ_ONCE(task->ret_stack);
	struct fgraph_frame *frame;

	if (unlikely(ftrace_graph_is_dead() || !stack))
		return false;
	/* LMM(begin_call:A) pairs with LMM(give_stack:A): a stack, then what is in it */
	smp_rmb();
	*position = READ_ONCE(task->curr_ret_stack);
	if (unlikely(!fgraph_has_room(*position))) {
		atomic_inc(&task->trace_overrun);
		return false;
	}
	frame = fgraph_next_frame(stack, *position);
	fgraph_push(task, frame, *position, ret, retp);
	fill_frame(frame, call->func, frame_pointer);
	call->depth = ++task->curr_ret_depth;
	return true;
}

/* Note those of @users that want the return, or take the frame off if none does */
static __always_inline int end_call(struct task_struct *task, unsigned int users, int position)
{
	struct fgraph_frame *frame = fgraph_next_frame(task->ret_stack, position);

	if (!users) {
		task->curr_ret_depth--;
		fgraph_reset(task, position);
		return -EBUSY;
	}
	frame->users = users;
	/* LMM(end_call:A) pairs with LMM(begin_epoch:B): a user, then an epoch it is in */
	smp_rmb();
	frame->epoch = READ_ONCE(fgraph_epoch);
	return 0;
}

/* @users: those whose filters have the function; ONLY if there is just one user */
static __always_inline int enter_call(unsigned int users, unsigned long ret, unsigned long func,
				      unsigned long frame_pointer, unsigned long *retp,
				      struct ftrace_regs *fregs)
{
	struct task_struct *task = current;
	struct ftrace_graph_ent call __uninitialized;
	int position;

	call.func = func;
	if (!begin_call(task, &call, ret, frame_pointer, retp, &position))
		return -EBUSY;
	users = users == ONLY ? enter_only(&call, fregs) : enter_each(task, users, &call, fregs);
	return end_call(task, users, position);
}

/*
 * Users stay as long as preemption is off, see unregister_ftrace_graph(). On x86, it already
 * is: the caller's guard against recursion needs that.
 */
#ifdef CONFIG_X86
static inline void hold_users(void) { }
static inline void release_users(void) { }
#else
static inline void hold_users(void) { preempt_disable_notrace(); }
static inline void release_users(void) { preempt_enable_notrace(); }
#endif

/*
 * This and the three like it run at each traced call. What they have on their stack is one
 * structure for the users, with no array in it that could be overrun, so they do without the
 * check of the stack protector.
 */
static noinline __no_stack_protector int
enter_call_of_only(unsigned long ret, unsigned long func, unsigned long frame_pointer,
		   unsigned long *retp, struct ftrace_regs *fregs)
{
	int err = enter_call(ONLY, ret, func, frame_pointer, retp, fregs);

	release_users();
	return err;
}

/* As enter_call_of_only(), if the user is not known to leave the call out */
static noinline int ask_only(unsigned long ret, unsigned long func, unsigned long frame_pointer,
			     unsigned long *retp, struct ftrace_regs *fregs)
{
	if (READ_ONCE(current->ret_stack)) {
		/* LMM(ask_only:A) pairs with LMM(give_stack:A): a stack, then what is in it */
		smp_rmb();
		if (!is_left_out(READ_ONCE(fgraph_only), func, current->curr_ret_depth + 1))
			return enter_call_of_only(ret, func, frame_pointer, retp, fregs);
	}
	release_users();
	return -EBUSY;
}

static noinline __no_stack_protector int
enter_call_of_set(unsigned long ret, unsigned long func, unsigned long frame_pointer,
		  unsigned long *retp, struct ftrace_regs *fregs)
{
	unsigned int users = fgraph_set_of(func);
	int err = -EBUSY;

	if (users)
		err = enter_call(users, ret, func, frame_pointer, retp, fregs);
	release_users();
	return err;
}

/**
 * function_graph_enter_regs - tell the users that a hooked function is entered
 * @ret: its return address
 * @func: the function
 * @frame_pointer: identifies the call, where the architecture can tell that
 * @retp: where @ret stands, or what unwinders take for that place
 * @fregs: the registers at the call site, or NULL
 *
 * Context: any, NMI included. The caller guards against recursion; on x86, preemption is off.
 * Return: 0 if the caller is to replace the return address, so that the return calls
 * ftrace_return_to_handler(). Otherwise -EBUSY.
 */
int function_graph_enter_regs(unsigned long ret, unsigned long func,
			      unsigned long frame_pointer, unsigned long *retp,
			      struct ftrace_regs *fregs)
{
	hold_users();
	if (has_only()) {
		if (is_to_ask(READ_ONCE(fgraph_only)))
			return ask_only(ret, func, frame_pointer, retp, fregs);
		return enter_call_of_only(ret, func, frame_pointer, retp, fregs);
	}
	return enter_call_of_set(ret, func, frame_pointer, retp, fregs);
}

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
/**
 * fgraph_enter_call - tell a user that a function is entered that only it wants
 * @gops: the user, which is registered
 * @call: the function; its depth is filled in
 * @entryfunc: called instead of the user's, with @call and no registers
 * @ret: the function's return address
 * @retp: where @ret stands
 *
 * For entries of the user, which know what is to be done without looking at the registers.
 *
 * Context: any, NMI included. The caller guards against recursion; preemption is off.
 * Return: as function_graph_enter_regs().
 */
int fgraph_enter_call(struct fgraph_ops *gops, struct ftrace_graph_ent *call,
		      trace_func_graph_ent_t entryfunc, unsigned long ret, unsigned long *retp)
{
	struct task_struct *task = current;
	int position;

	if (!begin_call(task, call, ret, 0, retp, &position))
		return -EBUSY;
	if (end_call(task, entryfunc(call, gops, NULL) ? BIT(gops->idx) : 0, position))
		return -EBUSY;
	/* So it can return as calls do that the entry has hooked itself */
	fgraph_set_mark(fgraph_top(task), gops->mark, fgraph_begin(position));
	return 0;
}
#endif

/*
 * Whether the user that has index @i now wanted the return: it did not if it has the index
 * since the call was entered. The caller has looked up the user before.
 */
static __always_inline bool wants_return(const struct fgraph_frame *frame, int i)
{
	if (!(frame->users & BIT(i)))
		return false;
	/* LMM(wants_return:A) pairs with LMM(begin_epoch:B): a user, then an epoch it is in */
	smp_rmb();
	if (likely(frame->epoch == READ_ONCE(fgraph_epoch)))
		return true;
	/* LMM(wants_return:B) pairs with LMM(begin_epoch:A): an epoch, then whose it is */
	smp_rmb();
	return READ_ONCE(fgraph_since[i]) <= frame->epoch;
}

static __always_inline void leave_each(struct ftrace_graph_ret *call,
				       const struct fgraph_frame *frame,
				       struct ftrace_regs *fregs)
{
	unsigned int users;

	for (users = frame->users; users; users &= users - 1) {
		int i = __ffs(users);
		struct fgraph_ops *gops = READ_ONCE(fgraph_users[i]);

		if (wants_return(frame, i))
			gops->retfunc(call, gops, fregs);
	}
}

static __always_inline void leave_only(struct ftrace_graph_ret *call,
				       const struct fgraph_frame *frame,
				       struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = READ_ONCE(fgraph_only);

	if (likely(wants_return(frame, gops->idx)))
		static_call(fgraph_return)(call, gops, fregs);
}

static __always_inline void describe_return(struct ftrace_graph_ret *call,
					    const struct fgraph_frame *frame,
					    struct task_struct *task, struct ftrace_regs *fregs)
{
	call->func = frame->call.func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	call->retval = ftrace_regs_get_return_value(fregs);
#endif
	call->depth = task->curr_ret_depth;
	call->overrun = atomic_read(&task->trace_overrun);
	call->calltime = frame->call.calltime;
	call->rettime = sched_clock_inline();
}

#if defined(CONFIG_X86_64) && defined(CC_USING_FENTRY)
/*
 * Put the return address back where the function had it, and return_to_handler returns by
 * it. As long as the frame is there, an unwinder finds the address by that.
 */
static __always_inline void put_back(struct ftrace_regs *fregs, unsigned long ret)
{
	unsigned long *retp = (unsigned long *)ftrace_regs_get_stack_pointer(fregs) - 1;

	WRITE_ONCE(*retp, ret);
}
#else
static __always_inline void put_back(struct ftrace_regs *fregs, unsigned long ret) { }
#endif

static __always_inline unsigned long return_from_call(bool only, struct ftrace_regs *fregs,
						      unsigned long frame_pointer)
{
	struct task_struct *task = current;
	int position = task->curr_ret_stack;
	struct ftrace_graph_ret call __uninitialized;
	struct fgraph_frame *frame;
	unsigned long ret;

	frame = (struct fgraph_frame *)&task->ret_stack[fgraph_begin(position)];
	if (unlikely(!position || !returns_from(frame, fregs, frame_pointer))) {
		position = find_frame(task, fregs, frame_pointer);
		frame = (struct fgraph_frame *)&task->ret_stack[fgraph_begin(position)];
	}
	describe_return(&call, frame, task, fregs);
	if (only)
		leave_only(&call, frame, fregs);
	else
		leave_each(&call, frame, fregs);

	ret = frame->call.ret;
	put_back(fregs, ret);
	task->curr_ret_depth--;
	/* Behind this, the stack may be gone */
	fgraph_reset(task, fgraph_below(frame, fgraph_begin(position)));
	preempt_enable_notrace();
	return ret;
}

static noinline __no_stack_protector unsigned long
return_from_call_of_only(struct ftrace_regs *fregs, unsigned long frame_pointer)
{
	return return_from_call(true, fregs, frame_pointer);
}

static noinline __no_stack_protector unsigned long
return_from_call_of_set(struct ftrace_regs *fregs, unsigned long frame_pointer)
{
	return return_from_call(false, fregs, frame_pointer);
}

static __always_inline unsigned long return_from(struct ftrace_regs *fregs,
						 unsigned long frame_pointer)
{
	preempt_disable_notrace();
	if (has_only())
		return return_from_call_of_only(fregs, frame_pointer);
	return return_from_call_of_set(fregs, frame_pointer);
}

/**
 * ftrace_return_to_handler - tell the users that a hooked function returns
 * @fregs: the registers with its result; or, where the architecture has no such, the
 *	same @frame_pointer as at the entry
 *
 * Only return_to_handler calls this, with the stack of the function that returns.
 *
 * Context: any, NMI included.
 * Return: the address to go on at.
 */
#ifdef CONFIG_HAVE_FUNCTION_GRAPH_FREGS
unsigned long ftrace_return_to_handler(struct ftrace_regs *fregs)
{
	return return_from(fregs, ftrace_regs_get_frame_pointer(fregs));
}
#else
unsigned long ftrace_return_to_handler(unsigned long frame_pointer)
{
	return return_from(NULL, frame_pointer);
}
#endif

/**
 * fgraph_reserve_data - keep memory from the entry to the return of a call
 * @idx: fgraph_ops::idx of the user whose entryfunc() calls this
 * @size_bytes: how much of it; up to 512
 *
 * The memory goes away if entryfunc() then returns 0.
 *
 * Context: an entryfunc().
 * Return: the memory, aligned to a word and not cleared; NULL if the return stack has no
 * room for it.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct task_struct *task = current;
	int position = task->curr_ret_stack;
	unsigned int end = fgraph_end(position);
	unsigned int nr_words = DIV_ROUND_UP((unsigned int)size_bytes, sizeof(long));
	struct fgraph_kept *kept = (struct fgraph_kept *)&task->ret_stack[end];

	if (nr_words > FGRAPH_VARIABLES || end + FGRAPH_KEPT_WORDS + nr_words > FGRAPH_VARIABLES)
		return NULL;
	end += FGRAPH_KEPT_WORDS + nr_words;
	fgraph_reset(task, fgraph_position(fgraph_begin(position), end));
	/* LMM(fgraph_reserve_data:A): from here on, no interrupt writes there */
	barrier();
	kept->user = idx;
	kept->nr_words = nr_words;
	return kept + 1;
}

/**
 * fgraph_room - how much room the return stack has
 *
 * Context: an entryfunc().
 * Return: how many bytes are left for frames and what is kept in them.
 */
unsigned int fgraph_room(void)
{
	return (FGRAPH_VARIABLES - fgraph_end(current->curr_ret_stack)) * sizeof(long);
}

/**
 * fgraph_retrieve_data - the memory that was kept for the call that returns
 * @idx: fgraph_ops::idx of the user whose retfunc() calls this
 * @size_bytes: its size goes here, rounded up to words, unless this is NULL
 *
 * Context: a retfunc().
 * Return: what fgraph_reserve_data() gave the same user at the entry of the call; NULL if
 * it gave nothing.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	struct task_struct *task = current;
	int position = task->curr_ret_stack;
	unsigned int at = fgraph_begin(position) + FGRAPH_FRAME_WORDS;

	while (at < fgraph_end(position)) {
		struct fgraph_kept *kept = (struct fgraph_kept *)&task->ret_stack[at];

		if (kept->user == idx) {
			if (size_bytes)
				*size_bytes = kept->nr_words * sizeof(long);
			return kept + 1;
		}
		at += FGRAPH_KEPT_WORDS + kept->nr_words;
	}
	return NULL;
}

/**
 * fgraph_get_task_var - the variable of a user and a task
 * @gops: the user
 *
 * It is 0 when @gops is registered and when the task begins.
 *
 * Context: a callback of @gops.
 * Return: the variable of the current task.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return fgraph_task_var(current, gops);
}
