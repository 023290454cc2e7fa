// SPDX-License-Identifier: GPL-2.0
/*
 * Where jumps and calls lead, and what calls show of the functions that they call: which
 * constants are passed, and whether there is a result.
 *
 * A caller that reads the result register after a call proves that there is a result:
 * the callee may clobber that register, so the caller cannot expect anything else there.
 * gcc's -fipa-ra would allow that, but -pg turns it off.  If other code may jump to a
 * place between the call and the use, nothing is proven.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "calls.h"
#include "location.h"

/* call rel32 and jmp rel32: one byte of opcode, four bytes of distance */
#define FIELD_SIZE	4
#define CALL_SIZE	(1 + FIELD_SIZE)

/* Offset of the end of the instruction, which its distance counts from */
static uint64_t branch_end(const struct branch *branch)
{
	return branch->field + branch->size;
}

/* Without a relocation, the field holds the distance to the target. */
static int32_t distance_of(const struct object *obj, const struct branch *branch)
{
	const unsigned char *field = obj->sections[branch->section].data +
				     branch->field;
	int32_t distance = (signed char)*field;

	if (branch->size == sizeof(distance))
		memcpy(&distance, field, sizeof(distance));
	return distance;
}

/**
 * branch_target - where a jump or a call leads
 * @obj: the object
 * @branch: the instruction, whose distance is inside the section
 * @rel: the relocation of the distance, NULL if it has none
 * @section: set to the section of the target
 * @offset: set to the offset of the target there
 *
 * Return: false if the target is outside of the object, or not known.
 */
bool branch_target(const struct object *obj, const struct branch *branch,
		   const struct reloc *rel, uint32_t *section,
		   uint64_t *offset)
{
	const struct symbol *symbol;

	if (!rel) {
		*section = branch->section;
		*offset = branch_end(branch) + distance_of(obj, branch);
		return true;
	}
	symbol = &obj->symbols[rel->symbol];
	if (symbol->reserved || symbol->section == SHN_UNDEF ||
	    branch->size != 4 || !obj->arch->is_pc32(rel->type))
		return false;
	*section = symbol->section;
	*offset = symbol->sym.st_value + rel->addend + branch->size;
	return true;
}

static uint32_t section_at(const struct object *obj,
			   const struct functions *fns, Dwarf_Addr addr)
{
	for (uint32_t i = 1; i < obj->nr_sections && i < fns->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (sec->sh.sh_flags & SHF_EXECINSTR && sec->data &&
		    addr >= fns->sections[i] &&
		    addr - fns->sections[i] <= sec->sh.sh_size)
			return i;
	}
	return 0;
}

/* @back: where the function called returns to, or what follows a jump to it */
static void add_call(struct calls *calls, const struct object *obj,
		     const struct functions *fns, Dwarf_Addr back,
		     const Dwarf_Die *die)
{
	uint32_t section = section_at(obj, fns, back);
	const struct section *sec = &obj->sections[section];
	uint64_t offset = back - fns->sections[section];
	const unsigned char *code;
	int use = -1;

	if (!section || offset < CALL_SIZE)
		return;
	code = sec->data + offset - CALL_SIZE;
	if (obj->arch->is_direct_call(code))
		use = obj->arch->reads_result(sec->data + offset,
					      sec->sh.sh_size - offset);
	else if (!obj->arch->is_direct_jump(code))
		return;
	GROW(calls->list, calls->nr, calls->room);
	calls->list[calls->nr++] = (struct call){
		.branch = { section, offset - FIELD_SIZE, FIELD_SIZE },
		.die = *die, .is_used = use >= 0, .use = offset + use,
	};
}

static bool return_address(Dwarf_Die *die, Dwarf_Addr *addr)
{
	Dwarf_Attribute attr;

	switch (dwarf_tag(die)) {
	case DW_TAG_call_site:
		return die_attr(die, DW_AT_call_return_pc, &attr) &&
		       !dwarf_formaddr(&attr, addr);
	case DW_TAG_GNU_call_site:
		return !dwarf_lowpc(die, addr);
	default:
		return false;
	}
}

static bool has_calls(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine;
}

/*
 * @seen: the last entry looked at.  They come in ascending order; others were
 * there already, or never end.
 */
