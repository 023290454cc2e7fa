// SPDX-License-Identifier: GPL-2.0
/* Files and file systems, and waiting for files. */
#include <linux/compat.h>
#include <linux/dirent.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kdev_t.h>
#include <linux/openat2.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <linux/statfs.h>
#include <linux/string.h>
#include <linux/termios.h>
#ifdef CONFIG_COMPAT
#include <asm/ia32.h>
#endif

#include "trace_syscalls_forms.h"

static u64 member_of(const struct trace_syscall_member *m, const void *bytes)
{
	u64 bits = 0;

	memcpy(&bits, bytes + m->offset, min_t(unsigned int, m->size, sizeof(bits)));
	return bits;
}

/* stat: the mode and the size, or the device that a file stands for */

enum { STAT_MODE, STAT_SIZE, STAT_RDEV };

#define MEMBERS_STAT(_type)							\
{										\
	NAMES(_type, st_mode, "mode"),						\
	MEMBER(_type, st_size, trace_syscall_signed),				\
	MEMBER(_type, st_rdev, trace_syscall_hex),				\
}

static struct trace_syscall_member stat_members[] __ro_after_init = MEMBERS_STAT(struct stat);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_stat_members[] __ro_after_init =
	MEMBERS_STAT(struct compat_stat);
#endif
static struct trace_syscall_member stat64_members[] __ro_after_init =
/* On x86-64, only programs of 32 bits have it, and not those of x32 */
#if (defined(CONFIG_COMPAT) && !defined(CONFIG_X86)) || defined(CONFIG_IA32_EMULATION) || \
	!defined(CONFIG_64BIT)
	MEMBERS_STAT(struct stat64);
#define STAT64	struct stat64
#else
	MEMBERS_STAT(struct stat);
#define STAT64	struct stat
#endif

static bool print_stat(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, p->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	const struct trace_syscall_member *m;
	u64 mode;
	dev_t dev;

	if (!layout || !piece || piece->head != layout->size)
		return false;
	m = layout->members;
	mode = member_of(&m[STAT_MODE], piece->bytes);
	trace_seq_puts(p->s, "{st_mode=");
	m->print(p->s, m, mode);
	if (S_ISCHR(mode) || S_ISBLK(mode)) {
		dev = new_decode_dev(member_of(&m[STAT_RDEV], piece->bytes));
		trace_seq_printf(p->s, ", st_rdev=makedev(%#x, %#x), ...}", MAJOR(dev),
				 MINOR(dev));
	} else {
		trace_seq_puts(p->s, ", st_size=");
		trace_syscall_signed(p->s, &m[STAT_SIZE],
				     member_of(&m[STAT_SIZE], piece->bytes));
		trace_seq_puts(p->s, ", ...}");
	}
	return true;
}

const struct trace_syscall_form trace_syscall_form_stat = {
	.type	= "struct stat",
	.read	= trace_syscall_read_struct,
	.print	= print_stat,
	.native	= LAYOUT(struct stat, stat_members),
	COMPAT_LAYOUT(struct compat_stat, compat_stat_members)
};

const struct trace_syscall_form trace_syscall_form_stat64 = {
	.type	= "struct stat64",
	.read	= trace_syscall_read_struct,
	.print	= print_stat,
	.native	= LAYOUT(STAT64, stat64_members),
	COMPAT_LAYOUT(STAT64, stat64_members)
};

static struct trace_syscall_member statx_members[] __ro_after_init = {
	NAMES(struct statx, stx_mask, "statx_mask"),
	NAMES(struct statx, stx_attributes, "statx_attributes"),
	NAMES(struct statx, stx_mode, "mode"),
	MEMBER(struct statx, stx_size, trace_syscall_unsigned),
};

const struct trace_syscall_form trace_syscall_form_statx = {
	.type	= "struct statx",
	STRUCT_FORM,
	.native	= LAYOUT_MORE(struct statx, statx_members),
	COMPAT_LAYOUT_MORE(struct statx, statx_members)
};

/* Half of an array of two */
static void print_first(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_puts(s, "{val=[");
	trace_syscall_hex(s, m, bits);
}

