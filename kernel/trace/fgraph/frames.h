/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames on a task's return stack: their layout, and how they come and go.
 *
 * Documentation/trace/fgraph-design.rst draws the layout, and names the invariants that
 * the comments here refer to (F1 to F5).
 */
#ifndef _TRACE_FGRAPH_FRAMES_H
#define _TRACE_FGRAPH_FRAMES_H

#include <linux/ftrace.h>
#include <linux/sched.h>

/* One call whose return somebody wants; what users keep for it follows */
struct fgraph_frame {
	struct ftrace_ret_stack	call;
	union {
		struct {
			u16	below;	/* the word at which the frame below begins */
			u16	users;	/* a bit per user who wants the return */
			u32	epoch;	/* which registrations @users is about */
		};
		u64		mark;	/* all of these */
	};
};

/* What a user keeps from the entry to the return of a call: this, then the data */
struct fgraph_kept {
	u16			user;
	u16			nr_words;
#ifdef CONFIG_64BIT
	u32			unused;
#endif
};

/* In words. The last ones are a variable for each user, which lives as long as the task */
#define FGRAPH_MAX_USERS	16
#define FGRAPH_STACK_BYTES	4096
#define FGRAPH_STACK_WORDS	(FGRAPH_STACK_BYTES / sizeof(long))
#define FGRAPH_FRAME_WORDS	(sizeof(struct fgraph_frame) / sizeof(long))
#define FGRAPH_KEPT_WORDS	(sizeof(struct fgraph_kept) / sizeof(long))
#define FGRAPH_VARIABLES	(FGRAPH_STACK_WORDS - FGRAPH_MAX_USERS)

static_assert(sizeof(struct fgraph_frame) % sizeof(long) == 0);
static_assert(sizeof(struct fgraph_kept) == sizeof(long));

/*
 * The position of a stack, task_struct::curr_ret_stack, has two words of the stack: the
 * one at which the top frame begins, and the one behind its end. It changes in one store,
 * so no interrupt ever sees one without the other (F1). It is 0 if there is no frame.
 */
static __always_inline int fgraph_position(unsigned int begin, unsigned int end)
{
	return begin << 16 | end;
}

static __always_inline unsigned int fgraph_begin(int position)
{
	return position >> 16;
}

static __always_inline unsigned int fgraph_end(int position)
{
	return position & 0xffff;
}

/* fgraph_frame::mark, but for the word in it */
static __always_inline u64 fgraph_mark(unsigned int users, u32 epoch)
{
	struct fgraph_frame frame = { .users = users, .epoch = epoch };

	return frame.mark;
}

/*
 * Whether a frame has this mark, and give it to one, whose word below is @below. With 32 bits,
 * this is done by members: the compiler would shift what needs no shifting.
 */
#ifdef CONFIG_64BIT
static __always_inline bool fgraph_has_mark(const struct fgraph_frame *frame, u64 mark)
{
	return !((frame->mark ^ mark) >> 16);
}

static __always_inline void fgraph_set_mark(struct fgraph_frame *frame, u64 mark,
					    unsigned int below)
{
	frame->mark = mark | below;
}
#else
static __always_inline bool fgraph_has_mark(const struct fgraph_frame *frame, u64 mark)
{
	struct fgraph_frame other = { .mark = mark };

	return frame->users == other.users && frame->epoch == other.epoch;
}

static __always_inline void fgraph_set_mark(struct fgraph_frame *frame, u64 mark,
					    unsigned int below)
{
	struct fgraph_frame other = { .mark = mark };

	frame->users = other.users;
	frame->epoch = other.epoch;
}
#endif

/*
 * The position of what is below @frame, which begins at @begin: the frame below ends
 * where this one begins (F2).
 */
static __always_inline int fgraph_below(const struct fgraph_frame *frame, unsigned int begin)
{
	return fgraph_position(READ_ONCE(frame->below), begin);
}

/* Where a frame begins that is put on a stack with this position */
static __always_inline struct fgraph_frame *fgraph_next_frame(unsigned long *stack, int position)
{
	return (struct fgraph_frame *)&stack[fgraph_end(position)];
}

/* Whether a frame fits behind that of @position */
static __always_inline bool fgraph_has_room(int position)
{
	return likely(fgraph_end(position) <= FGRAPH_VARIABLES - FGRAPH_FRAME_WORDS);
}

/*
 * Put @frame, the next one, on the stack for a function that returns to @ret, which stands
 * at @retp. There is room for it. All other fields are to be written behind this.
 *
 * What interrupts us pushes and pops frames at the same place, and an unwinder may come
 * with an NMI between any two instructions. It must never find our @retp with the address
 * of another function, so the frame has no @retp until it has the address (F3).
 */
static __always_inline void
fgraph_push(struct task_struct *task, struct fgraph_frame *frame, int position,
	    unsigned long ret, unsigned long *retp)
{
	unsigned int begin = fgraph_end(position);

	/* An interrupt writes the same, as it begins where we do (F2) */
	WRITE_ONCE(frame->below, fgraph_begin(position));
	WRITE_ONCE(frame->call.retp, NULL);
	/* LMM(fgraph_push:A): these, then the frame is there */
	barrier();
	WRITE_ONCE(task->curr_ret_stack, fgraph_position(begin, begin + FGRAPH_FRAME_WORDS));
	/* LMM(fgraph_push:B): from here on, no interrupt writes to the frame */
	barrier();
	WRITE_ONCE(frame->call.ret, ret);
	WRITE_ONCE(frame->call.retp, retp);
}

/* Give the stack the position it had before a frame, or what is kept in it, was put there */
static __always_inline void fgraph_reset(struct task_struct *task, int position)
{
	/* LMM(fgraph_reset:A): done with the frame, then interrupts may write over it */
	barrier();
	WRITE_ONCE(task->curr_ret_stack, position);
}

/*
 * Whether @position can be one. That of another task may change while it is read, and
 * then what is read from its stack may be anything.
 */
static inline bool fgraph_is_frame(int position)
{
	return fgraph_begin(position) + FGRAPH_FRAME_WORDS <= fgraph_end(position) &&
	       fgraph_end(position) <= FGRAPH_VARIABLES;
}

/*
 * The frame at *@position, which becomes that of what is below; NULL if there is none.
 * Ends also on nonsense, since each frame ends below the one before it.
 */
static inline struct fgraph_frame *fgraph_next(unsigned long *stack, int *position)
{
	struct fgraph_frame *frame;

	if (!fgraph_is_frame(*position))
		return NULL;
	frame = (struct fgraph_frame *)&stack[fgraph_begin(*position)];
	*position = fgraph_below(frame, fgraph_begin(*position));
	return frame;
}

/* The frame of a stack with this position, which has one */
static __always_inline struct fgraph_frame *fgraph_top_at(unsigned long *stack, int position)
{
	return (struct fgraph_frame *)&stack[fgraph_begin(position)];
}

/* The frame of the call that is entered or returns, for callbacks */
static __always_inline struct fgraph_frame *fgraph_top(struct task_struct *task)
{
	return fgraph_top_at(task->ret_stack, task->curr_ret_stack);
}

/* fgraph_get_task_var() in line */
static __always_inline unsigned long *fgraph_task_var(struct task_struct *task,
						      const struct fgraph_ops *gops)
{
	return &task->ret_stack[FGRAPH_VARIABLES + gops->idx];
}

#endif /* _TRACE_FGRAPH_FRAMES_H */
