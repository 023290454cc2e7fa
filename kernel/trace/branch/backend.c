// SPDX-License-Identifier: GPL-2.0
/*
 * The backends: what this machine has that can produce branches.
 */
#include <kunit/static_stub.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "branch.h"

/* By id. Those with the lower numbers are tried first. */
static struct branch_backend *backends[BRANCH_MAX_BACKENDS];

static struct branch_backend *find_backend(const char *name)
{
	unsigned int id;

	for (id = 0; id < BRANCH_MAX_BACKENDS; id++) {
		if (backends[id] && !strcmp(backends[id]->name, name))
			return backends[id];
	}
	return NULL;
}

/**
 * branch_backend_register() - add a backend
 * @backend: the backend
 *
 * Context: may sleep.
 * Return: 0, -EEXIST if there is one of this name, -ENOSPC if there are too many.
 */
int branch_backend_register(struct branch_backend *backend)
{
	unsigned int id;

	guard(mutex)(&branch_mutex);
	if (find_backend(backend->name))
		return -EEXIST;
	for (id = 0; id < BRANCH_MAX_BACKENDS; id++) {
		if (backends[id])
			continue;
		backend->id = id;
		backend->nr_contexts = 0;
		WRITE_ONCE(backends[id], backend);
		return 0;
	}
	return -ENOSPC;
}

/**
 * branch_backend_unregister() - remove a backend
 * @backend: the backend
 *
 * Context: may sleep.
 * Return: 0, and the backend is not called any more, or -EBUSY if there are contexts that use it.
 */
int branch_backend_unregister(struct branch_backend *backend)
{
	scoped_guard(mutex, &branch_mutex) {
		if (backend->nr_contexts)
			return -EBUSY;
		WRITE_ONCE(backends[backend->id], NULL);
	}
	/* LMM(branch_backend_unregister:A) pairs with preemption off: CPUs that are telling it */
	synchronize_rcu();
	return 0;
}

/* Why a backend cannot do what a context wants, or NULL. Context: may sleep. */
const char *branch_backend_refuses(struct branch_backend *backend, const struct branch_attr *attr)
{
	struct branch_attr general = *attr;

	KUNIT_STATIC_STUB_REDIRECT(branch_backend_refuses, backend, attr);
	general.task = NULL;
	return backend->refuses(&general);
}

static struct branch_backend *choose_backend(const struct branch_attr *attr,
					     struct branch_refusal *refusal)
{
	const char *refused = "this machine has nothing that can trace branches";
	unsigned int id;

	if (attr->backend) {
		struct branch_backend *backend = find_backend(attr->backend);

		refusal->why = "there is no backend of this name";
		if (backend)
			refusal->why = branch_backend_refuses(backend, attr);
		return refusal->why ? NULL : backend;
	}
	for (id = 0; id < BRANCH_MAX_BACKENDS; id++) {
		if (!backends[id])
			continue;
		refusal->why = branch_backend_refuses(backends[id], attr);
		if (!refusal->why)
			return backends[id];
		refused = refusal->why;
	}
	refusal->why = refused;
	return NULL;
}

/* The backend that a context uses from now on, or NULL and why there is none */
struct branch_backend *branch_backend_get(const struct branch_attr *attr,
					  struct branch_refusal *refusal)
{
	struct branch_backend *backend;

	lockdep_assert_held(&branch_mutex);
	backend = choose_backend(attr, refusal);
	if (backend && !backend->nr_contexts++ && backend->use)
		backend->use(true);
	return backend;
}

void branch_backend_put(struct branch_backend *backend)
{
	lockdep_assert_held(&branch_mutex);
	if (!--backend->nr_contexts && backend->use)
		backend->use(false);
}

/* A backend that is gone need not be told that nothing is wanted of it. Preemption is off. */
void branch_backend_set(unsigned int id, struct task_struct *task, unsigned int wanted)
{
	struct branch_backend *backend = READ_ONCE(backends[id]);

	if (backend)
		backend->set(task, wanted);
}

bool branch_backend_exists(const char *name)
{
	guard(mutex)(&branch_mutex);
	return find_backend(name);
}

/* Calls @show for each backend. Context: may sleep. */
void branch_backend_show(void (*show)(void *data, const struct branch_backend *backend),
			 void *data)
{
	unsigned int id;

	guard(mutex)(&branch_mutex);
	for (id = 0; id < BRANCH_MAX_BACKENDS; id++) {
		if (backends[id])
			show(data, backends[id]);
	}
}
