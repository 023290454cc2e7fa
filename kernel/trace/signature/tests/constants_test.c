// SPDX-License-Identifier: GPL-2.0
/*
 * The names of constants: the tables are in order, and each kind of family prints what
 * the documentation promises.  What is expected comes from the headers, too, but by way
 * of the compiler alone.
 */
#include <linux/blk_types.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/kallsyms.h>
#include <linux/kdev_t.h>
#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/net.h>
#include <linux/netdev_features.h>
#include <linux/page-flags.h>
#include <linux/sched.h>
#include <linux/socket.h>

#include <asm/ioctls.h>

#include "../constants.h"
#include "../constants/tables.h"
#include "builder.h"

static const char *string(u32 offset)
{
	return ftrace_constants_strings + offset;
}

struct names {
	struct kunit		*test;
	struct trace_seq	*s;
};

static struct names names_new(struct kunit *test)
{
	return (struct names) { .test = test, .s = builder_seq(test) };
}

static void expect_how(struct names *n, const char *family, u64 bits, u32 size,
		       unsigned int how, const char *text)
{
	const struct ftrace_family *found = ftrace_family_by_name(family);

	KUNIT_ASSERT_NOT_NULL_MSG(n->test, found, "%s", family);
	trace_seq_init(n->s);
	ftrace_family_print(n->s, found, bits, size, how);
	KUNIT_EXPECT_STREQ_MSG(n->test, builder_text(n->s), text, "%s", family);
}

static void expect(struct names *n, const char *family, u64 bits, u32 size,
		   const char *text)
{
	expect_how(n, family, bits, size, 0, text);
}

/* The calling convention leaves the upper bits undefined. */
#define DIRT	0xa5a5a5a500000000ULL

static void names_flags(struct kunit *test)
{
	struct names n = names_new(test);

	expect(&n, "open_flags", O_RDONLY, 4, "O_RDONLY");
	expect(&n, "open_flags", O_RDONLY | O_CLOEXEC | DIRT, 4, "O_RDONLY|O_CLOEXEC");
	expect(&n, "open_flags", O_RDWR | O_CREAT | O_TRUNC, 4, "O_RDWR|O_CREAT|O_TRUNC");
	expect(&n, "open_flags", O_WRONLY | O_SYNC, 4, "O_WRONLY|O_SYNC");
	expect(&n, "open_flags", O_WRONLY | O_DSYNC, 4, "O_WRONLY|O_DSYNC");
	expect(&n, "open_flags", O_RDWR | O_TMPFILE, 4, "O_RDWR|O_TMPFILE");
	expect(&n, "open_flags", O_RDWR | O_DIRECTORY, 4, "O_RDWR|O_DIRECTORY");
	expect(&n, "open_flags", O_RDONLY | 0x40000000, 4, "O_RDONLY|0x40000000");
	/* No name is that of all bits of O_ACCMODE */
	expect(&n, "open_flags", O_ACCMODE | O_CLOEXEC, 4, "O_CLOEXEC|0x3");
	/* Of a descriptor alone, nothing is not O_RDONLY */
	expect(&n, "fd_flags", 0, 4, "0");
	expect(&n, "fd_flags", O_CLOEXEC | O_NONBLOCK, 4, "O_NONBLOCK|O_CLOEXEC");
	expect(&n, "fd_flags", O_RDWR | O_CLOEXEC, 4, "O_RDWR|O_CLOEXEC");
	expect(&n, "mmap_prot", PROT_NONE, sizeof(long), "PROT_NONE");
	expect(&n, "mmap_prot", PROT_READ | PROT_WRITE, sizeof(long), "PROT_READ|PROT_WRITE");
	expect(&n, "mmap_prot", 0x40, sizeof(long), "0x40");
	expect(&n, "map", MAP_PRIVATE | MAP_ANONYMOUS, sizeof(long),
	       "MAP_PRIVATE|MAP_ANONYMOUS");
	expect(&n, "map", MAP_ANONYMOUS, sizeof(long), "MAP_ANONYMOUS");
	expect(&n, "may", 0, 4, "0");
	expect(&n, "may", MAY_READ | MAY_NOT_BLOCK, 4, "MAY_READ|MAY_NOT_BLOCK");
	expect(&n, "lookup", LOOKUP_RCU | LOOKUP_FOLLOW, 4, "LOOKUP_FOLLOW|LOOKUP_RCU");
	expect(&n, "futex_op", FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 4,
	       "FUTEX_WAIT|FUTEX_PRIVATE_FLAG");
	expect(&n, "socket_type", SOCK_DGRAM | SOCK_CLOEXEC, 4, "SOCK_DGRAM|SOCK_CLOEXEC");
	expect(&n, "task_state", TASK_RUNNING, 4, "TASK_RUNNING");
	expect(&n, "task_state", TASK_KILLABLE, 4, "TASK_KILLABLE");
	expect(&n, "task_state", TASK_INTERRUPTIBLE | TASK_FREEZABLE, 4,
	       "TASK_INTERRUPTIBLE|TASK_FREEZABLE");
	expect(&n, "task_flags", (u32)PF_SUSPEND_TASK | PF_KTHREAD, 4,
	       "PF_KTHREAD|PF_SUSPEND_TASK");
	expect(&n, "blk_opf", REQ_OP_WRITE | (__force u32)REQ_SYNC, 4,
	       "REQ_OP_WRITE|REQ_SYNC");
}

