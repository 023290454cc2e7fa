/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function whose signature is being made, and the object that it is in.
 */
#ifndef SIG_FUNCTION_H
#define SIG_FUNCTION_H

#include "calls.h"
#include "callsites.h"
#include "folded.h"
#include "functions.h"
#include "location.h"
#include "table.h"
#include "types.h"

/**
 * struct signatures - signatures being made for an object
 * @obj: the object
 * @fns: its functions
 * @table: where the signatures go
 * @calls: what callers show of it
 * @twins: what functions without code may have been folded into
 * @memo: types that @table has
 * @sites: the sites that @table has, in its order
 * @nr_failed: functions whose DWARF could not be understood
 */
struct signatures {
	const struct object	*obj;
	struct functions	fns;
	struct table		table;
	struct calls		calls;
	struct twins		twins;
	struct type_memo	memo;
	struct call_site	*sites;
	uint32_t		nr_sites;
	uint32_t		room;
	unsigned int		nr_failed;
};

#define MAX_PARAMS	255

enum param_passed {
	PASSED_UNKNOWN,
	PASSED_YES,
	PASSED_NO,
};

/**
 * struct sig_param - a parameter
 * @source: its entry in the source: has the name, the type and the order
 * @concrete: its entry in the instance with code; may be the same
 * @has_concrete: there is such an entry
 * @passed: whether a clone is passed it, by the order of the entries
 * @type: id of its type
 * @constant: its value, if it is a constant
 * @location: where it comes in, by DWARF
 */
struct sig_param {
	Dwarf_Die	source;
	Dwarf_Die	concrete;
	bool		has_concrete;
	enum param_passed passed;
	uint32_t	type;
	uint64_t	constant;
	struct location	location;
};

/**
 * struct sig_function - the function of a call site
 * @concrete: its entry with code; without @has_code that of the source
 * @source: its entry in the source, see die_origin()
 * @has_code: DWARF knows its code; otherwise only its name
 * @clone: made by the optimizer from @source
 * @keeps_result: a clone that returns what @source does
 * @drops_result: a clone that returns what @source does, or nothing
 * @distrust: the compiler may have changed it without recording that (clang)
 * @untyped: its types stay out of the table
 * @fentry: the call site is the first thing it does
 * @part: a clone that is but a part of @source
 * @recloned: a clone of a clone
 * @constant_copy: a clone made for constants that its callers pass
 * @split: a clone that may be passed members of what parameters point to instead
 * @tracked: the compiler tracked variables
 * @views: see struct unit
 * @section: section of the call site
 * @entry: offset of the function's start there
 * @addr: address of the call site
 * @after: address behind the call
 * @start: address of its first instruction
 * @end: address behind its last one, as its symbol tells
 * @flags: FTRACE_SIG_*
 * @ret_type: id of the result's type
 * @call: result and parameters by the calling convention
 * @usual: it has a rare convention only if something shows that
 * @conventions: bits of the conventions that it may have, of those that the
 *	machine has
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
	bool		untyped;
	bool		fentry;
	bool		part;
	bool		recloned;
	bool		split;
	bool		constant_copy;
	bool		tracked;
	const Elf_Data	*views;
	uint32_t	section;
	uint64_t	entry;
	Dwarf_Addr	addr;
	Dwarf_Addr	after;
	Dwarf_Addr	start;
	Dwarf_Addr	end;
	unsigned int	flags;
	uint32_t	ret_type;
	struct abi_call	call;
	bool		usual;
	uint32_t	conventions;
	struct sig_param params[MAX_PARAMS];
	struct abi_value values[MAX_PARAMS];
};

void function_choose(const struct signatures *s, struct sig_function *f,
		     const struct function_die *die);
bool function_is_special(struct sig_function *f);
const unsigned char *function_code(const struct signatures *s,
				   const struct sig_function *f);
bool function_add_params(struct signatures *s, struct sig_function *f, Dwarf_Die *source);
bool function_read(struct signatures *s, struct sig_function *f);

#endif /* SIG_FUNCTION_H */
