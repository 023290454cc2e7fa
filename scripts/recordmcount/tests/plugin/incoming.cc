// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for gcc, for tests only: what the compiler itself says of where the
 * parameters of each function arrive, and where its result goes.
 *
 * The object gets a section .incoming with a line of text for each function that
 * was emitted, of fields separated by tabs:
 *
 *	symbol  SIZE@PIECES of the result  NAME@SIZE@PIECES of each parameter
 *
 * The parameters are those of the source, in its order, whatever the optimizer
 * did. PIECES are separated by commas, each as OFFSET:SIZE:PLACE: so many bytes
 * of the value arrive there. A value without pieces is not passed. PLACE is
 *
 *	REG		a register, as gcc calls it
 *	stack+N		N bytes above the return address
 *	*PLACE		in memory, its address is in PLACE
 *	memory		of a result: where the caller wants it
 *	other		anything else
 *
 * Instead of pieces there is "=N" for a constant that all callers pass and that
 * is no longer passed, "=?" for one that is no integer, and "^PIECES" for a
 * pointer that is not passed, but of what it points to, these pieces are.
 * The size of void is -. What the optimizer cannot have done is "conflict".
 */
#include <map>
#include <string>
#include <vector>

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "context.h"
#include "cgraph.h"
#include "ipa-param-manipulation.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "symtab-clones.h"
#include "function.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "regs.h"
#include "output.h"
#include "diagnostic-core.h"

int plugin_is_GPL_compatible;

using std::string;
using std::to_string;
using std::vector;

/* A parameter of a function in the source. */
struct source_param {
	unsigned int uid;
	string name;
	string size;
	bool pointer;
};

/* What becomes of a parameter when a clone is made: an index into clone_change::from. */
struct change {
	unsigned int base;
	bool split;
	HOST_WIDE_INT offset;
};

/*
 * How a clone's parameters come from those of the function that it is a copy of:
 * "from" has the latter, as the source's declarations. Those behind "params" are
 * copied, beginning with number "rest" of "from", if that is not negative.
 */
struct clone_change {
	vector<unsigned int> from;
	vector<change> params;
	int rest;
	bool adjusted;
	std::map<unsigned int, string> constants;
};

/* By DECL_UID of functions: later passes drop what they don't need any more. */
static std::map<unsigned int, vector<source_param>> sources;
static std::map<unsigned int, clone_change> clones;
static string report;

static string name_of(tree decl)
{
	return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

static string size_of(tree type)
{
	if (VOID_TYPE_P(type))
		return "-";
	return to_string((long)int_size_in_bytes(type));
}

/* As the passes begin, all functions are as they are in the source. */
static void note_sources(void *, void *)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node) {
		vector<source_param> &list = sources[DECL_UID(node->decl)];

		list.clear();
		for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p))
			list.push_back({ DECL_UID(p), name_of(p), size_of(TREE_TYPE(p)),
					 POINTER_TYPE_P(TREE_TYPE(p)) });
	}
}

/* A constant as its parameter's type extends it to 64 bits. */
static string constant_text(tree param, tree value)
{
	tree type = TREE_TYPE(param);

	if (TREE_CODE(value) != INTEGER_CST ||
	    !(INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) || TYPE_PRECISION(type) > 64)
		return "?";
	wide_int wide = wide_int::from(wi::to_wide(value), TYPE_PRECISION(type),
				       TYPE_SIGN(TREE_TYPE(value)));
	if (TYPE_UNSIGNED(type))
		return to_string((unsigned long long)wide.to_uhwi());
	return to_string((long long)wide.to_shwi());
}

static void note_constants(cgraph_node *node, tree params, clone_change *c)
{
	clone_info *info = clone_info::get(node);
	ipa_replace_map *map;
	unsigned int i;

	if (!info)
		return;
	FOR_EACH_VEC_SAFE_ELT(info->tree_map, i, map) {
		tree param = params;

		for (int n = 0; param && n < map->parm_num; n++)
			param = DECL_CHAIN(param);
		if (!param)
			continue;
		c->constants[DECL_UID(DECL_ORIGIN(param))] =
			map->force_load_ref ? "?" : constant_text(param, map->new_tree);
	}
}

