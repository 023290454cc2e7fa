/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files of kernel/trace/signature share. */
#ifndef _KERNEL_TRACE_SIGNATURE_SIGNATURE_H
#define _KERNEL_TRACE_SIGNATURE_SIGNATURE_H

#include <linux/ftrace_signature.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

struct ftrace_family;
struct ftrace_regs;
struct trace_seq;

/* The image's table, see include/asm-generic/vmlinux.lds.h */
extern char __start_ftrace_signatures[];
extern char __stop_ftrace_signatures[];

/* The image's ELF notes, see vmlinux.lds.h too */
extern const char __start_notes[];
extern const char __stop_notes[];

/* The table in the module ftrace_signatures; absent before its final link */
extern char ftrace_signatures_start[] __weak;
extern char ftrace_signatures_end[] __weak;

/* The addresses whose call sites a table describes: [start, end) */
struct ftrace_sig_range {
	unsigned long	start;
	unsigned long	end;
};

static inline bool ftrace_sig_overlap(const struct ftrace_sig_range *a,
				      const struct ftrace_sig_range *b)
{
	return a->start < b->end && b->start < a->end;
}

enum {
	FTRACE_SIG_CORE,	/* text that stays */
	FTRACE_SIG_INIT,	/* text that is freed after initialization */
	FTRACE_SIG_NR_RANGES
};

/**
 * struct ftrace_sig_table - a table that passed ftrace_sig_table_check()
 * @ips: the call sites, ascending; each relative to its own place, or to @base
 * @base: address that @ips are relative to as unsigned numbers, or 0
 * @sigs: for each of @ips the offset of its prototype in @protos
 * @protos: start of the prototypes
 * @types: start of the types
 * @strings: start of the strings
 * @nr_sites: how many call sites there are
 * @live: the ranges in which functions of this table may run
 * @stale: the range in which such functions ran before their text was freed.
 *	Used only for printing the events that are left.  It is emptied before
 *	another table's functions can be placed there.
 * @list: all tables of modules
 * @mod: the module that @live is of, or NULL for the kernel image
 * @rcu: for freeing this structure
 *
 * All that the pointers lead to has been validated.  No user needs to check an
 * offset, a type id or a count again.
 */
struct ftrace_sig_table {
	s32			*ips;
	unsigned long		base;
	u32			*sigs;
	const void		*protos;
	const u32		*types;
	const char		*strings;
	u32			nr_sites;
	struct ftrace_sig_range	live[FTRACE_SIG_NR_RANGES];
	struct ftrace_sig_range	stale;
	struct list_head	list;
	struct module		*mod;
	struct rcu_head		rcu;
};

/* A type, decoded; @words also holds the parts that depend on @kind */
struct ftrace_sig_type {
	const u32	*words;
	u32		kind;
	u32		flags;
	u32		size;
};

static inline unsigned long ftrace_sig_site(const struct ftrace_sig_table *table,
					    u32 i)
{
	if (table->base)
		return table->base + (u32)table->ips[i];
	return (unsigned long)&table->ips[i] + table->ips[i];
}

static inline const struct ftrace_sig_proto *
ftrace_sig_site_proto(const struct ftrace_sig_table *table, u32 i)
{
	return table->protos + table->sigs[i];
}

static inline const char *ftrace_sig_string(const struct ftrace_sig_table *table,
					    u32 offset)
{
	return table->strings + offset;
}

/* Whether the function is the entry of a syscall, whose parameters it has */
static inline bool ftrace_sig_is_syscall(const struct ftrace_sig_proto *proto)
{
	return proto->flags & (FTRACE_SIG_SYSCALL | FTRACE_SIG_SYSCALL_32);
}

/* The type @id refers to */
static inline struct ftrace_sig_type
ftrace_sig_type(const struct ftrace_sig_table *table, u32 id)
{
	const u32 *words = table->types + id;

	return (struct ftrace_sig_type) {
		.words	= words,
		.kind	= FTRACE_SIG_TYPE_KIND(words[0]),
		.flags	= FTRACE_SIG_TYPE_FLAGS(words[0]),
		.size	= FTRACE_SIG_TYPE_SIZE(words[0]),
	};
}

/* The type behind typedefs and qualifiers; there are at most FTRACE_SIG_MAX_ALIASES */
static inline struct ftrace_sig_type
ftrace_sig_resolve(const struct ftrace_sig_table *table, u32 id)
{
	for (;;) {
		struct ftrace_sig_type type = ftrace_sig_type(table, id);

		switch (type.kind) {
		case FTRACE_SIG_TYPEDEF:
		case FTRACE_SIG_CONST:
		case FTRACE_SIG_VOLATILE:
			id = type.words[2];
			continue;
		}
		return type;
	}
}

