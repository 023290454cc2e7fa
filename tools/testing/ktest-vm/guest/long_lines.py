# SPDX-License-Identifier: GPL-2.0
"""Make events whose lines are longer than a reader's buffer, and check how the lines end.

  long_lines.py TRACEFS

A call of select() has three sets of more than 1,000 descriptors. Its events are read by trace
and by trace_pipe, in each of their forms, and as comments in a function graph. Then all
functions are traced with all that their arguments point to.
"""

import ctypes
import os
import re
import resource
import subprocess
import sys

TRACEFS = sys.argv[1]
LIBC = ctypes.CDLL(None, use_errno=True)
MOST = 1020
HEAD = r"\s*\S.*-\d+\s+\[\d+\] \S+\s+[\d.]+: "
LINE = re.compile(HEAD + "(.*)")
GRAPH = re.compile(r" \d+\) .*\|  +(.*)")
# How a line of a graph may end; what is open in it is closed
ENDS = re.compile(r"(.*\);|.*\) \{|\}|.*\*/|.*=+> \||.*<=+ \||)")


def write(name, text):
    with open(os.path.join(TRACEFS, name), "w", encoding="ascii") as file:
        file.write(text)


def read(name):
    with open(os.path.join(TRACEFS, name), encoding="ascii", errors="replace") as file:
        return [line for line in file.read().split("\n") if line and not line.startswith("#")]


def read_pipe():
    """Without waiting, in pieces that are smaller than a line"""
    fd = os.open(os.path.join(TRACEFS, "trace_pipe"), os.O_RDONLY | os.O_NONBLOCK)
    pieces = []
    try:
        while True:
            piece = os.read(fd, 3000)
            if not piece:
                break
            pieces.append(piece)
    except BlockingIOError:
        pass
    os.close(fd)
    text = b"".join(pieces).decode("ascii", errors="replace")
    if text and not text.endswith("\n"):
        raise SystemExit("the last line has no end: ..." + text[-200:])
    return text.split("\n")[:-1]


