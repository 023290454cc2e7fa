// SPDX-License-Identifier: GPL-2.0
/*
 * Paths: what leads to a dentry, a file or an inode.
 *
 * The walk goes up from the dentry, through its mounts, to the root of the mount
 * namespace, and takes no lock.  A path is never put together of names from different
 * times, because:
 *
 * - Whoever changes a name or a parent of a dentry holds rename_lock for writing.  If its
 *   count is odd, or another one after the walk, only the last name is shown.
 * - The last name is shown only if the dentry's d_seq was even, and has not changed.
 * - Whoever moves a mount holds mount_lock for writing.  If its count is odd, or another
 *   one after the walk, only the part within the dentry's own mount is shown.
 *
 * An address may lead to something that is no dentry, or no longer.  So each name must be
 * as long as its dentry says, end with NUL, and have no slash; and all dentries between two
 * mounts are of one superblock.
 *
 * The walk has a bound, and there may be no room for the whole path.  A path of which the
 * beginning is not known is shown with three dots before it.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/proc_ns.h>
#include <linux/seqlock.h>
#include <linux/string.h>

#include "../../../../fs/internal.h"
#include "../../../../fs/mount.h"
#include "form.h"

/* Names and mounts that are passed at most */
#define MAX_STEPS	16

enum {
	SHOW_UNKNOWN,
	SHOW_NULL,
	SHOW_PATH,	/* the text is a path */
	/* The following ones have the inode's number before the text */
	SHOW_ANON,	/* the text is what an anonymous inode is for */
	SHOW_NS,	/* the text is the kind of a namespace */
	SHOW_MEMORY,	/* the text is the name of memory that is a file */
	SHOW_PIPE,
	SHOW_SOCKET,
};

#define PATH_CUT	BIT(0)	/* the beginning is not known */
#define PATH_DELETED	BIT(1)

/* What is stored before a path's text */
struct path_head {
	u8	show;
	u8	flags;
	u8	length;
};

/* A path's text, which grows towards lower addresses: [start, end) */
struct path_text {
	char		*buffer;
	unsigned int	start;
	unsigned int	end;
	unsigned int	last;	/* start of the last name */
	unsigned int	own;	/* start of what is within the dentry's own mount */
	bool		whole;
};

struct dentry_copy {
	unsigned long	address;
	unsigned long	parent;
	unsigned long	sb;
	unsigned long	name;
	u32		length;
	u32		seq;
};

static u32 count_of(const seqlock_t *lock)
{
	return READ_ONCE(lock->seqcount.seqcount.sequence);
}

static bool read_dentry(struct dentry_copy *d, unsigned long address)
{
	d->address = address;
	if (!ftrace_peek_member(&d->seq, address, struct dentry, d_seq.seqcount.sequence))
		return false;
	smp_rmb();	/* names are read after the count, and before it is read again */
	return ftrace_peek_member(&d->parent, address, struct dentry, d_parent) &&
	       ftrace_peek_member(&d->sb, address, struct dentry, d_sb) &&
	       ftrace_peek_member(&d->name, address, struct dentry, d_name.name) &&
	       ftrace_peek_member(&d->length, address, struct dentry, d_name.len);
}

static bool is_unchanged(const struct dentry_copy *d)
{
	u32 seq;

	smp_rmb();	/* see read_dentry() */
	return ftrace_peek_member(&seq, d->address, struct dentry, d_seq.seqcount.sequence) &&
	       seq == d->seq && !(seq & 1);
}

static bool is_name(const char *text, unsigned int length)
{
	unsigned int i;

	for (i = 0; i < length; i++)
		if (!text[i] || text[i] == '/')
			return false;
	return length && !text[length];
}

/* Put a slash and the name before the text.  The name's NUL overwrites the slash there. */
static bool add_name(struct path_text *t, const struct dentry_copy *d)
{
	bool first = t->start == t->end;
	char *name = t->buffer + t->start - d->length;
	bool good;

	if (d->length > NAME_MAX || d->length >= t->start)
		return false;
	good = ftrace_peek(name, d->name, d->length + 1) && is_name(name, d->length) &&
	       is_unchanged(d);
	if (!first)
		t->buffer[t->start] = '/';
	if (!good)
		return false;
	name[-1] = '/';
	t->start -= d->length + 1;
	if (first)
		t->last = t->start;
	return true;
}

