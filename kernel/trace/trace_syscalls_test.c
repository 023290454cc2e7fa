// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of syscall events: the tables, and the text of events with known values. */
#include <kunit/test.h>
#include <linux/fcntl.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

#include "trace_output.h"
#include "trace_syscalls_forms.h"

/* An event of a syscall with at most six parameters, and a reader for it */
struct printed {
	struct trace_iterator	*iter;
	char			*text;
	u8			event[sizeof(struct syscall_trace_enter) +
				      SYSCALL_DEFINE_MAXARGS * sizeof(long)] __aligned(8);
};

static struct printed *new_printed(struct kunit *test)
{
	struct printed *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->iter = kunit_kzalloc(test, sizeof(*p->iter), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->iter);
	trace_seq_init(&p->iter->seq);
	p->iter->ent = (struct trace_entry *)p->event;
	return p;
}

static void expect_text(struct kunit *test, struct printed *p, struct trace_event_call *call,
			const char *expected)
{
	struct trace_seq *s = &p->iter->seq;

	KUNIT_EXPECT_EQ(test, call->event.funcs->trace(p->iter, 0, &call->event),
			TRACE_TYPE_HANDLED);
	trace_seq_putc(s, 0);
	KUNIT_EXPECT_STREQ(test, s->buffer, expected);
	trace_seq_init(s);
}

static const struct syscall_metadata *known(struct kunit *test, int slot)
{
	const struct syscall_metadata *meta = trace_syscall_meta(slot);

	KUNIT_ASSERT_NOT_NULL_MSG(test, meta, "slot %d", slot);
	return meta;
}

static void test_native_numbers(struct kunit *test)
{
	const struct syscall_metadata *close = known(test, __NR_close);
	const struct syscall_metadata *openat = known(test, __NR_openat);

	KUNIT_EXPECT_STREQ(test, close->name, "sys_close");
	KUNIT_EXPECT_EQ(test, close->syscall_nr, __NR_close);
	KUNIT_EXPECT_EQ(test, close->nb_args, 1);
	KUNIT_EXPECT_STREQ(test, openat->name, "sys_openat");
	KUNIT_EXPECT_EQ(test, openat->nb_args, 4);
	KUNIT_EXPECT_STREQ(test, openat->args[1], "filename");
	KUNIT_EXPECT_STREQ(test, get_syscall_name(__NR_openat), "sys_openat");
}

static void test_no_such_number(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, get_syscall_name(-1));
	KUNIT_EXPECT_NULL(test, get_syscall_name(INT_MIN));
	KUNIT_EXPECT_NULL(test, get_syscall_name(NR_syscalls));
	KUNIT_EXPECT_NULL(test, get_syscall_name(INT_MAX));
	KUNIT_EXPECT_NULL(test, get_syscall_name(TRACE_SYSCALL_COMPAT | 0x10000));
	KUNIT_EXPECT_NULL(test, get_syscall_name(TRACE_SYSCALL_COMPAT - 1));
	KUNIT_EXPECT_NULL(test, trace_syscall_find("sys_ni_syscall"));
	KUNIT_EXPECT_NULL(test, trace_syscall_find("no_such_function"));
}

/* What each slot has must be home in a slot that has it, too */
static void test_homes(struct kunit *test)
{
	int slot, found = 0;

	for (slot = 0; slot < TRACE_SYSCALL_SLOTS; slot++) {
		const struct syscall_metadata *meta = trace_syscall_meta(slot);

		if (!meta)
			continue;
		found++;
		KUNIT_ASSERT_GE(test, meta->syscall_nr, 0);
		KUNIT_ASSERT_LT(test, meta->syscall_nr, TRACE_SYSCALL_SLOTS);
		KUNIT_EXPECT_PTR_EQ(test, trace_syscall_meta(meta->syscall_nr), meta);
		if (slot < NR_syscalls)
			KUNIT_EXPECT_LT(test, meta->syscall_nr, NR_syscalls);
	}
	KUNIT_EXPECT_GT(test, found, 200);
}

static void test_enter_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_openat);
	struct printed *p = new_printed(test);
	struct syscall_trace_enter *entry = (void *)p->event;

	entry->nr = __NR_openat;
	entry->args[0] = 0xffffff9c;
	entry->args[1] = 0x1234abcd;
	entry->args[2] = 0;
	entry->args[3] = ULONG_MAX / 2;
