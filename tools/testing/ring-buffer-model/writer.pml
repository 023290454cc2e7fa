/* SPDX-License-Identifier: GPL-2.0 */
/* The writers: what ring_buffer_inline.h, _write.c and _tail.c do. See ring_buffer.pml. */

/* What comes after show, find and pop, which are used in several places. */
#define AT_COMMIT	0
#define AT_CLOSE	1
#define AT_PUT		2

#define when(condition, label) \
	if :: condition -> goto label :: else fi

/* Interrupt @me by @who, who is done when @me goes on. */
inline interrupt(who)
{
	d_step {
		left[who]--;
		caller[who] = me;
		disturbed[me] = true;
		disturbed[0] = true;
		level = who
	}
	level == me
}

/* Before each step: as many interrupts as there may be. */
inline step()
{
	assert(committed_right);
	do
	:: break
	:: me < 1 && left[1] > 0 && ready -> interrupt(1)
	:: me < 2 && left[2] > 0 && ready -> interrupt(2)
	od
}

/*
 * A step that can matter to the reader, or the reader to it: here the other
 * CPU may do what it wants to. Nothing else is between two of these but steps
 * of which only this CPU knows.
 */
#if READER
#define both()		skip }; atomic { step()
#else
#define both()		step()
#endif

/* rb_begin_event(), up to W4: an event of another epoch is announced */
inline announce(target)
{
	step();
	if
	:: EPOCH(time) > noted ->
		step();
		fast = false;
		step();
		ahead_pos[deep] = target;
		ahead_stamp[deep] = time % PERIOD;
		step();
		ahead_epoch[deep] = EPOCH(time)
	:: else
	fi
}

