# SPDX-License-Identifier: GPL-2.0
"""How large the model is checked: what is in ring_buffer.pml, by name."""

SHORT, LONG, PUT, DISCARD = 1, 2, 4, 8
ALL = SHORT | LONG | PUT | DISCARD


def size(megabytes, events, kinds, first=0, more=(), **options):
    """@events and @kinds: of the task, the interrupt, the NMI."""
    settings = {"EVENTS_FIRST": first}
    for level in range(3):
        settings[f"EVENTS{level}"] = events[level]
        settings[f"KINDS{level}"] = kinds[level]
    settings.update(options)
    return {"options": settings, "megabytes": megabytes, **dict(more)}


def optimized(hash_bits=24):
    return {"compiler": ("gcc", "-O1", "-DCOLLAPSE"), "hash": hash_bits}


# Each of them with less than 1 GB and in some seconds
SMALL = {
    # three deep, all kinds of events, from an empty ring and from a full one
    "nest-empty": size(900, (1, 1, 1), (ALL, ALL, ALL), READER=0),
    "nest-full": size(900, (1, 1, 1), (ALL, ALL, ALL), 5, READER=0),
    "nest-room": size(900, (1, 1, 1), (ALL, ALL, ALL), 4, READER=0),
    # an interrupt that goes round the ring, and what comes after it
    "round": size(900, (7, 2, 0), (SHORT, LONG, 0), 3, READER=0),
    "round-3": size(900, (1, 3, 1), (SHORT, LONG, SHORT), 3, READER=0, OVERWRITE=1),
    # a reader beside them, overwriting and not
    "read": size(900, (2, 1, 0), (SHORT, SHORT, 0), 5),
    "read-empty": size(900, (3, 1, 0), (SHORT, SHORT | PUT, 0)),
    "read-long": size(900, (1, 1, 0), (LONG, SHORT, 0), 5),
    # the second look, after the reader has made the use ready for another lap
    "read-show": size(900, (1, 1, 0), (SHORT | PUT, LONG, 0), 4),
    "read-put": size(900, (3, 1, 0), (PUT, SHORT | PUT, 0)),
    "read-discard": size(900, (1, 1, 0), (SHORT | DISCARD, SHORT | DISCARD, 0), 5),
    "read-discard-empty": size(900, (2, 1, 0), (SHORT | DISCARD, SHORT, 0)),
    "read-laps": size(900, (4, 0, 0), (LONG, 0, 0), 5),
    "consume": size(900, (2, 1, 0), (SHORT, SHORT, 0), 5, OVERWRITE=0),
    # one moves on in another that moves on
    "cross": size(900, (1, 2, 1), (SHORT, LONG, SHORT), 3, READER=0),
    # periods of the word's time
    "time": size(900, (2, 1, 0), (SHORT | DISCARD, SHORT | DISCARD, 0), 1,
                 READER=0, TIME=1, ROOM=7),
    "time-long": size(900, (2, 2, 0), (SHORT, SHORT | PUT, 0), 1, READER=0, TIME=1, ROOM=7),
    "time-back": size(900, (1, 1, 0), (SHORT, SHORT | PUT, 0), 1, READER=0, TIME=1, ROOM=7, BACK=1),
    "read-time": size(900, (1, 1, 0), (SHORT | PUT, SHORT, 0), 1, TIME=1, ROOM=7),
    "time-deep": size(900, (1, 1, 1), (SHORT, SHORT, SHORT), 1, READER=0, TIME=1, ROOM=7),
    # a buffer that is changed, beside swaps
    "switch": size(900, (0, 0, 0), (0, 0, 0), more={"model": "switch.pml"}),
}

LARGE = {
    # three deep and a reader
    "read-nested": size(8000, (1, 1, 1), (SHORT, SHORT, SHORT), 5, optimized()),
    "consume-nested": size(8000, (1, 1, 1), (SHORT, SHORT, SHORT), 5, optimized(), OVERWRITE=0),
    # more of all
    "read-more": size(8000, (2, 2, 0), (SHORT, SHORT, 0), 5, optimized()),
    "nest-more": size(8000, (1, 2, 1), (ALL, ALL, ALL), 5, optimized(), READER=0),
    "nest-slots": size(8000, (1, 2, 1), (ALL, ALL, ALL), 8, optimized(), READER=0, SLOTS=3),
    "read-more-discard": size(8000, (2, 1, 0), (SHORT | DISCARD, SHORT | DISCARD, 0), 5, optimized()),
    "read-more-put": size(8000, (2, 1, 0), (PUT, SHORT | PUT, 0), 5, optimized()),
    "read-round": size(8000, (1, 2, 0), (SHORT, LONG, 0), 4, optimized()),
    "round-more": size(8000, (2, 3, 0), (ALL, ALL, 0), 3, optimized(), READER=0),
    "time-nested": size(8000, (2, 1, 1), (SHORT | DISCARD, SHORT | DISCARD, SHORT | DISCARD), 1,
                        optimized(), READER=0, TIME=1, ROOM=7),
}