#ifdef CONFIG_64BIT
	expect_text(test, p, meta->enter_event,
		    "sys_openat(dfd: ffffff9c, filename: 1234abcd, flags: 0, mode: 7fffffffffffffff)\n");
#else
	expect_text(test, p, meta->enter_event,
		    "sys_openat(dfd: ffffff9c, filename: 1234abcd, flags: 0, mode: 7fffffff)\n");
#endif
}

static void test_enter_text_without_args(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_getpid);

	expect_text(test, new_printed(test), meta->enter_event, "sys_getpid()\n");
}

static void test_exit_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_close);
	struct printed *p = new_printed(test);
	struct syscall_trace_exit *entry = (void *)p->event;

	entry->nr = __NR_close;
	entry->ret = 3;
	expect_text(test, p, meta->exit_event, "sys_close -> 0x3\n");
	entry->ret = -EBADF;
	expect_text(test, p, meta->exit_event, IS_ENABLED(CONFIG_64BIT) ?
		    "sys_close -> 0xfffffffffffffff7\n" : "sys_close -> 0xfffffff7\n");
}

static void test_enter_format(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_dup);

	KUNIT_EXPECT_STREQ(test, meta->enter_event->print_fmt, IS_ENABLED(CONFIG_64BIT) ?
			   "\"fildes: 0x%08lx\", ((unsigned long)(REC->fildes))" :
			   "\"fildes: 0x%04lx\", ((unsigned long)(REC->fildes))");
	KUNIT_EXPECT_STREQ(test, meta->exit_event->print_fmt, "\"0x%lx\", REC->ret");
	meta = known(test, __NR_dup3);
	KUNIT_EXPECT_NOT_NULL(test, strstr(meta->enter_event->print_fmt,
					   "lx\", ((unsigned long)(REC->oldfd)), ((unsigned"));
	meta = known(test, __NR_getpid);
	KUNIT_EXPECT_STREQ(test, meta->enter_event->print_fmt, "\"\"");
}

/* Lines as strace writes them */

static void expect_line(struct kunit *test, struct trace_seq *s, const char *expected)
{
	trace_seq_putc(s, 0);
	KUNIT_EXPECT_STREQ(test, s->buffer, expected);
	trace_seq_init(s);
}

static struct trace_seq *new_seq(struct kunit *test)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	trace_seq_init(s);
	return s;
}

static void print_done(struct trace_seq *s, const struct syscall_metadata *meta,
		       const unsigned long *args, long ret, bool compat)
{
	struct trace_syscall_call call = { .meta = meta, .args = args, .compat = compat,
					   .slot = -1, .done = true, .ret = ret };

	trace_syscall_print_done(s, &call);
}

static void print_begun(struct trace_seq *s, const struct syscall_metadata *meta,
			const unsigned long *args, bool compat)
{
	struct trace_syscall_call call = { .meta = meta, .args = args, .compat = compat };

	trace_syscall_print_begun(s, &call);
}

static void need_names(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES_CONSTANTS))
		kunit_skip(test, "there are no names of constants");
}

static void test_line_names(struct kunit *test)
{
	const struct syscall_metadata *openat = known(test, __NR_openat);
	/* The upper half of an int's register may be anything */
	unsigned long args[] = { 0xffffff9c, 0x1000, O_CLOEXEC, 0644 };
	struct trace_seq *s = new_seq(test);

	need_names(test);
	print_done(s, openat, args, 3, false);
	expect_line(test, s, "openat(AT_FDCWD, 0x1000, O_RDONLY|O_CLOEXEC) = 3");
	args[0] = 5;
	args[1] = 0;
	args[2] = O_WRONLY | O_CREAT;
	print_done(s, openat, args, -ENOENT, false);
	expect_line(test, s, "openat(5, NULL, O_WRONLY|O_CREAT, 0644) = -1 ENOENT");
	print_begun(s, openat, args, false);
	expect_line(test, s, "openat(5, NULL, O_WRONLY|O_CREAT, 0644 <unfinished ...>");
}

