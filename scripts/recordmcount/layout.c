// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of a type: from DWARF to what a calling convention wants to know.  That
 * is its size, its scalars, and the machine mode that gcc gives it (stor-layout:
 * layout_type(), compute_record_mode()).
 */
#include <string.h>

#include "layout.h"

/* Leaves matter only for what may be passed in registers. */
#define MAX_BITS	128

/* No type that is larger has a mode: two of the largest number there is */
#define MAX_MODE_SIZE	32

/* These bound the work for a hostile file. */
#define MAX_STEPS	4096
#define MAX_MODE_STEPS	256

struct walk {
	const struct arch *arch;
	struct type_info *info;
	unsigned int	steps;
};

static bool too_much(struct walk *w, unsigned int depth)
{
	return depth > DIE_MAX_DEPTH || ++w->steps > MAX_STEPS;
}

static bool size_of(struct walk *w, Dwarf_Die *type, uint64_t *size,
		    unsigned int depth);

static bool array_size(struct walk *w, Dwarf_Die *array, uint64_t *size,
		       unsigned int depth)
{
	Dwarf_Die element;
	uint64_t count;
	bool known;

	if (die_type(array, &element) != DIE_FOUND ||
	    !size_of(w, &element, size, depth + 1))
		return false;
	for (unsigned int i = 0; die_array_dim(array, i, &count, &known); i++)
		if (__builtin_mul_overflow(*size, count, size) ||
		    too_much(w, depth))
			return false;
	return true;
}

static bool size_of(struct walk *w, Dwarf_Die *type, uint64_t *size,
		    unsigned int depth)
{
	Dwarf_Die t = *type;

	if (too_much(w, depth) || die_peel(&t) != DIE_FOUND)
		return false;
	if (die_number(&t, DW_AT_byte_size, size))
		return true;
	switch (dwarf_tag(&t)) {
	case DW_TAG_pointer_type:
		*size = w->arch->word_size;
		return true;
	case DW_TAG_array_type:
		return array_size(w, &t, size, depth);
	default:
		return false;
	}
}

static bool type_size(const struct arch *arch, Dwarf_Die *type, uint64_t *size)
{
	struct walk w = { .arch = arch };

	return size_of(&w, type, size, 0);
}

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
 * A structure has the mode of the member that is as large as the structure.  A union, or
 * a structure of several members, has the mode of an integer.  Neither has a mode if one
 * of its members has none.
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

	if (++w->steps > MAX_MODE_STEPS || die_peel(&t) != DIE_FOUND ||
	    !type_size(w->arch, &t, size))
		return MODE_UNKNOWN;
	if (*size > MAX_MODE_SIZE)
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

/* How gcc handles values of a type, which is not void */
static enum type_mode mode_of_type(const struct arch *arch, Dwarf_Die *type)
{
	struct mode_walk w = { .arch = arch };
	uint64_t size;

	return mode_of(&w, type, &size);
}

static bool walk_type(struct walk *w, Dwarf_Die *type, uint64_t bit_offset,
		      unsigned int bit_size, unsigned int depth);

static void raise_align(struct walk *w, uint64_t align)
{
	if (align > w->info->align)
		w->info->align = align;
}

static void add_leaf(struct walk *w, enum type_kind kind, uint64_t bit_offset,
		     uint64_t bits, bool bit_field)
{
	struct type_info *info = w->info;

	if (bit_offset >= MAX_BITS)
		return;
	if (info->nr_leaves == TYPE_MAX_LEAVES || bits > 8 * MAX_BITS) {
		info->incomplete = true;
		return;
	}
	info->leaves[info->nr_leaves++] = (struct type_leaf){
		kind, bit_field, bit_offset, bits,
	};
}

/* Of 16 bytes there are long double and _Float128. */
static enum type_kind float_kind(const char *name, uint64_t size)
{
	return size > 8 && !(name && strstr(name, "128")) ? KIND_X87 :
	       KIND_FLOAT;
}

static enum type_kind base_kind(Dwarf_Die *base, uint64_t size, bool *complex)
{
	const char *name = die_string(base, DW_AT_name);
	uint64_t encoding = 0;

	*complex = false;
	die_number(base, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_complex_float:
		*complex = true;
		return float_kind(name, size / 2);
	case DW_ATE_float:
		return float_kind(name, size);
	case DW_ATE_decimal_float:
		return KIND_FLOAT;
	case DW_ATE_lo_user:	/* gcc's complex integers */
		*complex = true;
		return KIND_INT;
	default:
		return KIND_INT;
	}
}

