/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel as the function graph needs, for a program. The task, its stack
 * and its registers are step.c's.
 */
#ifndef HOST_FGRAPH_H
#define HOST_FGRAPH_H

#include "host.h"

struct task_struct {
	int			curr_ret_stack;
	int			curr_ret_depth;
	unsigned long		*ret_stack;
	atomic_t		trace_overrun;
	int			pid;
};
extern struct task_struct host_task;
#define current			(&host_task)

#define panic(...)		host_warn(__FILE__, __LINE__, "panic: " __VA_ARGS__)
#define WARN_ONCE(c, ...)	host_warn(__FILE__, __LINE__, "warning: " __VA_ARGS__)
void host_frames_left(unsigned int nr);
#define pr_warn_once(...)	((void)(frame), host_frames_left(left))
#define sched_clock_inline()	sched_clock_noinstr()
#define this_cpu_read(x)	READ_ONCE(x)
#define in_atomic()		true

static inline void host_preempt_on(int *unused)
{
	preempt_enable_notrace();
}
#define guard(class)		host_guard_##class
#define host_guard_preempt_notrace() \
	int guard_ __attribute__((cleanup(host_preempt_on), unused)) = \
		({ preempt_disable_notrace(); 0; })
/* The only lock is ftrace_lock: users that come in between have to wait for it */
extern struct mutex ftrace_lock;
extern bool host_locked;
static inline void host_unlock(int *unused)
{
	host_locked = false;
}
#define host_guard_mutex(lock) \
	int guard_ __attribute__((cleanup(host_unlock), unused)) = ({ host_locked = true; 0; })
void synchronize_rcu(void);
void synchronize_rcu_tasks(void);
#define synchronize_rcu_tasks_rude()	synchronize_rcu()
struct rcu_head { struct rcu_head *next; };
void host_free_later(struct rcu_head *head);
/* The head is the first member */
#define kvfree_rcu(p, head)	\
	do {	\
		if (p)	\
			host_free_later(&(p)->head);	\
	} while (0)
#define __vmalloc(size, gfp)	kzalloc(size, gfp)	/* which is zeroed anyhow */
#define lockdep_assert_held(lock)	((void)(lock))
#define core_initcall(f)
#if BITS_PER_LONG == 64
#define GOLDEN_RATIO_PRIME	0x61C8864680B583EBUL
#else
#define GOLDEN_RATIO_PRIME	0x61C88647UL
#endif

#define INIT_LIST_HEAD(list)	((void)(list))
#define __weak			__attribute__((weak))
#define __uninitialized
#define __no_stack_protector
#define set_bit(i, p)		(*(p) |= BIT(i))
#define clear_bit(i, p)		(*(p) &= ~BIT(i))
#define find_first_zero_bit(p, n)	((int)__builtin_ctzl(~*(p)))
#define __ffs(x)		__builtin_ctzl(x)
#define for_each_set_bit(i, p, n)	\
	for ((i) = 0; (i) < (n); (i)++)	\
		if (READ_ONCE(*(p)) & BIT(i))

/* Four bytes in one instruction, which the other programs do not need */
#undef cmpxchg
#define cmpxchg(p, old, new)	host_cmpxchg(p, old, new)
void host_step(void);
static __always_inline u32 host_cmpxchg(u32 *p, u32 old, u32 new)
{
	host_step();
	asm volatile("lock; cmpxchgl %2, %1" : "+a" (old), "+m" (*p) : "r" (new) : "memory");
	return old;
}

struct host_work { void (*function)(struct work_struct *work); };
#define DECLARE_WORK(name, function)	struct host_work name = { function }
#define schedule_work(work)	((void)(work))
#define DEFINE_IRQ_WORK(name, function)	struct irq_work name = { function }

struct static_key_false { bool on; };
#define DECLARE_STATIC_KEY_FALSE(name)	extern struct static_key_false name
#define DEFINE_STATIC_KEY_FALSE(name)	struct static_key_false name
#define static_branch_likely(key)	READ_ONCE((key)->on)
#define static_branch_unlikely(key)	READ_ONCE((key)->on)
#define static_branch_enable(key)	((key)->on = true)
#define static_branch_disable(key)	((key)->on = false)
#define CONFIG_HAVE_STATIC_CALL 1
#define DECLARE_STATIC_CALL(name, function)	extern typeof(function) *name##_call
#define DEFINE_STATIC_CALL(name, function)	typeof(function) *name##_call = function
/* The function may change at any time, as an instruction that is patched does */
#define static_call(name)			(*READ_ONCE(name##_call))
#define static_call_update(name, function)	(name##_call = (function))

