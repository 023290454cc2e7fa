// SPDX-License-Identifier: GPL-2.0
/*
 * Resolve what a probe names: a parameter or the result of a function, and members of
 * the structures that these point to.
 *
 * The tables are valid only as long as preemption is off, so all that a probe needs is
 * copied into a struct trace_sig_value.
 */
#include <linux/cleanup.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "../trace_sig_probe.h"
#include "signature.h"

/*
 * An expression that is being resolved
 *
 * @sig: the function's signature
 * @expr: the expression
 * @name: the name that was taken last, @len characters of @expr
 * @rest: what follows the name: "", ".…" or "->…"
 * @type: what the expression is up to @name
 * @value: what is found
 */
struct resolver {
	const struct ftrace_signature	*sig;
	const char			*expr;
	const char			*name;
	size_t				len;
	const char			*rest;
	struct ftrace_sig_type		type;
	struct trace_sig_value		*value;
};

static enum trace_sig_error take_name(struct resolver *r, const char *from)
{
	r->name = from;
	r->len = strcspn(from, ".-");
	r->rest = from + r->len;
	if (*r->rest == '-' && r->rest[1] != '>') {
		r->name = r->rest;
		return TRACE_SIG_HYPHEN;
	}
	return TRACE_SIG_OK;
}

static bool is_arrow(const struct resolver *r)
{
	return r->rest[0] == '-';
}

static enum trace_sig_error take_next_name(struct resolver *r)
{
	return take_name(r, r->rest + (is_arrow(r) ? 2 : 1));
}

static void set_type(struct resolver *r, u32 type_id)
{
	r->type = ftrace_sig_resolve(r->sig->table, type_id);
}

static bool is_name(const struct resolver *r, const char *name)
{
	return !strncmp(name, r->name, r->len) && !name[r->len];
}

static const char *param_name(const struct ftrace_signature *sig, u32 nr)
{
	return ftrace_sig_string(sig->table, FTRACE_SIG_ID(sig->proto->params[nr].name_words));
}

/* What a probe can fetch: of a syscall's entry its own parameter, not the syscall's */
static u32 nr_params(const struct ftrace_signature *sig)
{
	return ftrace_sig_is_syscall(sig->proto) ? 1 : sig->proto->nr_params;
}

/* The N of "$argN", or 0. It counts from 1 and leaves out what is hidden. */
static unsigned int number_of(const struct resolver *r)
{
	unsigned int nr;
	char digits[4];

	if (r->len <= 4 || r->len - 4 >= sizeof(digits) || strncmp(r->name, "$arg", 4))
		return 0;
	memcpy(digits, r->name + 4, r->len - 4);
	digits[r->len - 4] = 0;
	return kstrtouint(digits, 10, &nr) ? 0 : nr;
}

static int param_by_name(const struct resolver *r, unsigned int hidden)
{
	u32 i;

	for (i = hidden; i < nr_params(r->sig); i++)
		if (is_name(r, param_name(r->sig, i)))
			return i;
	return -1;
}

/* The values of constants stand behind the parameters, in their order */
static u64 constant_of(const struct ftrace_sig_proto *proto, u32 nr)
{
	const u32 *words = (const u32 *)&proto->params[proto->nr_params];
	u32 i;

	for (i = 0; i < nr; i++)
		if (FTRACE_SIG_BITS(proto->params[i].type_place) == FTRACE_SIG_PLACE_CONST)
			words += 2;
	return words[0] | (u64)words[1] << 32;
}

static enum trace_sig_error set_word(struct trace_sig_value *value, u32 word, u32 nr_words)
{
	if (nr_words != 1)
		return TRACE_SIG_TWO_WORDS;
	value->source = TRACE_SIG_WORD;
	value->word = word;
	return TRACE_SIG_OK;
}

static enum trace_sig_error set_place(struct resolver *r, u32 nr)
{
	const struct ftrace_sig_proto *proto = r->sig->proto;
	u32 place = FTRACE_SIG_BITS(proto->params[nr].type_place);
	u32 nr_words = FTRACE_SIG_BITS(proto->params[nr].name_words);

