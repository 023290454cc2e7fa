/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Forms: what the parameters of syscalls point to, how it is read and how it is printed.
 *
 * A parameter's type leads to its form: that of "const struct __kernel_timespec *" is the
 * one of "struct __kernel_timespec". If the type is const, the syscall takes what it points
 * to; if not, the syscall gives it. What this does not tell right is told by a rule in
 * trace_syscalls_rules.h. So most new syscalls need no description, and a new structure
 * needs a list of its members:
 *
 *	static struct trace_syscall_member rlimit_members[] __ro_after_init = {
 *		MEMBER(struct rlimit, rlim_cur, trace_syscall_unsigned),
 *		MEMBER(struct rlimit, rlim_max, trace_syscall_unsigned),
 *	};
 *	const struct trace_syscall_form trace_syscall_form_rlimit = {
 *		.type	= "struct rlimit",
 *		STRUCT_FORM,
 *		.native	= LAYOUT(struct rlimit, rlimit_members),
 *		COMPAT_LAYOUT(struct compat_rlimit, compat_rlimit_members)
 *	};
 *
 * and a line in trace_syscalls_form_list.h. It is printed as strace does:
 * {rlim_cur=1024, rlim_max=4096}.
 *
 * What is read goes to the event as pieces, in an order that is the form's own. The
 * printer takes them in the same order. It must stand any bytes in them, and none.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_FORMS_H
#define _KERNEL_TRACE_SYSCALLS_FORMS_H

#include <linux/compat.h>
#include <linux/stddef.h>
#include <linux/trace_seq.h>

#include "trace_syscalls.h"

struct ftrace_family;
struct path;
struct trace_syscall_form;
struct trace_syscall_member;

/**
 * struct trace_syscall_reader - reads user memory
 * @memory: where pieces are appended
 * @end: how many bytes it may have
 * @most: how many bytes of a string or buffer are read
 * @of: the parameter, with TRACE_SYSCALL_OUT
 * @compat: the structures of this syscall are those of 32-bit programs
 * @words32: a word of the program has 32 bits, whatever the syscall does about structures
 * @paths: the paths of descriptors are wanted
 * @missed: the parameters of which something could not be read at the call, a bit for each
 * @args: the call's arguments
 * @ret: its result, if it has returned
 *
 * Context of all readers: a task that may sleep.
 */
struct trace_syscall_reader {
	struct trace_syscall_memory	*memory;
	unsigned int			end;
	unsigned int			most;
	u8				of;
	bool				compat;
	bool				words32;
	bool				paths;
	u8				missed;
	const unsigned long		*args;
	long				ret;
};

void trace_syscall_put(struct trace_syscall_reader *r, const void *from, unsigned int size);
const void *trace_syscall_read(struct trace_syscall_reader *r, unsigned long address,
			       unsigned int size);
void trace_syscall_read_bytes(struct trace_syscall_reader *r, unsigned long address,
			      unsigned long size);
void trace_syscall_read_some(struct trace_syscall_reader *r, unsigned long address,
			     unsigned int size, bool cut);
bool trace_syscall_read_string(struct trace_syscall_reader *r, unsigned long address);
void trace_syscall_put_path(struct trace_syscall_reader *r, const struct path *path);
void trace_syscall_put_flag(struct trace_syscall_reader *r, u16 flag);
bool trace_syscall_try(struct trace_syscall_reader *r, void *to, unsigned long address,
		       unsigned int size);
bool trace_syscall_peek_long(struct trace_syscall_reader *r, unsigned long address,
			     unsigned long *value);

static inline unsigned int trace_syscall_long_size(bool words32)
{
	return IS_ENABLED(CONFIG_COMPAT) && words32 ? sizeof(u32) : sizeof(long);
}

/**
 * struct trace_syscall_printer - prints what was read for a parameter
 * @s: where to
 * @call: the call
 * @of: the parameter, with TRACE_SYSCALL_OUT
 * @at: where the next piece is
 * @compat: the structures of this syscall are those of 32-bit programs; @call->compat
 *	tells of words, as in a reader
 */
struct trace_syscall_printer {
	struct trace_seq			*s;
	const struct trace_syscall_call		*call;
	u8					of;
	u32					at;
	bool					compat;
};

const struct trace_syscall_piece *trace_syscall_next(struct trace_syscall_printer *p);
bool trace_syscall_next_whole(struct trace_syscall_printer *p, void *to, unsigned int size);
bool trace_syscall_seek(struct trace_syscall_printer *p, u8 of);
void trace_syscall_drop(struct trace_syscall_memory *memory, u8 params);
void trace_syscall_print_text(struct trace_seq *s, const struct trace_syscall_piece *piece);
unsigned long trace_syscall_long_at(const void *from, bool words32);

/* How a member is printed; @bits are those of the member, with zeroes above */
typedef void trace_syscall_print(struct trace_seq *s, const struct trace_syscall_member *m,
				 u64 bits);

