/* SPDX-License-Identifier: GPL-2.0 */
/* The consuming reader: what ring_buffer_read.c does. See ring_buffer.pml. */

/* rb_reader */
byte reader_page = 0, reader_use = BEFORE, reader_read, reader_slot, reader_lap;
byte reader_overrun, reader_time, last_time;
bool reader_fresh;		/* a sub-buffer of which nothing was read */

inline check_event(id_, time_)
{
	assert(id_ > 0 && id_ <= serial);
	assert(state[id_] == KEPT);
	assert(told[id_] == time_);
	assert(time_ >= last_time);
	last_time = time_;
	state[id_] = READ;
	/* as many were lost before it as are reported, or more, and they stay so */
	value = 0;
	size = serial;
	do
	:: size > 0 ->
		value = value + (state[size] == KEPT && told[size] <= time_ -> 1 : 0);
		size--
	:: else -> break
	od;
	assert(!reader_fresh || reader_overrun <= value);
	reader_fresh = false
}

/* rb_slot_next() */
inline next_slot(slot_, lap_)
{
	slot_++;
	if
	:: slot_ == SLOTS -> slot_ = 0; lap_ = MOD(lap_ + 1)
	:: else
	fi
}

#if READER
#define visible(where)	least[where]
#else
#define visible(where)	newest[where]
#endif
#define surely_shown(u)	(SIZE_OF(visible(COMMIT(u))) != 0)

