// SPDX-License-Identifier: GPL-2.0
/*
 * Find the family of constants that a value is of, and print the value by it.
 *
 * The tables are made from the kernel's headers when it is built, and never change, so
 * all of this may run in any context.
 */
#include <linux/bits.h>
#include <linux/ioctl.h>
#include <linux/kdev_t.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include <asm/page.h>

#include "constants.h"
#include "constants/tables.h"
#include "signature.h"

/* Look-up */

static const char *string(u32 offset)
{
	return ftrace_constants_strings + offset;
}

/* The index of the first rule whose key is not before @key, nor its scope before @scope */
static u32 lower_bound(const struct ftrace_family_rules *rules, const char *key,
		       const char *scope)
{
	u32 low = 0, high = rules->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct ftrace_family_rule *rule = &rules->rules[middle];
		int order = strcmp(string(rule->key), key);

		if (!order && scope)
			order = strcmp(string(rule->scope), scope);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct ftrace_family *find(const struct ftrace_family_rules *rules,
					const char *key, const char *scope)
{
	u32 i = lower_bound(rules, key, scope);
	const struct ftrace_family_rule *rule = &rules->rules[i];

	if (i == rules->nr || strcmp(string(rule->key), key) ||
	    strcmp(string(rule->scope), scope))
		return NULL;
	return &ftrace_families[rule->family];
}

/**
 * ftrace_family_of_typedef - the family of all values of a type
 * @name: the typedef's name
 * @size: its size in bytes; a module may have another type of the same name
 *
 * Context: any, NMI included.
 * Return: the family, or NULL if there is none.
 */
const struct ftrace_family *ftrace_family_of_typedef(const char *name, u32 size)
{
	const struct ftrace_family_rules *rules = &ftrace_family_typedefs;
	u32 i = lower_bound(rules, name, NULL);
	const struct ftrace_family_rule *rule = &rules->rules[i];

	if (i == rules->nr || strcmp(string(rule->key), name) || rule->size != size)
		return NULL;
	return &ftrace_families[rule->family];
}

/**
 * ftrace_family_of_param - the family of a parameter
 * @func: the function, without the suffix of a copy; NULL if it is not known
 * @param: the parameter
 *
 * A rule for the very function is preferred to one for a prefix, and a long prefix
 * to a short one.
 *
 * Context: any, NMI included.
 * Return: the family, or NULL if there is none.
 */
const struct ftrace_family *ftrace_family_of_param(const char *func, const char *param)
{
	const struct ftrace_family_rules *rules = &ftrace_family_param_prefixes;
	const struct ftrace_family *family = NULL;
	u32 i;

	if (!func)
		func = "";
	if (*func)
		family = find(&ftrace_family_params, param, func);
	if (family)
		return family;

	for (i = lower_bound(rules, param, NULL); i < rules->nr; i++) {
		const struct ftrace_family_rule *rule = &rules->rules[i];

		if (strcmp(string(rule->key), param))
			break;
		/* The size counts from 1 */
		if (!strncmp(string(rule->scope), func, rule->size - 1))
			return &ftrace_families[rule->family];
	}
	return NULL;
}

/* Whether a family of results has no constants, and only says what is an errno */
static bool tells_of_errnos(const struct ftrace_family *family)
{
	return family->kind == FTRACE_FAMILY_ERRNO || family->kind == FTRACE_FAMILY_NUMBER;
}

/**
 * ftrace_family_of_result - the family of a result
 * @func: the function, without the suffix of a copy; NULL if it is not known
 *
 * Context: any, NMI included.
 * Return: the family, or NULL if there is none.
 */
const struct ftrace_family *ftrace_family_of_result(const char *func)
{
	const struct ftrace_family *family = ftrace_family_of_param(func, "return");

	return family && !tells_of_errnos(family) ? family : NULL;
}

/*
 * Whether a function tells the order of things: strncmp(), uuid_compare() or
 * cmp_range(), but neither icmp_send() nor futex_cmpxchg_value_locked().  The family
 * "no_errnos" has those of the image.  This is for functions of modules, and for those that
 * the kernel has in other configurations only.
 */
static bool compares(const char *func)
{
	size_t size = strlen(func);

	if (strstr(func, "cmpxchg"))
		return false;
	if (strstr(func, "_cmp") || strstr(func, "compare") || !strncmp(func, "cmp_", 4))
		return true;
	return size >= 3 && !strcmp(func + size - 3, "cmp") &&
	       (size < 4 || func[size - 4] != 'i');
}

/**
 * ftrace_family_errno - whether negative results of a function are errnos
 * @func: the function, without the suffix of a copy; NULL if it is not known
 *
 * Context: any, NMI included.
 * Return: FTRACE_SIG_ERRNO if all are, FTRACE_SIG_NO_ERRNO if none is, or 0.
 */
unsigned int ftrace_family_errno(const char *func)
{
	const struct ftrace_family *family = ftrace_family_of_param(func, "return");

	switch (family ? family->kind : FTRACE_FAMILY_DECIMAL) {
	case FTRACE_FAMILY_ERRNO:
	case FTRACE_FAMILY_USER:
		return FTRACE_SIG_ERRNO;
	case FTRACE_FAMILY_NUMBER:
		return FTRACE_SIG_NO_ERRNO;
	}
	return func && compares(func) ? FTRACE_SIG_NO_ERRNO : 0;
}

/**
 * ftrace_family_of_member - the family of a member
 * @strct: the struct's or union's tag
 * @member: the member
 *
 * Context: any, NMI included.
 * Return: the family, or NULL if there is none.
 */
const struct ftrace_family *ftrace_family_of_member(const char *strct, const char *member)
{
	return find(&ftrace_family_members, member, strct);
}

/**
 * ftrace_family_by_name - a family that a caller knows by name
 * @name: its name in constants/families
 *
 * Searches all of them, so remember the result.
 *
 * Context: any, NMI included.
 * Return: the family, or NULL if there is none.
 */
const struct ftrace_family *ftrace_family_by_name(const char *name)
{
	u32 i;

	for (i = 0; i < ftrace_families_nr; i++) {
		if (!strcmp(string(ftrace_families[i].name), name))
			return &ftrace_families[i];
	}
	return NULL;
}

/* Text */

/* A constant, or a field; @words is behind it */
struct entry {
	const unsigned int	*words;
	u32			name;
	u64			value;
};

static struct entry read_entry(const struct ftrace_family *family,
			       const unsigned int *words)
{
	struct entry entry = {
		.name	= words[0],
		.value	= words[1],
		.words	= words + 2,
	};

	if (family->width == FTRACE_FAMILY_SIGNED)
		entry.value = (s64)(s32)words[1];
	else if (family->width == FTRACE_FAMILY_WIDE)
		entry.value |= (u64)*entry.words++ << 32;
	return entry;
}

/**
 * ftrace_family_takes - whether a family makes sense for a type
 * @family: the family
 * @type: the name of the integer's type
 * @size: its size in bytes
 * @is_signed: whether it has a sign
 *
 * Rules for all functions meet integers that only have the name of a parameter in
 * common with what is meant.  Addresses are unsigned long; on x86-32 an "ip" of the same
 * size may be one of the internet.  Neither addresses nor masks have a sign.
 *
 * Context: any, NMI included.
 * Return: false if the value is to be printed without it.
 */
bool ftrace_family_takes(const struct ftrace_family *family, const char *type, u32 size,
			 bool is_signed)
{
	switch (family->kind) {
	case FTRACE_FAMILY_ADDRESS:
		return !is_signed && size == sizeof(long) && strstr(type, "long");
	case FTRACE_FAMILY_HEX:
		return !is_signed;
	case FTRACE_FAMILY_ERRNO:
	case FTRACE_FAMILY_NUMBER:
		return false;
	}
	return size <= 8;
}

static u64 size_mask(u32 size)
{
	return size >= 8 ? U64_MAX : GENMASK_ULL(size * BITS_PER_BYTE - 1, 0);
}

/*
 * Readers of the kernel's log may have no right to trace: what may be an address is
 * hashed for them, as values.c does.
 */
static bool is_secret(u64 bits, unsigned int how)
{
	if (!(how & FTRACE_SIG_HASH))
		return false;
	return bits > U32_MAX || (BITS_PER_LONG == 32 && bits >= PAGE_OFFSET);
}

static void print_hex(struct trace_seq *s, u64 bits, unsigned int how)
{
	if (is_secret(bits, how))
		trace_seq_printf(s, "%p", (void *)(unsigned long)bits);
	else
		trace_seq_printf(s, "0x%llx", bits);
}

static void print_decimal(struct trace_seq *s, u64 bits, u32 size, unsigned int how)
{
	u32 unused = 64 - min_t(u32, size, 8) * BITS_PER_BYTE;
	s64 value = (s64)(bits << unused) >> unused;

	if (how & FTRACE_SIG_HEX || is_secret(bits, how))
		print_hex(s, bits, how);
	else if (how & FTRACE_SIG_SIGNED)
		trace_seq_printf(s, "%lld", value);
	else
		trace_seq_printf(s, "%llu", bits);
}

/* The text of flags while it grows */
struct flags {
	struct trace_seq	*s;
	const char		*separator;
	u64			left;		/* bits that have no name yet */
	u64			mask;		/* of the value's size */
};

static void print_flag(struct flags *flags, const char *name)
{
	trace_seq_puts(flags->s, flags->separator);
	trace_seq_puts(flags->s, name);
	flags->separator = "|";
}

/* Returns what is behind the field */
static const unsigned int *print_field(struct flags *flags,
				       const struct ftrace_family *family,
				       const struct entry *field)
{
	u32 nr = field->name & ~FTRACE_CONSTANTS_FIELD;
	u64 mask = field->value & flags->mask;
	const unsigned int *words = field->words;
	u64 value = flags->left & mask;
	bool found = false;

	while (nr--) {
		struct entry entry = read_entry(family, words);

		words = entry.words;
		if (found || entry.value != value)
			continue;
		found = true;
		print_flag(flags, string(entry.name));
		flags->left &= ~mask;
	}
	return words;
}

/*
 * Print the names; *@zero is that of no bit at all, or NULL.  A family counts the
 * constants in a field, too.
 */
static void print_names(struct flags *flags, const struct ftrace_family *family,
			const char **zero)
{
	const unsigned int *words = ftrace_constants_words + family->first;
	u32 stride = family->width == FTRACE_FAMILY_WIDE ? 3 : 2;
	const unsigned int *end = words + family->nr * stride;

	while (words < end) {
		struct entry entry = read_entry(family, words);

		words = entry.words;
		if (entry.name & FTRACE_CONSTANTS_FIELD) {
			words = print_field(flags, family, &entry);
		} else if (!entry.value) {
			*zero = string(entry.name);
		} else if ((flags->left & entry.value) == entry.value) {
			print_flag(flags, string(entry.name));
			flags->left &= ~entry.value;
		}
	}
}

static void print_flags(struct trace_seq *s, const struct ftrace_family *family,
			u64 bits, u32 size, unsigned int how)
{
	struct flags flags = {
		.s		= s,
		.separator	= "",
		.left		= bits,
		.mask		= size_mask(size),
	};
	const char *zero = NULL;

	print_names(&flags, family, &zero);
	if (family->kind == FTRACE_FAMILY_OCTAL && flags.left <= U32_MAX) {
		trace_seq_printf(s, "%s0%03llo", flags.separator, flags.left);
	} else if (flags.left) {
		trace_seq_puts(s, flags.separator);
		print_hex(s, flags.left, how);
	} else if (!*flags.separator) {
		trace_seq_puts(s, zero ?: "0");
	}
}

/*
 * Search a value.  A value of fewer bytes than a constant matches one that is the same
 * in these bytes and all of whose others continue its sign.
 */
static const char *find_value(const struct ftrace_family *family, u64 bits, u32 size)
{
	bool wide = family->width == FTRACE_FAMILY_WIDE;
	const unsigned int *words = ftrace_constants_words + family->first;
	u32 low = 0, high = family->nr;
	u64 key = bits;

	if (family->width == FTRACE_FAMILY_SIGNED && size < 4)
		key = (s64)(bits << (64 - size * 8)) >> (64 - size * 8);
	if (!wide)
		key = (u32)key;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		struct entry entry = read_entry(family, words + middle * (wide ? 3 : 2));
		u64 value = wide ? entry.value : (u32)entry.value;

		if (value == key)
			return (entry.value & size_mask(size)) == bits ?
			       string(entry.name) : NULL;
		if (value < key)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Numbers of ioctls have four parts; older ones have only two, and no size. */
static void print_ioctl(struct trace_seq *s, u64 bits, unsigned int how)
{
	static const char * const directions[] = {
		[_IOC_NONE]		  = "_IOC_NONE",
		[_IOC_READ]		  = "_IOC_READ",
		[_IOC_WRITE]		  = "_IOC_WRITE",
		[_IOC_READ | _IOC_WRITE]  = "_IOC_READ|_IOC_WRITE",
	};
	u32 cmd = bits;

	if (bits > U32_MAX || !_IOC_TYPE(cmd)) {
		print_hex(s, bits, how);
		return;
	}
	trace_seq_printf(s, "_IOC(%s, 0x%x, 0x%x, 0x%x)", directions[_IOC_DIR(cmd)],
			 _IOC_TYPE(cmd), _IOC_NR(cmd), _IOC_SIZE(cmd));
}

/**
 * ftrace_family_print - print a value
 * @s: where to
 * @family: the family that its constants are of
 * @bits: the value; the bits above its size are ignored
 * @size: its size in bytes
 * @how: FTRACE_SIG_HEX and so on; FTRACE_SIG_SIGNED if its type has a sign
 *
 * Context: any, NMI included.
 */
void ftrace_family_print(struct trace_seq *s, const struct ftrace_family *family,
			 u64 bits, u32 size, unsigned int how)
{
	const char *name = NULL;

	bits &= size_mask(size);
	switch (family->kind) {
	case FTRACE_FAMILY_FLAGS:
	case FTRACE_FAMILY_OCTAL:
		print_flags(s, family, bits, size, how);
		return;
	case FTRACE_FAMILY_VALUES:
	case FTRACE_FAMILY_IOCTL:
		name = find_value(family, bits, size);
		break;
	case FTRACE_FAMILY_HEX:
	case FTRACE_FAMILY_USER:
		print_hex(s, bits, how);
		return;
	case FTRACE_FAMILY_ADDRESS:
		if (bits > ULONG_MAX || !ftrace_sig_print_text_address(s, bits, how))
			print_hex(s, bits, how);
		return;
	case FTRACE_FAMILY_DEVICE:
		trace_seq_printf(s, "%u:%u", MAJOR((u32)bits), MINOR((u32)bits));
		return;
	}

	if (name)
		trace_seq_puts(s, name);
	else if (family->kind == FTRACE_FAMILY_IOCTL)
		print_ioctl(s, bits, how);
	else
		print_decimal(s, bits, size, how);
}
