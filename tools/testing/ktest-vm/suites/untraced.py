# SPDX-License-Identifier: GPL-2.0
"""Check that nothing is traced of what the tracers call while they record an event.

A function that is traced itself calls the tracer again. At the entry of a function, the
recursion locks of function tracing end that, but nothing does at a return.
"""

import collections
import re
import subprocess

from suites import binaries

# Where recording begins: what the entries and returns of functions call
ROOTS = re.compile(r"ftrace_return_to_handler|return_from_call\w*|trace_graph_(entry|return)|"
                   r"function_graph_entry\w*|function_trace_call\w*|trace_function_entry\w*|"
                   r"ftrace_sig_(shape|entry_shape|follow_shape|keep|follow_begin|return_begin)|"
                   # What the forms of structures copy, which is called by pointer
                   r"(?!form_|table_|syscall_)\w+_capture")

# Calls that are not looked at
LEFT = {
    # Wakes readers once the event is whole. What is traced there wakes nobody again, as the
    # work is still pending.
    "irq_work_queue": "the base's ring buffer calls it, too",
    # The latency tracers' own measurement of a moment with interrupts off
    "tracer_hardirqs_off": "the base's latency tracers",
    "tracer_hardirqs_on": "the base's latency tracers",
}

# Warnings: what follows is no tracing any more. Calls by pointer have no target here.
WARNS = re.compile(r"_printk|__warn_printk|panic|dump_stack|ftrace_bug|ftrace_graph_stop|"
                   r"static_key_(en|dis)able|kunit_\w+|__kunit_\w+|"
                   r"__SC[TK]__\w+|__x86_indirect_thunk\w*")


Function = collections.namedtuple("Function", "address name")


def read_calls():
    """The calls, {function: functions}, and the functions that are traced."""
    sites = {int(site, 16) for site in binaries.image_call_sites(binaries.IMAGE)}
    calls, traced, function = collections.defaultdict(set), set(), None
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", binaries.IMAGE],
                          stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if match := re.match(r"([0-9a-f]+) <([^>]+)>:$", line):
                function = Function(int(match.group(1), 16), match.group(2))
            elif match := re.match(r" *([0-9a-f]+):\t", line):
                if int(match.group(1), 16) in sites:
                    traced.add(function)
                if match := re.search(r"\t(?:call|j[a-z]+) +([0-9a-f]+) <([^>+]+)>", line):
                    calls[function].add(Function(int(match.group(1), 16), match.group(2)))
    if process.returncode:
        raise SystemExit("objdump failed")
    return calls, traced


def reached(calls, traced, roots):
    """What is traced of what the roots call: lists from it up to the root."""
    callers = dict.fromkeys(roots)
    queue = collections.deque(roots)
    found = []
    while queue:
        function = queue.popleft()
        for callee in sorted(calls[function] - callers.keys()):
            if callee.name in LEFT or WARNS.fullmatch(callee.name):
                continue
            callers[callee] = function
            if callee in traced:
                found.append(callee)
            else:
                queue.append(callee)
    return [path_of(callers, callee) for callee in found]


def path_of(callers, function):
    path = []
    while function:
        path.append(function.name)
        function = callers[function]
    return path


def is_root(function):
    return ROOTS.fullmatch(re.sub(r"\.\w+\.\d+", "", function.name))


def check():
    calls, traced = read_calls()
    roots = sorted(filter(is_root, calls))
    if not traced or len(roots) < 20:
        return [f"{len(traced)} traced functions and {len(roots)} roots were found"]
    return [f"{path[0]} is traced, and is called by {', that by '.join(path[1:])}"
            for path in reached(calls, traced, roots)]
