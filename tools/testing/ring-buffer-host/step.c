// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt the ring buffer before each of its accesses to memory, and before it
 * reads the clock: by writers, by what a reader on another CPU does, by a swap with
 * the ring of another buffer, and those again by others. After each run
 * every event is accounted for: read once, unharmed, in the order of time and
 * with the time that its writer was told, or reported lost.
 *
 * Where 64 bits are not changed in one instruction (NMI_UNSAFE, see Makefile), all
 * writers that come in between are NMIs, and write nothing.
 *
 *	step [NAME]	run the scenarios whose name begins with NAME; without,
 *			all but those named deep/..., which take minutes
 */
#include "host.h"
#include "host_access.h"
#include "host_buffer.h"
#include "payload.h"

#define MAX_EVENTS 4096
#define DEPTH 3
#define ANY_TIME (~0ULL)	/* the writer was not told */

enum { NEVER, OPEN, KEPT, DROPPED_BY_US, REFUSED, READ };

/* What is done, and what may come in between. */
#define ROOM_LEFT(n)	((n) | 0x10000)	/* fill up to n bytes before the end */

struct op {
	enum {
		END, WRITE, DISCARD, READ_ALL, READ_ONE, FILL, TICK, PAGES, SOME_PAGE, ITERATE,
		READ_SURE, PUT, NEST, BACK, FORTH, FIGURES, OFF, ON, RESET, DUMP, SWAP, OTHER,
		RESIZE, WRITE_SURE,
	} what;
	u32 value;
	u32 times;
};

struct scenario {
	const char *name;
	struct op before[6];
	struct op stepped[4];
	struct op between[DEPTH][4];
	u64 time;
	u64 tick;
	u32 slots;
	bool no_overwrite;
	bool wrap;		/* positions wrap behind the first two sub-buffers */
	bool again;		/* interruptions come one after another, not in another */
	bool whole_times;	/* each event tells the whole time */
	bool swap;		/* with the ring of another buffer */
};

static const struct scenario *now;

static struct trace_buffer *buffer;
static struct trace_buffer *other;	/* what the buffer's ring is swapped with */
static unsigned long swaps;
static u64 swapped_at;			/* the time of the last swap */
static struct {
	u8 state;
	struct trace_buffer *to;
	u64 time;
	u64 until;	/* when its writer was done; 0: time may stand still for it */
} events[MAX_EVENTS];
static u32 serials;
static unsigned long lost_reported;
static u64 last_read;
static const char *scenario;
static unsigned long at[DEPTH];
static unsigned long runs;
static unsigned long steps_left;	/* till the next interruption; 0: none */
static unsigned long came;		/* interruptions so far */
static unsigned int interrupted;	/* of which that many are going on */
static bool may_refuse;			/* recording was off, or is */
static unsigned int went_back;		/* the clock did: later sub-buffers may be earlier */
static const bool nmis = IS_ENABLED(CONFIG_GENERIC_ATOMIC64);

/* What was seen of the use that is the tail, while stepping. */
static struct {
	bool on;
	struct rb_use *use;
	u32 tag, commit;
} seen;

static void fail(const char *what, unsigned long a, unsigned long b)
{
	printf("# %s, steps %lu, %lu, %lu: %s (%lu, %lu)\n", scenario, at[0], at[1], at[2],
	       what, a, b);
	fflush(NULL);
	abort();
}

/* A writer comes; returns what it has interrupted. */
static bool enter_writer(void)
{
	bool was_nmi = host_nmi;

	host_nmi = nmis && interrupted;
	return was_nmi;
}

static void leave_writer(u32 serial, bool was_nmi)
{
	if (nmis && host_nmi && events[serial].state != REFUSED)
		fail("written by an NMI", serial, events[serial].state);
	host_nmi = was_nmi;
}

static bool write_event(u32 length, bool keep);
static bool nesting;

/* One event, with another one in it that is there before any interruption. */
static void nest_event(u32 length)
{
	nesting = true;
	write_event(length, true);
}