/* Whether paths of this mount, which has no parent, begin in a namespace's root */
static bool is_top(unsigned long mount)
{
	unsigned long ns;
	u64 seq;

	return ftrace_peek_member(&ns, mount, struct mount, mnt_ns) &&
	       !IS_ERR_OR_NULL((void *)ns) &&
	       ftrace_peek_member(&seq, ns, struct mnt_namespace, seq) && seq;
}

/* For a last name that there is no room for: as much of its end as there is room for */
static void add_end_of_name(struct path_text *t, const struct dentry_copy *d)
{
	unsigned int length = t->start;
	char *text = t->buffer;

	if (d->length > NAME_MAX || d->length < length ||
	    !ftrace_peek(text, d->name + d->length - length, length + 1) ||
	    !is_name(text, length) || !is_unchanged(d))
		return;
	t->start = 0;
	t->last = 0;
}

/* From the root of a mount to where it is mounted; false if it ends here */
static bool leave_mount(struct path_text *t, unsigned long *mount, unsigned long *dentry)
{
	unsigned long parent;

	if (t->own == t->end)
		t->own = t->start;
	if (!ftrace_peek_member(&parent, *mount, struct mount, mnt_parent))
		return false;
	if (parent == *mount) {
		t->whole = is_top(*mount);
		return false;
	}
	if (!ftrace_peek_member(dentry, *mount, struct mount, mnt_mountpoint))
		return false;
	*mount = parent;
	return true;
}

static void walk(struct path_text *t, unsigned long mount, unsigned long dentry)
{
	unsigned long root, sb = 0;
	bool same_mount = false;
	struct dentry_copy d;
	unsigned int steps;

	for (steps = 0; steps < MAX_STEPS; steps++) {
		if (mount && !ftrace_peek_member(&root, mount, struct mount, mnt.mnt_root))
			return;
		if (mount && root == dentry) {
			if (!leave_mount(t, &mount, &dentry))
				return;
			same_mount = false;
			continue;
		}
		if (!read_dentry(&d, dentry) || d.parent == dentry)
			return;
		if (same_mount && d.sb != sb)
			return;
		if (!add_name(t, &d)) {
			if (t->start == t->end)
				add_end_of_name(t, &d);
			return;
		}
		same_mount = true;
		sb = d.sb;
		dentry = d.parent;
	}
}

/* Walk, and keep what is known to have been true at one time. */
static void find_path(struct path_text *t, unsigned long mount, unsigned long dentry)
{
	u32 renames = count_of(&rename_lock), mounts = count_of(&mount_lock);

	smp_rmb();	/* counts are read before all of the walk, and after it */
	walk(t, mount, dentry);
	smp_rmb();	/* the same, for the counts after it */
	if (renames & 1 || renames != count_of(&rename_lock)) {
		t->whole = false;
		t->start = t->last;
	} else if (mount && (mounts & 1 || mounts != count_of(&mount_lock))) {
		t->whole = false;
		t->start = t->own == t->end ? t->start : t->own;
	}
}

/* As d_path(), but a dentry that has no inode yet is not deleted */
static bool is_deleted(unsigned long dentry)
{
	unsigned long parent, pprev, inode;

	return ftrace_peek_member(&pprev, dentry, struct dentry, d_hash.pprev) && !pprev &&
	       ftrace_peek_member(&inode, dentry, struct dentry, d_inode) && inode &&
	       ftrace_peek_member(&parent, dentry, struct dentry, d_parent) &&
	       parent != dentry;
}

static bool is_root(unsigned long mount, unsigned long dentry)
{
	unsigned long root;

	if (mount && ftrace_peek_member(&root, mount, struct mount, mnt.mnt_root) &&
	    root == dentry)
		return true;
	return ftrace_peek_member(&root, dentry, struct dentry, d_parent) && root == dentry;
}

