// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for gcc, for tests only: where the results of functions come from, as the
 * source has it. From that one can tell which functions return errnos.
 *
 * The file that the plugin's argument "out" names gets a line for each function of the
 * unit that returns an integer, with fields separated by tabs:
 *
 *	NAME  global|static  signed|unsigned  SOURCE...
 *
 * The sources are those of results that may be negative, or are if they are taken for numbers
 * with a sign:
 *
 *	const:N		a constant
 *	call:NAME	what another function returns
 *	pointer		a pointer, as of PTR_ERR()
 *	field:NAME	a member of a structure, or a variable that is no local one
 *	local:NAME	a local variable that others can write
 *	param:NAME	a parameter
 *	minus		the negative of something, or a constant less something: the kernel has
 *			positive errnos, and offsets of them, as of notifier_from_errno()
 *	op		what is computed in another way
 *	indirect	a call by a pointer
 *	asm		inline assembly
 *
 * What is shifted to the right counts as what it was before, because of xa_err(). Comparisons,
 * numbers without a sign that the result's type extends, and what is masked
 * with a constant are never negative.
 *
 * No code is generated: the compiler ends when all functions were looked at.
 */
#include <set>
#include <string>

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "tree-pass.h"
#include "context.h"
#include "function.h"
#include "basic-block.h"
#include "ssa.h"
#include "diagnostic-core.h"

int plugin_is_GPL_compatible;

using std::set;
using std::string;

static const char *path;
static string report;