/*
 * May time stand still for a writer that runs now? It may if the clock goes back: while
 * an interrupted writer is about to begin another epoch, or if there is no room.
 */
static bool may_stand_still(struct trace_buffer *to)
{
	struct rb_cpu *cpu = to->ring[0];
	u32 i;

	for (i = 0; i <= cpu->deep; i++)
		if (cpu->ahead[i].kind)
			return true;
	return now->no_overwrite;
}

/* False: it was refused. */
static bool write_serial(struct trace_buffer *to, u32 serial, u32 length, bool keep)
{
	bool still = may_stand_still(to);
	unsigned int back = went_back;
	struct ring_buffer_event *event;
	u64 from = host_time;

	if (serial >= MAX_EVENTS)
		fail("too many events", serial, 0);
	events[serial].state = REFUSED;
	events[serial].to = to;
	event = ring_buffer_lock_reserve(to, length);
	if (!event)
		return false;
	events[serial].state = OPEN;
	events[serial].time = ring_buffer_event_time_stamp(to, event);
	/* or the clock was read before it went back */
	events[serial].until = still || back != went_back ? 0 : host_time;
	if (events[serial].until && events[serial].time < from)
		fail("time before its writer", events[serial].time, from);
	fill_payload(ring_buffer_event_data(event), serial, length);
	if (nesting) {
		nesting = false;
		write_event(length, true);
	}
	if (keep) {
		/* who interrupts us from here on may read it already */
		events[serial].state = KEPT;
		ring_buffer_unlock_commit(to);
	} else {
		events[serial].state = DROPPED_BY_US;
		ring_buffer_discard_commit(to, event);
	}
	return true;
}

static bool write_to(struct trace_buffer *to, u32 length, bool keep)
{
	/* in one instruction, as all that interruptions share */
	u32 serial = __atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
	bool was_nmi = enter_writer();
	bool begun = write_serial(to, serial, length, keep);

	leave_writer(serial, was_nmi);
	return begun;
}

/* One event, of @length bytes of data; kept or discarded. False: it was refused. */
static bool write_event(u32 length, bool keep)
{
	return write_to(buffer, length, keep);
}

/* One event, through the interface in line. */
static void put_event(void)
{
	u32 serial = __atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
	bool was_nmi = enter_writer(), still = may_stand_still(buffer);
	unsigned int back = went_back;

	if (serial >= MAX_EVENTS)
		fail("too many events", serial, 0);
	events[serial].to = buffer;
	events[serial].time = ANY_TIME;
	/* who interrupts us may read it already */
	events[serial].state = KEPT;
	if (!put_payload(buffer, serial, PUT_LENGTH, serial % 3 == 2 ? 8 : 0))
		events[serial].state = REFUSED;
	events[serial].until = still || back != went_back ? 0 : host_time;
	leave_writer(serial, was_nmi);
}

static void check_event(struct ring_buffer_event *event, u64 time)
{
	struct payload *data = ring_buffer_event_data(event);
	u32 i;

	if (data->serial >= serials)
		fail("an event that was not written", data->serial, serials);
	if (events[data->serial].state != KEPT)
		fail("event in a wrong state", data->serial, events[data->serial].state);
	events[data->serial].state = READ;
	if (ring_buffer_event_length(event) != ALIGN(data->length, 4))
		fail("length", ring_buffer_event_length(event), data->length);
	for (i = 0; i < data->length - sizeof(*data); i++)
		if (data->fill[i] != (u8)(data->serial + i))
			fail("data", data->serial, i);
	if (events[data->serial].time != ANY_TIME && time != events[data->serial].time)
		fail("time", time, events[data->serial].time);
	if (events[data->serial].until && time > events[data->serial].until)
		fail("time after its writer", time, events[data->serial].until);
	if (time < last_read)
		fail("order", time, last_read);
	last_read = time;
}

