// SPDX-License-Identifier: GPL-2.0
/*
 * Signatures as text: the prototype in C, the places of parameters, and why one is
 * unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "print_sig.h"
#include "type_form.h"

/* A table may have types that contain themselves; C would be endless then. */
#define MAX_DEPTH	64
#define MAX_TEXT	65536

struct decl {
	const struct table_view *view;
	size_t budget;
};

static char *declare(struct decl *d, uint32_t id, char *inner,
		     unsigned int depth);

static const char *space(const char *inner)
{
	return *inner ? " " : "";
}

static const uint32_t *type_at(const struct decl *d, uint32_t id)
{
	return d->view->types + id;
}

static const char *name_of(const struct decl *d, const uint32_t *type)
{
	return d->view->strings + type[1];
}

/* Takes @inner over, as all of these do. */
static char *declare_named(struct decl *d, const uint32_t *type, char *inner)
{
	static const char * const keyword[FTRACE_SIG_KIND_NR] = {
		[FTRACE_SIG_ENUM] = "enum ",
		[FTRACE_SIG_STRUCT] = "struct ",
		[FTRACE_SIG_UNION] = "union ",
	};
	unsigned int kind = FTRACE_SIG_TYPE_KIND(type[0]);
	const char *name = name_of(d, type);
	char *text;

	if (kind == FTRACE_SIG_VOID)
		name = "void";
	else if (!*name)
		name = "{...}";
	text = xasprintf("%s%s%s%s", keyword[kind] ? keyword[kind] : "", name,
			 space(inner), inner);
	free(inner);
	return text;
}

static char *declare_pointer(struct decl *d, const uint32_t *type, char *inner,
			     unsigned int depth)
{
	unsigned int kind = FTRACE_SIG_TYPE_KIND(type_at(d, type[2])[0]);
	bool paren = kind == FTRACE_SIG_FUNC || kind == FTRACE_SIG_ARRAY;
	char *text = xasprintf(paren ? "(*%s)" : "*%s", inner);

	free(inner);
	return declare(d, type[2], text, depth + 1);
}

static char *declare_array(struct decl *d, const uint32_t *type, char *inner,
			   unsigned int depth)
{
	char *text;

	if (type[3] == UINT32_MAX)
		text = xasprintf("%s[]", inner);
	else
		text = xasprintf("%s[%u]", inner, type[3]);
	free(inner);
	return declare(d, type[2], text, depth + 1);
}

static char *append(char *text, const char *more, const char *end)
{
	char *both = xasprintf("%s%s%s", text, more, end);

	free(text);
	return both;
}

static char *declare_func(struct decl *d, const uint32_t *type, char *inner,
			  unsigned int depth)
{
	bool variadic = FTRACE_SIG_TYPE_FLAGS(type[0]) & FTRACE_SIG_FUNC_VARIADIC;
	char *text = xasprintf("%s(", inner);

	free(inner);
	for (uint32_t i = 0; i < type[3] && d->budget; i++) {
		char *param = declare(d, type[4 + i], xasprintf("%s", ""),
				      depth + 1);

		text = append(text, i ? ", " : "", param);
		free(param);
	}
	if (variadic)
		text = append(text, type[3] ? ", " : "", "...");
	else if (!type[3])
		text = append(text, "void", "");
	return declare(d, type[2], append(text, ")", ""), depth + 1);
}

/* A qualifier stands behind the star if it is the pointer that it is about. */
static char *declare_qualified(struct decl *d, const uint32_t *type,
			       char *inner, unsigned int depth)
{
	bool is_const = FTRACE_SIG_TYPE_KIND(type[0]) == FTRACE_SIG_CONST;
	const char *word = is_const ? "const" : "volatile";
	const uint32_t *target = type_at(d, type[2]);
	char *text;

	if (FTRACE_SIG_TYPE_KIND(target[0]) == FTRACE_SIG_PTR) {
		text = xasprintf("%s%s%s", word, space(inner), inner);
		free(inner);
		return declare(d, type[2], text, depth + 1);
	}
	inner = declare(d, type[2], inner, depth + 1);
	text = xasprintf("%s %s", word, inner);
	free(inner);
	return text;
}

