// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer: how events are written and read
 * ================================================
 *
 * Each CPU has a ring of its own. Only that CPU writes to it, in whatever
 * context: a writer may be interrupted by another at any point, and is not
 * resumed before that one is done. So the writers of a ring nest like the frames
 * of a stack, and no two run at the same time. Readers may be on any CPU; a lock
 * serializes them. A writer never waits for a reader or for another writer, and
 * retries only if it was interrupted.
 *
 * Terms
 * -----
 * A *sub-buffer* is some pages of memory with a header and events, laid out as
 * user space reads it (ring_buffer_page.h). A ring has nr_slots *slots*, with
 * a sub-buffer in each, and one more sub-buffer, which the reader owns. Writers
 * go from slot to slot, *lap* after lap. A sub-buffer in a slot in one lap is
 * one filling of it, a *use* (struct rb_use).
 *
 * A *position* is a count of bytes that goes on from one sub-buffer to the
 * next, modulo 2^32: the position of the first byte of data of a use is its
 * tag, the next use's tag is one sub-buffer size more. Tags are multiples of that
 * size, and the data is shorter: so any position in a use tells the tag.
 *
 * The word
 * --------
 * One 64-bit word of the ring, @word, has the position behind the last event
 * that was begun in its lower half, and the lower half of that event's time in
 * its upper half. A writer begins an event by moving the word, in one local
 * compare and exchange, to the position behind the new event and that event's
 * time. If it succeeds, it owns the bytes between the two positions, and knows
 * how much time has passed between the two events. A nested writer sees both
 * halves before the change, or both after it.
 *
 * An interrupted writer can find the same word although others wrote in only two
 * cases. They wrote an exact multiple of 4 GB, in an exact multiple of 2^32 ns.
 * Or they took back all that they wrote: then nothing has changed.
 *
 * Time
 * ----
 * The word has only half of the last event's time, which is modulo 2^32 ns, an
 * *epoch*. The other half, the epoch's number, is in @limit, the epoch's last
 * moment. The slow way notes it there after it has moved the word. The fast way
 * only takes events that are in the noted epoch and not before the last event.
 *
 * Nested writers may run between the two steps. For them, the slow way announces an
 * event of a later epoch before it moves the word: @ahead has the word that it will
 * store, and the epoch. A nested writer that finds the announced word in place notes
 * the epoch itself. So the last event's time is always known (rb_epoch()). The fast
 * way is shut until the epoch is noted.
 *
 * As long as the clock goes forward, no other writer stores the announced word: the
 * clock was read before the word, and a writer that has moved the word since has
 * noted an epoch that is not earlier. If the clock goes back meanwhile, by an exact
 * multiple of 2^32 ns, an event of the same length could store that word, and the
 * time of the next event would be wrong by as much.
 *
 * If the clock says less than the last event's time because a nested writer wrote
 * that event, the new event gets the time of the last one. A delta is never negative,
 * and the events of a sub-buffer are in the order of time.
 *
 * If there was no nested writer, the clock went back: another clock was chosen while
 * a CPU was offline, or the clock was set. Time goes on from there: the event begins
 * the next sub-buffer (rb_go_back()), which has a time of its own. Its epoch may be
 * earlier than the noted one. It is announced, too, and a nested writer that finds it
 * announced and not noted cannot tell whether the word was moved already. While it is
 * announced, no other epoch is noted, and while a later epoch is announced, no earlier
 * one is: so the interrupted writer can always note its own. Time stands still for
 * events written in these moments, and for an event for which the next sub-buffer has
 * no room: that is better than losing the event.
 *
 * @limit must never have a later epoch than that of the last event. So an event is
 * not taken back if it was the first of its epoch, nor if it has its whole time: then
 * the time of the event before is not known (rb_take_back()).
 *
 * Writing an event
 * ----------------
 * Each step is one access to memory that others can see. An interruption may
 * come before any of them.
 *
 *	W1	Mark the frame as taken: an event is open. If it was taken, put
 *		what it has aside first, and put it back at the end.
 *	W2	Read the clock. That may be traced, and write events itself: not
 *		later than this, or W4 would never succeed.
 *	W3	Read the word; find the use that it points into. Is nothing in
 *		it open, is there room, is the epoch that which is noted, and
 *		the time since the last event short? Else it is done out of line
 *		(ring_buffer_tail.c), from W2 on.
 *	W4	Move the word. If it has changed since W3: again from W2.
 *	W5	Write the event's first word, and fill in the frame.
 *	...	The caller writes the data.
 *	C1	Count the event. If an older one is open in its use (@inner,
 *		found out between W4 and W5), go to C4.
 *	C2	Show the event: @commit of its use := position behind it. From
 *		here on, the use may be closed and used anew by others.
 *	C3	Read the word. If it points behind what is shown, show all up to
 *		there, and look again.
 *	C4	Free the frame, or put back what was put aside.
 *
 * @commit of a use is how far readers may read. All before it is written:
 *
 *	I1	If no event of a use is open, all of it is shown.
 *	I2	All events of a use before @commit are written, and stay so.
 *	I3	@commit only goes forward.
 *
 * Whether an event has older open ones before it in its use shows in @commit:
 * it is then not where the event begins. Such an event is not shown by its own
 * writer, who leaves it to the oldest. Nothing changes that while it is open:
 * the older ones are interrupted. The oldest runs again only when all that
 * interrupted it are done; in C3 it shows them with its own (I2). If it reads
 * the word and is interrupted before it shows what it read, the newcomer finds
 * @commit less than its own beginning, and leaves its event too; C3 finds that.
 * If it is interrupted after that, the newcomer finds all shown, and shows its
 * event itself. C3 must then not store the older value that it read (I3):
 * rb_show() reads @commit after the word, and stores only what is more. What is
 * more was left to it, so that nobody else stores before it does.
 *
 * Once all is shown, a nested writer may even close the use, go round the ring and
 * reuse it before C3 looks: C3 then finds @commit outside the range that the use had,
 * and does nothing. The store that closes a use is the last access to it.
 *
 * A nested event is safe although the events that it interrupted are not done: they
 * own other bytes.
 *
 * An event that is dropped at last moves the word back, if it is still the
 * last. Otherwise it stays, and readers skip it.
 *
 * A tracer that fills its event in at once has no frame for it
 * (ring_buffer_put_begin()): there are only W2 to W5 and C1 to C3. Others see
 * that it is open by @commit, as that of any event, and those who would swap the
 * ring do, too (rb_busy()). If the ring is swapped between the look whether it is
 * the buffer's and W3, the time might be later than the swap: there is no room then,
 * as the ring's last use has lost its @brim. The use that is then the last gets a @brim
 * again once that writer must be done (rb_end_swap()); until then, all writers go the
 * slow way. If it is swapped between W3 and W4, the event is the last in it, and
 * of a time before the swap.
 *
 * On to the next sub-buffer
 * -------------------------
 * A slot, a 64-bit word too, has the number of its sub-buffer and the lap in
 * which that is to be filled or has been. If the lap is the one that the
 * writer is about to be in, the sub-buffer is free. If it is the lap before,
 * its events are unread: the writer may overwrite them, unless told otherwise,
 * by moving the slot to its lap in one compare and exchange. The reader takes
 * the sub-buffer by the same means, putting its own, free one there instead,
 * for the next lap. So one of them gets the events, and no one both.
 *
 *	N1	Claim the slot. Is a use to be overwritten in which an event is
 *		open, as @commit tells, the new event is refused.
 *	N2	Close the use: move the word to its end, like an event of all
 *		that is left, and note in @end where the events end. Show that.
 *	N3	Move the word into the next use: that begins the event.
 *	N4	Clear the sub-buffer's header and store its time; make the
 *		page's other use ready for the lap after. If the memory outlives
 *		the kernel, note there that this lap was begun.
 *	N5	Let @tail point to the use. Has the word moved on? Then again
 *		for where it points now.
 *
 * Between any two steps a nested writer may do the same. Only the writer that moved
 * the word in N2 writes @end, like the ordinary memory of an event. (The
 * writer of an event that ends with the use does, too.) After N2, any other writer
 * finds the use full and goes on with N3. N1 and N3 succeed for one. @commit ==
 * the end of the use says that it is closed and that all its events are written:
 * nothing is ever written to it again, and readers and writers may go on to the
 * next lap (I2).
 *
 * Two uses a page
 * ---------------
 * The fields of a use must be ready before its first writer runs. The writers
 * cannot each make them ready: the last one would clear what the first one
 * wrote. So each page has two uses, of even laps and of odd ones. The one of
 * the next lap is made ready in this one, by N4: the writer of the first event
 * of a use has the other one to itself, for nothing of this use is shown before
 * its event, hence it is not closed, hence not claimed. The reader makes that
 * of the free sub-buffer ready before it puts it into the ring.
 *
 * @slot and @end are the page's: both uses are of the same slot while they are in
 * the ring, and @end is written when a use is full, and not read any more once it
 * is claimed. The lap is not kept: it is the slot's, or one less, whichever is
 * even as the use is (rb_use_lap()). Nor is the memory's address, but by way of
 * a use: who looks at a page that a writer may be about to use looks at both
 * (rb_page_subbuf()).
 *
 * @tail
 * -----
 * It saves looking for the use in the slots, and may be behind. That cannot
 * mislead: the position in the word lies in one use only. A writer that sees that
 * @tail is behind finds the use by counting slots (rb_find_use()). It is there: @tail
 * is only behind while the writer that did N3 has not yet done N5. Its event is
 * the first of a use and is open, so the reader does not take that sub-buffer
 * or one behind it, and writers do not claim it. The store in N5 may be older
 * than those of writers that came in between: therefore it looks again.
 *
 * Positions are compared modulo 2^32. Writers that are nested in an event with
 * a frame stop at 1 GB from where the last one began that was not nested (@far).
 * One without a frame is open for a few instructions: an interrupt in between
 * would have to write 4 GB to mislead it.
 *
 * Reading
 * -------
 *	R1	Is there more in the reader's use than was read? Events are there
 *		when @commit says so (rb_short_end:A and rb_use_size:A). If not, and
 *		the use is not closed, that was all.
 *	R2	Read the next slot. If its lap is later, its events were
 *		overwritten: go on to what is the oldest. If nothing is shown
 *		in its use, and the slot still has it: that was all.
 *	R3	Make the reader's sub-buffer ready for the slot's next lap.
 *	R4	Change the two in one compare and exchange, a full barrier. If
 *		the slot has changed, the writer got it: again from R2.
 *	R5	Now it is the reader's. The writer may still write to it.
 *	R6	Events up to @commit may be read.
 *
 * If R4 fails, the reader's sub-buffer was made ready for a slot that has another
 * one: both have the same tag, until the reader tries again. Writers do not find it
 * by way of the slots; but it may be what an interrupted writer has found to be the
 * tail, long before. The fast way does not take it, as it has no @brim. The slow way
 * reads the word first and then @tail: if the word has not changed at W4, then no one
 * has changed @tail between.
 *
 * How many events were overwritten is counted after N1 and read before R4.
 * Events that the writer has claimed and not yet counted are reported with the
 * sub-buffer after next.
 *
 * What else may happen
 * --------------------
 * Turning recording off, choosing another clock or absolute times clears @fast, so
 * that the next writer goes the slow way. That writer sets @fast again, and checks
 * again. One of the two sees what the other did (rb_shut:A and rb_open_fast:A), so
 * @fast does not stay set when it should not.
 *
 * Documentation/trace/ring-buffer-design.rst lists the memory barriers, each with
 * what it pairs with.
 *
 * Swapping the rings of two buffers and resizing is done on the CPU with
 * interrupts off while no frame is taken. A writer between looking for its
 * ring and W1 finds in W3 that the ring is no longer its buffer's, and starts again
 * with the buffer's new ring (rb_reserve_anew()).
 */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/minmax.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "ring_buffer_inline.h"

