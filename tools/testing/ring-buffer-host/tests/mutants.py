#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Break the ring buffer, one thing at a time, and see that a program notices.

  mutants.py [NAME...]
  mutants.py --record   write the file noticed-by anew

Each mutant is one replacement in one source. The programs are built in OUT
(build/ring-buffer-host/mutants) as the Makefile builds them. The scenario of "step" that
noticed a mutant before, which the file noticed-by names, is run first: most runs
end there. If it notices nothing, all scenarios are run.
"""

import functools
import os
import re
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
SOURCE = os.path.join(HERE, "../../../kernel/trace")
# Its files, and what they include beside them
FILES = ("ring_buffer", "trace_clock_inline.h")
OUT = os.environ.get("OUT") or os.path.join(
    HERE, "../../../build/ring-buffer-host/mutants")
NOTICED_BY = os.path.join(HERE, "tests/noticed-by")
# of CPU: a machine that is busy makes no mutant fail
SECONDS = 30

# name: (source, what, instead[, the program that notices: else step, or
# VARIABLE=VALUE of make's, for both]...)
MUTANTS = {
    "commit-no-second-look": (
        "inline.h", """	if (!rb_short_end(cpu, cpu->frame.use, cpu->frame.end)) {
		late(cpu);
		return false;
	}
""", "	rb_short_end(cpu, cpu->frame.use, cpu->frame.end);\n"),
    "show-once": ("show", "	} while (!closed);", "	} while (0);"),
    "show-goes-back": ("show", "(s32)(pos - commit) <= 0", "pos == commit"),
    "show-of-another-lap": ("show", "commit - shown > rb_room(cpu) || ", ""),
    "show-before-counted": ("show", """			rb_count(cpu, use, size);
""", """			WRITE_ONCE(use->commit, pos);
			barrier();
			rb_count(cpu, use, size);
"""),
    "find-only-ahead": (
        "tail", "	return pos - rb_use_tag(cpu, use) <= rb_room(cpu) ? use : NULL;",
        "	return pos - rb_use_tag(cpu, from) < cpu->tables.nr_slots * cpu->size &&\n"
        "	       pos - rb_use_tag(cpu, use) <= rb_room(cpu) ? use : NULL;"),
    "discard-stamp": ("write", """ ||
	    event->type_len == RINGBUF_TYPE_TIME_STAMP)""", ")"),
    "commit-inner-shows": ("write", "bool shows = !cpu->inner;", "bool shows = true;"),
    "commit-nested-never-shows": ("write", "bool shows = !cpu->inner;",
                                  "bool shows = !cpu->deep;"),
    "inner-of-another": ("write", "	cpu->inner = cpu->saved[deep - 1].inner;",
                         "	cpu->inner = cpu->frame.inner;"),
    "inner-not-saved": ("write", "	cpu->saved[cpu->deep].inner = cpu->inner;\n", ""),
    "put-in-an-open-event": ("inline.h", "	if (rb_plain(use->commit) != pos)\n		return false;\n",
                             ""),
    "put-no-second-look": ("inline.h", """	if (!rb_short_end(put.cpu, put.use, put.end))
		rb_show(put.cpu, put.use, put.end);
""", "	rb_short_end(put.cpu, put.use, put.end);\n"),
    "put-in-a-ring-swapped-away": (
        "ring_buffer.c", "	WRITE_ONCE(ring->tail->brim, 0);\n", ""),
    "swap-over-at-once": ("tail", "	if (task && (task != current ||", "	if (task && (1 ||"),
    "swap-ends-with-its-use": (
        "tail", "	rb_set_brim(cpu, use);\n",
        "	WRITE_ONCE(use->brim, rb_brim(rb_use_tag(cpu, use), rb_room(cpu)));\n"),
    "swapped-and-refused": ("write", "	return swapped ? rb_reserve_anew(buffer, cpu, size, attached) : NULL;",
                            "	return NULL;"),
    "swapped-anyhow": ("tail", "	return READ_ONCE(cpu->buffer) == buffer &&\n", "	return\n"),
    "nmi-in-line": ("inline.h", "	if (rb_not_fast(buffer, cpu, length > RB_SMALL))\n",
                    "	if (length > RB_SMALL || rb_plain(cpu->fast) != buffer)\n",
                    "NMI_UNSAFE=1"),
    "nmi-fast": ("inline.h", "	if (rb_not_fast(buffer, cpu, length >= RB_SMALL))\n",
                 "	if (length >= RB_SMALL || rb_plain(cpu->fast) != buffer)\n",
                 "NMI_UNSAFE=1"),
    "nmi-slow": ("tail", """	if (rb_unsafe_nmi())
		return false;
