// SPDX-License-Identifier: GPL-2.0
/*
 * Functions without code in DWARF, because gcc folded them into others (-fipa-icf).
 *
 * A folded function that needs an address of its own becomes a call of its twin, and
 * gcc often inlines the twin there.  Nothing then names the twin.  But the twin is in
 * the same unit, is traced too, and has the same calling convention:
 * sem_function::equals_wpa() compares the types of result and parameters and, by
 * comp_type_attributes(), attributes such as regparm.  So whatever all candidates for
 * the twin have in common holds for the folded function as well.
 *
 * Most folded functions of the kernel do nothing but return.  Their twin does nothing
 * either, which leaves fewer candidates.  The twin is no clone: before folding, gcc
 * clones only parts that cost more than a call.
 *
 * If the call was not inlined, it goes to the twin or, when the twin itself only makes
 * a call, to a function of the same types.  All arguments stay in place in both cases.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "conventions.h"
#include "folded.h"
#include "layout.h"

#define ANY_CONVENTION		(~0u)

/* Earlier versions also removed parameters (.isra) before folding. */
#define MIN_GCC			10

#define FNV_START		0xcbf29ce484222325
#define FNV_PRIME		0x100000001b3

/* A collision is harmless: it only adds a candidate. */
static uint64_t mix(uint64_t key, uint64_t value)
{
	return (key ^ value) * FNV_PRIME ?: 1;
}

static bool is_pointer(Dwarf_Die *type)
{
	return die_peel(type) == DIE_FOUND &&
	       dwarf_tag(type) == DW_TAG_pointer_type;
}

/* gcc distinguishes pointers from integers, but not pointers from each other. */
static uint64_t mix_type(const struct arch *arch, uint64_t key, Dwarf_Die *die)
{
	struct type_info info;
	Dwarf_Die type;

	switch (die_type(die, &type)) {
	case DIE_NONE:
		return mix(key, KIND_VOID);
	case DIE_FOUND:
		if (!layout_of(arch, &type, &info))
			return 0;
		key = mix(key, info.kind);
		key = mix(key, info.size);
		return mix(key, is_pointer(&type));
	default:
		return 0;
	}
}

/* 0 if it is not known */
static uint64_t key_of(const struct arch *arch, Dwarf_Die *function)
{
	uint64_t key = mix_type(arch, FNV_START, function);
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(function, &die); found == DIE_FOUND && key;
	     found = die_next(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_formal_parameter)
			key = mix_type(arch, key, &die);
	return found == DIE_NONE ? key : 0;
}

static void add_twin(struct signatures *s, const struct function_die *die,
		     Dwarf_Die *source, uint32_t conventions)
{
	struct twins *twins = &s->twins;

	GROW(twins->list, twins->nr, twins->room);
	twins->list[twins->nr++] = (struct twin){
		.die = die, .source = source->addr,
		.key = key_of(s->obj->arch, source), .conventions = conventions,
	};
}

/* The symbol of a function, NULL if it has none */
static const struct symbol *find_symbol(const struct signatures *s,
					const struct function_die *function)
{
	Dwarf_Die die = function->die;
	const char *name = function_name(&die);
	const struct symbol *symbol;

	symbol = name ? object_find_symbol(s->obj, name) : NULL;
	if (!symbol || symbol->reserved ||
	    symbol->section >= s->fns.nr_sections)
		return NULL;
	return symbol;
}

/* Where the symbol of a function is, unless it has none */
static bool find_entry(const struct signatures *s,
		       const struct function_die *function, Dwarf_Addr *entry)
{
	const struct symbol *symbol = find_symbol(s, function);

	if (!symbol)
		return false;
	*entry = s->fns.sections[symbol->section] + symbol->sym.st_value;
	return true;
}

/*
 * Only code that begins at the function's symbol is its own.  Other code belongs to
 * another entry or to a clone.
 */
static void add_coded(struct signatures *s, const struct function_die *die)
{
	Dwarf_Addr entry;
	bool has_symbol = find_entry(s, die, &entry);
	Dwarf_Die source;

	if (!die_source(&die->die, &source) ||
	    (!has_symbol && source.addr == die->die.addr))
		add_twin(s, die, &source, ANY_CONVENTION);
	else if (has_symbol && entry == die->low)
		add_twin(s, die, &source, 0);
}

/* No twin of a traced function: the kernel's "inline" implies notrace. */
static bool is_inline(const struct function_die *function)
{
	Dwarf_Die die = function->die;
	uint64_t how;

	return die_number(&die, DW_AT_inline, &how) &&
	       (how == DW_INL_declared_inlined ||
		how == DW_INL_declared_not_inlined);
}

