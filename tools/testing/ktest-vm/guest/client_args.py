# SPDX-License-Identifier: GPL-2.0
"""Read binary events as clients do that print arguments, and compare with the kernel's text.

  client_args.py TRACEFS

trace-cmd 3.4 takes all from the offset of the field "args" to the end of an event for the
function's arguments, and skips events that were discarded. With every option on that adds to
an event, these must be the arguments of the prototype: neither more nor others. The text is
printed without what arguments point to, so that it has the same values.
"""

import collections
import os
import re
import struct
import subprocess
import sys

TRACEFS = sys.argv[1]
FUNCTIONS = """__x64_sys_* __ia32_sys_* do_sys_open* getname* path_openat vfs_* fput dput __fdget*
    filp_close ksys_* step_into lookup_fast may_open* dentry_open security_* kfree copy_*
    strncpy_from_user cp_new_stat notify_change rw_verify_area generic_* mnt_* read_zero
    write_null iter_file_splice_write do_fcntl fcntl_* do_dup2""".split()
FOLLOW = ["strings", "structs", "changes"]
FEW = 200
WORD = struct.calcsize("P")
WORD_BITS = 8 * WORD
PAGE = os.sysconf("SC_PAGE_SIZE")
# As the ring buffer's page header says of the word that has the bytes in use
COMMIT = 0xfffff
DISCARDED, EXTEND, STAMP = 29, 30, 31


def path(name):
    return os.path.join(TRACEFS, name)


def write(name, text):
    with open(path(name), "w", encoding="ascii") as file:
        file.write(text)


def read(name):
    with open(path(name), encoding="ascii", errors="replace") as file:
        return file.read()


def set_options(value, prefix, names):
    for name in names:
        if os.path.exists(path(f"options/{prefix}-{name}")):
            write(f"options/{prefix}-{name}", value)


class Format:
    """The number of an event, and where its fields are: name to (offset, size)"""
    def __init__(self, event):
        text = read(f"events/ftrace/{event}/format")
        self.number = int(re.search(r"^ID: (\d+)", text, re.M).group(1))
        self.fields = {
            name: (int(offset), int(size)) for name, offset, size in
            re.findall(r"field:.*?(\w+)(?:\[\d*\])?;\s*offset:(\d+);\s*size:(\d+);", text)}

    def value(self, data, name):
        offset, size = self.fields[name]
        return int.from_bytes(data[offset:offset + size], sys.byteorder)

    def args(self, data):
        rest = data[self.fields["args"][0]:]
        if len(rest) % WORD:
            raise SystemExit(f"{len(rest)} bytes of arguments")
        return [word for (word,) in struct.iter_unpack("@L", rest)]


def page_events(page):
    """Time and data of the events of a page; None for the data of one that was discarded"""
    time, = struct.unpack_from("@Q", page)
    end = 8 + WORD + (struct.unpack_from("@L", page, 8)[0] & COMMIT)
    at = 8 + WORD
    while at < end:
        head, = struct.unpack_from("@I", page, at)
        kind, delta = head & 31, head >> 5
        at += 4
        if kind in (0, DISCARDED, EXTEND, STAMP):
            word, = struct.unpack_from("@I", page, at)
        if kind in (EXTEND, STAMP):
            delta += word << 27
            time = delta if kind == STAMP else time + delta
            at += 4
            continue
        time += delta
        if kind == DISCARDED:
            if not delta:
                raise SystemExit("an end of events within a page")
            yield time, None
            at += word
        elif kind:
            yield time, page[at:at + 4 * kind]
            at += 4 * kind
        else:
            yield time, page[at + 4:at + word]
            at += word


def raw_events():
    fd = os.open(path("per_cpu/cpu0/trace_pipe_raw"), os.O_RDONLY | os.O_NONBLOCK)
    events = []
    try:
        while True:
            page = os.read(fd, PAGE)
            if not page:
                break
            events += page_events(page)
    except BlockingIOError:
        pass
    os.close(fd)
    return events


def symbols():
    """The names at each address: a function may have several"""
    names = collections.defaultdict(set)
    with open("/proc/kallsyms", encoding="ascii") as file:
        for line in file:
            address, kind, name = line.split()[:3]
            if kind in "tTwW":
                names[int(address, 16)].add(name)
    return names


def split(text):
    """Parameters, at the commas between them"""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "({[") - (char in ")}]")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def number(text):
    """What a value's text says, or None if it is no single number"""
    named = {"NULL": 0, "false": 0, "true": 1}
    if text in named:
        return named[text]
    if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text):
        return int(text, 0)
    return None


def is_same(value, word):
    """Types may have less bits than a word"""
    return any(value % (1 << bits) == word % (1 << bits) and -(1 << bits) <= value < 1 << bits
               for bits in (8, 16, 32, 64) if bits <= WORD_BITS)