static void print_second(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_puts(s, ", ");
	trace_syscall_hex(s, m, bits);
	trace_seq_puts(s, "]}");
}

#define MEMBERS_STATFS(_type)							\
{										\
	NAMES(_type, f_type, "fs_magic"),					\
	MEMBER(_type, f_bsize, trace_syscall_unsigned),				\
	MEMBER(_type, f_blocks, trace_syscall_unsigned),			\
	MEMBER(_type, f_bfree, trace_syscall_unsigned),				\
	MEMBER(_type, f_bavail, trace_syscall_unsigned),			\
	MEMBER(_type, f_files, trace_syscall_unsigned),				\
	MEMBER(_type, f_ffree, trace_syscall_unsigned),				\
	LABELLED("f_fsid", _type, f_fsid.val[0], print_first),			\
	LABELLED(NULL, _type, f_fsid.val[1], print_second),			\
	MEMBER(_type, f_namelen, trace_syscall_unsigned),			\
	MEMBER(_type, f_frsize, trace_syscall_unsigned),			\
	NAMES(_type, f_flags, "statfs_flags"),					\
}

static struct trace_syscall_member statfs_members[] __ro_after_init =
	MEMBERS_STATFS(struct statfs);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_statfs_members[] __ro_after_init =
	MEMBERS_STATFS(struct compat_statfs);
#endif

const struct trace_syscall_form trace_syscall_form_statfs = {
	.type	= "struct statfs",
	STRUCT_FORM,
	.native	= LAYOUT(struct statfs, statfs_members),
	COMPAT_LAYOUT(struct compat_statfs, compat_statfs_members)
};

static struct trace_syscall_member statfs64_members[] __ro_after_init =
	MEMBERS_STATFS(struct statfs64);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_statfs64_members[] __ro_after_init =
	MEMBERS_STATFS(struct compat_statfs64);
#endif

const struct trace_syscall_form trace_syscall_form_statfs64 = {
	.type	= "struct statfs64",
	STRUCT_FORM,
	.native	= LAYOUT(struct statfs64, statfs64_members),
	COMPAT_LAYOUT(struct compat_statfs64, compat_statfs64_members)
};

/* A longer structure has members that this kernel does not know; the syscall then fails */
static void read_open_how(struct trace_syscall_reader *r,
			  const struct trace_syscall_form *form, unsigned long address,
			  unsigned long count)
{
	if (count >= sizeof(struct open_how))
		trace_syscall_read(r, address, sizeof(struct open_how));
}

static bool print_open_how(struct trace_syscall_printer *p,
			   const struct trace_syscall_form *form, unsigned long address,
			   unsigned long count)
{
	struct open_how how;

	if (!trace_syscall_next_whole(p, &how, sizeof(how)))
		return false;
	trace_seq_puts(p->s, "{flags=");
	trace_syscall_print_family(p->s, "open_flags", how.flags, sizeof(how.flags));
	if (how.mode || how.flags & (O_CREAT | __O_TMPFILE))
		trace_seq_printf(p->s, how.mode ? ", mode=0%llo" : ", mode=%llu", how.mode);
	trace_seq_puts(p->s, ", resolve=");
	trace_syscall_print_family(p->s, "resolve", how.resolve, sizeof(how.resolve));
	trace_seq_puts(p->s, count > sizeof(how) ? ", ...}" : "}");
	return true;
}

const struct trace_syscall_form trace_syscall_form_open_how = {
	.read	= read_open_how,
	.print	= print_open_how,
};

/* Directories are not shown, but their entries are counted, of those read at once */

#define MOST_ENTRIES_SIZE	(64 * 1024)

/* In both kinds, after two numbers, a word has the size of an entry */
static void read_dirents(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	bool wide = form == &trace_syscall_form_dirents64;
	unsigned int at = wide ? offsetof(struct linux_dirent64, d_reclen) :
				 2 * trace_syscall_long_size(r->words32);
	unsigned long end = address + min_t(unsigned long, count, MOST_ENTRIES_SIZE);
	u32 entries = 0;
	u16 size;

	while (address < end) {
		if (!trace_syscall_try(r, &size, address + at, sizeof(size)) ||
		    size <= at) {
			trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_UNKNOWN);
			return;
		}
		entries++;
		address += size;
	}
	if (count <= MOST_ENTRIES_SIZE)
		trace_syscall_put(r, &entries, sizeof(entries));
}

