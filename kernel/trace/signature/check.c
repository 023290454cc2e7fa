// SPDX-License-Identifier: GPL-2.0
/*
 * Check a table of signatures before anything uses it.
 *
 * Readers of a table run where an error can neither be reported nor survived: in
 * the entry of every traced function, in an NMI, while a crashed kernel dumps its
 * buffers.  So the whole table is checked here, once, and an invalid one is
 * refused as a whole.  The checksum finds accidental changes.  The other checks
 * make sure that even a malicious table leads no reader outside of it or into an
 * endless loop.  Checking a large table takes long, so the loops call
 * cond_resched().
 */
#include <linux/bitmap.h>
#include <linux/crc32.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "signature.h"

/* A table while it is checked; @flags are the header flags that it must have */
struct checked {
	const struct ftrace_sig_header	*hdr;
	const void			*data;
	const u32			*types;
	u32				nr_type_words;
	u32				strings_size;
	unsigned long			*type_starts;
	unsigned long			*protos_seen;
	u8				flags;
};

static const char *check_header(const struct checked *c, unsigned long size)
{
	const struct ftrace_sig_header *h = c->hdr;

	if (size < sizeof(*h))
		return "it is shorter than its header";
	if (h->magic != FTRACE_SIG_MAGIC)
		return "it does not begin with the magic number";
	if (h->version != FTRACE_SIG_VERSION)
		return "it has a version that this kernel does not know";
	if (h->word_size != sizeof(long) || h->flags != c->flags || h->reserved)
		return "it was made for another kind of kernel";
	if (h->size > size || h->size % 8 || (unsigned long)c->data % 8)
		return "its size or alignment is wrong";
	return NULL;
}

static u32 header_size(const struct checked *c)
{
	return sizeof(*c->hdr) +
	       (c->flags & FTRACE_SIG_F_APART ? sizeof(struct ftrace_sig_apart) : 0);
}

/* The parts ascend, don't overlap and lie within the table. */
static const char *check_parts(const struct checked *c)
{
	const struct ftrace_sig_header *h = c->hdr;

	if ((h->ips | h->sigs | h->protos | h->types | h->strings) % 4)
		return "a part of it is not aligned";
	if (h->ips < header_size(c) || h->sigs < h->ips || h->protos < h->sigs ||
	    h->types < h->protos || h->strings < h->types ||
	    h->strings_end <= h->strings || h->strings_end > h->size)
		return "its parts are not in order";
	if (h->nr_sites > (h->sigs - h->ips) / sizeof(s32) ||
	    h->nr_sites > (h->protos - h->sigs) / sizeof(u32))
		return "it has fewer call sites than it says";
	return NULL;
}

static u32 sum_of(u32 crc, const void *data, u32 size)
{
	while (size) {
		u32 part = min_t(u32, size, SZ_64K);

		crc = crc32_le(crc, data, part);
		data += part;
		size -= part;
		cond_resched();
	}
	return crc;
}

static const char *check_sum(const struct checked *c)
{
	struct ftrace_sig_header h = *c->hdr;
	u32 start = c->flags & FTRACE_SIG_F_APART ? sizeof(h) : h.sigs;
	u32 crc;

	h.checksum = 0;
	crc = sum_of(~0, &h, sizeof(h));
	crc = ~sum_of(crc, c->data + start, h.size - start);
	if (crc != c->hdr->checksum)
		return "its checksum is wrong";
	return NULL;
}

/*
 * Strings are printed as they are.  With a NUL at both ends, every offset inside
 * leads to a string that ends.
 */
static const char *check_strings(const struct checked *c)
{
	const unsigned char *strings = c->data + c->hdr->strings;
	u32 i;

	if (strings[0] || strings[c->strings_size - 1])
		return "its strings do not end";
	for (i = 0; i < c->strings_size; i++) {
		if (strings[i] && (strings[i] < ' ' || strings[i] == 0x7f))
			return "a name in it has control characters";
		if (i % SZ_64K == 0)
			cond_resched();
	}
	return NULL;
}

static bool is_string(const struct checked *c, u32 offset)
{
	return offset < c->strings_size;
}

static bool is_type(const struct checked *c, u32 id)
{
	return id < c->nr_type_words && test_bit(id, c->type_starts);
}

/*
 * The number of words of the type at @id; 0 if the type is invalid or reaches
 * beyond the end of the types.
 */
