// SPDX-License-Identifier: GPL-2.0
/*
 * Print one value by its type.
 *
 * The words are those that a register or a stack slot held.  The calling
 * convention leaves the bits beyond a type's size undefined (psABI 3.2.3), so
 * these bits are always ignored.
 */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/gfp_types.h>
#include <linux/kallsyms.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

#include <asm/sections.h>

#include "../trace_func_text.h"
#include "../trace_text.h"
#include "constants.h"
#include "signature.h"

/*
 * A value to print; @how: FTRACE_SIG_IS_RESULT and so on; @family: what its place says
 * about it, or NULL
 */
struct value {
	const struct ftrace_sig_table	*table;
	const unsigned long		*words;
	struct ftrace_sig_type		type;
	unsigned int			how;
	const struct ftrace_family	*family;
};

/*
 * Readers of the kernel's log may have no right to trace, and must not learn the
 * kernel's addresses.  So in the log, values that may be addresses are hashed: on a
 * 64-bit machine those that do not fit in 32 bits, on a 32-bit machine those as high
 * as the kernel's addresses.
 */
static bool is_secret(const struct value *v, u64 bits)
{
	if (!(v->how & FTRACE_SIG_HASH))
		return false;
	return bits > U32_MAX || (BITS_PER_LONG == 32 && bits >= PAGE_OFFSET);
}

/* The same for a signed number: the kernel and its modules are close below 0 */
static bool is_secret_signed(const struct value *v, s64 value)
{
	unsigned long address = value;

	if (!(v->how & FTRACE_SIG_HASH) || v->type.size < sizeof(long))
		return false;
	return value != (s32)value || __is_kernel(address) ||
	       (address >= MODULES_VADDR && address < MODULES_END);
}

/* A value that may be an address, as %p prints it */
static void print_hashed(struct trace_seq *s, unsigned long word)
{
	trace_seq_printf(s, "%p", (void *)word);
}

/* The low @size bytes of the value, @size at most 8 */
static u64 low_bytes(const struct value *v, u32 size)
{
	u64 bits = v->words[0];

	if (sizeof(long) == 4 && size > 4)
		bits |= (u64)v->words[1] << 32;
	return size >= 8 ? bits : bits & GENMASK_ULL(size * 8 - 1, 0);
}

static s64 sign_extend(u64 bits, u32 size)
{
	return size >= 8 ? (s64)bits : (s64)(bits << (64 - size * 8)) >>
				       (64 - size * 8);
}

static void print_gfp(struct trace_seq *s, const struct value *v)
{
	gfp_t gfp = (__force gfp_t)low_bytes(v, sizeof(gfp));

	/* %pGg prints nothing if no flag is set */
	if (gfp)
		trace_seq_printf(s, "%pGg", &gfp);
	else
		trace_seq_putc(s, '0');
}

static const char *file_type(umode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFSOCK:	return "S_IFSOCK";
	case S_IFLNK:	return "S_IFLNK";
	case S_IFREG:	return "S_IFREG";
	case S_IFBLK:	return "S_IFBLK";
	case S_IFDIR:	return "S_IFDIR";
	case S_IFCHR:	return "S_IFCHR";
	case S_IFIFO:	return "S_IFIFO";
	}
	return NULL;
}

static void print_mode(struct trace_seq *s, const struct value *v)
{
	umode_t mode = low_bytes(v, sizeof(mode));
	const char *type = file_type(mode);

	if (type)
		trace_seq_printf(s, "%s|0%03o", type, mode & ~S_IFMT);
	else
		trace_seq_printf(s, "0%03o", mode);
}

static void print_dev(struct trace_seq *s, const struct value *v)
{
	dev_t dev = low_bytes(v, sizeof(dev));

	trace_seq_printf(s, "%u:%u", MAJOR(dev), MINOR(dev));
}

/*
 * Types that are recognized by the name of a typedef.  The size is compared, too,
 * because a module may have another type of that name.
 */
static const struct type_printer {
	const char	*name;
	u32		size;
	void		(*print)(struct trace_seq *s, const struct value *v);
} type_printers[] = {
	{ "gfp_t",	sizeof(gfp_t),		print_gfp },
	{ "umode_t",	sizeof(umode_t),	print_mode },
	{ "dev_t",	sizeof(dev_t),		print_dev },
};