static bool put_path(struct form_writer *w, unsigned long mount, unsigned long dentry)
{
	struct path_head head = { .show = SHOW_PATH };
	struct path_text t = { .buffer = w->to + sizeof(head) };

	/* One byte is for the NUL of the last name */
	t.end = min_t(unsigned int, w->room - sizeof(head), U8_MAX + 1) - 1;
	t.start = t.end;
	t.last = t.end;
	t.own = t.end;
	find_path(&t, mount, dentry);
	if (t.start == t.end && is_root(mount, dentry))
		t.buffer[--t.start] = '/';
	if (t.start == t.end)
		head.show = SHOW_UNKNOWN;
	if (!t.whole)
		head.flags |= PATH_CUT;
	if (is_deleted(dentry))
		head.flags |= PATH_DELETED;
	head.length = t.end - t.start;
	form_put(w, &head, sizeof(head));
	memmove(w->to, t.buffer + t.start, head.length);
	w->to += head.length;
	w->room -= head.length;
	return true;
}

#define PUT_MEMBER(w, from, type, member)					\
	form_put_memory(w, (from) + offsetof(type, member), sizeof_field(type, member))

/*
 * What stands for a path when paths are compared, because a walk takes long and can fail.
 * It is the same if a directory above the last one is renamed or mounted elsewhere.  The
 * hash of the last name stands for the name.
 */
static bool put_place(struct form_writer *w, unsigned long mount, unsigned long dentry)
{
	bool deleted = is_deleted(dentry);

	form_put(w, &mount, sizeof(mount));
	form_put(w, &dentry, sizeof(dentry));
	PUT_MEMBER(w, dentry, struct dentry, d_parent);
	PUT_MEMBER(w, dentry, struct dentry, d_name.hash_len);
	form_put(w, &deleted, sizeof(deleted));
	return true;
}

/* A file that has no path: its number, and its name if @text is one */
static bool put_nameless(struct form_writer *w, u8 show, unsigned long inode,
			 unsigned long text)
{
	struct path_head head = { .show = show };
	struct form_writer start = *w;
	enum ftrace_peek_end end;
	unsigned long number = 0;

	if (!ftrace_peek_member(&number, inode, struct inode, i_ino))
		head.show = SHOW_UNKNOWN;
	w->to += sizeof(head);
	w->room -= sizeof(head);
	form_put(w, &number, sizeof(number));
	if (text) {
		head.length = ftrace_peek_string(w->to, text, min(w->room, 64), &end);
		w->to += head.length;
		w->room -= head.length;
		if (end == FTRACE_PEEK_FAULT)
			head.show = SHOW_UNKNOWN;
	}
	return form_put(&start, &head, sizeof(head));
}

/* What a file of the filesystem nsfs is for */
static unsigned long ns_name(unsigned long inode)
{
	unsigned long ns, ops, name;

	if (ftrace_peek_member(&ns, inode, struct inode, i_private) &&
	    ftrace_peek_member(&ops, ns, struct ns_common, ops) &&
	    ftrace_peek_member(&name, ops, struct proc_ns_operations, name))
		return name;
	return 0;
}

/* A file that its filesystem names, instead of a path; false if it is another one */
static bool put_special(struct form_writer *w, unsigned long dentry)
{
	unsigned long ops, dname, sb, magic, inode, name;

	if (!ftrace_peek_member(&ops, dentry, struct dentry, d_op) || !ops ||
	    !ftrace_peek_member(&dname, ops, struct dentry_operations, d_dname) || !dname ||
	    !ftrace_peek_member(&sb, dentry, struct dentry, d_sb) ||
	    !ftrace_peek_member(&magic, sb, struct super_block, s_magic) ||
	    !ftrace_peek_member(&inode, dentry, struct dentry, d_inode) ||
	    !ftrace_peek_member(&name, dentry, struct dentry, d_name.name))
		return false;
	switch (magic) {
	case PIPEFS_MAGIC:
		return put_nameless(w, SHOW_PIPE, inode, 0);
	case SOCKFS_MAGIC:
		return put_nameless(w, SHOW_SOCKET, inode, 0);
	case ANON_INODE_FS_MAGIC:
		return put_nameless(w, SHOW_ANON, inode, name);
	case NSFS_MAGIC:
		return put_nameless(w, SHOW_NS, inode, ns_name(inode));
	}
	if (dname == (unsigned long)simple_dname)
		return put_nameless(w, SHOW_MEMORY, inode, name);
	form_put_no_path(w);
	return true;
}

