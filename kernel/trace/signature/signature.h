/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files of kernel/trace/signature share. */
#ifndef _KERNEL_TRACE_SIGNATURE_SIGNATURE_H
#define _KERNEL_TRACE_SIGNATURE_SIGNATURE_H

#include <linux/ftrace_signature.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

struct ftrace_regs;
struct trace_seq;

/* The number of argument registers, see FTRACE_SIG_PLACE_REG */
#define FTRACE_SIG_ARG_REGS	(IS_ENABLED(CONFIG_X86_32) ? 3 : 6)

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

/*
 * How to print a value
 *
 * FTRACE_SIG_IS_RESULT:	it is a result, which may be an errno
 * FTRACE_SIG_NO_SYMBOLS:	no address in it can be given a name
 * FTRACE_SIG_IMAGE_SYMBOLS:	only those in the image can
 * FTRACE_SIG_HEX:		integers in hexadecimal
 * FTRACE_SIG_HASH:		hash all that may be an address
 * FTRACE_SIG_STRUCTS:		structures by value with their members
 */
#define FTRACE_SIG_IS_RESULT		BIT(0)
#define FTRACE_SIG_NO_SYMBOLS		BIT(1)
#define FTRACE_SIG_IMAGE_SYMBOLS	BIT(2)
#define FTRACE_SIG_HEX			BIT(3)
#define FTRACE_SIG_HASH			BIT(4)
#define FTRACE_SIG_STRUCTS		BIT(6)

/* print.c */
void ftrace_sig_print_params(struct trace_seq *s,
			     const struct ftrace_signature *sig,
			     const unsigned long *words, unsigned int nr_words,
			     unsigned int how);
bool ftrace_sig_print_ret(struct trace_seq *s,
			  const struct ftrace_signature *sig,
			  unsigned long retval, const unsigned long *high,
			  unsigned int how);

/* values.c */
void ftrace_sig_print_value(struct trace_seq *s,
			    const struct ftrace_sig_table *table, u32 type_id,
			    const unsigned long *words, unsigned int how);

/* members.c */
struct ftrace_sig_type
ftrace_sig_real_type(const struct ftrace_sig_table *table, u32 type_id);
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