/*
 * Whether a result can be an errno.  Many functions return -1 for any failure, and few mean
 * -EPERM by it, so it is named only if it is known to be an errno.
 */
static bool may_be_errno(const struct value *v, s64 value)
{
	if (value >= 0 || value < -MAX_ERRNO)
		return false;
	return !(v->how & FTRACE_SIG_NO_ERRNO) &&
	       (value != -1 || v->how & FTRACE_SIG_ERRNO);
}

/* The name of the errno, if a result can be one: "-2 (-ENOENT)" */
static void print_errno(struct trace_seq *s, const struct value *v, s64 value)
{
	const char *name = NULL;

	if (may_be_errno(v, value))
		name = errname(value);
	if (name) {
		trace_text_puts(s, " (");
		trace_text_puts(s, name);
		trace_text_putc(s, ')');
	}
}

static void print_bool(struct trace_seq *s, u64 bits)
{
	/* A _Bool that is neither 0 nor 1 is a bug somewhere: show it */
	if (bits > 1)
		trace_text_put_hex(s, bits);
	else
		trace_seq_puts(s, bits ? "true" : "false");
}

static bool is_printable(u64 bits)
{
	return bits >= 0x20 && bits < 0x7f;
}

/* As in C, where the quote and the backslash are escaped */
static void print_char(struct trace_seq *s, char c)
{
	trace_seq_puts(s, c == '\'' || c == '\\' ? "'\\" : "'");
	trace_seq_putc(s, c);
	trace_seq_putc(s, '\'');
}

/* 128 bits in hexadecimal; a negative one as its magnitude with a sign */
static void print_int128(struct trace_seq *s, const struct value *v)
{
	unsigned int i, nr = 16 / sizeof(u32);
	bool started = false;
	u32 parts[16 / sizeof(u32)];
	u64 carry = 1;

	memcpy(parts, v->words, sizeof(parts));
	if (v->type.flags & FTRACE_SIG_INT_SIGNED && parts[nr - 1] >> 31) {
		for (i = 0; i < nr; i++) {
			carry += (u32)~parts[i];
			parts[i] = carry;
			carry >>= 32;
		}
		trace_seq_putc(s, '-');
	}

	trace_seq_puts(s, "0x");
	for (i = nr; i-- > 0; ) {
		if (started)
			trace_seq_printf(s, "%08x", parts[i]);
		else if (parts[i] || !i)
			trace_seq_printf(s, "%x", parts[i]);
		started |= parts[i];
	}
}

/* An aggregate by value: its words; of the last one only the aggregate's bytes. */
static void print_words(struct trace_seq *s, const struct value *v)
{
	u32 left = v->type.size;
	u32 i;

	trace_seq_putc(s, '{');
	for (i = 0; left; i++) {
		u32 bytes = min_t(u32, left, sizeof(long));
		unsigned long word = v->words[i] &
				     GENMASK(bytes * BITS_PER_BYTE - 1, 0);

		if (i)
			trace_seq_puts(s, ", ");
		if (is_secret(v, word))
			print_hashed(s, word);
		else
			trace_text_put_hex(s, word);
		left -= bytes;
	}
	trace_seq_putc(s, '}');
}

static void print_signed(struct trace_seq *s, const struct value *v, u64 bits)
{
	s64 value = sign_extend(bits, v->type.size);

	if (is_secret_signed(v, value))
		print_hashed(s, bits);
	else if (v->how & FTRACE_SIG_HEX)
		trace_text_put_hex(s, bits);
	else
		trace_text_put_s64(s, value);
	if (v->how & FTRACE_SIG_IS_RESULT)
		print_errno(s, v, value);
}

static void print_unsigned(struct trace_seq *s, const struct value *v, u64 bits)
{
	if (is_secret(v, bits))
		print_hashed(s, bits);
	/* A number this large is an address, a mask or a cookie */
	else if (bits > U32_MAX || v->how & FTRACE_SIG_HEX)
		trace_text_put_hex(s, bits);
	else
		trace_text_put_u64(s, bits);
}