static void raise_scalar_align(struct walk *w, enum type_kind kind,
			       uint64_t size)
{
	uint64_t most = w->arch->scalar_align;
	bool is_wide = kind == KIND_FLOAT && size > 8;

	raise_align(w, size > most && !is_wide ? most : size);
}

static bool walk_base(struct walk *w, Dwarf_Die *base, uint64_t bit_offset,
		      unsigned int bit_size)
{
	enum type_kind kind;
	uint64_t size;
	bool complex;

	if (!die_number(base, DW_AT_byte_size, &size) || size > MAX_BITS)
		return false;
	kind = base_kind(base, size, &complex);
	if (complex)
		size /= 2;
	if (!bit_size)
		raise_scalar_align(w, kind, size);
	add_leaf(w, kind, bit_offset, bit_size ? bit_size : size * 8, bit_size);
	if (complex)
		add_leaf(w, kind, bit_offset + size * 8, size * 8, false);
	return true;
}

static bool walk_array(struct walk *w, Dwarf_Die *array, uint64_t bit_offset,
		       unsigned int depth)
{
	uint64_t size, element_size, count;
	Dwarf_Die element;
	bool known;

	if (!die_array_dim(array, 0, &count, &known))
		return false;
	w->info->is_flexible |= !known;
	if (!array_size(w, array, &size, depth) ||
	    die_type(array, &element) != DIE_FOUND ||
	    !size_of(w, &element, &element_size, depth))
		return false;
	if (die_flag(array, DW_AT_GNU_vector)) {
		raise_align(w, size);
		add_leaf(w, KIND_VECTOR, bit_offset, size * 8, false);
		return true;
	}
	count = element_size ? size / element_size : 0;
	/* an array of unknown or no length still has alignment */
	if (!count)
		return walk_type(w, &element, MAX_BITS, 0, depth + 1);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = bit_offset + i * element_size * 8;

		if (i && at >= MAX_BITS)
			break;
		if (!walk_type(w, &element, at, 0, depth + 1))
			return false;
	}
	return true;
}

static bool member_offset(Dwarf_Die *member, uint64_t *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	*offset = 0;
	if (!die_attr(member, DW_AT_data_member_location, &attr))
		return true;
	if (!dwarf_formudata(&attr, offset))
		return true;
	/* DWARF 2 wrote an expression: DW_OP_plus_uconst */
	if (dwarf_getlocation(&attr, &ops, &nr) || nr != 1 ||
	    ops[0].atom != DW_OP_plus_uconst)
		return false;
	*offset = ops[0].number;
	return true;
}

/* Position and width of a bit field; DWARF5 5.7.6, and DWARF 2's way. */
static bool bit_field(struct walk *w, Dwarf_Die *member, Dwarf_Die *type,
		      uint64_t *bit_offset, uint64_t *bit_size)
{
	uint64_t from_top, storage;

	if (!die_number(member, DW_AT_bit_size, bit_size)) {
		*bit_size = 0;
		return true;
	}
	if (!*bit_size || *bit_size > MAX_BITS)
		return false;
	if (die_number(member, DW_AT_data_bit_offset, bit_offset))
		return true;
	if (!die_number(member, DW_AT_bit_offset, &from_top))
		return true;
	if (!die_number(member, DW_AT_byte_size, &storage) &&
	    !size_of(w, type, &storage, 0))
		return false;
	/* may be "negative" when the field crosses its storage unit */
	*bit_offset += storage * 8 - from_top - *bit_size;
	return true;
}

/**
 * layout_member - where a member is in its structure
 * @arch: the machine
 * @member: the member
 * @type: its type
 * @bit_offset: set to its offset in bits; bit 0 is the lowest of the first byte
 * @bits: set to its width if it is a bit field, else to 0
 *
 * What it says is that of the file, and may be beyond the structure.
 *
 * Return: false if it cannot be told.
 */
bool layout_member(const struct arch *arch, Dwarf_Die *member, Dwarf_Die *type,
		   uint64_t *bit_offset, uint64_t *bits)
{
	struct walk w = { .arch = arch };

	return member_offset(member, bit_offset) &&
	       !__builtin_mul_overflow(*bit_offset, 8, bit_offset) &&
	       bit_field(&w, member, type, bit_offset, bits);
}