static u32 type_length(const struct checked *c, u32 id)
{
	const u32 *w = c->types + id;
	u32 left = c->nr_type_words - id;
	u64 length;

	if (left < 2)
		return 0;

	switch (FTRACE_SIG_TYPE_KIND(w[0])) {
	case FTRACE_SIG_VOID:
	case FTRACE_SIG_INT:
	case FTRACE_SIG_FLOAT:
		return 2;
	case FTRACE_SIG_PTR:
	case FTRACE_SIG_TYPEDEF:
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		length = 3;
		break;
	case FTRACE_SIG_ARRAY:
		length = 4;
		break;
	case FTRACE_SIG_ENUM:
		if (left < 3)
			return 0;
		length = 3 + (u64)w[2] * (FTRACE_SIG_TYPE_SIZE(w[0]) == 8 ? 3 : 2);
		break;
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		if (left < 3)
			return 0;
		length = 3 + (u64)FTRACE_SIG_NR_MEMBERS(w[2]) * FTRACE_SIG_MEMBER_WORDS;
		break;
	case FTRACE_SIG_FUNC:
		if (left < 4)
			return 0;
		length = 4 + (u64)w[3];
		break;
	default:
		return 0;
	}
	return length <= left ? length : 0;
}

/* Find where types start: each reference to a type must be one of these ids. */
static const char *find_types(const struct checked *c)
{
	u32 id, length;

	for (id = 0; id < c->nr_type_words; id += length) {
		length = type_length(c, id);
		if (!length)
			return "a type has no known form";
		__set_bit(id, c->type_starts);
		cond_resched();
	}
	if (!is_type(c, 0) || c->types[0] != FTRACE_SIG_TYPE(FTRACE_SIG_VOID, 0, 0))
		return "its first type is not void";
	return NULL;
}