/* What a user of whole sub-buffers makes of one. */
static void check_page(struct rb_subbuf *subbuf, unsigned long lost_now)
{
	unsigned long commit = local_read(&subbuf->commit), lost, at, whole;
	u32 size = commit & ~RB_MISSED_FLAGS;
	u64 time = subbuf->time_stamp;

	if (commit & RB_MISSED_COUNT) {
		memcpy(&lost, subbuf->data + size, sizeof(lost));
		lost_reported += lost;
	} else if (commit & RB_MISSED) {
		if (PAGE_SIZE - RB_SUBBUF_HEADER - size >= sizeof(lost))
			fail("lost, but not told how many", commit, 0);
		lost_reported += lost_now;
	}
	for (at = 0; at < size; at += whole) {
		struct ring_buffer_event *event = (void *)subbuf->data + at;

		whole = rb_event_whole(event);
		if (whole > size - at)
			fail("an event behind the end", at, size);
		time = rb_event_time(event, time);
		event = rb_event_behind(event);
		if (rb_event_is_data(event))
			check_event(event, time);
	}
}

/* We came in between what another reader does, who is on another CPU. */
static bool reader_waits(void)
{
	return buffer->ring[0]->reader_lock.locked;
}

static void read_pages(size_t len)
{
	struct rb_reader *reader = &buffer->ring[0]->reader;
	struct buffer_data_read_page *page = NULL;
	/* reported with the first page that is read */
	unsigned long before = reader->overrun - reader->lost;

	if (reader_waits())
		return;
	while (!ring_buffer_alloc_read_page(buffer, 0, &page) &&
	       !ring_buffer_read_page(buffer, page, len, 0, 0)) {
		check_page(page->subbuf, reader->overrun - before);
		before = reader->overrun;
		ring_buffer_free_read_page(buffer, 0, page);
		page = NULL;
	}
	ring_buffer_free_read_page(buffer, 0, page);
}

/* All that is there, without taking it: each event at most once, in order. */
static void iterate(void)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	struct ring_buffer_event *event;
	u64 time, last = 0;

	while ((event = ring_buffer_iter_peek(iter, &time))) {
		struct payload *data = ring_buffer_event_data(event);

		if (data->serial >= serials || events[data->serial].state != KEPT)
			fail("iterated over what is not there", data->serial, serials);
		if ((events[data->serial].time != ANY_TIME && time != events[data->serial].time) ||
		    time < last)
			fail("iterated time", time, events[data->serial].time);
		if (data->length > 8 && data->fill[0] != (u8)data->serial)
			fail("iterated data", data->serial, data->fill[0]);
		last = time;
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
}

/* What was meant for the other ring must be of the time when this one was it. */
static void check_ring(struct trace_buffer *from, struct ring_buffer_event *event, u64 time)
{
	struct payload *data = ring_buffer_event_data(event);

	if (events[data->serial].to != from && time > swapped_at)
		fail("later than the swap of its ring", time, swapped_at);
}

static void read_from(struct trace_buffer *from, unsigned int count)
{
	unsigned long lost, taken = from->ring[0]->taken;
	struct ring_buffer_event *event;
	u64 time;

	while (count-- && (event = ring_buffer_consume(from, 0, &time, &lost))) {
		if (went_back && from->ring[0]->taken != taken)
			last_read = 0;
		taken = from->ring[0]->taken;
		lost_reported += lost;
		check_event(event, time);
		check_ring(from, event, time);
	}
}

static void read_some(unsigned int count)
{
	if (!reader_waits())
		read_from(buffer, count);
}

/* No event is open: all are shown, and the hint points at the tail. */
static void check_idle(void)
{
	struct rb_cpu *cpu = buffer->ring[0];
	u32 pos = rb_word_pos(cpu->word);

	if (cpu->frame.use || cpu->unusual)
		fail("open events", cpu->deep, cpu->full);
	if (cpu->tail->commit != pos)
		fail("events that are not shown", pos, cpu->tail->commit);
}

struct totals {
	unsigned long read, overrun, committed, refused;
};

