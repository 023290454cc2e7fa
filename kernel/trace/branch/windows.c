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

static const char *watch(struct branch_backend *backend, unsigned int window,
			 const char *functions, int *ret)
{
	*ret = backend->watch(window, functions);
	switch (*ret) {
	case 0:
		return NULL;
	case -EINVAL:
		return "no function that can be traced has such a name";
	case -ENOMEM:
		return "there is no memory";
	default:
		return "the functions cannot be traced";
	}
}

/**
 * branch_window_get() - get the window that a context wants
 * @backend: the context's backend
 * @attr: what the context is to be
 * @why: set to the reason if it is refused, or to NULL
 *
 * Context: may sleep.
 * Return: the number of the window, -1 if the context wants none, or an error: see @why.
 */
int branch_window_get(struct branch_backend *backend, const struct branch_attr *attr,
		      const char **why)
{
	unsigned int window;
	int ret;

	*why = NULL;
	if (!attr->functions || !(attr->modes & BRANCH_KERNEL))
		return -1;
	if (!backend->watch) {
		*why = "the backend cannot trace functions alone";
		return -EOPNOTSUPP;
	}
	guard(mutex)(&windows_mutex);
	window = find_first_zero_bit(used_windows, BRANCH_MAX_WINDOWS);
	if (window == BRANCH_MAX_WINDOWS) {
		*why = "too many contexts trace functions";
		return -ENOSPC;
	}
	*why = watch(backend, window, attr->functions, &ret);
	if (*why)
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
	backend->watch(window, NULL);
	__clear_bit(window, used_windows);
}