static void print_int(struct trace_seq *s, const struct value *v)
{
	bool hex = v->how & FTRACE_SIG_HEX;
	u64 bits;

	if (v->type.size > 8) {
		if (v->how & FTRACE_SIG_HASH)
			print_words(s, v);
		else
			print_int128(s, v);
		return;
	}

	bits = low_bytes(v, v->type.size);
	if (v->type.flags & FTRACE_SIG_INT_BOOL)
		print_bool(s, bits);
	else if (v->type.flags & FTRACE_SIG_INT_CHAR && is_printable(bits) && !hex)
		print_char(s, bits);
	else if (v->type.flags & FTRACE_SIG_INT_SIGNED)
		print_signed(s, v, bits);
	else
		print_unsigned(s, v, bits);
}

static void print_enum(struct trace_seq *s, const struct value *v)
{
	u32 size = v->type.size;
	u64 bits = low_bytes(v, size);
	const u32 *entry = v->type.words + 3;
	u32 i;

	for (i = 0; i < v->type.words[2]; i++) {
		u64 value = entry[1];

		if (size == 8)
			value |= (u64)entry[2] << 32;
		else
			value &= GENMASK_ULL(size * 8 - 1, 0);
		if (value == bits) {
			trace_seq_puts(s, ftrace_sig_string(v->table, entry[0]));
			return;
		}
		entry += size == 8 ? 3 : 2;
	}

	if (v->how & FTRACE_SIG_HEX)
		trace_text_put_hex(s, bits);
	else if (v->type.flags & FTRACE_SIG_INT_SIGNED)
		trace_text_put_s64(s, sign_extend(bits, size));
	else
		trace_text_put_u64(s, bits);
}

static void print_error_pointer(struct trace_seq *s, long error)
{
	const char *name = errname(error);

	if (name)
		trace_seq_printf(s, "ERR_PTR(%s)", name);
	else
		trace_seq_printf(s, "ERR_PTR(%ld)", error);
}

/*
 * A name is printed only for code that was at the address when the value was
 * recorded, and still is.  Nobody notes when other code than the image's and the
 * modules' (BPF programs, trampolines) is loaded and freed.
 */
static bool has_name(unsigned int how, unsigned long address)
{
	if (how & FTRACE_SIG_NO_SYMBOLS)
		return false;
	if (is_kernel_text(address) || is_kernel_inittext(address))
		return true;
	return !(how & FTRACE_SIG_IMAGE_SYMBOLS) &&
	       is_module_text_address(address);
}

/*
 * A name without an offset stands for the function's first address: a pointer into
 * the middle of a function gets an offset.
 */
static bool print_function(struct trace_seq *s, unsigned long address)
{
	unsigned long size, offset;

	if (trace_func_text_pointer(s, address))
		return true;
	if (!kallsyms_lookup_size_offset(address, &size, &offset))
		return false;
	trace_seq_printf(s, offset ? "%pS" : "%ps", (void *)address);
	return true;
}

/**
 * ftrace_sig_print_text_address - print an address of the kernel's text as a symbol
 * @s: where to
 * @address: the address
 * @how: FTRACE_SIG_NO_SYMBOLS and so on
 *
 * Context: any, NMI included.
 * Return: false if it is not known to be one, and nothing was printed.
 */
bool ftrace_sig_print_text_address(struct trace_seq *s, unsigned long address, unsigned int how)
{
	return has_name(how, address) && print_function(s, address);
}

static void print_pointer(struct trace_seq *s, const struct value *v)
{
	unsigned long address = v->words[0];
	struct ftrace_sig_type target = ftrace_sig_resolve(v->table, v->type.words[2]);

	if (!address)
		trace_text_puts(s, "NULL");
	else if (IS_ERR_VALUE(address))
		print_error_pointer(s, address);
	else if (target.kind == FTRACE_SIG_FUNC && has_name(v->how, address) &&
		 print_function(s, address))
		return;
	else if (v->how & FTRACE_SIG_HASH)
		print_hashed(s, address);
	else
		trace_text_put_hex(s, address);
}

/* What most names are found out by */
static bool may_have_printer(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(type_printers); i++)
		if (name[0] == type_printers[i].name[0])
			return true;
	return false;
}

