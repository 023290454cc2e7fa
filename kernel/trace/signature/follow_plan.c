// SPDX-License-Identifier: GPL-2.0
/*
 * Decide from a function's signature which of its arguments point to something that can
 * be shown, and how much of it is to be copied when the function is called.
 */
#include <linux/bitfield.h>

#include "forms.h"
#include "match.h"
#include "signature.h"

/*
 * Names of parameters that say how many bytes are at the pointer before them.  What ends in
 * "len" or "length" does, too.
 */
static const char * const length_names[] = {
	"buf_size", "bufsiz", "bufsize", "bytes", "cnt", "count", "n", "nbytes", "nr_bytes",
};

/*
 * Of a string, these are no length: what is created under a name has a size, and what is
 * found by a path, too.
 */
static const char * const size_names[] = { "size", "siz", "sz" };

/* What a length may add to the name of its pointer: "value", "value_size" */
static const char * const length_suffixes[] = {
	"_size", "size", "_sz", "__sz", "_bytes",
};

static bool is_one_of(const char *name, const char * const *names, unsigned int nr)
{
	while (nr--)
		if (match_name(name, names[nr]))
			return true;
	return false;
}

static bool is_length_name(const char *name, const char *pointer, bool of_string)
{
	const char *suffix = match_start(name, pointer);

	if (match_end(name, "len") || match_end(name, "length") ||
	    is_one_of(name, length_names, ARRAY_SIZE(length_names)))
		return true;
	if (is_one_of(name, size_names, ARRAY_SIZE(size_names)))
		return !of_string;
	return pointer[0] && suffix &&
	       is_one_of(suffix, length_suffixes, ARRAY_SIZE(length_suffixes));
}

/* The index of the word that holds a parameter of one word, or -1 */
static int word_of(const struct ftrace_sig_proto *proto,
		   const struct ftrace_sig_param *param)
{
	u32 place = FTRACE_SIG_BITS(param->type_place);

	if (FTRACE_SIG_BITS(param->name_words) != 1)
		return -1;
	if (FTRACE_SIG_IS_REG(place))
		return place;
	if (FTRACE_SIG_IS_STACK(place))
		return proto->nr_regs + place - FTRACE_SIG_PLACE_STACK;
	if (FTRACE_SIG_IS_SYSCALL(place))
		return FTRACE_SIG_SYSCALL_ARG(place);
	return -1;
}

static const char *name_of(const struct ftrace_signature *sig,
			   const struct ftrace_sig_param *param)
{
	return ftrace_sig_string(sig->table, FTRACE_SIG_ID(param->name_words));
}

static bool is_number(const struct ftrace_sig_type *type)
{
	return type->kind == FTRACE_SIG_INT && type->size <= sizeof(long) &&
	       !(type->flags & (FTRACE_SIG_INT_BOOL | FTRACE_SIG_INT_CHAR));
}

static bool is_int_pointer(const struct ftrace_sig_table *table,
			   const struct ftrace_sig_type *type)
{
	struct ftrace_sig_type target;

	if (type->kind != FTRACE_SIG_PTR)
		return false;
	target = ftrace_sig_resolve(table, type->words[2]);
	return target.kind == FTRACE_SIG_INT && target.size == sizeof(int);
}

/*
 * How many bytes are at a pointer: the parameter behind it says that, by its name.  Returns
 * FTRACE_SIG_STEP_LENGTH and so on, or 0.
 */