static bool print_dirents(struct trace_syscall_printer *p,
			  const struct trace_syscall_form *form, unsigned long address,
			  unsigned long count)
{
	u32 entries;

	if (!trace_syscall_next_whole(p, &entries, sizeof(entries)))
		return false;
	trace_syscall_print_pointer(p->s, address);
	trace_seq_printf(p->s, " /* %u entries */", entries);
	return true;
}

const struct trace_syscall_form trace_syscall_form_dirents = {
	.read	= read_dirents,
	.print	= print_dirents,
};

const struct trace_syscall_form trace_syscall_form_dirents64 = {
	.read	= read_dirents,
	.print	= print_dirents,
};

/* poll: what is waited for is printed as an argument, what came behind the result */

static struct trace_syscall_member pollfd_members[] __ro_after_init = {
	MEMBER(struct pollfd, fd, trace_syscall_signed),
	NAMES(struct pollfd, events, "poll_bits"),
};

static struct trace_syscall_member polled_members[] __ro_after_init = {
	MEMBER(struct pollfd, fd, trace_syscall_signed),
	NAMES(struct pollfd, revents, "poll_bits"),
};

static const struct trace_syscall_layout polled = LAYOUT(struct pollfd, polled_members);

/* Only those that something came from */
static void print_polled(struct trace_syscall_printer *p)
{
	const struct trace_syscall_piece *piece;
	const char *separator = "[";
	struct pollfd fd;

	while ((piece = trace_syscall_next(p)) && piece->head == sizeof(fd)) {
		memcpy(&fd, piece->bytes, sizeof(fd));
		if (!fd.revents)
			continue;
		trace_seq_puts(p->s, separator);
		trace_syscall_print_members(p->s, &polled, piece->bytes);
		separator = ", ";
	}
	trace_syscall_print_end(p->s, piece, separator);
}

static bool print_pollfd(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	if (!(p->of & TRACE_SYSCALL_OUT))
		return trace_syscall_print_array(p, form, address, count);
	print_polled(p);
	return true;
}

const struct trace_syscall_form trace_syscall_form_pollfd = {
	.read	= trace_syscall_read_array,
	.print	= print_pollfd,
	.native	= LAYOUT(struct pollfd, pollfd_members),
	COMPAT_LAYOUT(struct pollfd, pollfd_members)
};

/* The families of what no form has as its own are found with those of this one */
const struct trace_syscall_form trace_syscall_form_polled = {
	.read	= trace_syscall_read_array,
	.print	= trace_syscall_print_array,
	.native	= LAYOUT(struct pollfd, polled_members),
};

/*
 * select: sets of bits in words. The kernel looks at no more descriptors than the task has
 * room for, and of the sets it gives as many as it took.
 */

#define FD_SET_BYTES	256U	/* three sets, at the call and at the return, have room */

static unsigned int room_for_descriptors(void)
{
	guard(rcu)();
	return files_fdtable(current->files)->max_fds;
}

static unsigned int fd_set_size(const struct trace_syscall_reader *r, unsigned long count)
{
	unsigned int word = trace_syscall_long_size(r->words32) * BITS_PER_BYTE;

	return round_up(min_t(unsigned int, count, room_for_descriptors()), word) / BITS_PER_BYTE;
}

/* How many bytes of a set were read at the call, and whether it has more; 0: not known */
static unsigned int size_at_call(const struct trace_syscall_reader *r, bool *cut)
{
	struct trace_syscall_call call = { .memory = r->memory };
	struct trace_syscall_printer p = { .call = &call };
	const struct trace_syscall_piece *piece = NULL;

	if (trace_syscall_seek(&p, r->of & ~TRACE_SYSCALL_OUT))
		piece = trace_syscall_next(&p);
	if (!piece)
		return 0;
	*cut = piece->head & TRACE_SYSCALL_PIECE_CUT;
	return piece->head & TRACE_SYSCALL_PIECE_LENGTH;
}

