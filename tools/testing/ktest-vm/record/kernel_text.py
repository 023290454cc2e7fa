# SPDX-License-Identifier: GPL-2.0
"""The kernel's text as it is in the guest's memory, where it is patched."""

import tempfile

import vm
from record import program_code

MACHINE, BITS = {"x86_64": ("i386:x86-64", 64), "i386": ("i386", 32)}[vm.ARCH]
LONGEST = 15
# Each instruction is disassembled apart. What is behind it ends within its slot: it begins within
# LONGEST bytes, and is not longer than LONGEST.
SLOT = 32
NOP = b"\x90"
# How long calls are
CALLS = range(2, 8)


def move(instruction, distance):
    if instruction.target is not None:
        instruction.target = (instruction.target + distance) % (1 << BITS)
    return instruction


class Text:
    """The memory from an address on."""

    def __init__(self, memory, start):
        self.memory = memory
        self.addresses = range(start, start + len(memory))

    def slot(self, address):
        offset = address - self.addresses.start
        return self.memory[offset:offset + LONGEST].ljust(SLOT, NOP)

    def instructions(self, addresses):
        """{address: Instruction}"""
        addresses = sorted(addresses)
        with tempfile.NamedTemporaryFile() as code:
            code.write(b"".join(self.slot(address) for address in addresses))
            code.flush()
            found = program_code.read(code.name, "-b", "binary", "-m", MACHINE)
        return {address: move(found[number * SLOT], address - number * SLOT)
                for number, address in enumerate(addresses)}

    def is_behind_call(self, address):
        """Whether a call may return there."""
        found = self.instructions(address - size for size in CALLS)
        return any(found[address - size].kind == "call" and found[address - size].length == size
                   for size in CALLS)
