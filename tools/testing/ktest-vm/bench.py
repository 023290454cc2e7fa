#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measure what tracing costs, in this kernel and in the base.

  bench.py [NAME=BUILD...]   the builds to compare, by default the base's in
                             build/bench-base, and ours in build

Prints a table and writes build/bench.json. The guests count instructions
instead of time (QEMU's -icount), so that the figures do not depend on the machine.
A call's are the same in every run; those of the load differ by a few percent,
for a tick at another instruction changes the order of its tasks. guest/bench.c
says what is counted.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import bench_steps
import vm

RESULT = os.path.join(vm.BUILD, "bench.json")
SYMBOLS = os.path.join(vm.BUILD, "bench-symbols.txt")
HACKBENCH = "hackbench"
# One processor, whose time is its instructions, and the same seed and clock in
# each run
MACHINE = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1",
           "-m", "1024", "-cpu", "max", "-rtc", "base=2024-01-01,clock=vm", "-seed", "1",
           "-no-reboot", "-nodefaults", "-no-user-config", "-display", "none"]
COMMAND_LINE = ("console=ttyS0 quiet panic=-1 oops=panic nokaslr tsc=reliable "
                "clocksource=tsc kunit.enable=0")
TIMEOUT = int(os.environ.get("TIMEOUT") or 900)

# Kinds of results: the table's heading, and the values that a line has
KINDS = {
    "insns": ("instructions per traced call, over off", ("mean", "median", "interrupted")),
    "load": ("time with every function traced, ratio to off", ("ratio", "instructions")),
    "bytes": ("bytes in the ring buffer per event", ("bytes",)),
    "memory": ("bytes of memory", ("bytes",)),
    "image": ("bytes of the kernel's image", ("bytes",)),
}


def program(name):
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not path:
        raise SystemExit(f"error: {name} is missing (package rt-tests)")
    return path


def libraries(path):
    text = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"/\S+", text)


def install(source, top, place):
    target = top + place
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def compile_init(target):
    source = os.path.join(vm.HERE, "guest/bench.c")
    result = subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static",
                             "-o", target, source], check=False)
    if result.returncode:
        raise SystemExit(f"error: {source} does not compile")


def fill_root(top):
    compile_init(os.path.join(top, "init"))
    load = program(HACKBENCH)
    install(load, top, "/usr/bin/" + HACKBENCH)
    for library in libraries(load):
        install(library, top, library)


def write_initrd(path):
    with tempfile.TemporaryDirectory() as top:
        fill_root(top)
        names = sorted(os.path.relpath(os.path.join(directory, name), top)
                       for directory, directories, files in os.walk(top)
                       for name in directories + files)
        with open(path, "wb") as out:
            subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"], cwd=top,
                           check=True, input="\n".join(names).encode(), stdout=out)


def output_directory(build):
    return os.path.join(build, "linux/out-x86_64")


def kernel_image(build):
    path = os.path.join(output_directory(build), "arch/x86/boot/bzImage")
    if not os.path.exists(path):
        raise SystemExit(f"error: {path} is missing; run make bench")
    return path


def command(build, initrd, console, results):
    return [vm.QEMU] + MACHINE + [
        "-kernel", kernel_image(build), "-initrd", initrd, "-append", COMMAND_LINE,
        "-serial", f"file:{console}", "-serial", f"file:{results}"]


def boot(name, build, initrd, stepper):
    """The guest's result lines; stops the program if it did not end well."""
    console, results = (os.path.join(vm.BUILD, "logs", f"bench-{name}.{kind}")
                        for kind in ("console", "results"))
    for path in (console, results):
        if os.path.exists(path):
            os.unlink(path)
    with subprocess.Popen(command(build, initrd, console, results) + stepper.arguments(),
                          stdin=subprocess.DEVNULL) as process:
        try:
            outcome = vm.watch(process, vm.Tail(console), vm.Tail(results), TIMEOUT, TIMEOUT,
                               stepper.on_line)
        finally:
            process.kill()
            stepper.close()
    problem = outcome.problem()
    if not problem and outcome.status:
        problem = "; ".join(line for line in outcome.lines if line.startswith("error"))
    if problem:
        raise SystemExit("\n".join([f"error: the guest \"{name}\": {problem}"]
                                   + ["  " + line for line in outcome.excerpt()]))
    return outcome.lines