/* All that is left in @from, and what its ring says of that. */
static void account_ring(struct trace_buffer *from, struct totals *totals)
{
	struct rb_cpu *cpu = from->ring[0];

	read_from(from, ~0U);
	/* what was lost behind the last event that was read */
	lost_reported += local_read(&cpu->overrun) - cpu->reader.overrun;
	totals->read += cpu->read_events;
	totals->overrun += local_read(&cpu->overrun);
	totals->committed += rb_committed(cpu);
	totals->refused += local_read(&cpu->dropped) + local_read(&cpu->commit_overrun);
}

static void account(void)
{
	unsigned long kept = 0, not_read = 0, refused = 0;
	struct totals totals = { };
	u32 i;

	if (host_preempt_count != (int)HOST_PREEMPT_ZERO)
		fail("preemption", host_preempt_count, 0);
	if (other)
		account_ring(other, &totals);
	/* what came since is later, unless the other was written to since, too */
	last_read = 0;
	account_ring(buffer, &totals);
	for (i = 0; i < serials; i++) {
		if (events[i].state == OPEN)
			fail("open", i, 0);
		if (other && !may_refuse && events[i].state == REFUSED)
			fail("refused for a swap", i, 0);
		kept += events[i].state == KEPT || events[i].state == READ;
		not_read += events[i].state == KEPT;
		refused += events[i].state == REFUSED;
	}
	if (refused != totals.refused && !may_refuse)
		fail("refused and not counted", refused, totals.refused);
	if (not_read != lost_reported)
		fail("lost but not reported", not_read, lost_reported);
	if (totals.read + totals.overrun != kept)
		fail("count", totals.read + totals.overrun, kept);
	if (totals.committed != kept)
		fail("committed", totals.committed, kept);
	if (!(buffer->flags & RB_FL_OVERWRITE) && totals.overrun)
		fail("overwritten", totals.overrun, 0);
}

/* Events in the ring, of which some may be open. */
static unsigned long in_ring(void)
{
	unsigned long kept = 0;
	u32 i;

	for (i = 0; i < serials; i++)
		kept += events[i].state == KEPT;
	return kept - local_read(&buffer->ring[0]->overrun);
}

/* Figures are of before what came in between, or of after that. */
static void check_figures(void)
{
	bool open = rb_busy(buffer->ring[0]);
	unsigned long before, entries, bytes;
	u64 oldest, time;

	if (reader_waits())
		return;
	before = in_ring();
	entries = ring_buffer_entries_cpu(buffer, 0);
	if (entries > before && entries > in_ring())
		fail("more entries than events", entries, in_ring());
	bytes = ring_buffer_bytes_cpu(buffer, 0);
	if (bytes > (buffer->ring[0]->tables.nr_slots + 1) * PAGE_SIZE)
		fail("more bytes than memory", bytes, 0);
	/* what is open may keep what is before it from being counted */
	if (!bytes && before && in_ring() && !open)
		fail("events without bytes", before, in_ring());
	oldest = ring_buffer_oldest_event_ts(buffer, 0);
	if (ring_buffer_peek(buffer, 0, &time, NULL) && oldest > time)
		fail("younger than the oldest", oldest, time);
}

/*
 * An NMI prints what is in the buffer, in the middle of a reader. From then on
 * no one is to write.
 */
static void dump(void)
{
	struct ring_buffer_event *event;
	u32 serial;
	u64 time;

	raw_spin_lock(&buffer->ring[0]->reader_lock);
	host_nmi = true;
	event = ring_buffer_consume(buffer, 0, &time, NULL);
	host_nmi = false;
	check_event(event, time);
	raw_spin_unlock(&buffer->ring[0]->reader_lock);
	may_refuse = true;
	serial = serials;
	put_event();
	if (events[serial].state != REFUSED)
		fail("written in line to what is dumped", serial, 0);
}

/* Of another CPU, while recording is off: this one tries to write all the same. */
static void reset(void)
{
	bool on = seen.on;

	seen.on = false;
	ring_buffer_reset_cpu(buffer, 0);
	seen.on = on;
	seen.use = NULL;
	memset(events, 0, sizeof(events));
	lost_reported = 0;
}