static inline const char *
ftrace_sig_type_name(const struct ftrace_sig_table *table,
		     const struct ftrace_sig_type *type)
{
	return ftrace_sig_string(table, type->words[1]);
}

/**
 * struct ftrace_sig_member - a member of a structure or union
 * @name: its name, empty if it is anonymous
 * @type: id of its type
 * @offset: its offset in bits; bit 0 is the lowest of the first byte
 * @width: its width in bits if it is a bit field, else 0
 */
struct ftrace_sig_member {
	const char	*name;
	u32		type;
	u32		offset;
	u32		width;
};

static inline bool ftrace_sig_is_struct(const struct ftrace_sig_type *type)
{
	return type->kind == FTRACE_SIG_STRUCT || type->kind == FTRACE_SIG_UNION;
}

/* How many members are recorded of a structure or union; 0 of other types */
static inline u32 ftrace_sig_nr_members(const struct ftrace_sig_type *type)
{
	return ftrace_sig_is_struct(type) ? FTRACE_SIG_NR_MEMBERS(type->words[2]) : 0;
}

/* check.c */
const char *ftrace_sig_table_check(void *data, unsigned long size,
				   struct ftrace_sig_table *table);
const char *ftrace_sig_apart_check(void *data, unsigned long size,
				   struct ftrace_sig_table *table);

/* table.c */
extern struct list_head ftrace_sig_module_tables;
extern struct mutex ftrace_sig_mutex;

void ftrace_sig_refuse(const char *whose, const char *why);
void ftrace_sig_table_sort(struct ftrace_sig_table *table);
bool ftrace_sig_is_live(const struct ftrace_sig_table *table, unsigned long ip);
bool ftrace_sig_table_sorted(const struct ftrace_sig_table *table);
void ftrace_sig_set_image_ranges(struct ftrace_sig_table *table);
bool ftrace_sig_image_is_known(void);
int ftrace_sig_image_publish(struct ftrace_sig_table *table);
struct ftrace_sig_table *ftrace_sig_image_withdraw(void);
const struct ftrace_sig_proto *
ftrace_sig_table_find(const struct ftrace_sig_table *table, unsigned long ip);
bool ftrace_signature_find_stale(unsigned long ip, struct ftrace_signature *sig);

/* loadable.c */
bool ftrace_sig_build_id(u8 *id);

/* reuse.c */
void ftrace_sig_abandon_range(const struct ftrace_sig_range *range);
void ftrace_sig_use_range(const struct ftrace_sig_range *range);

/* capture.c */
u32 ftrace_sig_proto_shape(const struct ftrace_sig_proto *proto);
bool ftrace_sig_stack_has(struct ftrace_regs *fregs, unsigned int nr);
void ftrace_sig_forget_shapes(unsigned long start, unsigned long end);

/* follow_plan.c: what to copy of the memory that arguments point to */

/* How many parameters of a function are followed at most */
#define FTRACE_SIG_MAX_STEPS	12

/* In place of a parameter's number: the result */
#define FTRACE_SIG_RESULT	0xff

enum ftrace_sig_step_kind {
	FTRACE_SIG_STEP_STRING,	/* up to a NUL */
	FTRACE_SIG_STEP_BYTES,	/* as many as the next argument says */
	FTRACE_SIG_STEP_MEMORY,	/* of the size of the type */
	FTRACE_SIG_STEP_FORM,	/* what a form copies, see forms.h */
	FTRACE_SIG_STEP_BEFORE,	/* only in events: the value at the entry */
	FTRACE_SIG_STEP_NR
};

/*
 * Of the size of a step that is no MEMORY: where to find how many bytes there are
 *
 * FTRACE_SIG_STEP_WIDTH:	of how many bytes that number consists
 * FTRACE_SIG_STEP_WORD:	the index of the word that holds it
 */
#define FTRACE_SIG_STEP_WIDTH	GENMASK(7, 0)
#define FTRACE_SIG_STEP_LENGTH	GENMASK(9, 8)
#define FTRACE_SIG_STEP_WORD	GENMASK(15, 10)

enum {
	FTRACE_SIG_LENGTH_NONE,		/* nothing tells */
	FTRACE_SIG_LENGTH_VALUE,	/* the word is the length */
	FTRACE_SIG_LENGTH_POINTER,	/* the word points to it: an int */
	FTRACE_SIG_LENGTH_RESULT,	/* the result is the length, if it is above 0 */
};