	if (FTRACE_SIG_IS_REG(place))
		return set_word(r->value, place, nr_words);
	if (FTRACE_SIG_IS_STACK(place))
		return set_word(r->value, FTRACE_SIG_ARG_REGS + place - FTRACE_SIG_PLACE_STACK,
				nr_words);
	switch (place) {
	case FTRACE_SIG_PLACE_PT_REGS:
		return set_word(r->value, 0, 1);
	case FTRACE_SIG_PLACE_CONST:
		if (r->type.size > sizeof(long))
			return TRACE_SIG_TWO_WORDS;
		r->value->source = TRACE_SIG_CONSTANT;
		r->value->constant = constant_of(proto, nr);
		return TRACE_SIG_OK;
	case FTRACE_SIG_PLACE_REMOVED:
		return TRACE_SIG_REMOVED;
	case FTRACE_SIG_PLACE_EMPTY:
		return TRACE_SIG_BY_VALUE;
	}
	return TRACE_SIG_UNKNOWN;
}

/*
 * A word that was passed to a variadic function behind its parameters. Its place is known
 * if each parameter takes one word, in their order. x86-32 passes all arguments of such a
 * function in the stack.
 */
static enum trace_sig_error set_further_word(struct resolver *r, u32 nr)
{
	const struct ftrace_sig_proto *proto = r->sig->proto;
	u32 first = IS_ENABLED(CONFIG_X86_32) ? FTRACE_SIG_ARG_REGS : 0, i;

	for (i = 0; i < proto->nr_params; i++) {
		set_type(r, FTRACE_SIG_ID(proto->params[i].type_place));
		if (set_place(r, i) || r->value->source != TRACE_SIG_WORD ||
		    r->value->word != first + i)
			return TRACE_SIG_UNKNOWN;
	}
	set_type(r, 0);
	if (first + nr > U8_MAX)
		return TRACE_SIG_NO_PARAM;
	return set_word(r->value, first + nr, 1);
}

/* A number asks for the word, whatever its type is */
static enum trace_sig_error find_numbered(struct resolver *r, unsigned int hidden)
{
	const struct ftrace_sig_proto *proto = r->sig->proto;
	u32 nr = number_of(r);

	if (!nr)
		return TRACE_SIG_NO_PARAM;
	nr += hidden - 1;
	if (nr < nr_params(r->sig)) {
		set_type(r, FTRACE_SIG_ID(proto->params[nr].type_place));
		return set_place(r, nr);
	}
	/* f() has no parameters either: its code reads none */
	return proto->flags & FTRACE_SIG_VARIADIC ? set_further_word(r, nr) : TRACE_SIG_NO_PARAM;
}

static enum trace_sig_error find_param(struct resolver *r, unsigned int hidden)
{
	int nr = param_by_name(r, hidden);

	if (nr < 0 || !r->len)
		return TRACE_SIG_NO_PARAM;
	set_type(r, FTRACE_SIG_ID(r->sig->proto->params[nr].type_place));
	return ftrace_sig_is_struct(&r->type) ? TRACE_SIG_BY_VALUE : set_place(r, nr);
}

static enum trace_sig_error find_result(struct resolver *r)
{
	u32 ret = r->sig->proto->ret;

	r->value->source = TRACE_SIG_RESULT;
	set_type(r, FTRACE_SIG_ID(ret));
	switch (FTRACE_SIG_BITS(ret)) {
	case FTRACE_SIG_RET_WORD:
		return TRACE_SIG_OK;
	case FTRACE_SIG_RET_VOID:
		return TRACE_SIG_VOID;
	case FTRACE_SIG_RET_UNKNOWN:
		r->value->untyped = TRACE_SIG_NO_RESULT;
		break;
	case FTRACE_SIG_RET_PAIR:
		r->value->untyped = TRACE_SIG_TWO_WORDS;
		break;
	default:
		r->value->untyped = TRACE_SIG_NEEDS_TYPE;
	}
	/* What is in the register is no value of the result's type: it has no members */
	return r->rest[0] ? r->value->untyped : TRACE_SIG_OK;
}

