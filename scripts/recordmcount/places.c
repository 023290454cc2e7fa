// SPDX-License-Identifier: GPL-2.0
/*
 * Where the parameters of a function are when it is entered.
 *
 * Ordinary functions follow the calling convention, which the types decide.
 * What an optimizer made of a function doesn't: there, only DWARF's locations
 * at the call site count.
 */
#include <string.h>

#include "places.h"

static void locate_at(const struct signatures *s, struct sig_function *f,
		      unsigned int i, Dwarf_Addr addr, struct location *loc)
{
	location_at(s->obj->arch, &f->concrete, &f->params[i].concrete, addr,
		    f->values[i].size, loc);
	/* a register for all of the function, at some time or other */
	if (!f->tracked && (loc->kind == LOCATION_REG ||
			    loc->kind == LOCATION_OTHER_REG))
		loc->kind = LOCATION_ELSEWHERE;
}

static void locate(const struct signatures *s, struct sig_function *f,
		   unsigned int i, struct location *loc)
{
	struct sig_param *param = &f->params[i];

	loc->kind = LOCATION_NONE;
	if (!param->has_concrete)
		return;
	locate_at(s, f, i, f->addr, loc);
	/* the tracer preserves everything, so the place is the same behind it */
	if (loc->kind == LOCATION_ELSEWHERE && f->after != f->addr)
		locate_at(s, f, i, f->after, loc);
	if (loc->kind == LOCATION_ELSEWHERE &&
	    location_is_removed(&param->concrete, &param->source))
		loc->kind = LOCATION_REMOVED;
}

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

static unsigned int why_unknown(const struct location *loc)
{
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
	case LOCATION_CONST:
		return FTRACE_SIG_WHY_COMPUTED;
	default:
		return FTRACE_SIG_WHY_OTHER_PLACE;
	}
}

/* Extend a constant by the width and sign of its type, as @table has it. */
static bool extend_constant(const struct table *table, uint32_t type,
			    uint64_t value, uint64_t *out)
{
	const uint32_t *real = params_type(table, type);
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
 * gcc leaves a removed parameter out of the clone's entry, or describes it by
 * what callers know.  One that it describes without a location may be removed
 * or not.
 */
static void place_in_clone(struct signatures *s, struct sig_function *f,
			   unsigned int i)
{
	struct abi_value *value = &f->values[i];
	struct location loc;

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
			set_place(value, FTRACE_SIG_PLACE_REMOVED, 0);
		return;
	}
	locate(s, f, i, &loc);
	value->why = why_unknown(&loc);
	switch (loc.kind) {
	case LOCATION_REG:
		place_in_registers(s->obj->arch, value, loc.index);
		break;
	case LOCATION_STACK:
		place_on_stack(s->obj->arch, value, loc.index);
		break;
	case LOCATION_CONST:
		if (extend_constant(&s->table, f->params[i].type, loc.value,
				    &f->params[i].constant))
			set_place(value, FTRACE_SIG_PLACE_CONST, 0);
		break;
	case LOCATION_REMOVED:
		set_place(value, FTRACE_SIG_PLACE_REMOVED, 0);
		break;
	default:
		break;
	}
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
	f->flags |= FTRACE_SIG_CLONE;
}

static bool agrees(const struct location *loc, const struct abi_value *value)
{
	return loc->kind == LOCATION_REG &&
	       value->place == FTRACE_SIG_PLACE_REG + loc->index;
}

/* Without DWARF saying the same, the convention counts for nothing here. */
static void doubt_places(struct signatures *s, struct sig_function *f)
{
	struct location loc;

	if (f->call.ret.kind != KIND_VOID)
		f->call.ret.place = FTRACE_SIG_RET_UNKNOWN;
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		locate(s, f, i, &loc);
		if (!agrees(&loc, &f->values[i]))
			set_unknown(&f->values[i], FTRACE_SIG_WHY_UNCONFIRMED);
	}
}

/*
 * Where the calling convention cannot tell, DWARF may: gcc describes some
 * transparent unions without members.
 */
static void fill_gap(struct signatures *s, struct sig_function *f,
		     unsigned int i)
{
	struct location loc;

	locate(s, f, i, &loc);
	if (loc.kind == LOCATION_REG)
		place_in_registers(s->obj->arch, &f->values[i], loc.index);
	else if (loc.kind == LOCATION_STACK)
		place_on_stack(s->obj->arch, &f->values[i], loc.index);
}

/*
 * Alignment on the stack is where DWARF knows less than the compiler (packed
 * structures): what they don't agree on is unknown.
 */
static void compare_stack(struct signatures *s, struct sig_function *f,
			  unsigned int i)
{
	struct abi_value *value = &f->values[i];
	struct location loc;

	locate(s, f, i, &loc);
	if (loc.kind == LOCATION_STACK &&
	    loc.index != value->place - FTRACE_SIG_PLACE_STACK)
		set_unknown(value, FTRACE_SIG_WHY_DISAGREE);
}

static void check_places(struct signatures *s, struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (FTRACE_SIG_IS_STACK(f->values[i].place))
			compare_stack(s, f, i);
		else if (f->values[i].place == FTRACE_SIG_PLACE_UNKNOWN)
			fill_gap(s, f, i);
	}
}