""", "", "NMI_UNSAFE=1"),
    "no-mark": ("inline.h", "	cpu->frame.use = cpu->tail;\n", ""),
    "again-never": ("write", "if ((again && cpu->frame.again) ||", "if (again ||"),
    "again-in-an-interrupt": ("write", "RB_TASK + interrupt_context_level() +", "RB_TASK +"),
    "again-though-announced": ("write", " + RB_CONTEXTS * this_cpu_read(rb_announced);", ";",
                               "random"),
    "again-and-again": ("write", "	cpu->frame.again |= again;\n", "", "random"),
    "nested-frame-not-saved": ("write", "	cpu->saved[cpu->deep] = cpu->frame;\n", ""),
    "frame-popped-too-early": (
        "write", """	cpu->frame = cpu->saved[deep - 1];
	cpu->inner = cpu->saved[deep - 1].inner;
	/* LMM(rb_frame_pop:C): put back, then its place may be used */
	barrier();
	WRITE_ONCE(cpu->deep, deep - 1);""", """	WRITE_ONCE(cpu->deep, deep - 1);
	barrier();
	cpu->frame = cpu->saved[deep - 1];
	cpu->inner = cpu->saved[deep - 1].inner;"""),
    "discard-forgets-time": ("write", "rb_word(start, before)", "rb_word(start, word >> 32)"),
    "discard-takes-back-half": ("write", """	if (before >> 32 != cpu->frame.time >> 32)
		return false;
""", ""),
    "discard-not-last": ("write", "	if (rb_word_pos(word) != start + rb_event_whole(event) ||",
                         "	if ("),
    "discard-shows-nothing": ("write", """	if (shows)
		rb_show(cpu, use, start);
""", ""),
    "any-position": ("inline.h", "	return rb_plain(use->brim) > end;", "	return true;"),
    "brim-filled": ("inline.h", "rb_plain(use->brim) > end", "rb_plain(use->brim) >= end"),
    "brim-wraps": ("impl.h", "brim > U32_MAX - RB_SMALL - RB_HEADER ? 0 : brim", "brim"),
    "brim-before-begun": ("impl.h", "	use->brim = 0;\n", "	use->brim = rb_brim(tag, 4000);\n"),
    "tail-before-the-word": ("tail", """	entry->word = rb_word_read(cpu);
	/*
	 * LMM(rb_try_reserve:B): the word, then the tail. What was the tail before that
	 * may have been made ready for elsewhere since
	 */
	barrier();
	use = READ_ONCE(cpu->tail);
""", """	use = READ_ONCE(cpu->tail);
	barrier();
	entry->word = rb_word_read(cpu);
"""),
    "tail-hint-stale": ("tail", """		if (rb_pos(cpu) - rb_use_tag(cpu, use) <= rb_room(cpu))
			return;
""", """		return;
"""),
    "tail-hint-trusted": ("tail", "	if (offset > rb_room(cpu)) {", "	if (0) {"),
    "claim-open": ("tail", "	if (!closed) {", "	if (0) {"),
    "claim-uncounted": ("tail", "	local_add(entries, &cpu->overrun);\n", ""),
    "claim-counts-late": ("tail", "	local_add(entries, &cpu->overrun);",
                          "	local_add(local_read(&use->entries), &cpu->overrun);"),
    "claim-by-store": (
        "tail", "if (!atomic64_try_cmpxchg(in_slot, &old, rb_slot(lap, (u32)old)))",
        "if (atomic64_set(in_slot, rb_slot(lap, (u32)old)), 0)"),
    "close-end-before": ("tail", """	if (!rb_word_move(cpu, entry->word, full))
		return RB_AGAIN;
	rb_page_of(use)->end = pos - tag;
""", """	rb_page_of(use)->end = pos - tag;
	if (!rb_word_move(cpu, entry->word, full))
		return RB_AGAIN;
"""),
    "close-not-shown": ("tail", """	if (READ_ONCE(use->commit) == pos)
		rb_show(cpu, use, pos);
""", ""),
    "close-shown-always": ("tail", """	if (READ_ONCE(use->commit) == pos)
		rb_show(cpu, use, pos);
