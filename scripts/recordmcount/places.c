// SPDX-License-Identifier: GPL-2.0
/*
 * Where the parameters of a function are when it is entered.
 *
 * An ordinary function follows the calling convention, so the types decide.  A clone
 * that the optimizer made does not.  For a clone only DWARF's locations count, and
 * only those that surely describe what the caller passed.
 */
#include <string.h>

#include "conventions.h"
#include "folded.h"
#include "places.h"

static void set_place(struct abi_value *value, unsigned int place,
		      unsigned int words)
{
	value->place = place;
	value->words = words;
}

static void set_unknown(struct abi_value *value, unsigned int why)
{
	set_place(value, FTRACE_SIG_PLACE_UNKNOWN, 0);
	value->why = why;
}

static bool is_readable(const struct location *loc)
{
	return loc->kind == LOCATION_REG || loc->kind == LOCATION_STACK ||
	       loc->kind == LOCATION_CONST || loc->kind == LOCATION_REMOVED;
}

static unsigned int why_unknown(const struct location *loc)
{
	if (loc->kind == LOCATION_CONST || (is_readable(loc) && !loc->incoming))
		return FTRACE_SIG_WHY_ASSIGNED;
	switch (loc->kind) {
	case LOCATION_NONE:
		return FTRACE_SIG_WHY_NO_LOCATION;
	case LOCATION_ELSEWHERE:
		return FTRACE_SIG_WHY_NOT_AT_ENTRY;
	case LOCATION_PARTS:
		return FTRACE_SIG_WHY_PARTS;
	case LOCATION_STACK:
		return FTRACE_SIG_WHY_TOO_FAR;
	case LOCATION_COMPUTED:
		return FTRACE_SIG_WHY_COMPUTED;
	default:
		return FTRACE_SIG_WHY_OTHER_PLACE;
	}
}

/* Extend a constant by the width and sign of its type, as @table has it. */
static bool extend_constant(const struct table *table, uint32_t type,
			    uint64_t value, uint64_t *out)
{
	const uint32_t *real = table_type_meant(table, type);
	unsigned int kind = FTRACE_SIG_TYPE_KIND(real[0]);
	unsigned int size = FTRACE_SIG_TYPE_SIZE(real[0]), drop;

	if ((kind != FTRACE_SIG_INT && kind != FTRACE_SIG_ENUM &&
	     kind != FTRACE_SIG_PTR) || !size || size > 8)
		return false;
	drop = 64 - 8 * size;
	if (kind != FTRACE_SIG_PTR &&
	    FTRACE_SIG_TYPE_FLAGS(real[0]) & FTRACE_SIG_INT_SIGNED)
		*out = (int64_t)(value << drop) >> drop;
	else
		*out = value << drop >> drop;
	return true;
}

static void place_in_registers(const struct arch *arch,
			       struct abi_value *value, unsigned int first)
{
	unsigned int words = (value->size + arch->word_size - 1) /
			     arch->word_size;

	if (first + words <= arch->nr_regs)
		set_place(value, FTRACE_SIG_PLACE_REG + first, words);
}

static void place_on_stack(const struct arch *arch, struct abi_value *value,
			   unsigned int first)
{
	uint64_t words = (value->size + arch->word_size - 1) / arch->word_size;

	if (words && first + words <= FTRACE_SIG_MAX_STACK)
		set_place(value, FTRACE_SIG_PLACE_STACK + first, words);
}

/*
 * Only .constprop clones are made for a constant.  Elsewhere, a constant location at the
 * entry may be an assignment: the first one of a loop or, in a .part clone, one in the
 * beginning of the source function, which was inlined into the callers.
 */
static bool is_constant(const struct signatures *s, struct sig_function *f,
			unsigned int i, const struct passed *passed)
{
	const struct location *loc = &f->params[i].location;
	uint32_t type = f->params[i].type;
	uint64_t *value = &f->params[i].constant, comes_in;

	if (!f->constant_copy || !passed->constant ||
	    !extend_constant(&s->table, type, passed->value, value))
		return false;
	return passed->always ||
	       (loc->kind == LOCATION_CONST && loc->incoming &&
		extend_constant(&s->table, type, loc->value, &comes_in) &&
		comes_in == *value);
}