/* Stands in for the ring of a CPU that has none. */
struct rb_cpu rb_none = { .frame.use = &rb_none.before.use[1] };

/* Events within others that are announced on this CPU, see ring_buffer_nest_start(). */
static DEFINE_PER_CPU(unsigned int, rb_announced);

/* Kinds of contexts of which the later ones interrupt the others. */
#define RB_CONTEXTS	4

/* That of a task where nothing is announced: there is none below. */
#define RB_TASK		1

/*
 * The context that we are in: more than that of what we have interrupted. An event
 * that is announced is as if it came in another context.
 */
static u8 rb_context(void)
{
	return RB_TASK + interrupt_context_level() + RB_CONTEXTS * this_cpu_read(rb_announced);
}

/*
 * Is the context that of the innermost open event? As no one looks for it on the
 * fast way, that of the outermost is only known if there is none below.
 */
static bool rb_is_again(struct rb_cpu *cpu, u8 context)
{
	return context <= max_t(u8, cpu->frame.context, RB_TASK);
}

/* The innermost open event is done: the event around it is now the innermost one. */
static void rb_frame_pop(struct rb_cpu *cpu)
{
	u8 deep = cpu->deep;

	/* LMM(rb_frame_pop:A): all that the event was for, then the frame */
	barrier();
	if (!deep) {
		cpu->inner = false;
		cpu->full = false;
		/* LMM(rb_frame_pop:B): the frame is as it was, then the mark is gone */
		barrier();
		WRITE_ONCE(cpu->frame.use, NULL);
		return;
	}
	cpu->frame = cpu->saved[deep - 1];
	cpu->inner = cpu->saved[deep - 1].inner;
	/* LMM(rb_frame_pop:C): put back, then its place may be used */
	barrier();
	WRITE_ONCE(cpu->deep, deep - 1);
}