static u16 plan_length(const struct ftrace_signature *sig, const struct ftrace_sig_step *step,
		       bool of_string)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	const struct ftrace_sig_param *param;
	struct ftrace_sig_type type;
	u16 kind;
	int word;

	BUILD_BUG_ON(FIELD_MAX(FTRACE_SIG_STEP_WORD) < FTRACE_SIG_MAX_WORDS - 1);
	if (step->param + 1 >= proto->nr_params)
		return 0;
	param = &proto->params[step->param + 1];
	word = word_of(proto, param);
	if (word < 0 || !is_length_name(name_of(sig, param), name_of(sig, param - 1), of_string))
		return 0;
	type = ftrace_sig_resolve(sig->table, FTRACE_SIG_ID(param->type_place));
	if (is_number(&type))
		kind = FTRACE_SIG_LENGTH_VALUE;
	else if (step->kind == FTRACE_SIG_STEP_FORM && is_int_pointer(sig->table, &type))
		kind = FTRACE_SIG_LENGTH_POINTER;
	else
		return 0;
	return FIELD_PREP(FTRACE_SIG_STEP_LENGTH, kind) |
	       FIELD_PREP(FTRACE_SIG_STEP_WORD, word) |
	       FIELD_PREP(FTRACE_SIG_STEP_WIDTH, kind == FTRACE_SIG_LENGTH_VALUE ? type.size : 0);
}

static bool is_const(const struct ftrace_sig_table *table, u32 id)
{
	for (;;) {
		struct ftrace_sig_type type = ftrace_sig_type(table, id);

		if (type.kind == FTRACE_SIG_CONST)
			return true;
		if (type.kind != FTRACE_SIG_TYPEDEF && type.kind != FTRACE_SIG_VOLATILE)
			return false;
		id = type.words[2];
	}
}

static bool is_named(const struct ftrace_sig_table *table, const struct ftrace_sig_type *type,
		     const char *name)
{
	return match_name(ftrace_sig_type_name(table, type), name);
}

/* Of these types, 0 is a number of bytes, as at the end of a file.  Of others, it is success. */
static bool is_number_of_bytes(const struct ftrace_sig_table *table,
			       const struct ftrace_sig_type *alias,
			       const struct ftrace_sig_type *type)
{
	return is_named(table, alias, "ssize_t") || is_named(table, type, "long int") ||
	       is_named(table, type, "long");
}

/* What the result says of how many bytes of a buffer were filled */
static u8 plan_fills(const struct ftrace_signature *sig)
{
	u32 id = FTRACE_SIG_ID(sig->proto->ret), place = FTRACE_SIG_BITS(sig->proto->ret);
	struct ftrace_sig_type alias = ftrace_sig_type(sig->table, id);
	struct ftrace_sig_type type = ftrace_sig_resolve(sig->table, id);
	u8 fills = FTRACE_SIG_FILLS_COUNT_OR_ALL;

	if (place != FTRACE_SIG_RET_WORD && place != FTRACE_SIG_RET_PAIR)
		return FTRACE_SIG_FILLS_ALL;
	if (type.kind == FTRACE_SIG_PTR)
		return FTRACE_SIG_FILLS_UNLESS_ERROR |
		       FIELD_PREP(FTRACE_SIG_FILLS_WIDTH, sizeof(long));
	if (type.kind != FTRACE_SIG_INT || type.flags & FTRACE_SIG_INT_BOOL ||
	    type.size > sizeof(u64))
		return FTRACE_SIG_FILLS_ALL;
	if (is_number_of_bytes(sig->table, &alias, &type))
		fills = FTRACE_SIG_FILLS_COUNT;
	if (type.flags & FTRACE_SIG_INT_SIGNED)
		fills |= FTRACE_SIG_FILLS_SIGNED;
	return fills | FIELD_PREP(FTRACE_SIG_FILLS_WIDTH, type.size);
}

/*
 * Bytes beside their number.  At the entry they mean something only if the function does
 * not write them; if it does, they mean something at the return.
 */
static bool plan_bytes(const struct ftrace_signature *sig, u32 target,
		       struct ftrace_sig_step *step)
{
	step->kind = FTRACE_SIG_STEP_BYTES;
	step->size = plan_length(sig, step, false);
	if (!step->size)
		return false;
	if (is_const(sig->table, target)) {
		step->class = FTRACE_SIG_FOLLOW_STRINGS;
		return true;
	}
	step->class = FTRACE_SIG_FOLLOW_CHANGES;
	step->aux = plan_fills(sig);
	return true;
}

