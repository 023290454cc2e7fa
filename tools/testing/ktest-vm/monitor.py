# SPDX-License-Identifier: GPL-2.0
"""QEMU's monitor, and a serial port, the guest's /dev/ttyS1, by which the host answers the guest.

The guest waits for an answer where QEMU is to do something before the guest goes on.
"""

import os
import socket

PROMPT = b"(qemu) "
NAMES = ("monitor", "port")


class Monitor:
    """Its sockets are in the directory. It connects when it is used first."""

    def __init__(self, directory):
        self.paths = {name: os.path.join(directory, name) for name in NAMES}
        self.sockets = {}

    def arguments(self):
        """QEMU's; the port is the next serial one."""
        return ["-monitor", f"unix:{self.paths['monitor']},server=on,wait=off",
                "-serial", f"unix:{self.paths['port']},server=on,wait=off"]

    def do(self, *commands):
        self.connect()
        for command in commands:
            self.sockets["monitor"].sendall(command.encode() + b"\n")
            self.wait()

    def answer(self, text):
        self.connect()
        self.sockets["port"].sendall(text)

    def connect(self):
        if self.sockets:
            return
        for name in NAMES:
            self.sockets[name] = socket.socket(socket.AF_UNIX)
            self.sockets[name].connect(self.paths[name])
        self.wait()

    def wait(self):
        said = b""
        while not said.endswith(PROMPT):
            got = self.sockets["monitor"].recv(4096)
            if not got:
                raise SystemExit("error: QEMU's monitor closed its connection")
            said += got

    def close(self):
        for connection in self.sockets.values():
            connection.close()
