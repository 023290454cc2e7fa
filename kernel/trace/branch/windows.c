// SPDX-License-Identifier: GPL-2.0
/*
 * Windows: contexts that want branches of the kernel only from a call of one of their functions to
 * its return. Each of them has a window of its own, which has a number. A backend tells of each
 * branch in which windows it is.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/mutex.h>

#include "branch.h"

/* Not branch_mutex: whoever creates a task waits for that */
static DEFINE_MUTEX(windows_mutex);
static DECLARE_BITMAP(used_windows, BRANCH_MAX_WINDOWS);

static const char *why_not_watched(int error)
{
	switch (error) {
	case 0:
		return NULL;
	case -EINVAL:
		return "one of the functions does not exist, or cannot be traced";
	case -ENOMEM:
		return "there is no memory";
	default:
		return "the functions cannot be traced";
	}
}

static int watch(struct branch_backend *backend, unsigned int window, const char *functions,
		 struct branch_refusal *refusal)
{
	int ret;

	refusal->in_functions = 0;
	ret = backend->watch(window, functions, &refusal->in_functions);
	refusal->of_functions = ret == -EINVAL;
	refusal->why = why_not_watched(ret);
	return ret;
}

/**
 * branch_window_get() - get the window that a context wants
 * @backend: the context's backend
 * @attr: what the context is to be
 * @refusal: set to the reason if it is refused, which is NULL if it is not
 *
 * Context: may sleep.
 * Return: the number of the window, -1 if the context wants none, or an error: see @refusal.
 */
int branch_window_get(struct branch_backend *backend, const struct branch_attr *attr,
		      struct branch_refusal *refusal)
{
	unsigned int window;
	int ret;

	refusal->why = NULL;
	if (!attr->functions || !(attr->modes & BRANCH_KERNEL))
		return -1;
	if (!backend->watch) {
		refusal->why = "the backend cannot trace functions alone";
		return -EOPNOTSUPP;
	}
	guard(mutex)(&windows_mutex);
	window = find_first_zero_bit(used_windows, BRANCH_MAX_WINDOWS);
	if (window == BRANCH_MAX_WINDOWS) {
		refusal->why = "too many contexts trace functions";
		return -ENOSPC;
	}
	ret = watch(backend, window, attr->functions, refusal);
	if (ret)
		return ret;
	__set_bit(window, used_windows);
	return window;
}

/**
 * branch_window_put() - give a window back
 * @backend: the context's backend
 * @window: its number, or -1; no context that wants it is running
 *
 * Context: may sleep.
 */
void branch_window_put(struct branch_backend *backend, int window)
{
	if (window < 0)
		return;
	guard(mutex)(&windows_mutex);
	backend->watch(window, NULL, NULL);
	__clear_bit(window, used_windows);
}
