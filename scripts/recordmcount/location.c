// SPDX-License-Identifier: GPL-2.0
/*
 * Where DWARF says that a parameter is.  Only locations that can be read at a function's
 * entry without a computation are accepted: argument registers, the words that the
 * caller put on the stack, and constants.
 */
#include <string.h>

#include "location.h"
#include "views.h"

/* DWARF5 2.6.1.1.3: DW_OP_reg0 to 31, or DW_OP_regx. */
static bool register_number(const Dwarf_Op *op, unsigned int *number)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*number = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx && op->number <= 255)
		*number = op->number;
	else
		return false;
	return true;
}

static int arg_register(const struct arch *arch, const Dwarf_Op *op)
{
	unsigned int number;

	return register_number(op, &number) ? arch->dwarf_reg(number) : -1;
}

/* DW_OP_regN; or one DW_OP_regN, DW_OP_piece per word, in order. */
static bool in_registers(const struct arch *arch, const Dwarf_Op *ops,
			 size_t nr, uint64_t size, struct location *loc)
{
	uint64_t words = (size + arch->word_size - 1) / arch->word_size;
	int first = arg_register(arch, &ops[0]);

	if (first < 0 || !words)
		return false;
	loc->kind = LOCATION_REG;
	loc->index = first;
	if (nr == 1)
		return words == 1;
	if (nr != 2 * words)
		return false;
	for (size_t i = 0; i < words; i++) {
		uint64_t left = size - i * arch->word_size;
		uint64_t piece = left < arch->word_size ? left : arch->word_size;
		uint64_t wrote = ops[2 * i + 1].number;

		if (arg_register(arch, &ops[2 * i]) != first + (int)i ||
		    ops[2 * i + 1].atom != DW_OP_piece ||
		    (wrote != piece && wrote != arch->word_size))
			return false;
	}
	return true;
}

/* DW_OP_entry_value(DW_OP_regN), DW_OP_stack_value; DWARF5 2.5.1.7. */
static bool is_entry_value(const struct arch *arch, Dwarf_Attribute *attr,
			   const Dwarf_Op *ops, size_t nr, uint64_t size,
			   struct location *loc)
{
	Dwarf_Attribute inner;
	Dwarf_Op *expr;
	size_t len;
	int reg;

	if (nr != 2 || (ops[0].atom != DW_OP_entry_value &&
			ops[0].atom != DW_OP_GNU_entry_value) ||
	    ops[1].atom != DW_OP_stack_value || size > arch->word_size)
		return false;
	if (dwarf_getlocation_attr(attr, &ops[0], &inner) ||
	    dwarf_getlocation(&inner, &expr, &len) || len != 1)
		return false;
	reg = arg_register(arch, &expr[0]);
	if (reg < 0)
		return false;
	loc->kind = LOCATION_REG;
	loc->index = reg;
	return true;
}