/*
 * A function with a symbol was folded itself, or has code in another entry.  One without
 * a symbol was inlined everywhere, or only clones of it are left, so its convention is
 * unknown.  On x86-64 it is taken to have that of the other functions of its types.
 */
static void add_plain(struct signatures *s, const struct function_die *die)
{
	Dwarf_Die source = die->die;
	Dwarf_Addr entry;

	if (s->obj->arch->static_regs && !is_inline(die) &&
	    !find_entry(s, die, &entry))
		add_twin(s, die, &source, ANY_CONVENTION);
}

/* Addresses of entries */
struct entries {
	const void	**list;
	size_t		nr;
	size_t		room;
};

static int by_address(const void *a, const void *b)
{
	const void *p = *(const void **)a, *q = *(const void **)b;

	return p < q ? -1 : p > q;
}

static bool is_call(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_call_site ||
	       dwarf_tag(die) == DW_TAG_GNU_call_site;
}

static bool is_function(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram ||
	       dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

static void add_entry(struct entries *entries, const Dwarf_Die *die)
{
	Dwarf_Die source;

	if (!die_source(die, &source))
		return;
	GROW(entries->list, entries->nr, entries->room);
	entries->list[entries->nr++] = source.addr;
}

/*
 * Add the functions that call something, wherever they were inlined.  Entries come in
 * ascending order; @seen is the last one that was visited, so that no entry is visited
 * twice.
 *
 * Return: whether there is any call.
 */
static bool find_callers(struct entries *callers, Dwarf_Die *parent,
			 const void **seen, unsigned int depth)
{
	enum die_found found;
	bool any = false;
	Dwarf_Die die;

	for (found = die_child(parent, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		if (die.addr <= *seen)
			continue;
		*seen = die.addr;
		any |= is_call(&die);
		if ((!is_function(&die) &&
		     dwarf_tag(&die) != DW_TAG_lexical_block) ||
		    depth == DIE_MAX_DEPTH ||
		    !find_callers(callers, &die, seen, depth + 1))
			continue;
		any = true;
		if (is_function(&die))
			add_entry(callers, &die);
	}
	return any;
}

static void mark_callers(struct signatures *s)
{
	struct entries callers = { NULL, 0, 0 };
	const void *seen = NULL;

	find_callers(&callers, &s->fns.units[0].die, &seen, 0);
	if (callers.nr)
		qsort(callers.list, callers.nr, sizeof(*callers.list), by_address);
	for (uint32_t i = 0; i < s->twins.nr && callers.nr; i++) {
		struct twin *twin = &s->twins.list[i];

		twin->calls = bsearch(&twin->source, callers.list, callers.nr,
				      sizeof(*callers.list), by_address);
	}
	free(callers.list);
}

static void read_twins(struct signatures *s)
{
	for (uint32_t i = 0; i < s->fns.nr_coded; i++)
		add_coded(s, &s->fns.coded[i]);
	for (uint32_t i = 0; i < s->fns.nr_plain; i++)
		add_plain(s, &s->fns.plain[i]);
	mark_callers(s);
	s->twins.read = true;
}

/*
 * If gcc knows all callers of a static function, it may use more registers than regparm
 * says, but never more than three.
 */
static bool is_called_as_told(const struct arch *arch, const struct unit *unit,
			      Dwarf_Die *source)
{
	return !arch->static_regs || unit->regparm == 3 || die_flag_origin(source, DW_AT_external);
}

static bool has_all_in_registers(const struct sig_function *f)
{
	for (unsigned int i = 0; i < f->call.nr_params; i++)
		if (f->params[i].location.kind != LOCATION_REG)
			return false;
	return true;
}

/* Of a function whose symbol is where its code begins */
static uint32_t conventions_of(struct signatures *s, struct sig_function *f,
			       const struct function_die *die)
{
	const struct symbol *symbol = find_symbol(s, die);

	if (!symbol)
		return ANY_CONVENTION;
	f->untyped = true;
	f->has_code = true;
	f->section = symbol->section;
	f->entry = symbol->sym.st_value;
	f->addr = die->low;
	f->after = die->low;
	f->start = die->low;
	f->end = die->high;
	function_choose(s, f, die);
	if (!die_source(&f->concrete, &f->source) || function_is_special(f))
		return ANY_CONVENTION;
	if (!function_read(s, f))
		return ANY_CONVENTION;
	return conventions_possible(s->obj->arch, f) ?: ANY_CONVENTION;
}

static uint32_t conventions_of_twin(struct signatures *s,
				    const struct function_die *die)
{
	struct sig_function *f = xcalloc(1, sizeof(*f));
	uint32_t conventions = conventions_of(s, f, die);

	if (!is_called_as_told(s->obj->arch, &s->fns.units[die->unit], &f->source))
		conventions = ANY_CONVENTION;
	free(f);
	return conventions;
}

/* @idle: consider only candidates that call nothing */
static uint32_t common_conventions(struct signatures *s, uint64_t key, bool idle)
{
	uint32_t conventions = 0;

	if (!s->twins.read)
		read_twins(s);
	for (uint32_t i = 0; i < s->twins.nr; i++) {
		struct twin *twin = &s->twins.list[i];

		if ((idle && twin->calls) || (twin->key && twin->key != key))
			continue;
		if (!twin->conventions)
			twin->conventions = conventions_of_twin(s, twin->die);
		conventions |= twin->conventions;
	}
	return conventions ?: ANY_CONVENTION;
}

/* The last relocation of the field; false if one of the relocations is broken */
static bool find_reloc(const struct object *obj, const struct branch *branch,
		       struct reloc *rel, bool *found)
{
	uint32_t relocs = object_find_relocs(obj, branch->section);
	size_t nr = relocs ? object_nr_relocs(obj, relocs) : 0;
	struct reloc one;

	*found = false;
	for (size_t i = 0; i < nr; i++) {
		if (!object_get_reloc(obj, relocs, i, &one))
			return false;
		if (one.offset != branch->field)
			continue;
		*rel = one;
		*found = true;
	}
	return true;
}

/* Address of what a jump or call goes to */
static bool find_target(const struct signatures *s, const struct branch *branch,
			Dwarf_Addr *addr)
{
	bool relocated;
	struct reloc rel;
	uint32_t section;
	uint64_t offset;

	if (!find_reloc(s->obj, branch, &rel, &relocated) ||
	    !branch_target(s->obj, branch, relocated ? &rel : NULL, &section,
			   &offset) ||
	    section >= s->fns.nr_sections)
		return false;
	*addr = s->fns.sections[section] + offset;
	return true;
}

/*
 * If caller and target have the same types, and the caller changes nothing, the target's
 * arguments are where the caller's are.
 */
static uint32_t conventions_of_target(struct signatures *s, Dwarf_Addr addr,
				      uint64_t key, bool is_call)
{
	const struct function_die *die = functions_at(&s->fns, addr);
	uint32_t conventions = ANY_CONVENTION;
	struct sig_function *f;
	Dwarf_Addr entry;

	if (!die || die->low != addr || !find_entry(s, die, &entry) ||
	    entry != addr)
		return ANY_CONVENTION;
	f = xcalloc(1, sizeof(*f));
	conventions = conventions_of(s, f, die);
	if (key_of(s->obj->arch, &f->source) != key ||
	    (is_call && !has_all_in_registers(f)))
		conventions = ANY_CONVENTION;
	free(f);
	return conventions;
}

/**
 * folded_conventions - the conventions that a function without code may have
 * @s: the signatures
 * @f: the function, whose symbol is that of its source
 *
 * A function that does nothing has no twin that calls something.  Calls are also found
 * where a function was inlined.  The exception is a call that depends on
 * __builtin_constant_p(), in a function that is static, traced, not declared inline, and
 * inlined everywhere.
 *
 * Return: their bits; all if nothing is known.
 */
uint32_t folded_conventions(struct signatures *s, const struct sig_function *f)
{
	const struct section *sec = &s->obj->sections[f->section];
	uint64_t site = f->entry + (f->addr - f->start);
	uint64_t behind = site + (f->after - f->addr);
	const struct arch *arch = s->obj->arch;
	Dwarf_Die source = f->source;
	uint64_t key = key_of(arch, &source);
	struct branch branch = { .section = f->section };
	unsigned int field = 0;
	Dwarf_Addr target;
	bool is_call;

	if (!f->fentry || !sec->data || behind > sec->sh.sh_size || !key ||
	    s->fns.nr_units != 1 || s->fns.units[0].gcc < MIN_GCC || s->fns.broken)
		return ANY_CONVENTION;
	if (arch->is_idle(sec->data + behind, sec->sh.sh_size - behind))
		return common_conventions(s, key, true);
	branch.size = arch->hands_over(sec->data + behind,
				       sec->sh.sh_size - behind,
				       &field, &is_call);
	branch.field = behind + field;
	if (branch.size && find_target(s, &branch, &target))
		return conventions_of_target(s, target, key, is_call);
	return common_conventions(s, key, false);
}

/**
 * twins_free - free what folded_conventions() allocated
 * @twins: the functions
 */
void twins_free(struct twins *twins)
{
	free(twins->list);
	memset(twins, 0, sizeof(*twins));
}