static struct ring_buffer_event *
rb_reserve_anew(struct trace_buffer *buffer, struct rb_cpu *was, unsigned long size,
		unsigned int attached);

/*
 * Begin an event that is not an ordinary one, for which the frame is marked. If there
 * is no place for it, the frame is given back.
 */
static struct ring_buffer_event *
rb_reserve_slow(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
		unsigned int attached)
{
	struct ring_buffer_event *event = rb_reserve_tail(buffer, cpu, size, attached);
	bool swapped;

	if (event)
		return event;
	swapped = READ_ONCE(cpu->buffer) != buffer;
	rb_frame_pop(cpu);
	return swapped ? rb_reserve_anew(buffer, cpu, size, attached) : NULL;
}

/*
 * Begin an event within another, or in no ring: the frame of the outer one is
 * put aside. A writer that comes in between does the same and puts all back.
 *
 * If it is in the same context as the other, that may trace itself. Once it is let
 * pass: for a function that is traced in it, or on the way into an interrupt, before
 * that is known to be one.
 */
noinline struct ring_buffer_event *
rb_reserve_nested(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
		  unsigned int attached)
{
	u8 context = rb_context();
	bool again;

	if (cpu == &rb_none)
		return NULL;
	again = rb_is_again(cpu, context);
	if ((again && cpu->frame.again) || cpu->deep == RB_NEST_MAX - 1) {
#ifdef CONFIG_RING_BUFFER_RECORD_RECURSION
		do_ftrace_record_recursion(_THIS_IP_, _RET_IP_);
#endif
		return NULL;
	}
	cpu->saved[cpu->deep] = cpu->frame;
	cpu->saved[cpu->deep].inner = cpu->inner;
	/* LMM(rb_reserve_nested:A): put aside, then said to be */
	barrier();
	WRITE_ONCE(cpu->deep, cpu->deep + 1);
	/* LMM(rb_reserve_nested:B): and only then changed */
	barrier();
	cpu->frame.context = context;
	cpu->frame.again |= again;
	return rb_reserve_slow(buffer, cpu, size, attached);
}