/**
 * form_put_no_path - note that a path is not known
 * @w: where
 */
void form_put_no_path(struct form_writer *w)
{
	static const struct path_head unknown = { .show = SHOW_UNKNOWN };

	form_put(w, &unknown, sizeof(unknown));
}

/**
 * form_put_path - copy the path to a dentry, or what stands for it
 * @w: where to
 * @mnt: address of the struct vfsmount that it is reached by, or 0 if that is not known
 * @dentry: its address
 *
 * Return: whether the dentry can be read.
 */
bool form_put_path(struct form_writer *w, unsigned long mnt, unsigned long dentry)
{
	static const struct path_head null = { .show = SHOW_NULL };
	unsigned long mount = mnt ? mnt - offsetof(struct mount, mnt) : 0;
	u32 flags;

	if (!dentry)
		return form_put(w, &null, sizeof(null));
	if (w->full || w->room < sizeof(struct path_head) + sizeof(long) + 2 ||
	    !ftrace_peek_member(&flags, dentry, struct dentry, d_flags)) {
		form_put_no_path(w);
		return false;
	}
	if (put_special(w, dentry))
		return true;
	return w->compare ? put_place(w, mount, dentry) : put_path(w, mount, dentry);
}

/**
 * form_put_file - copy the path to a file
 * @w: where to
 * @file: address of a struct file, or 0
 *
 * Return: whether the file can be read.
 */
bool form_put_file(struct form_writer *w, unsigned long file)
{
	unsigned long mnt, dentry;

	if (!file)
		return form_put_path(w, 0, 0);
	if (!ftrace_peek_member(&mnt, file, struct file, f_path.mnt) ||
	    !ftrace_peek_member(&dentry, file, struct file, f_path.dentry)) {
		form_put_no_path(w);
		return false;
	}
	form_put_path(w, mnt, dentry);
	return true;
}

static void print_prefixed(struct trace_seq *s, const char *prefix, const char *text,
			   unsigned int length, const char *suffix)
{
	char buffer[U8_MAX + 48];
	int size = scnprintf(buffer, sizeof(buffer), "%s%.*s%s", prefix, (int)length, text,
			     suffix);

	ftrace_sig_print_text(s, buffer, size, false);
}

static void print_path(struct trace_seq *s, const struct path_head *head,
		       const char *text, unsigned long number)
{
	char digits[32];

	switch (head->show) {
	case SHOW_NULL:
		trace_seq_puts(s, "NULL");
		return;
	case SHOW_PATH:
		if (head->flags & PATH_CUT)
			trace_seq_puts(s, "...");
		ftrace_sig_print_text(s, text, head->length, false);
		if (head->flags & PATH_DELETED)
			trace_seq_puts(s, " (deleted)");
		return;
	case SHOW_ANON:
		print_prefixed(s, "anon_inode:", text, head->length, "");
		return;
	case SHOW_MEMORY:
		print_prefixed(s, "/", text, head->length, "");
		trace_seq_puts(s, " (deleted)");
		return;
	}
	scnprintf(digits, sizeof(digits), ":[%lu]", number);
	if (head->show == SHOW_PIPE)
		print_prefixed(s, "pipe", "", 0, digits);
	else if (head->show == SHOW_SOCKET)
		print_prefixed(s, "socket", "", 0, digits);
	else if (head->show == SHOW_NS && head->length)
		print_prefixed(s, "", text, head->length, digits);
	else
		trace_seq_putc(s, '?');
}

/**
 * form_print_path - print what form_put_path() or form_put_file() stored
 * @s: where to
 * @r: what was stored, or anything else
 */
void form_print_path(struct trace_seq *s, struct form_reader *r)
{
	unsigned long number = 0;
	struct path_head head;
	char text[U8_MAX];

	if (!form_get(r, &head, sizeof(head)) ||
	    (head.show > SHOW_PATH && !form_get(r, &number, sizeof(number))) ||
	    !form_get(r, text, head.length))
		trace_seq_putc(s, '?');
	else
		print_path(s, &head, text, number);
}