proctype writer(byte me; byte kinds)
{
	byte kind, id, size;
	byte time, use, pos, stamp, end, other;
	byte slot, lap, old, offset, type, delta, here;
	byte after;		/* rb_show() */
	bool keep;

end_next:
	atomic {
	level == me && (me > 0 || !done);
	if
	:: me == 0 ->
		step();
		when(left[0] == 0, over);
		ready = ready || left[0] == EVENTS0;
		left[0]--
	:: else
	fi;
	if
	:: !ready || (kinds & SHORT) -> kind = SHORT
	:: ready && (kinds & LONG) -> kind = LONG
	:: ready && (kinds & PUT) -> kind = PUT
	:: ready && (kinds & DISCARD) -> kind = DISCARD
	fi;
	size = (kind == LONG -> 2 : 1);
#if TIME
	if
	:: clock = clock + 1
	:: clock = clock + 2
	:: clock = clock + PERIOD
	:: BACK && clock > 1 -> clock = clock - 1
	:: BACK && clock >= PERIOD -> clock = clock - PERIOD + 1
	fi;
#else
	clock++;
#endif
	serial++;
	id = serial;
	state[id] = REFUSED;
	when(kind == PUT, put_begin);

	/* rb_begin(), W1 */
	step();
	when(frame_use != NONE, nested);
	step();
	use = tail;
	step();
	frame_use = use;
	/* W2 */
	step();
	if
	:: kind == LONG || !fast -> goto slow
	:: else -> time = clock
	fi;
	/* W3 */
	step();
	use = frame_use; pos = word_pos; stamp = word_stamp;
	both();
	if
	:: !short_since(time, stamp) || newest[COMMIT(use)] != pos -> goto slow
	:: else -> delta = since(time, stamp)
	fi;
	step();
	when(!below_brim(use, MOD(pos + 1)), slow);
	/* W4 */
	step();
	if
	:: word_is(pos, stamp) ->
		word_pos = MOD(pos + 1);
		word_stamp = time % PERIOD
	:: else -> goto slow
	fi;
	/* W5 */
	step();
	frame_end = MOD(pos + 1); frame_time = time; end = frame_end;
	step();
	offset = MOD(pos - tag_of(use));
	type = 0;
	here = offset;
	newest[HEADER(PAGE(use), offset)] = HEADER_OF(DATA, delta);
	goto fill;

	/* rb_reserve_nested() */
nested:
	step();
	saved_use[deep] = frame_use;
	saved_time[deep] = frame_time;
	saved_end[deep] = frame_end;
	step();
	saved_inner[deep] = inner;
	step();
	deep++;

	/* rb_reserve_tail(), rb_try_reserve() */
slow:
again:
	/* W2 */
	step();
	disturbed[me] = false; time = clock;
	step();
	pos = word_pos; stamp = word_stamp;
	step();
	use = tail;
	both();
	offset = MOD(pos - tag_of(use));
	if
	:: offset > ROOM -> goto find
	:: else -> goto tell
	fi;
	/* rb_find_use() */
find:
	step();
	slot = slot_of(pos, use);
	both();
	use = SLOT_USE(newest[SLOT(slot)]);
	both();
	offset = MOD(pos - tag_of(use));
	when(offset > ROOM, retry);
	/* rb_epoch() */
tell:
	here = 0;
	do
	:: here < deep ->
		step();
		if
		:: ahead_pos[here] == pos && ahead_stamp[here] == stamp ->
			step();
			old = ahead_epoch[here];
			step();
			note_epoch(old)
		:: else
		fi;
		here++
	:: else -> break
	od;
	here = 0;
	step();
	old = noted;
	/* rb_tell_time() */
	step();
	time = (time > old * PERIOD + stamp -> time : old * PERIOD + stamp);
	delta = time - (old * PERIOD + stamp);
	type = (delta > DELTA_MAX -> EXTEND : 0);
	old = 0;
	when(offset + size + (type != 0 -> 1 : 0) > ROOM, move_on);
	/* rb_append() */
	announce(MOD(pos + size + (type != 0 -> 1 : 0)));
	/* W4 */
	step();
	if
	:: word_is(pos, stamp) ->
		word_pos = MOD(pos + size + (type != 0 -> 1 : 0));
		word_stamp = time % PERIOD
	:: else -> step(); ahead_epoch[deep] = 0; goto retry
	fi;
	goto note;

	/* rb_move_on(), rb_claim(), N1 */
move_on:
	step();
	type = 0;
	delta = 0;
	slot = page_slot[PAGE(use)];
	both();
	lap = lap_of(use, SLOT_LAP(newest[SLOT(slot)]));
	slot++;
	if
	:: slot == SLOTS -> slot = 0; lap = MOD(lap + 1)
	:: else
	fi;
	if
	:: size > ROOM -> refused_long++; goto dropped
	:: else
	fi;
	step();
	when(!word_is(pos, stamp), retry);
	both();
	old = newest[SLOT(slot)];
	if
	:: SLOT_LAP(old) == lap -> goto close
	:: SLOT_LAP(old) != lap && SLOT_LAP(old) != MOD(lap - 1) -> goto retry
	:: SLOT_LAP(old) == MOD(lap - 1) && !OVERWRITE -> refused_full++; goto dropped
	:: SLOT_LAP(old) == MOD(lap - 1) && OVERWRITE
	fi;
	both();
	other = SLOT_USE(old); end = newest[COMMIT(other)];
	when(SIZE_OF(end) == ROOM, claim);
	/* the slot again, behind the acquire of rb_use_size() */
	both();
	if
	:: newest[SLOT(slot)] != old -> goto retry
	:: else ->
		/* round the ring to an event that is open: we are nested */
		assert(me > 0);
		refused_round++;
		goto dropped
	fi;
claim:
	step();
	end = entries[other];
	both();
	if
	:: newest[SLOT(slot)] == old ->
		wmb();
		newest[SLOT(slot)] = SLOT_VALUE(lap, SLOT_PAGE(old));
		wmb()
	:: else -> goto retry
	fi;
	both();
	newest[OVERRUN] = newest[OVERRUN] + end; end = 0; other = 0; old = 0;
	/* rb_close(), N2 */
close:
	step();
	old = 0;
	here = MOD(tag_of(use) + ROOM);
	when(pos == here, enter);
	step();
	if
	:: word_is(pos, stamp) -> word_pos = here
	:: else -> goto retry
	fi;
	both();
	newest[END(use)] = MOD(pos - tag_of(use));
	step();
	if
	:: newest[COMMIT(use)] == pos -> end = pos; pos = here; after = AT_CLOSE; goto rb_show
	:: else -> pos = here
	fi;
	/* N3 */
enter:
	both();
	use = SLOT_USE(newest[SLOT(slot)]); slot = 0; lap = 0; here = 0;
	step();
	end = tag_of(use);
	announce(MOD(end + size));
	step();
	if
	:: word_is(pos, stamp) ->
		word_pos = MOD(end + size);
		word_stamp = time % PERIOD
	:: else -> step(); ahead_epoch[deep] = 0; goto retry
	fi;
	pos = end;
	offset = 0;
	end = 0;
	keep = true	/* begins a use */;
	/* rb_begin_event(), behind W4 */
note:
	step();
	note_epoch(EPOCH(time));
	step();
	ahead_epoch[deep] = 0;
	ahead_pos[deep] = 0;	/* nobody looks at them any more */
	ahead_stamp[deep] = 0;
	step();
	fast = true;
	if
	:: keep -> keep = false
	:: else -> step(); begun[use] = true; goto header
	fi;
	/* rb_begin_use(), N4 */
	step();
	closing = (closing == use -> NONE : closing);
	step();
	newest[TIME_STAMP(PAGE(use))] = time;
	both();
	other = (ODD(use) -> use - 1 : use + 1);
	use_ready(other, tag_of(use) + SLOTS * SIZE);
	step();
	begun[use] = true;
	other = use;
	/* rb_set_tail(), N5 */
set_tail:
	step();
	tail = other;
	step();
	end = word_pos;
	when(MOD(end - tag_of(other)) <= ROOM, header);
	/* rb_find_use(), which must find it */
	step();
	end = word_pos;
	slot = slot_of(end, other);
	both();
	other = SLOT_USE(newest[SLOT(slot)]);
	step();
	assert(MOD(end - tag_of(other)) <= ROOM);
	slot = 0;
	here = 0;
	goto set_tail;
	/* rb_write_header() */
header:
	step();
	other = 0;
	frame_use = use;
	frame_end = MOD(pos + size + (type != 0 -> 1 : 0));
	frame_time = time;
	step();
	inner = newest[COMMIT(use)] != pos;
	both();
	if
	:: frame_end == MOD(tag_of(use) + ROOM) ->
		newest[END(use)] = ROOM;
		if
		:: deep == 0 -> fills = true
		:: else
		fi
	:: else
	fi;
	here = offset;
	/* W5 */
	step();
	if
	:: type != 0 ->
		newest[HEADER(PAGE(use), offset)] = HEADER_OF(type, 0);
		newest[BODY(PAGE(use), offset)] = delta;
		offset++;
		delta = 0
	:: else
	fi;
	newest[HEADER(PAGE(use), offset)] = HEADER_OF(DATA + size - 1, delta);
	if
	:: kind == PUT -> kind = SHORT	/* it has a frame */
	:: else
	fi;

	/* the caller writes the data */
fill:
	both();
	assert(state[id] == REFUSED);
	newest[BODY(PAGE(use), offset)] = id;
	told[id] = time;
	state[id] = (kind == DISCARD -> DISCARDED : KEPT);
	if
	:: kind == DISCARD -> goto discard
	:: kind == PUT -> goto put_end
	:: else
	fi;
	/* rb_end() */
	step();
	when(deep != 0 || fills || inner, commit_slow);
	/* C1 */
	step();
	use = frame_use; end = frame_end; kept_entries++; entries[use]++;
	/* C2 */
	both();
	wmb(); newest[COMMIT(use)] = end;
	/* C3 */
	step();
	when(word_pos != end, commit_late);
	/* C4 */
	step();
	frame_use = NONE; goto end_of_event;

	/* rb_commit_slow() */
commit_slow:
	step();
	use = frame_use; kept_entries++; entries[use]++;
	step();
	when(inner, pop);
	step();
	end = tag_of(use);
	/* rb_commit_late() */
commit_late:
	after = AT_COMMIT;

	/* rb_show(): all is shown up to @end, and if something is not, we are to show it */
rb_show:
	step();
	here = word_pos;
	step();
	old = newest[COMMIT(use)];
	other = TAG_OF(old);
	keep = MOD(here - other) >= ROOM;	/* closed */
	here = (keep -> MOD(other + ROOM) : here);
	other = 0;
	/* the use of another lap, or all is shown */
	when(MOD(old - end) > ROOM || MOD(old - here) < 128, shown);
	if
	:: keep ->
		/* rb_count() */
		step();
		old = entries[use];
		step();
		closing = NONE;
		step();
		closing_total = closed_entries + old;
		step();
		closing = use;
		step();
		closed_entries = closed_entries + old
	:: else
	fi;
	old = 0;
	/* C2 */
	both();
	wmb(); newest[COMMIT(use)] = here;
	shut_entries = shut_entries + (keep -> entries[use] : 0);
	/* if that has closed it, it may be another use from here on */
	when(!keep, rb_show);
shown:
	end = 0;
	here = 0;
	old = 0;
	keep = false;
	if
	:: after == AT_COMMIT -> goto pop
	:: after == AT_CLOSE -> after = 0; goto enter
	:: after == AT_PUT -> after = 0; goto end_of_event
	fi;

	/* rb_reserve_slow() */
retry:
	step();
	/* none tries again but for having been interrupted */
	assert(disturbed[me]);
	slot = 0;
	lap = 0;
	other = 0;
	end = 0;
	here = 0;
	goto again;
dropped:
	id = 0;

	/* rb_frame_pop() */
pop:
	step();
	when(deep != 0, pop_saved);
	step();
	inner = false;
	step();
	fills = false;
	step();
	frame_use = NONE; goto end_of_event;
pop_saved:
	step();
	frame_use = saved_use[deep - 1];
	frame_time = saved_time[deep - 1];
	frame_end = saved_end[deep - 1];
	step();
	inner = saved_inner[deep - 1];
	step();
	deep--;
	goto end_of_event;

	/* ring_buffer_discard_commit(), rb_take_back() */
discard:
	step();
	pos = word_pos;
	stamp = word_stamp;
	use = frame_use;
	end = MOD(tag_of(use) + here);	/* start */
	when(pos != MOD(end + size + (offset - here)), pad);
	step();
	time = frame_time;
	if
	:: type == EXTEND -> time = time - newest[BODY(PAGE(use), here)]
	:: type == 0 -> time = time - DELTA_OF(newest[HEADER(PAGE(use), here)])
	fi;
	when(EPOCH(time) != EPOCH(frame_time), pad);
	step();
	if
	:: word_is(pos, stamp) ->
		word_pos = end;
		word_stamp = time % PERIOD;
		goto pop
	:: else
	fi;
	/* rb_make_padding() */
pad:
	step();
	newest[HEADER(PAGE(use), offset)] =
		HEADER_OF(PADDING + size - 1, DELTA_OF(newest[HEADER(PAGE(use), offset)]));
	step();
	if
	:: newest[COMMIT(use)] == end -> after = AT_COMMIT; goto rb_show
	:: else -> goto pop
	fi;

	/* ring_buffer_put_begin() */
put_begin:
	/* W2 */
	step();
	if
	:: !fast -> goto put_slow
	:: else -> time = clock
	fi;
	/* W3 */
	step();
	use = tail;
	step();
	pos = word_pos; stamp = word_stamp;
	both();
	if
	:: !short_since(time, stamp) || newest[COMMIT(use)] != pos -> goto put_slow
	:: else -> delta = since(time, stamp)
	fi;
	step();
	when(!below_brim(use, MOD(pos + 1)), put_slow);
	/* W4 */
	step();
	if
	:: word_is(pos, stamp) ->
		word_pos = MOD(pos + 1);
		word_stamp = time % PERIOD;
		goto put_header
	:: else
	fi;
	/* rb_put_slow() */
put_slow:
	step();
	when(frame_use != NONE, nested);
	step();
	use = tail;
	step();
	frame_use = use; goto slow;
	/* W5 */
put_header:
	step();
	offset = MOD(pos - tag_of(use));
	type = 0;
	here = offset;
	newest[HEADER(PAGE(use), offset)] = HEADER_OF(DATA, delta);
	goto fill;
	/* ring_buffer_put_end(), C1 */
put_end:
	step();
	kept_entries++; entries[use]++; end = MOD(pos + 1);
	/* C2 */
	both();
	wmb(); newest[COMMIT(use)] = end;
	/* C3 */
	step();
	if
	:: word_pos != end -> after = AT_PUT; goto rb_show
	:: else
	fi;

end_of_event:
	step();
	time = 0; use = 0; pos = 0; stamp = 0; end = 0; other = 0; slot = 0; lap = 0;
	old = 0; offset = 0; type = 0; delta = 0; here = 0; after = 0; keep = false;
	kind = 0; id = 0; size = 0;
	disturbed[me] = false;
	if
	:: me > 0 -> level = caller[me]; caller[me] = 0
	:: else ->
		/* nobody looks at them before they are stored again */
		saved_use[0] = 0; saved_time[0] = 0; saved_end[0] = 0; saved_inner[0] = false;
		saved_use[1] = 0; saved_time[1] = 0; saved_end[1] = 0; saved_inner[1] = false;
		frame_time = 0; frame_end = 0
	fi;
	goto end_next;
over:
	done = true
	}
}
