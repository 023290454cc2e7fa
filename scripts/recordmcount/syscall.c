// SPDX-License-Identifier: GPL-2.0
/*
 * The entry of a syscall, such as __x64_sys_openat(), is given a pointer to the registers
 * of the user, in which the syscall's arguments are.
 *
 * SYSCALL_DEFINE() makes such entries for each table of syscalls, and a function that has
 * the syscall's own parameters, __do_sys_openat().  It is in most cases inlined into the
 * entries, but DWARF describes it nevertheless.  The entry's name tells which registers
 * are the arguments; see arch/x86/include/asm/syscall_wrapper.h.
 */
#include <stdlib.h>
#include <string.h>

#include "syscall.h"

/*
 * @entry: how the names of entries begin
 * @body: how the names of the functions with the parameters begin
 * @flag: where the arguments are
 */
static const struct {
	const char	*entry;
	const char	*body;
	unsigned int	flag;
} entries[] = {
	{ "__x64_sys_",		"__do_sys_",		FTRACE_SIG_SYSCALL },
	{ "__ia32_sys_",	"__do_sys_",		FTRACE_SIG_SYSCALL_32 },
	{ "__x64_compat_sys_",	"__do_compat_sys_",	FTRACE_SIG_SYSCALL },
	{ "__ia32_compat_sys_",	"__do_compat_sys_",	FTRACE_SIG_SYSCALL_32 },
};

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool points_to_pt_regs(Dwarf_Die *param)
{
	Dwarf_Die type;
	const char *name;

	if (die_type(param, &type) != DIE_FOUND || dwarf_tag(&type) != DW_TAG_pointer_type ||
	    die_type(&type, &type) != DIE_FOUND || die_peel(&type) != DIE_FOUND ||
	    dwarf_tag(&type) != DW_TAG_structure_type)
		return false;
	name = die_string(&type, DW_AT_name);
	return name && !strcmp(name, "pt_regs");
}

/* Whether the only parameter is a pointer to registers, and the result is a word */
static bool is_entry(struct sig_function *f)
{
	return !f->clone && f->call.nr_params == 1 && !f->flags &&
	       f->values[0].place == FTRACE_SIG_PLACE_REG &&
	       f->call.ret.place == FTRACE_SIG_RET_WORD &&
	       points_to_pt_regs(&f->params[0].source);
}

/*
 * A syscall without parameters is one function with all entries' names; its parameter
 * exists only so that it is called like them.
 */
static bool has_no_params(struct sig_function *f, const char *name)
{
	const char *param = die_string(&f->params[0].source, DW_AT_name);

	return (begins(name, "__do_sys_") || begins(name, "__do_compat_sys_")) &&
	       param && !strcmp(param, "__unused");
}

/* The only function with code in the source that has this name */
static bool find_coded(const struct functions *fns, const char *name, Dwarf_Die *body)
{
	bool found = false;

	for (uint32_t i = 0; i < fns->nr_coded; i++) {
		Dwarf_Die die = fns->coded[i].die, source;
		const char *own = function_name(&die);

		if (!own || strcmp(own, name))
			continue;
		if (!die_source(&die, &source) || (found && source.addr != body->addr))
			return false;
		*body = source;
		found = true;
	}
	return found;
}

static bool find_body(const struct signatures *s, const struct sig_function *f,
		      const char *name, Dwarf_Die *body)
{
	const struct function_die *plain;
	uint32_t nr;

	plain = functions_named(&s->fns, name, f->addr, &nr);
	if (!plain)
		return find_coded(&s->fns, name, body);
	*body = plain->die;
	return nr == 1;
}

/*
 * A 32-bit call has a long in the lower half of a register, and the entry extends its
 * sign.  All other types are not extended by their sign.
 */
static bool is_extended(const struct table *table, const uint32_t *type)
{
	const char *name = (const char *)table->strings.data + type[1];

	return FTRACE_SIG_TYPE_KIND(type[0]) == FTRACE_SIG_INT &&
	       FTRACE_SIG_TYPE_SIZE(type[0]) == 8 && !strcmp(name, "long int");
}

/* Returns false if the parameter is none that a syscall can have in one register. */
static bool place_param(const struct signatures *s, struct sig_function *f, unsigned int i,
			unsigned int flag)
{
	const uint32_t *type = table_type_meant(&s->table, f->params[i].type);
	struct abi_value *value = &f->values[i];

	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_INT:
	case FTRACE_SIG_ENUM:
	case FTRACE_SIG_PTR:
		break;
	default:
		return false;
	}
	if (i > FTRACE_SIG_MAX_SYSCALL || !value->size ||
	    value->size > s->obj->arch->word_size)
		return false;
	value->place = FTRACE_SIG_PLACE_SYSCALL + i - 1;
	if (flag == FTRACE_SIG_SYSCALL_32 && is_extended(&s->table, type))
		value->place = FTRACE_SIG_PLACE_SYSCALL_S32 + i - 1;
	value->words = 1;
	return true;
}

static bool place_params(const struct signatures *s, struct sig_function *f,
			 unsigned int flag)
{
	for (unsigned int i = 1; i < f->call.nr_params; i++)
		if (!place_param(s, f, i, flag))
			return false;
	f->values[0].place = FTRACE_SIG_PLACE_PT_REGS;
	f->values[0].words = 0;
	f->flags = flag;
	return true;
}

static void add_params(struct signatures *s, struct sig_function *f, Dwarf_Die *body,
		       unsigned int flag)
{
	if (function_add_params(s, f, body) && !f->flags && place_params(s, f, flag))
		return;
	f->call.nr_params = 1;
	f->flags = 0;
}

/**
 * syscall_find - give the entry of a syscall the parameters of the syscall
 * @s: the signatures, which get the types
 * @f: the function, with its places; left as it is if it is no such entry, or if the
 *	syscall's parameters are not known
 */
void syscall_find(struct signatures *s, struct sig_function *f)
{
	const char *name = function_name(&f->concrete);
	Dwarf_Die body;

	if (!name || !is_entry(f))
		return;
	if (has_no_params(f, name)) {
		place_params(s, f, FTRACE_SIG_SYSCALL);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		char *body_name;
		bool found;

		if (!begins(name, entries[i].entry))
			continue;
		body_name = xasprintf("%s%s", entries[i].body,
				      name + strlen(entries[i].entry));
		found = find_body(s, f, body_name, &body);
		free(body_name);
		if (found)
			add_params(s, f, &body, entries[i].flag);
		return;
	}
}