/* DWARF does not tell which members of a structure an .isra clone is passed. */
static void set_removed(const struct sig_function *f, struct abi_value *value)
{
	if (f->split && value->kind == KIND_AGGREGATE)
		set_unknown(value, FTRACE_SIG_WHY_PARTS);
	else
		set_place(value, FTRACE_SIG_PLACE_REMOVED, 0);
}

/*
 * gcc either omits a removed parameter from the clone's entry, or describes it by a
 * value that the callers know.  A parameter without a location may be removed or not.
 * A constant may be an assignment, unless the callers would pass the same value.
 */
static void place_in_clone(struct signatures *s, struct sig_function *f,
			   unsigned int i)
{
	const struct location *loc = &f->params[i].location;
	struct abi_value *value = &f->values[i];
	struct passed passed;

	set_unknown(value, FTRACE_SIG_WHY_NO_CODE);
	if (!f->has_code)
		return;
	if (!value->size) {
		set_place(value, FTRACE_SIG_PLACE_EMPTY, 0);
		return;
	}
	if (!f->params[i].has_concrete) {
		value->why = FTRACE_SIG_WHY_UNCONFIRMED;
		if (!f->distrust)
			set_removed(f, value);
		return;
	}
	calls_pass(&s->calls, s->obj, &s->fns, f->section, f->entry,
		   &f->params[i].source, &passed);
	value->why = why_unknown(loc);
	if (is_constant(s, f, i, &passed))
		set_place(value, FTRACE_SIG_PLACE_CONST, 0);
	else if (f->params[i].passed == PASSED_NO ||
		 (loc->incoming && loc->kind == LOCATION_REMOVED))
		set_removed(f, value);
	else if (loc->incoming && loc->kind == LOCATION_REG)
		place_in_registers(s->obj->arch, value, loc->index);
	else if (loc->incoming && loc->kind == LOCATION_STACK)
		place_on_stack(s->obj->arch, value, loc->index);
}

static bool overlap(const struct abi_value *a, const struct abi_value *b)
{
	bool both_hold = a->words && b->words &&
			 FTRACE_SIG_IS_REG(a->place) == FTRACE_SIG_IS_REG(b->place);

	return both_hold && a->place < b->place + b->words &&
	       b->place < a->place + a->words;
}

/* If two parameters share a place, one of them was assigned from the other. */
static void doubt_shared(struct sig_function *f)
{
	bool shared[MAX_PARAMS] = { false };
	unsigned int nr = f->call.nr_params;

	for (unsigned int i = 0; i < nr; i++)
		for (unsigned int j = i + 1; j < nr; j++)
			if (overlap(&f->values[i], &f->values[j]))
				shared[i] = shared[j] = true;
	for (unsigned int i = 0; i < nr; i++)
		if (shared[i])
			set_unknown(&f->values[i], FTRACE_SIG_WHY_ASSIGNED);
}

static bool has_place(const struct abi_value *value)
{
	return FTRACE_SIG_IS_REG(value->place) ||
	       FTRACE_SIG_IS_STACK(value->place);
}

static bool may_loop(const struct signatures *s, struct sig_function *f)
{
	const unsigned char *code = function_code(s, f);

	/* parts in several sections may jump between each other */
	return !code || dwarf_hasattr(&f->concrete, DW_AT_ranges) ||
	       s->obj->arch->may_loop(code, f->end - f->start);
}

/* It is known of each parameter whether it is passed, and none is passed in parts. */
static bool all_accounted_for(const struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (f->values[i].place == FTRACE_SIG_PLACE_UNKNOWN)
			return false;
	return !f->split;
}

/*
 * In a clone that has a loop or is a part of its source, a place at the entry may belong
 * to an assigned value.  If a function begins with a loop, gcc may drop the marker of
 * the statement before it (remove_forwarder_block()) and with it the view: p = p->next
 * in a for statement then looks as if p were passed where p->next is.  The places are
 * right if all parameters are accounted for, because no two parameters share a place.
 */
