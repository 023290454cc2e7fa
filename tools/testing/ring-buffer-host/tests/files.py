#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do calls between the files of the ring buffer form a circle?

  files.py OBJECT...

The objects are what the programs are made of. Prints TAP: the check, and that it
notices a circle.
"""

import os
import subprocess
import sys


def symbols(path):
    """What an object defines for others, and what it needs of them."""
    defined, needed = set(), set()
    said = subprocess.run(["nm", "-g", path], stdout=subprocess.PIPE, check=True).stdout
    for line in said.decode().splitlines():
        *_, kind, name = line.split()
        (needed if kind in "Uvw" else defined).add(name)
    return defined, needed


def circles(objects):
    """The objects that need themselves: {name: (defined, needed)} is what there is."""
    home = {symbol: name for name, (defined, _) in objects.items() for symbol in defined}
    needs = {name: {home[symbol] for symbol in needed if symbol in home}
             for name, (_, needed) in objects.items()}

    def reached(name):
        seen, todo = set(), [name]
        while todo:
            new = needs[todo.pop()] - seen
            seen |= new
            todo.extend(new)
        return seen

    return sorted(name for name in needs if name in reached(name))


def check(name, good, said):
    print(f"{'ok' if good else 'not ok'} - files: {name}: {said}")
    return not good


def main():
    objects = {os.path.basename(path): symbols(path) for path in sys.argv[1:]}
    found = circles(objects)
    failed = check("no circle of calls", objects and not found,
                   ", ".join(found) or f"of {len(objects)}")
    # d calls the others, and is called by none of them
    found = circles({"a.o": ({"a"}, {"b"}), "b.o": ({"b"}, {"c"}), "c.o": ({"c"}, {"a"}),
                     "d.o": ({"d"}, {"a"})})
    failed |= check("a circle is noticed", found == ["a.o", "b.o", "c.o"], ", ".join(found))
    print("1..2")
    return failed


if __name__ == "__main__":
    sys.exit(main())