class Comparison:
    """Counts what was compared; complains of what is not the same"""
    def __init__(self):
        self.calls = self.values = self.entries = 0
        self.registers = {}

    def syscall(self, name, pid, args):
        """Its entry has one argument, by which registers are found that do not move"""
        self.entries += 1
        if len(args) != 1 or self.registers.setdefault(pid, args[0]) != args[0]:
            raise SystemExit(f"{name} of {pid} has the arguments {[hex(arg) for arg in args]}")

    def call(self, line, name, pid, text, args):
        self.calls += 1
        if re.match(r"__(x64|ia32)_sys_", name):
            self.syscall(name, pid, args)
            return
        params = split(text)
        # one of no register, of several, or of none that is known
        if any(re.search(r"[{?<]", param) for param in params) or "..." in params:
            return
        values = [number(param.split("=", 1)[1]) for param in params]
        if len(values) != len(args):
            # 64 bits take two words on 32-bit kernels
            if WORD == 4 and len(values) < len(args) <= 2 * len(values):
                return
            raise SystemExit(f"{line}\nhas {len(args)} arguments: {[hex(arg) for arg in args]}")
        for value, word, param in zip(values, args, params):
            if value is None:
                continue
            self.values += 1
            if not is_same(value, word):
                raise SystemExit(f"{line}\nhas {word:#x} for {param}")

    def finish(self, what, attached):
        print(f"{what}: {self.calls} calls, {self.values} values, {self.entries} syscalls, "
              f"{attached} with what arguments point to")
        if min(self.calls, self.values, self.entries, attached) < FEW // 10 or self.calls < FEW:
            raise SystemExit("too little to compare")


def work():
    """Of few programs, on the CPU whose buffer is read"""
    os.makedirs("client_args.d", exist_ok=True)
    command = "taskset 1 sh -c 'ls -l / > client_args.d/ls; cat client_args.d/ls; stat /'"
    write("tracing_on", "1")
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
    write("tracing_on", "0")


def record(tracer, prefix):
    write("tracing_on", "0")
    write("current_tracer", "nop")
    write("options/irq-info", "1")
    write("buffer_size_kb", "8192")
    write("trace", "")
    write("set_ftrace_filter", "")
    known = set(read("available_filter_functions").split())
    for function in FUNCTIONS:
        if any(re.fullmatch(function.replace("*", ".*"), name) for name in known):
            with open(path("set_ftrace_filter"), "a", encoding="ascii") as file:
                file.write(function + "\n")
    write("current_tracer", tracer)
    set_options("1", prefix, ["args", *FOLLOW])
    set_options("0", prefix, ["names"])
    work()
    set_options("0", prefix, FOLLOW)


def stop(prefix):
    write("current_tracer", "nop")
    write("set_ftrace_filter", "")
    write("trace", "")
    set_options("0", prefix, ["args"])


def text_calls(pattern):
    found = []
    for line in read("per_cpu/cpu0/trace").split("\n"):
        match = re.search(pattern, line)
        if match:
            found.append((line, match))
    return found


def compare(what, formats, pattern, check_call):
    """formats: of the event of a call, and of the other kinds that there are"""
    calls = text_calls(pattern)
    comparison, attached, last, before = Comparison(), 0, 0, False
    names = symbols()
    at = 0
    for time, data in raw_events():
        if time < last:
            raise SystemExit(f"from {last} back to {time}")
        last = time
        if data is None:
            before = True
            continue
        kind = int.from_bytes(data[:2], sys.byteorder)
        if kind == formats[0].number:
            attached += before
            line, match = calls[at]
            at += 1
            check_call(comparison, time, data, line, match, names)
        elif kind not in [other.number for other in formats]:
            raise SystemExit(f"an event of kind {kind}")
        before = False
    if at != len(calls):
        raise SystemExit(f"{at} calls in the buffer, and {len(calls)} in the text")
    comparison.finish(what, attached)


def check_name(names, address, match, line):
    """The call is the function's first instruction, or behind its endbr64"""
    if match.group("name") not in names[address] | names[address - 4]:
        raise SystemExit(f"{line}\nis at {address:#x}")


def check_graph():
    entry, leave = Format("funcgraph_entry"), Format("funcgraph_exit")
    record("function_graph", "funcgraph")

    def check(comparison, time, data, line, match, names):
        depth = (len(match.group("indent")) - 2) // 2
        if entry.value(data, "depth") != depth:
            raise SystemExit(f"{line}\nis at depth {entry.value(data, 'depth')}")
        if abs(time / 1000 - float(match.group("time")) * 1000000) > 1.5:
            raise SystemExit(f"{line}\nis at {time}")
        check_name(names, entry.value(data, "func"), match, line)
        comparison.call(line, match.group("name"), entry.value(data, "common_pid"),
                        match.group("args"), entry.args(data))

    write("options/funcgraph-abstime", "1")
    compare("function_graph", [entry, leave],
            r"^ *(?P<time>[\d.]+) +\|.*\|(?P<indent> +)(?P<name>[\w.]+)\((?P<args>.*)\)(?: \{|;)",
            check)
    write("options/funcgraph-abstime", "0")
    stop("funcgraph")


def check_function():
    function = Format("function")
    record("function", "func")

    def check(comparison, time, data, line, match, names):
        if abs(time / 1000 - float(match.group("time")) * 1000000) > 1.5:
            raise SystemExit(f"{line}\nis at {time}")
        check_name(names, function.value(data, "ip"), match, line)
        comparison.call(line, match.group("name"), function.value(data, "common_pid"),
                        match.group("args"), function.args(data))

    compare("function", [function],
            r"\] \S+ +(?P<time>[\d.]+): (?P<name>[\w.]+)\((?P<args>.*)\) <-", check)
    stop("func")


check_graph()
check_function()