/*
 * Refused while an event is open. Nothing comes in between but NMIs, which are
 * refused then.
 */
static void swap_rings(void)
{
	unsigned long steps = steps_left;

	steps_left = 0;
	seen.use = NULL;
	if (!ring_buffer_swap_cpu(buffer, other, 0)) {
		swapped_at = host_time;
		swaps++;
	}
	steps_left = steps;
}

/*
 * By a task on any CPU, which writers and readers interrupt, but for what is done on
 * this CPU with interrupts off. Then NMIs come, who are refused, and readers wait.
 */
static void resize(unsigned long nr_slots)
{
	unsigned long room = rb_room(buffer->ring[0]);

	may_refuse = true;
	if (ring_buffer_resize(buffer, nr_slots * room, 0))
		fail("not resized", nr_slots, 0);
	if (ring_buffer_size(buffer, 0) != nr_slots * room)
		fail("size", ring_buffer_size(buffer, 0), nr_slots * room);
}

static void do_op(const struct op *op)
{
	struct rb_cpu *cpu = buffer->ring[0];
	u32 i, left;

	for (i = 0; i < max(op->times, 1U); i++) {
		switch (op->what) {
		case WRITE:
			write_event(op->value, true);
			break;
		case WRITE_SURE:
			/* nothing is open: it cannot be refused */
			if (!write_event(op->value, true))
				fail("refused", i, 0);
			break;
		case DISCARD:
			write_event(op->value, false);
			break;
		case READ_ALL:
			read_some(~0U);
			break;
		case READ_ONE:
			read_some(1);
			break;
		case TICK:
			host_tick = (u64)op->value << op->times;
			return;
		case BACK:
			host_time -= op->value;
			went_back++;
			break;
		case FORTH:
			host_time += op->value;
			break;
		case FILL:
			/* up to @value bytes before the end of the sub-buffer */
			write_event(8, true);
			left = rb_use_tag(cpu, cpu->tail) + rb_room(cpu) - rb_word_pos(cpu->word);
			while (left > op->value) {
				u32 size = min(left - op->value, 1000U);

				/* what remains must be an event, or nothing */
				if (left - op->value - size && left - op->value - size < 12)
					size -= 12;
				write_event(size > 116 ? size - 8 : size - 4, true);
				left -= size;
			}
			break;
		case PUT:
			put_event();
			break;
		case NEST:
			nest_event(op->value);
			break;
		case READ_SURE:
			/* there always was something to read */
			left = buffer->ring[0]->read_events;
			read_some(1);
			if (buffer->ring[0]->read_events == left)
				fail("nothing to read", left, i);
			break;
		case PAGES:
			read_pages(PAGE_SIZE);
			break;
		case SOME_PAGE:
			read_pages(op->value);
			break;
		case ITERATE:
			iterate();
			break;
		case FIGURES:
			check_figures();
			break;
		case OFF:
			may_refuse = true;
			ring_buffer_record_disable_cpu(buffer, 0);
			break;
		case ON:
			ring_buffer_record_enable_cpu(buffer, 0);
			break;
		case DUMP:
			dump();
			break;
		case RESET:
			reset();
			break;
		case SWAP:
			swap_rings();
			break;
		case OTHER:
			write_to(other, op->value, true);
			break;
		case RESIZE:
			resize(op->value);
			break;
		case END:
			break;
		}
	}
}

static void do_ops(const struct op *op)
{
	for (; op->what != END; op++)
		do_op(op);
}

/* I3 */
static void check_commit(void)
{
	struct rb_use *tail = buffer->ring[0]->tail;

	u32 tag = rb_use_tag(buffer->ring[0], tail);

	if (seen.use == tail && seen.tag == tag && (s32)(tail->commit - seen.commit) < 0)
		fail("went back", tail->commit, seen.commit);
	seen.use = tail;
	seen.tag = tag;
	seen.commit = tail->commit;
}

/*
 * Before each access to memory, see host_access.h. The interruption that is wanted
 * next is always in what is going on now, or after the one before in what that came in.
 */
