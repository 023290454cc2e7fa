// SPDX-License-Identifier: GPL-2.0
/*
 * Fetch what a probe event names by the signature of the probed function.
 *
 * What was resolved when the event was made is true of the function that was there then.
 * A module may come back with other code, so each probe keeps what it has resolved, as
 * claims, and they are checked whenever the probe is attached to a function.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include <asm/ibt.h>

#include "trace_probe.h"

/**
 * struct trace_sig_claims - what a probe takes for granted about its function
 * @hidden: see struct trace_sig_func
 * @module: the name of the module that the function is in, or ""
 * @nr: how many claims
 * @of: for each the expression and what it means
 */
struct trace_sig_claims {
	unsigned int	hidden;
	char		module[MODULE_NAME_LEN];
	unsigned int	nr;
	struct {
		struct trace_sig_value	value;
		char			expr[MAX_ARGSTR_LEN + 1];
	} of[];
};

static const int probe_errors[] = {
	[TRACE_SIG_NO_TABLE]	= TP_ERR_SIG_NO_TABLE,
	[TRACE_SIG_NONE]	= TP_ERR_SIG_NONE,
	[TRACE_SIG_SAME_NAME]	= TP_ERR_SIG_SAME_NAME,
	[TRACE_SIG_NO_PARAM]	= TP_ERR_NO_BTFARG,
	[TRACE_SIG_REMOVED]	= TP_ERR_SIG_REMOVED,
	[TRACE_SIG_UNKNOWN]	= TP_ERR_SIG_UNKNOWN,
	[TRACE_SIG_TWO_WORDS]	= TP_ERR_SIG_TWO_WORDS,
	[TRACE_SIG_BY_VALUE]	= TP_ERR_NOSUP_DAT_ARG,
	[TRACE_SIG_VOID]	= TP_ERR_NO_RETVAL,
	[TRACE_SIG_NO_RESULT]	= TP_ERR_SIG_NO_RESULT,
	[TRACE_SIG_HYPHEN]	= TP_ERR_BAD_HYPHEN,
	[TRACE_SIG_ARROW]	= TP_ERR_SIG_ARROW,
	[TRACE_SIG_NO_POINTER]	= TP_ERR_NO_PTR_STRCT,
	[TRACE_SIG_NO_MEMBERS]	= TP_ERR_SIG_NO_MEMBERS,
	[TRACE_SIG_NO_MEMBER]	= TP_ERR_NO_BTF_FIELD,
	[TRACE_SIG_TOO_DEEP]	= TP_ERR_TOO_MANY_OPS,
	[TRACE_SIG_NEEDS_TYPE]	= TP_ERR_SIG_NEEDS_TYPE,
};

static int log_error(const struct traceprobe_parse_context *ctx, unsigned int where,
		     enum trace_sig_error error)
{
	__trace_probe_log_err(ctx->offset + where, probe_errors[error]);
	return -EINVAL;
}

/* With static tracing, nobody else knows where call sites are: behind an ENDBR, if any */
static unsigned long static_site(unsigned long addr)
{
	u32 insn;

	if (get_kernel_nofault(insn, (u32 *)addr) || !is_endbr(insn))
		return addr;
	return addr + ENDBR_INSN_SIZE;
}

/* The call site of the function that begins at @addr, or that has its call site there */
static unsigned long site_of(unsigned long addr)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ? ftrace_location(addr) : static_site(addr);
}

/* Functions of one name that can be traced */
struct same_name {
	const char	*name;
	unsigned long	site;
	bool		several;
};

static int note_site(void *data, unsigned long addr)
{
	unsigned long site = ftrace_location(addr);
	struct same_name *same = data;

	if (site && same->site && same->site != site)
		same->several = true;
	else if (site)
		same->site = site;
	return 0;
}

static int note_module_site(void *data, const char *name, unsigned long addr)
{
	struct same_name *same = data;

	return strcmp(name, same->name) ? 0 : note_site(data, addr);
}

static bool is_module_init(unsigned long addr)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && within_module_init(addr, mod);
}

