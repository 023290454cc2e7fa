// SPDX-License-Identifier: GPL-2.0
/*
 * The machine mode that gcc gives a type (stor-layout: layout_type(),
 * compute_record_mode()), as far as calling conventions go by it.
 */
#include "die.h"

/* None that large has a mode: two of the largest number there is */
#define MAX_SIZE	32

/* Bounds the work for a hostile file. */
#define MAX_STEPS	256

struct mode_walk {
	const struct arch *arch;
	unsigned int	steps;
};

static enum type_mode mode_of(struct mode_walk *w, Dwarf_Die *type,
			      uint64_t *size);

static enum type_mode integer_mode(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 ? MODE_INT :
	       MODE_BLOCK;
}

static enum type_mode base_mode(Dwarf_Die *base, uint64_t size)
{
	uint64_t encoding = 0;

	die_number(base, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
	case DW_ATE_lo_user:	/* gcc's complex integers */
		return MODE_OTHER;
	default:
		return integer_mode(size);
	}
}

/* The array of one element has that one's mode, others that of an integer. */
static enum type_mode array_mode(struct mode_walk *w, Dwarf_Die *array,
				 uint64_t size)
{
	enum type_mode mode;
	Dwarf_Die element;
	uint64_t one;

	if (die_flag(array, DW_AT_GNU_vector) ||
	    die_type(array, &element) != DIE_FOUND)
		return MODE_UNKNOWN;
	mode = mode_of(w, &element, &one);
	if (mode == MODE_UNKNOWN || mode == MODE_BLOCK || one == size)
		return mode;
	return integer_mode(size);
}

static bool is_flexible(Dwarf_Die *type)
{
	Dwarf_Die t = *type;
	uint64_t count;
	bool known;

	return die_peel(&t) == DIE_FOUND && dwarf_tag(&t) == DW_TAG_array_type &&
	       die_array_dim(&t, 0, &count, &known) && !known;
}

/*
 * A structure has the mode of the member that is as large as itself, an integer's
 * if a union, or if it has several; but none if one of its members has none.
 */
static enum type_mode record_mode(struct mode_walk *w, Dwarf_Die *record,
				  uint64_t size)
{
	enum type_mode whole = integer_mode(size);
	enum die_found found;
	Dwarf_Die member;

	for (found = die_child(record, &member); found == DIE_FOUND;
	     found = die_next(&member, &member)) {
		enum type_mode mode;
		uint64_t member_size;
		Dwarf_Die type;

		if (dwarf_tag(&member) != DW_TAG_member ||
		    die_flag(&member, DW_AT_external) ||
		    die_flag(&member, DW_AT_declaration))
			continue;
		if (die_type(&member, &type) != DIE_FOUND)
			return MODE_UNKNOWN;
		if (is_flexible(&type))
			return MODE_BLOCK;
		mode = mode_of(w, &type, &member_size);
		if (mode == MODE_UNKNOWN)
			return mode;
		if (!member_size)
			continue;
		if (mode == MODE_BLOCK)
			return mode;
		if (member_size == size &&
		    dwarf_tag(record) == DW_TAG_structure_type)
			whole = mode;
	}
	return found == DIE_NONE ? whole : MODE_UNKNOWN;
}

static enum type_mode mode_of(struct mode_walk *w, Dwarf_Die *type,
			      uint64_t *size)
{
	Dwarf_Die t = *type;

	if (++w->steps > MAX_STEPS || die_peel(&t) != DIE_FOUND ||
	    !layout_size(w->arch, &t, size))
		return MODE_UNKNOWN;
	if (*size > MAX_SIZE)
		return MODE_BLOCK;
	switch (dwarf_tag(&t)) {
	case DW_TAG_base_type:
		return base_mode(&t, *size);
	case DW_TAG_array_type:
		return array_mode(w, &t, *size);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return record_mode(w, &t, *size);
	default:
		return integer_mode(*size);
	}
}

/**
 * mode_of_type - how gcc handles values of a type
 * @arch: the machine
 * @type: the type, which is not void
 */
enum type_mode mode_of_type(const struct arch *arch, Dwarf_Die *type)
{
	struct mode_walk w = { .arch = arch };
	uint64_t size;

	return mode_of(&w, type, &size);
}
