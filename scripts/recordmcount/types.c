// SPDX-License-Identifier: GPL-2.0
/*
 * Types: from DWARF to a table.  What a member points to is recorded by name only, so no
 * type refers to itself unless the file is broken.
 */
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "type_form.h"
#include "types.h"

/* Parameters of a function type, enumerators, members: more are refused. */
#define MAX_ITEMS	65535

struct encoder {
	struct table		*table;
	struct type_memo	*memo;
	const struct arch	*arch;
};

/* A type record being made. */
struct record {
	uint32_t	*words;
	size_t		nr;
	size_t		room;
	bool		failed;
};

/* Marks a type that was not looked at in this view. */
#define UNSEEN		(TABLE_NONE - 1)

static uint32_t encode(struct encoder *e, Dwarf_Die *type, enum type_view view,
		       unsigned int depth);

static void add(struct record *r, uint32_t word)
{
	GROW(r->words, r->nr, r->room);
	r->words[r->nr++] = word;
}

static void add_id(struct record *r, uint32_t id)
{
	if (id == TABLE_NONE)
		r->failed = true;
	add(r, id);
}

/* 0 without DW_AT_byte_size */
static uint64_t size_of(Dwarf_Die *type)
{
	uint64_t size = 0;

	die_number(type, DW_AT_byte_size, &size);
	return size;
}

static void begin(struct encoder *e, struct record *r, Dwarf_Die *type,
		  unsigned int kind, unsigned int flags)
{
	add(r, FTRACE_SIG_TYPE(kind, flags, type_size_clamped(size_of(type))));
	add_id(r, table_string(e->table, die_string(type, DW_AT_name)));
}

static uint32_t finish(struct encoder *e, struct record *r)
{
	uint32_t id = TABLE_NONE;

	if (!r->failed && r->nr >= 2)
		id = table_type(e->table, r->words, r->nr);
	free(r->words);
	return id;
}

static uint32_t failed(struct record *r)
{
	free(r->words);
	return TABLE_NONE;
}

/* The type that another one is made of; void has the id 0. */
static uint32_t encode_target(struct encoder *e, Dwarf_Die *die,
			      enum type_view view, unsigned int depth)
{
	Dwarf_Die target;

	switch (die_ref(die, DW_AT_type, &target)) {
	case DIE_NONE:
		return 0;
	case DIE_FOUND:
		return encode(e, &target, view, depth + 1);
	default:
		return TABLE_NONE;
	}
}

static uint32_t encode_base(struct encoder *e, Dwarf_Die *type)
{
	struct record r = { 0 };
	const char *name = die_string(type, DW_AT_name);
	unsigned int kind = FTRACE_SIG_INT, flags = 0;
	uint64_t encoding = 0;

	die_number(type, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		flags = FTRACE_SIG_INT_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		flags = FTRACE_SIG_INT_SIGNED;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_address:
		break;
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		kind = FTRACE_SIG_FLOAT;
		break;
	case DW_ATE_lo_user:	/* gcc's complex integer: opaque */
		kind = FTRACE_SIG_STRUCT;
		break;
	default:
		return TABLE_NONE;
	}
	if (!type_size_is_valid(kind, size_of(type), e->arch->word_size))
		return TABLE_NONE;
	if (kind == FTRACE_SIG_INT && name && !strcmp(name, "char"))
		flags |= FTRACE_SIG_INT_CHAR;
	begin(e, &r, type, kind, flags);
	if (kind == FTRACE_SIG_STRUCT) {
		r.words[0] |= FTRACE_SIG_TYPE(0, FTRACE_SIG_STUB, 0);
		add(&r, 0);
	}
	return finish(e, &r);
}

static uint32_t encode_modifier(struct encoder *e, Dwarf_Die *type,
				unsigned int kind, enum type_view view,
				unsigned int depth)
{
	struct record r = { 0 };
	uint32_t id;

	if (kind == FTRACE_SIG_PTR && view == VIEW_MEMBER)
		view = VIEW_TARGET;
	id = encode_target(e, type, view, depth);
	if (kind == FTRACE_SIG_PTR) {
		add(&r, FTRACE_SIG_TYPE(kind, 0, e->arch->word_size));
		add(&r, 0);
	} else {
		add(&r, FTRACE_SIG_TYPE(kind, 0, 0));
		add_id(&r, kind == FTRACE_SIG_TYPEDEF ?
		       table_string(e->table, die_string(type, DW_AT_name)) : 0);
	}
	add_id(&r, id);
	return finish(e, &r);
}