/* Members of a parameter follow "->" if it is a pointer, and cannot be fetched if it is not */
static enum trace_sig_error refuse_dot(struct resolver *r, unsigned int hidden)
{
	int nr = param_by_name(r, hidden);

	if (nr >= 0 && r->len)
		set_type(r, FTRACE_SIG_ID(r->sig->proto->params[nr].type_place));
	r->name = r->rest + 1;
	return r->type.kind == FTRACE_SIG_PTR ? TRACE_SIG_ARROW : TRACE_SIG_BY_VALUE;
}

static enum trace_sig_error find_first(struct resolver *r, unsigned int hidden)
{
	enum trace_sig_error error = take_name(r, r->expr);

	if (error)
		return error;
	if (*r->rest == '.')
		return refuse_dot(r, hidden);
	if (is_name(r, "$retval"))
		return find_result(r);
	return r->name[0] == '$' ? find_numbered(r, hidden) : find_param(r, hidden);
}

/* The structure that a pointer points to becomes the type */
static enum trace_sig_error follow_pointer(struct resolver *r)
{
	if (r->type.kind != FTRACE_SIG_PTR)
		return TRACE_SIG_NO_POINTER;
	set_type(r, r->type.words[2]);
	if (!ftrace_sig_is_struct(&r->type))
		return TRACE_SIG_NO_POINTER;
	if (r->type.flags & (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION))
		return TRACE_SIG_NO_MEMBERS;
	return r->value->nr_derefs < TRACE_SIG_MAX_DEREFS ? TRACE_SIG_OK : TRACE_SIG_TOO_DEEP;
}

/* Its type becomes the type; its place is added to @bits */
static enum trace_sig_error find_member(struct resolver *r, u32 *bits)
{
	struct ftrace_sig_member member;
	u32 id = r->type.words - r->sig->table->types;

	if (r->type.kind == FTRACE_SIG_PTR)
		return TRACE_SIG_ARROW;
	if (!r->len || !ftrace_sig_member_find(r->sig->table, id, r->name, r->len, &member))
		return TRACE_SIG_NO_MEMBER;
	*bits += member.offset;
	r->value->width = member.width;
	set_type(r, member.type);
	return TRACE_SIG_OK;
}

/* One pointer, and members of what it points to: "->a.b.c" */
static enum trace_sig_error follow(struct resolver *r)
{
	struct trace_sig_value *value = r->value;
	enum trace_sig_error error = take_next_name(r);
	u32 bits = 0;

	error = error ?: follow_pointer(r);
	while (!error) {
		error = find_member(r, &bits);
		if (error || *r->rest != '.')
			break;
		error = take_next_name(r);
	}
	if (error)
		return error;
	value->offsets[value->nr_derefs++] = bits / BITS_PER_BYTE;
	value->bit = value->width ? bits : 0;
	return TRACE_SIG_OK;
}

static bool is_char(const struct ftrace_sig_type *type)
{
	return type->kind == FTRACE_SIG_INT && type->size == 1 &&
	       (type->flags & FTRACE_SIG_INT_CHAR ||
		!(type->flags & (FTRACE_SIG_INT_SIGNED | FTRACE_SIG_INT_BOOL)));
}

static bool is_text(const struct resolver *r)
{
	struct ftrace_sig_type target;

	if (r->type.kind != FTRACE_SIG_PTR && r->type.kind != FTRACE_SIG_ARRAY)
		return false;
	target = ftrace_sig_resolve(r->sig->table, r->type.words[2]);
	return is_char(&target);
}

static enum trace_sig_nature nature_of(const struct ftrace_sig_type *type)
{
	bool fits = is_power_of_2(type->size) && type->size <= sizeof(u64);

	switch (type->kind) {
	case FTRACE_SIG_INT:
	case FTRACE_SIG_ENUM:
		return fits ? TRACE_SIG_INTEGER : TRACE_SIG_OTHER;
	case FTRACE_SIG_PTR:
		return TRACE_SIG_POINTER;
	}
	return TRACE_SIG_OTHER;
}

