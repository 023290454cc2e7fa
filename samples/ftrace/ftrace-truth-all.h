/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One copy of everything.  The including file defines TRUTH(name), the name of a
 * function in this copy, and TRUTH_DIR, the name of its directory in debugfs.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/ftrace_signature_format.h>
#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "ftrace-truth.h"

static __truth_note void truth_note_entry(const struct truth_value *values,
					  unsigned int nr, bool variadic);
static __truth_note void truth_note_return(const struct truth_value *value);
static __truth_note u64 truth_result_word(unsigned int nr);
static __truth_note void truth_result_fill(void *result, size_t size);

#include "ftrace-truth-note.c"
#include "ftrace-truth-scalar.c"
#include "ftrace-truth-bytes.c"
#include "ftrace-truth-words.c"
#include "ftrace-truth-calls.c"
#include "ftrace-truth-control.c"