def select():
    """Nearly all descriptors are ready, to be read and written; no other call is traced"""
    bits = sum(1 << fd for fd in range(3, MOST)).to_bytes(1024 // 8, "little")
    sets = [ctypes.create_string_buffer(bits, len(bits)) for _ in range(3)]
    write("tracing_on", "1")
    LIBC.select(MOST, *sets, (ctypes.c_long * 2)(0, 0))
    write("tracing_on", "0")


def open_all():
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(null + 1, MOST):
        os.dup2(null, fd)


def show(line):
    """Its begin, its end, and what is around commas and equality signs"""
    around = [line[max(at - 60, 0):at + 60] for at in range(len(line)) if line[at] in ",="]
    return "\n   ".join([f"{len(line)} characters:", line[:120], *around[-9:], line[-120:]])


def expect(what, lines, patterns):
    if len(lines) != len(patterns):
        raise SystemExit(f"{what}: {len(lines)} lines for {len(patterns)} events: " +
                         "".join("\n" + show(line) for line in lines))
    for line, pattern in zip(lines, patterns):
        if not re.fullmatch(pattern, line):
            raise SystemExit(f"{what}: {show(line)}")
    print(f"{what}: " + ", ".join(f"{len(line)} characters" for line in lines))


OPTIONS = ["funcgraph-args", "funcgraph-retval-typed", "funcgraph-names",
           "funcgraph-strings", "funcgraph-structs", "funcgraph-changes", "func-args", "func-strings", "func-structs"]
NAME = "sys_p?select6?(?:_time32|_time64)?"
SET = r"\[(?:(?:\d+ )*\d+)?(?:\.\.\.)?\]"
FORMS = {
    "0": [NAME + rf"\(n: 3fc, inp: \w+ {SET}, outp: \w+ {SET}, exp: \w+(?: {SET}| \.\.\.|\.\.\.)?, "
          r"\w+: \w+.*\)(?: \(compat\))?",
          NAME + r" -> 0x\w+(?: \(compat\))?"],
    "1": [rf"\w+\(1020, {SET}, {SET}, (?:{SET}|\.\.\.).* <unfinished \.\.\.>(?: \(compat\))?",
          rf"\w+\(1020, {SET}, {SET}, (?:{SET}|\.\.\.).*\) = \d+ \(in {SET}, out {SET}, left \{{.*\}}\)"
          r"(?: \(compat\))?"],
}


def events(on):
    for name in os.listdir(os.path.join(TRACEFS, "events/syscalls")):
        if re.fullmatch(r"sys_(enter|exit)_p?select6?(_time32|_time64)?", name):
            write(f"events/syscalls/{name}/enable", on)


def check_events():
    write("current_tracer", "nop")
    write("syscall_strings", "64")
    write("set_event_pid", str(os.getpid()))
    for lines, patterns in FORMS.items():
        write("options/syscall-lines", lines)
        write("trace", "")
        events("1")
        select()
        events("0")
        whole = [HEAD + pattern for pattern in patterns]
        expect(f"trace, syscall-lines={lines}", read("trace"), whole)
        expect(f"trace_pipe, syscall-lines={lines}", read_pipe(), whole)
    write("set_ftrace_pid", str(os.getpid()))
    write("set_ftrace_filter", "core_sys_select")
    write("current_tracer", "function_graph")
    write("trace", "")
    events("1")
    select()
    events("0")
    comments = [rf" \d+\) [^|]*\|  +/\* {p} \*/" for p in FORMS["1"]]
    expect("comments", [line for line in read("trace") if "/* " in line and "elect" in line and
                        "core_sys" not in line], comments)
    expect("comments in trace_pipe", [line for line in read_pipe() if "/* " in line and
                                      "elect" in line and "core_sys" not in line], comments)


def check_function():
    """Two strings of which each character takes four"""
    write("arg_limits", "string=1000 event=2040")
    write("set_ftrace_filter", "path_mount")
    text = r'"(?:\\377)+"'
    args = rf"path_mount\(dev_name={text}, path=0x\w+, type_page={text}\.\.\., flags=0, " + \
        r"data_page=NULL\)"
    forms = {"function_graph": r" \d+\) [^|]*\|  +" + args + r"; /\* = .*ENODEV\)? \*/",
             "function": HEAD + args + r" <-\S+"}
    for option in ("funcgraph-args", "funcgraph-retval-typed", "funcgraph-names",
                   "funcgraph-strings", "func-args", "func-strings"):
        write(f"options/{option}", "1")
    for tracer, pattern in forms.items():
        write("current_tracer", tracer)
        write("trace", "")
        write("tracing_on", "1")
        LIBC.mount(b"\xff" * 990, b"/", b"\xff" * 990, 0, None)
        write("tracing_on", "0")
        expect(tracer, read("trace"), [pattern])
        expect(f"{tracer}, trace_pipe", read_pipe(), [pattern])


def check_graph():
    """The longest lines that functions have"""
    write("arg_limits", "string=1024 event=2040 depth=8 members=256")
    write("set_ftrace_filter", "")
    write("set_ftrace_pid", "")
    for option in OPTIONS:
        write(f"options/{option}", "1")
    for tracer in ("function_graph", "function"):
        write("current_tracer", tracer)
        write("trace", "")
        write("tracing_on", "1")
        subprocess.run("ls -l /proc/self /etc >/dev/null; (:); sleep 0.1", shell=True, check=True)
        pipe = subprocess.run(["timeout", "4", "dd", f"if={TRACEFS}/trace_pipe", "bs=8192",
                               "count=40"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False).stdout
        write("tracing_on", "0")
        lines = read("trace") + pipe.decode("ascii", errors="replace").split("\n")[:-1]
        longest = cut = wrong = 0
        for line in lines:
            text = GRAPH.fullmatch(line) if tracer == "function_graph" else LINE.fullmatch(line)
            longest = max(longest, len(line))
            if not text:
                continue
            cut += "...)" in line or "...}" in line
            if tracer == "function_graph" and not ENDS.fullmatch(text.group(1)) or \
               tracer == "function" and not re.fullmatch(r".* <-\S+( \[\S+\])?", text.group(1)):
                wrong += 1
                if wrong < 5:
                    print(show(line))
        print(f"{tracer}: {len(lines)} lines, the longest has {longest} characters, "
              f"{cut} are cut somewhere")
        if wrong or longest < 2000:
            raise SystemExit(f"{tracer}: {wrong} lines have no end")


def clean_up(limits):
    write("current_tracer", "nop")
    for option in OPTIONS:
        write(f"options/{option}", "0")
    for name in ("set_ftrace_filter", "set_ftrace_pid", "set_event_pid", "trace"):
        write(name, "")
    write("options/syscall-lines", "0")
    write("syscall_strings", "0")
    write("arg_limits", limits)
    write("buffer_size_kb", "1408")
    write("tracing_on", "1")


def main():
    open_all()
    limits = " ".join(read("arg_limits"))
    write("tracing_on", "0")
    # perf leaves it off
    write("options/irq-info", "1")
    write("buffer_size_kb", "512")
    try:
        check_events()
        check_function()
        check_graph()
    finally:
        clean_up(limits)


main()