/* More than 32 bits, the numbers of bits, octal numbers, and what does not fit */
static void names_widths(struct kunit *test)
{
	struct names n = names_new(test);

	expect(&n, "netdev_features", NETIF_F_SG | NETIF_F_HW_TC, 8,
	       "NETIF_F_SG|NETIF_F_HW_TC");
	expect(&n, "netdev_features", NETIF_F_HW_TC, 4, "0");
	expect(&n, "clone", CLONE_VM | CLONE_INTO_CGROUP, 8, "CLONE_VM|CLONE_INTO_CGROUP");
	expect(&n, "page_flags", BIT(PG_locked) | BIT(PG_dirty), sizeof(long),
	       "PG_locked|PG_dirty");
	expect(&n, "mode", S_IFREG | 0644, 2, "S_IFREG|0644");
	expect(&n, "mode", 0, 2, "0000");
	expect(&n, "mode", 0170000, 2, "0170000");
	/* A flag wider than the value is no part of it */
	expect(&n, "open_flags", O_CLOEXEC, 2, "O_RDONLY");
}

static void names_values(struct kunit *test)
{
	struct names n = names_new(test);

	expect(&n, "seek", SEEK_END, 4, "SEEK_END");
	expect(&n, "seek", 77, 4, "77");
	expect_how(&n, "seek", (u32)-3, 4, FTRACE_SIG_SIGNED, "-3");
	expect(&n, "seek", (u32)-3, 4, "4294967293");
	expect_how(&n, "seek", 77, 4, FTRACE_SIG_HEX, "0x4d");
	expect_how(&n, "seek", SEEK_END, 4, FTRACE_SIG_HEX, "SEEK_END");
	expect(&n, "at_fd", (u32)AT_FDCWD | DIRT, 4, "AT_FDCWD");
	expect(&n, "at_fd", (s64)AT_FDCWD, 8, "AT_FDCWD");
	expect_how(&n, "at_fd", 3, 4, FTRACE_SIG_SIGNED, "3");
	/* The same 32 bits, but another number */
	expect(&n, "at_fd", (u32)AT_FDCWD, 8, "4294967196");
	expect(&n, "address_family", AF_UNIX, 2, "AF_UNIX");
	expect(&n, "devices", MKDEV(8, 1), 4, "8:1");
	expect(&n, "masks", 0x81, 4, "0x81");
}

static void names_ioctls(struct kunit *test)
{
	struct names n = names_new(test);

	expect(&n, "ioctls", TCGETS, 4, "TCGETS");
	expect(&n, "ioctls", TIOCGWINSZ | DIRT, 4, "TIOCGWINSZ");
	expect(&n, "ioctls", _IOW('!', 3, u64), 4, "_IOC(_IOC_WRITE, 0x21, 0x3, 0x8)");
	expect(&n, "ioctls", _IO('!', 3), 4, "_IOC(_IOC_NONE, 0x21, 0x3, 0x0)");
	expect(&n, "ioctls", 0x77, 4, "0x77");
}