/* An fprobe is attached to all functions of its name */
static enum trace_sig_error find_by_name(const char *name, unsigned long *site)
{
	struct same_name same = { .name = name };

	kallsyms_on_each_match_symbol(note_site, name, &same);
	module_kallsyms_on_each_symbol(NULL, note_module_site, &same);
	*site = same.site;
	if (same.several)
		return TRACE_SIG_SAME_NAME;
	/* Nobody tells the fprobe when that text is freed, and other code is there */
	return is_module_init(same.site) ? TRACE_SIG_NONE : TRACE_SIG_OK;
}

/* A kprobe is attached to the one function of its name, which may begin with "MODULE:" */
static enum trace_sig_error find_symbol(const char *name, unsigned long *site)
{
	*site = site_of(kallsyms_lookup_name(name));
	return TRACE_SIG_OK;
}

/* A tracepoint's parameters are those of a function of its own, behind the first */
static enum trace_sig_error find_tracepoint_stub(const char *name, unsigned long *site)
{
	if (!str_has_prefix(name, "__probestub_"))
		return TRACE_SIG_NONE;
	find_symbol(name, site);
	/* One of a module is attached to what has its name later: too late to resolve */
	return core_kernel_text(*site) ? TRACE_SIG_OK : TRACE_SIG_NONE;
}

static enum trace_sig_error find_site(const struct traceprobe_parse_context *ctx,
				      unsigned long *site)
{
	if (ctx->flags & TPARG_FL_TPOINT)
		return find_tracepoint_stub(ctx->funcname, site);
	if (ctx->flags & TPARG_FL_FPROBE)
		return find_by_name(ctx->funcname, site);
	return find_symbol(ctx->funcname, site);
}

static enum trace_sig_error find_func(const struct traceprobe_parse_context *ctx,
				      struct trace_sig_func *func)
{
	enum trace_sig_error error = find_site(ctx, &func->site);

	if (error)
		return error;
	func->hidden = ctx->flags & TPARG_FL_TPOINT ? 1 : 0;
	if (func->site && trace_sig_nr_params(func) >= 0)
		return TRACE_SIG_OK;
	return trace_sig_is_missing(func->site) ? TRACE_SIG_NO_TABLE : TRACE_SIG_NONE;
}

/**
 * trace_sig_serves - whether a signature describes the probed function
 * @ctx: of the probe that is being parsed
 *
 * To be asked only if no BTF describes the function.
 *
 * Context: may sleep.
 * Return: true if it does, and if the probe is at a function's entry or return.
 */
bool trace_sig_serves(struct traceprobe_parse_context *ctx)
{
	struct trace_sig_context *sig = &ctx->sig;

	if (!ctx->funcname || (!tparg_is_function_entry(ctx->flags) &&
			       !tparg_is_function_return(ctx->flags)))
		return false;
	if (!sig->looked) {
		sig->error = find_func(ctx, &sig->func);
		sig->looked = true;
	}
	return sig->error == TRACE_SIG_OK;
}

/**
 * trace_sig_log_absent - tell the user why nothing of a function can be named
 * @ctx: of the probe that is being parsed
 *
 * Context: may sleep.
 * Return: a negative error number.
 */
int trace_sig_log_absent(struct traceprobe_parse_context *ctx)
{
	return log_error(ctx, 0, trace_sig_serves(ctx) ? TRACE_SIG_NO_PARAM :
				 ctx->sig.error ?: TRACE_SIG_NONE);
}

#ifdef CONFIG_MODULES
static void note_module(struct trace_sig_claims *claims, unsigned long site)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(site);
	if (mod)
		strscpy(claims->module, mod->name, sizeof(claims->module));
}

/**
 * trace_sig_claims_of_module - whether what a probe fetches depends on a module
 * @tp: the probe
 * @mod: the module
 *
 * Return: true if the probe was made for a function of a module of this name.
 */
bool trace_sig_claims_of_module(const struct trace_probe *tp, const struct module *mod)
{
	return tp->sig && !strcmp(tp->sig->module, mod->name);
}
#else
static void note_module(struct trace_sig_claims *claims, unsigned long site) { }
#endif

