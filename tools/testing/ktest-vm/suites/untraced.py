# SPDX-License-Identifier: GPL-2.0
"""Check that nothing is traced of what the tracers call while they record an event.

A function that is traced itself calls the tracer again. At the entry of a function, the
recursion locks of function tracing end that, but nothing does at a return.

Calls by pointer have no target in the code, so what they lead to is among the ROOTS. With
KASAN or lockdep, any function may report something, and reports call what is traced: then
there is nothing to be checked.
"""

import collections
import re
import subprocess

import vm
from suites import binaries

# Where recording begins: what the entries and returns of functions call. The reference
# configuration has functions of each of these names.
ROOTS = (
    r"ftrace_return_to_handler",
    r"return_from_call\w*",
    r"function_graph_entry_\d",
    r"trace_function_entry_\d",
    r"function_(\w+_)?trace_call",
    r"\w*_graph_entry",
    r"\w*_graph_(slow_)?return",
    r"ftrace_sig_(shape|entry_shape|follow_shape)",
    r"ftrace_sig_(keep|follow_begin|return_begin)",
    # What the forms of structures copy
    r"(?!form_|table_|syscall_)\w+_capture",
)

# Calls that are not looked at; the base has them, too
LEFT = (
    # Wakes readers once the event is whole. What is traced there wakes nobody again, as the
    # work is still pending.
    "irq_work_queue",
    # The latency tracers' own measurement of a moment with interrupts off
    "tracer_hardirqs_off",
    "tracer_hardirqs_on",
    # The option func_stack_trace: only at the entry, where a recursion lock is held
    "__ftrace_trace_stack",
)

# Warnings, behind which nothing is recorded any more; KUnit; calls by pointer
NO_RECORDING = re.compile(r"_printk|__warn_printk|panic|dump_stack|ftrace_bug|"
                          r"ftrace_graph_stop|static_key_(en|dis)able|kunit_\w+|__kunit_\w+|"
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
            if callee.name in LEFT or NO_RECORDING.fullmatch(callee.name):
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


def functions_called(calls, pattern):
    """The functions of such a name, or the compiler's copies of them."""
    return [function for function in calls
            if re.fullmatch(rf"({pattern})(\.\w+\.\d+)*", function.name)]


def is_possible():
    return not binaries.configured("KASAN") and not binaries.configured("LOCKDEP")


def check():
    calls, traced = read_calls()
    roots = {pattern: functions_called(calls, pattern) for pattern in ROOTS}
    missing = [f"no function is called {pattern}" for pattern in ROOTS
               if not roots[pattern] and not vm.VARIANT]
    if not traced:
        missing.append("no function is traced")
    return missing + [f"{path[0]} is traced, and is called by {', that by '.join(path[1:])}"
                      for path in reached(calls, traced, sum(roots.values(), []))]