/* With gcc it is the CFA; with clang the frame pointer, two words below the CFA. */
static bool frame_base(const struct arch *arch, Dwarf_Die *function,
		       int64_t *above)
{
	Dwarf_Attribute attr;
	unsigned int number;
	Dwarf_Op *ops;
	size_t nr;

	if (!die_attr(function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation(&attr, &ops, &nr) || nr != 1)
		return false;
	*above = 0;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		return true;
	*above = 2 * arch->word_size;
	return register_number(&ops[0], &number) && number == arch->frame_reg;
}

/* DW_OP_fbreg at or above the CFA, where the caller pushed parameters */
static bool on_stack(const struct arch *arch, Dwarf_Die *function,
		     const Dwarf_Op *ops, size_t nr, struct location *loc)
{
	int64_t offset = ops[0].number, above;

	if (nr != 1 || ops[0].atom != DW_OP_fbreg ||
	    !frame_base(arch, function, &above))
		return false;
	offset -= above;
	if (offset < 0 || offset % arch->word_size || offset > 1 << 20)
		return false;
	loc->kind = LOCATION_STACK;
	loc->index = offset / arch->word_size;
	return true;
}

static bool const_op(const Dwarf_Op *op, uint64_t *value)
{
	*value = op->number;
	switch (op->atom) {
	case DW_OP_lit0 ... DW_OP_lit31:
		*value = op->atom - DW_OP_lit0;
		return true;
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const8s:
	case DW_OP_consts:
		return true;
	case DW_OP_const1s:
		*value = (int8_t)op->number;
		return true;
	case DW_OP_const2s:
		*value = (int16_t)op->number;
		return true;
	case DW_OP_const4s:
		*value = (int32_t)op->number;
		return true;
	default:
		return false;
	}
}

static bool is_constant(const Dwarf_Op *ops, size_t nr, struct location *loc)
{
	if (nr != 2 || ops[1].atom != DW_OP_stack_value ||
	    !const_op(&ops[0], &loc->value))
		return false;
	loc->kind = LOCATION_CONST;
	return true;
}

/**
 * location_constant - whether an expression is nothing but a constant
 * @attr: the expression's attribute
 * @value: set to the constant, not extended
 */
bool location_constant(Dwarf_Attribute *attr, uint64_t *value)
{
	Dwarf_Op *ops;
	size_t nr;

	return !dwarf_getlocation(attr, &ops, &nr) && nr == 1 &&
	       const_op(&ops[0], value);
}

/*
 * By this expression gcc says that it removed the parameter, and that the caller's
 * DW_TAG_call_site_parameter may have the value.
 */
static bool is_removed(const Dwarf_Op *ops, size_t nr)
{
	return nr == 2 && ops[0].atom == DW_OP_GNU_parameter_ref &&
	       ops[1].atom == DW_OP_stack_value;
}

/* All callers passed the same address, which is known only after linking. */
static bool is_address(const Dwarf_Op *ops, size_t nr)
{
	return nr == 2 && ops[0].atom == DW_OP_addr &&
	       ops[1].atom == DW_OP_stack_value;
}

static enum location_kind kind_of_other(const Dwarf_Op *ops, size_t nr)
{
	unsigned int number;

	if (nr == 1 && register_number(&ops[0], &number))
		return LOCATION_OTHER_REG;
	for (size_t i = 0; i < nr; i++)
		if (ops[i].atom == DW_OP_piece || ops[i].atom == DW_OP_bit_piece)
			return LOCATION_PARTS;
	if (nr && (ops[nr - 1].atom == DW_OP_stack_value ||
		   ops[0].atom == DW_OP_implicit_value ||
		   ops[0].atom == DW_OP_implicit_pointer ||
		   ops[0].atom == DW_OP_GNU_implicit_pointer))
		return LOCATION_COMPUTED;
	return LOCATION_OTHER;
}

static void judge(const struct arch *arch, Dwarf_Die *function,
		  Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
		  uint64_t size, struct location *loc)
{
	if (nr && (in_registers(arch, ops, nr, size, loc) ||
		   is_entry_value(arch, attr, ops, nr, size, loc) ||
		   on_stack(arch, function, ops, nr, loc) ||
		   is_constant(ops, nr, loc)))
		return;
	if (is_address(ops, nr))
		loc->kind = LOCATION_REMOVED;
	else
		loc->kind = kind_of_other(ops, nr);
}

/*
 * The range that tells of the removal need not begin at the entry: gcc begins it with the
 * first statement, which may come after the first instructions.  The expression must
 * refer to this very parameter, because it may also describe an assignment from another.
 */
static bool tells_removal(Dwarf_Attribute *attr, Dwarf_Die *source)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	Dwarf_Die die;
	size_t nr;

	while ((at = dwarf_getlocations(attr, at, &base, &start, &end, &ops,
					&nr)) > 0)
		if (is_removed(ops, nr) &&
		    !dwarf_getlocation_die(attr, &ops[0], &die) &&
		    die.addr == source->addr)
			return true;
	return false;
}

/*
 * The form tells the sign: gcc writes negative values as sdata, and others in unsigned
 * or fixed-size forms, in which the highest bit is no sign.
 */
static bool constant_attr(Dwarf_Die *param, struct location *loc)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	Dwarf_Word word;

	if (!die_attr(param, DW_AT_const_value, &attr))
		return false;
	loc->kind = LOCATION_OTHER;
	if (attr.form == DW_FORM_sdata || attr.form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(&attr, &value))
			return true;
		word = value;
	} else if (dwarf_formudata(&attr, &word)) {
		return true;
	}
	loc->kind = LOCATION_CONST;
	loc->value = word;
	return true;
}

/* Whether it is one expression for all of the function, and not a list */
static bool is_single(Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return true;
	default:
		return false;
	}
}

static bool has_list(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return die_attr(die, DW_AT_location, &attr) && !is_single(&attr);
}

