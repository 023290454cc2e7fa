// SPDX-License-Identifier: GPL-2.0
/*
 * --explain: why the place of a value is unknown.
 */
#include <string.h>

#include "print.h"

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