static void describe(struct resolver *r)
{
	struct trace_sig_value *value = r->value;

	value->size = r->type.size;
	value->nature = nature_of(&r->type);
	value->is_text = is_text(r);
	if (value->nature == TRACE_SIG_INTEGER)
		value->is_signed = !!(r->type.flags & FTRACE_SIG_INT_SIGNED);
	if (value->nature == TRACE_SIG_OTHER && !value->untyped)
		value->untyped = TRACE_SIG_NEEDS_TYPE;
}

/**
 * trace_sig_value_of - find out what an expression means at a function
 * @sig: the function's signature
 * @hidden: how many of its first parameters cannot be named
 * @expr: "$retval", "$argN" or a parameter's name, then "->member" or "->member.member"
 *	and so on
 * @value: filled in if there is no error
 * @where: if there is an error, gets the position in @expr that it is about
 *
 * Context: any, with preemption off.
 * Return: TRACE_SIG_OK, or why the expression cannot be fetched.
 */
enum trace_sig_error trace_sig_value_of(const struct ftrace_signature *sig,
					unsigned int hidden, const char *expr,
					struct trace_sig_value *value, unsigned int *where)
{
	struct resolver r = { .sig = sig, .expr = expr, .value = value };
	enum trace_sig_error error;

	memset(value, 0, sizeof(*value));
	error = find_first(&r, hidden);
	while (!error && *r.rest)
		error = follow(&r);
	*where = r.name - expr;
	if (!error)
		describe(&r);
	return error;
}

/**
 * trace_sig_find_value - the same, of a function that is given by its call site
 * @func: the function
 * @expr: see trace_sig_value_of()
 * @value: filled in if there is no error
 * @where: if there is an error, gets the position in @expr that it is about
 *
 * Context: any.
 * Return: TRACE_SIG_OK, or why the expression cannot be fetched.
 */
enum trace_sig_error trace_sig_find_value(const struct trace_sig_func *func,
					  const char *expr, struct trace_sig_value *value,
					  unsigned int *where)
{
	struct ftrace_signature sig;

	*where = 0;
	guard(preempt_notrace)();
	if (!ftrace_signature_find(func->site, &sig))
		return TRACE_SIG_NONE;
	return trace_sig_value_of(&sig, func->hidden, expr, value, where);
}

/**
 * trace_sig_nr_params - how many parameters of a function can be named
 * @func: the function
 *
 * Context: any.
 * Return: the number, or -ENOENT if the function has no signature.
 */
int trace_sig_nr_params(const struct trace_sig_func *func)
{
	struct ftrace_signature sig;

	guard(preempt_notrace)();
	if (!ftrace_signature_find(func->site, &sig))
		return -ENOENT;
	return max_t(int, 0, (int)nr_params(&sig) - (int)func->hidden);
}

/**
 * trace_sig_param_name - the name of a function's parameter
 * @func: the function
 * @nr: the parameter's number among those that can be named, from 0
 * @name: where to
 * @size: of @name
 *
 * Context: any.
 * Return: false if there is no such parameter, or if its name does not fit.
 */
bool trace_sig_param_name(const struct trace_sig_func *func, unsigned int nr,
			  char *name, size_t size)
{
	struct ftrace_signature sig;

	guard(preempt_notrace)();
	if (!ftrace_signature_find(func->site, &sig) || nr + func->hidden >= nr_params(&sig))
		return false;
	return strscpy(name, param_name(&sig, nr + func->hidden), size) > 0;
}

/**
 * trace_sig_is_missing - whether a function's signature only has to be loaded
 * @addr: an address in the function
 *
 * Context: any.
 * Return: true if the function is the image's, whose signatures are not loaded now.
 */
bool trace_sig_is_missing(unsigned long addr)
{
	return IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE) &&
	       !ftrace_sig_image_is_known() && is_kernel_text(addr);
}