static string name_of(const_tree decl)
{
	return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/* What is found on the way from a return statement back. */
struct search {
	set<tree> seen;
	set<string> sources;
};

static void follow(search *s, tree value);

static bool is_never_negative(tree value)
{
	return TREE_CODE(value) == INTEGER_CST && tree_int_cst_sgn(value) >= 0;
}

static void follow_conversion(search *s, tree from, tree to)
{
	tree type = TREE_TYPE(from);

	if (POINTER_TYPE_P(type))
		s->sources.insert("pointer");
	else if (!INTEGRAL_TYPE_P(type))
		s->sources.insert("op");
	else if (!TYPE_UNSIGNED(type) || TYPE_PRECISION(type) >= TYPE_PRECISION(to))
		follow(s, from);
}

static void note_memory(search *s, tree value)
{
	if (TREE_CODE(value) == COMPONENT_REF) {
		s->sources.insert("field:" + name_of(TREE_OPERAND(value, 1)));
		return;
	}
	while (handled_component_p(value))
		value = TREE_OPERAND(value, 0);
	if (VAR_P(value) && !is_global_var(value))
		s->sources.insert("local:" + name_of(value));
	else
		s->sources.insert("field:" + (DECL_P(value) ? name_of(value) : ""));
}

/* An errno may be in an unsigned integer, too. */
static void note_constant(search *s, tree value)
{
	unsigned int bits = TYPE_PRECISION(TREE_TYPE(value));
	long number;

	if (bits > 64)
		return;
	number = wide_int::from(wi::to_wide(value), bits, SIGNED).to_shwi();
	if (number < 0)
		s->sources.insert("const:" + std::to_string(number));
}

static void follow_assignment(search *s, gimple *stmt)
{
	enum tree_code code = gimple_assign_rhs_code(stmt);
	tree first = gimple_assign_rhs1(stmt);

	if (CONVERT_EXPR_CODE_P(code)) {
		follow_conversion(s, first, TREE_TYPE(gimple_assign_lhs(stmt)));
		return;
	}
	if (TREE_CODE_CLASS(code) == tcc_comparison)
		return;
	switch (code) {
	case SSA_NAME:
	case INTEGER_CST:
		follow(s, first);
		return;
	case COND_EXPR:
		follow(s, gimple_assign_rhs2(stmt));
		follow(s, gimple_assign_rhs3(stmt));
		return;
	case MIN_EXPR:
	case MAX_EXPR:
	case BIT_IOR_EXPR:
		follow(s, first);
		follow(s, gimple_assign_rhs2(stmt));
		return;
	case BIT_AND_EXPR:
		if (!is_never_negative(gimple_assign_rhs2(stmt)))
			s->sources.insert("op");
		return;
	case TRUTH_NOT_EXPR:
	case TRUTH_AND_EXPR:
	case TRUTH_OR_EXPR:
	case TRUTH_XOR_EXPR:
		return;
	case NEGATE_EXPR:
		s->sources.insert("minus");
		return;
	case MINUS_EXPR:
		s->sources.insert(TREE_CODE(first) == INTEGER_CST ? "minus" : "op");
		return;
	case RSHIFT_EXPR:
		follow(s, first);
		return;
	default:
		break;
	}
	if (gimple_assign_single_p(stmt))
		note_memory(s, first);
	else
		s->sources.insert("op");
}

static void follow_call(search *s, gimple *stmt)
{
	tree fn = gimple_call_fndecl(stmt);

	if (gimple_call_internal_p(stmt))
		s->sources.insert("op");
	else if (!fn)
		s->sources.insert("indirect");
	else if (fndecl_built_in_p(fn, BUILT_IN_EXPECT))
		follow(s, gimple_call_arg(stmt, 0));
	else
		s->sources.insert(string("call:") + name_of(fn));
}

static void follow_name(search *s, tree name)
{
	gimple *stmt = SSA_NAME_DEF_STMT(name);

	if (!s->seen.insert(name).second)
		return;
	switch (gimple_code(stmt)) {
	case GIMPLE_NOP:
		if (SSA_NAME_VAR(name) && TREE_CODE(SSA_NAME_VAR(name)) == PARM_DECL)
			s->sources.insert("param:" + name_of(SSA_NAME_VAR(name)));
		return;
	case GIMPLE_PHI:
		for (unsigned int i = 0; i < gimple_phi_num_args(stmt); i++)
			follow(s, gimple_phi_arg_def(stmt, i));
		return;
	case GIMPLE_ASSIGN:
		follow_assignment(s, stmt);
		return;
	case GIMPLE_CALL:
		follow_call(s, stmt);
		return;
	default:
		s->sources.insert("asm");
	}
}

static void follow(search *s, tree value)
{
	if (TREE_CODE(value) == SSA_NAME)
		follow_name(s, value);
	else if (TREE_CODE(value) != INTEGER_CST)
		note_memory(s, value);
	else
		note_constant(s, value);
}

static void note_function(function *f)
{
	search s;
	edge_iterator i;
	edge e;

	FOR_EACH_EDGE(e, i, EXIT_BLOCK_PTR_FOR_FN(f)->preds) {
		gimple_stmt_iterator last = gsi_last_nondebug_bb(e->src);
		greturn *stmt = gsi_end_p(last) ? NULL : dyn_cast<greturn *>(gsi_stmt(last));

		if (stmt && gimple_return_retval(stmt))
			follow(&s, gimple_return_retval(stmt));
	}
	report += name_of(f->decl) + (TREE_PUBLIC(f->decl) ? "\tglobal" : "\tstatic");
	report += TYPE_UNSIGNED(TREE_TYPE(DECL_RESULT(f->decl))) ? "\tunsigned" : "\tsigned";
	for (const string &source : s.sources)
		report += "\t" + source;
	report += "\n";
}

static const pass_data returns_pass_data = {
	GIMPLE_PASS, "returns", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, 0,
};

class returns_pass : public gimple_opt_pass {
public:
	returns_pass() : gimple_opt_pass(returns_pass_data, g) {}

	unsigned int execute(function *f) final override
	{
		if (INTEGRAL_TYPE_P(TREE_TYPE(DECL_RESULT(f->decl))))
			note_function(f);
		return 0;
	}
};

static void write_report(void *, void *)
{
	FILE *out;

	if (seen_error())
		return;
	out = fopen(path, "w");
	if (!out || fputs(report.c_str(), out) == EOF || fclose(out))
		fatal_error(UNKNOWN_LOCATION, "%s cannot be written", path);
	exit(0);
}

int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	struct register_pass_info pass = { new returns_pass, "ssa", 1, PASS_POS_INSERT_AFTER };

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("the plugin was built for another gcc");
		return 1;
	}
	if (info->argc != 1 || strcmp(info->argv[0].key, "out")) {
		error("the plugin wants one argument, out, the file to write");
		return 1;
	}
	path = info->argv[0].value;
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_END, write_report, NULL);
	return 0;
}
