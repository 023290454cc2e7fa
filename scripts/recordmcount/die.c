// SPDX-License-Identifier: GPL-2.0
/*
 * Reading DWARF entries.  Whatever the file says, following references ends:
 * chains are cut at DIE_MAX_DEPTH, and siblings must come in ascending order.
 */
#include <string.h>

#include "die.h"

/**
 * die_attr - an attribute of an entry itself
 * @die: the entry
 * @name: DW_AT_*
 * @attr: filled
 *
 * Return: whether it has it.
 */
bool die_attr(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *attr)
{
	return dwarf_attr(die, name, attr);
}

/**
 * die_ref - the entry that an attribute refers to
 * @die: the entry that has the attribute
 * @attr: DW_AT_*
 * @to: filled
 */
enum die_found die_ref(Dwarf_Die *die, unsigned int attr, Dwarf_Die *to)
{
	Dwarf_Attribute a;

	if (!die_attr(die, attr, &a))
		return DIE_NONE;
	return dwarf_formref_die(&a, to) ? DIE_FOUND : DIE_ERROR;
}

/**
 * die_number - an attribute that is a number
 * @die: the entry
 * @name: DW_AT_*
 * @value: filled
 */
bool die_number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!die_attr(die, name, &attr) || dwarf_formudata(&attr, &word))
		return false;
	*value = word;
	return true;
}

/**
 * die_flag - an attribute that is a flag
 * @die: the entry
 * @name: DW_AT_*
 */
bool die_flag(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	bool flag;

	return die_attr(die, name, &attr) && !dwarf_formflag(&attr, &flag) &&
	       flag;
}

/**
 * die_string - an attribute that is a string
 * @die: the entry
 * @name: DW_AT_*
 *
 * Return: the string, NULL if it has none.
 */
const char *die_string(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return die_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

/**
 * die_origin - the entry that says more: the abstract instance of a function
 *		or parameter, or its declaration (DWARF5 2.13, 3.3.8)
 * @die: the entry
 * @origin: filled
 */
enum die_found die_origin(Dwarf_Die *die, Dwarf_Die *origin)
{
	enum die_found found = die_ref(die, DW_AT_abstract_origin, origin);

	if (found == DIE_NONE)
		found = die_ref(die, DW_AT_specification, origin);
	return found;
}

/**
 * die_source - the entry that has names, types and order
 * @die: an instance
 * @source: set to the abstract instance if there is one, else to @die
 *
 * Return: false if it cannot be found.
 */
bool die_source(const Dwarf_Die *die, Dwarf_Die *source)
{
	Dwarf_Die origin;

	*source = *die;
	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		switch (die_ref(source, DW_AT_abstract_origin, &origin)) {
		case DIE_NONE:
			return true;
		case DIE_FOUND:
			*source = origin;
			break;
		default:
			return false;
		}
	}
	return false;
}

/**
 * die_flag_origin - an attribute that is a flag of an entry or of its origin
 * @die: the entry
 * @name: DW_AT_*
 */
bool die_flag_origin(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Die at = *die, origin;

	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		if (die_flag(&at, name))
			return true;
		if (die_origin(&at, &origin) != DIE_FOUND)
			return false;
		at = origin;
	}
	return false;
}

/**
 * die_type - the type of an entry, or of its origin
 * @die: the entry
 * @type: filled
 *
 * Return: DIE_NONE for void.
 */
enum die_found die_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die, origin;

	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		enum die_found found = die_ref(&at, DW_AT_type, type);

		if (found != DIE_NONE)
			return found;
		found = die_origin(&at, &origin);
		if (found != DIE_FOUND)
			return found;
		at = origin;
	}
	return DIE_ERROR;
}

/**
 * die_child - the first child of an entry
 * @die: the entry
 * @child: filled
 */
enum die_found die_child(Dwarf_Die *die, Dwarf_Die *child)
{
	int err = dwarf_child(die, child);

	return err < 0 ? DIE_ERROR : err ? DIE_NONE : DIE_FOUND;
}

/**
 * die_next - the next sibling of an entry
 * @die: the entry
 * @next: filled; may be @die
 */
enum die_found die_next(Dwarf_Die *die, Dwarf_Die *next)
{
	const void *addr = die->addr;
	int err = dwarf_siblingof(die, next);

	if (err)
		return err < 0 ? DIE_ERROR : DIE_NONE;
	/* a sibling attribute that points back would make a loop */
	return next->addr > addr ? DIE_FOUND : DIE_ERROR;
}

/**
 * die_is_qualifier - whether a type is another one, as far as layout goes
 * @tag: DW_TAG_* of the type
 */
bool die_is_qualifier(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
		return true;
	default:
		return false;
	}
}

/**
 * die_peel - the type behind typedefs and qualifiers
 * @type: the type; replaced
 *
 * Return: DIE_NONE if there is void behind them.
 */
enum die_found die_peel(Dwarf_Die *type)
{
	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		enum die_found found;
		Dwarf_Die to;

		if (!die_is_qualifier(dwarf_tag(type)))
			return DIE_FOUND;
		found = die_ref(type, DW_AT_type, &to);
		if (found != DIE_FOUND)
			return found;
		*type = to;
	}
	return DIE_ERROR;
}

static bool dim_count(Dwarf_Die *dim, uint64_t *count)
{
	uint64_t lower = 0, upper;

	if (die_number(dim, DW_AT_count, count))
		return true;
	if (!die_number(dim, DW_AT_upper_bound, &upper))
		return false;
	die_number(dim, DW_AT_lower_bound, &lower);
	*count = upper + 1 - lower;	/* [0] has an upper bound of -1 */
	return true;
}

/**
 * die_array_dim - a dimension of an array
 * @array: the array
 * @which: number of the dimension, 0 is the leftmost
 * @count: set to the number of elements, 0 if it is not known
 * @known: whether the number is known
 *
 * Return: false if there is no such dimension.
 */
bool die_array_dim(Dwarf_Die *array, unsigned int which, uint64_t *count,
		   bool *known)
{
	enum die_found found;
	Dwarf_Die dim;

	for (found = die_child(array, &dim); found == DIE_FOUND;
	     found = die_next(&dim, &dim)) {
		int tag = dwarf_tag(&dim);

		if (tag != DW_TAG_subrange_type &&
		    tag != DW_TAG_enumeration_type)
			continue;
		if (which--)
			continue;
		*count = 0;
		*known = tag == DW_TAG_subrange_type && dim_count(&dim, count);
		return true;
	}
	return false;
}
