// SPDX-License-Identifier: GPL-2.0
/*
 * The signature of a call site: which function it is in, and where each of its
 * parameters is.
 *
 * Ordinary functions follow the calling convention, which the types decide.
 * What an optimizer made of a function doesn't: there, only DWARF's locations
 * at the call site count.
 */
#include <stdlib.h>
#include <string.h>

#include "location.h"
#include "signature.h"

#define MAX_PARAMS	255

/**
 * struct sig_param - a parameter
 * @source: its entry in the source: has the name, the type and the order
 * @concrete: its entry in the instance with code; may be the same
 * @has_concrete: there is such an entry
 * @type: id of its type
 */
struct sig_param {
	Dwarf_Die	source;
	Dwarf_Die	concrete;
	bool		has_concrete;
	uint32_t	type;
	uint64_t	constant;
};

/**
 * struct sig_function - the function of a call site
 * @concrete: its entry with code; without @has_code that of the source
 * @source: its entry in the source, see die_origin()
 * @has_code: DWARF knows its code; otherwise only its name
 * @clone: made by the optimizer from @source
 * @keeps_result: though a clone, it returns what @source does
 * @drops_result: a clone of a kind that returns what @source does, or nothing
 * @distrust: the compiler may have changed it without a sign (clang)
 * @section: section of the call site
 * @entry: offset of the function's start there
 * @addr: address of the call site
 * @after: address behind the call
 * @flags: FTRACE_SIG_*
 * @ret_type: id of the result's type
 * @call: result and parameters by the calling convention
 * @params: the parameters, as many as in @call
 */
struct sig_function {
	Dwarf_Die	concrete;
	Dwarf_Die	source;
	bool		has_code;
	bool		clone;
	bool		keeps_result;
	bool		drops_result;
	bool		distrust;
	uint32_t	section;
	uint64_t	entry;
	Dwarf_Addr	addr;
	Dwarf_Addr	after;
	unsigned int	flags;
	uint32_t	ret_type;
	struct abi_call	call;
	struct sig_param params[MAX_PARAMS];
	struct abi_value values[MAX_PARAMS];
};

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
	value->align_guessed = info.align_guessed;
	arch->classify(&info, value);
	return true;
}

/* The type of a table behind typedefs and qualifiers */
static const uint32_t *real_type(const struct table *table, uint32_t id)
{
	const uint32_t *types = (const uint32_t *)table->types.data;

	for (;;) {
		switch (FTRACE_SIG_TYPE_KIND(types[id])) {
		case FTRACE_SIG_TYPEDEF:
		case FTRACE_SIG_CONST:
		case FTRACE_SIG_VOLATILE:
			id = types[id + 2];
			break;
		default:
			return types + id;
		}
	}
}

/* A value's words are counted by its layout, and read by its type. */
static bool has_size(const struct table *table, uint32_t id, uint64_t size)
{
	if (size > FTRACE_SIG_TYPE_SIZE_MAX)
		size = FTRACE_SIG_TYPE_SIZE_MAX;
	return FTRACE_SIG_TYPE_SIZE(*real_type(table, id)) == size;
}

static bool read_type(struct signatures *s, Dwarf_Die *die, uint32_t *id,
		      struct abi_value *value)
{
	Dwarf_Die type;