trace_syscall_print trace_syscall_signed, trace_syscall_unsigned, trace_syscall_hex;
trace_syscall_print trace_syscall_octal, trace_syscall_names, trace_syscall_address;

/* The same of what no number is; @bytes are those of the member */
typedef void trace_syscall_print_in(struct trace_syscall_printer *p,
				    const struct trace_syscall_member *m, const void *bytes);

trace_syscall_print_in trace_syscall_hex_words, trace_syscall_chars;

/**
 * struct trace_syscall_member - a member of a structure
 * @label: its name in the text; NULL: what is printed follows the one before
 * @print: how
 * @print_in: how, of what is no number, or has more pieces
 * @family: of trace_syscall_names, the family of its constants in
 *	signature/constants/families
 * @offset: where it is
 * @size: how many bytes it has
 * @since: it is shown if there are more bytes of the structure than this
 * @if_set: it is shown if it is not 0
 * @flag: it is shown if this bit is set in the word at @flag_at; 0: always
 * @flag_at: where that word is
 * @found: the family
 * @of: if it is a structure in the structure: its members, up to one without print
 */
struct trace_syscall_member {
	const char			*label;
	trace_syscall_print		*print;
	trace_syscall_print_in		*print_in;
	const char			*family;
	u16				offset;
	u16				size;
	u16				since;
	bool				if_set;
	u16				flag_at;
	u32				flag;
	const struct ftrace_family	*found;
	struct trace_syscall_member	*of;
};

