// SPDX-License-Identifier: GPL-2.0
/* What will be called: work, callbacks, notifiers, waiters. */
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/notifier.h>
#include <linux/interrupt.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "form.h"

FORM_OF_STRUCT(work_struct, MEMBER("func", struct work_struct, func, form_function));

FORM_OF_STRUCT(delayed_work,
	MEMBER("func", struct delayed_work, work.func, form_function),
	MEMBER("expires", struct delayed_work, timer.expires, form_unsigned));

FORM_OF_STRUCT(kthread_work, MEMBER("func", struct kthread_work, func, form_function));
FORM_OF_STRUCT(irq_work, MEMBER("func", struct irq_work, func, form_function));

FORM_OF_STRUCT(tasklet_struct,
	MEMBER("func", struct tasklet_struct, func, form_function),
	MEMBER("state", struct tasklet_struct, state, form_hex));

/* Also called struct rcu_head */
FORM_OF_STRUCT(callback_head, MEMBER("func", struct callback_head, func, form_function));

FORM_OF_STRUCT(notifier_block,
	MEMBER("call", struct notifier_block, notifier_call, form_function),
	MEMBER("priority", struct notifier_block, priority, form_signed));

FORM_OF_STRUCT(wait_queue_entry,
	MEMBER("func", struct wait_queue_entry, func, form_function),
	MEMBER("flags", struct wait_queue_entry, flags, form_hex),
	MEMBER("private", struct wait_queue_entry, private, form_pointer));