/* Begin an event of @size bytes the slow way, @attached of them for what is attached. */
static struct ring_buffer_event *
rb_reserve_any(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
	       unsigned int attached)
{
	if (cpu->frame.use)
		return rb_reserve_nested(buffer, cpu, size, attached);
	WRITE_ONCE(cpu->frame.use, cpu->tail);
	/* LMM(rb_reserve_any:A): the mark, then all looks; who swaps looks at the mark */
	barrier();
	return rb_reserve_slow(buffer, cpu, size, attached);
}

/*
 * @was was swapped away before it was marked: the buffer has another ring now.
 * Or this is an NMI that interrupted the code that is about to give it another.
 */
static noinline struct ring_buffer_event *
rb_reserve_anew(struct trace_buffer *buffer, struct rb_cpu *was, unsigned long size,
		unsigned int attached)
{
	struct rb_cpu *cpu = rb_this_cpu(buffer);

	return cpu == was ? NULL : rb_reserve_any(buffer, cpu, size, attached);
}

/*
 * The event is done: restore the frame from before it. Only a writer that has shown
 * events wakes waiters: events behind an open one cannot be read yet.
 */
static void rb_end_frame(struct rb_cpu *cpu, bool shown)
{
	/* LMM(rb_end_frame:A): shown or left, then the frame is gone */
	barrier();
	rb_frame_pop(cpu);
	if (shown && READ_ONCE(cpu->wake))
		rb_wake(cpu);
}