/*
 * Functions of another convention (__efiapi) are not marked in gcc's DWARF,
 * but the first parameter that has a register is told to be in one that only a
 * later parameter could have.
 */
static bool other_convention(struct signatures *s, struct sig_function *f)
{
	struct location loc;
	unsigned int i;

	for (i = 0; i < f->call.nr_params; i++)
		if (FTRACE_SIG_IS_REG(f->values[i].place) &&
		    f->values[i].words == 1)
			break;
	if (i == f->call.nr_params)
		return false;
	locate(s, f, i, &loc);
	return loc.kind == LOCATION_REG && !agrees(&loc, &f->values[i]);
}

/*
 * The convention that the machine has, which a compiler, or attributes that DWARF
 * shows, may have changed.
 */
static void places_of_one(struct signatures *s, struct sig_function *f)
{
	s->obj->arch->assign(&f->call, 0);
	if (f->clone || other_convention(s, f))
		places_of_clone(s, f);
	else if (f->distrust && !die_flag_origin(&f->source, DW_AT_external))
		doubt_places(s, f);
	else
		check_places(s, f);
}

/*
 * What DWARF says of the very first instruction shows the convention; before mcount
 * is called, a value may have gone elsewhere.
 */
static void locate_at_entry(struct signatures *s, struct sig_function *f,
			    unsigned int i)
{
	struct sig_param *param = &f->params[i];

	param->location.kind = LOCATION_NONE;
	if (param->has_concrete && f->has_code)
		locate_at(s, f, i, f->start, &param->location);
	if (param->location.kind == LOCATION_ELSEWHERE)
		locate(s, f, i, &param->location);
}

static void locate_all(struct signatures *s, struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		locate_at_entry(s, f, i);
}

/* Nothing but what DWARF itself says */
static void places_by_dwarf(struct signatures *s, struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (f->values[i].place == FTRACE_SIG_PLACE_EMPTY)
			continue;
		set_unknown(&f->values[i], FTRACE_SIG_WHY_DISAGREE);
		fill_gap(s, f, i);
	}
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

/*
 * clang has rules of its own for structures, and changes static functions.  An
 * external one with nothing but integers is as gcc's.
 */
static void confirm_places(struct signatures *s, struct sig_function *f)
{
	bool external = die_flag_origin(&f->source, DW_AT_external);
	struct abi_value *ret = &f->call.ret;
	bool plain = is_plain(ret);

	if (ret->kind != KIND_VOID && (!plain || !external))
		ret->place = FTRACE_SIG_RET_UNKNOWN;
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		plain = plain && is_plain(&f->values[i]);
	if (plain && external)
		return;
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (f->values[i].size &&
		    !confirms(&f->params[i].location, &f->values[i]))
			set_unknown(&f->values[i], FTRACE_SIG_WHY_UNCONFIRMED);
}

/* What the code needs before a jump, a call, or what else isn't understood. */
static unsigned int needed_by_code(struct signatures *s,
				   const struct sig_function *f)
{
	const struct section *sec = &s->obj->sections[f->section];
	const struct arch *arch = s->obj->arch;
	uint64_t site = f->entry + (f->addr - f->start);
	uint64_t behind = site + (f->after - f->addr);
	unsigned int changed = 0, needed, pad;
	const unsigned char *entry;

	if (!sec->data || behind > sec->sh.sh_size)
		return 0;
	entry = sec->data + f->entry;
	pad = arch->landing_pad(entry, site - f->entry);
	needed = arch->reads_arguments(entry + pad, site - f->entry - pad,
				       &changed);
	/* the tracer preserves everything */
	return needed | arch->reads_arguments(sec->data + behind,
					      sec->sh.sh_size - behind,
					      &changed);
}

/* The convention that is left of several. */
static void places_of_several(struct signatures *s, struct sig_function *f)
{
	bool fits;

	locate_all(s, f);
	f->conventions = ~0u;
	if (!f->has_code && !f->clone)
		f->conventions = folded_conventions(s, f);
	f->call.needed = needed_by_code(s, f);
	fits = conventions_assign(s->obj->arch, f);
	if (f->clone)
		places_of_clone(s, f);
	else if (f->distrust)
		confirm_places(s, f);
	else if (!fits)
		places_by_dwarf(s, f);
	else
		check_places(s, f);
}

/*
 * A tracer that is called behind the prologue takes the words above the frame
 * pointer and the return address for the caller's.  Where the stack was aligned
 * for large variables, and has others of variable size, they are not.
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
 * places_conventions - the conventions that a function may have
 * @s: the signatures
 * @f: the function, with code that nothing has changed
 *
 * Return: their bits; 0 if the DWARF cannot be understood, or contradicts each.
 */
uint32_t places_conventions(struct signatures *s, struct sig_function *f)
{
	if (!params_read(s, f))
		return 0;
	locate_all(s, f);
	return conventions_possible(s->obj->arch, f);
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
	if (!params_read(s, f))
		return false;
	if (s->obj->arch->nr_conventions == 1)
		places_of_one(s, f);
	else
		places_of_several(s, f);
	if (!sees_stack(s, f))
		hide_stack(f);
	return true;
}
