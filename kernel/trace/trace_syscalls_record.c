// SPDX-License-Identifier: GPL-2.0
/*
 * Syscall events for the ring buffers of instances.
 *
 * An instance that has at least one event on has a probe on the tracepoint. The probe is
 * called for each syscall of each task, and looks up whether the instance wants it.
 */
#include <linux/ftrace_signature.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <trace/events/syscalls.h>

#include "trace_context.h"
#include "trace_put.h"
#include "trace_syscalls.h"

/* Protects the counters and the files in trace_array */
static DEFINE_MUTEX(syscall_files_mutex);

/* How many instances have the event of a home slot on: of calls, and of returns */
unsigned short trace_syscall_recorders[2][TRACE_SYSCALL_SLOTS];

/* To be called in a probe: the tracepoint has disabled preemption, which protects @files */
static __always_inline struct trace_event_file *
wanted_file(struct trace_event_file __rcu **files, const struct syscall_metadata *meta)
{
	struct trace_event_file *file = rcu_dereference_sched(files[meta->syscall_nr]);

	return file && !trace_trigger_soft_disabled(file) ? file : NULL;
}

/* What an event is filled with */
struct source {
	const struct syscall_metadata		*meta;
	int					slot;
	bool					line;	/* of a return: with arguments */
	struct pt_regs				*regs;
	struct trace_syscall_task		*task;
};

/* So many words are copied in line; a function copies more of them faster */
#define FEW_WORDS	16

/* What was read of user space follows the arguments */
static __always_inline void copy_call(void *to, struct trace_syscall_task *task)
{
	unsigned int nr = trace_syscall_words(task);

	if (likely(nr <= FEW_WORDS))
		ftrace_sig_put_words(to, task->words, nr);
	else
		memcpy(to, task->words, nr * sizeof(long));
}

static __always_inline void fill_enter(void *to, const void *from)
{
	struct syscall_trace_enter *entry = to;
	const struct source *source = from;

	entry->nr = trace_syscall_number(source->slot);
	if (unlikely(source->task))
		copy_call(entry->args, source->task);
	else
		trace_syscall_copy_args(entry->args, source->meta, source->slot, source->regs);
}

/*
 * Whether seccomp kills the task, or sends it SIGSYS, instead of the call: then it has put
 * the syscall's number back to where a result would be, as syscall_rollback() does on x86.
 */
static bool is_undone(struct pt_regs *regs)
{
	return IS_ENABLED(CONFIG_X86) &&
	       syscall_get_return_value(current, regs) == syscall_get_nr(current, regs) &&
	       sigismember(&current->pending.signal, SIGSYS);
}

/* For a line: what the call began with or, if that was not kept, what registers have now */
static noinline void fill_args(struct syscall_exit_with_args *entry,
			       const struct syscall_metadata *meta, int slot,
			       struct pt_regs *regs, struct trace_syscall_task *task)
{
	entry->nr_args = meta->nb_args;
	if (!task) {
		if (unlikely(is_undone(regs)))
			entry->nr_args |= TRACE_SYSCALL_UNDONE;
		trace_syscall_copy_args(entry->args, meta, slot, regs);
		return;
	}
	entry->nr_args |= TRACE_SYSCALL_ARGS_OF_CALL;
	copy_call(entry->args, task);
}

static __always_inline void fill_exit(void *to, const void *from)
{
	struct syscall_trace_exit *entry = to;
	const struct source *source = from;

	entry->nr = trace_syscall_number(source->slot);
	entry->ret = syscall_get_return_value(current, source->regs);
	if (unlikely(source->line))
		fill_args(to, source->meta, source->slot, source->regs, source->task);
}

/*
 * Whether an event is only to be written: nothing decides whether it stays, and nothing
 * follows from it.
 */
static __always_inline bool is_simple(const struct trace_event_file *file)
{
	return !(file->flags & (EVENT_FILE_FL_FILTERED | EVENT_FILE_FL_SOFT_DISABLED |
				EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_TRIGGER_COND |
				EVENT_FILE_FL_PID_FILTER)) &&
	       !(file->tr->trace_flags & (TRACE_ITER_STACKTRACE | TRACE_ITER_USERSTACKTRACE)) &&
	       !trace_events_go_on();
}