/*
 * Of BYTES that the function may write: what its result says of how many it has filled
 *
 * FTRACE_SIG_FILLS_SIGNED:	the result is a signed integer
 * FTRACE_SIG_FILLS_WIDTH:	of how many bytes the result consists
 */
#define FTRACE_SIG_FILLS	GENMASK(1, 0)
#define FTRACE_SIG_FILLS_SIGNED	BIT(2)
#define FTRACE_SIG_FILLS_WIDTH	GENMASK(6, 3)

enum {
	FTRACE_SIG_FILLS_ALL,		/* nothing */
	FTRACE_SIG_FILLS_UNLESS_ERROR,	/* an error says none; all other results, nothing */
	FTRACE_SIG_FILLS_COUNT,		/* the same, but a number up to the length is how many */
	FTRACE_SIG_FILLS_COUNT_OR_ALL,	/* the same, but 0 says nothing */
};

/**
 * struct ftrace_sig_step - one parameter that is followed
 * @param: its number, or FTRACE_SIG_RESULT
 * @word: the index of the word that holds the pointer
 * @kind: what it points to, FTRACE_SIG_STEP_*
 * @aux: FORM: the form's number; BYTES: FTRACE_SIG_FILLS and so on
 * @size: MEMORY: the number of bytes; the others: FTRACE_SIG_STEP_LENGTH and so on, 0 if
 *	nothing tells how many there are
 * @class: the options that ask for it: FTRACE_SIG_FOLLOW_STRINGS and so on
 */
struct ftrace_sig_step {
	u8	param;
	u8	word;
	u8	kind;
	u8	aux;
	u16	size;
	u16	class;
};

unsigned int ftrace_sig_plan(const struct ftrace_signature *sig,
			     struct ftrace_sig_step *steps);

/*
 * limits.c: set by the user, changed at any time
 *
 * ftrace_sig_max_string:	bytes of a string
 * ftrace_sig_max_event:	bytes of copied memory in an event
 * ftrace_sig_max_depth:	how deep structures in structures are printed
 * ftrace_sig_max_members:	how many members of a structure
 */
extern unsigned int ftrace_sig_max_string;
extern unsigned int ftrace_sig_max_event;
extern unsigned int ftrace_sig_max_depth;
extern unsigned int ftrace_sig_max_members;

bool ftrace_signature_find_ordered(unsigned long ip, struct ftrace_signature *sig);

/* notify.c */
void ftrace_sig_notify(void);

/* follow.c */
u32 ftrace_sig_follow_shape(const struct ftrace_signature *sig);
bool ftrace_sig_follows(enum ftrace_sig_user user, const struct ftrace_signature *sig);
void ftrace_sig_follow_limits(void);

/* follow_cache.c */
void ftrace_sig_forget_plans(unsigned long start, unsigned long end);

/*
 * How copied memory is attached to an event, behind the arguments of a syscall: a head
 * word, then an item for each pointer that was followed: one word, then its bytes, padded
 * to four.  All words have 32 bits.  The bytes behind the last item, up to a machine word,
 * are 0.
 */
#define FTRACE_SIG_DATA_MAGIC	0xda7aU
#define FTRACE_SIG_DATA_SIZE	GENMASK(15, 0)	/* of the head: all bytes, itself included */
#define FTRACE_SIG_DATA_MARK	GENMASK(31, 16)	/* of the head: FTRACE_SIG_DATA_MAGIC */
#define FTRACE_SIG_NO_DATA	(FIELD_PREP_CONST(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) | \
				 sizeof(u32))	/* a head without items */
#define FTRACE_SIG_ITEM_PARAM	GENMASK(7, 0)	/* of an item: ftrace_sig_step::param */
#define FTRACE_SIG_ITEM_FORM	GENMASK(15, 8)	/* the number of the form */
#define FTRACE_SIG_ITEM_KIND	GENMASK(18, 16)	/* FTRACE_SIG_STEP_* */
#define FTRACE_SIG_ITEM_END	GENMASK(20, 19)	/* enum ftrace_peek_end */
#define FTRACE_SIG_ITEM_SIZE	GENMASK(31, 21)	/* how many bytes follow */

/* Limits that the user may set, in bytes; see FTRACE_SIG_EVENT_MAX, too */
#define FTRACE_SIG_STRING_MAX	1024
#define FTRACE_SIG_EVENT_MIN	64