static unsigned int nr_dims(Dwarf_Die *array)
{
	unsigned int nr = 0;
	uint64_t count;
	bool known;

	while (nr <= DIE_MAX_DEPTH && die_array_dim(array, nr, &count, &known))
		nr++;
	return nr;
}

/* DWARF has one array type for all dimensions, a table nests them. */
static uint32_t encode_array(struct encoder *e, Dwarf_Die *type,
			     enum type_view view, unsigned int depth)
{
	uint32_t id = encode_target(e, type, view, depth);
	unsigned int dims = nr_dims(type);
	uint64_t size, count;
	bool known;

	if (id == TABLE_NONE || !dims || dims > DIE_MAX_DEPTH)
		return TABLE_NONE;
	size = FTRACE_SIG_TYPE_SIZE(table_type_meant(e->table, id)[0]);
	while (dims-- && id != TABLE_NONE) {
		uint32_t words[4] = { 0 };

		if (!die_array_dim(type, dims, &count, &known))
			return TABLE_NONE;
		if (__builtin_mul_overflow(size, count, &size))
			size = UINT64_MAX;
		size = type_size_clamped(size);
		words[0] = FTRACE_SIG_TYPE(FTRACE_SIG_ARRAY, 0, size);
		words[2] = id;
		words[3] = known && count < UINT32_MAX ? count : UINT32_MAX;
		id = table_type(e->table, words, 4);
	}
	return id;
}

static bool add_member(struct encoder *e, struct record *r, Dwarf_Die *member,
		       unsigned int depth)
{
	uint64_t at, bits;
	uint32_t id, name, *words;
	Dwarf_Die type;

	if (die_type(member, &type) != DIE_FOUND ||
	    !layout_member(e->arch, member, &type, &at, &bits) ||
	    at > UINT32_MAX || bits > UINT8_MAX)
		return false;
	id = encode(e, &type, VIEW_MEMBER, depth + 1);
	name = table_string(e->table, die_string(member, DW_AT_name));
	if (id == TABLE_NONE || name == TABLE_NONE)
		return false;
	add(r, FTRACE_SIG_WORD(name, bits));
	add(r, id);
	add(r, at);
	words = r->words + r->nr - FTRACE_SIG_MEMBER_WORDS;
	return type_member_fits(r->words, words, table_type_meant(e->table, id));
}

static bool add_members(struct encoder *e, struct record *r, Dwarf_Die *type,
			unsigned int depth)
{
	enum die_found found;
	Dwarf_Die item;

	for (found = die_child(type, &item); found == DIE_FOUND;
	     found = die_next(&item, &item)) {
		/* C has no others, but a file may. */
		if (dwarf_tag(&item) != DW_TAG_member ||
		    die_flag(&item, DW_AT_external) ||
		    die_flag(&item, DW_AT_declaration))
			continue;
		if (FTRACE_SIG_NR_MEMBERS(r->words[2]) == MAX_ITEMS ||
		    !add_member(e, r, &item, depth))
			return false;
		r->words[2]++;
	}
	return found == DIE_NONE;
}

/* What is known of a definition besides its members */
static uint32_t encode_note(struct encoder *e, Dwarf_Die *type,
			    unsigned int kind, uint16_t line)
{
	struct record r = { 0 };

	begin(e, &r, type, kind, FTRACE_SIG_STUB);
	add(&r, FTRACE_SIG_MEMBERS(0, line));
	return finish(e, &r);
}

/* The same in all objects, whether they define the structure or not */
static uint32_t encode_stub(struct encoder *e, Dwarf_Die *type,
			    unsigned int kind)
{
	struct record r = { 0 };

	add(&r, FTRACE_SIG_TYPE(kind, FTRACE_SIG_STUB, 0));
	add_id(&r, table_string(e->table, die_string(type, DW_AT_name)));
	add(&r, 0);
	return finish(e, &r);
}

static uint32_t encode_definition(struct encoder *e, Dwarf_Die *type,
				  unsigned int kind, uint16_t line,
				  unsigned int depth)
{
	struct record r = { 0 };

	begin(e, &r, type, kind, 0);
	add(&r, FTRACE_SIG_MEMBERS(0, line));
	/* Its size is clamped if it is as large as this. */
	if (size_of(type) < FTRACE_SIG_TYPE_SIZE_MAX &&
	    add_members(e, &r, type, depth))
		return finish(e, &r);
	failed(&r);
	return encode_note(e, type, kind, line);
}