/* linux/ftrace.h */

struct ftrace_regs { unsigned long sp, result; };
#define ftrace_regs_get_stack_pointer(fregs)	((fregs)->sp)
#define ftrace_regs_get_frame_pointer(fregs)	((void)(fregs), 0UL)
#define ftrace_regs_get_return_value(fregs)	((fregs)->result)
#define CONFIG_HAVE_FUNCTION_GRAPH_FREGS 1
#define CONFIG_FUNCTION_GRAPH_RETVAL 1

struct ftrace_graph_ent { unsigned long func; long depth; };
struct ftrace_graph_ret {
	unsigned long func, retval;
	int depth;
	unsigned int overrun;
	unsigned long long calltime, rettime;
};
struct ftrace_ops {
	void *func, *private;
	unsigned long flags;
};
#define FTRACE_OPS_GRAPH_STUB	0
#define FTRACE_OPS_FL_PID	1
#define ftrace_graph_func	NULL
#define FTRACE_START_FUNC_RET	1
#define FTRACE_STOP_FUNC_RET	2
struct fgraph_ops;
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *, struct fgraph_ops *,
				       struct ftrace_regs *);
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *, struct fgraph_ops *,
				      struct ftrace_regs *);
struct fgraph_ops {
	int idx;
	void *private;
	struct ftrace_ops ops;
	trace_func_graph_ret_t retfunc;
	trace_func_graph_ent_t entryfunc;
	bool (*wants)(struct fgraph_ops *gops, unsigned long func, int depth);
	union {
		struct {
			bool ask_task, ask_off, ask_filter;
		};
		u32 ask;
	};
};
struct ftrace_ret_stack {
	unsigned long ret;
	unsigned long func;
	unsigned long long calltime;
	unsigned long *retp;
};
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
			    struct ftrace_regs *fregs);
int function_graph_enter_regs(unsigned long ret, unsigned long func, unsigned long frame_pointer,
			      unsigned long *retp, struct ftrace_regs *fregs);
unsigned long ftrace_return_to_handler(struct ftrace_regs *fregs);
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
				    unsigned long *retp);
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int idx);
void *fgraph_reserve_data(int idx, int size_bytes);
void *fgraph_retrieve_data(int idx, int *size_bytes);
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops);
int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
void fgraph_init_ops(struct ftrace_ops *dst_ops, struct ftrace_ops *src_ops);
void fgraph_update_pid_func(void);
void ftrace_graph_stop(void);
void return_to_handler(void);
#define dereference_kernel_function_descriptor(f)	(f)
extern struct static_key_false kill_ftrace_graph;
#define ftrace_graph_is_dead()	static_branch_unlikely(&kill_ftrace_graph)
extern trace_func_graph_ret_t ftrace_graph_return;
extern trace_func_graph_ent_t ftrace_graph_entry;
extern int ftrace_graph_active;
int ftrace_enable_ftrace_graph_caller(void);

/* kernel/trace: who wants what is decided by step.c */

#define ftrace_ops_test(ops, func, regs)	host_wants(ops, func)
bool host_wants(struct ftrace_ops *ops, unsigned long func);
int host_hook(struct ftrace_ops *subops);
#define ftrace_startup_subops(ops, subops, command)	\
	((void)(ops), (void)(command), host_hook(subops))
void host_unhook(struct ftrace_ops *subops);
#define ftrace_shutdown_subops(ops, subops, command)	\
	((void)(ops), (void)(command), host_unhook(subops))
#define ftrace_pids_enabled(ops)	((void)(ops), false)
#define FTRACE_PID_IGNORE	(-1)
#define FTRACE_PID_TRACE	(-2)
struct trace_array_cpu { int ftrace_ignore_pid; };
struct trace_array { struct { struct trace_array_cpu *data; } array_buffer; };

#endif /* HOST_FGRAPH_H */
