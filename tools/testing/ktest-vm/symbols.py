# SPDX-License-Identifier: GPL-2.0
"""The symbols of a kernel, as nm tells them."""

import bisect
import subprocess

TEXT = "tTwW"


def read(path):
    """[(address, type, name)...] of a kernel or an object, those that have an address."""
    text = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    words = (line.split() for line in text.splitlines())
    return [(int(found[0], 16), found[1], found[2]) for found in words if len(found) == 3]


class Symbols:
    """The symbols of a kernel's text."""

    def __init__(self, vmlinux):
        found = sorted((address, name) for address, kind, name in read(vmlinux) if kind in TEXT)
        self.addresses = [address for address, _ in found]
        self.names = [name for _, name in found]

    def address(self, name):
        return self.addresses[self.names.index(name)]

    def name(self, address):
        """Of the symbol that begins there, or is the last one before."""
        return self.names[bisect.bisect_right(self.addresses, address) - 1]
