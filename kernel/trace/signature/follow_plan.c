// SPDX-License-Identifier: GPL-2.0
/*
 * Decide from a function's signature which of its arguments point to something that can
 * be shown, and how much of it is to be copied when the function is called.
 */
#include <linux/string.h>

#include "signature.h"

/* Names of parameters that say how many bytes are at the pointer before them */
static const char * const length_names[] = {
	"buf_len", "buf_size", "buflen", "bufsize", "bytes", "cnt", "count", "len",
	"length", "n", "nbytes", "nr_bytes", "size", "sz",
};

/* What such a name may add to that of the pointer: "value", "value_len" */
static const char * const length_suffixes[] = {
	"_len", "len", "_size", "size", "_length", "_bytes",
};

static bool is_length_name(const char *name, const char *pointer)
{
	size_t len = strlen(pointer);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(length_names); i++)
		if (!strcmp(name, length_names[i]))
			return true;
	if (!len || strncmp(name, pointer, len))
		return false;
	for (i = 0; i < ARRAY_SIZE(length_suffixes); i++)
		if (!strcmp(name + len, length_suffixes[i]))
			return true;
	return false;
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
	return -1;
}

static const char *name_of(const struct ftrace_signature *sig,
			   const struct ftrace_sig_param *param)
{
	return ftrace_sig_string(sig->table, FTRACE_SIG_ID(param->name_words));
}

/* Whether the parameter behind a pointer says how many bytes are there */
static bool find_length(const struct ftrace_signature *sig, u32 pointer,
			struct ftrace_sig_step *step)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	const struct ftrace_sig_param *param = &proto->params[pointer + 1];
	struct ftrace_sig_type type;
	int word;

	if (pointer + 1 >= proto->nr_params)
		return false;
	type = ftrace_sig_resolve(sig->table, FTRACE_SIG_ID(param->type_place));
	if (type.kind != FTRACE_SIG_INT || type.size < 4 || type.size > sizeof(long) ||
	    !is_length_name(name_of(sig, param), name_of(sig, param - 1)))
		return false;
	word = word_of(proto, param);
	if (word < 0)
		return false;
	step->aux = word;
	step->size = type.size;
	return true;
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

/*
 * Bytes beside their number.  At the entry they mean something only if the function is
 * not the one that writes them.
 */
static bool plan_bytes(const struct ftrace_signature *sig, u32 target,
		       struct ftrace_sig_step *step)
{
	step->kind = FTRACE_SIG_STEP_BYTES;
	step->class = FTRACE_SIG_FOLLOW_STRINGS;
	return is_const(sig->table, target);
}

static bool plan_string(struct ftrace_sig_step *step)
{
	step->kind = FTRACE_SIG_STEP_STRING;
	step->class = FTRACE_SIG_FOLLOW_STRINGS;
	return true;
}

static bool plan_memory(const struct ftrace_sig_type *type, struct ftrace_sig_step *step)
{
	step->kind = FTRACE_SIG_STEP_MEMORY;
	step->class = FTRACE_SIG_FOLLOW_STRUCTS;
	step->size = min_t(u32, type->size, FTRACE_SIG_EVENT_MAX);
	return step->size;
}

/* How to follow a pointer to @target, if at all */
static bool plan_target(const struct ftrace_signature *sig, u32 param, u32 target,
			struct ftrace_sig_step *step)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(sig->table, target);

	switch (type.kind) {
	case FTRACE_SIG_VOID:
		return find_length(sig, param, step) && plan_bytes(sig, target, step);
	case FTRACE_SIG_INT:
		if (type.size == 1 && find_length(sig, param, step))
			return plan_bytes(sig, target, step);
		if (type.flags & FTRACE_SIG_INT_CHAR)
			return plan_string(step);
		return plan_memory(&type, step);
	case FTRACE_SIG_ENUM:
	case FTRACE_SIG_PTR:
		return plan_memory(&type, step);
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		/* There is nothing to print of one whose members are not known */
		return type.words[2] && plan_memory(&type, step);
	}
	return false;
}

/**
 * ftrace_sig_plan - decide which arguments of a function are followed
 * @sig: the function's signature
 * @steps: room for FTRACE_SIG_MAX_STEPS; gets the first that can be followed
 *
 * Context: any, NMI included, with preemption off.
 * Return: how many steps were written.
 */
unsigned int ftrace_sig_plan(const struct ftrace_signature *sig,
			     struct ftrace_sig_step *steps)
{
	const struct ftrace_sig_proto *proto = sig->proto;
	unsigned int nr = 0;
	u32 i;

	for (i = 0; i < proto->nr_params && nr < FTRACE_SIG_MAX_STEPS; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];
		struct ftrace_sig_step step = { .param = i };
		struct ftrace_sig_type type;
		int word = word_of(proto, param);

		if (word < 0)
			continue;
		step.word = word;
		type = ftrace_sig_resolve(sig->table, FTRACE_SIG_ID(param->type_place));
		if (type.kind == FTRACE_SIG_PTR &&
		    plan_target(sig, i, type.words[2], &step))
			steps[nr++] = step;
	}
	return nr;
}
