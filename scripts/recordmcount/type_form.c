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
 *	string, the id of a type, or the count of the items that follow
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

static const struct form forms[FTRACE_SIG_KIND_NR] = {
	[FTRACE_SIG_VOID]	= { "ns", "" },
	[FTRACE_SIG_INT]	= { "ns", "" },
	[FTRACE_SIG_FLOAT]	= { "ns", "" },
	[FTRACE_SIG_ENUM]	= { "nsc", "sn" },
	[FTRACE_SIG_PTR]	= { "nst", "" },
	[FTRACE_SIG_ARRAY]	= { "nstn", "" },
	[FTRACE_SIG_STRUCT]	= { "nsc", "stnn" },
	[FTRACE_SIG_UNION]	= { "nsc", "stnn" },
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
	if (head <= room && form->head[head - 1] == COUNT)
		words += type[head - 1] * (uint64_t)strlen(form->item);
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