/*
 * How to print a value
 *
 * FTRACE_SIG_IS_RESULT:	it is a result, which may be an errno
 * FTRACE_SIG_NO_SYMBOLS:	no address in it can be given a name
 * FTRACE_SIG_IMAGE_SYMBOLS:	only those in the image can
 * FTRACE_SIG_HEX:		integers in hexadecimal
 * FTRACE_SIG_HASH:		hash all that may be an address
 * FTRACE_SIG_NAMES:		integers by the names of constants and of functions
 * FTRACE_SIG_ERRNO:		-1 is an errno, too
 * FTRACE_SIG_NO_ERRNO:		no result is an errno
 * FTRACE_SIG_SIGNED:		for ftrace_family_print(): the integer has a sign
 * FTRACE_SIG_STRUCTS:		structures by their members
 * FTRACE_SIG_TEXT:		pointers to text as the text that was copied
 * FTRACE_SIG_CHANGES:		what the call has changed of what it was given
 * FTRACE_SIG_CUT:		a line that does not fit is cut
 */
#define FTRACE_SIG_IS_RESULT		BIT(0)
#define FTRACE_SIG_NO_SYMBOLS		BIT(1)
#define FTRACE_SIG_IMAGE_SYMBOLS	BIT(2)
#define FTRACE_SIG_HEX			BIT(3)
#define FTRACE_SIG_HASH			BIT(4)
#define FTRACE_SIG_NAMES		BIT(5)
#define FTRACE_SIG_STRUCTS		BIT(6)
#define FTRACE_SIG_TEXT			BIT(7)
#define FTRACE_SIG_CHANGES		BIT(8)
#define FTRACE_SIG_CUT			BIT(9)
#define FTRACE_SIG_ERRNO		BIT(13)
#define FTRACE_SIG_NO_ERRNO		BIT(14)
#define FTRACE_SIG_SIGNED		BIT(15)

/*
 * Memory that was copied for a call at its entry, and at its return if both are printed in
 * one line; each valid as ftrace_sig_data_is_valid() says, or NULL
 */
struct ftrace_sig_data {
	const u32	*before;
	const u32	*after;
};

/* print.c */
void ftrace_sig_print_params(struct trace_seq *s,
			     const struct ftrace_signature *sig,
			     const unsigned long *words, unsigned int nr_words,
			     const struct ftrace_sig_data *data, unsigned int how,
			     const char *func);
bool ftrace_sig_print_ret(struct trace_seq *s,
			  const struct ftrace_signature *sig,
			  unsigned long retval, const unsigned long *high,
			  unsigned int how, const char *func);

/* follow_print.c */
bool ftrace_sig_data_is_valid(const u32 *data, unsigned int nr_words);
bool ftrace_sig_print_followed(struct trace_seq *s, const struct ftrace_signature *sig,
			       u32 param, unsigned long address, const u32 *data,
			       unsigned int how);
bool ftrace_sig_print_pointer(struct trace_seq *s, const struct ftrace_signature *sig,
			      u32 param, const unsigned long *words,
			      const struct ftrace_sig_data *data, unsigned int how);
bool ftrace_sig_print_changes(struct trace_seq *s, const struct ftrace_signature *sig,
			      const u32 *data, unsigned int how);

/* values.c */
void ftrace_sig_print_value(struct trace_seq *s,
			    const struct ftrace_sig_table *table, u32 type_id,
			    const unsigned long *words, unsigned int how);
void ftrace_sig_print_named(struct trace_seq *s,
			    const struct ftrace_sig_table *table, u32 type_id,
			    const unsigned long *words, unsigned int how,
			    const struct ftrace_family *family);
bool ftrace_sig_is_integer(const struct ftrace_sig_table *table, u32 type_id);
bool ftrace_sig_print_text_address(struct trace_seq *s, unsigned long address,
				   unsigned int how);

/* members.c */
void ftrace_sig_member(const struct ftrace_sig_table *table,
		       const struct ftrace_sig_type *type, u32 i,
		       struct ftrace_sig_member *m);
bool ftrace_sig_member_find(const struct ftrace_sig_table *table, u32 type_id,
			    const char *name, size_t len,
			    struct ftrace_sig_member *m);

/**
 * struct ftrace_sig_limits - how much of a structure to print
 * @depth: levels of structures; 1: not the members of members
 * @members: members and elements of arrays, on all levels together
 */
struct ftrace_sig_limits {
	unsigned int	depth;
	unsigned int	members;
};

/* structs.c */
void ftrace_sig_print_struct(struct trace_seq *s,
			     const struct ftrace_sig_table *table, u32 type_id,
			     const void *bytes, u32 nr_bytes, unsigned int how,
			     const struct ftrace_sig_limits *limits);

#endif /* _KERNEL_TRACE_SIGNATURE_SIGNATURE_H */