static void test_line_numbers(struct kunit *test)
{
	const struct syscall_metadata *dup3 = known(test, __NR_dup3);
	const struct syscall_metadata *getpid = known(test, __NR_getpid);
	const struct syscall_metadata *write = known(test, __NR_write);
	unsigned long args[] = { -1UL, 0x7fffffff, 0 };
	struct trace_seq *s = new_seq(test);

	print_done(s, dup3, args, -EBADF, false);
	expect_line(test, s, "dup3(-1, 2147483647, 0) = -1 EBADF");
	print_done(s, getpid, args, 1234, false);
	expect_line(test, s, "getpid() = 1234");
	args[1] = 0xabcd;
	args[2] = 4096;
	print_done(s, write, args, -ERESTARTSYS, false);
	expect_line(test, s, "write(-1, 0xabcd, 4096) = ? ERESTARTSYS");
	print_done(s, write, NULL, 4096, false);
	expect_line(test, s, "<... write resumed>) = 4096");
}

static void test_line_exits(struct kunit *test)
{
	const struct syscall_metadata *exit = known(test, __NR_exit_group);
	const struct syscall_metadata *execve = known(test, __NR_execve);
	unsigned long args[] = { -1UL, 0, 0 };
	struct trace_seq *s = new_seq(test);

	print_begun(s, exit, args, false);
	expect_line(test, s, "exit_group(-1) = ?");
	print_done(s, execve, args, 0, false);
	expect_line(test, s, "execve(?) = 0");
	args[0] = 0x10;
	print_done(s, execve, args, -EACCES, false);
	expect_line(test, s, "execve(0x10, NULL, NULL) = -1 EACCES");
}

static void test_kinds(struct kunit *test)
{
	const struct syscall_metadata *openat = known(test, __NR_openat);
	const struct syscall_metadata *write = known(test, __NR_write);

	KUNIT_EXPECT_EQ(test, openat->kinds[0], sizeof(int) | SYSCALL_ARG_SIGNED);
	KUNIT_EXPECT_EQ(test, openat->kinds[1], sizeof(long) | SYSCALL_ARG_POINTER);
	KUNIT_EXPECT_EQ(test, openat->kinds[3], sizeof(umode_t));
	KUNIT_EXPECT_EQ(test, write->kinds[0], sizeof(int));
	KUNIT_EXPECT_EQ(test, write->kinds[2], sizeof(size_t));
}

/* The event of a return with and without arguments, by way of the option */
static void test_line_of_event(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_close);
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);
	struct printed *p = new_printed(test);
	struct syscall_exit_with_args *entry = (void *)p->event;
	struct syscall_trace_enter *enter = (void *)p->event;

	KUNIT_ASSERT_NOT_NULL(test, tr);
	tr->trace_flags = TRACE_ITER_SYSCALL_LINES;
	p->iter->tr = tr;
	entry->exit.nr = __NR_close;
	entry->nr_args = 1;
	entry->args[0] = 7;
	p->iter->ent_size = struct_size(entry, args, 1);
	expect_text(test, p, meta->exit_event, "close(7) = 0\n");

	/* Recorded while the option was off */
	p->iter->ent_size = sizeof(entry->exit);
	expect_text(test, p, meta->exit_event, "<... close resumed>) = 0\n");

	/* Not what the metadata says: broken, or of another kernel */
	p->iter->ent_size = struct_size(entry, args, 1);
	entry->nr_args = 2;
	expect_text(test, p, meta->exit_event, "<... close resumed>) = 0\n");

	enter->args[0] = 9;
	expect_text(test, p, meta->enter_event, "close(9 <unfinished ...>\n");
	tr->trace_flags = 0;
	expect_text(test, p, meta->enter_event, "sys_close(fd: 9)\n");
}

#ifdef CONFIG_FTRACE_SYSCALL_STRINGS

/* What is read of user memory, as if it had been */

