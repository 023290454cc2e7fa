// SPDX-License-Identifier: GPL-2.0
/*
 * The records that a context keeps: written on all CPUs and in all contexts, NMI included,
 * read one by one.
 *
 * A writer takes the next position by moving the head, and has the slot of that position until
 * another writer has gone around the ring. The slot's state says which position it holds:
 *
 * R1. A writer moves the head only if the slot of that position is free: its state says that
 *     it holds the record of one round before, completely. Nobody else can change the slot
 *     then: the writer before is done, and the next one needs this one to be.
 * R2. So a writer that was interrupted for a whole round keeps its slot. Those that meet it
 *     lose their records, and count them.
 * R3. If the ring is not circular, the record of one round before must have been read as well.
 *
 * How many records were lost in all is noted in each slot. A reader that comes from one record
 * to the next so knows how many are missing between, also if the slots that told were written
 * over.
 */
#include <linux/atomic.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "branch.h"

struct branch_slot {
	unsigned long		state;
	unsigned long		lost;
	struct branch_record	record;
};

/**
 * struct branch_ring - records
 * @nr: number of slots, a power of two
 * @circular: new records replace the oldest
 * @head: the next position to write
 * @lost: how many records found no slot
 * @read: reading that consumes, one at a time
 * @cursor: where it is
 * @slots: position modulo @nr
 */
struct branch_ring {
	unsigned long		nr;
	bool			circular;
	atomic_long_t		head;
	atomic_long_t		lost;
	struct mutex		read;	/* of the cursor */
	struct branch_cursor	cursor;
	struct branch_slot	slots[];
};

/* States of the slot of a position: positions wrap around, so do these */
static unsigned long being_written(unsigned long pos)
{
	return 2 * pos + 1;
}

static unsigned long written(unsigned long pos)
{
	return 2 * pos + 2;
}

static struct branch_slot *slot_of(struct branch_ring *ring, unsigned long pos)
{
	return &ring->slots[pos & (ring->nr - 1)];
}

struct branch_ring *branch_ring_alloc(unsigned int records, bool circular)
{
	unsigned long nr = roundup_pow_of_two(records);
	struct branch_ring *ring;
	unsigned long pos;

	ring = kvzalloc(struct_size(ring, slots, nr), GFP_KERNEL_ACCOUNT);
	if (!ring)
		return NULL;
	ring->nr = nr;
	ring->circular = circular;
	mutex_init(&ring->read);
	for (pos = 0; pos < nr; pos++)
		slot_of(ring, pos)->state = written(pos - nr);
	return ring;
}

void branch_ring_free(struct branch_ring *ring)
{
	kvfree(ring);
}

/* R1, R3 */
static bool is_free(struct branch_ring *ring, unsigned long pos)
{
	/* LMM(is_free:A) pairs with LMM(branch_ring_write:A), LMM(move_head:A): then the rest */
	if (smp_load_acquire(&slot_of(ring, pos)->state) != written(pos - ring->nr))
		return false;
	/* LMM(is_free:B) pairs with LMM(branch_ring_read:A): it was read, then written over */
	return ring->circular || pos - smp_load_acquire(&ring->cursor.pos) < ring->nr;
}

/* If another writer has just taken the slot, the head has moved, and there may be room behind */
static bool find_free(struct branch_ring *ring, long *head)
{
	long looked_at;

	do {
		looked_at = *head;
		if (is_free(ring, looked_at))
			return true;
		*head = atomic_long_read(&ring->head);
	} while (*head != looked_at);
	return false;
}

/* Moves the head from the position that it has, if the slot of that one is free */
static bool move_head(struct branch_ring *ring, long *head)
{
	*head = atomic_long_read(&ring->head);
	do {
		if (!find_free(ring, head))
			return false;
		/* LMM(move_head:A) pairs with LMM(copy_slot:A), LMM(is_free:A): then the state */
	} while (!atomic_long_try_cmpxchg(&ring->head, head, *head + 1));
	return true;
}

/* The slot of the next position, which says that it is being written */
static struct branch_slot *take_slot(struct branch_ring *ring, unsigned long *pos)
{
	struct branch_slot *slot;
	long head;

	if (!move_head(ring, &head))
		return NULL;
	slot = slot_of(ring, head);
	WRITE_ONCE(slot->state, being_written(head));
	/* LMM(take_slot:A) pairs with LMM(copy_slot:B): being written, then the record */
	smp_wmb();
	*pos = head;
	return slot;
}

/**
 * branch_ring_write() - write one record
 * @ring: the ring
 * @record: the record
 *
 * Context: any.
 * Return: false if the record was lost, and counted as such.
 */
