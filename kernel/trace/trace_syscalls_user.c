// SPDX-License-Identifier: GPL-2.0
/*
 * When the memory that a syscall's arguments point to is read.
 *
 * A path may be on a page that is not mapped, such as one of a program's file that nothing
 * has touched yet. Probes of tracepoints run with preemption disabled and cannot map it, so
 * they would lose just what is read for the first time. So the memory is read before: while
 * the file syscall_strings has a limit, the entry code calls this file before the
 * tracepoints. Here the task may sleep and map what is in memory, but it waits for nothing
 * else; see trace_syscalls_memory.c.
 *
 * What a syscall takes is read at the call, and with the arguments kept until the return:
 * then the arguments' registers or the memory may have changed, and after execve() both
 * are gone. What it gives is read at the return, and so is what was not in memory at the
 * call. All is kept in a buffer of the task. It is allocated when the task makes the first
 * call that is read, and freed with the task, at a call that no instance wants, or when the
 * task returns to user space after an event was switched off. Only the task itself uses it,
 * in the entry code and in probes that this calls. So it needs no lock.
 *
 * A buffer says which syscall it is about. It is cleared at each call and after each return, so
 * it cannot be about an earlier one, except if calls or returns did not come here for a
 * while. Whoever makes them come again calls trace_syscall_forget() before. It increments
 * an epoch, and a buffer of another epoch is ignored.
 *
 * At the call the memory is read before the syscall reads it. So a program that changes it
 * meanwhile can show one thing here and another to the kernel. What cannot be read is left
 * out, and only its address is shown.
 *
 * Only calls of syscalls are read whose event is on in an instance that the task is not left
 * out of.
 *
 * The paths of descriptors, which the file syscall_paths asks for, are looked up at the same
 * time; see trace_syscalls_paths.c.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "trace_syscalls.h"
#include "trace_syscalls_forms.h"
#include "trace_syscalls_memory.h"

DEFINE_STATIC_KEY_FALSE(trace_syscall_strings_key);

/* See trace_syscall_forget() */
unsigned int trace_syscall_epoch;

/* Of a string so many bytes; 0: no user memory is read */
static unsigned int limit;
/* All parameters that may be descriptors; 0: no paths are looked up */
static u8 paths;
/* Protects both and the plans, and that the static key is on if one is not 0 */
static DEFINE_MUTEX(wants_mutex);

/**
 * trace_syscall_forget - ignore what was read until now
 *
 * To be called before calls and returns of syscalls, which did not come here, do so again.
 *
 * Context: process context.
 */
void trace_syscall_forget(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	WRITE_ONCE(trace_syscall_epoch, trace_syscall_epoch + 1);
	spin_unlock(&lock);
	/*
	 * EPOCH_A: the epoch is written before the task's flag or the code that leads here.
	 * Pairs with EPOCH_B in trace_syscall_just_read().
	 */
	smp_wmb();
}

/*
 * What is to be read of calls, by their slots; 0: nothing. It depends on which events are on
 * and on what is wanted, so it is decided when these change, under wants_mutex.
 */
static u8 plans[TRACE_SYSCALL_SLOTS];

#define PLAN_PARAM	GENMASK(2, 0)
#define PLAN_STRING	BIT(3)	/* at the call: this parameter, a string, and nothing else */
#define PLAN_CALL	BIT(4)	/* at the call: all that uses tell */
#define PLAN_RETURN	BIT(5)	/* at the return: the same */

static u8 plan_of_call(const struct syscall_metadata *meta,
		       const struct trace_syscall_uses *uses)
{
	u8 of_paths = uses->descriptors & paths;

	if (of_paths & ~BIT(TRACE_SYSCALL_RESULT))
		return PLAN_CALL;
	if (!limit || !uses->in)
		return 0;
	if (hweight8(uses->in) == 1 &&
	    trace_syscall_use(meta, __ffs(uses->in))->form == &trace_syscall_form_string)
		return PLAN_STRING | __ffs(uses->in);
	return PLAN_CALL;
}

static u8 plan_of(const struct syscall_metadata *meta)
{
	const struct trace_syscall_uses *uses = trace_syscall_uses_of(meta);
	bool exit = trace_syscall_is_recorded(meta, true);
	u8 plan;

	if (!exit && !trace_syscall_is_recorded(meta, false))
		return 0;
	plan = plan_of_call(meta, uses);
	if (exit && ((limit && uses->out) || uses->descriptors & paths))
		plan |= PLAN_RETURN;
	return plan;
}