static struct trace_syscall_memory *new_memory(struct kunit *test)
{
	struct trace_syscall_memory *memory = kunit_kzalloc(test, sizeof(*memory), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	return memory;
}

static void add_piece(struct trace_syscall_memory *memory, u8 of, const void *bytes,
		      unsigned int size, u16 flags)
{
	struct trace_syscall_piece *piece = (void *)memory->bytes + memory->size;

	piece->head = size | flags;
	piece->of = of;
	memcpy(piece->bytes, bytes, size);
	memory->size += sizeof(*piece) + size;
}

static void add_string(struct trace_syscall_memory *memory, u8 of, const char *text, u16 flags)
{
	add_piece(memory, of, text, strlen(text), flags);
}

static void test_string_args(struct kunit *test)
{
	static const struct {
		int	nr;
		u8	args;
	} expected[] = {
		{ __NR_openat,		BIT(1) },
		{ __NR_execve,		BIT(0) },
		{ __NR_symlinkat,	BIT(0) | BIT(2) },
		{ __NR_renameat2,	BIT(1) | BIT(3) },
		{ __NR_mount,		BIT(0) | BIT(1) | BIT(2) },
		{ __NR_getcwd,		BIT(0) },
		/* Bytes, and what is written to */
		{ __NR_write,		0 },
		{ __NR_pwrite64,	0 },
		{ __NR_mq_timedsend,	0 },
		{ __NR_read,		0 },
		{ __NR_readlinkat,	BIT(1) },
		{ __NR_getpid,		0 },
	};
	unsigned int i, arg;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct syscall_metadata *meta = known(test, expected[i].nr);
		u8 args = 0;

		for (arg = 0; arg < meta->nb_args; arg++) {
			const struct trace_syscall_use *use = trace_syscall_use(meta, arg);

			if (use && use->form == &trace_syscall_form_string)
				args |= BIT(arg);
		}
		KUNIT_EXPECT_EQ_MSG(test, args, expected[i].args, "%s", meta->name);
	}
}

static void test_line_strings(struct kunit *test)
{
	struct trace_syscall_memory *memory = new_memory(test);
	unsigned long args[] = { 0x1000, 3, 0x2000 };
	struct trace_seq *s = new_seq(test);
	struct trace_syscall_call call = {
		.meta		= known(test, __NR_symlinkat),
		.args		= args,
		.memory		= memory,
	};

	add_string(memory, 0, "/a \"b\"\n", 0);
	add_string(memory, 2, "", 0);
	trace_syscall_print_done(s, &call);
	expect_line(test, s, "symlinkat(\"/a \\\"b\\\"\\n\", 3, \"\") = 0");

	memory->size = 0;
	add_string(memory, 0, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	add_string(memory, 2, "long", TRACE_SYSCALL_PIECE_CUT);
	trace_syscall_print_begun(s, &call);
	expect_line(test, s, "symlinkat(0x1000, 3, \"long\"... <unfinished ...>");

	/* There was no room for the second one */
	memory->size = 0;
	add_string(memory, 0, "one", 0);
	call.ret = -EEXIST;
	trace_syscall_print_done(s, &call);
	expect_line(test, s, "symlinkat(\"one\", 3, 0x2000) = -1 EEXIST");
}

/* Whatever the size says, nothing behind the pieces is read */
static void test_broken_memory(struct kunit *test)
{
	struct trace_syscall_memory *memory = new_memory(test);
	struct trace_syscall_call call = { .memory = memory };
	struct trace_syscall_printer p = { .call = &call };
	u32 size;

	add_string(memory, 0, "abcdef", 0);
	for (size = 0; size < sizeof(struct trace_syscall_piece) + 6; size++) {
		memory->size = size;
		KUNIT_EXPECT_FALSE(test, trace_syscall_seek(&p, 0));
		KUNIT_EXPECT_NULL(test, trace_syscall_next(&p));
	}
	memory->size = size;
	KUNIT_EXPECT_TRUE(test, trace_syscall_seek(&p, 0));
	KUNIT_EXPECT_NOT_NULL(test, trace_syscall_next(&p));
	KUNIT_EXPECT_EQ(test, p.at, size);
	KUNIT_EXPECT_NULL(test, trace_syscall_next(&p));
	KUNIT_EXPECT_FALSE(test, trace_syscall_seek(&p, 1));
}

static void test_memory_of_event(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_chdir);
	struct printed *p = new_printed(test);
	struct syscall_trace_enter *entry = (void *)p->event;
	struct trace_syscall_memory *memory = (void *)(entry->args + 1);
	int end = offsetof(struct syscall_trace_enter, args) + sizeof(long) +
		  offsetof(struct trace_syscall_memory, bytes);

	entry->args[0] = 0xabc;
	add_string(memory, 0, "/tmp", 0);
	p->iter->ent_size = end + memory->size;
	expect_text(test, p, meta->enter_event, "sys_chdir(filename: abc \"/tmp\")\n");

	/* The event ends before the memory does */
	p->iter->ent_size--;
	expect_text(test, p, meta->enter_event, "sys_chdir(filename: abc)\n");
	p->iter->ent_size = end - 1;
	expect_text(test, p, meta->enter_event, "sys_chdir(filename: abc)\n");
	p->iter->ent_size = 4096;
	memory->size = TRACE_SYSCALL_MEMORY_SIZE + 1;
	expect_text(test, p, meta->enter_event, "sys_chdir(filename: abc)\n");
}

