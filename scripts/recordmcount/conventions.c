// SPDX-License-Identifier: GPL-2.0
/*
 * Which calling convention a function has.
 *
 * Attributes may choose one, and DWARF shows none of them (asmlinkage on x86-32, ms_abi
 * on x86-64).  So each convention is tried.  It is ruled out if DWARF's locations
 * contradict it, if the function needs a register in which the caller passes nothing,
 * or if the function does not restore a register that it would have to.  A place is
 * known if all remaining conventions agree on it.
 */
#include <string.h>

#include "conventions.h"

static bool is_known(const struct abi_value *value)
{
	return FTRACE_SIG_IS_REG(value->place) ||
	       FTRACE_SIG_IS_STACK(value->place);
}

static bool contradicts(const struct location *loc,
			const struct abi_value *value)
{
	if (!is_known(value))
		return false;
	switch (loc->kind) {
	case LOCATION_REG:
		return value->place != FTRACE_SIG_PLACE_REG + loc->index;
	case LOCATION_STACK:
		return value->place != FTRACE_SIG_PLACE_STACK + loc->index;
	case LOCATION_OTHER_REG:
		return true;
	default:
		return false;
	}
}

static bool fills_slot(const struct abi_call *call, unsigned int slot)
{
	for (unsigned int i = 0; i < call->nr_params; i++) {
		unsigned int place = call->params[i].place;

		if (!is_known(&call->params[i]) ||
		    (FTRACE_SIG_IS_STACK(place) &&
		     slot - (place - FTRACE_SIG_PLACE_STACK) <
		     call->params[i].words))
			return true;
	}
	/* any slot may be used */
	return call->variadic;
}

/*
 * What comes in is somewhere by each convention.  What is assigned without an
 * instruction is one of the values that come in, too.
 */
static bool holds_nothing(const struct location *loc, const struct abi_call *call)
{
	return (loc->kind == LOCATION_REG && !(call->filled & 1u << loc->index)) ||
	       (loc->kind == LOCATION_STACK && !fills_slot(call, loc->index));
}

static bool is_possible(const struct sig_function *f, unsigned int needed)
{
	if (needed & ~f->call.filled || f->call.spoiled & f->call.preserved)
		return false;
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		const struct location *loc = &f->params[i].location;

		if (holds_nothing(loc, &f->call) ||
		    (loc->incoming && contradicts(loc, &f->values[i])))
			return false;
	}
	return true;
}

/**
 * conventions_possible - the conventions that DWARF does not contradict
 * @arch: the machine
 * @f: the function, with DWARF's locations of its parameters
 *
 * Return: their bits.
 */
uint32_t conventions_possible(const struct arch *arch, struct sig_function *f)
{
	uint32_t conventions = 0;

	for (unsigned int c = 0; c < arch->nr_conventions; c++)
		if (arch->assign(&f->call, c) && is_possible(f, 0))
			conventions |= 1u << c;
	return conventions;
}

static void keep(const struct sig_function *f, struct abi_value *values,
		 struct abi_value *ret)
{
	memcpy(values, f->values, f->call.nr_params * sizeof(*values));
	*ret = f->call.ret;
}

static void keep_common(const struct sig_function *f, struct abi_value *values,
			struct abi_value *ret)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (values[i].place == f->values[i].place)
			continue;
		values[i].place = FTRACE_SIG_PLACE_UNKNOWN;
		values[i].words = 0;
		values[i].why = FTRACE_SIG_WHY_ATTRIBUTES;
	}
	if (ret->place != f->call.ret.place)
		ret->place = FTRACE_SIG_RET_UNKNOWN;
}

static void restore(struct sig_function *f, const struct abi_value *values,
		    const struct abi_value *ret)
{
	memcpy(f->values, values, f->call.nr_params * sizeof(*values));
	f->call.ret = *ret;
}

/*
 * The common ground of the conventions, of those only that are possible if
 * @checked.
 */
static bool assign_common(const struct arch *arch, struct sig_function *f,
			  bool checked, unsigned int needed)
{
	struct abi_value values[MAX_PARAMS], ret;
	bool any = false, usual = false;

	for (unsigned int c = 0; c < arch->nr_conventions; c++) {
		if (!arch->assign(&f->call, c) ||
		    (checked && !(f->conventions & 1u << c && is_possible(f, needed))))
			continue;
		if (f->usual && any && usual && f->call.is_rare)
			continue;
		if (any)
			keep_common(f, values, &ret);
		else
			keep(f, values, &ret);
		any = true;
		usual |= !f->call.is_rare;
	}
	if (needed && !usual)
		return false;
	if (any)
		restore(f, values, &ret);
	return any;
}

/**
 * conventions_assign - places by all conventions that a function may have
 * @arch: the machine
 * @f: the function, with DWARF's locations of its parameters unless it is a clone
 *
 * Return: false if DWARF contradicts each of them; the places are those that don't
 * depend on the convention then.
 */
bool conventions_assign(const struct arch *arch, struct sig_function *f)
{
	/* where a value is undefined, a register may be read in its place */
	if (!f->clone && (assign_common(arch, f, true, f->call.needed) ||
			  assign_common(arch, f, true, 0)))
		return true;
	assign_common(arch, f, false, 0);
	return false;
}