static void note_adjustments(cgraph_node *node, clone_change *c)
{
	clone_info *info = clone_info::get(node);
	ipa_adjusted_param *adjusted;
	unsigned int i;

	if (!info || !info->param_adjustments)
		return;
	c->adjusted = true;
	c->rest = info->param_adjustments->m_always_copy_start;
	FOR_EACH_VEC_SAFE_ELT(info->param_adjustments->m_adj_params, i, adjusted)
		c->params.push_back({ adjusted->base_index, adjusted->op == IPA_PARAM_OP_SPLIT,
				      adjusted->unit_offset });
}

/* When all is decided and nothing done: all indices are those of the first function. */
static void note_clones(void *, void *)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node) {
		cgraph_node *root = node;
		clone_change c = {};

		if (node->inlined_to || !node->clone_of)
			continue;
		while (root->clone_of)
			root = root->clone_of;
		for (tree p = DECL_ARGUMENTS(root->decl); p; p = DECL_CHAIN(p))
			c.from.push_back(DECL_UID(DECL_ORIGIN(p)));
		for (cgraph_node *n = node; n->clone_of; n = n->clone_of)
			note_constants(n, DECL_ARGUMENTS(root->decl), &c);
		note_adjustments(node, &c);
		clones[DECL_UID(node->decl)] = c;
	}
}

static string piece(HOST_WIDE_INT offset, HOST_WIDE_INT size, const string &place)
{
	return to_string((long)offset) + ":" + to_string((long)size) + ":" + place;
}

static string join(const string &a, const string &b)
{
	return a.empty() ? b : a + "," + b;
}

static string address_place(rtx address)
{
	poly_int64 offset = 0;
	rtx base = strip_offset(address, &offset);

	if (base == virtual_incoming_args_rtx || base == arg_pointer_rtx)
		return "stack+" + to_string((long)offset.to_constant());
	if (REG_P(base) && HARD_REGISTER_P(base) && known_eq(offset, 0))
		return string("*") + reg_names[REGNO(base)];
	if (MEM_P(base) && known_eq(offset, 0)) {
		string place = address_place(XEXP(base, 0));

		return place.compare(0, 6, "stack+") ? "other" : "*" + place;
	}
	return "other";
}

/* A value in as many registers as it takes, or in one. */
static string register_pieces(rtx reg, HOST_WIDE_INT offset, HOST_WIDE_INT size)
{
	unsigned int regno = REGNO(reg);
	string pieces;

	if (!HARD_REGISTER_P(reg))
		return piece(offset, size, "other");
	if (!GENERAL_REGNO_P(regno))
		return piece(offset, size, reg_names[regno]);
	for (HOST_WIDE_INT at = 0; at < size; at += UNITS_PER_WORD)
		pieces = join(pieces, piece(offset + at, MIN(size - at, UNITS_PER_WORD),
					    reg_names[regno + at / UNITS_PER_WORD]));
	return pieces;
}

static string pieces_of(rtx where, HOST_WIDE_INT offset, HOST_WIDE_INT size)
{
	string pieces;

	if (!where || !size)
		return "";
	if (REG_P(where))
		return register_pieces(where, offset, size);
	if (MEM_P(where))
		return piece(offset, size, address_place(XEXP(where, 0)));
	if (GET_CODE(where) != PARALLEL)
		return piece(offset, size, "other");
	for (int i = 0; i < XVECLEN(where, 0); i++) {
		rtx part = XVECEXP(where, 0, i), reg = XEXP(part, 0);
		HOST_WIDE_INT at, length;

		if (!reg) {
			pieces = join(pieces, piece(offset, size, "other"));
			continue;
		}
		at = INTVAL(XEXP(part, 1));
		length = GET_MODE_SIZE(GET_MODE(reg)).to_constant();
		pieces = join(pieces, pieces_of(reg, offset + at, MIN(length, size - at)));
	}
	return pieces;
}

/* Where the source's parameters went, by DECL_UID. */
struct arrived {
	std::map<unsigned int, string> whole, parts;
	bool conflict;
};

static void note_whole(arrived *a, unsigned int uid, tree param)
{
	HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(param));

	a->whole[uid] = pieces_of(DECL_INCOMING_RTL(param), 0, size);
}