/* Strings in user memory: a page that can be read, and nothing behind it */

struct user_page {
	unsigned long			start;
	unsigned long			end;
	struct trace_syscall_memory	*memory;
};

static struct user_page new_user_page(struct kunit *test)
{
	struct user_page page = { .memory = new_memory(test) };

	page.start = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE,
				   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, !page.start || IS_ERR_VALUE(page.start));
	page.end = page.start + PAGE_SIZE;
	KUNIT_ASSERT_EQ(test, vm_munmap(page.end, PAGE_SIZE), 0);
	return page;
}

static void put_text(struct kunit *test, unsigned long address, const char *text, size_t size)
{
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)address, text, size), 0);
}

static struct trace_syscall_reader reader_of(struct user_page *page, unsigned int most)
{
	struct trace_syscall_reader r = {
		.memory	= page->memory,
		.end	= TRACE_SYSCALL_MEMORY_SIZE,
		.most	= most,
		.of	= 1,
	};

	return r;
}

/* Compares the piece that was just read; @flags: those of its head */
static void expect_piece(struct kunit *test, struct user_page *page, const char *text, u16 flags)
{
	struct trace_syscall_call call = { .memory = page->memory };
	struct trace_syscall_printer p = { .call = &call };
	const struct trace_syscall_piece *piece;

	KUNIT_ASSERT_TRUE(test, trace_syscall_seek(&p, 1));
	piece = trace_syscall_next(&p);
	KUNIT_ASSERT_NOT_NULL(test, piece);
	KUNIT_EXPECT_EQ(test, piece->head, strlen(text) | flags);
	KUNIT_EXPECT_MEMEQ(test, piece->bytes, text, strlen(text));
	KUNIT_EXPECT_EQ(test, p.at, page->memory->size);
	page->memory->size = 0;
}

static void expect_string(struct kunit *test, struct user_page *page, unsigned long address,
			  unsigned int most, const char *text, u16 flags)
{
	struct trace_syscall_reader r = reader_of(page, most);

	KUNIT_EXPECT_TRUE(test, trace_syscall_read_string(&r, address));
	expect_piece(test, page, text, flags);
}

static void expect_bytes(struct kunit *test, struct user_page *page, unsigned long address,
			 unsigned long size, const char *text, u16 flags)
{
	struct trace_syscall_reader r = reader_of(page, 8);

	trace_syscall_read_bytes(&r, address, size);
	expect_piece(test, page, text, flags);
}

