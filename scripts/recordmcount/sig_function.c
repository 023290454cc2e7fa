// SPDX-License-Identifier: GPL-2.0
/*
 * What DWARF says of a function: the properties of its unit, its result, its parameters,
 * their types and their locations.
 */
#include <string.h>

#include "layout.h"
#include "sig_function.h"
#include "type_form.h"

/**
 * function_choose - give a function its DWARF entry
 * @s: the signatures
 * @f: the function; gets the properties of the unit, too
 * @die: the entry
 */
void function_choose(const struct signatures *s, struct sig_function *f,
		     const struct function_die *die)
{
	const struct unit *unit = &s->fns.units[die->unit];

	f->concrete = die->die;
	f->distrust = unit->is_clang;
	f->call.is_clang = unit->is_clang;
	f->call.no_alignment = unit->no_alignment;
	f->call.struct_return = unit->struct_return;
	f->tracked = unit->tracks;
	f->views = unit->views;
}

/**
 * function_is_special - whether DWARF says that no ordinary convention applies
 * @f: the function, with @concrete and @source
 */
bool function_is_special(struct sig_function *f)
{
	return dwarf_hasattr(&f->concrete, DW_AT_calling_convention) ||
	       dwarf_hasattr(&f->source, DW_AT_calling_convention);
}

static bool classify(const struct arch *arch, Dwarf_Die *type,
		     struct abi_value *value)
{
	struct type_info info;

	if (!layout_of(arch, type, &info))
		return false;
	memset(value, 0, sizeof(*value));
	value->size = info.size;
	value->align = info.align;
	value->kind = info.kind;
	value->mode = info.mode;
	value->is_record = info.is_record;
	value->is_flexible = info.is_flexible;
	value->align_guessed = info.align_guessed;
	arch->classify(&info, value);
	return true;
}

/* The layout, which counts the words, and the type in the table must agree on the size. */
static bool has_size(const struct table *table, uint32_t id, uint64_t size)
{
	return FTRACE_SIG_TYPE_SIZE(*table_type_meant(table, id)) ==
	       type_size_clamped(size);
}

static bool put_type(struct signatures *s, Dwarf_Die *type, uint32_t *id,
		     struct abi_value *value)
{
	*id = type_id_of(&s->table, &s->memo, s->obj->arch, type);
	return *id != TABLE_NONE && has_size(&s->table, *id, value->size);
}

static bool read_type(struct signatures *s, const struct sig_function *f,
		      Dwarf_Die *die, uint32_t *id, struct abi_value *value)
{
	Dwarf_Die type;

	switch (die_type(die, &type)) {
	case DIE_NONE:
		memset(value, 0, sizeof(*value));
		value->kind = KIND_VOID;
		*id = 0;
		return true;
	case DIE_FOUND:
		return classify(s->obj->arch, &type, value) &&
		       (f->untyped || put_type(s, &type, id, value));
	default:
		return false;
	}
}

static bool add_param(struct signatures *s, struct sig_function *f,
		      Dwarf_Die *die)
{
	unsigned int i = f->call.nr_params;
	struct sig_param *param = &f->params[i];

	if (i == MAX_PARAMS)
		return false;
	memset(param, 0, sizeof(*param));
	param->source = *die;
	if (!read_type(s, f, die, &param->type, &f->values[i]) ||
	    f->values[i].kind == KIND_VOID)
		return false;
	f->call.nr_params++;
	return true;
}

/**
 * function_add_params - append the parameters of an entry to those of a function
 * @s: the signatures, which get the types
 * @f: the function
 * @source: the entry: its own or, of a syscall's entry, that of the syscall
 *
 * Return: false if they cannot be understood.
 */
bool function_add_params(struct signatures *s, struct sig_function *f, Dwarf_Die *source)
{
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(source, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			f->flags |= FTRACE_SIG_VARIADIC;
		else if (dwarf_tag(&die) == DW_TAG_formal_parameter &&
			 !add_param(s, f, &die))
			return false;
	}
	return found == DIE_NONE;
}

static bool read_params(struct signatures *s, struct sig_function *f)
{
	f->call.nr_params = 0;
	f->call.params = f->values;
	return function_add_params(s, f, &f->source);
}

static const void *origin_addr(Dwarf_Die *die)
{
	Dwarf_Die at = *die, origin;

	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		if (die_ref(&at, DW_AT_abstract_origin, &origin) != DIE_FOUND)
			break;
		at = origin;
	}
	return at.addr;
}