static bool check_int_size(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static bool check_enum(const struct checked *c, const u32 *w)
{
	u32 size = FTRACE_SIG_TYPE_SIZE(w[0]);
	u32 step = size == 8 ? 3 : 2;
	u32 i;

	/* An enum that was only declared has no size. */
	if (size > 8 || (size && !check_int_size(size)))
		return false;
	for (i = 0; i < w[2]; i++)
		if (!is_string(c, w[3 + i * step]))
			return false;
	return true;
}

static bool is_alias(const u32 *w)
{
	switch (FTRACE_SIG_TYPE_KIND(w[0])) {
	case FTRACE_SIG_TYPEDEF:
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		return true;
	}
	return false;
}

/* A type that was checked, seen through typedefs and qualifiers */
static const u32 *real_type(const struct checked *c, u32 id)
{
	while (is_alias(c->types + id))
		id = c->types[id + 2];
	return c->types + id;
}

/*
 * A member's type has a smaller id than the structure, so it was checked before.  All
 * of the member is in the structure, so that whoever has the structure's bytes may
 * read it.
 */
static bool check_member(const struct checked *c, u32 id, const u32 *member)
{
	u64 room = (u64)FTRACE_SIG_TYPE_SIZE(c->types[id]) * BITS_PER_BYTE, bits;
	u32 width = FTRACE_SIG_BITS(member[0]), kind;

	if (!is_string(c, FTRACE_SIG_ID(member[0])) || member[1] >= id ||
	    !is_type(c, member[1]))
		return false;
	kind = FTRACE_SIG_TYPE_KIND(real_type(c, member[1])[0]);
	bits = (u64)FTRACE_SIG_TYPE_SIZE(real_type(c, member[1])[0]) * BITS_PER_BYTE;
	if (!width)
		return member[2] % BITS_PER_BYTE == 0 && member[2] + bits <= room;
	return (kind == FTRACE_SIG_INT || kind == FTRACE_SIG_ENUM) &&
	       width <= bits && (u64)member[2] + width <= room;
}

static bool check_members(const struct checked *c, u32 id)
{
	const u32 *w = c->types + id;
	u32 i, nr = FTRACE_SIG_NR_MEMBERS(w[2]);

	if (nr && FTRACE_SIG_TYPE_FLAGS(w[0]) &
	    (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION))
		return false;
	for (i = 0; i < nr; i++)
		if (!check_member(c, id, w + 3 + i * FTRACE_SIG_MEMBER_WORDS))
			return false;
	return true;
}

static bool check_func(const struct checked *c, const u32 *w)
{
	u32 i;

	if (!is_type(c, w[2]))
		return false;
	for (i = 0; i < w[3]; i++)
		if (!is_type(c, w[4 + i]))
			return false;
	return true;
}

/*
 * An alias refers to a smaller id, so following aliases ends.  The number of
 * steps is limited, because they are followed for each value that is printed.
 */
static bool check_alias(const struct checked *c, u32 id)
{
	unsigned int i;

	for (i = 0; i <= FTRACE_SIG_MAX_ALIASES; i++) {
		const u32 *w = c->types + id;

		if (!is_alias(w))
			return true;
		if (w[2] >= id || !is_type(c, w[2]))
			return false;
		id = w[2];
	}
	return false;
}

static bool check_type(const struct checked *c, u32 id)
{
	const u32 *w = c->types + id;

	if (!is_string(c, w[1]))
		return false;

	switch (FTRACE_SIG_TYPE_KIND(w[0])) {
	case FTRACE_SIG_VOID:
		return id == 0;
	case FTRACE_SIG_INT:
		return check_int_size(FTRACE_SIG_TYPE_SIZE(w[0]));
	case FTRACE_SIG_ENUM:
		return check_enum(c, w);
	case FTRACE_SIG_PTR:
		return FTRACE_SIG_TYPE_SIZE(w[0]) == sizeof(long) &&
		       is_type(c, w[2]);
	case FTRACE_SIG_TYPEDEF:
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		return check_alias(c, id);
	case FTRACE_SIG_ARRAY:
		return w[2] < id && is_type(c, w[2]);
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		return check_members(c, id);
	case FTRACE_SIG_FUNC:
		return check_func(c, w);
	}
	return true;
}

static const char *check_types(const struct checked *c)
{
	u32 id;

	for (id = 0; id < c->nr_type_words; id += type_length(c, id)) {
		if (!check_type(c, id))
			return "a type refers to what does not exist";
		cond_resched();
	}
	return NULL;
}

/* A type's size in bytes, seen through typedefs and qualifiers */
static u32 real_size(const struct checked *c, u32 id)
{
	return FTRACE_SIG_TYPE_SIZE(real_type(c, id)[0]);
}

/*
 * The first parameter of a syscall's entry is its own.  All others are the syscall's, in
 * order, and have one word each.
 */
static bool check_syscall_param(u32 i, u32 place, u32 words, u32 size)
{
	if (!i)
		return place == FTRACE_SIG_PLACE_PT_REGS && !words && size == sizeof(long);
	return FTRACE_SIG_IS_SYSCALL(place) && FTRACE_SIG_SYSCALL_ARG(place) == i - 1 &&
	       words == 1 && size && size <= sizeof(long);
}

/* The number of arguments stands in place of the number of stack slots */
static bool check_syscall(const struct ftrace_sig_proto *proto)
{
	return !(proto->flags & FTRACE_SIG_SYSCALL && proto->flags & FTRACE_SIG_SYSCALL_32) &&
	       FTRACE_SIG_BITS(proto->ret) == FTRACE_SIG_RET_WORD && !proto->nr_regs &&
	       proto->nr_params == proto->nr_stack + 1;
}

/*
 * Printing a value reads as many words as its type is long.  So the place must
 * hold all of them, and all of them must be captured.
 */
static bool check_param(const struct checked *c,
			const struct ftrace_sig_proto *proto,
			const struct ftrace_sig_param *param)
{
	u32 type = FTRACE_SIG_ID(param->type_place);
	u32 place = FTRACE_SIG_BITS(param->type_place);
	u32 words = FTRACE_SIG_BITS(param->name_words);

	if (!is_string(c, FTRACE_SIG_ID(param->name_words)) || !is_type(c, type))
		return false;

	if (ftrace_sig_is_syscall(proto))
		return check_syscall_param(param - proto->params, place, words,
					   real_size(c, type));
	if (FTRACE_SIG_IS_REG(place) || FTRACE_SIG_IS_STACK(place)) {
		if (words != DIV_ROUND_UP(real_size(c, type), sizeof(long)) || !words)
			return false;
		if (FTRACE_SIG_IS_REG(place))
			return place + words <= proto->nr_regs;
		return place - FTRACE_SIG_PLACE_STACK + words <= proto->nr_stack;
	}
	if (place == FTRACE_SIG_PLACE_CONST)
		return !words && real_size(c, type) &&
		       real_size(c, type) <= sizeof(u64);
	if (place == FTRACE_SIG_PLACE_UNKNOWN)
		return words < FTRACE_SIG_WHY_NR;
	return !words && place <= FTRACE_SIG_PLACE_EMPTY;
}

static bool check_ret(const struct checked *c, u32 ret)
{
	u32 type = FTRACE_SIG_ID(ret);
	u32 size;

	if (!is_type(c, type))
		return false;

	size = real_size(c, type);
	switch (FTRACE_SIG_BITS(ret)) {
	case FTRACE_SIG_RET_WORD:
		return size && size <= sizeof(long);
	case FTRACE_SIG_RET_PAIR:
		return size > sizeof(long) && size <= 2 * sizeof(long);
	default:
		return FTRACE_SIG_BITS(ret) < FTRACE_SIG_RET_NR;
	}
}

static bool check_proto(const struct checked *c, u32 offset)
{
	u32 left = c->hdr->types - c->hdr->protos;
	const struct ftrace_sig_proto *proto;
	u32 i, nr_consts = 0;

	if (left - offset < sizeof(*proto))
		return false;
	proto = c->data + c->hdr->protos + offset;
	left -= offset;
	if (left < struct_size(proto, params, proto->nr_params))
		return false;
	if (proto->nr_regs > FTRACE_SIG_ARG_REGS ||
	    proto->nr_stack > FTRACE_SIG_MAX_STACK || !check_ret(c, proto->ret))
		return false;
	if (ftrace_sig_is_syscall(proto) && !check_syscall(proto))
		return false;

	for (i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];

		if (!check_param(c, proto, param))
			return false;
		if (FTRACE_SIG_BITS(param->type_place) == FTRACE_SIG_PLACE_CONST)
			nr_consts++;
	}
	return left - struct_size(proto, params, proto->nr_params) >= nr_consts * 8;
}