static void find_calls(struct calls *calls, const struct object *obj,
		       const struct functions *fns, Dwarf_Die *parent,
		       const void **seen, unsigned int depth)
{
	enum die_found found;
	Dwarf_Addr back;
	Dwarf_Die die;

	for (found = die_child(parent, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		if (die.addr <= *seen)
			continue;
		*seen = die.addr;
		if (return_address(&die, &back))
			add_call(calls, obj, fns, back, &die);
		else if (has_calls(dwarf_tag(&die)) && depth < DIE_MAX_DEPTH)
			find_calls(calls, obj, fns, &die, seen, depth + 1);
	}
}

static int by_place(uint32_t section, uint64_t offset,
		    uint32_t other_section, uint64_t other_offset)
{
	if (section != other_section)
		return section < other_section ? -1 : 1;
	return offset < other_offset ? -1 : offset > other_offset;
}

static int by_field(const void *a, const void *b)
{
	const struct call *c = a, *d = b;

	return by_place(c->branch.section, c->branch.field,
			d->branch.section, d->branch.field);
}

static int by_target(const void *a, const void *b)
{
	const struct call *c = a, *d = b;

	return by_place(c->target_section, c->target,
			d->target_section, d->target);
}

static void follow(struct call *call, const struct object *obj,
		   const struct reloc *rel)
{
	call->relocated = rel;
	if (!branch_target(obj, &call->branch, rel, &call->target_section,
			   &call->target))
		call->target_section = 0;
}

static void follow_reloc(struct calls *calls, const struct object *obj,
			 uint32_t section, const struct reloc *rel)
{
	const struct call key = { .branch = { section, rel->offset, 0 } };
	struct call *call = bsearch(&key, calls->list, calls->nr,
				    sizeof(*calls->list), by_field);

	if (call)
		follow(call, obj, rel);
}

static void follow_relocs(struct calls *calls, const struct object *obj,
			  uint32_t section)
{
	uint32_t relocs = object_find_relocs(obj, section);
	size_t nr = relocs ? object_nr_relocs(obj, relocs) : 0;
	struct reloc rel;

	for (size_t i = 0; i < nr; i++) {
		if (object_get_reloc(obj, relocs, i, &rel))
			follow_reloc(calls, obj, section, &rel);
		else
			calls->nr = 0;	/* it may be that of any call */
	}
}

static void read_calls(struct calls *calls, const struct object *obj,
		       const struct functions *fns)
{
	for (uint32_t i = 0; i < fns->nr_units; i++) {
		const void *seen = NULL;

		find_calls(calls, obj, fns, &fns->units[i].die, &seen, 0);
	}
	if (!calls->nr)
		return;
	qsort(calls->list, calls->nr, sizeof(*calls->list), by_field);
	for (uint32_t i = 0; i < calls->nr; i++)
		follow(&calls->list[i], obj, NULL);
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (obj->sections[i].sh.sh_flags & SHF_EXECINSTR)
			follow_relocs(calls, obj, i);
	if (calls->nr)
		qsort(calls->list, calls->nr, sizeof(*calls->list), by_target);
}

static void read_once(struct calls *calls, const struct object *obj,
		      const struct functions *fns)
{
	if (!calls->read)
		read_calls(calls, obj, fns);
	calls->read = true;
}

/*
 * Other sections may hold jump targets (switch tables, static keys, exception tables,
 * cold code), and some of them an address shortly before the target.
 */
static bool refers_to(const struct object *obj, uint32_t relocs,
		      const struct call *call)
{
	uint64_t first = branch_end(&call->branch);
	size_t nr = object_nr_relocs(obj, relocs);
	const struct symbol *symbol;
	struct reloc rel;
	uint64_t target;

	for (size_t i = 0; i < nr; i++) {
		if (!object_get_reloc(obj, relocs, i, &rel))
			return true;
		symbol = &obj->symbols[rel.symbol];
		target = symbol->sym.st_value + rel.addend;
		if (!symbol->reserved && symbol->section == call->branch.section &&
		    target + 2 * FIELD_SIZE >= first && target <= call->use)
			return true;
	}
	return false;
}

static bool is_reached_otherwise(const struct object *obj,
				 const struct call *call)
{
	const struct section *sec = &obj->sections[call->branch.section];
	uint64_t first = branch_end(&call->branch);

	if (obj->arch->may_jump(sec->data, sec->sh.sh_size, first, call->use))
		return true;
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct section *of = &obj->sections[i];
		uint32_t target = of->sh.sh_info;

		if ((of->sh.sh_type == SHT_RELA || of->sh.sh_type == SHT_REL) &&
		    target < obj->nr_sections &&
		    obj->sections[target].sh.sh_flags & SHF_ALLOC &&
		    refers_to(obj, i, call))
			return true;
	}
	return false;
}

static const struct call *first_call_of(const struct calls *calls,
					uint32_t section, uint64_t offset)
{
	const struct call key = { .target_section = section, .target = offset };
	const struct call *call;

	if (!calls->nr)
		return NULL;
	call = bsearch(&key, calls->list, calls->nr, sizeof(*calls->list),
		       by_target);
	while (call && call > calls->list && !by_target(&call[-1], &key))
		call--;
	return call;
}