static void test_read_strings(struct kunit *test)
{
	struct user_page page = new_user_page(test);
	unsigned int i;

	/* A page that nothing has touched stays so */
	expect_string(test, &page, page.start, 64, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	for (i = 0; i < 2 * sizeof(long); i++) {
		put_text(test, page.start + i, "unaligned", 10);
		expect_string(test, &page, page.start + i, 64, "unaligned", 0);
		expect_string(test, &page, page.start + i, 10, "unaligned", 0);
		expect_string(test, &page, page.start + i, 9, "unaligned",
			      TRACE_SYSCALL_PIECE_CUT);
		expect_string(test, &page, page.start + i, 1, "u", TRACE_SYSCALL_PIECE_CUT);
	}
}

static void test_read_bytes(struct kunit *test)
{
	struct user_page page = new_user_page(test);

	put_text(test, page.end - 8, "12345678", 8);
	expect_bytes(test, &page, page.end - 8, 0, "", 0);
	expect_bytes(test, &page, page.end - 8, 8, "12345678", 0);
	expect_bytes(test, &page, page.end - 8, 9, "12345678", TRACE_SYSCALL_PIECE_CUT);
	expect_bytes(test, &page, page.end - 8, ULONG_MAX, "12345678", TRACE_SYSCALL_PIECE_CUT);
	expect_bytes(test, &page, page.end - 7, 8, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	expect_bytes(test, &page, page.end, 1, "", TRACE_SYSCALL_PIECE_UNKNOWN);
}

static void test_read_at_the_end(struct kunit *test)
{
	struct user_page page = new_user_page(test);
	unsigned int i;

	/* The final zero is the last byte that can be read */
	put_text(test, page.end - 8, "1234567", 8);
	for (i = 1; i <= 8; i++)
		expect_string(test, &page, page.end - i, 64, &"1234567"[8 - i], 0);
	/* There is none: only as much can be read as the limit allows */
	put_text(test, page.end - 8, "12345678", 8);
	expect_string(test, &page, page.end - 8, 64, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	expect_string(test, &page, page.end - 8, 9, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	expect_string(test, &page, page.end - 8, 8, "12345678", TRACE_SYSCALL_PIECE_CUT);
	expect_string(test, &page, page.end - 8, 3, "123", TRACE_SYSCALL_PIECE_CUT);
}

static void test_read_nowhere(struct kunit *test)
{
	struct user_page page = new_user_page(test);
	static const char kernel[] = "the kernel's own";
	unsigned long nowhere[] = {
		0, 1, page.end, ULONG_MAX, LONG_MIN, (unsigned long)kernel,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		expect_string(test, &page, nowhere[i], 64, "", TRACE_SYSCALL_PIECE_UNKNOWN);
		expect_bytes(test, &page, nowhere[i], 8, "", TRACE_SYSCALL_PIECE_UNKNOWN);
	}
}

/* When there is no room for a piece, shorter ones do not follow it either */
static void test_read_more_than_fits(struct kunit *test)
{
	struct user_page page = new_user_page(test);
	struct trace_syscall_reader r = reader_of(&page, TRACE_SYSCALL_STRING_MAX);
	unsigned int nr = 0, size;

	for (size = 0; size < 600; size++)
		put_text(test, page.start + size, "x", 1);
	while (trace_syscall_read_string(&r, page.start))
		KUNIT_ASSERT_LT(test, ++nr, 10);
	KUNIT_EXPECT_EQ(test, nr,
			DIV_ROUND_UP(TRACE_SYSCALL_MEMORY_SIZE, 3 + TRACE_SYSCALL_STRING_MAX));
	size = page.memory->size;
	KUNIT_EXPECT_LE(test, size, TRACE_SYSCALL_MEMORY_SIZE);
	KUNIT_EXPECT_NULL(test, trace_syscall_read(&r, page.start, 1));
	trace_syscall_put_flag(&r, TRACE_SYSCALL_PIECE_END);
	KUNIT_EXPECT_EQ(test, page.memory->size, size);
}

#endif

#ifdef CONFIG_X86

/* Of a call by the number @slot, what stands before its result */
static void expect_call(struct kunit *test, int slot, const unsigned long *args,
			const char *expected)
{
	struct trace_syscall_call call = {
		.meta	= known(test, slot),
		.args	= args,
		.compat	= trace_syscall_slot_is_compat(slot),
		.slot	= slot,
	};
	struct trace_seq *s = new_seq(test);

	trace_syscall_print_begun(s, &call);
	expect_line(test, s, expected);
}

/* The name is that of the number, whichever function is behind it */
static void test_table_names(struct kunit *test)
{
	static const unsigned long args[6] = {};

	if (IS_ENABLED(CONFIG_64BIT)) {
		expect_call(test, 4, args, "stat(NULL, NULL <unfinished ...>");
		expect_call(test, 63, args, "uname(NULL <unfinished ...>");
		expect_call(test, 166, args, "umount2(NULL, 0 <unfinished ...>");
	}
	expect_call(test, __NR_getuid, args, "getuid( <unfinished ...>");
	expect_call(test, __NR_close, args, "close(0 <unfinished ...>");
}

#if defined(CONFIG_X86_32) || defined(CONFIG_IA32_EMULATION)

#ifdef CONFIG_X86_32
#define SLOT_32(nr)	(nr)
#else
#define SLOT_32(nr)	(NR_syscalls + (nr))
#endif

/* The numbers are those of arch/x86/entry/syscalls/syscall_32.tbl */
static void test_table_names_32(struct kunit *test)
{
	static const unsigned long args[6] = {};

	expect_call(test, SLOT_32(24), args, "getuid( <unfinished ...>");
	expect_call(test, SLOT_32(199), args, "getuid32( <unfinished ...>");
	expect_call(test, SLOT_32(22), args, "umount(NULL <unfinished ...>");
	expect_call(test, SLOT_32(52), args, "umount2(NULL, 0 <unfinished ...>");
	expect_call(test, SLOT_32(106), args, "stat(NULL, NULL <unfinished ...>");
	expect_call(test, SLOT_32(195), args, "stat64(NULL, NULL <unfinished ...>");
	expect_call(test, SLOT_32(162), args, "nanosleep(NULL, NULL <unfinished ...>");
	expect_call(test, SLOT_32(410), args, "timerfd_gettime64(0, NULL <unfinished ...>");
}

/* Values of 64 bits in two registers, and an offset in pages */
static void test_halves(struct kunit *test)
{
	static const unsigned long seek[] = { 3, 1, 2, 0, SEEK_CUR };
	static const unsigned long back[] = { 3, 0, 5, 0xfffffffe, 0xffffffff };
	static const unsigned long range[] = { 3, 1, 4, 5, 6, 7 };
	static const unsigned long map[] = { 0, 4096, 0, 0, 3, 0xfffff123 };

	need_names(test);
	expect_call(test, SLOT_32(140), seek,
		    "_llseek(3, 4294967298, NULL, SEEK_CUR <unfinished ...>");
	expect_call(test, SLOT_32(180), back, "pread64(3, NULL, 5, -2 <unfinished ...>");
	expect_call(test, SLOT_32(333), range, "preadv(3, 0x1, 4, 25769803781 <unfinished ...>");
	expect_call(test, SLOT_32(192), map,
		    "mmap2(NULL, 4096, PROT_NONE, 0, 3, 0xfffff123000 <unfinished ...>");
}

#endif
#endif

#ifdef ARCH_TRACE_COMPAT_SYSCALLS

static void test_compat_numbers(struct kunit *test)
{
	static const struct {
		int		nr;
		const char	*name;
		int		home;
	} expected[] = {
		{ __NR_ia32_close,	"sys_close",	__NR_close },
		{ __NR_ia32_getpid,	"sys_getpid",	__NR_getpid },
		/* by COMPAT_SYSCALL_DEFINE(), with the parameters of the native syscall */
		{ __NR_ia32_openat,	"sys_openat",	__NR_openat },
		{ __NR_ia32_execve,	"sys_execve",	__NR_execve },
		{ __NR_ia32_rt_sigreturn, "sys_rt_sigreturn", __NR_rt_sigreturn },
		/* without a native one, or with other parameters */
		{ __NR_ia32_pread64,	"sys_ia32_pread64", NR_syscalls + __NR_ia32_pread64 },
		{ __NR_ia32_waitpid,	"sys_waitpid",	NR_syscalls + __NR_ia32_waitpid },
		{ __NR_ia32_fstat64,	"sys_compat_ia32_fstat64",
		  NR_syscalls + __NR_ia32_fstat64 },
		{ __NR_ia32_fanotify_mark, "sys_compat_fanotify_mark",
		  NR_syscalls + __NR_ia32_fanotify_mark },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		int slot = NR_syscalls + expected[i].nr;
		const struct syscall_metadata *meta = known(test, slot);
		int number = expected[i].nr | 0x20000000;

		KUNIT_EXPECT_STREQ(test, meta->name, expected[i].name);
		KUNIT_EXPECT_EQ(test, meta->syscall_nr, expected[i].home);
		KUNIT_EXPECT_EQ(test, trace_syscall_number(slot), number);
		KUNIT_EXPECT_STREQ(test, get_syscall_name(number), expected[i].name);
	}
	KUNIT_EXPECT_NULL(test, trace_syscall_meta(NR_syscalls + __NR_ia32_break));
}

static void test_compat_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, NR_syscalls + __NR_ia32_close);
	struct printed *p = new_printed(test);
	struct syscall_trace_enter *entry = (void *)p->event;
	struct syscall_trace_exit *exit = (void *)p->event;

	entry->nr = trace_syscall_number(NR_syscalls + __NR_ia32_close);
	entry->args[0] = 5;
	expect_text(test, p, meta->enter_event, "sys_close(fd: 5) (compat)\n");
	exit->ret = 0;
	expect_text(test, p, meta->exit_event, "sys_close -> 0x0 (compat)\n");
}

/* A long of a 32-bit program has 32 bits, and a sign if it has one at all */
static void test_compat_line(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, NR_syscalls + __NR_ia32_kill);
	const struct syscall_metadata *lseek = known(test, __NR_lseek);
	const struct syscall_metadata *munmap = known(test, __NR_munmap);
	unsigned long args[] = { 0xffffffff, 9, SEEK_CUR };
	struct trace_seq *s = new_seq(test);

	need_names(test);
	print_done(s, meta, args, -ESRCH, true);
	expect_line(test, s, "kill(-1, SIGKILL) = -1 ESRCH");
	args[1] = 0xfffffff0;
	print_done(s, lseek, args, 16, true);
	expect_line(test, s, "lseek(-1, -16, SEEK_CUR) = 16");
	print_done(s, lseek, args, 16, false);
	expect_line(test, s, "lseek(-1, 4294967280, SEEK_CUR) = 16");
	/* An address has half the width there */
	args[0] = 0xf7f76000;
	print_done(s, munmap, args, 0, true);
	expect_line(test, s, "munmap(0xf7f76000, 4294967280) = 0");
}

static void test_line_addresses(struct kunit *test)
{
	const struct syscall_metadata *mmap = known(test, __NR_mmap);
	unsigned long args[] = { 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 0xffffffff, 0 };
	struct trace_seq *s = new_seq(test);

	need_names(test);
	print_done(s, mmap, args, 0x7f0012345000, false);
	expect_line(test, s,
		    "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0012345000");
	print_done(s, mmap, args, -ENOMEM, false);
	expect_line(test, s,
		    "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = -1 ENOMEM");
}

#endif

static struct kunit_case cases[] = {
#ifdef CONFIG_FTRACE_SYSCALL_STRINGS
	KUNIT_CASE(test_string_args),
	KUNIT_CASE(test_line_strings),
	KUNIT_CASE(test_broken_memory),
	KUNIT_CASE(test_memory_of_event),
	KUNIT_CASE(test_read_strings),
	KUNIT_CASE(test_read_bytes),
	KUNIT_CASE(test_read_at_the_end),
	KUNIT_CASE(test_read_nowhere),
	KUNIT_CASE(test_read_more_than_fits),
#endif
#ifdef CONFIG_X86
	KUNIT_CASE(test_table_names),
#if defined(CONFIG_X86_32) || defined(CONFIG_IA32_EMULATION)
	KUNIT_CASE(test_table_names_32),
	KUNIT_CASE(test_halves),
#endif
#endif
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	KUNIT_CASE(test_compat_numbers),
	KUNIT_CASE(test_compat_text),
	KUNIT_CASE(test_compat_line),
	KUNIT_CASE(test_line_addresses),
#endif
	KUNIT_CASE(test_native_numbers),
	KUNIT_CASE(test_no_such_number),
	KUNIT_CASE(test_homes),
	KUNIT_CASE(test_enter_text),
	KUNIT_CASE(test_enter_text_without_args),
	KUNIT_CASE(test_exit_text),
	KUNIT_CASE(test_enter_format),
	KUNIT_CASE(test_kinds),
	KUNIT_CASE(test_line_names),
	KUNIT_CASE(test_line_numbers),
	KUNIT_CASE(test_line_exits),
	KUNIT_CASE(test_line_of_event),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of syscall events");
