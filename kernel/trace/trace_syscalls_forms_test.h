/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For KUnit tests of what is read for syscalls: memory of a known content is read as for a
 * call with these arguments, and printed.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_FORMS_TEST_H
#define _KERNEL_TRACE_SYSCALLS_FORMS_TEST_H

#include <kunit/test.h>
#include <linux/align.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>

#include "trace_syscalls_forms.h"

/* Pages of user memory, then one that cannot be read */
#define PAGES	4

struct world {
	struct kunit			*test;
	unsigned long			start;
	unsigned long			end;
	unsigned long			at;	/* where the next object is put */
	struct trace_syscall_task	*task;
	struct trace_seq		*seq;
	struct trace_syscall_wants	wants;
	long				ret;	/* of expect_form() */
	bool				alone;	/* a line that does not fit is cut */
	size_t				room;	/* that it has; 0: a whole trace_seq */
};

static __maybe_unused struct world *new_world(struct kunit *test)
{
	unsigned long flags = MAP_ANONYMOUS | MAP_PRIVATE;
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
#ifdef MAP_32BIT
	flags |= MAP_32BIT;
#endif
	w->test = test;
	w->wants.most = 32;
	w->task = kunit_kzalloc(test, sizeof(*w->task), GFP_KERNEL);
	w->seq = kunit_kzalloc(test, sizeof(*w->seq), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, w->task);
	KUNIT_ASSERT_NOT_NULL(test, w->seq);
	w->start = kunit_vm_mmap(test, NULL, 0, (PAGES + 1) * PAGE_SIZE,
				 PROT_READ | PROT_WRITE, flags, 0);
	KUNIT_ASSERT_FALSE(test, !w->start || IS_ERR_VALUE(w->start));
	w->end = w->start + PAGES * PAGE_SIZE;
	KUNIT_ASSERT_EQ(test, vm_munmap(w->end, PAGE_SIZE), 0);
	w->at = w->start;
	return w;
}

/* Returns the address in user memory of a copy */
static __maybe_unused unsigned long put(struct world *w, const void *from, size_t size)
{
	unsigned long address = w->at;

	KUNIT_ASSERT_EQ(w->test, copy_to_user((void __user *)address, from, size), 0);
	w->at = ALIGN(address + size, 8);
	return address;
}

#define PUT(w, object)		put(w, &(object), sizeof(object))
#define PUT_TEXT(w, text)	put(w, text, strlen(text) + 1)

/* What an event of the call would have */
static __maybe_unused void begin_call(struct world *w, int slot, const unsigned long *args)
{
	const struct syscall_metadata *meta = trace_syscall_meta(slot);

	KUNIT_ASSERT_NOT_NULL_MSG(w->test, meta, "slot %d", slot);
	w->task->state.meta = meta;
	w->task->slot = slot;
	/* More than it has, so that those are there which it does not look at */
	w->task->nr_args = SYSCALL_DEFINE_MAXARGS;
	w->task->exec_id = current->self_exec_id;
	memcpy(w->task->words, args, SYSCALL_DEFINE_MAXARGS * sizeof(*args));
	trace_syscall_read_in(w->task, trace_syscall_uses_of(meta), w->wants);
	KUNIT_EXPECT_LE(w->test, trace_syscall_memory_of(w->task)->size,
			w->wants.paths ? TRACE_SYSCALL_MEMORY_PATHS : TRACE_SYSCALL_MEMORY_IN);
}

/* What the event of its return would have. Memory may be changed between the two. */
static __maybe_unused void read_returned(struct world *w, long ret)
{
	const struct syscall_metadata *meta = w->task->state.meta;

	trace_syscall_read_out(w->task, trace_syscall_uses_of(meta), w->wants, ret);
	KUNIT_EXPECT_LE(w->test, trace_syscall_memory_of(w->task)->size,
			TRACE_SYSCALL_MEMORY_SIZE);
}