static bool print_by_name(struct trace_seq *s, const struct value *v, u32 id)
{
	struct ftrace_sig_type type = ftrace_sig_type(v->table, id);
	const char *name = ftrace_sig_type_name(v->table, &type);
	const struct type_printer *printer = type_printers;
	unsigned int i;

	if (type.kind != FTRACE_SIG_TYPEDEF)
		return false;
	for (i = 0; i < ARRAY_SIZE(type_printers); i++, printer++) {
		if (v->type.kind == FTRACE_SIG_INT &&
		    v->type.size == printer->size && !strcmp(name, printer->name)) {
			printer->print(s, v);
			return true;
		}
	}
	return false;
}

/* The type may be a typedef of a typedef that is recognized by name. */
static bool print_by_names(struct trace_seq *s, const struct value *v, u32 id)
{
	for (;;) {
		struct ftrace_sig_type type = ftrace_sig_type(v->table, id);

		switch (type.kind) {
		case FTRACE_SIG_TYPEDEF:
			if (print_by_name(s, v, id))
				return true;
			fallthrough;
		case FTRACE_SIG_CONST:
		case FTRACE_SIG_VOLATILE:
			id = type.words[2];
			continue;
		}
		return false;
	}
}

static bool is_constant(const struct value *v)
{
	const u32 other = FTRACE_SIG_INT_BOOL | FTRACE_SIG_INT_CHAR;

	return v->type.kind == FTRACE_SIG_INT && !(v->type.flags & other) &&
	       v->type.size <= 8;
}

/* The family of a value by the names of its type; kuid_t is a struct of one word. */
static const struct ftrace_family *family_of_type(const struct value *v, u32 id)
{
	if (v->type.kind != FTRACE_SIG_INT && v->type.kind != FTRACE_SIG_STRUCT)
		return NULL;
	for (;;) {
		struct ftrace_sig_type type = ftrace_sig_type(v->table, id);
		const struct ftrace_family *family = NULL;

		switch (type.kind) {
		case FTRACE_SIG_TYPEDEF:
			family = ftrace_family_of_typedef(ftrace_sig_type_name(v->table,
									       &type),
							  v->type.size);
			if (family)
				return family;
			fallthrough;
		case FTRACE_SIG_CONST:
		case FTRACE_SIG_VOLATILE:
			id = type.words[2];
			continue;
		}
		return NULL;
	}
}

/* A negative result is an errno before it is anything else. */
static bool print_in_family(struct trace_seq *s, const struct value *v, u32 id)
{
	const struct ftrace_family *family = family_of_type(v, id);
	bool is_signed = v->type.flags & FTRACE_SIG_INT_SIGNED;
	unsigned int how = v->how;
	u64 bits;

	if (!family && is_constant(v))
		family = v->family;
	if (!family || v->type.size > 8 ||
	    !ftrace_family_takes(family, ftrace_sig_type_name(v->table, &v->type),
				 v->type.size, is_signed))
		return false;

	bits = low_bytes(v, v->type.size);
	if (how & FTRACE_SIG_IS_RESULT && is_signed &&
	    may_be_errno(v, sign_extend(bits, v->type.size)))
		return false;
	if (is_signed && v->type.kind == FTRACE_SIG_INT)
		how |= FTRACE_SIG_SIGNED;
	ftrace_family_print(s, family, bits, v->type.size, how);
	return true;
}

/**
 * ftrace_sig_is_integer - whether its function and name may tell the family of a value
 * @table: the table that contains the type
 * @type_id: the type
 *
 * Context: any, NMI included.
 * Return: false if it has none, or if its type alone tells.
 */
bool ftrace_sig_is_integer(const struct ftrace_sig_table *table, u32 type_id)
{
	struct value v = {
		.table		= table,
		.type		= ftrace_sig_resolve(table, type_id),
	};

	return is_constant(&v) && !family_of_type(&v, type_id);
}

/* It takes no room beside the other arguments, so at least so much of it is printed */
static void print_by_value(struct trace_seq *s, const struct value *v, u32 type_id)
{
	const struct ftrace_sig_limits limits = {
		.depth		= max(READ_ONCE(ftrace_sig_max_depth), 4U),
		.members	= max(READ_ONCE(ftrace_sig_max_members), 32U),
	};

	ftrace_sig_print_struct(s, v->table, type_id, v->words, v->type.size, v->how, &limits);
}