/*
 * Characters beside their number are bytes if the pointer is called a buffer.  Otherwise
 * they are a string, and the number is the most that it may have: nothing behind its NUL
 * belongs to it.
 */
static bool plan_characters(const struct ftrace_signature *sig, u32 target,
			    struct ftrace_sig_step *step)
{
	const char *name = step->param == FTRACE_SIG_RESULT ? "" :
			   name_of(sig, &sig->proto->params[step->param]);

	if ((match_part(name, "buf") || match_part(name, "data")) && plan_bytes(sig, target, step))
		return true;
	step->kind = FTRACE_SIG_STEP_STRING;
	step->class = FTRACE_SIG_FOLLOW_STRINGS;
	step->size = plan_length(sig, step, true);
	return true;
}

static bool plan_memory(const struct ftrace_sig_type *type, struct ftrace_sig_step *step)
{
	step->kind = FTRACE_SIG_STEP_MEMORY;
	step->class = FTRACE_SIG_FOLLOW_STRUCTS;
	step->size = min_t(u32, type->size, FTRACE_SIG_EVENT_MAX);
	return step->size;
}

/* A structure, as far as its members are printed */
static bool plan_members(const struct ftrace_sig_table *table,
			 const struct ftrace_sig_type *type, struct ftrace_sig_step *step)
{
	u32 nr = min(ftrace_sig_nr_members(type), READ_ONCE(ftrace_sig_max_members));
	struct ftrace_sig_member m;
	u32 bits = 0, i;

	if (!plan_memory(type, step))
		return false;
	if (nr == ftrace_sig_nr_members(type))
		return true;
	for (i = 0; i < nr; i++) {
		ftrace_sig_member(table, type, i, &m);
		if (!m.width)
			m.width = ftrace_sig_resolve(table, m.type).size * BITS_PER_BYTE;
		bits = max(bits, m.offset + m.width);
	}
	step->size = min_t(u32, step->size, DIV_ROUND_UP(bits, BITS_PER_BYTE));
	return step->size;
}

/* The name of a structure, or of the typedef for one without a name */
static const char *structure_name(const struct ftrace_sig_table *table, u32 id,
				  const struct ftrace_sig_type *type)
{
	const char *name = ftrace_sig_type_name(table, type);

	while (!name[0]) {
		struct ftrace_sig_type alias = ftrace_sig_type(table, id);

		if (alias.kind == FTRACE_SIG_TYPEDEF)
			return ftrace_sig_type_name(table, &alias);
		if (alias.kind != FTRACE_SIG_CONST && alias.kind != FTRACE_SIG_VOLATILE)
			break;
		id = alias.words[2];
	}
	return name;
}

/*
 * The length of an address.  A function that gives the address of either end of a socket
 * has an integer "peer" there, which chooses the end, and returns the length as an int.
 */
static u16 plan_address(const struct ftrace_signature *sig, const struct ftrace_sig_step *step)
{
	struct ftrace_sig_type type, result;
	const struct ftrace_sig_param *param;

	if (step->param + 1 >= sig->proto->nr_params)
		return 0;
	param = &sig->proto->params[step->param + 1];
	if (!match_name(name_of(sig, param), "peer"))
		return plan_length(sig, step, false);
	type = ftrace_sig_resolve(sig->table, FTRACE_SIG_ID(param->type_place));
	result = ftrace_sig_resolve(sig->table, FTRACE_SIG_ID(sig->proto->ret));
	if (FTRACE_SIG_BITS(sig->proto->ret) != FTRACE_SIG_RET_WORD ||
	    type.kind != FTRACE_SIG_INT || result.kind != FTRACE_SIG_INT ||
	    result.size != sizeof(int) || !(result.flags & FTRACE_SIG_INT_SIGNED))
		return 0;
	return FIELD_PREP(FTRACE_SIG_STEP_LENGTH, FTRACE_SIG_LENGTH_RESULT);
}

