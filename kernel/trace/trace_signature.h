/* SPDX-License-Identifier: GPL-2.0 */
/* The interface by which tracers print the words of an event by its signature. */
#ifndef _KERNEL_TRACE_SIGNATURE_H
#define _KERNEL_TRACE_SIGNATURE_H

#include <linux/ftrace_signature.h>

struct array_buffer;
struct cpumask;
struct trace_array;
struct trace_iterator;

/* Options that only one of the two tracers has */
enum trace_sig_option {
	TRACE_SIG_FUNC_ARGS,
	TRACE_SIG_FUNC_NAMES,
	TRACE_SIG_FUNC_STRINGS,
	TRACE_SIG_FUNC_STRUCTS,
	TRACE_SIG_GRAPH_ARGS,
	TRACE_SIG_GRAPH_RETVAL,
	TRACE_SIG_GRAPH_NAMES,
	TRACE_SIG_GRAPH_STRINGS,
	TRACE_SIG_GRAPH_STRUCTS,
	TRACE_SIG_GRAPH_CHANGES,
	TRACE_SIG_GRAPH_EXIT_ARGS,
};

/* Beside enum trace_iter_flags: the text goes to the kernel's log */
#define TRACE_FILE_KERNEL_LOG	BIT(8)

/* How many reused ranges of modules are told apart, see reuse.c */
#define TRACE_SIG_REUSED	16

/**
 * struct trace_sig_call - what the events of a call have
 * @ip: address of the function's call site in the running kernel
 * @args: the words behind the fields of the entry, or NULL without an entry
 * @nr_args: how many
 * @attached: the words that are attached to the entry
 * @nr_attached: how many
 * @result: the words behind the fields of the return, or NULL without a return
 * @nr_result: how many
 * @result_attached: the words that are attached to the return
 * @nr_result_attached: how many
 * @classes: FTRACE_SIG_FOLLOW_STRINGS and so on: what to show of copied memory
 * @names: print integers by the names of constants
 *
 * The words need no more alignment than events have: four bytes.
 */
struct trace_sig_call {
	unsigned long	ip;
	const void	*args;
	unsigned int	nr_args;
	const void	*attached;
	unsigned int	nr_attached;
	const void	*result;
	unsigned int	nr_result;
	const void	*result_attached;
	unsigned int	nr_result_attached;
	u32		classes;
	bool		names;
};

/* Only with CONFIG_FTRACE_SIGNATURES */
void trace_sig_print_name(struct trace_iterator *iter, unsigned long ip);
bool trace_sig_print_ip(struct trace_iterator *iter, unsigned long ip, unsigned long flags);

#ifdef CONFIG_FTRACE_SIGNATURES

bool trace_sig_is_current(const struct trace_iterator *iter, unsigned long ip);
unsigned int trace_sig_symbols(const struct trace_iterator *iter);
void trace_sig_clock_changes(struct trace_array *tr, const char *clock);
void trace_sig_resets(struct array_buffer *buf, const struct cpumask *cpus);
void trace_sig_reset(struct array_buffer *buf, const struct cpumask *cpus);
void trace_sig_print_args(struct trace_iterator *iter, const struct trace_sig_call *call);
bool trace_sig_print_result(struct trace_iterator *iter, const struct trace_sig_call *call,
			    unsigned long retval, bool hex);
bool trace_sig_print_changes(struct trace_iterator *iter, const struct trace_sig_call *call);
unsigned int trace_sig_first_block(const void *attached, unsigned int nr);

void trace_sig_note_option(struct trace_array *tr, enum trace_sig_option option);
void trace_sig_note_follow(struct trace_array *tr, enum trace_sig_option option, bool args);

#ifdef CONFIG_FTRACE_SIGNATURES_LOADABLE
void trace_sig_hint(void);
#else
static inline void trace_sig_hint(void) { }
#endif

#else

static inline void trace_sig_hint(void) { }
static inline void trace_sig_clock_changes(struct trace_array *tr, const char *clock) { }
static inline void trace_sig_resets(struct array_buffer *buf, const struct cpumask *cpus) { }
static inline void trace_sig_reset(struct array_buffer *buf, const struct cpumask *cpus) { }
static inline void trace_sig_note_option(struct trace_array *tr,
					 enum trace_sig_option option) { }
static inline void trace_sig_note_follow(struct trace_array *tr,
					 enum trace_sig_option option, bool args) { }

static inline void trace_sig_print_args(struct trace_iterator *iter,
					const struct trace_sig_call *call) { }

static inline bool trace_sig_print_result(struct trace_iterator *iter,
					  const struct trace_sig_call *call,
					  unsigned long retval, bool hex)
{
	return false;
}

static inline bool trace_sig_print_changes(struct trace_iterator *iter,
					   const struct trace_sig_call *call)
{
	return false;
}

static inline unsigned int trace_sig_first_block(const void *attached, unsigned int nr)
{
	return nr;
}

#endif /* CONFIG_FTRACE_SIGNATURES */
#endif /* _KERNEL_TRACE_SIGNATURE_H */