static void read_fd_set(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	unsigned int size = 0;
	bool cut = false;

	if (r->of & TRACE_SYSCALL_OUT)
		size = size_at_call(r, &cut);
	if (!size) {
		size = fd_set_size(r, count);
		cut = size > FD_SET_BYTES;
	}
	trace_syscall_read_some(r, address, min(size, FD_SET_BYTES), cut);
}

static bool print_fd_set(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	static const char *const names[] = { "", "in ", "out ", "except " };
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	unsigned int i = p->of & ~TRACE_SYSCALL_OUT, size;
	bool cut;

	if (!piece || piece->head & (TRACE_SYSCALL_PIECE_UNKNOWN | TRACE_SYSCALL_PIECE_END))
		return false;
	cut = piece->head & TRACE_SYSCALL_PIECE_CUT;
	size = piece->head & TRACE_SYSCALL_PIECE_LENGTH;
	if (p->of & TRACE_SYSCALL_OUT) {
		if (!cut && !memchr_inv(piece->bytes, 0, size))
			return false;
		trace_seq_puts(p->s, i < ARRAY_SIZE(names) ? names[i] : "");
	}
	trace_syscall_print_bits(p->s, piece->bytes,
				 min_t(unsigned int, count, size * BITS_PER_BYTE), cut);
	return true;
}

const struct trace_syscall_form trace_syscall_form_fd_set = {
	.read	= read_fd_set,
	.print	= print_fd_set,
};

/* epoll: what belongs to a file is shown as both of the types that it may be */

static void print_data(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, "{u32=%u, u64=%llu}", (u32)bits, bits);
}

static struct trace_syscall_member epoll_event_members[] __ro_after_init = {
	NAMES(struct epoll_event, events, "epoll_bits"),
	MEMBER(struct epoll_event, data, print_data),
};

/* What is deleted needs none */
static void read_epoll_event(struct trace_syscall_reader *r,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	if ((int)r->args[1] != EPOLL_CTL_DEL)
		trace_syscall_read_struct(r, form, address, count);
}

const struct trace_syscall_form trace_syscall_form_epoll_event = {
	.read	= read_epoll_event,
	.print	= trace_syscall_print_struct,
	.native	= LAYOUT(struct epoll_event, epoll_event_members),
	COMPAT_LAYOUT(struct epoll_event, epoll_event_members)
};

const struct trace_syscall_form trace_syscall_form_epoll_events = {
	ARRAY_FORM,
	.native	= LAYOUT(struct epoll_event, epoll_event_members),
	COMPAT_LAYOUT(struct epoll_event, epoll_event_members)
};

/* fcntl: the argument is a pointer only for some commands */

#define MEMBERS_FLOCK(_type)							\
{										\
	NAMES(_type, l_type, "lock_type"),					\
	NAMES(_type, l_whence, "seek"),						\
	MEMBER(_type, l_start, trace_syscall_signed),				\
	MEMBER(_type, l_len, trace_syscall_signed),				\
	MEMBER(_type, l_pid, trace_syscall_signed),				\
}

/* The holder is only told, not asked for */
#define FLOCK_ASKED	4

static struct trace_syscall_member flock_members[] __ro_after_init =
	MEMBERS_FLOCK(struct flock);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_flock_members[] __ro_after_init =
	MEMBERS_FLOCK(struct compat_flock);
static struct trace_syscall_member flock64_members[] __ro_after_init =
	MEMBERS_FLOCK(struct compat_flock64);
#define FLOCK64	struct compat_flock64
#elif !defined(CONFIG_64BIT)
static struct trace_syscall_member flock64_members[] __ro_after_init =
	MEMBERS_FLOCK(struct flock64);
#define FLOCK64	struct flock64
#else
#define FLOCK64	struct flock
#define flock64_members flock_members
#endif

static const struct trace_syscall_layout flock64 = LAYOUT(FLOCK64, flock64_members);