static void note_adjusted(arrived *a, const clone_change &c, unsigned int index, tree param)
{
	int beyond = (int)index - (int)c.params.size();
	unsigned int base = beyond < 0 ? c.params[index].base : c.rest + beyond;
	HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(param));

	if (base >= c.from.size() || (beyond >= 0 && c.rest < 0)) {
		a->conflict = true;
	} else if (beyond < 0 && c.params[index].split) {
		string &parts = a->parts[c.from[base]];

		parts = join(parts, pieces_of(DECL_INCOMING_RTL(param),
					      c.params[index].offset, size));
	} else {
		a->conflict |= c.from[base] != DECL_UID(DECL_ORIGIN(param));
		note_whole(a, c.from[base], param);
	}
}

static arrived arrivals(tree fn, const clone_change *c)
{
	arrived a = {};
	unsigned int index = 0;

	for (tree p = DECL_ARGUMENTS(fn); p; p = DECL_CHAIN(p), index++) {
		if (c && c->adjusted)
			note_adjusted(&a, *c, index, p);
		else
			note_whole(&a, DECL_UID(DECL_ORIGIN(p)), p);
	}
	return a;
}

static string param_text(const arrived &a, const clone_change *c, const source_param &param)
{
	string text = param.name + "@" + param.size + "@";
	auto whole = a.whole.find(param.uid), parts = a.parts.find(param.uid);

	if (a.conflict)
		return text + "conflict";
	if (whole != a.whole.end())
		return text + whole->second;
	if (parts != a.parts.end())
		return text + (param.pointer ? "^" : "") + parts->second;
	if (c && c->constants.count(param.uid))
		return text + "=" + c->constants.at(param.uid);
	return text;
}

static string result_text(tree fn)
{
	tree type = TREE_TYPE(DECL_RESULT(fn));

	if (VOID_TYPE_P(type))
		return "-@";
	if (aggregate_value_p(DECL_RESULT(fn), fn))
		return size_of(type) + "@" + piece(0, int_size_in_bytes(type), "memory");
	return size_of(type) + "@" + pieces_of(crtl->return_rtx, 0, int_size_in_bytes(type));
}

static void note_function(tree fn)
{
	auto clone = clones.find(DECL_UID(fn));
	const clone_change *c = clone == clones.end() ? NULL : &clone->second;
	const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fn));
	auto source = sources.find(DECL_UID(DECL_ORIGIN(fn)));
	arrived a = arrivals(fn, c);

	report += string(symbol + (*symbol == '*')) + "\t" + result_text(fn);
	if (source == sources.end())
		report += "\tconflict@0@conflict";
	else
		for (const source_param &param : source->second)
			report += "\t" + param_text(a, c, param);
	report += "\n";
}

static const pass_data incoming_pass_data = {
	RTL_PASS, "incoming", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0,
};

class incoming_pass : public rtl_opt_pass {
public:
	incoming_pass() : rtl_opt_pass(incoming_pass_data, g) {}

	unsigned int execute(function *f) final override
	{
		note_function(f->decl);
		return 0;
	}
};

static void write_report(void *, void *)
{
	if (seen_error() || report.empty())
		return;
	fputs("\t.pushsection .incoming,\"\",@progbits\n", asm_out_file);
	for (size_t at = 0, end; at < report.size(); at = end + 1) {
		end = report.find('\n', at);
		fprintf(asm_out_file, "\t.ascii \"");
		for (size_t i = at; i < end; i++)
			if (report[i] == '\t')
				fputs("\\t", asm_out_file);
			else
				fputc(report[i], asm_out_file);
		fputs("\\n\"\n", asm_out_file);
	}
	fputs("\t.popsection\n", asm_out_file);
}

int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	struct register_pass_info pass = { new incoming_pass, "expand", 1, PASS_POS_INSERT_AFTER };

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("the plugin was built for another gcc");
		return 1;
	}
	register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, note_sources, NULL);
	register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_END, note_clones, NULL);
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	register_callback(info->base_name, PLUGIN_FINISH_UNIT, write_report, NULL);
	return 0;
}
