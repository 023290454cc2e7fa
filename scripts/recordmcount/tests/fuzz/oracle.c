// SPDX-License-Identifier: GPL-2.0
/* See oracle.h.  The tables here are those of a 64-bit kernel. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "shim_names.h"

/* The table that is looked at; whoever reads outside of it ends here. */
static const uint8_t *table;
static struct ftrace_sig_header header;
static size_t table_size;
static bool *starts;

static uint32_t word_at(uint64_t offset)
{
	uint32_t word;

	if (offset + 4 > table_size || offset % 4)
		abort();
	memcpy(&word, table + offset, 4);
	return word;
}

static uint32_t type_word(uint32_t id, uint32_t i)
{
	return word_at(header.types + 4ull * id + 4ull * i);
}

static uint32_t kind_of(uint32_t id)
{
	return type_word(id, 0) & 0xf;
}

static uint32_t flags_of(uint32_t id)
{
	return type_word(id, 0) >> 4 & 0xf;
}

static uint32_t size_of(uint32_t id)
{
	return type_word(id, 0) >> 8;
}

static const char *string_at(uint32_t offset)
{
	if (header.strings + (uint64_t)offset >= header.strings_end)
		abort();
	return (const char *)table + header.strings + offset;
}

static bool is_alias(uint32_t kind)
{
	return kind == FTRACE_SIG_TYPEDEF || kind == FTRACE_SIG_CONST ||
	       kind == FTRACE_SIG_VOLATILE;
}

static uint32_t peel(uint32_t id)
{
	while (is_alias(kind_of(id)))
		id = type_word(id, 2);
	return id;
}

/* Checking */

static bool good_string(uint32_t offset)
{
	return offset < header.strings_end - header.strings;
}

static bool good_id(uint32_t id)
{
	return id < (header.strings - header.types) / 4 && starts[id];
}

/* Words of a type that begins at @id, of which @left are there; 0: too many */
static uint64_t length_of(uint32_t id, uint64_t left)
{
	uint64_t nr, each = 0, first = 2;
	uint32_t kind, counter = 0;

	if (left < 2)
		return 0;
	kind = kind_of(id);
	if (kind >= FTRACE_SIG_KIND_NR)
		return 0;
	if (kind == FTRACE_SIG_PTR || is_alias(kind))
		first = 3;
	if (kind == FTRACE_SIG_ARRAY)
		first = 4;
	if (kind == FTRACE_SIG_ENUM) {
		first = 3;
		counter = 2;
		each = size_of(id) == 8 ? 3 : 2;
	}
	if (kind == FTRACE_SIG_STRUCT || kind == FTRACE_SIG_UNION) {
		first = 3;
		counter = 2;
		each = 3;
	}
	if (kind == FTRACE_SIG_FUNC) {
		first = 4;
		counter = 3;
		each = 1;
	}
	if (first > left)
		return 0;
	nr = counter ? type_word(id, counter) : 0;
	if (each == 3 && kind != FTRACE_SIG_ENUM)
		nr &= 0xffff;
	return first + nr * each <= left ? first + nr * each : 0;
}

/* A member lies within its structure, and its type stands before that. */
static bool good_member(uint32_t id, uint32_t at)
{
	uint32_t name = type_word(id, at), type = type_word(id, at + 1);
	uint64_t first = type_word(id, at + 2), end, bits = name >> 24;
	uint32_t kind;

	/* a stub and a declaration have none */
	if (word_at(header.types + 4ull * id) >> 4 & 0x9)
		return false;
	if (!good_string(name & 0xffffff) || type >= id || !good_id(type))
		return false;
	kind = kind_of(peel(type));
	end = first + (bits ? bits : 8ull * size_of(peel(type)));
	if (end > 8ull * size_of(id))
		return false;
	if (!bits)
		return !(first & 7);
	return (kind == FTRACE_SIG_INT || kind == FTRACE_SIG_ENUM) &&
	       bits <= 8ull * size_of(peel(type));
}