/* C's declarations are read from the inside to the outside, and so written. */
static char *declare(struct decl *d, uint32_t id, char *inner,
		     unsigned int depth)
{
	const uint32_t *type = type_at(d, id);
	size_t len = strlen(inner);

	if (depth > MAX_DEPTH || d->budget <= len) {
		d->budget = 0;
		free(inner);
		return xasprintf("...");
	}
	d->budget -= len + 1;
	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_PTR:
		return declare_pointer(d, type, inner, depth);
	case FTRACE_SIG_ARRAY:
		return declare_array(d, type, inner, depth);
	case FTRACE_SIG_FUNC:
		return declare_func(d, type, inner, depth);
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		return declare_qualified(d, type, inner, depth);
	default:
		return declare_named(d, type, inner);
	}
}

static const char *param_name(const struct table_view *view,
			      const struct ftrace_sig_param *param)
{
	return view->strings + FTRACE_SIG_ID(param->name_words);
}

static char *prototype(const struct table_view *view,
		       const struct ftrace_sig_proto *proto, const char *name)
{
	struct decl d = { view, MAX_TEXT };
	char *text = xasprintf("%s(", name);

	for (unsigned int i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];
		char *one = declare(&d, FTRACE_SIG_ID(param->type_place),
				    xasprintf("%s", param_name(view, param)), 0);

		text = append(text, i ? ", " : "", one);
		free(one);
	}
	if (proto->flags & FTRACE_SIG_VARIADIC)
		text = append(text, proto->nr_params ? ", ..." : "...", "");
	else if (!proto->nr_params && !(proto->flags & FTRACE_SIG_UNPROTOTYPED))
		text = append(text, "void", "");
	return declare(&d, FTRACE_SIG_ID(proto->ret), append(text, ")", ""), 0);
}

/**
 * print_text - print a name of a file's, in which nothing shall break columns
 *		or lines
 * @out: where to
 * @text: the name
 */
void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text,
		      out);
}

static bool is_signed(const struct table_view *view, uint32_t id)
{
	const uint32_t *type = table_view_type(view, id);

	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_INT:
	case FTRACE_SIG_ENUM:
		return FTRACE_SIG_TYPE_FLAGS(type[0]) & FTRACE_SIG_INT_SIGNED;
	default:
		return false;
	}
}

static void print_constant(FILE *out, const struct table_view *view,
			   const struct ftrace_sig_param *param,
			   const uint32_t *words)
{
	uint64_t value = words[0] | (uint64_t)words[1] << 32;

	if (is_signed(view, FTRACE_SIG_ID(param->type_place)))
		fprintf(out, "const=%lld", (long long)value);
	else
		fprintf(out, "const=%llu", (unsigned long long)value);
}

static void print_place(FILE *out, const struct arch *arch, unsigned int place,
			unsigned int words)
{
	if (FTRACE_SIG_IS_REG(place)) {
		for (unsigned int i = 0; i < words; i++)
			fprintf(out, "%s%s", i ? "+" : "",
				place + i < arch->nr_regs ?
				arch->reg_names[place + i] : "?");
	} else if (FTRACE_SIG_IS_STACK(place)) {
		fprintf(out, "stack+%u",
			(place - FTRACE_SIG_PLACE_STACK) * arch->word_size);
		if (words > 1)
			fprintf(out, "*%u", words);
	} else if (place == FTRACE_SIG_PLACE_REMOVED) {
		fputs("removed", out);
	} else if (place == FTRACE_SIG_PLACE_EMPTY) {
		fputs("empty", out);
	} else if (place == FTRACE_SIG_PLACE_PT_REGS) {
		fprintf(out, "%s:pt_regs", arch->reg_names[0]);
	} else if (FTRACE_SIG_IS_SYSCALL(place)) {
		fprintf(out, "syscall+%u%s", FTRACE_SIG_SYSCALL_ARG(place),
			place >= FTRACE_SIG_PLACE_SYSCALL_S32 ? ":s32" : "");
	} else {
		fputs("?", out);
	}
}