static void doubt_loops(const struct signatures *s, struct sig_function *f)
{
	if (all_accounted_for(f) || (!f->part && !may_loop(s, f)))
		return;
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (has_place(&f->values[i]) &&
		    f->params[i].passed != PASSED_YES)
			set_unknown(&f->values[i], FTRACE_SIG_WHY_ASSIGNED);
}

static bool has_result(struct signatures *s, const struct sig_function *f)
{
	return f->keeps_result ||
	       (f->drops_result && calls_use_result(&s->calls, s->obj, &s->fns,
						    f->section, f->entry));
}

static void places_of_clone(struct signatures *s, struct sig_function *f)
{
	if (f->call.ret.kind != KIND_VOID && !has_result(s, f))
		f->call.ret.place = FTRACE_SIG_RET_UNKNOWN;
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		place_in_clone(s, f, i);
	doubt_shared(f);
	doubt_loops(s, f);
	f->flags |= FTRACE_SIG_CLONE;
}

/* clang changes functions that only their own unit can call, and records it nowhere. */
static void doubt_places(struct sig_function *f)
{
	if (f->call.ret.kind != KIND_VOID)
		f->call.ret.place = FTRACE_SIG_RET_UNKNOWN;
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (f->values[i].size)
			set_unknown(&f->values[i], FTRACE_SIG_WHY_UNCONFIRMED);
}

/*
 * DWARF may give a place that the calling convention leaves open: gcc describes some
 * transparent unions without members, so that they cannot be classified.
 */
static void fill_gap(struct signatures *s, struct sig_function *f,
		     unsigned int i)
{
	const struct location *loc = &f->params[i].location;

	/* only the caller puts a structure there in memory */
	if (!loc->incoming && (f->values[i].kind != KIND_AGGREGATE ||
			       loc->kind != LOCATION_STACK))
		return;
	if (loc->kind == LOCATION_REG)
		place_in_registers(s->obj->arch, &f->values[i], loc->index);
	else if (loc->kind == LOCATION_STACK)
		place_on_stack(s->obj->arch, &f->values[i], loc->index);
}

/*
 * A stack slot is unknown if DWARF and the calling convention disagree.  DWARF does not
 * record all that decides alignment on the stack, such as packed structures.
 */
static void compare_stack(struct sig_function *f, unsigned int i)
{
	const struct location *loc = &f->params[i].location;
	struct abi_value *value = &f->values[i];

	if (loc->kind == LOCATION_STACK &&
	    loc->index != value->place - FTRACE_SIG_PLACE_STACK)
		set_unknown(value, FTRACE_SIG_WHY_DISAGREE);
}

static void check_places(struct signatures *s, struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (FTRACE_SIG_IS_STACK(f->values[i].place))
			compare_stack(f, i);
		else if (f->values[i].place == FTRACE_SIG_PLACE_UNKNOWN)
			fill_gap(s, f, i);
	}
}

/* Use only what DWARF itself says. */
static void places_by_dwarf(struct signatures *s, struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (f->values[i].place == FTRACE_SIG_PLACE_EMPTY)
			continue;
		set_unknown(&f->values[i], FTRACE_SIG_WHY_DISAGREE);
		fill_gap(s, f, i);
	}
}

static bool agrees(const struct location *loc, const struct abi_value *value)
{
	return loc->kind == LOCATION_REG &&
	       value->place == FTRACE_SIG_PLACE_REG + loc->index;
}

static bool confirms(const struct location *loc, const struct abi_value *value)
{
	return agrees(loc, value) ||
	       (loc->kind == LOCATION_STACK &&
		value->place == FTRACE_SIG_PLACE_STACK + loc->index);
}

static bool is_plain(const struct abi_value *value)
{
	return value->kind == KIND_INT || value->kind == KIND_VOID;
}

static bool are_plain(const struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (!is_plain(&f->values[i]))
			return false;
	return is_plain(&f->call.ret);
}

static bool are_confirmed(const struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (f->values[i].size &&
		    !confirms(&f->params[i].location, &f->values[i]))
			return false;
	return true;
}

/*
 * clang passes structures by rules of its own, and only integers as gcc does.  So a
 * function with other parameters needs confirmation by DWARF for all of them: a single
 * location may belong to an assigned value, all together show the convention.
 */