bool branch_ring_write(struct branch_ring *ring, const struct branch_record *record)
{
	struct branch_slot *slot;
	unsigned long pos;

	slot = take_slot(ring, &pos);
	if (!slot) {
		atomic_long_inc(&ring->lost);
		return false;
	}
	slot->lost = atomic_long_read(&ring->lost);
	slot->record = *record;
	/* LMM(branch_ring_write:A) pairs with LMM(copy_slot:A), LMM(is_free:A): then written */
	smp_store_release(&slot->state, written(pos));
	return true;
}

enum copied {
	COPIED,
	NOT_WRITTEN,
	WRITTEN_OVER,
};

static enum copied copy_slot(struct branch_ring *ring, unsigned long pos, struct branch_slot *copy)
{
	struct branch_slot *slot = slot_of(ring, pos);

	/* LMM(copy_slot:A) pairs with LMM(branch_ring_write:A), LMM(move_head:A): then read */
	copy->state = smp_load_acquire(&slot->state);
	if (copy->state != written(pos))
		return (long)(copy->state - written(pos)) > 0 ? WRITTEN_OVER : NOT_WRITTEN;
	/* If it is being written over, the copy is not used */
	copy->lost = data_race(slot->lost);
	/* Nor is this */
	copy->record = data_race(slot->record);
	/* LMM(copy_slot:B) pairs with LMM(take_slot:A): read, and not written over yet */
	smp_rmb();
	return READ_ONCE(slot->state) == copy->state ? COPIED : WRITTEN_OVER;
}

/* What was written over while the reader was away is gone for it */
static void skip_overwritten(struct branch_ring *ring, struct branch_cursor *cursor)
{
	unsigned long oldest = atomic_long_read(&ring->head) - ring->nr;
	long behind = oldest - cursor->pos;

	if (behind > 0) {
		cursor->skipped += behind;
		cursor->pos = oldest;
	}
}

/* Of the records that are noted as lost, those that the reader was not told of */
static unsigned long newly_lost(struct branch_cursor *cursor, unsigned long lost)
{
	/* A writer that was slow may have noted more than the one of the next position */
	return max((long)(lost - cursor->lost), 0L);
}

/* All that is missing between the record before and one that notes so many as lost */
static unsigned long missing(struct branch_cursor *cursor, unsigned long lost)
{
	return cursor->skipped + newly_lost(cursor, lost);
}

static void tell_missing(struct branch_cursor *cursor, unsigned long lost,
			 struct branch_record *record)
{
	*record = (struct branch_record) {
		.kind = BRANCH_LOST,
		.from = missing(cursor, lost),
	};
	cursor->skipped = 0;
	cursor->lost += newly_lost(cursor, lost);
}

/**
 * branch_ring_next() - go on to the next record
 * @ring: the ring
 * @cursor: where the reader is
 * @record: the record, or a BRANCH_LOST if some are missing before the next one
 *
 * Context: any.
 * Return: false if there is none yet.
 */
bool branch_ring_next(struct branch_ring *ring, struct branch_cursor *cursor,
		      struct branch_record *record)
{
	unsigned long lost = atomic_long_read(&ring->lost);
	struct branch_slot copy;
	enum copied copied;

	do {
		skip_overwritten(ring, cursor);
		copied = copy_slot(ring, cursor->pos, &copy);
	} while (copied == WRITTEN_OVER);

	if (copied == COPIED)
		lost = copy.lost;
	else if ((unsigned long)atomic_long_read(&ring->head) != cursor->pos)
		return false;

	if (missing(cursor, lost)) {
		tell_missing(cursor, lost, record);
		return true;
	}
	if (copied != COPIED)
		return false;
	*record = copy.record;
	cursor->pos++;
	return true;
}

/* Sets a cursor to the oldest record that was not consumed. It does not consume them itself. */
void branch_ring_first(struct branch_ring *ring, struct branch_cursor *cursor)
{
	mutex_lock(&ring->read);
	*cursor = ring->cursor;
	mutex_unlock(&ring->read);
}

/* Consumes one record */
bool branch_ring_read(struct branch_ring *ring, struct branch_record *record)
{
	struct branch_cursor cursor;
	bool found;

	mutex_lock(&ring->read);
	cursor = ring->cursor;
	found = branch_ring_next(ring, &cursor, record);
	ring->cursor.lost = cursor.lost;
	ring->cursor.skipped = cursor.skipped;
	/* LMM(branch_ring_read:A) pairs with LMM(is_free:B): the record was read, then it may go */
	smp_store_release(&ring->cursor.pos, cursor.pos);
	mutex_unlock(&ring->read);
	return found;
}

#ifdef CONFIG_BRANCH_CONTEXTS_KUNIT_TEST
#include "tests/ring_kunit.h"
#endif