/* A structure that has a form, see forms.h */
static bool plan_form(const struct ftrace_signature *sig, u32 id,
		      const struct ftrace_sig_type *type, struct ftrace_sig_step *step)
{
	const struct ftrace_form *form;

	form = ftrace_form_find(structure_name(sig->table, id, type), type->size);
	if (!form)
		return false;
	step->kind = FTRACE_SIG_STEP_FORM;
	step->class = FTRACE_SIG_FOLLOW_STRUCTS;
	step->aux = ftrace_form_id(form);
	if (form->has_length)
		step->size = plan_address(sig, step);
	return true;
}

/* How to follow a pointer to @target, if at all */
static bool plan_target(const struct ftrace_signature *sig, u32 target,
			struct ftrace_sig_step *step)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(sig->table, target);

	switch (type.kind) {
	case FTRACE_SIG_VOID:
		return plan_bytes(sig, target, step);
	case FTRACE_SIG_INT:
		if (type.flags & FTRACE_SIG_INT_CHAR)
			return plan_characters(sig, target, step);
		if (type.size == 1 && plan_bytes(sig, target, step))
			return true;
		return plan_memory(&type, step);
	case FTRACE_SIG_ENUM:
	case FTRACE_SIG_PTR:
		return plan_memory(&type, step);
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		if (plan_form(sig, target, &type, step))
			return true;
		/* There is nothing to print of one whose members are not known */
		return ftrace_sig_nr_members(&type) && plan_members(sig->table, &type, step);
	}
	return false;
}

/* The same for the type of the pointer */
static bool plan_pointer(const struct ftrace_signature *sig, u32 id,
			 struct ftrace_sig_step *step)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(sig->table, id);

	return type.kind == FTRACE_SIG_PTR && plan_target(sig, type.words[2], step);
}

static bool plan_result(const struct ftrace_signature *sig, struct ftrace_sig_step *step)
{
	*step = (struct ftrace_sig_step) { .param = FTRACE_SIG_RESULT };
	return FTRACE_SIG_BITS(sig->proto->ret) == FTRACE_SIG_RET_WORD &&
	       plan_pointer(sig, FTRACE_SIG_ID(sig->proto->ret), step);
}

static bool plan_param(const struct ftrace_signature *sig, u32 nr,
		       struct ftrace_sig_step *step)
{
	const struct ftrace_sig_param *param = &sig->proto->params[nr];
	u32 id = FTRACE_SIG_ID(param->type_place);
	int word = word_of(sig->proto, param);
	struct ftrace_sig_type type;

	*step = (struct ftrace_sig_step) { .param = nr, .word = word };
	if (word < 0 || nr >= FTRACE_SIG_RESULT || !plan_pointer(sig, id, step))
		return false;
	type = ftrace_sig_resolve(sig->table, id);
	/* Of bytes, plan_bytes() has decided that */
	if (step->kind != FTRACE_SIG_STEP_BYTES && !is_const(sig->table, type.words[2]))
		step->class |= FTRACE_SIG_FOLLOW_CHANGES;
	return true;
}

/**
 * ftrace_sig_plan - decide which arguments of a function are followed
 * @sig: the function's signature
 * @steps: room for FTRACE_SIG_MAX_STEPS; gets the result, if it can be followed, and the
 *	first parameters that can
 *
 * Context: any, NMI included, with preemption off.
 * Return: how many steps were written.
 */
unsigned int ftrace_sig_plan(const struct ftrace_signature *sig,
			     struct ftrace_sig_step *steps)
{
	unsigned int nr = plan_result(sig, steps);
	u32 i;

	for (i = 0; i < sig->proto->nr_params && nr < FTRACE_SIG_MAX_STEPS; i++)
		nr += plan_param(sig, i, &steps[nr]);
	return nr;
}