#define LABELLED(_label, _type, _member, _print, ...)				\
	{ .label = _label, .print = _print, .offset = offsetof(_type, _member),	\
	  .size = sizeof_field(_type, _member), ##__VA_ARGS__ }
#define MEMBER(_type, _member, _print, ...)					\
	LABELLED(#_member, _type, _member, _print, ##__VA_ARGS__)
#define NAMES(_type, _member, _family)						\
	MEMBER(_type, _member, trace_syscall_names, .family = _family)
#define INSIDE(_type, _member, _members)					\
	{ .label = #_member, .of = _members, .offset = offsetof(_type, _member),	\
	  .size = sizeof_field(_type, _member) }

/* A member that is shown if programs know it: if the structure is long enough */
#define SINCE(_type, _member)		.since = offsetof(_type, _member)
#define IF_SET				.if_set = true
#define IF_FLAG(_type, _member, _flag)	.flag_at = offsetof(_type, _member), .flag = _flag

/* A structure as programs of one kind have it; @more: it has more than is printed */
struct trace_syscall_layout {
	struct trace_syscall_member	*members;
	u16				nr;
	u16				size;
	bool				more;
};

/**
 * struct trace_syscall_form - what a parameter points to
 * @type: the parameter's type without "const" and the last "*"; NULL: only rules name it
 * @read: appends pieces; @count is what the parameter's rule says
 * @print: prints them; returns false, and has printed nothing, if the first one is unknown
 * @native: of a structure or an array of them
 * @compat: the same in 32-bit programs; without members, it is not known
 */
struct trace_syscall_form {
	const char	*type;
	void		(*read)(struct trace_syscall_reader *r,
				const struct trace_syscall_form *form,
				unsigned long address, unsigned long count);
	bool		(*print)(struct trace_syscall_printer *p,
				 const struct trace_syscall_form *form,
				 unsigned long address, unsigned long count);
	struct trace_syscall_layout	native;
	struct trace_syscall_layout	compat;
};

#define FORM(name)	extern const struct trace_syscall_form trace_syscall_form_##name;
#include "trace_syscalls_form_list.h"
#undef FORM

bool trace_syscall_bpf_gives_fd(u32 cmd);
bool trace_syscall_find_ipc(const struct trace_syscall_call *call,
			    struct trace_syscall_call *inner, unsigned long *args);
void trace_syscall_read_inner(struct trace_syscall_reader *r,
			      const struct syscall_metadata *meta, const unsigned long *args);
void trace_syscall_read_struct(struct trace_syscall_reader *r,
			       const struct trace_syscall_form *form,
			       unsigned long address, unsigned long count);
bool trace_syscall_print_struct(struct trace_syscall_printer *p,
				const struct trace_syscall_form *form,
				unsigned long address, unsigned long count);
void trace_syscall_read_array(struct trace_syscall_reader *r,
			      const struct trace_syscall_form *form,
			      unsigned long address, unsigned long count);
bool trace_syscall_print_array(struct trace_syscall_printer *p,
			       const struct trace_syscall_form *form,
			       unsigned long address, unsigned long count);

#define ARRAY_FORM								\
	.read	= trace_syscall_read_array,					\
	.print	= trace_syscall_print_array

void trace_syscall_print_end(struct trace_seq *s, const struct trace_syscall_piece *piece,
			     const char *separator);
void trace_syscall_print_members(struct trace_seq *s, const struct trace_syscall_layout *layout,
				 const void *bytes);
void trace_syscall_print_some(struct trace_syscall_printer *p,
			      const struct trace_syscall_layout *layout, const void *bytes,
			      unsigned int size);
const struct trace_syscall_layout *trace_syscall_layout(const struct trace_syscall_form *form,
							bool compat);
void trace_syscall_print_family(struct trace_seq *s, const char *family, u64 bits,
				unsigned int size);

void trace_syscall_print_bits(struct trace_seq *s, const u8 *bytes, unsigned int nr, bool cut);
void trace_syscall_read_iovec(struct trace_syscall_reader *r, unsigned long address,
			      unsigned long count, unsigned long filled);
bool trace_syscall_print_iovec(struct trace_syscall_printer *p);

#define LAYOUT(_type, _members)							\
	{ .members = _members, .nr = ARRAY_SIZE(_members), .size = sizeof(_type) }
#define LAYOUT_MORE(_type, _members)						\
	{ .members = _members, .nr = ARRAY_SIZE(_members), .size = sizeof(_type),	\
	  .more = true }

#ifdef CONFIG_COMPAT
#define COMPAT_LAYOUT(_type, _members)	.compat = LAYOUT(_type, _members)
#define COMPAT_LAYOUT_MORE(_type, _members)	.compat = LAYOUT_MORE(_type, _members)
#else
#define COMPAT_LAYOUT(_type, _members)
#define COMPAT_LAYOUT_MORE(_type, _members)
#endif

/* A form that is a structure or, if a rule has a count, an array of them */
#define STRUCT_FORM								\
	.read	= trace_syscall_read_struct,					\
	.print	= trace_syscall_print_struct

/* What a rule says of a parameter */
enum trace_syscall_direction {
	TRACE_SYSCALL_TAKES	= BIT(0),	/* read at the call */
	TRACE_SYSCALL_GIVES	= BIT(1),	/* read at the return, if it is no error */
	TRACE_SYSCALL_LEAVES	= BIT(2),	/* read at the return if a signal came */
	TRACE_SYSCALL_AFTER	= BIT(3),	/* what it gives is printed behind the result */
	TRACE_SYSCALL_ALWAYS	= BIT(4),	/* behind a result of 0, too */
};

/*
 * Where the count comes from: no count, argument n, the lower 32 bits of it, the result, a
 * constant. A result may be greater than the room that argument n says there is; then the
 * count is the room.
 */
#define COUNT_NONE	0
#define COUNT_ARG(n)	(1 + (n))
#define COUNT_RESULT(n)	(0x10 + COUNT_ARG(n))
#define COUNT_INT(n)	(0x20 + COUNT_ARG(n))
#define COUNT_IS(n)	(0x80 + (n))

#define COUNT_PARAM(count)	(((count) & 0xf) - COUNT_ARG(0))
#define COUNT_IS_RESULT(count)	((count) & 0x10)
#define COUNT_IS_INT(count)	((count) & 0x20)

/**
 * struct trace_syscall_use - how a parameter is used
 * @form: what it points to
 * @direction: when it is read
 * @count: where the number of elements or bytes comes from
 * @kind: size and sign of the argument that it comes from, as in struct syscall_metadata
 * @limit: with a greater number, the syscall fails before it reads anything; 0: none
 */
struct trace_syscall_use {
	const struct trace_syscall_form	*form;
	u8				direction;
	u8				count;
	u8				kind;
	u32				limit;
};

/* The parameters of a syscall; bits in @in and @out tell which ones are read when */
struct trace_syscall_uses {
	u16	first;		/* in the table of uses: one for each bit in @in or @out */
	u8	in;
	u8	out;
	u8	descriptors;	/* and TRACE_SYSCALL_RESULT */
	u8	directories;	/* those that may be AT_FDCWD */
	u8	unless;		/* which condition makes them something else */
	u8	giver;		/* what tells whether the result is one */
};

extern struct trace_syscall_uses trace_syscall_uses[TRACE_SYSCALL_SLOTS];

static __always_inline const struct trace_syscall_uses *
trace_syscall_uses_of(const struct syscall_metadata *meta)
{
	return &trace_syscall_uses[meta->syscall_nr];
}

const struct trace_syscall_use *trace_syscall_use(const struct syscall_metadata *meta, int i);

/* What is wanted of all calls */
struct trace_syscall_wants {
	unsigned int	most;		/* bytes of a string; 0: no user memory is read */
	bool		paths;		/* of descriptors */
};

void trace_syscall_read_in(struct trace_syscall_task *task,
			   const struct trace_syscall_uses *uses,
			   struct trace_syscall_wants wants);
void trace_syscall_read_out(struct trace_syscall_task *task,
			    const struct trace_syscall_uses *uses,
			    struct trace_syscall_wants wants, long ret);
void trace_syscall_read_paths(struct trace_syscall_reader *r,
			      const struct trace_syscall_uses *uses, const unsigned long *args);
void trace_syscall_read_result_path(struct trace_syscall_reader *r,
				    const struct syscall_metadata *meta,
				    const unsigned long *args);

#endif /* _KERNEL_TRACE_SYSCALLS_FORMS_H */
