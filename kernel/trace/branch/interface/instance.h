/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_BRANCH_INSTANCE_H
#define _KERNEL_TRACE_BRANCH_INSTANCE_H

#include <linux/branch_trace.h>
#include <linux/uidgid_types.h>

struct cred;
struct trace_array;
struct trace_event_file;

/* The events that records become: one of all branches, and one of each kind of marker */
enum branch_event {
	BRANCH_EVENT_BRANCH,
	BRANCH_EVENT_BEGIN,
	BRANCH_EVENT_SWITCHED_IN,
	BRANCH_EVENT_LOST,
	BRANCH_EVENT_NOT_FOLLOWED,
	BRANCH_NR_EVENTS,
};

/**
 * struct branch_instance - the context of a trace instance
 * @attr: what the context is, or would be. The names of the backend and of the functions are
 *	allocated.
 * @ctx: the context, or NULL if nothing is chosen
 * @may_go_on: all who chose its tasks may trace whatever these execute
 * @chooser: who chose all of its tasks, if that was one user without the right to trace all
 * @files: the events that are on
 * @lost: how many records were not written, by CPU, and are not told yet
 *
 * Changes under event_mutex.
 */
struct branch_instance {
	struct branch_attr	attr;
	struct branch_ctx	*ctx;
	bool			may_go_on;
	kuid_t			chooser;
	struct trace_event_file	*files[BRANCH_NR_EVENTS];
	unsigned int __percpu	*lost;
};

/* instance.c */
struct branch_instance *branch_instance_of(struct trace_array *tr);
int branch_choose_task(struct branch_instance *instance, const struct cred *cred,
		       struct task_struct *task, bool also, struct branch_refusal *refusal);
int branch_choose_cpus(struct branch_instance *instance, const struct cred *cred,
		       enum branch_subject subject, int cpu, struct branch_refusal *refusal);
void branch_choose_nothing(struct branch_instance *instance);
int branch_choose_modes(struct branch_instance *instance, const struct cred *cred,
			unsigned int modes, struct branch_refusal *refusal);
int branch_choose_functions(struct branch_instance *instance, const struct cred *cred,
			    const char *functions, struct branch_refusal *refusal);
int branch_choose_inherit(struct branch_instance *instance, const struct cred *cred, bool inherit,
			  struct branch_refusal *refusal);
int branch_choose_backend(struct branch_instance *instance, const struct cred *cred,
			  const char *name, struct branch_refusal *refusal);
int branch_event_on(struct branch_instance *instance, enum branch_event event,
		    struct trace_event_file *file);
void branch_event_off(struct branch_instance *instance, enum branch_event event);

/* events.c */
bool branch_interrupts_writer(struct trace_event_file *file);
bool branch_write_event(struct trace_event_file *file, enum branch_event event,
			const struct branch_record *record);

/* rights.c */
bool branch_may_trace_all(const struct cred *cred);
bool branch_may_trace_task(const struct cred *cred, struct task_struct *task);

#endif /* _KERNEL_TRACE_BRANCH_INSTANCE_H */