static void names_addresses(struct kunit *test)
{
	unsigned long start = (unsigned long)vfs_read;
	unsigned long size, offset;
	struct names n = names_new(test);
	char text[128];

	/* Otherwise objtool takes the computed address for a function */
	OPTIMIZER_HIDE_VAR(start);
	KUNIT_ASSERT_TRUE(test, kallsyms_lookup_size_offset(start, &size, &offset));
	KUNIT_ASSERT_EQ(test, offset, 0UL);
	expect(&n, "addresses", start, sizeof(long), "vfs_read");
	snprintf(text, sizeof(text), "vfs_read+0x4/0x%lx", size);
	expect(&n, "addresses", start + 4, sizeof(long), text);
	expect(&n, "addresses", 0, sizeof(long), "0x0");
	expect(&n, "addresses", 0x1234, sizeof(long), "0x1234");
	snprintf(text, sizeof(text), "0x%lx", start);
	expect_how(&n, "addresses", start, sizeof(long), FTRACE_SIG_NO_SYMBOLS, text);
	/* Data has no name: only the text is known not to move */
	snprintf(text, sizeof(text), "0x%lx", (unsigned long)&init_task);
	expect(&n, "addresses", (unsigned long)&init_task, sizeof(long), text);
}

/* What may be an address is hashed in the kernel's log, also behind names. */
static void names_hashed(struct kunit *test)
{
	struct names n = names_new(test);
	u64 secret = (unsigned long)&init_task & ~0xffUL;
	char text[64];

	snprintf(text, sizeof(text), "%llx", secret);
	trace_seq_init(n.s);
	ftrace_family_print(n.s, ftrace_family_by_name("mmap_prot"), secret | PROT_READ,
			    sizeof(long), FTRACE_SIG_HASH);
	KUNIT_EXPECT_NOT_NULL(test, strstr(builder_text(n.s), "PROT_READ|"));
	KUNIT_EXPECT_NULL(test, strstr(builder_text(n.s), text));
}

static const char *family_name(const struct ftrace_family *family)
{
	return family ? string(family->name) : "(none)";
}

static void names_found(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_typedef("vm_flags_t",
								      sizeof(vm_flags_t))),
			   "vm_flags");
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_typedef("kuid_t", 4)),
			   "numbers");
	/* Another type of the same name, and none */
	KUNIT_EXPECT_NULL(test, ftrace_family_of_typedef("gfp_t", 8));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_typedef("gfp", 4));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_typedef("", 4));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_typedef("zzz_t", 4));

	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("do_mmap", "flags")),
			   "map");
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("filename_lookup",
								    "flags")), "lookup");
	/* Any function, known or not */
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("foo", "dfd")), "at_fd");
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param(NULL, "dfd")), "at_fd");
	/* A prefix; the rule for the very function is preferred */
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("__probestub_signal_x",
								    "sig")), "signal");
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("inode_permission",
								    "mask")), "may");
	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_param("foo", "mask")), "masks");
	KUNIT_EXPECT_NULL(test, ftrace_family_of_param("do_mmap", "flag"));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_param("do_mmaps", "flags"));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_param(NULL, "flags"));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_param("do_mmap", ""));

	KUNIT_EXPECT_STREQ(test, family_name(ftrace_family_of_member("open_how", "flags")),
			   "open_flags");
	KUNIT_EXPECT_NULL(test, ftrace_family_of_member("no_struct", "flags"));
	KUNIT_EXPECT_NULL(test, ftrace_family_by_name("no_family"));
}

static void names_errnos(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("vfs_open"), FTRACE_SIG_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("__x64_sys_kcmp"), FTRACE_SIG_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("__do_sys_mmap"), FTRACE_SIG_ERRNO);
	/* It returns a number, or -EPERM */
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("__do_sys_setsid"), FTRACE_SIG_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("ksys_setsid"), FTRACE_SIG_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("task_prio"), FTRACE_SIG_NO_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("calc_load_fold_active"), FTRACE_SIG_NO_ERRNO);
	/* Not in the list */
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("strncmp"), FTRACE_SIG_NO_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("module_cmp_times"), FTRACE_SIG_NO_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("cmp_range"), FTRACE_SIG_NO_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("uuid_compare"), FTRACE_SIG_NO_ERRNO);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("icmp_rcv"), 0);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("ping_icmp"), 0);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("futex_cmpxchg_value_locked"), 0);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno("schedule"), 0);
	KUNIT_EXPECT_EQ(test, ftrace_family_errno(NULL), 0);
	/* It is no family to print by */
	KUNIT_EXPECT_NULL(test, ftrace_family_of_result("vfs_open"));
	KUNIT_EXPECT_NULL(test, ftrace_family_of_result("task_prio"));
}