static uint32_t encode_struct(struct encoder *e, Dwarf_Die *type,
			      unsigned int kind, enum type_view view,
			      unsigned int depth)
{
	const char *name = die_string(type, DW_AT_name);
	bool stub = view == VIEW_TARGET && name && *name;
	bool declared = die_flag(type, DW_AT_declaration);
	uint64_t line = 0;

	die_number(type, DW_AT_decl_line, &line);
	if (stub) {
		if (!declared)
			encode_note(e, type, kind, line);
		return encode_stub(e, type, kind);
	}
	if (declared) {
		struct record r = { 0 };

		begin(e, &r, type, kind, FTRACE_SIG_DECLARATION);
		add(&r, 0);
		return finish(e, &r);
	}
	return encode_definition(e, type, kind, line, depth);
}

static bool enumerator_value(Dwarf_Die *enumerator, int64_t *value,
			     bool *negative)
{
	Dwarf_Attribute attr;
	Dwarf_Sword sword;

	if (!die_attr(enumerator, DW_AT_const_value, &attr) ||
	    dwarf_formsdata(&attr, &sword))
		return false;
	*value = sword;
	if (attr.form == DW_FORM_sdata || attr.form == DW_FORM_implicit_const)
		*negative |= sword < 0;
	return true;
}

/*
 * Fixed-size forms have no sign of their own (DWARF5 7.5.5): the width and
 * sign of the type decide.
 */
static uint64_t fit(uint64_t value, uint64_t size, bool is_signed)
{
	unsigned int drop = size && size < 8 ? 64 - size * 8 : 0;

	return is_signed ? (uint64_t)((int64_t)(value << drop) >> drop) :
	       value << drop >> drop;
}

static bool enum_signedness(Dwarf_Die *type, bool *is_signed)
{
	uint64_t encoding;
	Dwarf_Die base;

	if (die_ref(type, DW_AT_type, &base) == DIE_FOUND &&
	    die_peel(&base) == DIE_FOUND &&
	    die_number(&base, DW_AT_encoding, &encoding)) {
		*is_signed = encoding == DW_ATE_signed ||
			     encoding == DW_ATE_signed_char;
		return true;
	}
	return false;
}

static uint32_t encode_enum(struct encoder *e, Dwarf_Die *type)
{
	struct record r = { 0 };
	bool is_signed = false, negative = false, known;
	enum die_found found;
	uint64_t size = size_of(type);
	Dwarf_Die item;
	unsigned int flags;

	if (!type_size_is_valid(FTRACE_SIG_ENUM, size, e->arch->word_size))
		return TABLE_NONE;
	known = enum_signedness(type, &is_signed);
	begin(e, &r, type, FTRACE_SIG_ENUM, 0);
	add(&r, 0);
	for (found = die_child(type, &item); found == DIE_FOUND;
	     found = die_next(&item, &item)) {
		int64_t value;

		if (dwarf_tag(&item) != DW_TAG_enumerator)
			continue;
		if (!enumerator_value(&item, &value, &negative) ||
		    ++r.words[2] > MAX_ITEMS)
			return failed(&r);
		add_id(&r, table_string(e->table, die_string(&item, DW_AT_name)));
		value = fit(value, size, known ? is_signed : negative);
		add(&r, value);
		if (size == 8)
			add(&r, (uint64_t)value >> 32);
	}
	if (found == DIE_ERROR)
		return failed(&r);
	flags = (known ? is_signed : negative) ? FTRACE_SIG_INT_SIGNED : 0;
	if (die_flag(type, DW_AT_declaration))
		flags |= FTRACE_SIG_DECLARATION;
	r.words[0] |= FTRACE_SIG_TYPE(0, flags, 0);
	return finish(e, &r);
}

static uint32_t encode_func(struct encoder *e, Dwarf_Die *type,
			    unsigned int depth)
{
	struct record r = { 0 };
	enum die_found found;
	Dwarf_Die item;
	unsigned int flags = 0;

	add(&r, 0);
	add(&r, 0);
	add_id(&r, encode_target(e, type, VIEW_TARGET, depth));
	add(&r, 0);
	for (found = die_child(type, &item); found == DIE_FOUND;
	     found = die_next(&item, &item)) {
		if (dwarf_tag(&item) == DW_TAG_unspecified_parameters)
			flags = FTRACE_SIG_FUNC_VARIADIC;
		if (dwarf_tag(&item) != DW_TAG_formal_parameter)
			continue;
		if (++r.words[3] > MAX_ITEMS)
			return failed(&r);
		add_id(&r, encode_target(e, &item, VIEW_TARGET, depth));
	}
	if (found == DIE_ERROR)
		return failed(&r);
	r.words[0] = FTRACE_SIG_TYPE(FTRACE_SIG_FUNC, flags, 0);
	return finish(e, &r);
}