static int add_claim(struct traceprobe_parse_context *ctx, const char *expr)
{
	struct trace_sig_claims *old = ctx->tp->sig, *claims;
	unsigned int nr = old ? old->nr : 0;

	claims = krealloc(old, struct_size(claims, of, nr + 1), GFP_KERNEL);
	if (!claims)
		return -ENOMEM;
	if (!nr) {
		memset(claims, 0, sizeof(*claims));
		claims->hidden = ctx->sig.func.hidden;
		note_module(claims, ctx->sig.func.site);
	}
	claims->of[nr].value = ctx->sig.value;
	strscpy(claims->of[nr].expr, expr, sizeof(claims->of[nr].expr));
	claims->nr = nr + 1;
	ctx->tp->sig = claims;
	return 0;
}

static int load_word(struct fetch_insn *code, unsigned int word,
		     struct traceprobe_parse_context *ctx)
{
	int offset;

	if (tparg_is_function_entry(ctx->flags)) {
		code->op = FETCH_OP_ARG;
		code->param = word;
		return 0;
	}
	offset = __store_entry_arg(ctx->tp, word);
	if (offset < 0)
		return offset;
	code->op = FETCH_OP_EDATA;
	code->offset = offset;
	return 0;
}

static int load_value(struct fetch_insn *code, struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;

	switch (value->source) {
	case TRACE_SIG_WORD:
		return load_word(code, value->word, ctx);
	case TRACE_SIG_CONSTANT:
		code->op = FETCH_OP_IMM;
		code->immediate = value->constant;
		return 0;
	}
	code->op = FETCH_OP_RETVAL;
	return 0;
}

static int resolve(const char *expr, struct traceprobe_parse_context *ctx)
{
	enum trace_sig_error error;
	unsigned int where;

	error = trace_sig_find_value(&ctx->sig.func, expr, &ctx->sig.value, &where);
	return error ? log_error(ctx, where, error) : 0;
}

/**
 * trace_sig_parse - make the instructions that fetch a named value
 * @expr: see trace_sig_value_of()
 * @pcode: the first instruction, which is made; moves to the last that is
 * @end: behind the last that there is room for
 * @ctx: of the probe that is being parsed; trace_sig_serves() said yes
 *
 * Context: may sleep.
 * Return: 0, or a negative error number.
 */
int trace_sig_parse(const char *expr, struct fetch_insn **pcode, struct fetch_insn *end,
		    struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;
	int i, ret;

	ret = resolve(expr, ctx) ?: add_claim(ctx, expr) ?: load_value(*pcode, ctx);
	if (ret)
		return ret;
	for (i = 0; i < value->nr_derefs; i++) {
		if (++*pcode == end)
			return log_error(ctx, 0, TRACE_SIG_TOO_DEEP);
		(*pcode)->op = FETCH_OP_DEREF;
		(*pcode)->offset = value->offsets[i];
	}
	ctx->sig.typed = true;
	return 0;
}

/**
 * trace_sig_parse_number - make the instruction that fetches "$argN", whatever its type
 * @expr: "$argN"
 * @code: the instruction
 * @ctx: of the probe that is being parsed; trace_sig_serves() said yes
 *
 * Context: may sleep.
 * Return: 0, or a negative error number, also if the function has fewer parameters.
 */
int trace_sig_parse_number(const char *expr, struct fetch_insn *code,
			   struct traceprobe_parse_context *ctx)
{
	return resolve(expr, ctx) ?: add_claim(ctx, expr) ?: load_value(code, ctx);
}

/**
 * trace_sig_count_params - find out how many parameters a function has
 * @ctx: of the probe that is being parsed; gets the number
 *
 * Context: may sleep.
 * Return: 0, or a negative error number if no signature describes the function.
 */
int trace_sig_count_params(struct traceprobe_parse_context *ctx)
{
	int nr = trace_sig_serves(ctx) ? trace_sig_nr_params(&ctx->sig.func) : -ENOENT;

	if (nr < 0)
		return nr;
	ctx->nr_params = nr;
	return 0;
}