""", "	rb_show(cpu, use, tag);\n"),
    "no-second-use": ("tail", "	rb_use_ready(other, subbuf", "	if (0) rb_use_ready(other, subbuf"),
    "no-extend": ("tail", "= delta > RB_DELTA_MAX ? RINGBUF_TYPE_TIME_EXTEND : 0;", "= 0;"),
    "epoch-noted-before": (
        "tail", "		WRITE_ONCE(ahead->kind, earlier ? RB_EARLIER_AHEAD : RB_LATER_AHEAD);\n",
        "		rb_note_epoch(cpu, epoch, earlier);\n"),
    "epoch-not-announced": (
        "tail", "		WRITE_ONCE(ahead->kind, earlier ? RB_EARLIER_AHEAD : RB_LATER_AHEAD);\n",
        ""),
    "back-never": ("tail", "	entry->back = now < last && entry->word == was && ahead == RB_NONE_AHEAD;",
                   "	entry->back = false;"),
    "back-when-interrupted": ("tail", " && entry->word == was && ahead", " && ahead"),
    "back-when-announced": ("tail", " && ahead == RB_NONE_AHEAD;", ";"),
    "back-and-forth": ("tail", """	if (ahead == RB_EARLIER_AHEAD)
		now = min(now, rb_word(~0U, epoch));
""", ""),
    "back-not-noted": ("tail", "(earlier ? old != limit : old < limit)", "old < limit"),
    "back-noted-unannounced": ("tail", "	rb_note_epoch(cpu, epoch, earlier);",
                               "	rb_note_epoch(cpu, epoch, entry->back);"),
    "back-in-the-same": ("tail", "	result = rb_move_on(cpu, entry);\n	if (result == RB_WRITTEN ||",
                         "	result = rb_append(cpu, entry);\n	if (result == RB_WRITTEN ||"),
    "back-or-not-at-all": (
        "tail",
        "	return offset + rb_entry_size(entry) <= rb_room(cpu) ? rb_append(cpu, entry) : result;",
        "	return result;", "random"),
    "back-to-another-header": (
        "tail", "		rb_use_subbuf(cpu, entry->use)->time_stamp = rb_first_time(entry);\n", "		;\n"),
    "epoch-noted-by-store": (
        "tail", """	while ((earlier ? old != limit : old < limit) &&
	       !try_cmpxchg64_local(&cpu->limit, &old, limit))
		;
""", """	if (old != limit)
		WRITE_ONCE(cpu->limit, limit);
"""),
    "fast-over-epochs": (
        "inline.h", """	if (unlikely(__builtin_sub_overflow(rb_plain(cpu->limit), now, &left)))
		return false;
""", """	left = rb_plain(cpu->limit) - now;
"""),
    "clock-back-trusted": ("tail", "entry->time = entry->back ? now : max(now, last);",
                           "entry->time = now;"),
    "reader-no-skip": ("read", "		*lap = rb_slot_lap(value) - 1;\n",
                       "		*lap = rb_slot_lap(value);\n		return value;\n"),
    "skip-one-too-many": ("read", "rb_slot_lap(rb_slot_read(cpu, next)) - 1;",
                          "rb_slot_lap(rb_slot_read(cpu, next));"),
    "skip-nothing": ("read", "		rb_skip_overwritten(cpu, slot, lap);\n", "		;\n", "cost"),
    "reader-ends-too-soon": ("read", "	} while (rb_slot_read(cpu, *slot) != *value);",
                             "	} while (0);"),
    "reader-takes-by-store": (
        "read", "} while (!atomic64_try_cmpxchg(rb_slot_at(&cpu->tables, slot), &value, spare));",
        "} while (atomic64_set(rb_slot_at(&cpu->tables, slot), spare), 0);"),
    "spare-wrong-use": ("read", "&page->use[~lap & 1]", "&page->use[lap & 1]"),
    "reset-looks-at-marks": ("impl.h", "	return cpu->tail->commit != rb_word_pos(cpu->word);",
                             "	return cpu->frame.use || cpu->tail->commit != rb_word_pos(cpu->word);"),
    "entries-gone-later": ("stats", "	} while (rb_gone(cpu) != gone);", "	} while (0);"),
    "counted-twice": ("stats", "is_closed || rb_is_counted(cpu, tail, closed)", "is_closed"),
    "bytes-of-another-use": ("stats", "	} while (local_read(&cpu->bytes) != closed);",
                             "	} while (0);"),
    "oldest-of-another-use": (
        "stats", "	} while (rb_slot_read(cpu, slot) != value);", "	} while (0);"),
    "counted-since-last-filled": ("tail", """	if (cpu->closing == use)
		WRITE_ONCE(cpu->closing, NULL);