static void free_state(struct task_struct *task)
{
	if (task->trace_syscall)
		kfree(trace_syscall_task_of(task->trace_syscall));
	task->trace_syscall = NULL;
}

/* On the way to user space */
static void free_own_state(struct callback_head *work)
{
	kfree(work);
	free_state(current);
}

/* A task that makes no call for a while keeps its buffer as long; it is asked only once */
static void ask_to_free(struct task_struct *task)
{
	struct callback_head *work = task_work_cancel_func(task, free_own_state);

	if (!work)
		work = kmalloc(sizeof(*work), GFP_NOWAIT | __GFP_NOWARN);
	if (!work)
		return;
	init_task_work(work, free_own_state);
	if (task_work_add(task, work, TWA_RESUME))
		kfree(work);
}

/* Those whose calls are still read get a new one */
static void free_states(struct work_struct *unused)
{
	struct task_struct *process, *task;

	guard(rcu)();
	for_each_process_thread(process, task)
		if (READ_ONCE(task->trace_syscall))
			ask_to_free(task);
}
static DECLARE_WORK(free_work, free_states);

/* Of all syscalls, or of one */
static void plan_slots(const struct syscall_metadata *one)
{
	bool fewer = false;
	int slot;

	for (slot = 0; slot < TRACE_SYSCALL_SLOTS; slot++) {
		const struct syscall_metadata *meta = trace_syscall_meta(slot);
		u8 plan;

		if (!meta || (one && meta != one))
			continue;
		plan = plan_of(meta);
		fewer |= plans[slot] && !plan;
		WRITE_ONCE(plans[slot], plan);
	}
	if (fewer)
		schedule_work(&free_work);
}

/**
 * trace_syscall_plan_reading - decide what is read of the calls of a syscall
 * @meta: the syscall, whose events have just been switched on or off
 *
 * Context: may sleep.
 */
void trace_syscall_plan_reading(const struct syscall_metadata *meta)
{
	mutex_lock(&wants_mutex);
	plan_slots(meta);
	mutex_unlock(&wants_mutex);
}

static struct trace_syscall_wants wants(void)
{
	struct trace_syscall_wants wants = {
		.most	= READ_ONCE(limit),
		.paths	= READ_ONCE(paths),
	};

	return wants;
}

static noinline struct trace_syscall_state *make_state(void)
{
	struct trace_syscall_task *task;

	/* Events have up to a word of it that was not written */
	task = kzalloc(sizeof(*task), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!task)
		return NULL;
	current->trace_syscall = &task->state;
	return &task->state;
}

/* Most paths of files are such strings, so this does without a reader */
static __always_inline void read_lone_string(struct trace_syscall_task *task, unsigned int param)
{
	struct trace_syscall_memory *memory = trace_syscall_memory_of(task);
	struct trace_syscall_piece *piece = (void *)memory->bytes;
	unsigned long address = task->words[param];
	long size = READ_ONCE(limit), length;

	memory->size = 0;
	task->missed = 0;
	if (!address || !size)
		return;
	length = trace_syscall_copy_string(piece->bytes, address, size);
	piece->of = param;
	piece->head = length;
	if (length == size)
		piece->head |= TRACE_SYSCALL_PIECE_CUT;
	if (length < 0) {
		piece->head = TRACE_SYSCALL_PIECE_UNKNOWN;
		task->missed = BIT(param);
		length = 0;
	}
	memory->size = sizeof(*piece) + length;
}

/* After execve(), memory is where other memory was */
static __always_inline void forget_other_memory(struct trace_syscall_task *task)
{
	if (unlikely(task->exec_id != current->self_exec_id))
		task->area = (struct trace_syscall_area) {};
}

/**
 * trace_syscall_read_call - read what a syscall takes, for the probes of sys_enter
 * @regs: the task's registers
 *
 * Context: the entry code, interrupts and preemption on; may sleep.
 */
