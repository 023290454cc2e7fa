# SPDX-License-Identifier: GPL-2.0
"""The instructions of a program, as objdump reads them."""

import dataclasses
import re
import subprocess

LINE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(?:\t(.*))?$")
PREFIXES = re.compile(r"(?:(?:bnd|notrack|data16|addr32|lock|[cdefgs]s|rex\S*) )*")
# In front of ret it does nothing
REPEATED = re.compile(r"rep\w* (?!ret)")
SHADOW = re.compile(r"pause|sti|mov.*,%ss$|pop +%ss")
KINDS = (
    (re.compile(r"l?call"), "call"),
    (re.compile(r"(?:repz )?l?ret"), "return"),
    (re.compile(r"l?jmp"), "jump"),
    (re.compile(r"j[a-z]+|loop"), "conditional"),
)
TARGET = re.compile(r"\S+ +(?:0x)?([0-9a-f]+)(?: <|$)")


@dataclasses.dataclass
class Instruction:
    """kind is as branch tracing calls it, None if it is no branch; target is that of a direct
    branch. After one that shadows, the CPU may execute the next one before it raises a trap."""
    length: int
    kind: str = None
    target: int = None
    repeats: bool = False
    shadows: bool = False


def parse(text):
    """What Instruction has behind the length."""
    text = text[PREFIXES.match(text).end():]
    kind = next((kind for pattern, kind in KINDS if pattern.match(text)), None)
    target = TARGET.match(text) if kind else None
    return (kind, target and int(target.group(1), 16), bool(REPEATED.match(text)),
            bool(SHADOW.match(text)))


def read(path, *options):
    """{address: Instruction} of a program, or of what options tell objdump that it is."""
    text = subprocess.run(["objdump", "-D" if options else "-d", "-w", *options, path],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            address, code, words = match.groups()
            found[int(address, 16)] = Instruction(len(code) // 3, *parse(words or ""))
    return found


def extent(instructions):
    """The addresses from the first to the last one."""
    last = max(instructions)
    return range(min(instructions), last + instructions[last].length)