""", "", "random"),
    "last-boot-believes-both": ("last_boot", "found[index].slots == 1;",
                                "found[index].slots >= 1;", "kunit_persist"),
    "last-boot-any-lap": ("last_boot", """	if (lap != begun)
		return RB_STATE_MISPLACED;
""", "", "kunit_persist"),
    "last-boot-lap-wraps": ("last_boot", "(s32)(lap - tail.lap) < 0", "lap < tail.lap",
                            "kunit_persist"),
    "last-boot-zeroed": ("last_boot", "here->state == RB_STATE_EMPTY && in_lap &&", "0 &&",
                         "kunit_persist"),
    "last-boot-all-zeroed": (
        "last_boot", "	return tail.any ? tail : rb_last_slot(cpu, found, rb_was_begun);",
        "	return tail;", "kunit_persist"),
    "last-boot-open": ("last_boot", " && slot != tail.slot", "", "kunit_persist"),
    "last-boot-claimed": ("last_boot", "here->state == RB_STATE_FREE && older", "0",
                          "kunit_persist"),
    "last-boot-begun-of-before": ("start", "		rb_meta_begin(cpu, slot, -1);\n", "",
                                  "kunit_persist"),
    "counted-in-old-tables": ("resize", "	WRITE_ONCE(cpu->closing, NULL);\n", "", "kunit"),
    "resize-keeps-what-is-gone": ("resize", """	while ((s32)(resize->oldest - resize->first) > 0)
		rb_shift(resize);
""", ""),
    "resize-looks-once": ("resize", """	rb_note_oldest(resize);
	rb_follow_oldest(resize);
	end =""", "	end ="),
    "resize-copies-open": ("resize", "		if (rb_slot_lap(value) == lap && !closed)\n",
                           "		if (rb_slot_lap(value) == lap && !closed && !local_read(&use->entries))\n"),
    "resize-copies-late": ("resize", "		if (rb_slot_lap(value) == lap && !closed)\n",
                           "		if (1)\n", "cost"),
    "resize-added-twice": ("resize", "	rb_place(resize, first + nr_slots, added);\n",
                           "	rb_place(resize, first + nr_slots, rb_old_subbuf(resize, first + has));\n"),
    "resize-loses-too-many": ("resize", "to->entries - from->entries", "to->entries"),
    "resize-tail-of-another-lap": ("resize", "*use = &to->use[lap & 1];", "*use = &to->use[1];"),
    "resize-tag-of-another": (
        "resize", "	} while (rb_slot_read(cpu, resize->slot) != value);", "	} while (0);"),
    "resize-frees-what-is-used": ("resize", "		page->use[0].base = 0;\n", "", "random"),
    "resize-sums-late": ("resize", """		resize->copied = resize->oldest;
		rb_note_sum(resize);
