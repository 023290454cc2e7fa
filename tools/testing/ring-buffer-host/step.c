// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt the ring buffer before each of its accesses to memory: by writers,
 * by what a reader on another CPU does, and those again by others. After each run
 * every event is accounted for: read once, unharmed, in the order of time and
 * with the time that its writer was told, or reported lost.
 *
 *	step [NAME]	run the scenarios whose name begins with NAME
 */
#include "host.h"
#include "host_buffer.h"

#define MAX_EVENTS 4096
#define DEPTH 3

enum { NEVER, OPEN, KEPT, DROPPED_BY_US, REFUSED, READ };

struct payload {
	u32 serial;
	u32 length;
	u8 fill[];
};

static struct trace_buffer *buffer;
static struct {
	u8 state;
	u64 time;
} events[MAX_EVENTS];
static u32 serials;
static unsigned long lost_reported;
static u64 last_read;
static const char *scenario;
static unsigned long at[DEPTH];
static unsigned long runs;

static void fail(const char *what, unsigned long a, unsigned long b)
{
	printf("# %s, steps %lu, %lu, %lu: %s (%lu, %lu)\n", scenario, at[0], at[1], at[2], what, a, b);
	fflush(NULL);
	abort();
}

/* One event, of @length bytes of data; kept or discarded. */
static void write_event(u32 length, bool keep)
{
	/* in one instruction, as all that interruptions share */
	u32 serial = __atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
	struct ring_buffer_event *event;
	struct payload *data;
	u32 i;

	if (serial >= MAX_EVENTS)
		fail("too many events", serial, 0);
	events[serial].state = REFUSED;
	event = ring_buffer_lock_reserve(buffer, length);
	if (!event)
		return;
	events[serial].state = OPEN;
	events[serial].time = ring_buffer_event_time_stamp(buffer, event);
	data = ring_buffer_event_data(event);
	data->serial = serial;
	data->length = length;
	for (i = 0; i < length - sizeof(*data); i++)
		data->fill[i] = serial + i;
	if (keep) {
		/* who interrupts us from here on may read it already */
		events[serial].state = KEPT;
		ring_buffer_unlock_commit(buffer);
	} else {
		events[serial].state = DROPPED_BY_US;
		ring_buffer_discard_commit(buffer, event);
	}
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
	if (time != events[data->serial].time)
		fail("time", time, events[data->serial].time);
	if (time < last_read)
		fail("order", time, last_read);
	last_read = time;
}

static void read_some(unsigned int count)
{
	struct ring_buffer_event *event;
	unsigned long lost;
	u64 time;

	while (count-- && (event = ring_buffer_consume(buffer, 0, &time, &lost))) {
		lost_reported += lost;
		check_event(event, time);
	}
}

static void account(void)
{
	struct rb_cpu *cpu = buffer->ring[0];
	unsigned long kept = 0, not_read = 0;
	u32 i;

	if (cpu->frame.use || cpu->deep)
		fail("frames left", cpu->deep, 0);
	if (host_preempt_count != 1 << 20)
		fail("preemption", host_preempt_count, 0);
	read_some(~0U);
	for (i = 0; i < serials; i++) {
		if (events[i].state == OPEN)
			fail("open", i, 0);
		kept += events[i].state == KEPT || events[i].state == READ;
		not_read += events[i].state == KEPT;
	}
	/* what was lost behind the last event that was read */
	lost_reported += local_read(&cpu->overrun) - cpu->reader.overrun;
	if (not_read != lost_reported)
		fail("lost but not reported", not_read, lost_reported);
	if (cpu->read_events + local_read(&cpu->overrun) != kept)
		fail("count", cpu->read_events + local_read(&cpu->overrun), kept);
	if (!(buffer->flags & RB_FL_OVERWRITE) && local_read(&cpu->overrun))
		fail("overwritten", local_read(&cpu->overrun), 0);
}

/* What is done, and what may come in between. */
#define ROOM_LEFT(n)	((n) | 0x10000)	/* fill up to n bytes before the end */

struct op {
	enum { END, WRITE, DISCARD, READ_ALL, READ_ONE, FILL, TICK } what;
	u32 value;
	u32 times;
};

static void do_op(const struct op *op)
{
	struct rb_cpu *cpu = buffer->ring[0];
	u32 i, left;

	for (i = 0; i < max(op->times, 1U); i++) {
		switch (op->what) {
		case WRITE:
			write_event(op->value, true);
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
		case FILL:
			/* up to @value bytes before the end of the sub-buffer */
			write_event(8, true);
			left = cpu->tail->tag + cpu->tail->room - rb_word_pos(cpu->word);
			while (left > op->value) {
				u32 size = min(left - op->value, 1000U);

				/* what remains must be an event, or nothing */
				if (left - op->value - size && left - op->value - size < 12)
					size -= 12;
				write_event(size > 116 ? size - 8 : size - 4, true);
				left -= size;
			}
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

struct scenario {
	const char *name;
	struct op before[6];
	struct op stepped[4];
	struct op between[DEPTH][4];
	u64 time;
	u64 tick;
	u32 slots;
	bool no_overwrite;
};

static const struct scenario *now;
static int depth;		/* of interruption */
static unsigned long left;	/* steps till the next one; 0: none */
static unsigned long came;	/* interruptions so far */

/*
 * The compiler calls one of these before each access to memory, see Makefile.
 * The interruption that is wanted next is always in what is going on now.
 */
void host_step(void)
{
	if (!left || --left)
		return;
	came++;
	depth++;
	left = depth < DEPTH ? at[depth] : 0;
	do_ops(now->between[depth - 1]);
	depth--;
	left = 0;
}

#define ACCESS(name) void name(void *p); void name(void *p) { host_step(); }
ACCESS(__tsan_read1) ACCESS(__tsan_read2) ACCESS(__tsan_read4) ACCESS(__tsan_read8)
ACCESS(__tsan_write1) ACCESS(__tsan_write2) ACCESS(__tsan_write4) ACCESS(__tsan_write8)
ACCESS(__tsan_read16) ACCESS(__tsan_write16)
ACCESS(__tsan_unaligned_read4) ACCESS(__tsan_unaligned_write4)
ACCESS(__tsan_unaligned_read8) ACCESS(__tsan_unaligned_write8)
#define NO_ACCESS(name) void name(void *p); void name(void *p) { }
NO_ACCESS(__tsan_func_entry) NO_ACCESS(__tsan_func_exit) NO_ACCESS(__tsan_init)
void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n) { host_step(); }
void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n) { host_step(); }

static void run(void)
{
	serials = 0;
	lost_reported = 0;
	last_read = 0;
	memset(events, 0, sizeof(events));
	host_time = now->time;
	host_tick = now->tick ?: 1;
	buffer = host_buffer_alloc(now->slots ?: 2, now->no_overwrite ? 0 : RB_FL_OVERWRITE, 0);
	do_ops(now->before);
	came = 0;
	left = at[0];
	do_ops(now->stepped);
	left = 0;
	/* one more, as if nothing had happened */
	write_event(24, true);
	account();
	host_buffer_free(buffer);
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
	memset(at, 0, sizeof(at));
	run_level(0);
	if (runs < 10)
		fail("no interruption", 0, 0);
	printf("ok - %s: %lu runs\n", s->name, runs);
	fflush(NULL);
}

#include "scenarios.h"

LIBC int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i, n, ran = 0;

	for (n = 0; name[n]; n++)
		;
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (memcmp(scenarios[i].name, name, n))
			continue;
		run_scenario(&scenarios[i]);
		ran++;
	}
	printf("1..%zu\n", ran);
	return !ran;
}