static bool good_type(uint32_t id)
{
	uint32_t kind = kind_of(id), size = size_of(id);

	if (!good_string(type_word(id, 1)))
		return false;
	if (kind == FTRACE_SIG_VOID)
		return !id;
	if (kind == FTRACE_SIG_INT)
		return size && size <= 16 && !(size & (size - 1));
	if (kind == FTRACE_SIG_PTR)
		return size == 8 && good_id(type_word(id, 2));
	if (is_alias(kind) || kind == FTRACE_SIG_ARRAY)
		return type_word(id, 2) < id && good_id(type_word(id, 2));
	if (kind == FTRACE_SIG_ENUM) {
		if (size > 8 || (size & (size - 1)))
			return false;
		for (uint32_t i = 0; i < type_word(id, 2); i++)
			if (!good_string(type_word(id, 3 + i * (size == 8 ? 3 : 2))))
				return false;
	}
	if (kind == FTRACE_SIG_STRUCT || kind == FTRACE_SIG_UNION)
		for (uint32_t i = 0; i < (type_word(id, 2) & 0xffff); i++)
			if (!good_member(id, 3 + 3 * i))
				return false;
	if (kind == FTRACE_SIG_FUNC)
		for (uint32_t i = 0; i < type_word(id, 3) + 1; i++)
			if (!good_id(type_word(id, i ? 3 + i : 2)))
				return false;
	return true;
}

static const char *check_types(void)
{
	uint32_t nr = (header.strings - header.types) / 4;

	if (!nr)
		return "no types";
	for (uint32_t id = 0; id < nr; ) {
		uint64_t length = length_of(id, nr - id);

		if (!length)
			return "a type beyond the types";
		starts[id] = true;
		id += length;
	}
	if (kind_of(0) != FTRACE_SIG_VOID)
		return "no void";
	for (uint32_t id = 0; id < nr; id++)
		if (starts[id] && !good_type(id))
			return "a type that is not in order";
	return NULL;
}

#define SYSCALLS	(FTRACE_SIG_SYSCALL | FTRACE_SIG_SYSCALL_32)

/* Of a syscall's entry: first the registers of the user, then a word for each argument */
static bool good_syscall(uint64_t proto)
{
	uint32_t counts = word_at(proto + 4), nr = counts & 0xff;

	if ((counts >> 24 & SYSCALLS) == SYSCALLS || !nr || (counts >> 8 & 0xff) ||
	    (counts >> 16 & 0xff) != nr - 1 || word_at(proto) >> 24 != FTRACE_SIG_RET_WORD)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t type_place = word_at(proto + 8 + 8 * i), place = type_place >> 24;
		uint32_t name_words = word_at(proto + 12 + 8 * i), size;

		if (!good_string(name_words & 0xffffff) || !good_id(type_place & 0xffffff))
			return false;
		size = size_of(peel(type_place & 0xffffff));
		if (!i && (place != FTRACE_SIG_PLACE_PT_REGS || name_words >> 24 || size != 8))
			return false;
		if (i && (i > 6 || name_words >> 24 != 1 || !size || size > 8 ||
			  (place != 0x90 + i - 1 && place != 0x98 + i - 1)))
			return false;
	}
	return true;
}

/* Where words of a parameter are, each must be there once it is captured. */
static bool good_param(uint64_t proto, uint32_t type_place, uint32_t name_words)
{
	uint32_t type = type_place & 0xffffff, place = type_place >> 24;
	uint32_t nr = name_words >> 24, counts = word_at(proto + 4);
	uint32_t size;

	if (!good_string(name_words & 0xffffff) || !good_id(type))
		return false;
	size = size_of(peel(type));
	if (place < 0x40)
		return nr && nr == (size + 7) / 8 &&
		       place + nr <= (counts >> 8 & 0xff);
	if (place < 0x80)
		return nr && nr == (size + 7) / 8 &&
		       place - 0x40 + nr <= (counts >> 16 & 0xff);
	if (place == FTRACE_SIG_PLACE_CONST)
		return !nr && size && size <= 8;
	/* Of an unknown place, the reason stands where the words do */
	if (place == FTRACE_SIG_PLACE_UNKNOWN)
		return nr < FTRACE_SIG_WHY_NR;
	return !nr && place <= FTRACE_SIG_PLACE_EMPTY;
}

static bool good_proto(uint32_t offset)
{
	uint64_t proto = header.protos + (uint64_t)offset, end = proto + 8;
	uint32_t counts, ret, nr_consts = 0;

	if (offset % 4 || end > header.types)
		return false;
	counts = word_at(proto + 4);
	end += 8 * (counts & 0xff);
	if (end > header.types || (counts >> 8 & 0xff) > FTRACE_SIG_MAX_REGS ||
	    (counts >> 16 & 0xff) > FTRACE_SIG_MAX_STACK)
		return false;
	if (counts >> 24 & SYSCALLS && !good_syscall(proto))
		return false;
	for (uint64_t at = proto + 8; at < end; at += 8) {
		if (counts >> 24 & SYSCALLS)
			break;
		if (!good_param(proto, word_at(at), word_at(at + 4)))
			return false;
		nr_consts += word_at(at) >> 24 == FTRACE_SIG_PLACE_CONST;
	}
	ret = word_at(proto);
	if (!good_id(ret & 0xffffff) || ret >> 24 >= FTRACE_SIG_RET_NR)
		return false;
	counts = (size_of(peel(ret & 0xffffff)) + 7) / 8;
	if (ret >> 24 == FTRACE_SIG_RET_WORD && counts != 1)
		return false;
	if (ret >> 24 == FTRACE_SIG_RET_PAIR && counts != 2)
		return false;
	return end + 8 * nr_consts <= header.types;
}