static noinline void write_any(struct trace_event_file *file, unsigned int size,
			       trace_fill_func fill, const struct source *source)
{
	struct trace_event_buffer buffer;
	void *entry = trace_event_buffer_reserve(&buffer, file, size);

	if (!entry)
		return;
	fill(entry, source);
	trace_event_buffer_commit(&buffer);
}

/*
 * @fill is for the fast way and in line, @fill_any is the same as a function. The source
 * is in registers, and only has an address in the copy that functions get.
 */
static __always_inline void write(struct trace_event_file *file, unsigned int size,
				  trace_fill_func fill, trace_fill_func fill_any,
				  struct source source)
{
	if (likely(is_simple(file))) {
		trace_put(file->tr->array_buffer.buffer, file->event_call->event.type, size,
			  trace_context_dec(), fill, &source);
	} else {
		struct source copy = source;

		write_any(file, size, fill_any, &copy);
	}
}

static void fill_any_enter(void *to, const void *from)
{
	fill_enter(to, from);
}

static void fill_any_exit(void *to, const void *from)
{
	fill_exit(to, from);
}

static __always_inline unsigned int words_of(const struct source *source)
{
	return unlikely(source->task) ? trace_syscall_words(source->task) :
					source->meta->nb_args;
}

static void probe_enter(void *data, struct pt_regs *regs, long id)
{
	struct source source = { .task = trace_syscall_just_read(), .regs = regs };
	struct trace_event_file *file;
	struct trace_array *tr = data;

	if (unlikely(source.task)) {
		source.slot = source.task->slot;
		source.meta = source.task->state.meta;
	} else {
		source.slot = trace_syscall_slot(regs);
		source.meta = source.slot < 0 ? NULL : trace_syscall_meta(source.slot);
	}
	file = source.meta ? wanted_file(tr->enter_syscall_files, source.meta) : NULL;
	if (!file)
		return;
	write(file, sizeof(struct syscall_trace_enter) + words_of(&source) * sizeof(long),
	      fill_enter, fill_any_enter, source);
}

static void probe_exit(void *data, struct pt_regs *regs, long ret)
{
	struct source source = { .slot = trace_syscall_slot(regs), .regs = regs };
	unsigned int size = sizeof(struct syscall_trace_exit);
	struct trace_event_file *file;
	struct trace_array *tr = data;

	source.meta = source.slot < 0 ? NULL : trace_syscall_meta(source.slot);
	file = source.meta ? wanted_file(tr->exit_syscall_files, source.meta) : NULL;
	if (!file)
		return;
	source.line = READ_ONCE(tr->trace_flags) & TRACE_ITER_SYSCALL_LINES;
	if (unlikely(source.line)) {
		source.task = trace_syscall_under_way(source.meta);
		size = struct_size_t(struct syscall_exit_with_args, args, words_of(&source));
	}
	write(file, size, fill_exit, fill_any_exit, source);
}

/* An instance that has an event on */
struct recorder {
	struct list_head	list;
	struct trace_array	*tr;
	struct rcu_head		rcu;
};

/* Changed under syscall_files_mutex, read under RCU */
static LIST_HEAD(recorders);

static int add_recorder(struct trace_array *tr)
{
	struct recorder *recorder;

	if (tr->sys_refcount_enter || tr->sys_refcount_exit)
		return 0;
	recorder = kmalloc(sizeof(*recorder), GFP_KERNEL);
	if (!recorder)
		return -ENOMEM;
	recorder->tr = tr;
	list_add_rcu(&recorder->list, &recorders);
	return 0;
}

/* An instance waits for a grace period before it is freed */
static void remove_recorder(struct trace_array *tr)
{
	struct recorder *recorder;

	if (tr->sys_refcount_enter || tr->sys_refcount_exit)
		return;
	list_for_each_entry(recorder, &recorders, list) {
		if (recorder->tr == tr) {
			list_del_rcu(&recorder->list);
			kfree_rcu(recorder, rcu);
			return;
		}
	}
}

static __always_inline bool takes_from_all(struct trace_event_file __rcu *rcu_file)
{
	struct trace_event_file *file = rcu_dereference_sched(rcu_file);

	return file && !(file->flags & (EVENT_FILE_FL_SOFT_DISABLED | EVENT_FILE_FL_PID_FILTER));
}