/**
 * trace_sig_print_param - write the name of a parameter that can be fetched
 * @ctx: of the probe that is being parsed
 * @nr: the parameter's number, from 0
 * @type: to be put behind the name
 * @buf: where to
 * @size: of @buf
 *
 * Context: may sleep.
 * Return: how many characters were written, or a negative error number.
 */
int trace_sig_print_param(struct traceprobe_parse_context *ctx, unsigned int nr,
			  const char *type, char *buf, size_t size)
{
	char name[MAX_ARGSTR_LEN + 1];
	int ret;

	if (!trace_sig_param_name(&ctx->sig.func, nr, name, sizeof(name)))
		return log_error(ctx, 0, TRACE_SIG_NO_PARAM);
	ret = resolve(name, ctx);
	if (ret)
		return ret;
	ret = snprintf(buf, size, "%s%s", name, type);
	if (ret >= size) {
		trace_probe_log_err(0, ARGS_2LONG);
		return -E2BIG;
	}
	return ret;
}

static bool is_address(const struct trace_sig_value *value)
{
	return value->nature == TRACE_SIG_POINTER ||
	       (value->nature == TRACE_SIG_INTEGER && value->size == sizeof(long) &&
		!value->width);
}

/**
 * trace_sig_dereference - what was parsed last is the address of what is fetched
 * @ctx: of the probe that is being parsed
 *
 * Return: 0, or a negative error number if it is no address.
 */
int trace_sig_dereference(struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;

	if (!ctx->sig.typed)
		return 0;
	ctx->sig.typed = false;
	if (value->untyped && value->source == TRACE_SIG_RESULT && !value->nr_derefs)
		return log_error(ctx, 0, value->untyped);
	if (is_address(value))
		return 0;
	trace_probe_log_err(ctx->offset, SIG_NO_ADDRESS);
	return -EINVAL;
}

static const char *type_of(const struct trace_sig_value *value)
{
	static const char * const names[][4] = {
		{ "u8", "u16", "u32", "u64" },
		{ "s8", "s16", "s32", "s64" },
	};

	if (value->nature == TRACE_SIG_POINTER)
		return IS_ENABLED(CONFIG_64BIT) ? "x64" : "x32";
	return names[value->is_signed][ilog2(value->size)];
}

/* A string is fetched from an address; that of an array is known */
static int point_to_text(const struct probe_arg *parg, struct fetch_insn **pcode, bool of_user,
			 struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;
	struct fetch_insn *code = *pcode + 1;

	/* Several strings are told by an array of pointers; this is one string */
	if (!value->is_text || parg->count) {
		trace_probe_log_err(ctx->offset, BAD_TYPE4STR);
		return -EINVAL;
	}
	if (value->nature != TRACE_SIG_POINTER)
		return 0;
	if (code->op == FETCH_OP_END)
		return log_error(ctx, 0, TRACE_SIG_TOO_DEEP);
	code->op = of_user ? FETCH_OP_UDEREF : FETCH_OP_DEREF;
	code->offset = 0;
	*pcode = code;
	return 0;
}

/*
 * Whether the type that the user gave takes in what is behind the value: another member, or the
 * upper half of a register, which nobody has set.  A plain $retval is the register as it is.
 */
static bool is_beyond(const struct probe_arg *parg, const struct trace_sig_value *value)
{
	if (value->untyped || value->width ||
	    (value->source == TRACE_SIG_RESULT && !value->nr_derefs))
		return false;
	return parg->type->size * (parg->count ?: 1) > value->size;
}

/**
 * trace_sig_choose_type - the type by which a named value is stored
 * @parg: the argument
 * @type: the type that the user gave, or NULL
 * @chosen: gets the name of another type, if it is to be stored by that
 * @pcode: the last instruction; moves if one more is needed
 * @ctx: of the probe that is being parsed; trace_sig_typed()
 *
 * Return: 0, or a negative error number.
 */