static const char *check_header(size_t size)
{
	const struct ftrace_sig_header *h = &header;

	if (size < sizeof(*h) || h->magic != FTRACE_SIG_MAGIC ||
	    h->version != FTRACE_SIG_VERSION || h->word_size != 8)
		return "no table";
	if (h->size > size || h->size % 8 || h->ips < sizeof(*h))
		return "wrong size";
	if (h->ips > h->sigs || h->sigs > h->protos || h->protos > h->types ||
	    h->types > h->strings || h->strings >= h->strings_end ||
	    h->strings_end > h->size)
		return "parts that do not ascend";
	if ((h->ips | h->sigs | h->protos | h->types | h->strings) & 3)
		return "parts that are not aligned";
	if (h->ips + 4ull * h->nr_sites > h->sigs ||
	    h->sigs + 4ull * h->nr_sites > h->protos)
		return "more sites than there is room for";
	return NULL;
}

static const char *check_rest(void)
{
	const char *why;

	if (table[header.strings] || table[header.strings_end - 1])
		return "strings without an end";
	for (uint32_t i = header.strings; i < header.strings_end; i++)
		if (table[i] && (table[i] < 0x20 || table[i] == 0x7f))
			return "strings with control characters";
	why = check_types();
	for (uint32_t i = 0; !why && i < header.nr_sites; i++)
		if (!good_proto(word_at(header.sigs + 4ull * i)))
			why = "a prototype that is not in order";
	return why;
}

static void look_at(const uint8_t *data, size_t size)
{
	memset(&header, 0, sizeof(header));
	memcpy(&header, data, size < sizeof(header) ? size : sizeof(header));
	table = data;
	table_size = header.size;
}

/**
 * oracle_check - whether a table is in order
 * @data: the table
 * @size: bytes at @data
 *
 * Return: NULL, or what is wrong; the checksum is not looked at.
 */
const char *oracle_check(const uint8_t *data, size_t size)
{
	const char *why;

	look_at(data, size);
	why = check_header(size);
	if (why)
		return why;
	starts = calloc((header.strings - header.types) / 4 + 1, sizeof(*starts));
	why = check_rest();
	free(starts);
	return why;
}

/* Printing */

__attribute__((__format__(printf, 2, 3)))
static void add(struct text *text, const char *fmt, ...)
{
	va_list ap;
	char *more;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&more, fmt, ap);
	va_end(ap);
	if (len < 0)
		abort();
	text->at = realloc(text->at, text->size + len + 1);
	memcpy(text->at + text->size, more, len + 1);
	text->size += len;
	free(more);
}

/* The value of a type of up to eight bytes: as unsigned, and as signed */
static uint64_t as_unsigned(uint64_t word, uint32_t size)
{
	for (uint32_t i = size; i < 8; i++)
		word &= ~(0xffull << 8 * i);
	return word;
}

static int64_t as_signed(uint64_t word, uint32_t size)
{
	word = as_unsigned(word, size);
	if (size < 8 && word >> (8 * size - 1))
		return (int64_t)word - (1ll << 8 * size);
	return (int64_t)word;
}

static void add_mode(struct text *text, uint64_t mode)
{
	static const char * const types[] = {
		[1] = "S_IFIFO", [2] = "S_IFCHR", [4] = "S_IFDIR",
		[6] = "S_IFBLK", [8] = "S_IFREG", [10] = "S_IFLNK",
		[12] = "S_IFSOCK", [15] = NULL,
	};

	if (types[mode >> 12])
		add(text, "%s|0%03o", types[mode >> 12], (int)mode & 07777);
	else
		add(text, "0%03o", (int)mode);
}