static uint32_t encode_new(struct encoder *e, Dwarf_Die *type,
			   enum type_view view, unsigned int depth)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return encode_base(e, type);
	case DW_TAG_pointer_type:
		return encode_modifier(e, type, FTRACE_SIG_PTR, view, depth);
	case DW_TAG_typedef:
		return encode_modifier(e, type, FTRACE_SIG_TYPEDEF, view,
				       depth);
	case DW_TAG_const_type:
		return encode_modifier(e, type, FTRACE_SIG_CONST, view, depth);
	case DW_TAG_volatile_type:
		return encode_modifier(e, type, FTRACE_SIG_VOLATILE, view,
				       depth);
	case DW_TAG_array_type:
		return encode_array(e, type, view, depth);
	case DW_TAG_structure_type:
		return encode_struct(e, type, FTRACE_SIG_STRUCT, view, depth);
	case DW_TAG_union_type:
		return encode_struct(e, type, FTRACE_SIG_UNION, view, depth);
	case DW_TAG_enumeration_type:
		return encode_enum(e, type);
	case DW_TAG_subroutine_type:
		return encode_func(e, type, depth);
	default:
		/* restrict, _Atomic and the like change nothing that is shown */
		if (die_is_qualifier(dwarf_tag(type)))
			return encode_target(e, type, view, depth);
		return TABLE_NONE;
	}
}

static struct type_slot *memo_slot(struct type_memo *memo, const void *addr)
{
	size_t i = ((uintptr_t)addr * 0x9e3779b97f4a7c15ull >> 20) &
		   (memo->nr_slots - 1);

	while (memo->slots[i].addr && memo->slots[i].addr != addr)
		i = (i + 1) & (memo->nr_slots - 1);
	return &memo->slots[i];
}

static void memo_grow(struct type_memo *memo)
{
	struct type_slot *old = memo->slots;
	size_t nr_old = memo->nr_slots;

	memo->nr_slots = nr_old ? 2 * nr_old : 512;
	memo->slots = xcalloc(memo->nr_slots, sizeof(*memo->slots));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i].addr)
			*memo_slot(memo, old[i].addr) = old[i];
	free(old);
}

static struct type_slot *memo_add(struct type_memo *memo, const void *addr)
{
	struct type_slot *slot;

	if (2 * memo->nr_used >= memo->nr_slots)
		memo_grow(memo);
	slot = memo_slot(memo, addr);
	if (!slot->addr) {
		slot->addr = addr;
		for (unsigned int view = 0; view < VIEW_NR; view++)
			slot->ids[view] = UNSEEN;
		memo->nr_used++;
	}
	return slot;
}

static uint32_t encode(struct encoder *e, Dwarf_Die *type, enum type_view view,
		       unsigned int depth)
{
	struct type_slot *slot;
	uint32_t id;

	if (depth > DIE_MAX_DEPTH)
		return TABLE_NONE;
	slot = memo_add(e->memo, type->addr);
	if (slot->ids[view] != UNSEEN)
		return slot->ids[view];
	/*
	 * Until it is known the type counts as not understood, which cuts the
	 * circles of a broken file.
	 */
	slot->ids[view] = TABLE_NONE;
	id = encode_new(e, type, view, depth);
	memo_slot(e->memo, type->addr)->ids[view] = id;
	return id;
}

/**
 * type_id_of - the id of a type in a table, where it is added if need be
 * @table: the table
 * @memo: types of this object that @table has
 * @arch: the machine
 * @type: the type
 *
 * Return: the id, TABLE_NONE if the type cannot be described.
 */
uint32_t type_id_of(struct table *table, struct type_memo *memo,
		    const struct arch *arch, Dwarf_Die *type)
{
	struct encoder e = { table, memo, arch };

	return encode(&e, type, VIEW_PARAM, 0);
}

/**
 * type_memo_free - forget everything
 * @memo: the memo
 */
void type_memo_free(struct type_memo *memo)
{
	free(memo->slots);
	memset(memo, 0, sizeof(*memo));
}