/* Of the relocations of code, those of branches that lead to a place */
static uint32_t count_relocs(const struct object *obj, uint32_t section,
			     uint64_t offset)
{
	uint32_t nr = 0;

	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		bool is_code = obj->sections[i].sh.sh_flags & SHF_EXECINSTR;
		uint32_t relocs = is_code ? object_find_relocs(obj, i) : 0;
		size_t all = relocs ? object_nr_relocs(obj, relocs) : 0;

		for (size_t j = 0; j < all; j++) {
			struct branch branch = { i, 0, FIELD_SIZE };
			struct reloc rel;
			uint32_t to;
			uint64_t at;

			if (!object_get_reloc(obj, relocs, j, &rel))
				return UINT32_MAX;
			nr += branch_target(obj, &branch, &rel, &to, &at) &&
			      to == section && at == offset;
		}
	}
	return nr;
}

/* Whether a function has @nr calls by relocation and @nr_near without, and no other */
static bool sees_all(const struct object *obj, uint32_t section,
		     uint64_t offset, uint32_t nr, uint32_t nr_near)
{
	const struct section *sec = &obj->sections[section];

	return sec->data && count_relocs(obj, section, offset) == nr &&
	       obj->arch->count_branches(sec->data, sec->sh.sh_size,
					 offset) == nr_near;
}

/* The entry of a parameter at a call: DWARF5 3.4.2, and as gcc had it before */
static bool find_passed(const struct call *call, const Dwarf_Die *param,
			Dwarf_Die *passed)
{
	Dwarf_Die die = call->die, to;
	enum die_found found;

	for (found = die_child(&die, passed); found == DIE_FOUND;
	     found = die_next(passed, passed)) {
		bool is_old = dwarf_tag(passed) == DW_TAG_GNU_call_site_parameter;

		if (!is_old && dwarf_tag(passed) != DW_TAG_call_site_parameter)
			continue;
		if (die_ref(passed, is_old ? DW_AT_abstract_origin :
					     DW_AT_call_parameter, &to) ==
		    DIE_FOUND && to.addr == param->addr)
			return true;
	}
	return false;
}

static bool passed_value(Dwarf_Die *passed, uint64_t *value)
{
	Dwarf_Attribute attr;

	return (die_attr(passed, DW_AT_call_value, &attr) ||
		die_attr(passed, DW_AT_GNU_call_site_value, &attr)) &&
	       location_constant(&attr, value);
}

/**
 * calls_pass - what the calls of a clone show of a parameter
 * @calls: the object's calls; empty at first
 * @obj: the object
 * @fns: its functions
 * @section: section of the clone
 * @offset: where it starts there
 * @param: the parameter in the source
 * @passed: filled
 *
 * At a call, gcc records the values of removed parameters and sometimes of others.
 * Assignments in the clone do not affect these.
 */
void calls_pass(struct calls *calls, const struct object *obj,
		const struct functions *fns, uint32_t section, uint64_t offset,
		const Dwarf_Die *param, struct passed *passed)
{
	uint32_t nr = 0, nr_near = 0;
	const struct call *call, *end;
	uint64_t value = 0;
	Dwarf_Die die;

	memset(passed, 0, sizeof(*passed));
	read_once(calls, obj, fns);
	call = first_call_of(calls, section, offset);
	if (!call)
		return;
	passed->constant = true;
	passed->always = true;
	for (end = calls->list + calls->nr;
	     call < end && call->target_section == section &&
	     call->target == offset; call++) {
		nr += call->relocated;
		nr_near += !call->relocated;
		if (!find_passed(call, param, &die)) {
			passed->always = false;
			continue;
		}
		if (!passed_value(&die, &value) ||
		    (passed->told && value != passed->value))
			passed->constant = false;
		passed->told = true;
		passed->value = value;
	}
	passed->constant &= passed->told;
	passed->always &= passed->constant &&
			  sees_all(obj, section, offset, nr, nr_near);
}

/**
 * calls_use_result - whether a caller shows that a function has a result
 * @calls: the object's calls; empty at first
 * @obj: the object
 * @fns: its functions
 * @section: section of the function
 * @offset: where it starts there
 *
 * Return: true if there is a call of it, by the object itself, whose result is
 * used; false if not, or if it cannot be told.
 */
bool calls_use_result(struct calls *calls, const struct object *obj,
		      const struct functions *fns, uint32_t section,
		      uint64_t offset)
{
	const struct call *call, *end;

	read_once(calls, obj, fns);
	call = first_call_of(calls, section, offset);
	if (!call)
		return false;
	for (end = calls->list + calls->nr;
	     call < end && call->target_section == section &&
	     call->target == offset; call++)
		if (call->is_used && !is_reached_otherwise(obj, call))
			return true;
	return false;
}

/**
 * calls_free - free what calls_use_result() allocated
 * @calls: the calls
 */
void calls_free(struct calls *calls)
{
	free(calls->list);
	memset(calls, 0, sizeof(*calls));
}