void host_step(void)
{
	if (seen.on)
		check_commit();
	if (!steps_left || --steps_left)
		return;
	came++;
	steps_left = !now->again && came < DEPTH ? at[came] : 0;
	host_context = ++interrupted;
	do_ops(now->between[came - 1]);
	host_context = --interrupted;
	steps_left = now->again && came < DEPTH ? at[came] : 0;
}

/* Reading the clock is a step, too: who came in between is later. */
u64 sched_clock_noinstr(void)
{
	host_step();
	return host_time += host_tick;
}

/* The ring is empty: its first event will be at @pos. */
static void start_at(u32 pos)
{
	struct rb_cpu *cpu = buffer->ring[0];
	struct rb_use *use = rb_before(cpu);
	struct rb_subbuf *subbuf;
	u32 slot;

	rb_use_ready(use, &cpu->nothing, pos - PAGE_SIZE);
	use->commit += rb_room(cpu);
	cpu->word = rb_word(use->commit, 0);
	for (slot = 0; slot < cpu->tables.nr_slots; slot++) {
		use = rb_slot_use(cpu, rb_slot_read(cpu, slot));
		subbuf = rb_page_subbuf(cpu, rb_page_of(use));
		rb_use_ready(use, subbuf, pos + slot * PAGE_SIZE);
	}
}

/* One more, as if nothing had happened, with a time that the clock tells. */
static void write_last(void)
{
	u64 from = host_time;
	u32 serial = serials;

	write_event(24, true);
	if (events[serial].state == KEPT && !now->no_overwrite &&
	    (events[serial].time < from || events[serial].time > host_time))
		fail("time does not go on", events[serial].time, host_time);
}

static void run(void)
{
	serials = 0;
	may_refuse = nmis;
	went_back = 0;
	swapped_at = ~0ULL;
	lost_reported = 0;
	last_read = 0;
	memset(events, 0, sizeof(events));
	host_time = now->time;
	host_tick = now->tick ?: 1;
	buffer = host_buffer_alloc(now->slots ?: 2, now->no_overwrite ? 0 : RB_FL_OVERWRITE, 0);
	if (now->wrap)
		start_at(-2U * (u32)PAGE_SIZE);
	buffer->time_stamp_abs = now->whole_times;
	other = NULL;
	if (now->swap)
		other = host_buffer_alloc(now->slots ?: 2, buffer->flags, 0);
	do_ops(now->before);
	came = 0;
	steps_left = at[0];
	seen.on = true;
	do_ops(now->stepped);
	seen.on = false;
	seen.use = NULL;
	steps_left = 0;
	check_idle();
	write_last();
	account();
	host_buffer_free(buffer);
	if (other)
		host_buffer_free(other);
	runs++;
}

/* Interruption number @level before each step of what it comes in. */
static void run_level(int level)
{
	bool deepest = level + 1 == DEPTH || now->between[level + 1][0].what == END;

	for (at[level] = 1;; at[level]++) {
		if (deepest)
			run();
		else
			run_level(level + 1);
		if (came <= level)
			return;
	}
}

static void run_scenario(const struct scenario *s)
{
	now = s;
	scenario = s->name;
	runs = 0;
	swaps = 0;
	memset(at, 0, sizeof(at));
	run_level(0);
	if (runs < 10)
		fail("no interruption", 0, 0);
	if (s->swap && !swaps)
		fail("no swap", 0, 0);
	printf("ok - %s: %lu runs\n", s->name, runs);
	fflush(NULL);
}

#include "scenarios.h"

static int list(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++)
		printf("%s\n", scenarios[i].name);
	return 0;
}

LIBC int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i, n = strlen(name), ran = 0;

	if (!strcmp(name, "--list"))
		return list();
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (memcmp(scenarios[i].name, name, n) ||
		    (!n && !memcmp(scenarios[i].name, "deep/", 5)))
			continue;
		run_scenario(&scenarios[i]);
		ran++;
	}
	printf("1..%zu\n", ran);
	return !ran;
}
