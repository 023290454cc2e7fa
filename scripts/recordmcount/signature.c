// SPDX-License-Identifier: GPL-2.0
/*
 * The signature of a call site: find the function that contains the site, and encode it
 * for the table.
 */
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "signature.h"
#include "syscall.h"

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
		if (FTRACE_SIG_IS_SYSCALL(value->place))
			nr_stack++;
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
 * A .constprop clone keeps the result.  An .isra clone drops it if no caller uses it, and
 * a .part clone if the value returned does not come from that part.
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

/* Each has a name and a number. */
static unsigned int nr_suffixes(const char *suffix)
{
	unsigned int dots = 0;

	while ((suffix = strchr(suffix, '.'))) {
		suffix++;
		dots++;
	}
	return dots / 2;
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
	f->part = strstr(suffix, ".part.");
	f->split = strstr(suffix, ".isra.");
	f->constant_copy = strstr(suffix, ".constprop.");
	f->recloned = nr_suffixes(suffix) > 1;
	if (f->has_code && !f->distrust)
		judge_suffix(f, suffix);
}

static bool choose_die(struct signatures *s, struct sig_function *f,
		       const struct call_site *site)
{
	const struct symbol *symbol = &s->obj->symbols[site->function];
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
	} else if (die->low != f->start) {
		return false;
	}
	function_choose(s, f, die);
	return true;
}

/* The call of __fentry__ comes first; only a landing pad may precede it. */
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
	f->start = f->addr - site->offset +
		   s->obj->symbols[site->function].sym.st_value;
	f->end = f->start + s->obj->symbols[site->function].sym.st_size;
	f->flags = 0;
	f->clone = false;
	f->part = false;
	f->split = false;
	f->recloned = false;
	f->keeps_result = false;
	f->drops_result = false;
	f->fentry = site->fentry;
	f->section = site->section;
	f->entry = s->obj->symbols[site->function].sym.st_value;
	if (!choose_die(s, f, site) || !die_source(&f->concrete, &f->source) ||
	    !is_described(f))
		return TABLE_NONE;
	judge_name(s, f, site->function);
	if (function_is_special(f))
		f->clone = true;
	if (!die_flag_origin(&f->source, DW_AT_prototyped))
		f->flags |= FTRACE_SIG_UNPROTOTYPED;
	if (!places_find(s, f))
		return TABLE_NONE;
	syscall_find(s, f);
	return encode_proto(s, f);
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
	twins_free(&s->twins);
	free(s->sites);
	memset(s, 0, sizeof(*s));
}