static void path_print(struct trace_seq *s, const void *data, unsigned int size,
		       unsigned int how)
{
	struct form_reader r = { data, size };

	/* Without braces, NULL would be the structure's own address */
	if (size && *r.from == SHOW_NULL)
		trace_seq_puts(s, "{NULL}");
	else
		form_print_path(s, &r);
}

static bool path_capture(struct form_writer *w, unsigned long address)
{
	unsigned long mnt, dentry;

	if (!ftrace_peek_member(&mnt, address, struct path, mnt) ||
	    !ftrace_peek_member(&dentry, address, struct path, dentry))
		return false;
	form_put_path(w, mnt, dentry);
	return true;
}

FORM_FUNCTIONS(path, struct path);

static bool dentry_capture(struct form_writer *w, unsigned long address)
{
	return address && form_put_path(w, 0, address);
}

#define dentry_print path_print
FORM_FUNCTIONS(dentry, struct dentry);

static bool file_capture(struct form_writer *w, unsigned long address)
{
	return address && form_put_file(w, address);
}

#define file_print path_print
FORM_FUNCTIONS(file, struct file);

/* Where a mount is mounted */
static bool vfsmount_capture(struct form_writer *w, unsigned long address)
{
	unsigned long root, mount = address - offsetof(struct mount, mnt);

	if (!ftrace_peek_member(&root, address, struct vfsmount, mnt_root))
		return false;
	if (w->compare) {
		PUT_MEMBER(w, mount, struct mount, mnt_parent);
		PUT_MEMBER(w, mount, struct mount, mnt_mountpoint);
	}
	form_put_path(w, address, root);
	return true;
}

#define vfsmount_print path_print
FORM_FUNCTIONS(vfsmount, struct vfsmount);

static const struct form_member inode_members[] = {
	MEMBER("", struct inode, i_mode, form_mode),
	MEMBER("ino", struct inode, i_ino, form_unsigned),
	MEMBER_OF("dev", struct inode, i_sb, struct super_block, s_dev, form_dev),
};

/* One of the inode's dentries, or 0 */
static unsigned long alias_of(unsigned long inode)
{
	unsigned long alias, dentry, back;

	if (!ftrace_peek_member(&alias, inode, struct inode, i_dentry.first) || !alias)
		return 0;
	dentry = alias - offsetof(struct dentry, d_u.d_alias);
	if (!ftrace_peek_member(&back, dentry, struct dentry, d_inode) || back != inode)
		return 0;
	return dentry;
}

static bool inode_capture(struct form_writer *w, unsigned long address)
{
	if (!form_put_members(w, inode_members, ARRAY_SIZE(inode_members), address))
		return false;
	form_put_path(w, 0, alias_of(address));
	return true;
}

static void inode_print(struct trace_seq *s, const void *data, unsigned int size,
			unsigned int how)
{
	struct form_reader r = { data, size };

	trace_seq_putc(s, '{');
	form_print_list(inode_members, ARRAY_SIZE(inode_members), s, &r, how);
	if (r.left && *r.from != SHOW_NULL) {
		trace_seq_puts(s, ", ");
		form_print_path(s, &r);
	}
	trace_seq_putc(s, '}');
}

FORM_FUNCTIONS(inode, struct inode);

/* A name of which the length is known */
static bool qstr_capture(struct form_writer *w, unsigned long address)
{
	unsigned long name;
	u32 length;

	if (!ftrace_peek_member(&name, address, struct qstr, name) ||
	    !ftrace_peek_member(&length, address, struct qstr, len))
		return false;
	form_put_string(w, name, length);
	return true;
}

static void qstr_print(struct trace_seq *s, const void *data, unsigned int size,
		       unsigned int how)
{
	struct form_reader r = { data, size };

	form_print_string(s, &r);
}

FORM_FUNCTIONS(qstr, struct qstr);

FORM_OF_STRUCT(filename, STRING("", struct filename, name));