/* Entries must ascend, so that a broken file cannot make a loop; @seen is the last one. */
static bool has_lists(Dwarf_Die *parent, const void **seen, unsigned int depth)
{
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(parent, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		if (die.addr <= *seen)
			continue;
		*seen = die.addr;
		if (has_list(&die) || (depth < DIE_MAX_DEPTH &&
				       has_lists(&die, seen, depth + 1)))
			return true;
	}
	return false;
}

/**
 * location_has_lists - whether the location of anything in a function is a list
 * @function: its entry with code
 */
bool location_has_lists(const Dwarf_Die *function)
{
	Dwarf_Die die = *function;
	const void *seen = NULL;

	return has_lists(&die, &seen, 0);
}

/* Without a list, the parameter is in the same place throughout. */
static void judge_single(const struct location_scope *scope,
			 Dwarf_Attribute *attr, uint64_t size,
			 struct location *loc)
{
	Dwarf_Die function = scope->function;
	Dwarf_Op *ops;
	size_t nr;

	loc->kind = LOCATION_OTHER;
	if (dwarf_getlocation(attr, &ops, &nr))
		return;
	judge(scope->arch, &function, attr, ops, nr, size, loc);
	loc->incoming = scope->views && !scope->part;
	if (loc->kind == LOCATION_REG && size > scope->arch->word_size &&
	    !scope->arch->follows_pairs)
		loc->kind = LOCATION_ELSEWHERE;
}

/* The first range of those that begin at an address */
static bool find_range(Dwarf_Attribute *attr, Dwarf_Addr addr, Dwarf_Op **ops,
		       size_t *nr, unsigned int *range)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	for (*range = 0; (at = dwarf_getlocations(attr, at, &base, &start, &end,
						  ops, nr)) > 0; (*range)++)
		if (start == addr)
			return true;
	return false;
}

/*
 * gcc lists the ranges in the order of execution.  So of the ranges that begin at the
 * entry, the first describes what comes in, even if it is empty because an assignment
 * follows at once.  But if it does not begin with view 0, it is the assignment itself.
 */
static bool judge_entry(const struct location_scope *scope, Dwarf_Die *param,
			Dwarf_Attribute *attr, uint64_t size,
			struct location *loc)
{
	Dwarf_Die function = scope->function;
	unsigned int range;
	uint64_t view;
	Dwarf_Op *ops;
	size_t nr;

	if (!find_range(attr, scope->entry, &ops, &nr, &range))
		return false;
	judge(scope->arch, &function, attr, ops, nr, size, loc);
	loc->incoming = scope->views &&
			views_begin(scope->views, param, attr, range, &view) &&
			!view;
	return true;
}

/* A location behind the tracer's call also holds before it: the tracer preserves all. */
static void judge_later(const struct location_scope *scope,
			Dwarf_Attribute *attr, uint64_t size,
			struct location *loc)
{
	const Dwarf_Addr addrs[] = { scope->entry, scope->site, scope->after };
	Dwarf_Die function = scope->function;
	Dwarf_Op *ops;
	size_t len;

	loc->kind = LOCATION_ELSEWHERE;
	for (size_t i = 0; i < ARRAY_SIZE(addrs); i++) {
		if (dwarf_getlocation_addr(attr, addrs[i], &ops, &len, 1) != 1)
			continue;
		judge(scope->arch, &function, attr, ops, len, size, loc);
		return;
	}
}

/**
 * location_at_entry - where DWARF says that a parameter comes in
 * @scope: the function
 * @param: its entry of the parameter
 * @source: that in the source, which it is an instance of
 * @size: bytes of the parameter's type
 * @loc: filled
 *
 * A register or slot is only told if the whole value is there by itself.
 */
void location_at_entry(const struct location_scope *scope, Dwarf_Die *param,
		       Dwarf_Die *source, uint64_t size, struct location *loc)
{
	Dwarf_Attribute attr;

	memset(loc, 0, sizeof(*loc));
	if (constant_attr(param, loc)) {
		loc->incoming = scope->views && !scope->part;
		return;
	}
	if (!die_attr(param, DW_AT_location, &attr))
		return;
	if (tells_removal(&attr, source)) {
		loc->kind = LOCATION_REMOVED;
		loc->incoming = true;
	} else if (is_single(&attr)) {
		judge_single(scope, &attr, size, loc);
	} else if (!judge_entry(scope, param, &attr, size, loc)) {
		judge_later(scope, &attr, size, loc);
	}
	/* otherwise the location does not hold at any certain time */
	if (!scope->followed && (loc->kind == LOCATION_REG ||
				 loc->kind == LOCATION_OTHER_REG))
		loc->kind = LOCATION_ELSEWHERE;
}
