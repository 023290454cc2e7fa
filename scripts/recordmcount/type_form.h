/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of a type in a table: the one description that writing, merging and
 * checking go by.
 */
#ifndef TYPE_FORM_H
#define TYPE_FORM_H

#include "../../include/linux/ftrace_signature_format.h"

#include "util.h"

/* What a word of a type is */
enum type_word {
	TYPE_WORD_NUMBER,
	TYPE_WORD_STRING,	/* offset of a string */
	TYPE_WORD_NAME,		/* FTRACE_SIG_WORD(offset of a string, ...) */
	TYPE_WORD_TYPE,		/* id of another type */
};

uint64_t type_words(const uint32_t *type, size_t room);
enum type_word type_word(const uint32_t *type, size_t i);
bool type_size_is_valid(unsigned int kind, uint64_t size,
			unsigned int word_size);
uint32_t type_size_clamped(uint64_t size);
bool type_is_alias(const uint32_t *type);
bool type_is_struct(const uint32_t *type);
bool type_is_definition_note(const uint32_t *type);
bool type_member_fits(const uint32_t *type, const uint32_t *member,
		      const uint32_t *meant);
const uint32_t *type_meant(const uint32_t *types, uint32_t id);

#endif /* TYPE_FORM_H */