static void print_params(FILE *out, const struct arch *arch,
			 const struct table_view *view,
			 const struct ftrace_sig_proto *proto)
{
	const uint32_t *constants =
		(const uint32_t *)&proto->params[proto->nr_params];

	for (unsigned int i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];
		unsigned int place = FTRACE_SIG_BITS(param->type_place);

		fputc('\t', out);
		print_text(out, param_name(view, param));
		fputc('@', out);
		if (place == FTRACE_SIG_PLACE_CONST) {
			print_constant(out, view, param, constants);
			constants += 2;
		} else {
			print_place(out, arch, place,
				    FTRACE_SIG_BITS(param->name_words));
		}
	}
}

static const char *ret_name(const struct arch *arch, unsigned int ret)
{
	switch (ret) {
	case FTRACE_SIG_RET_VOID:
		return "void";
	case FTRACE_SIG_RET_WORD:
		return arch->ret_word;
	case FTRACE_SIG_RET_PAIR:
		return arch->ret_pair;
	case FTRACE_SIG_RET_MEMORY:
		return "memory";
	case FTRACE_SIG_RET_EMPTY:
		return "empty";
	default:
		return "?";
	}
}

/**
 * print_signature - print prototype and places, separated by tabs
 * @out: where to
 * @arch: the machine
 * @view: the table
 * @proto: the signature
 * @name: name of the function
 */
void print_signature(FILE *out, const struct arch *arch,
		     const struct table_view *view,
		     const struct ftrace_sig_proto *proto, const char *name)
{
	char *text = prototype(view, proto, name);

	print_text(out, text);
	free(text);
	print_params(out, arch, view, proto);
	fprintf(out, "\treturn@%s",
		ret_name(arch, FTRACE_SIG_BITS(proto->ret)));
}

static void print_member(FILE *out, const struct table_view *view,
			 const uint32_t *member)
{
	struct decl d = { view, MAX_TEXT };
	const char *name = view->strings + FTRACE_SIG_ID(member[0]);
	char *text = declare(&d, member[1], xasprintf("%s", name), 0);

	fprintf(out, "\t%u\t", member[2]);
	print_text(out, text);
	if (FTRACE_SIG_BITS(member[0]))
		fprintf(out, ":%u", FTRACE_SIG_BITS(member[0]));
	fputc('\n', out);
	free(text);
}

/**
 * print_structures - print the structures of a table, with their members
 * @out: where to
 * @view: the table
 *
 * A line has a structure and its size in bytes. A line for each of its members follows,
 * which has a tab, the offset in bits, a tab and the declaration.
 */
void print_structures(FILE *out, const struct table_view *view)
{
	const uint32_t *types = view->types;
	uint32_t nr = view->nr_types;

	for (uint32_t id = 0; id < nr; id += type_words(types + id, nr - id)) {
		const uint32_t *type = types + id;
		struct decl d = { view, MAX_TEXT };
		char *text;

		if (!type_is_struct(type) || FTRACE_SIG_TYPE_FLAGS(type[0]) &
		    (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION))
			continue;
		text = declare(&d, id, xasprintf("%s", ""), 0);
		print_text(out, text);
		free(text);
		fprintf(out, "\t%u\n", FTRACE_SIG_TYPE_SIZE(type[0]));
		for (uint32_t i = 0; i < FTRACE_SIG_NR_MEMBERS(type[2]); i++)
			print_member(out, view, type + 3 + i * FTRACE_SIG_MEMBER_WORDS);
	}
}