proctype reader()
{
	byte value, commit, tag, size, slot, lap, spare, overrun;
	bool closed, last, sure;

end_wait:
	ready;
#if !READER
end_wait_more:
	done;
#endif
	/* rb_reader_use(), R1: raw_spin_lock() is an acquire */
look:
	atomic {
		rmb();
		last = done;
		if
		:: last -> wmb(); rmb()	/* all there will be is there */
		:: else
		fi;
		/* something is shown of each sub-buffer, and will be of those for which they go */
		sure = true;
		slot = 0;
		do
		:: slot < SLOTS ->
			sure = sure && surely_shown(SLOT_USE(visible(SLOT(slot))));
			slot++
		:: else -> break
		od;
		slot = 0
	}
use_size:
	/* rb_use_size() */
	atomic { load(commit, COMMIT(reader_use)); rmb() }
	atomic {
		size = SIZE_OF(commit);
		closed = size == ROOM;
		if
		:: closed -> load(size, END(reader_use))
		:: else
		fi;
		commit = 0;
		if
		:: reader_read < size -> size = 0; closed = false; goto event
		:: reader_read >= size && !closed -> size = 0; goto nothing
		:: reader_read >= size && closed ->
			assert(reader_read == size);
			size = 0;
			closed = false;
			goto take_next
		fi
	}
	/* rb_reader_advance(), R6 */
event:
	atomic {
		load(value, HEADER(PAGE(reader_use), reader_read));
		load(tag, BODY(PAGE(reader_use), reader_read));
		if
		:: TYPE_OF(value) == EXTEND ->
			reader_time = reader_time + tag;
			reader_read++;
			load(value, HEADER(PAGE(reader_use), reader_read));
			load(tag, BODY(PAGE(reader_use), reader_read))
		:: else
		fi;
		reader_time = reader_time + DELTA_OF(value);
		assert(TYPE_OF(value) >= DATA && TYPE_OF(value) <= PADDING + 1);
		if
		:: TYPE_OF(value) < PADDING ->
			reader_read = reader_read + TYPE_OF(value);
			check_event(tag, reader_time)
		:: else -> reader_read = reader_read + TYPE_OF(value) - 2
		fi;
		value = 0;
		tag = 0;
		goto look
	}

	/* rb_take_next() */
take_next:
	slot = reader_slot;
	lap = reader_lap;
	/* rb_oldest(), R2 */
oldest:
	atomic {
		load(value, SLOT(slot));
		if
		:: SLOT_LAP(value) != lap -> goto skip_overwritten
		:: else -> goto shown
		fi
	}
	/* rb_skip_overwritten(): whatever slot the hint is of */
skip_overwritten:
	atomic {
		if
		:: tag = 0
		:: tag = 1
		:: SLOTS > 2 -> tag = 2
		fi;
		load(value, SLOT(tag));
		value = MOD(SLOT_LAP(value) - 1);
		next_slot(tag, value);
		if
		:: (value != lap && MOD(value - lap) < 128) || (value == lap && tag > slot) ->
			slot = tag;
			lap = value
		:: else
		fi;
		tag = 0
	}
oldest_behind:
	atomic {
		load(value, SLOT(slot));
		if
		:: SLOT_LAP(value) != lap ->
			lap = MOD(SLOT_LAP(value) - 1);
			next_slot(slot, lap);
			goto oldest_behind
		:: else
		fi
	}
shown:
	/* rb_slot_shown(): what the slot tells is loaded after it */
	atomic {
#if READER
		seen[COMMIT(SLOT_USE(value))] = least[COMMIT(SLOT_USE(value))];
#endif
		load(commit, COMMIT(SLOT_USE(value)));
		rmb();
		if
		:: SIZE_OF(commit) != 0 -> commit = 0; goto swap
		:: else -> commit = 0
		fi
	}
	/* rb_oldest_shown() */
	atomic { load(tag, SLOT(slot)) }
	atomic {
		if
		:: tag == value ->
			assert(!sure);
			tag = 0;
			goto nothing
		:: else -> tag = 0; goto oldest
		fi
	}
	/* rb_ready_spare(), R3 */
swap:
	atomic {
		spare = USE(reader_page, lap + 1);
		reader_use = BEFORE;
		reader_read = 0;
		load(tag, COMMIT(SLOT_USE(value)));
		tag = TAG_OF(tag)
	}
	atomic {
		use_ready(spare, tag + SLOTS * SIZE);
		page_slot[reader_page] = slot;
#if READER
		store(COMMIT(spare), newest[COMMIT(spare)]);
#endif
		tag = 0;
		spare = 0
	}
	atomic { load(overrun, OVERRUN) }
	/* R4 */
	atomic {
		rmb();
		if
		:: newest[SLOT(slot)] == value ->
			store(SLOT(slot), SLOT_VALUE(MOD(lap + 1), reader_page));
			disturbed[0] = true;
			disturbed[1] = true;
			disturbed[2] = true
		:: else -> overrun = 0; goto oldest
		fi
	}
	/* R5 */
	atomic {
		reader_page = SLOT_PAGE(value);
		reader_use = SLOT_USE(value);
		reader_overrun = overrun;
		reader_fresh = true;
		load(reader_time, TIME_STAMP(reader_page));
		next_slot(slot, lap);
		reader_slot = slot;
		reader_lap = lap;
		slot = 0;
		lap = 0;
		value = 0;
		overrun = 0;
		goto use_size
	}

nothing:
	atomic {
		value = 0;
		slot = 0;
		lap = 0;
		if
		:: !last -> goto look
		:: else
		fi
	}
	/* all is done: is every event accounted for? */
	d_step {
		assert(frame_use == NONE && deep == 0 && !inner && !fills);
		assert(newest[COMMIT(tail)] == word_pos);
		size = 0;
		commit = 0;
		do
		:: serial > 0 ->
			size = size + (state[serial] == KEPT -> 1 : 0);
			overrun = overrun + (state[serial] == REFUSED -> 1 : 0);
			commit = commit + (state[serial] == KEPT || state[serial] == READ -> 1 : 0);
			serial--
		:: else -> break
		od;
		/* not read: overwritten, and counted */
		assert(size == newest[OVERRUN]);
		assert(OVERWRITE || size == 0);
		/* not written: counted */
		assert(overrun == refused_full + refused_round + refused_long);
		/* rb_committed() */
		assert(commit == closed_entries +
		       (word_pos == MOD(tag_of(tail) + ROOM) -> 0 : entries[tail]))
	}
}