	switch (die_type(die, &type)) {
	case DIE_NONE:
		memset(value, 0, sizeof(*value));
		value->kind = KIND_VOID;
		*id = 0;
		return true;
	case DIE_FOUND:
		*id = type_id_of(&s->table, &s->memo, s->obj->arch, &type);
		return *id != TABLE_NONE &&
		       classify(s->obj->arch, &type, value) &&
		       has_size(&s->table, *id, value->size);
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
	if (!read_type(s, die, &param->type, &f->values[i]) ||
	    f->values[i].kind == KIND_VOID)
		return false;
	f->call.nr_params++;
	return true;
}

static bool read_params(struct signatures *s, struct sig_function *f)
{
	enum die_found found;
	Dwarf_Die die;

	f->call.nr_params = 0;
	f->call.params = f->values;
	for (found = die_child(&f->source, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			f->flags |= FTRACE_SIG_VARIADIC;
		else if (dwarf_tag(&die) == DW_TAG_formal_parameter &&
			 !add_param(s, f, &die))
			return false;
	}
	return found == DIE_NONE;
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

/* Find what the instance with code says about each parameter. */
static bool match_params(struct sig_function *f)
{
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
			break;
		}
	}
	return found == DIE_NONE;
}

static void locate(const struct signatures *s, struct sig_function *f,
		   unsigned int i, struct location *loc)
{
	const struct arch *arch = s->obj->arch;
	struct sig_param *param = &f->params[i];

	loc->kind = LOCATION_NONE;
	if (!param->has_concrete)
		return;
	location_at(arch, &f->concrete, &param->concrete, f->addr,
		    f->values[i].size, loc);
	/* the tracer preserves everything, so the place is the same behind it */
	if (loc->kind == LOCATION_ELSEWHERE && f->after != f->addr)
		location_at(arch, &f->concrete, &param->concrete, f->after,
			    f->values[i].size, loc);
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
	const uint32_t *real = real_type(table, type);
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

static bool find_places(struct signatures *s, struct sig_function *f)
{
	if (!read_type(s, &f->source, &f->ret_type, &f->call.ret) ||
	    !read_params(s, f) || !match_params(f))
		return false;
	s->obj->arch->assign(&f->call);
	if (f->clone || other_convention(s, f))
		places_of_clone(s, f);
	else if (f->distrust && !die_flag_origin(&f->source, DW_AT_external))
		doubt_places(s, f);
	else
		check_places(s, f);
	return true;
}

static uint32_t encode_proto(struct signatures *s, struct sig_function *f)
{
	uint32_t words[2 + 4 * MAX_PARAMS], nr = 2;
	unsigned int nr_regs = 0, nr_stack = 0;

	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		const struct abi_value *value = &f->values[i];
		const char *name = die_string(&f->params[i].source, DW_AT_name);
		uint32_t string = table_string(&s->table, name);
		unsigned int end = value->place + value->words;
		bool unknown = value->place == FTRACE_SIG_PLACE_UNKNOWN;

		if (string == TABLE_NONE)
			return TABLE_NONE;
		if (FTRACE_SIG_IS_REG(value->place) && end > nr_regs)
			nr_regs = end;
		if (FTRACE_SIG_IS_STACK(value->place) &&
		    end - FTRACE_SIG_PLACE_STACK > nr_stack)
			nr_stack = end - FTRACE_SIG_PLACE_STACK;
		words[nr++] = FTRACE_SIG_WORD(f->params[i].type, value->place);
		words[nr++] = FTRACE_SIG_WORD(string, unknown ? value->why :
							value->words);
	}
	for (unsigned int i = 0; i < f->call.nr_params; i++) {
		if (f->values[i].place != FTRACE_SIG_PLACE_CONST)
			continue;
		words[nr++] = f->params[i].constant;
		words[nr++] = f->params[i].constant >> 32;
	}
	words[0] = FTRACE_SIG_WORD(f->ret_type, f->call.ret.place);
	words[1] = f->call.nr_params | nr_regs << 8 | nr_stack << 16 |
		   (uint32_t)f->flags << 24;
	return table_proto(&s->table, words, nr);
}

/* The abstract instance if there is one: it has names, types and order. */
static bool find_source(struct sig_function *f)
{
	Dwarf_Die origin;

	f->source = f->concrete;
	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		switch (die_ref(&f->source, DW_AT_abstract_origin, &origin)) {
		case DIE_NONE:
			return true;
		case DIE_FOUND:
			f->source = origin;
			break;
		default:
			return false;
		}
	}
	return false;
}

/*
 * Clones have the name of the source and, for each pass that made a copy, its
 * name and a number.
 *
 * Return: length of the first such suffix, if it is that of @pass; 0 if not.
 */
static size_t suffix_of(const char *suffix, const char *pass)
{
	size_t len = strlen(pass), digits;

	if (strncmp(suffix, pass, len) || suffix[len] != '.')
		return 0;
	digits = strspn(suffix + len + 1, "0123456789");
	return digits ? len + 1 + digits : 0;
}

/*
 * .constprop leaves the result alone.  .isra drops it if no caller wants it, and
 * .part if the value that is returned doesn't come from that part.
 */
static void judge_suffix(struct sig_function *f, const char *suffix)
{
	bool drops = false;
	size_t len;

	for (; *suffix; suffix += len) {
		len = suffix_of(suffix, ".constprop");
		if (len)
			continue;
		drops = true;
		len = suffix_of(suffix, ".isra");
		if (!len)
			len = suffix_of(suffix, ".part");
		if (!len)
			return;
	}
	f->keeps_result = !drops;
	f->drops_result = drops;
}

static void judge_name(const struct signatures *s, struct sig_function *f,
		       uint32_t function)
{
	const char *symbol = s->obj->symbols[function].name;
	const char *name = function_name(&f->concrete);
	const char *suffix = strchr(symbol, '.');

	if (!suffix || (name && function_has_name(s->obj, function, name)))
		return;
	f->clone = true;
	if (f->has_code && !f->distrust)
		judge_suffix(f, suffix);
}