static void confirm_places(struct sig_function *f)
{
	struct abi_value *ret = &f->call.ret;
	unsigned int place = ret->place;

	if (are_plain(f))
		return;
	if (!are_confirmed(f))
		doubt_places(f);
	ret->place = is_plain(ret) ? place : FTRACE_SIG_RET_UNKNOWN;
}

/* Reads and writes of a register prove nothing if the function saves the register. */
static bool saves_arguments(struct signatures *s, const struct sig_function *f)
{
	uint32_t regs = s->obj->arch->dwarf_preserved;
	struct frames frames;

	return regs && (!functions_frames(&s->fns, f->start, f->end, regs,
					  &frames) || frames.saved);
}

/* Which registers the code needs, up to the first instruction that is not understood. */
static void look_at_code(struct signatures *s, struct sig_function *f)
{
	const struct section *sec = &s->obj->sections[f->section];
	const struct arch *arch = s->obj->arch;
	uint64_t site = f->entry + (f->addr - f->start);
	uint64_t behind = site + (f->after - f->addr);
	unsigned int changed = 0, pad;
	const unsigned char *entry;

	f->call.needed = 0;
	f->call.spoiled = 0;
	f->usual = false;
	if (!sec->data || behind > sec->sh.sh_size || saves_arguments(s, f))
		return;
	/* with variable tracking, the locations nearly always show ms_abi */
	f->usual = f->tracked && arch->dwarf_preserved;
	entry = sec->data + f->entry;
	pad = arch->landing_pad(entry, site - f->entry);
	f->call.needed = arch->reads_arguments(entry + pad, site - f->entry - pad,
					       &changed, &f->call.spoiled);
	/* the tracer preserves everything */
	f->call.needed |= arch->reads_arguments(sec->data + behind,
						sec->sh.sh_size - behind,
						&changed, &f->call.spoiled);
}

static void places_by_clang(struct signatures *s, struct sig_function *f)
{
	if (!die_flag_origin(&f->source, DW_AT_external))
		doubt_places(f);
	else if (s->obj->arch->clang_as_gcc)
		check_places(s, f);
	else
		confirm_places(f);
}

/* Places by the conventions that remain possible, then what clones and clang change. */
static void find_places(struct signatures *s, struct sig_function *f)
{
	bool fits;

	f->conventions = ~0u;
	if (!f->has_code && !f->clone)
		f->conventions = folded_conventions(s, f);
	look_at_code(s, f);
	fits = conventions_assign(s->obj->arch, f);
	if (f->clone)
		places_of_clone(s, f);
	else if (f->distrust)
		places_by_clang(s, f);
	else if (!fits)
		places_by_dwarf(s, f);
	else
		check_places(s, f);
}

/*
 * Stack parameters are known only if the tracer finds the CFA.  A tracer that is called
 * behind the prologue (mcount) expects the caller's words above the frame pointer and the
 * return address.  They are elsewhere in a function that realigns its stack and has
 * variables of variable size.
 */
static bool sees_stack(struct signatures *s, struct sig_function *f)
{
	const struct arch *arch = s->obj->arch;
	bool is_call = f->after != f->addr;
	unsigned int reg;
	uint64_t offset;

	if (f->fentry || f->addr == f->start)
		return true;
	if (!functions_frame(&s->fns, f->addr, &reg, &offset))
		return false;
	/* -mnop-mcount leaves no call to tell __fentry__ from mcount */
	return (reg == arch->frame_reg && offset == 2 * arch->word_size) ||
	       (!is_call && reg == arch->stack_reg &&
		offset == arch->word_size);
}

static void hide_stack(struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (FTRACE_SIG_IS_STACK(f->values[i].place))
			set_unknown(&f->values[i], FTRACE_SIG_WHY_FRAME);
}

/**
 * places_find - find the places of result and parameters
 * @s: the signatures
 * @f: the function; the places of its @call are filled
 *
 * Return: false if the DWARF cannot be understood.
 */
bool places_find(struct signatures *s, struct sig_function *f)
{
	if (!function_read(s, f))
		return false;
	find_places(s, f);
	if (!sees_stack(s, f))
		hide_stack(f);
	return true;
}