/* Words are read without a check: all that the tables refer to must be there. */
static void names_in_order(struct kunit *test)
{
	const struct ftrace_family_rules *tables[] = {
		&ftrace_family_typedefs, &ftrace_family_params,
		&ftrace_family_param_prefixes, &ftrace_family_members,
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		KUNIT_EXPECT_GT(test, tables[i]->nr, 0);
		for (j = 0; j < tables[i]->nr; j++) {
			const struct ftrace_family_rule *rule = &tables[i]->rules[j];
			int order;

			KUNIT_ASSERT_LT(test, rule->family, ftrace_families_nr);
			if (!j)
				continue;
			order = strcmp(string(rule[-1].key), string(rule->key));
			if (!order && tables[i] == &ftrace_family_param_prefixes)
				order = rule->size - rule[-1].size;
			if (!order)
				order = strcmp(string(rule[-1].scope), string(rule->scope));
			KUNIT_EXPECT_LT_MSG(test, order, 0, "%s %s", string(rule->key),
					    string(rule->scope));
		}
	}
}

/* A family without constants is a mistake in its line, or lacks a header. */
static void names_not_empty(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ftrace_families_nr; i++) {
		const struct ftrace_family *family = &ftrace_families[i];

		if (family->kind <= FTRACE_FAMILY_IOCTL)
			KUNIT_EXPECT_GT_MSG(test, family->nr, 0, "%s is empty",
					    string(family->name));
		else
			KUNIT_EXPECT_EQ_MSG(test, family->nr, 0, "%s", string(family->name));
	}
}

/* Values of the tables by type and place, as a whole line has them */

struct line {
	struct names		n;
	struct builder		*b;
	struct ftrace_sig_table	table;
	struct ftrace_signature	sig;
};

static struct line *line_new(struct kunit *test)
{
	struct line *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, l);
	l->n = names_new(test);
	l->b = builder_new(test);
	return l;
}

static void line_finish(struct line *l)
{
	void *data;
	u32 size;

	builder_site(l->b, 0x1000, l->b->proto);
	data = builder_finish(l->b, &size);
	KUNIT_ASSERT_NULL(l->n.test, ftrace_sig_table_check(data, size, &l->table));
	l->sig.table = &l->table;
	l->sig.proto = ftrace_sig_site_proto(&l->table, 0);
}

static void expect_params(struct line *l, const unsigned long *words, u32 nr,
			  unsigned int how, const char *func, const char *text)
{
	trace_seq_init(l->n.s);
	ftrace_sig_print_params(l->n.s, &l->sig, words, nr, NULL, how, func);
	KUNIT_EXPECT_STREQ(l->n.test, builder_text(l->n.s), text);
}

static void names_in_params(struct kunit *test)
{
	const unsigned long words[] = { AT_FDCWD, O_RDONLY | O_CLOEXEC, 1000 };
	struct line *l = line_new(test);
	u32 num = builder_int(l->b, "int", 4, FTRACE_SIG_INT_SIGNED);
	u32 kuid = builder_ref(l->b, FTRACE_SIG_TYPEDEF, "kuid_t",
			       builder_struct(l->b, "", 4), 4);

	builder_proto(l->b, num, FTRACE_SIG_RET_WORD, 0);
	builder_param(l->b, "dfd", num, 0, 1);
	builder_param(l->b, "flags", num, 1, 1);
	builder_param(l->b, "uid", kuid, 2, 1);
	line_finish(l);

	expect_params(l, words, 3, 0, "do_sys_open", "dfd=-100, flags=524288, uid={0x3e8}");
	expect_params(l, words, 3, FTRACE_SIG_NAMES, "do_sys_open",
		      "dfd=AT_FDCWD, flags=O_RDONLY|O_CLOEXEC, uid=1000");
	expect_params(l, words, 3, FTRACE_SIG_NAMES, "foo",
		      "dfd=AT_FDCWD, flags=524288, uid=1000");
	expect_params(l, words, 3, FTRACE_SIG_NAMES, NULL,
		      "dfd=AT_FDCWD, flags=524288, uid=1000");
}