/*
 * The order of a clone's parameters tells which are passed.  gcc first lists those that
 * are passed, in source order, and then those that it removed, in reverse order: it puts
 * each in front of the variables of the outermost block (tree_function_versioning()).
 * So the ascending run at the start ends with a parameter that may be either, all
 * before it are passed, and all behind it are removed.  In a clone of a clone, what was
 * removed last may be in the run.
 */
static void judge_order(struct sig_function *f, const unsigned int *order,
			unsigned int nr)
{
	unsigned int last = 0;

	while (last + 1 < nr && order[last + 1] > order[last])
		last++;
	for (unsigned int at = 0; at < nr; at++) {
		struct sig_param *param = &f->params[order[at]];

		if (at > last)
			param->passed = PASSED_NO;
		else if (at < last && !f->recloned)
			param->passed = PASSED_YES;
	}
}

/* Find what the instance with code says about each parameter. */
static bool match_params(struct sig_function *f)
{
	unsigned int order[MAX_PARAMS], nr = 0;
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(&f->concrete, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		const void *addr;

		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		addr = origin_addr(&die);
		for (unsigned int i = 0; i < f->call.nr_params; i++) {
			struct sig_param *param = &f->params[i];

			if (param->source.addr != addr || param->has_concrete)
				continue;
			param->concrete = die;
			param->has_concrete = true;
			order[nr++] = i;
			break;
		}
	}
	if (f->clone && !f->distrust)
		judge_order(f, order, nr);
	return found == DIE_NONE;
}

/* There is a frame pointer, or the stack pointer never moves. */
static bool counts_no_pushes(const struct signatures *s,
			     const struct sig_function *f)
{
	struct frames frames;

	return functions_frames(&s->fns, f->start, f->end, 0, &frames) &&
	       (frames.is_steady ||
		frames.bases & 1u << s->obj->arch->frame_reg);
}

/**
 * function_code - the code of a function, as far as its symbol tells
 * @s: the signatures
 * @f: the function
 *
 * Return: all bytes from @start to @end, NULL if not all of them are there, or if
 * there are none.
 */
const unsigned char *function_code(const struct signatures *s,
				   const struct sig_function *f)
{
	const struct section *sec = &s->obj->sections[f->section];
	uint64_t size = f->end - f->start;

	if (!sec->data || !size || f->entry > sec->sh.sh_size ||
	    size > sec->sh.sh_size - f->entry)
		return NULL;
	return sec->data + f->entry;
}

static bool has_jumps(const struct signatures *s, const struct sig_function *f)
{
	const unsigned char *code = function_code(s, f);
	uint64_t size = f->end - f->start;

	return !code || s->obj->arch->may_jump(code, size, 0, size - 1);
}

/*
 * Whether gcc tracked the variables of this function.  It gives up if a function is too
 * large, or if pushes and pops do not match on two paths to an instruction
 * (vt_stack_adjustments(), for instance acpi_get_devices() with -Os).  Then no location
 * is a list.  A function without any list was tracked nevertheless if it has a frame
 * pointer, with which pushes do not count, or no jump inside, and so only one path.
 */
static bool is_followed(const struct signatures *s, const struct sig_function *f)
{
	if (!f->tracked || !f->has_code)
		return false;
	return f->distrust || location_has_lists(&f->concrete) ||
	       !has_jumps(s, f) || counts_no_pushes(s, f);
}

static void locate(struct sig_function *f, const struct location_scope *scope,
		   unsigned int i)
{
	struct sig_param *param = &f->params[i];

	param->location = (struct location){ .kind = LOCATION_NONE };
	if (param->has_concrete)
		location_at_entry(scope, &param->concrete, &param->source,
				  f->values[i].size, &param->location);
}

static void locate_all(const struct signatures *s, struct sig_function *f)
{
	const struct location_scope scope = {
		.arch = s->obj->arch,
		.function = f->concrete,
		.entry = f->start,
		.site = f->addr,
		.after = f->after,
		.views = f->views,
		.part = f->part,
		.followed = is_followed(s, f),
	};

	for (unsigned int i = 0; i < f->call.nr_params; i++)
		locate(f, &scope, i);
}

/**
 * function_read - read what DWARF tells of a function
 * @s: the signatures, which get the types
 * @f: the function; its result, its parameters and where DWARF says that they come
 *	in are filled
 *
 * Return: false if they cannot be understood.
 */
bool function_read(struct signatures *s, struct sig_function *f)
{
	if (!read_type(s, f, &f->source, &f->ret_type, &f->call.ret) ||
	    !read_params(s, f))
		return false;
	f->call.variadic = f->flags & FTRACE_SIG_VARIADIC;
	if (!match_params(f))
		return false;
	locate_all(s, f);
	return true;
}