int trace_sig_choose_type(const struct probe_arg *parg, const char *type,
			  const char **chosen, struct fetch_insn **pcode,
			  struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;

	if (!type && value->untyped)
		return log_error(ctx, 0, value->untyped);
	if (!type) {
		*chosen = type_of(value);
		return 0;
	}
	if (strstr(type, "string"))
		return point_to_text(parg, pcode, type[0] == 'u', ctx);
	if (is_beyond(parg, value)) {
		trace_probe_log_err(ctx->offset, SIG_BEYOND);
		return -EINVAL;
	}
	return 0;
}

/**
 * trace_sig_text_size - where the text that was parsed last ends, if no zero ends it
 * @ctx: of the probe that is being parsed
 *
 * Return: the size of the array that it is in, in bytes; 0 if it is in none whose size is
 *	known.
 */
u32 trace_sig_text_size(const struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;
	bool is_array = trace_sig_typed(ctx) && value->is_text &&
			value->nature != TRACE_SIG_POINTER;

	return is_array ? value->size : 0;
}

/* The bit from which on a load of @bits has the whole bit field, or -1 */
static int first_bit(const struct trace_sig_value *value, unsigned int bits)
{
	unsigned int end = value->bit + value->width;
	unsigned int aligned = round_down(value->bit, bits);
	unsigned int packed = round_down(value->bit, BITS_PER_BYTE);

	if (end <= aligned + bits)
		return aligned;
	return end <= packed + bits ? packed : -1;
}

/**
 * trace_sig_bit_field - add the instruction that cuts a bit field out
 * @type: the type that the user gave, or NULL
 * @parg: the argument, whose type is decided
 * @store: the instruction that stores it
 * @pcode: the last instruction; moves to the one that is added
 * @ctx: of the probe that is being parsed; trace_sig_typed()
 *
 * Return: 0, or a negative error number.
 */
int trace_sig_bit_field(const char *type, const struct probe_arg *parg,
			struct fetch_insn *store, struct fetch_insn **pcode,
			struct traceprobe_parse_context *ctx)
{
	const struct trace_sig_value *value = &ctx->sig.value;
	unsigned int bits = parg->type->size * BITS_PER_BYTE;
	struct fetch_insn *code = *pcode + 1;
	int first;

	/* The user may give a bit field's place; it is the user's then */
	if (!value->width || (type && type[0] == 'b'))
		return 0;
	first = first_bit(value, bits);
	if (first < 0 || parg->count || store->op != FETCH_OP_ST_MEM ||
	    (value->is_signed && parg->type->is_signed)) {
		trace_probe_log_err(ctx->offset, SIG_BIT_FIELD);
		return -EINVAL;
	}
	if (code->op != FETCH_OP_NOP)
		return log_error(ctx, 0, TRACE_SIG_TOO_DEEP);
	store->offset = first / BITS_PER_BYTE;
	code->op = FETCH_OP_MOD_BF;
	code->lshift = bits - (value->bit - first + value->width);
	code->rshift = bits - value->width;
	code->basesize = parg->type->size;
	*pcode = code;
	return 0;
}

/**
 * trace_sig_claims_hold - whether a probe fetches the right things of a function
 * @tp: the probe
 * @site: the address that it is attached to, the function's first or its call site
 *
 * Context: may sleep.
 * Return: false if an argument or a member is now at another place, or unknown.
 */
bool trace_sig_claims_hold(const struct trace_probe *tp, unsigned long site)
{
	struct trace_sig_claims *claims = tp->sig;
	struct trace_sig_func func = { .site = site_of(site) };
	struct trace_sig_value value;
	unsigned int i, where;

	if (!claims)
		return true;
	func.hidden = claims->hidden;
	for (i = 0; i < claims->nr; i++)
		if (trace_sig_find_value(&func, claims->of[i].expr, &value, &where) ||
		    memcmp(&value, &claims->of[i].value, sizeof(value)))
			return false;
	return true;
}

/**
 * trace_sig_claims_free - forget what a probe has resolved
 * @tp: the probe
 */
void trace_sig_claims_free(struct trace_probe *tp)
{
	kfree(tp->sig);
	tp->sig = NULL;
}