/* A parameter may have the name of another thing: a type that cannot be meant */
static void names_not_taken(struct kunit *test)
{
	const unsigned long words[] = { 1, 5, (unsigned long)vfs_read };
	struct line *l = line_new(test);
	char text[64];

	snprintf(text, sizeof(text), "dfd=true, mask=5, ip=%u", (u32)words[2]);
	builder_proto(l->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(l->b, "dfd", builder_int(l->b, "_Bool", 1, FTRACE_SIG_INT_BOOL), 0, 1);
	builder_param(l->b, "mask", builder_int(l->b, "int", 4, FTRACE_SIG_INT_SIGNED), 1, 1);
	builder_param(l->b, "ip", builder_int(l->b, "unsigned int", 4, 0), 2, 1);
	line_finish(l);
	expect_params(l, words, 3, FTRACE_SIG_NAMES, "foo", text);
}

static void expect_ret(struct line *l, long retval, unsigned int how, const char *func,
		       const char *text)
{
	trace_seq_init(l->n.s);
	ftrace_sig_print_ret(l->n.s, &l->sig, retval, NULL, how, func);
	KUNIT_EXPECT_STREQ(l->n.test, builder_text(l->n.s), text);
}

static void names_in_results(struct kunit *test)
{
	struct line *l = line_new(test);
	u32 num = builder_int(l->b, "int", 4, FTRACE_SIG_INT_SIGNED);

	builder_proto(l->b, num, FTRACE_SIG_RET_WORD, 0);
	line_finish(l);

	expect_ret(l, -1, 0, "vfs_open", "-1 (-EPERM)");
	expect_ret(l, -1, 0, "foo", "-1");
	expect_ret(l, -2, 0, "foo", "-2 (-ENOENT)");
	expect_ret(l, -51, 0, "task_prio", "-51");
	expect_ret(l, -2, 0, NULL, "-2 (-ENOENT)");
	expect_ret(l, -1, FTRACE_SIG_NAMES, "strncmp", "-1");
	expect_ret(l, -2, FTRACE_SIG_NAMES, "strncmp", "-2");
	expect_ret(l, -51, FTRACE_SIG_NAMES, "task_prio", "-51");
	expect_ret(l, -1, FTRACE_SIG_NAMES, "foo", "-1");
	expect_ret(l, -1, FTRACE_SIG_NAMES, "hrtimer_try_to_cancel", "-1");
	expect_ret(l, -1, FTRACE_SIG_NAMES, NULL, "-1");
	expect_ret(l, -2, FTRACE_SIG_NAMES, "foo", "-2 (-ENOENT)");
	expect_ret(l, -1, FTRACE_SIG_NAMES, "vfs_open", "-1 (-EPERM)");
	expect_ret(l, -13, FTRACE_SIG_NAMES, "vfs_open", "-13 (-EACCES)");

	/* Addresses of programs, or errnos */
	expect_ret(l, 0x7fff1000, FTRACE_SIG_NAMES, "__do_sys_mmap", "0x7fff1000");
	expect_ret(l, -0x48001000L, FTRACE_SIG_NAMES, "__do_sys_brk", "0xb7fff000");
	expect_ret(l, -1, FTRACE_SIG_NAMES, "__do_sys_mmap", "-1 (-EPERM)");
	expect_ret(l, -12, FTRACE_SIG_NAMES, "__do_sys_mmap", "-12 (-ENOMEM)");
	expect_ret(l, -4095, FTRACE_SIG_NAMES, "__do_sys_mmap", "-4095");
	expect_ret(l, -4096, FTRACE_SIG_NAMES, "__do_sys_mmap", "0xfffff000");
	expect_ret(l, 4096, 0, "__do_sys_mmap", "4096");
}

static struct kunit_case constants_cases[] = {
	KUNIT_CASE(names_flags),
	KUNIT_CASE(names_widths),
	KUNIT_CASE(names_values),
	KUNIT_CASE(names_ioctls),
	KUNIT_CASE(names_addresses),
	KUNIT_CASE(names_hashed),
	KUNIT_CASE(names_found),
	KUNIT_CASE(names_errnos),
	KUNIT_CASE(names_in_order),
	KUNIT_CASE(names_not_empty),
	KUNIT_CASE(names_in_params),
	KUNIT_CASE(names_not_taken),
	KUNIT_CASE(names_in_results),
	{}
};

static struct kunit_suite constants_suite = {
	.name = "ftrace_signature_constants",
	.test_cases = constants_cases,
};

kunit_test_suite(constants_suite);
