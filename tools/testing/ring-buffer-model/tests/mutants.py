# SPDX-License-Identifier: GPL-2.0
"""What is broken in the model, one thing at a time.

Name: the size that finds it (sizes.py), the file, what is there, what instead.
"""

WRITER, READER, MAIN = "writer.pml", "reader.pml", "ring_buffer.pml"
SWITCH = "switch.pml"

STORE = "	wmb(); newest[COMMIT(use)] = here;\n"
COUNT = """	if
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
"""

MUTANTS = {
    # showing events
    "commit-no-second-look": ("nest-full", WRITER, "	when(word_pos != end, commit_late);\n", ""),
    "show-once": ("nest-full", WRITER, "	when(!keep, rb_show);\n", ""),
    "show-goes-back": ("nest-full", WRITER, "MOD(old - here) < 128", "old == here"),
    "show-of-another-lap": ("round", WRITER, "MOD(old - end) > ROOM || ", ""),
    "show-closed-counts-late": ("round", WRITER, COUNT + "	/* C2 */\n	both();\n" + STORE,
                                "	/* C2 */\n	both();\n" + STORE + COUNT),
    "closing-total-late": ("nest-full", WRITER, """		closing_total = closed_entries + old;
		step();
		closing = use;
		step();
""", """		closing = use;
		step();
		closing_total = closed_entries + old;
		step();
"""),
    "closing-late": ("nest-full", WRITER, """		closing = use;
		step();
		closed_entries = closed_entries + old
""", """		closed_entries = closed_entries + old;
		step();
		closing = use
"""),
    "commit-inner-shows": ("nest-full", WRITER, "	when(inner, pop);\n", ""),
    "put-no-second-look": ("nest-room", WRITER,
                           "	:: word_pos != end -> after = AT_PUT; goto rb_show\n",
                           "	:: false\n"),
    "put-in-an-open-event": ("read-empty", WRITER,
                             "newest[COMMIT(use)] != pos -> goto put_slow", "false -> goto put_slow"),
    "fills-in-line": ("nest-full", MAIN, "brim(u) > (end_))", "brim(u) >= (end_))"),
    "discard-shows-nothing": ("nest-full", WRITER,
                              "	:: newest[COMMIT(use)] == end -> after = AT_COMMIT; goto rb_show\n",
                              "	:: false\n"),
    # frames
    "no-look-at-mark": ("nest-room", WRITER, "	when(frame_use != NONE, nested);\n	step();\n	use = tail;\n	step();\n	frame_use = use;\n	/* W2 */",
                        "	use = tail;\n	step();\n	frame_use = use;\n	/* W2 */"),
    "inner-not-saved": ("nest-full", WRITER, "	saved_inner[deep] = inner;", "	skip;"),
    "nested-frame-not-saved": ("nest-full", WRITER, "	saved_use[deep] = frame_use;\n", ""),
    "frame-popped-too-early": ("nest-full", WRITER, """	frame_use = saved_use[deep - 1];
	frame_time = saved_time[deep - 1];
	frame_end = saved_end[deep - 1];
	step();
	inner = saved_inner[deep - 1];
	step();
	deep--;
""", """	deep--;
	step();
	frame_use = saved_use[deep];
	frame_time = saved_time[deep];
	frame_end = saved_end[deep];
	step();
	inner = saved_inner[deep];
"""),
    # the word
    "word-by-store": ("nest-room", WRITER, """	:: word_is(pos, stamp) ->
		word_pos = MOD(pos + 1);
		word_stamp = time % PERIOD
	:: else -> goto slow
""", """	:: true ->
		word_pos = MOD(pos + 1);
		word_stamp = time % PERIOD
"""),
    "discard-not-last": ("nest-full", WRITER,
                         "	when(pos != MOD(end + size + (offset - here)), pad);\n", ""),
    # the next sub-buffer
    "claim-open": ("nest-full", WRITER,
                   "	when(SIZE_OF(end) == ROOM, claim);\n", "	goto claim;\n"),
    "claim-by-store": ("read", WRITER, "	:: newest[SLOT(slot)] == old ->\n		wmb();",
                       "	:: true ->\n		wmb();"),
    "claim-no-second-look": ("read", WRITER, "	:: newest[SLOT(slot)] != old -> goto retry\n",
                             "	:: false -> goto retry\n"),
    "claim-for-another-use": ("read", WRITER, "	step();\n	when(!word_is(pos, stamp), retry);\n	both();",
                              "	both();"),
    "claim-uncounted": ("nest-full", WRITER, "newest[OVERRUN] = newest[OVERRUN] + end;", "skip;"),
    "close-end-before": ("nest-full", WRITER, """	:: word_is(pos, stamp) -> word_pos = here
	:: else -> goto retry
	fi;
	both();
	newest[END(use)] = MOD(pos - tag_of(use));
""", """	:: true -> newest[END(use)] = MOD(pos - tag_of(use))
	fi;
	both();
	if
	:: word_is(pos, stamp) -> word_pos = here
	:: else -> goto retry
	fi;
"""),
    "close-not-shown": ("nest-full", WRITER,
                        ":: newest[COMMIT(use)] == pos -> end = pos;", ":: false -> end = pos;"),
    "no-second-use": ("round", WRITER,
                      "	use_ready(other, tag_of(use) + SLOTS * SIZE);\n", ""),
    "end-not-told": ("nest-full", WRITER, "		newest[END(use)] = ROOM;\n", "		skip;\n"),
    "lap-of-another": ("read", MAIN, "(ODD(u) == ((lap_) % 2 == 1) -> (lap_) : MOD((lap_) - 1))",
                       "(lap_)"),
    "tail-hint-stale": ("nest-full", WRITER,
                        "	when(MOD(end - tag_of(other)) <= ROOM, header);\n",
                        "	goto header;\n"),
    "tail-hint-trusted": ("nest-full", WRITER, "	:: offset > ROOM -> goto find\n",
                          "	:: false -> goto find\n"),
    "find-only-ahead": ("cross", WRITER, "	slot = slot_of(pos, use);\n",
                        "	when(distance(pos, use) / SIZE >= SLOTS, retry);\n"
                        "	slot = slot_of(pos, use);\n"),
    # what the reader sees
    "commit-no-barrier": ("read", WRITER, """entries[use]++;
	/* C2 */
	both();
	wmb(); newest""", """entries[use]++;
	/* C2 */
	both();
	newest"""),
    "show-no-barrier": ("read", WRITER, STORE, "	if\n	:: keep -> wmb()\n	:: else\n	fi;\n"
                        "	newest[COMMIT(use)] = here;\n"),
    "put-no-barrier": ("read-empty", WRITER, """	wmb(); newest[COMMIT(use)] = end;
	/* C3 */
	step();
	if
""", """	newest[COMMIT(use)] = end;
	/* C3 */
	step();
	if
"""),
    "close-no-barrier": ("read-long", WRITER, STORE, "	if\n	:: !keep -> wmb()\n	:: else\n	fi;\n"
                         "	newest[COMMIT(use)] = here;\n"),
    "read-no-acquire": ("read", READER, "load(commit, COMMIT(reader_use)); rmb() }",
                        "load(commit, COMMIT(reader_use)) }"),
    "shown-no-acquire": ("read", READER, "		load(commit, COMMIT(SLOT_USE(value)));\n		rmb();\n",
                         "		load(commit, COMMIT(SLOT_USE(value)));\n"),
    "ends-too-soon": ("read", READER, "		:: tag == value ->\n", "		:: true ->\n"),
    "take-by-store": ("read", READER, "		:: newest[SLOT(slot)] == value ->\n",
                      "		:: true ->\n"),
    "take-no-skip": ("read", READER, "		:: SLOT_LAP(value) != lap -> goto skip_overwritten\n",
                     "		:: false -> goto skip_overwritten\n"),
    "skip-too-far": ("read", READER, "		value = MOD(SLOT_LAP(value) - 1);\n		next_slot(tag, value);\n",
                     "		value = SLOT_LAP(value);\n		next_slot(tag, value);\n"),
    "spare-not-ready": ("read-laps", READER, "		use_ready(spare, tag + SLOTS * SIZE);\n", ""),
    "spare-wrong-use": ("read-laps", READER, "spare = USE(reader_page, lap + 1);",
                        "spare = USE(reader_page, lap);"),
    "lost-read-after": ("read-laps", READER, "		reader_overrun = overrun;\n",
                        "		load(overrun, OVERRUN);\n		reader_overrun = overrun;\n"),
    # time
    "no-extend": ("time", WRITER, "(delta > DELTA_MAX -> EXTEND : 0)", "0"),
    "discard-forgets-time": ("time", WRITER, "	:: type == 0 -> time = time - DELTA_OF(",
                             "	:: type == 0 -> time = time - 0 * DELTA_OF("),
    "discard-first-of-epoch": ("time", WRITER, "	when(EPOCH(time) != EPOCH(frame_time), pad);\n",
                               ""),
    "clock-back-trusted": ("time-back", WRITER,
                           "(time > old * PERIOD + stamp -> time : old * PERIOD + stamp)",
                           "time"),
    "fast-over-epochs": ("time-back", MAIN, "EPOCH(now_) <= noted && ", ""),
    "epoch-not-announced": ("time-long", WRITER, "		ahead_epoch[deep] = EPOCH(time)\n", "		skip\n"),
    "epoch-noted-by-store": ("time-long", MAIN, "noted = ((epoch_) > noted -> (epoch_) : noted)",
                             "noted = (epoch_)"),
    # opening and shutting the fast way
    "shut-rings-before": ("switch", SWITCH, "	drain_change();\n	ring = ring_of_a;\n",
                          "	ring = ring_of_a;\n	drain_change();\n"),
    "shut-no-barrier": ("switch", SWITCH, "	drain_change();\n	ring = ring_of_a;\n",
                        "	ring = ring_of_a;\n"),
    "open-no-barrier": ("switch", SWITCH, "				/* LMM(rb_open_fast:A) */\n				drain_open(ring);\n",
                        ""),
    "open-no-second-look": ("switch", SWITCH, "				:: ring == ring_of_a && changed -> fast",
                            "				:: false -> fast"),
}
