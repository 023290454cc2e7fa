/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of buffer A is changed, while A and B swap their rings and writers open the
 * fast way: rb_shut(), ring_buffer_swap_cpu() and rb_open_fast(). In the end no ring
 * of A has the fast way open, whichever it is.
 *
 * A store may stay in its CPU's store buffer while later loads are done, as on x86. A
 * full barrier empties that.
 */
#ifndef TURNS
#define TURNS	4	/* swaps and slow events */
#endif

#define SHUT	0
#define OPEN_A	1
#define OPEN_B	2

bool changed, changed_pending;		/* the clock of A, which the fast way cannot read */
byte ring_of_a;				/* the other one is B's */
byte fast[2] = SHUT;			/* rb_cpu.fast */
byte open_pending[2] = SHUT;		/* OPEN_A or OPEN_B that is not visible yet */
byte at_end;

inline drain_change()
{
	atomic { changed = changed || changed_pending; changed_pending = false }
}

inline drain_open(ring_)
{
	atomic {
		fast[ring_] = (open_pending[ring_] -> open_pending[ring_] : fast[ring_]);
		open_pending[ring_] = SHUT
	}
}

/* Who changes the clock, on another CPU */
proctype changer()
{
	byte ring;

	/* ring_buffer_set_clock() */
	changed_pending = true;
	/* rb_shut(), LMM(rb_shut:A) */
	drain_change();
	ring = ring_of_a;
	fast[ring] = SHUT;
	at_end++
}

/* The CPU of the two rings */
proctype writer()
{
	byte ring, turn;

	do
	:: turn < TURNS ->
		turn++;
		if
		:: true ->
			/* ring_buffer_swap_cpu(): rb_shut_cpu() has a full barrier */
			drain_open(0);
			drain_open(1);
			fast[0] = SHUT;
			fast[1] = SHUT;
			ring_of_a = 1 - ring_of_a
		:: true ->
			ring = 0;
			goto slow
		:: true ->
			ring = 1;
slow:
			/* rb_begin_event(), rb_open_fast(): B's clock is as it was */
			if
			:: fast[ring] == SHUT && open_pending[ring] == SHUT &&
			   (ring != ring_of_a || !changed) ->
				open_pending[ring] = (ring == ring_of_a -> OPEN_A : OPEN_B);
				/* LMM(rb_open_fast:A) */
				drain_open(ring);
				if
				:: ring == ring_of_a && changed -> fast[ring] = SHUT
				:: else
				fi
			:: else
			fi
		fi
	:: else -> break
	od;
	at_end++
}

/* Store buffers drain at any time */
proctype memory()
{
	do
	:: changed_pending -> drain_change()
	:: open_pending[0] -> drain_open(0)
	:: open_pending[1] -> drain_open(1)
	:: at_end == 2 && !changed_pending && !open_pending[0] && !open_pending[1] -> break
	od;
	assert(changed);
	assert(fast[ring_of_a] != OPEN_A)
}

init
{
	atomic {
		run changer();
		run writer();
		run memory()
	}
}
