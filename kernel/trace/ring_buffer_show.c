// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: showing events to readers, and closing a use once all of it is shown.
 * The design is in ring_buffer_write.c.
 */
#include <linux/compiler.h>

#include "ring_buffer_clock.h"
#include "ring_buffer_impl.h"

/*
 * @use is about to be closed: add its events to the sums. Until readers see it closed,
 * rb_committed() learns from @closing whether they were added. An interruption may close
 * another use and overwrite @closing. That is harmless: @use is then not the tail, and
 * rb_committed() asks only about the tail. rb_begin_use() clears @closing when @use is
 * filled again.
 */
static void rb_count(struct rb_cpu *cpu, struct rb_use *use, u32 bytes)
{
	unsigned long entries = local_read(&use->entries);

	WRITE_ONCE(cpu->closing, NULL);
	/* LMM(rb_count:A) pairs with LMM(rb_is_counted:B): no other use has this total */
	smp_wmb();
	WRITE_ONCE(cpu->closing_total, local_read(&cpu->entries) + entries);
	/* LMM(rb_count:B) pairs with LMM(rb_is_counted:A): the total before whose it is */
	smp_wmb();
	WRITE_ONCE(cpu->closing, use);
	/*
	 * LMM(rb_count:C) pairs with LMM(rb_committed:A), LMM(rb_bytes:A): all before is
	 * told before it is counted
	 */
	smp_wmb();
	local_add(entries, &cpu->entries);
	local_add(bytes, &cpu->bytes);
}

/*
 * Let readers see what was written to @use, of which all up to @shown is shown. The
 * caller has the oldest open event of the use. All events behind it are done, because
 * the writers of a CPU end in the reverse order of their beginning.
 *
 * While something is not shown, it is left to us: no other writer moves @commit, and
 * the use is not closed. Once all is shown, a nested writer shows its events itself,
 * and may even close the use, go round the ring and reuse it. So the position is read
 * before @commit: if @commit is not less, or is outside the range that the use had,
 * nothing is left to us. Otherwise what we read still holds when we store. After the
 * store that closes the use, we must not look at it any more.
 */
void rb_show(struct rb_cpu *cpu, struct rb_use *use, u32 shown)
{
	u32 tag, pos, size, commit;
	bool closed;

	do {
		pos = rb_pos(cpu);
		/* LMM(rb_show:A): the position, then what is shown already */
		barrier();
		commit = READ_ONCE(use->commit);
		tag = rb_tag(cpu, commit);
		closed = pos - tag >= rb_room(cpu);
		if (closed)
			pos = tag + rb_room(cpu);
		if (commit - shown > rb_room(cpu) || (s32)(pos - commit) <= 0)
			break;
		size = pos - tag;
		if (closed) {
			size = rb_page_of(use)->end;
			rb_count(cpu, use, size);
		}
		/*
		 * LMM(rb_show:B) pairs with LMM(rb_use_size:A), LMM(rb_use_shown:A),
		 * LMM(rb_committed:B), LMM(rb_bytes:B), LMM(rb_look:A), user space:
		 * events, where they end and the sums, then that they are shown
		 */
		smp_wmb();
		local_set(&rb_use_subbuf(cpu, use)->commit, size);
		WRITE_ONCE(use->commit, pos);
		/* LMM(rb_show:C): shown, then the look whether more came */
		barrier();
		if (closed)
			rb_wake_full(cpu);
	} while (!closed);
}