def parse(lines):
    """{kind: {name: {value's name: number}}} of a guest's lines."""
    found = {kind: {} for kind in KINDS}
    found["mitigations"] = {}
    for line in lines:
        kind, name, *values = line.split("\t")
        if kind == "mitigation":
            found["mitigations"][name] = values[0]
        elif kind in KINDS:
            found[kind][name] = dict(zip(KINDS[kind][1], map(float, values)))
        elif kind not in ("none", "step", "stepped"):
            raise SystemExit(f"error: the guest said \"{line}\"")
    return found


def section_sizes(vmlinux):
    text = subprocess.run(["readelf", "-SW", vmlinux], capture_output=True, text=True,
                          check=True).stdout
    # ] name type address offset size
    return {name: int(size, 16) for name, size in
            re.findall(r"\] (\S+) +\S+ +[0-9a-f]{16} [0-9a-f]+ ([0-9a-f]+) ", text)}


def image_sizes(build):
    out = output_directory(build)
    sections = section_sizes(os.path.join(out, "vmlinux"))
    sizes = {"vmlinux (file)": os.path.getsize(os.path.join(out, "vmlinux")),
             "read-only data": sections[".rodata"],
             "bzImage": os.path.getsize(kernel_image(build))}
    if "__ftrace_signatures" in sections:
        sizes["signature table"] = sections["__ftrace_signatures"]
    return {name: {"bytes": float(size)} for name, size in sizes.items()}


def release(build):
    with open(os.path.join(output_directory(build), "include/config/kernel.release"),
              encoding="utf-8") as stream:
        return stream.read().strip()


def measure(name, build, initrd):
    with tempfile.TemporaryDirectory() as top:
        stepper = bench_steps.Stepper(top, os.path.join(output_directory(build), "vmlinux"))
        result = parse(boot(name, build, initrd, stepper))
    result["calls"] = stepper.over_off()
    result["image"] = image_sizes(build)
    result["release"] = release(build)
    return result


def measure_all(builds):
    os.makedirs(os.path.join(vm.BUILD, "logs"), exist_ok=True)
    initrd = os.path.join(vm.BUILD, "bench.cpio")
    write_initrd(initrd)
    with concurrent.futures.ThreadPoolExecutor(len(builds)) as pool:
        jobs = {name: pool.submit(measure, name, build, initrd)
                for name, build in builds.items()}
        return {name: job.result() for name, job in jobs.items()}


FORMATS = {"insns": ".1f", "load": ".2f"}


def cell(result, kind, name):
    values = result[kind].get(name)
    return format(values[KINDS[kind][1][0]], FORMATS.get(kind, ".0f")) if values else "-"


def names_of(results, kind):
    """In the order of the guest, those that only one kernel has included."""
    return list(dict.fromkeys(name for result in reversed(list(results.values()))
                              for name in result[kind]))


def print_table(results):
    width = 58
    print(f"{'':{width}}" + "".join(f"{name:>12}" for name in results))
    for kind, (heading, _) in KINDS.items():
        print(heading)
        for name in names_of(results, kind):
            print(f"  {name:{width - 2}}" + "".join(f"{cell(result, kind, name):>12}"
                                                    for result in results.values()))


def print_conditions(results):
    for name, result in results.items():
        print(f"{name}: Linux {result['release']}; the processor's vulnerabilities:")
        for vulnerability, state in result["mitigations"].items():
            print(f"  {vulnerability}: {state}")


def main(arguments):
    builds = dict(argument.split("=", 1) for argument in arguments) or \
        {"base": os.path.join(vm.BUILD, "bench-base"), "ours": vm.BUILD}
    for build in builds.values():
        kernel_image(build)
    print("== measuring in emulated machines that count instructions; takes minutes",
          flush=True)
    results = measure_all(builds)
    print_conditions(results)
    print_table(results)
    with open(RESULT, "w", encoding="utf-8") as stream:
        json.dump(results, stream, indent=1)
        stream.write("\n")
    bench_steps.write_report(SYMBOLS, results)
    print(f"== {RESULT} has these figures and more,\n"
          f"== {SYMBOLS} each symbol's share of one call")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