static bool takes_from_task(struct trace_event_file __rcu *rcu_file)
{
	struct trace_event_file *file = rcu_dereference_sched(rcu_file);

	if (!file || file->flags & EVENT_FILE_FL_SOFT_DISABLED)
		return false;
	return !(file->flags & EVENT_FILE_FL_PID_FILTER) || !trace_event_ignore_this_pid(file);
}

static noinline bool any_takes_from_task(const struct syscall_metadata *meta)
{
	struct recorder *recorder;

	list_for_each_entry_rcu(recorder, &recorders, list) {
		struct trace_array *tr = recorder->tr;

		if (takes_from_task(tr->enter_syscall_files[meta->syscall_nr]) ||
		    takes_from_task(tr->exit_syscall_files[meta->syscall_nr]))
			return true;
	}
	return false;
}

/* Most often there is one, and it leaves no task out */
static __always_inline bool first_takes_from_all(const struct syscall_metadata *meta)
{
	struct recorder *first = list_first_or_null_rcu(&recorders, struct recorder, list);

	return first && (takes_from_all(first->tr->enter_syscall_files[meta->syscall_nr]) ||
			 takes_from_all(first->tr->exit_syscall_files[meta->syscall_nr]));
}

/**
 * trace_syscall_is_wanted - whether an instance takes a syscall's events from this task
 * @meta: the syscall
 *
 * An instance leaves tasks out by set_event_pid and set_event_notrace_pid.
 *
 * Context: the entry code, interrupts and preemption on.
 * Return: true if at least one instance takes the event of the call or of the return.
 */
bool trace_syscall_is_wanted(const struct syscall_metadata *meta)
{
	bool wanted;

	preempt_disable_notrace();
	wanted = first_takes_from_all(meta) || any_takes_from_task(meta);
	preempt_enable_notrace();
	return wanted;
}

static int add_probe(struct trace_array *tr, bool exit)
{
	trace_syscall_forget();
	return exit ? register_trace_sys_exit(probe_exit, tr) :
		      register_trace_sys_enter(probe_enter, tr);
}

static void remove_probe(struct trace_array *tr, bool exit)
{
	if (exit)
		unregister_trace_sys_exit(probe_exit, tr);
	else
		unregister_trace_sys_enter(probe_enter, tr);
}

static int *count_of(struct trace_array *tr, bool exit)
{
	return exit ? &tr->sys_refcount_exit : &tr->sys_refcount_enter;
}

static void set_file(struct trace_array *tr, bool exit, const struct syscall_metadata *meta,
		     struct trace_event_file *file)
{
	struct trace_event_file __rcu **files =
		exit ? tr->exit_syscall_files : tr->enter_syscall_files;

	rcu_assign_pointer(files[meta->syscall_nr], file);
}

/**
 * trace_syscall_record - begin to record a syscall's event
 * @file: the event in its instance
 * @exit: whether it is the event of the return
 *
 * Return: 0, or an error of the tracepoint.
 */
int trace_syscall_record(struct trace_event_file *file, bool exit)
{
	const struct syscall_metadata *meta = file->event_call->data;
	int *count = count_of(file->tr, exit), err;

	mutex_lock(&syscall_files_mutex);
	err = add_recorder(file->tr);
	if (!err && !*count)
		err = add_probe(file->tr, exit);
	if (err) {
		remove_recorder(file->tr);
	} else {
		set_file(file->tr, exit, meta, file);
		++*count;
		trace_syscall_recorders[exit][meta->syscall_nr]++;
		trace_syscall_plan_reading(meta);
	}
	mutex_unlock(&syscall_files_mutex);
	return err;
}

/**
 * trace_syscall_unrecord - record a syscall's event no more
 * @file: the event in its instance, for which trace_syscall_record() returned 0
 * @exit: whether it is the event of the return
 *
 * A probe that runs meanwhile may still use @file until the next grace period.
 */
void trace_syscall_unrecord(struct trace_event_file *file, bool exit)
{
	const struct syscall_metadata *meta = file->event_call->data;
	int *count = count_of(file->tr, exit);

	mutex_lock(&syscall_files_mutex);
	trace_syscall_recorders[exit][meta->syscall_nr]--;
	trace_syscall_plan_reading(meta);
	set_file(file->tr, exit, meta, NULL);
	if (!--*count)
		remove_probe(file->tr, exit);
	remove_recorder(file->tr);
	mutex_unlock(&syscall_files_mutex);
}