static __maybe_unused void read_call(struct world *w, int slot, const unsigned long *args, long ret)
{
	begin_call(w, slot, args);
	read_returned(w, ret);
}

static __maybe_unused const char *print_call(struct world *w, int slot, long ret)
{
	struct trace_syscall_call call = {
		.meta		= trace_syscall_meta(slot),
		.args		= w->task->words,
		.memory		= trace_syscall_memory_of(w->task),
		.compat		= trace_syscall_slot_is_compat(slot),
		.slot		= slot,
		.done		= true,
		.of_call	= true,
		.alone		= w->alone,
		.ret		= ret,
	};

	trace_seq_init(w->seq);
	w->seq->seq.size = w->room ?: w->seq->seq.size;
	trace_syscall_print_done(w->seq, &call);
	trace_seq_putc(w->seq, 0);
	return w->seq->buffer;
}

static __maybe_unused void expect(struct world *w, int slot, const unsigned long *args, long ret,
				  const char *expected)
{
	read_call(w, slot, args, ret);
	KUNIT_EXPECT_STREQ(w->test, print_call(w, slot, ret), expected);
	w->at = w->start;
}

#define ARGS(...)	((unsigned long[SYSCALL_DEFINE_MAXARGS]) { __VA_ARGS__ })

/* Texts in which addresses have their place */
#define EXPECT(w, slot, args, ret, format, ...)					\
do {										\
	char *_text = kunit_kzalloc((w)->test, 1024, GFP_KERNEL);		\
										\
	KUNIT_ASSERT_NOT_NULL((w)->test, _text);				\
	snprintf(_text, 1024, format, ##__VA_ARGS__);				\
	expect(w, slot, args, ret, _text);					\
} while (0)

static __maybe_unused void need_names(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES_CONSTANTS))
		kunit_skip(test, "there are no names of constants");
}

/*
 * The text of one argument, as of a call that this kernel may not have; "?" if it is unknown.
 * @of: the parameter, with TRACE_SYSCALL_OUT
 */
static __maybe_unused void expect_form(struct world *w, const struct trace_syscall_form *form,
				       const unsigned long *args, u8 of, unsigned long count,
				       bool compat, const char *expected)
{
	unsigned long address = args[of & TRACE_SYSCALL_PARAM];
	struct trace_syscall_memory *memory;
	struct trace_syscall_reader r = {
		.end = TRACE_SYSCALL_MEMORY_IN, .most = w->wants.most, .of = of,
		.compat = compat, .words32 = compat, .args = args, .ret = w->ret,
	};
	struct trace_syscall_call call = { .args = args, .compat = compat };
	struct trace_syscall_printer p = { .s = w->seq, .call = &call, .of = of,
					   .compat = compat };

	w->task->nr_args = SYSCALL_DEFINE_MAXARGS;
	memory = trace_syscall_memory_of(w->task);
	memory->size = 0;
	r.memory = memory;
	call.memory = memory;
	trace_seq_init(w->seq);
	form->read(&r, form, address, count);
	KUNIT_EXPECT_LE(w->test, memory->size, TRACE_SYSCALL_MEMORY_IN);
	if (!trace_syscall_seek(&p, of) || !form->print(&p, form, address, count))
		trace_seq_puts(w->seq, "?");
	trace_seq_putc(w->seq, 0);
	KUNIT_EXPECT_STREQ(w->test, w->seq->buffer, expected);
	w->at = w->start;
}

static __maybe_unused int open_directory(struct kunit *test, const char *path)
{
	struct file *file = filp_open(path, O_RDONLY | O_DIRECTORY, 0);
	int fd = get_unused_fd_flags(O_CLOEXEC);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_ASSERT_GE(test, fd, 0);
	fd_install(fd, file);
	return fd;
}

/* Slots of the table of 32-bit programs on a 64-bit kernel */
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
#define COMPAT(name)	(NR_syscalls + __NR_ia32_##name)
#endif

#endif /* _KERNEL_TRACE_SYSCALLS_FORMS_TEST_H */