void trace_syscall_read_call(struct pt_regs *regs)
{
	struct trace_syscall_state *state = current->trace_syscall;
	int slot = trace_syscall_slot(regs);
	u8 plan = slot < 0 ? 0 : READ_ONCE(plans[slot]);
	const struct syscall_metadata *meta;
	struct trace_syscall_task *task;

	if (state)
		*state = (struct trace_syscall_state) {};
	if (!plan)
		return;
	meta = trace_syscall_meta(slot);
	if (unlikely(!trace_syscall_is_wanted(meta))) {
		free_state(current);
		return;
	}
	if (!state)
		state = make_state();
	if (!state)
		return;

	task = trace_syscall_task_of(state);
	forget_other_memory(task);
	task->exec_id = current->self_exec_id;
	task->epoch = READ_ONCE(trace_syscall_epoch);
	task->slot = slot;
	trace_syscall_keep_args(task->words, slot, regs);
	/* The memory is behind the arguments that the syscall has */
	task->nr_args = meta->nb_args;
	if (plan & PLAN_STRING)
		read_lone_string(task, plan & PLAN_PARAM);
	else
		trace_syscall_read_in(task, trace_syscall_uses_of(meta), wants());
	/* Probes of this task see it from here on */
	barrier();
	state->meta = meta;
	state->reads_return = plan & PLAN_RETURN ||
			      (unlikely(task->missed) && trace_syscall_is_recorded(meta, true));
}

/**
 * trace_syscall_read_return - read what a syscall gave, for the probes of sys_exit
 * @ret: its result
 *
 * Context: the exit code, interrupts and preemption on; may sleep.
 */
void trace_syscall_read_return(long ret)
{
	struct trace_syscall_task *task = trace_syscall_just_read();

	if (!task)
		return;
	forget_other_memory(task);
	trace_syscall_read_out(task, trace_syscall_uses_of(task->state.meta), wants(), ret);
}

/**
 * trace_syscall_free_task - free what a task has
 * @task: the task, which makes no more syscalls
 */
void trace_syscall_free_task(struct task_struct *task)
{
	free_state(task);
}

/* The files syscall_strings and syscall_paths */

static void set_wants(unsigned int new_limit, bool new_paths)
{
	bool was = limit || paths, will = new_limit || new_paths;

	if (will && !was) {
		trace_syscall_forget();
		static_branch_enable(&trace_syscall_strings_key);
	} else if (!will && was) {
		static_branch_disable(&trace_syscall_strings_key);
	}
	WRITE_ONCE(limit, new_limit);
	WRITE_ONCE(paths, new_paths ? U8_MAX : 0);
	plan_slots(NULL);
}

static ssize_t read_value(char __user *ubuf, size_t cnt, loff_t *ppos, unsigned int value)
{
	char text[12];
	int size = scnprintf(text, sizeof(text), "%u\n", value);

	return simple_read_from_buffer(ubuf, cnt, ppos, text, size);
}

static ssize_t limit_write(struct file *file, const char __user *ubuf, size_t cnt,
			   loff_t *ppos)
{
	unsigned int value;
	int err = kstrtouint_from_user(ubuf, cnt, 10, &value);

	if (err)
		return err;
	if (value > TRACE_SYSCALL_STRING_MAX)
		return -ERANGE;
	mutex_lock(&wants_mutex);
	set_wants(value, paths);
	mutex_unlock(&wants_mutex);
	*ppos += cnt;
	return cnt;
}

static ssize_t limit_read(struct file *file, char __user *ubuf, size_t cnt, loff_t *ppos)
{
	return read_value(ubuf, cnt, ppos, READ_ONCE(limit));
}

static const struct file_operations limit_fops = {
	.open	= tracing_open_generic,
	.llseek	= generic_file_llseek,
	.read	= limit_read,
	.write	= limit_write,
};

static ssize_t paths_write(struct file *file, const char __user *ubuf, size_t cnt,
			   loff_t *ppos)
{
	bool value;
	int err = kstrtobool_from_user(ubuf, cnt, &value);

	if (err)
		return err;
	mutex_lock(&wants_mutex);
	set_wants(limit, value);
	mutex_unlock(&wants_mutex);
	*ppos += cnt;
	return cnt;
}

static ssize_t paths_read(struct file *file, char __user *ubuf, size_t cnt, loff_t *ppos)
{
	return read_value(ubuf, cnt, ppos, !!READ_ONCE(paths));
}

static const struct file_operations paths_fops = {
	.open	= tracing_open_generic,
	.llseek	= generic_file_llseek,
	.read	= paths_read,
	.write	= paths_write,
};

static __init int create_files(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("syscall_strings", TRACE_MODE_WRITE, NULL, NULL, &limit_fops);
	trace_create_file("syscall_paths", TRACE_MODE_WRITE, NULL, NULL, &paths_fops);
	return 0;
}
fs_initcall(create_files);