/* Types that are told by their name: only typedefs of an integer of that size */
static bool add_by_name(struct text *text, uint32_t id, uint64_t word)
{
	for (; is_alias(kind_of(id)); id = type_word(id, 2)) {
		const char *name = string_at(type_word(id, 1));
		uint32_t end = peel(id);

		if (kind_of(id) != FTRACE_SIG_TYPEDEF ||
		    kind_of(end) != FTRACE_SIG_INT)
			continue;
		word = as_unsigned(word, size_of(end));
		if (!strcmp(name, "gfp_t") && size_of(end) == 4)
			word ? add(text, "gfp(%x)", (unsigned int)word) :
			       add(text, "0");
		else if (!strcmp(name, "umode_t") && size_of(end) == 2)
			add_mode(text, word);
		else if (!strcmp(name, "dev_t") && size_of(end) == 4)
			add(text, "%u:%u", (unsigned int)(word >> 20),
			    (unsigned int)(word & 0xfffff));
		else
			continue;
		return true;
	}
	return false;
}

static void add_int128(struct text *text, const uint64_t *words, bool is_signed)
{
	unsigned __int128 value = (unsigned __int128)words[1] << 64 | words[0];
	bool negative = is_signed && words[1] >> 63;

	if (negative)
		value = -value;
	add(text, "%s0x", negative ? "-" : "");
	if (value >> 64)
		add(text, "%llx%016llx", (unsigned long long)(value >> 64),
		    (unsigned long long)value);
	else
		add(text, "%llx", (unsigned long long)value);
}

static void add_int(struct text *text, uint32_t id, const uint64_t *words,
		    unsigned int how)
{
	uint64_t value = as_unsigned(words[0], size_of(id));
	int64_t number = as_signed(words[0], size_of(id));
	uint32_t flags = flags_of(id);

	if (size_of(id) == 16) {
		add_int128(text, words, flags & FTRACE_SIG_INT_SIGNED);
	} else if (flags & FTRACE_SIG_INT_BOOL) {
		if (value < 2)
			add(text, value ? "true" : "false");
		else
			add(text, "0x%llx", (unsigned long long)value);
	} else if (flags & FTRACE_SIG_INT_CHAR && value >= ' ' && value <= '~') {
		add(text, value == '\'' || value == '\\' ? "'\\%c'" : "'%c'", (int)value);
	} else if (flags & FTRACE_SIG_INT_SIGNED) {
		add(text, "%lld", (long long)number);
		if (how & ORACLE_IS_RESULT && number < 0 && number > -4096 &&
		    shim_errno_has_name(-number))
			add(text, " (-E%lld)", (long long)-number);
	} else {
		add(text, value >> 32 ? "0x%llx" : "%llu",
		    (unsigned long long)value);
	}
}

static void add_enum(struct text *text, uint32_t id, uint64_t word)
{
	uint32_t size = size_of(id), step = size == 8 ? 3 : 2;

	for (uint32_t i = 0; i < type_word(id, 2); i++) {
		uint64_t value = type_word(id, 4 + i * step);

		if (size == 8)
			value |= (uint64_t)type_word(id, 5 + i * step) << 32;
		if (as_unsigned(value, size) == as_unsigned(word, size)) {
			add(text, "%s", string_at(type_word(id, 3 + i * step)));
			return;
		}
	}
	if (flags_of(id) & FTRACE_SIG_INT_SIGNED)
		add(text, "%lld", (long long)as_signed(word, size));
	else
		add(text, "%llu", (unsigned long long)as_unsigned(word, size));
}

static bool has_symbol(uint64_t address, unsigned int how)
{
	enum shim_name name = shim_name_of(address);

	if (how & ORACLE_NO_SYMBOLS || name == NAME_NONE)
		return false;
	return name != NAME_MODULE || !(how & ORACLE_IMAGE_SYMBOLS);
}

static void add_pointer(struct text *text, uint32_t id, uint64_t address,
			unsigned int how)
{
	int64_t number = (int64_t)address;
	uint32_t target = peel(type_word(id, 2));

	if (!address)
		add(text, "NULL");
	else if (number < 0 && number >= -4095 && shim_errno_has_name(-number))
		add(text, "ERR_PTR(-E%lld)", (long long)-number);
	else if (number < 0 && number >= -4095)
		add(text, "ERR_PTR(%lld)", (long long)number);
	else if (kind_of(target) == FTRACE_SIG_FUNC && has_symbol(address, how))
		add(text, shim_offset_of(address) ? "inside(%llx)" : "symbol(%llx)",
		    (unsigned long long)address);
	else
		add(text, "0x%llx", (unsigned long long)address);
}

static void add_words(struct text *text, const uint64_t *words, uint32_t size)
{
	add(text, "{");
	for (uint32_t at = 0; at < size; at += 8)
		add(text, "%s0x%llx", at ? ", " : "", (unsigned long long)
		    as_unsigned(words[at / 8], size - at < 8 ? size - at : 8));
	add(text, "}");
}