/**
 * ftrace_sig_print_value - print a value
 * @s: where to
 * @table: the table that contains the type
 * @type_id: the type
 * @words: as many words as the type is long
 * @how: FTRACE_SIG_IS_RESULT and so on
 */
void ftrace_sig_print_value(struct trace_seq *s,
			    const struct ftrace_sig_table *table, u32 type_id,
			    const unsigned long *words, unsigned int how)
{
	ftrace_sig_print_named(s, table, type_id, words, how, NULL);
}

/* The type behind typedefs and qualifiers, if none of the typedefs may have a printer */
static bool resolve_plain(const struct ftrace_sig_table *table, u32 id,
			  struct ftrace_sig_type *type)
{
	for (;;) {
		*type = ftrace_sig_type(table, id);
		switch (type->kind) {
		case FTRACE_SIG_TYPEDEF:
			if (may_have_printer(ftrace_sig_type_name(table, type)))
				return false;
			fallthrough;
		case FTRACE_SIG_CONST:
		case FTRACE_SIG_VOLATILE:
			id = type->words[2];
			continue;
		}
		return true;
	}
}

/*
 * Most values are integers of one word, and print as decimal numbers.  Returns false for
 * anything else, and prints nothing then.
 */
static bool print_decimal(struct trace_seq *s, const struct ftrace_sig_table *table, u32 id,
			  unsigned long word, unsigned int how)
{
	struct ftrace_sig_type type;
	unsigned int shift;
	long value;

	if (how & (FTRACE_SIG_NAMES | FTRACE_SIG_HEX | FTRACE_SIG_HASH) ||
	    !resolve_plain(table, id, &type) || type.kind != FTRACE_SIG_INT ||
	    type.flags & (FTRACE_SIG_INT_BOOL | FTRACE_SIG_INT_CHAR) ||
	    !type.size || type.size > sizeof(word))
		return false;

	shift = (sizeof(word) - type.size) * 8;
	word <<= shift;
	if (type.flags & FTRACE_SIG_INT_SIGNED) {
		value = (long)word >> shift;
		if (how & FTRACE_SIG_IS_RESULT && IS_ERR_VALUE(value))
			return false;
		trace_text_put_s64(s, value);
		return true;
	}
	word >>= shift;
	if (word > U32_MAX)
		return false;
	trace_text_put_u64(s, word);
	return true;
}

static noinline void print_any(struct trace_seq *s, const struct ftrace_sig_table *table,
			       u32 type_id, const unsigned long *words, unsigned int how,
			       const struct ftrace_family *family)
{
	struct value v = {
		.table		= table,
		.words		= words,
		.type		= ftrace_sig_resolve(table, type_id),
		.how		= how,
		.family		= family,
	};

	if (how & FTRACE_SIG_NAMES && print_in_family(s, &v, type_id))
		return;
	if (print_by_names(s, &v, type_id))
		return;

	switch (v.type.kind) {
	case FTRACE_SIG_INT:
		print_int(s, &v);
		break;
	case FTRACE_SIG_ENUM:
		print_enum(s, &v);
		break;
	case FTRACE_SIG_PTR:
		print_pointer(s, &v);
		break;
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		if (how & FTRACE_SIG_STRUCTS && ftrace_sig_nr_members(&v.type)) {
			print_by_value(s, &v, type_id);
			break;
		}
		fallthrough;
	case FTRACE_SIG_ARRAY:
		print_words(s, &v);
		break;
	default:
		/* Floating point: no argument register holds it */
		trace_seq_puts(s, "?");
	}
}

/**
 * ftrace_sig_print_named - print a value whose place is known
 * @s: where to
 * @table: the table that contains the type
 * @type_id: the type
 * @words: as many words as the type is long
 * @how: FTRACE_SIG_IS_RESULT and so on
 * @family: the constants that an integer in this place is made of, or NULL; used only
 *	with FTRACE_SIG_NAMES, and unless the type tells another family
 */
void ftrace_sig_print_named(struct trace_seq *s,
			    const struct ftrace_sig_table *table, u32 type_id,
			    const unsigned long *words, unsigned int how,
			    const struct ftrace_family *family)
{
	if (!print_decimal(s, table, type_id, words[0], how))
		print_any(s, table, type_id, words, how, family);
}