static bool walk_member(struct walk *w, Dwarf_Die *member, uint64_t bit_offset,
			unsigned int depth)
{
	uint64_t at, bits, align;
	Dwarf_Die type;

	if (die_flag(member, DW_AT_external) ||
	    die_flag(member, DW_AT_declaration))
		return true;
	if (die_type(member, &type) != DIE_FOUND ||
	    !layout_member(w->arch, member, &type, &at, &bits))
		return false;
	if (die_number(member, DW_AT_alignment, &align))
		raise_align(w, align);
	if (at >= MAX_BITS)
		at = MAX_BITS;
	return walk_type(w, &type, bit_offset + at, bits, depth + 1);
}

/*
 * An explicit alignment overrides that of the members, because the structure may be
 * packed.
 */
static bool walk_struct(struct walk *w, Dwarf_Die *type, uint64_t bit_offset,
			unsigned int depth)
{
	uint64_t outer = w->info->align, align;
	enum die_found found;
	Dwarf_Die member;

	if (die_flag(type, DW_AT_declaration))
		return false;
	w->info->align = 1;
	for (found = die_child(type, &member); found == DIE_FOUND;
	     found = die_next(&member, &member))
		if (dwarf_tag(&member) == DW_TAG_member &&
		    !walk_member(w, &member, bit_offset, depth))
			return false;
	if (die_number(type, DW_AT_alignment, &align))
		w->info->align = align;
	else if (w->info->align > w->arch->word_size)
		w->info->align_guessed = true;
	raise_align(w, outer);
	return found == DIE_NONE;
}

static bool walk_type(struct walk *w, Dwarf_Die *type, uint64_t bit_offset,
		      unsigned int bit_size, unsigned int depth)
{
	Dwarf_Die t = *type;
	uint64_t size;

	if (too_much(w, depth) || die_peel(&t) != DIE_FOUND)
		return false;
	switch (dwarf_tag(&t)) {
	case DW_TAG_base_type:
		return walk_base(w, &t, bit_offset, bit_size);
	case DW_TAG_pointer_type:
	case DW_TAG_enumeration_type:
		if (!size_of(w, &t, &size, depth) || size > 16)
			return false;
		if (!bit_size)
			raise_scalar_align(w, KIND_INT, size);
		add_leaf(w, KIND_INT, bit_offset,
			 bit_size ? bit_size : size * 8, bit_size);
		return true;
	case DW_TAG_array_type:
		return walk_array(w, &t, bit_offset, depth);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return walk_struct(w, &t, bit_offset, depth);
	default:
		return false;
	}
}

static enum type_kind kind_of(Dwarf_Die *type, uint64_t size)
{
	enum type_kind kind;
	bool complex;

	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		kind = base_kind(type, size, &complex);
		if (!complex)
			return kind;
		return kind == KIND_X87 ? KIND_COMPLEX_X87 : KIND_AGGREGATE;
	case DW_TAG_array_type:
		return KIND_VECTOR;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return KIND_AGGREGATE;
	default:
		return KIND_INT;
	}
}

/* Only a broken file has members beyond the end, or numbers without a size. */
static bool is_sane(const struct type_info *info)
{
	if (!info->size && info->kind != KIND_AGGREGATE &&
	    info->kind != KIND_VECTOR)
		return false;
	for (unsigned int i = 0; i < info->nr_leaves; i++)
		if (info->size < MAX_BITS / 8 &&
		    info->leaves[i].bit_offset + info->leaves[i].bits >
		    8 * info->size)
			return false;
	return !(info->align & (info->align - 1)) && info->align;
}

static bool is_record(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_structure_type ||
	       dwarf_tag(type) == DW_TAG_union_type;
}

/**
 * layout_of - the layout of a type
 * @arch: the machine
 * @type: the type of a parameter or result
 * @info: filled
 *
 * Return: false if it cannot be told.
 */
bool layout_of(const struct arch *arch, Dwarf_Die *type, struct type_info *info)
{
	struct walk w = { .arch = arch, .info = info };
	Dwarf_Die t = *type;

	info->nr_leaves = 0;
	info->incomplete = false;
	info->align_guessed = false;
	info->align = 1;
	info->size = 0;
	info->kind = KIND_VOID;
	info->mode = MODE_UNKNOWN;
	info->is_record = false;
	info->is_flexible = false;
	switch (die_peel(&t)) {
	case DIE_NONE:
		return true;
	case DIE_ERROR:
		return false;
	default:
		break;
	}
	if (!size_of(&w, &t, &info->size, 0) || !walk_type(&w, &t, 0, 0, 0))
		return false;
	info->kind = kind_of(&t, info->size);
	info->mode = mode_of_type(arch, &t);
	info->is_record = is_record(&t);
	return is_sane(info);
}