/* The number of words at which a prototype may begin */
static u32 nr_proto_words(const struct checked *c)
{
	return (c->hdr->types - c->hdr->protos) / sizeof(u32);
}

/* Many call sites share a prototype; check it only once. */
static bool check_proto_once(const struct checked *c, u32 offset)
{
	if (offset % sizeof(u32) || offset / sizeof(u32) >= nr_proto_words(c))
		return false;
	return __test_and_set_bit(offset / sizeof(u32), c->protos_seen) ||
	       check_proto(c, offset);
}

static const char *check_protos(const struct checked *c)
{
	const u32 *sigs = c->data + c->hdr->sigs;
	u32 i;

	for (i = 0; i < c->hdr->nr_sites; i++) {
		if (!check_proto_once(c, sigs[i]))
			return "a call site has a prototype that is not in order";
		cond_resched();
	}
	return NULL;
}

static const char *check_content(struct checked *c)
{
	const char *why;

	c->type_starts = kvcalloc(BITS_TO_LONGS(c->nr_type_words),
				  sizeof(long), GFP_KERNEL);
	c->protos_seen = kvcalloc(BITS_TO_LONGS(nr_proto_words(c)),
				  sizeof(long), GFP_KERNEL);
	if (c->type_starts && c->protos_seen)
		why = find_types(c);
	else
		why = "there is not enough memory to check it";
	if (!why)
		why = check_types(c);
	if (!why)
		why = check_protos(c);

	kvfree(c->type_starts);
	kvfree(c->protos_seen);
	return why;
}

static const char *check(struct checked *c, unsigned long size)
{
	const char *why;

	why = check_header(c, size);
	if (!why)
		why = check_parts(c);
	if (!why)
		why = check_sum(c);
	if (why)
		return why;

	c->types = c->data + c->hdr->types;
	c->nr_type_words = (c->hdr->strings - c->hdr->types) / sizeof(u32);
	c->strings_size = c->hdr->strings_end - c->hdr->strings;
	why = check_strings(c);
	if (!why)
		why = check_content(c);
	return why;
}

static void find_parts(void *data, struct ftrace_sig_table *table)
{
	const struct ftrace_sig_header *h = data;

	table->ips = data + h->ips;
	table->sigs = data + h->sigs;
	table->protos = data + h->protos;
	table->types = data + h->types;
	table->strings = data + h->strings;
	table->nr_sites = h->nr_sites;
}

/**
 * ftrace_sig_table_check - check a table and find its parts
 * @data: the table
 * @size: bytes at @data; what follows the table in them is ignored
 * @table: its pointers and @nr_sites are filled in if the table is in order
 *
 * The addresses of the call sites are not looked at: they are whatever the
 * linker or the module loader made of them.
 *
 * Context: may sleep.
 * Return: NULL, or what is wrong, in words that follow "because".
 */
const char *ftrace_sig_table_check(void *data, unsigned long size,
				   struct ftrace_sig_table *table)
{
	struct checked c = { .hdr = data, .data = data };
	const char *why = check(&c, size);

	if (!why)
		find_parts(data, table);
	return why;
}

/**
 * ftrace_sig_apart_check - check a table apart and find its parts
 * @data: the table
 * @size: bytes at @data; what follows the table in them is ignored
 * @table: its pointers and @nr_sites are filled in if the table is in order
 *
 * Checks neither which image the table belongs to nor the call sites' addresses.
 *
 * Context: may sleep.
 * Return: NULL, or what is wrong, in words that follow "because".
 */
const char *ftrace_sig_apart_check(void *data, unsigned long size,
				   struct ftrace_sig_table *table)
{
	struct checked c = {
		.hdr = data, .data = data, .flags = FTRACE_SIG_F_APART
	};
	const char *why = check(&c, size);

	if (!why)
		find_parts(data, table);
	return why;
}
