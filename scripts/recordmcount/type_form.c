// SPDX-License-Identifier: GPL-2.0
/*
 * The form of a type in a table, see include/linux/ftrace_signature_format.h:
 * which words it has, what each of them is, and which sizes it may have.
 */
#include <string.h>

#include "type_form.h"

/* Enumerators with values of 64 bits have two words for them. */
#define WIDE_ENUM	8

/**
 * struct form - the words of a type, a letter each
 * @head: the words that each type of a kind has: a number, the offset of a
 *	string, the id of a type, or the count of the items that follow, all of
 *	the word or its lower half
 * @item: the words of an item
 */
struct form {
	const char	*head;
	const char	*item;
};

#define NUMBER		'n'
#define STRING		's'
#define TYPE		't'
#define COUNT		'c'
#define LOW_COUNT	'l'
#define NAME		'a'

static const struct form forms[FTRACE_SIG_KIND_NR] = {
	[FTRACE_SIG_VOID]	= { "ns", "" },
	[FTRACE_SIG_INT]	= { "ns", "" },
	[FTRACE_SIG_FLOAT]	= { "ns", "" },
	[FTRACE_SIG_ENUM]	= { "nsc", "sn" },
	[FTRACE_SIG_PTR]	= { "nst", "" },
	[FTRACE_SIG_ARRAY]	= { "nstn", "" },
	[FTRACE_SIG_STRUCT]	= { "nsl", "atn" },
	[FTRACE_SIG_UNION]	= { "nsl", "atn" },
	[FTRACE_SIG_FUNC]	= { "nstc", "t" },
	[FTRACE_SIG_TYPEDEF]	= { "nst", "" },
	[FTRACE_SIG_CONST]	= { "nst", "" },
	[FTRACE_SIG_VOLATILE]	= { "nst", "" },
};

static const struct form wide_enum = { "nsc", "snn" };

/* NULL if there is no such kind */
static const struct form *form_of(const uint32_t *type)
{
	unsigned int kind = FTRACE_SIG_TYPE_KIND(type[0]);

	if (kind >= FTRACE_SIG_KIND_NR)
		return NULL;
	if (kind == FTRACE_SIG_ENUM &&
	    FTRACE_SIG_TYPE_SIZE(type[0]) == WIDE_ENUM)
		return &wide_enum;
	return &forms[kind];
}

/* The number of items behind the head of a type */
static uint32_t nr_items(const struct form *form, const uint32_t *type)
{
	size_t last = strlen(form->head) - 1;

	switch (form->head[last]) {
	case COUNT:
		return type[last];
	case LOW_COUNT:
		return FTRACE_SIG_NR_MEMBERS(type[last]);
	default:
		return 0;
	}
}

/**
 * type_words - number of words of a type
 * @type: the type
 * @room: words that may be read, at least one
 *
 * Return: 0 if there is no such kind of type, or not all of it is in @room.
 */
uint64_t type_words(const uint32_t *type, size_t room)
{
	const struct form *form = form_of(type);
	size_t head;
	uint64_t words;

	if (!form)
		return 0;
	head = strlen(form->head);
	words = head;
	if (head <= room)
		words += nr_items(form, type) * (uint64_t)strlen(form->item);
	return words <= room ? words : 0;
}

/**
 * type_word - what a word of a type is
 * @type: the type, of a known kind
 * @i: number of the word, less than type_words()
 */
enum type_word type_word(const uint32_t *type, size_t i)
{
	const struct form *form = form_of(type);
	size_t head = strlen(form->head);

	switch (i < head ? form->head[i] :
		form->item[(i - head) % strlen(form->item)]) {
	case STRING:
		return TYPE_WORD_STRING;
	case NAME:
		return TYPE_WORD_NAME;
	case TYPE:
		return TYPE_WORD_TYPE;
	default:
		return TYPE_WORD_NUMBER;
	}
}

static bool is_power_of_2(uint64_t size)
{
	return size && !(size & (size - 1));
}

/**
 * type_size_is_valid - whether a type may have a size
 * @kind: FTRACE_SIG_*, the kind of type
 * @size: bytes
 * @word_size: bytes in a machine word
 */
bool type_size_is_valid(unsigned int kind, uint64_t size,
			unsigned int word_size)
{
	switch (kind) {
	case FTRACE_SIG_INT:
		return is_power_of_2(size) && size <= 16;
	case FTRACE_SIG_ENUM:
		/* one that was only declared has no size */
		return !size || (is_power_of_2(size) && size <= WIDE_ENUM);
	case FTRACE_SIG_PTR:
		return size == word_size;
	default:
		return true;
	}
}

/**
 * type_size_clamped - the size that a table has for a type
 * @size: bytes
 */
uint32_t type_size_clamped(uint64_t size)
{
	return size < FTRACE_SIG_TYPE_SIZE_MAX ? size : FTRACE_SIG_TYPE_SIZE_MAX;
}

/**
 * type_is_alias - whether a type only stands for another one
 * @type: the type
 */
bool type_is_alias(const uint32_t *type)
{
	unsigned int kind = FTRACE_SIG_TYPE_KIND(type[0]);

	return kind == FTRACE_SIG_TYPEDEF || kind == FTRACE_SIG_CONST ||
	       kind == FTRACE_SIG_VOLATILE;
}

/**
 * type_meant - the type behind typedefs and qualifiers
 * @types: the types, which were checked or made here
 * @id: the type
 */
const uint32_t *type_meant(const uint32_t *types, uint32_t id)
{
	while (type_is_alias(types + id))
		id = types[id + 2];
	return types + id;
}

/**
 * type_is_struct - whether a type is a structure or union
 * @type: the type
 */
bool type_is_struct(const uint32_t *type)
{
	unsigned int kind = FTRACE_SIG_TYPE_KIND(type[0]);

	return kind == FTRACE_SIG_STRUCT || kind == FTRACE_SIG_UNION;
}

/**
 * type_is_definition_note - whether a type is a stub that tells size or line
 * @type: the type
 */
bool type_is_definition_note(const uint32_t *type)
{
	return type_is_struct(type) &&
	       FTRACE_SIG_TYPE_FLAGS(type[0]) & FTRACE_SIG_STUB &&
	       (FTRACE_SIG_TYPE_SIZE(type[0]) || FTRACE_SIG_LINE(type[2]));
}

/**
 * type_member_fits - whether a member lies within its structure
 * @type: the structure
 * @member: the words of the member
 * @meant: the member's type, behind typedefs and qualifiers
 */
bool type_member_fits(const uint32_t *type, const uint32_t *member,
		      const uint32_t *meant)
{
	uint64_t room = FTRACE_SIG_TYPE_SIZE(type[0]) * 8ull;
	uint64_t bits = FTRACE_SIG_TYPE_SIZE(meant[0]) * 8ull;
	uint32_t width = FTRACE_SIG_BITS(member[0]), at = member[2];
	unsigned int kind = FTRACE_SIG_TYPE_KIND(meant[0]);

	if (!width)
		return at % 8 == 0 && at + bits <= room;
	return (kind == FTRACE_SIG_INT || kind == FTRACE_SIG_ENUM) &&
	       width <= bits && (uint64_t)at + width <= room;
}