/* The event is shown, and done. */
noinline void rb_commit_end(struct rb_cpu *cpu)
{
	rb_end_frame(cpu, true);
}

/* Events that are nested, or fill the use, or are looked at from outside. */
noinline void rb_commit_slow(struct rb_cpu *cpu)
{
	struct rb_frame *frame = &cpu->frame;
	bool shows = !cpu->inner;

	local_inc(&frame->use->entries);
	/* LMM(rb_commit_slow:A): counted, then shown, by us or by whoever comes */
	barrier();
	if (shows)
		rb_show(cpu, frame->use, rb_use_tag(cpu, frame->use));
	rb_end_frame(cpu, shows);
}

/* Events came behind ours before it was shown, and left it to us to show them. */
noinline void rb_commit_late(struct rb_cpu *cpu)
{
	rb_show(cpu, cpu->frame.use, cpu->frame.end);
	rb_commit_end(cpu);
}

/* Bytes of an event with @length bytes of data, more than there can be if that is too long */
static unsigned long rb_size_of(unsigned long length)
{
	return length < PAGE_SIZE << RB_MAX_ORDER ? rb_event_room(length) : ULONG_MAX;
}

/**
 * ring_buffer_put_begin_slow - begin an event of a tracer's own, at any moment
 * @buffer: the buffer to write to
 * @length: bytes of data
 *
 * The event has a frame, as any other.
 *
 * Context: that of ring_buffer_put_begin().
 * Return: what is to be filled in and ended by ring_buffer_put_end_slow(), or
 * NULL as for ring_buffer_lock_reserve().
 */
void *ring_buffer_put_begin_slow(struct trace_buffer *buffer, unsigned long length)
{
	struct ring_buffer_event *event;

	/* often, and for long */
	if (atomic_read(&buffer->record_disabled))
		return NULL;
	event = rb_reserve_any(buffer, rb_this_cpu(buffer), rb_size_of(length), 0);
	return event ? ring_buffer_event_data(event) : NULL;
}