static const struct trace_syscall_layout *flock_layout(unsigned int cmd, bool compat)
{
	switch (cmd) {
#if BITS_PER_LONG == 32
	case F_GETLK64:
	case F_SETLK64:
	case F_SETLKW64:
		return &flock64;
#elif defined(CONFIG_COMPAT)
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
	case 12:	/* F_GETLK64, F_SETLK64 and F_SETLKW64 of 32-bit programs */
	case 13:
	case 14:
		if (compat)
			return &flock64;
		return cmd >= F_OFD_GETLK ? &trace_syscall_form_fcntl.native : NULL;
#endif
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
		return trace_syscall_layout(&trace_syscall_form_fcntl, compat);
	}
	return NULL;
}

static void read_fcntl(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = flock_layout(r->args[1], r->compat);

	if (layout)
		trace_syscall_read(r, address, layout->size);
}

static bool print_fcntl(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	unsigned int cmd = p->call->args[1];
	const struct trace_syscall_layout *layout = flock_layout(cmd, p->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct trace_syscall_layout asked;

	if (!layout || !piece || piece->head != layout->size)
		return false;
	asked = *layout;
	if (!(p->of & TRACE_SYSCALL_OUT) || (cmd != F_GETLK && cmd != 12 && cmd != F_OFD_GETLK))
		asked.nr = FLOCK_ASKED;
	trace_syscall_print_members(p->s, &asked, piece->bytes);
	return true;
}

const struct trace_syscall_form trace_syscall_form_fcntl = {
	.read	= read_fcntl,
	.print	= print_fcntl,
	.native	= LAYOUT(struct flock, flock_members),
	COMPAT_LAYOUT(struct compat_flock, compat_flock_members)
};

/* For the families of its members */
const struct trace_syscall_form trace_syscall_form_flock64 = {
	.read	= trace_syscall_read_struct,
	.print	= trace_syscall_print_struct,
	.native	= LAYOUT(FLOCK64, flock64_members),
};

/* ioctl: of terminals and pipes */

static struct trace_syscall_member winsize_members[] __ro_after_init = {
	MEMBER(struct winsize, ws_row, trace_syscall_unsigned),
	MEMBER(struct winsize, ws_col, trace_syscall_unsigned),
	MEMBER(struct winsize, ws_xpixel, trace_syscall_unsigned),
	MEMBER(struct winsize, ws_ypixel, trace_syscall_unsigned),
};

static const struct trace_syscall_layout winsize = LAYOUT(struct winsize, winsize_members);

static unsigned int ioctl_size(unsigned int cmd)
{
	switch (cmd) {
	case TIOCGWINSZ:
	case TIOCSWINSZ:
		return sizeof(struct winsize);
	case FIONREAD:
	case FIONBIO:
	case FIOASYNC:
	case TIOCGPGRP:
	case TIOCSPGRP:
	case TIOCGSID:
	case TIOCOUTQ:
		return sizeof(int);
	}
	return 0;
}

static void read_ioctl(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	unsigned int size = ioctl_size(r->args[1]);

	if (size)
		trace_syscall_read(r, address, size);
}

/* Whether the command is one that asks: before the answer there is nothing to show */
static bool asks(unsigned int cmd)
{
	return cmd != TIOCSWINSZ && cmd != TIOCSPGRP && cmd != FIONBIO && cmd != FIOASYNC;
}

static bool print_ioctl(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	unsigned int cmd = p->call->args[1], size = ioctl_size(cmd);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	int value;

	if (!size || !piece || piece->head != size ||
	    (asks(cmd) && !(p->of & TRACE_SYSCALL_OUT)))
		return false;
	if (size == sizeof(struct winsize)) {
		trace_syscall_print_members(p->s, &winsize, piece->bytes);
	} else {
		memcpy(&value, piece->bytes, sizeof(value));
		trace_seq_printf(p->s, "[%d]", value);
	}
	return true;
}

const struct trace_syscall_form trace_syscall_form_ioctl = {
	.read	= read_ioctl,
	.print	= print_ioctl,
};