static const char *const why_text[FTRACE_SIG_WHY_NR] = {
	[FTRACE_SIG_WHY_NOT_SAID]    = "no reason is recorded",
	[FTRACE_SIG_WHY_NO_CODE]     = "DWARF has no entry for this copy of the function",
	[FTRACE_SIG_WHY_NO_LOCATION] = "DWARF gives this copy's parameter no location",
	[FTRACE_SIG_WHY_NOT_AT_ENTRY] = "DWARF's locations do not cover the function's entry",
	[FTRACE_SIG_WHY_PARTS]	     = "only parts of it are passed, or not side by side",
	[FTRACE_SIG_WHY_COMPUTED]    = "it is passed nowhere, only computed from something else",
	[FTRACE_SIG_WHY_OTHER_PLACE] = "DWARF has it in no argument register or stack slot",
	[FTRACE_SIG_WHY_CONVENTION]  = "it is passed in registers that are not recorded",
	[FTRACE_SIG_WHY_BEHIND]	     = "an earlier parameter leaves it open where this one is",
	[FTRACE_SIG_WHY_TOO_FAR]     = "it is beyond the stack words that are recorded",
	[FTRACE_SIG_WHY_DISAGREE]    = "DWARF and the calling convention disagree",
	[FTRACE_SIG_WHY_ATTRIBUTES]  = "DWARF does not show what decides it: asmlinkage, ms_abi",
	[FTRACE_SIG_WHY_FRAME]	     = "the frame pointer at mcount does not lead to it",
	[FTRACE_SIG_WHY_ASSIGNED]    = "DWARF may mean a value that is assigned first",
	[FTRACE_SIG_WHY_UNCONFIRMED] = "DWARF does not confirm it, and clang may have moved it",
};

static bool in_general_registers(const struct table_view *view, uint32_t id)
{
	switch (FTRACE_SIG_TYPE_KIND(table_view_type(view, id)[0])) {
	case FTRACE_SIG_INT:
	case FTRACE_SIG_ENUM:
	case FTRACE_SIG_PTR:
		return true;
	default:
		return false;
	}
}

/* A table has no room for it, but what the reason can be follows from the rest. */
static const char *why_result(const struct table_view *view,
			      const struct ftrace_sig_proto *proto,
			      const char *symbol)
{
	if (strstr(symbol, ".isra."))
		return "the optimizer drops it if nobody uses it (.isra), and no call does";
	if (strstr(symbol, ".part."))
		return "this part of the function may have none (.part), and no call uses it";
	if (proto->flags & FTRACE_SIG_CLONE)
		return "the function does not follow the calling convention";
	if (in_general_registers(view, FTRACE_SIG_ID(proto->ret)))
		return why_text[FTRACE_SIG_WHY_UNCONFIRMED];
	return "it comes back in registers that are not recorded";
}

static void explain_value(const struct place *place, const char *value,
			  const char *why)
{
	print_text(place->out, place->where);
	fputc('\t', place->out);
	print_text(place->out, place->symbol);
	fputc('\t', place->out);
	print_text(place->out, value);
	fprintf(place->out, "\t%s\n", why);
}

/**
 * explain_signature - print each value whose place is unknown, and why
 * @place: the call site
 * @view: the table
 * @proto: the signature, NULL if the call site has none
 *
 * A line has the call site, the symbol, the parameter's name or "return", and
 * the reason, separated by tabs.
 */
void explain_signature(const struct place *place, const struct table_view *view,
		       const struct ftrace_sig_proto *proto)
{
	if (!proto) {
		explain_value(place, "?", "it has no signature");
		return;
	}
	for (unsigned int i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];

		if (FTRACE_SIG_BITS(param->type_place) ==
		    FTRACE_SIG_PLACE_UNKNOWN)
			explain_value(place, view->strings +
				      FTRACE_SIG_ID(param->name_words),
				      why_text[FTRACE_SIG_BITS(param->name_words)]);
	}
	if (FTRACE_SIG_BITS(proto->ret) == FTRACE_SIG_RET_UNKNOWN)
		explain_value(place, "return",
			      why_result(view, proto, place->symbol));
}