/**
 * ring_buffer_put_attached_slow - begin an event with attached memory, at any moment
 * @buffer: the buffer to write to
 * @length: bytes of data, not 0
 * @size: bytes of the memory, a multiple of four; 0 if there is none
 * @attached: gets where to fill it in, if there is any
 *
 * As ring_buffer_put_begin_slow(). The event is not to be discarded.
 *
 * Context: that of ring_buffer_put_begin().
 * Return: what is to be filled in and ended by ring_buffer_put_end_slow(), or NULL.
 */
void *ring_buffer_put_attached_slow(struct trace_buffer *buffer, unsigned int length,
				    unsigned int size, void **attached)
{
	unsigned int room = rb_attached_room(size);
	struct ring_buffer_event *event;

	if (!size)
		return ring_buffer_put_begin_slow(buffer, length);
	if (atomic_read(&buffer->record_disabled))
		return NULL;
	event = rb_reserve_any(buffer, rb_this_cpu(buffer), room + rb_event_room(length), room);
	if (!event)
		return NULL;
	*attached = (void *)rb_event_behind_stamp(event) + RB_ATTACHED_HEADER;
	return __ring_buffer_event_data(event);
}

/**
 * ring_buffer_put_end_slow - end an event of ring_buffer_put_begin_slow()
 * @buffer: the buffer that the event is in
 */
void ring_buffer_put_end_slow(struct trace_buffer *buffer)
{
	/* while an event is open, its ring is not swapped */
	rb_commit_slow(rb_this_cpu(buffer));
}

/*
 * The same, for the interface that disables preemption: each is the last thing
 * that its caller does, so that the fast way need not keep anything for it.
 */
static noinline struct ring_buffer_event *
rb_lock_reserve_slow(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long length)
{
	struct ring_buffer_event *event = rb_reserve_slow(buffer, cpu, rb_size_of(length), 0);

	if (!event)
		preempt_enable_notrace();
	return event;
}

static noinline struct ring_buffer_event *
rb_lock_reserve_nested(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long length)
{
	struct ring_buffer_event *event = rb_reserve_nested(buffer, cpu, rb_size_of(length), 0);

	if (!event)
		preempt_enable_notrace();
	return event;
}

static noinline void rb_unlock_commit_end(struct rb_cpu *cpu)
{
	rb_commit_end(cpu);
	preempt_enable_notrace();
}

static noinline void rb_unlock_commit_slow(struct rb_cpu *cpu)
{
	rb_commit_slow(cpu);
	preempt_enable_notrace();
}

static noinline void rb_unlock_commit_late(struct rb_cpu *cpu)
{
	rb_commit_late(cpu);
	preempt_enable_notrace();
}

/**
 * ring_buffer_lock_reserve - begin an event
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, 1 to ring_buffer_max_event_size()
 *
 * The data, at ring_buffer_event_data(), is to be filled in and the event then
 * to be ended, by ring_buffer_unlock_commit() or ring_buffer_discard_commit().
 * Until then preemption is disabled. Events of one CPU may be nested, each
 * ended before the one it was begun in.
 *
 * Context: any, also NMI.
 * Return: the event, or NULL if it cannot be written: recording is off, the
 * buffer is full, the data is too long, or it is within an event of the same context
 * for the second time, and not announced by ring_buffer_nest_start().
 */
struct ring_buffer_event *
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length)
{
	preempt_disable_notrace();
	return rb_begin(buffer, rb_this_cpu(buffer), length,
			rb_lock_reserve_nested, rb_lock_reserve_slow);
}
EXPORT_SYMBOL_GPL(ring_buffer_lock_reserve);

/**
 * ring_buffer_unlock_commit - end the event begun last, and keep it
 * @buffer: the buffer it is in
 *
 * Context: that of its ring_buffer_lock_reserve().
 * Return: 0
 */
int ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	if (rb_end(rb_this_cpu(buffer), rb_unlock_commit_slow, rb_unlock_commit_late,
		   rb_unlock_commit_end))
		preempt_enable_notrace();
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/**
 * ring_buffer_write - write a whole event
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of @data
 * @data: what to write
 *
 * Context: any, also NMI.
 * Return: 0, or -EBUSY for what ring_buffer_lock_reserve() returns NULL.
 */
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length, void *data)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return -EBUSY;
	memcpy(ring_buffer_event_data(event), data, length);
	return ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_write);

/*
 * Give back the space of the event that was begun last, if it is still at the
 * end. The time goes back to that of the event before, so that the next delta
 * counts from there. If that time is not known, or has another upper half, which
 * cannot go back, the event stays.
 */
static bool rb_take_back(struct rb_cpu *cpu, struct ring_buffer_event *event, u32 start)
{
	u64 word = rb_word_read(cpu), before = cpu->frame.time;

	if (rb_word_pos(word) != start + rb_event_whole(event) ||
	    event->type_len == RINGBUF_TYPE_TIME_STAMP)
		return false;
	before -= rb_event_is_stamp(event) ? rb_event_stamp(event) : event->time_delta;
	if (before >> 32 != cpu->frame.time >> 32)
		return false;
	return rb_word_move(cpu, word, rb_word(start, before));
}

/*
 * Make an event one that readers skip. Its delta must not be 0, or it would mark
 * the end of the sub-buffer; the real delta is stored behind the length, if there
 * is room.
 */
static void rb_make_padding(struct ring_buffer_event *event)
{
	u32 delta;

	event = rb_event_behind(event);
	delta = event->time_delta;
	event->array[0] = rb_event_size(event) - RB_HEADER;
	if (event->array[0] > RB_WORD)
		event->array[1] = delta;
	event->type_len = RINGBUF_TYPE_PADDING;
	event->time_delta = max(delta, 1U);
}

/**
 * ring_buffer_discard_commit - end the event begun last, and drop it
 * @buffer: the buffer it is in
 * @event: the event
 *
 * Its space is used again, unless events were written behind it.
 *
 * Context: that of its ring_buffer_lock_reserve().
 */
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event)
{
	struct rb_cpu *cpu = rb_this_cpu(buffer);
	struct rb_use *use = cpu->frame.use;
	u32 start = (unsigned long)event - use->base;
	bool shows = false;

	if (!rb_take_back(cpu, event, start)) {
		rb_make_padding(event);
		/* LMM(ring_buffer_discard_commit:A): skipped, then shown */
		barrier();
		shows = READ_ONCE(use->commit) == start;
	}
	/* what was written behind it, too */
	if (shows)
		rb_show(cpu, use, start);
	rb_end_frame(cpu, shows);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * ring_buffer_event_time_stamp - the time of the event begun last
 * @buffer: the buffer it is in
 * @event: the event
 *
 * Context: between its ring_buffer_lock_reserve() and its end.
 * Return: the time, by the clock of @buffer.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	struct rb_cpu *cpu = rb_this_cpu(buffer);

	if (WARN_ON_ONCE(!cpu->frame.use))
		return rb_clock(buffer);
	return cpu->frame.time;
}

/**
 * ring_buffer_nest_start - announce an event within another
 * @buffer: the buffer
 *
 * Until ring_buffer_nest_end(), an event in the context of one that is open is no
 * recursion. Without, there is one such event, and then no other in that.
 *
 * Context: any. Preemption is disabled until then.
 */
void ring_buffer_nest_start(struct trace_buffer *buffer)
{
	preempt_disable_notrace();
	this_cpu_inc(rb_announced);
}

/**
 * ring_buffer_nest_end - the event that was announced is ended
 * @buffer: the buffer
 */
void ring_buffer_nest_end(struct trace_buffer *buffer)
{
	this_cpu_dec(rb_announced);
	preempt_enable_notrace();
}