static void add_value(struct text *text, uint32_t id, const uint64_t *words,
		      unsigned int how)
{
	uint32_t end = peel(id);

	if (add_by_name(text, id, words[0]))
		return;
	switch (kind_of(end)) {
	case FTRACE_SIG_INT:
		add_int(text, end, words, how);
		return;
	case FTRACE_SIG_ENUM:
		add_enum(text, end, words[0]);
		return;
	case FTRACE_SIG_PTR:
		add_pointer(text, end, words[0], how);
		return;
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
	case FTRACE_SIG_ARRAY:
		add_words(text, words, size_of(end));
		return;
	default:
		add(text, "?");
	}
}

/**
 * oracle_params - what stands in the parentheses of a call
 * @data: a table that is in order
 * @proto: byte offset of the function's prototype among the prototypes
 * @words: what was captured
 * @nr_words: how many words
 * @how: ORACLE_*
 *
 * Return: the text, to be freed by the caller.
 */
struct text oracle_params(const uint8_t *data, uint32_t proto,
			  const uint64_t *words, unsigned int nr_words,
			  unsigned int how)
{
	struct text text = { NULL, 0 };
	uint64_t at, consts;
	uint32_t nr, regs, slots, flags;
	bool captured;

	look_at(data, sizeof(header));
	at = header.protos + (uint64_t)proto;
	nr = word_at(at + 4) & 0xff;
	regs = word_at(at + 4) >> 8 & 0xff;
	slots = word_at(at + 4) >> 16 & 0xff;
	flags = word_at(at + 4) >> 24;
	captured = regs + slots == nr_words;
	consts = at + 8 + 8 * nr;
	add(&text, "%s", "");
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t type = word_at(at + 8 + 8 * i);
		uint32_t place = type >> 24;
		const char *name = string_at(word_at(at + 12 + 8 * i) & 0xffffff);

		if (place == FTRACE_SIG_PLACE_PT_REGS)
			continue;
		add(&text, "%s%s%s", i > !!(flags & SYSCALLS) ? ", " : "", name,
		    *name ? "=" : "");
		type &= 0xffffff;
		if (place < 0x40 && captured) {
			add_value(&text, type, words + place, how);
		} else if (place < 0x80 && place >= 0x40 && captured) {
			add_value(&text, type, words + regs + place - 0x40, how);
		} else if (place >= 0x98 && captured) {
			uint64_t value = (int32_t)words[place - 0x98];

			add_value(&text, type, &value, how);
		} else if (place >= 0x90 && captured) {
			add_value(&text, type, words + place - 0x90, how);
		} else if (place == FTRACE_SIG_PLACE_CONST) {
			uint64_t value = (uint64_t)word_at(consts + 4) << 32 |
					 word_at(consts);

			consts += 8;
			add_value(&text, type, &value, how);
		} else {
			add(&text, "%s",
			    place == FTRACE_SIG_PLACE_REMOVED ? "<optimized out>" :
			    place == FTRACE_SIG_PLACE_EMPTY ? "{}" : "?");
		}
	}
	if (flags & (FTRACE_SIG_VARIADIC | FTRACE_SIG_UNPROTOTYPED))
		add(&text, "%s...", nr > !!(flags & SYSCALLS) ? ", " : "");
	return text;
}

/**
 * oracle_ret - how a call's result is printed
 * @data: a table that is in order
 * @proto: byte offset of the function's prototype among the prototypes
 * @low: first word of the result
 * @high: the second, NULL if it was not recorded
 * @how: ORACLE_*
 *
 * Return: the text, to be freed by the caller; no text if there is no result.
 */
struct text oracle_ret(const uint8_t *data, uint32_t proto, uint64_t low,
		       const uint64_t *high, unsigned int how)
{
	uint64_t words[2] = { low, high ? *high : 0 };
	struct text text = { NULL, 0 };
	uint32_t ret;

	look_at(data, sizeof(header));
	ret = word_at(header.protos + (uint64_t)proto);
	how |= ORACLE_IS_RESULT;
	switch (ret >> 24) {
	case FTRACE_SIG_RET_VOID:
		break;
	case FTRACE_SIG_RET_WORD:
		add_value(&text, ret & 0xffffff, words, how);
		break;
	case FTRACE_SIG_RET_PAIR:
		if (high)
			add_value(&text, ret & 0xffffff, words, how);
		else
			add(&text, "?");
		break;
	case FTRACE_SIG_RET_MEMORY:
		add(&text, "{?}");
		break;
	case FTRACE_SIG_RET_EMPTY:
		add(&text, "{}");
		break;
	default:
		add(&text, "?");
	}
	return text;
}