static bool choose_die(struct signatures *s, struct sig_function *f,
		       const struct call_site *site)
{
	const struct symbol *symbol = &s->obj->symbols[site->function];
	Dwarf_Addr entry = f->addr - site->offset + symbol->sym.st_value;
	const struct function_die *die = functions_at(&s->fns, f->addr);
	uint32_t nr;
	char *name;

	f->has_code = die;
	if (!die) {
		name = xasprintf("%.*s", (int)strcspn(symbol->name, "."),
				 symbol->name);
		die = functions_named(&s->fns, name, f->addr, &nr);
		free(name);
		if (!die || nr != 1)
			return false;
	} else if (die->low != entry) {
		return false;
	}
	f->concrete = die->die;
	f->distrust = s->fns.units[die->unit].is_clang;
	f->call.splits_int128 = f->distrust;
	f->call.no_alignment = s->fns.units[die->unit].no_alignment;
	return true;
}

/* __fentry__ is called first of all, behind a landing pad at most. */
static bool at_entry(const struct object *obj, const struct call_site *site)
{
	const struct section *sec = &obj->sections[site->section];
	uint64_t entry = obj->symbols[site->function].sym.st_value;
	uint64_t distance = site->offset - entry;

	if (!site->fentry || !distance)
		return true;
	return sec->data && site->offset <= sec->sh.sh_size &&
	       obj->arch->landing_pad(sec->data + entry,
				      sec->sh.sh_size - entry) == distance;
}

/*
 * gcc -g1 describes functions, but neither their parameters nor their results.
 * C's unprototyped void f() looks the same, and as little is known of it.
 */
static bool is_described(struct sig_function *f)
{
	enum die_found found;
	Dwarf_Die die;

	if (die_flag_origin(&f->source, DW_AT_prototyped) ||
	    dwarf_hasattr(&f->source, DW_AT_type))
		return true;
	for (found = die_child(&f->source, &die); found == DIE_FOUND;
	     found = die_next(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_formal_parameter)
			return true;
	return false;
}

static uint32_t make_signature(struct signatures *s, struct sig_function *f,
			       const struct call_site *site)
{
	if (!site->function || site->section >= s->fns.nr_sections ||
	    !at_entry(s->obj, site))
		return TABLE_NONE;
	f->addr = s->fns.sections[site->section] + site->offset;
	f->after = f->addr + site->call_size;
	f->flags = 0;
	f->clone = false;
	f->keeps_result = false;
	f->drops_result = false;
	f->section = site->section;
	f->entry = s->obj->symbols[site->function].sym.st_value;
	if (!choose_die(s, f, site) || !find_source(f) || !is_described(f))
		return TABLE_NONE;
	judge_name(s, f, site->function);
	if (dwarf_hasattr(&f->concrete, DW_AT_calling_convention) ||
	    dwarf_hasattr(&f->source, DW_AT_calling_convention))
		f->clone = true;
	if (!die_flag_origin(&f->source, DW_AT_prototyped))
		f->flags |= FTRACE_SIG_UNPROTOTYPED;
	return find_places(s, f) ? encode_proto(s, f) : TABLE_NONE;
}

static void add_signature(struct signatures *s, const struct call_site *site,
			  uint32_t proto)
{
	table_site(&s->table, proto);
	GROW(s->sites, s->nr_sites, s->room);
	s->sites[s->nr_sites++] = *site;
}

/**
 * signatures_make - make the signatures of call sites
 * @s: filled, to be freed by signatures_free(), after a failure too
 * @obj: the object
 * @cs: its call sites
 *
 * Sites whose function cannot be told or described have no signature.
 *
 * Return: NULL, or why there are no signatures at all.
 */
const char *signatures_make(struct signatures *s, const struct object *obj,
			    const struct call_sites *cs)
{
	struct sig_function *f;
	const char *why;

	memset(s, 0, sizeof(*s));
	s->obj = obj;
	table_init(&s->table);
	why = functions_open(&s->fns, obj->path);
	if (why)
		return why;
	f = xcalloc(1, sizeof(*f));
	for (uint32_t i = 0; i < cs->nr; i++) {
		uint32_t proto = make_signature(s, f, &cs->sites[i]);

		if (proto == TABLE_NONE)
			s->nr_failed++;
		else
			add_signature(s, &cs->sites[i], proto);
	}
	free(f);
	return NULL;
}

/**
 * signatures_free - free what signatures_make() allocated
 * @s: the signatures
 */
void signatures_free(struct signatures *s)
{
	functions_close(&s->fns);
	table_free(&s->table);
	type_memo_free(&s->memo);
	calls_free(&s->calls);
	free(s->sites);
	memset(s, 0, sizeof(*s));
}
