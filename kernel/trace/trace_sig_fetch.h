/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probe events fetch what they name by the signature of the probed function, where no BTF
 * describes it.  trace_probe.h includes this.
 */
#ifndef _KERNEL_TRACE_SIG_FETCH_H
#define _KERNEL_TRACE_SIG_FETCH_H

#include <linux/errno.h>

#include "trace_sig_probe.h"

struct fetch_insn;
struct module;
struct probe_arg;
struct trace_probe;
struct trace_sig_claims;
struct traceprobe_parse_context;

/**
 * struct trace_sig_context - what parsing a probe knows of the function's signature
 * @func: the function, once it was looked for
 * @error: why it has no signature, or TRACE_SIG_OK
 * @looked: it was looked for
 * @typed: what was parsed last is @value, and so is what will be stored
 * @value: what was resolved last
 */
struct trace_sig_context {
#ifdef CONFIG_FTRACE_SIGNATURES
	struct trace_sig_func	func;
	enum trace_sig_error	error;
	bool			looked;
	bool			typed;
	struct trace_sig_value	value;
#endif
};

#ifdef CONFIG_FTRACE_SIGNATURES

bool trace_sig_serves(struct traceprobe_parse_context *ctx);
int trace_sig_log_absent(struct traceprobe_parse_context *ctx);
int trace_sig_parse(const char *expr, struct fetch_insn **pcode, struct fetch_insn *end,
		    struct traceprobe_parse_context *ctx);
int trace_sig_parse_number(const char *expr, struct fetch_insn *code,
			   struct traceprobe_parse_context *ctx);
int trace_sig_count_params(struct traceprobe_parse_context *ctx);
int trace_sig_print_param(struct traceprobe_parse_context *ctx, unsigned int nr,
			  const char *type, char *buf, size_t size);
int trace_sig_dereference(struct traceprobe_parse_context *ctx);
int trace_sig_choose_type(const struct probe_arg *parg, const char *type,
			  const char **chosen, struct fetch_insn **pcode,
			  struct traceprobe_parse_context *ctx);
u32 trace_sig_text_size(const struct traceprobe_parse_context *ctx);
int trace_sig_bit_field(const char *type, const struct probe_arg *parg,
			struct fetch_insn *store, struct fetch_insn **pcode,
			struct traceprobe_parse_context *ctx);
bool trace_sig_claims_hold(const struct trace_probe *tp, unsigned long site);
bool trace_sig_claims_of_module(const struct trace_probe *tp, const struct module *mod);
void trace_sig_claims_free(struct trace_probe *tp);

/* Whether a signature describes what was parsed last */
#define trace_sig_typed(ctx)		((ctx)->sig.typed)
#define trace_sig_forget(ctx)		((ctx)->sig.typed = false)
/* Whether a probe fetches anything by a signature */
#define trace_sig_has_claims(tp)	((tp)->sig)

#else

static inline bool trace_sig_serves(struct traceprobe_parse_context *ctx)
{
	return false;
}

static inline int trace_sig_log_absent(struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline int trace_sig_parse(const char *expr, struct fetch_insn **pcode,
				  struct fetch_insn *end,
				  struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline int trace_sig_parse_number(const char *expr, struct fetch_insn *code,
					 struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline int trace_sig_count_params(struct traceprobe_parse_context *ctx)
{
	return -EOPNOTSUPP;
}

static inline int trace_sig_print_param(struct traceprobe_parse_context *ctx,
					unsigned int nr, const char *type, char *buf,
					size_t size)
{
	return 0;
}

static inline int trace_sig_dereference(struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline int trace_sig_choose_type(const struct probe_arg *parg, const char *type,
					const char **chosen, struct fetch_insn **pcode,
					struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline u32 trace_sig_text_size(const struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline int trace_sig_bit_field(const char *type, const struct probe_arg *parg,
				      struct fetch_insn *store, struct fetch_insn **pcode,
				      struct traceprobe_parse_context *ctx)
{
	return 0;
}

static inline bool trace_sig_claims_hold(const struct trace_probe *tp, unsigned long site)
{
	return true;
}

static inline bool trace_sig_claims_of_module(const struct trace_probe *tp,
					      const struct module *mod)
{
	return false;
}

static inline void trace_sig_claims_free(struct trace_probe *tp) { }

#define trace_sig_typed(ctx)		((void)(ctx), false)
#define trace_sig_forget(ctx)		((void)(ctx))
#define trace_sig_has_claims(tp)	((void)(tp), false)

#endif /* CONFIG_FTRACE_SIGNATURES */
#endif /* _KERNEL_TRACE_SIG_FETCH_H */