""", """		resize->copied = resize->oldest;
"""),
    "handed-out-uncounted": ("read_page", "	cpu->read_events += local_read(&reader->use->entries);\n",
                             "", "random"),
    "discard-keeps-the-time": ("write", "rb_word_move(cpu, word, rb_word(start, before))",
                               "rb_word_move(cpu, word, rb_word(start, cpu->frame.time))",
                               "random"),
    "refused-uncounted": ("tail", "		local_inc(&cpu->dropped);\n", "		;\n", "random"),
    "lost-bytes-uncounted": ("tail", "	local_add(bytes, &cpu->lost_bytes);\n", "", "random"),
    "lost-told-again": ("read_page", "		reader->lost = 0;\n", "", "random"),
    "dump-shuts-nothing": ("read", "	rb_shut_cpu(cpu);\n", ""),
    "attached-with-the-time": ("page", "event->array[1] & RB_DELTA_MAX :", "event->array[1] :", "random"),
    "attached-flag-unasked": ("page.h", " &&\n	       event->array[1] & RB_ATTACHED;", ";", "random"),
    "attached-at-another-time": ("inline.h", "		delta = 0;\n", "		;\n", "random"),
    "attached-late-at-another-time": ("tail", "entry->attached ? 0 : entry->delta", "entry->delta",
                                      "random"),
    "attached-told-1-late": ("tail", "	if (delta < least || READ", "	if (READ", "random"),
    "attached-first-told-1-late": ("tail", "	return entry->time - rb_least_delta(entry);",
                                   "	return entry->time;", "random"),
    "attached-in-line-told-1-late": ("inline.h", "	if (room && unlikely(!delta))\n		return false;\n",
                                     "", "random"),
    "attached-1-before-overflows": ("page", "stamp + least < time", "stamp < time", "random"),
    "oldest-at-another-time": ("page", "	return rb_event_step(event, time);\n}\n\n/* Bytes",
                               "	return time;\n}\n\n/* Bytes", "random"),
    "attached-found-elsewhere": ("page.h", "	event = rb_event_behind_stamp(event);\n	if (!rb",
                                 "	if (!rb", "random"),
    "iterator-trusts": ("iter", "	return !iter->in_ring ||", "	return 1 ||"),
}


def compiler():
    """Between two mutants, all but one source are as they were."""
    cached = shutil.which("ccache") and not os.environ.get("CCACHE_DISABLE")
    return ["CC=ccache gcc"] if cached else []


def make(source, out, program, variables):
    return subprocess.run(
        ["make", "-s", "-C", HERE, "SOURCE=" + source, "OUT=" + out, program, *compiler(), *variables],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


@functools.cache
def build_good(source, program, variables):
    """Build the program that mutants are noticed by; returns where it is made, and its path."""
    # of make's arguments, what has a "=" in it is no target
    out = "/".join((OUT, "out", *(variable.replace("=", "-") for variable in variables)))
    program = f"{out}/{program}"
    result = make(source, out, program, variables)
    if result.returncode:
        sys.exit(result.stdout.decode())
    return out, program


def mutate(name, source):
    part, what, instead = MUTANTS[name][:3]
    file = part if part == "ring_buffer.c" else "ring_buffer_" + part
    path = os.path.join(source, file + ("" if "." in part else ".c"))
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    if text.count(what) != 1:
        sys.exit(f"not ok - mutant {name}: {path} has what is to be replaced "
                 f"{text.count(what)} times")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text.replace(what, instead))
    return text, path


def read_first():
    """The scenario to begin with, of each mutant that one has noticed."""
    with open(NOTICED_BY, encoding="utf-8") as stream:
        return dict(line.split() for line in stream if not line.startswith("#"))


def write_first(said):
    head = "# SPDX-License-Identifier: GPL-2.0\n" \
           "# Mutants, and the scenario of step that notices each: mutants.py --record\n"
    scenarios = {name: re.match(r"# (\S+), steps ", text) for name, text in said.items()}
    with open(NOTICED_BY, "w", encoding="utf-8") as stream:
        stream.write(head)
        stream.writelines(f"{name} {match.group(1)}\n"
                          for name, match in sorted(scenarios.items()) if match)


def says(command):
    """What a program says if it fails."""
    result = subprocess.run(["prlimit", f"--cpu={SECONDS}", *command],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if not result.returncode:
        return None
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "does not end"
    said = [line for line in result.stdout.decode(errors="replace").splitlines()
            if line.startswith(("#", "not ok"))]
    return said[-1] if said else f"ended with {result.returncode}"


def knows(program, scenario):
    """A scenario that is gone would end with an error, too: that is not to notice."""
    listed = subprocess.run([program, "--list"], stdout=subprocess.PIPE, check=True)
    return scenario in listed.stdout.decode().split()


def noticed(program, scenario):
    if scenario and os.path.basename(program) == "step" and knows(program, scenario):
        said = says([program, scenario])
        if said:
            return said
    return says([program])


def main():
    record = sys.argv[1:] == ["--record"]
    wanted = sys.argv[1:] if sys.argv[1:] and not record else sorted(MUTANTS)
    first = {} if record else read_first()
    heard = {}
    source = OUT + "/source"
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(source)
    for name in os.listdir(SOURCE):
        if name.startswith(FILES):
            shutil.copy2(os.path.join(SOURCE, name), source)
    survivors = 0
    for name in wanted:
        more = MUTANTS[name][3:]
        variables = tuple(item for item in more if "=" in item)
        notices = [item for item in more if "=" not in item] or ["step"]
        out, program = build_good(source, notices[0], variables)
        text, path = mutate(name, source)
        result = make(source, out, program, variables)
        said = noticed(program, first.get(name)) if not result.returncode else None
        if result.returncode:
            print(f"not ok - {name}: does not compile\n{result.stdout.decode()}")
        elif said:
            print(f"ok - {name}: {said}")
        else:
            print(f"not ok - {name}: not noticed")
        survivors += not said
        heard[name] = said or ""
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        sys.stdout.flush()
    print(f"1..{len(wanted)}")
    if record:
        write_first(heard)
    return survivors != 0


if __name__ == "__main__":
    sys.exit(main())
