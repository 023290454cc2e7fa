# SPDX-License-Identifier: GPL-2.0
"""Build and boot the kernel after each step of the series.

  module.sh series.check [FIRST]

Takes the mails of build/series. After each step, from the FIRST on, the kernel is
built without signatures, and also with them as soon as the step has the option. Each
kernel boots, with the self tests of its tracers, and runs some of the base's
selftests. The kernels are small: they are configured by configs/small-x86_64.config,
and for ARCH=i386 with small-i386.config on top of it. The exit status is 0 only if
everything worked. All files are in build/series-check. TIMEOUT in the environment is
how many seconds a guest may run.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPO = os.path.realpath(os.path.join(HERE, "../../.."))
BUILD = os.environ.get("KTEST_BUILD") or os.path.join(REPO, "build")
CHECK = os.path.join(BUILD, "series-check")
CONFIGS = os.path.join(CHECK, "configs")
ARCH = os.environ.get("ARCH") or "x86_64"
# Each starts from the one before it
FRAGMENTS = {"x86_64": ["small-x86_64"], "i386": ["small-x86_64", "small-i386"]}[ARCH]
# The symbol that tells whether a step has signatures
SYMBOL = "CONFIG_FTRACE_SIGNATURES"
SMOKE = ("test.d/00basic/basic4.tc", "test.d/ftrace/fgraph-filter.tc",
         "test.d/ftrace/func_profiler.tc", "test.d/event/event-enable.tc")


class Failed(Exception):
    """A step that does not build or boot."""


def environment(variant):
    return dict(os.environ, KTEST_REPO=os.path.join(CHECK, "repo"), KTEST_BUILD=CHECK,
                KTEST_CONFIGS=CONFIGS, VARIANT=variant, CONFIGS="")


def run(log, variant, *command):
    """Run a program; its whole output goes to the log."""
    with open(log, "ab") as stream:
        status = subprocess.run(command, env=environment(variant), check=False,
                                stdin=subprocess.DEVNULL, stdout=stream,
                                stderr=subprocess.STDOUT).returncode
    if status:
        raise Failed(f"{os.path.basename(command[0])} failed; see {os.path.relpath(log)}")


def script(name):
    return os.path.join(HERE, name)


def take_mails(mails):
    """Make a repository whose patches are these mails."""
    directory = os.path.join(CHECK, "repo/patches")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for number, mail in enumerate(mails, 1):
        name = os.path.basename(mail).partition("-")[2]
        shutil.copy(mail, os.path.join(directory, f"{number:02}-{name}"))


def wanted_symbols():
    """The settings that a configuration with signatures adds."""
    with open(script("configs/signatures.config"), encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in stream if line.startswith("CONFIG_")]


def known_symbols(log):
    """Those of the wanted settings that the step's Kconfig files know."""
    wanted = wanted_symbols()
    out = os.path.join(CHECK, "scratch-config")
    os.makedirs(out, exist_ok=True)
    ask = os.path.join(out, "ask.config")
    with open(ask, "w", encoding="utf-8") as stream:
        for name in FRAGMENTS:
            with open(script(f"configs/{name}.config"), encoding="utf-8") as fragment:
                stream.write(fragment.read())
        stream.write("\n".join(wanted) + "\n")
    run(log, "", "make", "-s", "-C", os.path.join(CHECK, "linux"), f"O={out}", f"ARCH={ARCH}",
        f"KCONFIG_ALLCONFIG={ask}", "allnoconfig")
    with open(os.path.join(out, ".config"), encoding="utf-8") as stream:
        config = set(stream.read().splitlines())
    return [line for line in wanted if line in config]


def write_config(name, lines):
    os.makedirs(CONFIGS, exist_ok=True)
    for fragment in FRAGMENTS:
        shutil.copy(script(f"configs/{fragment}.config"), CONFIGS)
    with open(os.path.join(CONFIGS, f"{name}.config"), "w", encoding="utf-8") as stream:
        stream.write(f"# SPDX-License-Identifier: GPL-2.0\n# base: {FRAGMENTS[-1]}\n"
                     + "".join(line + "\n" for line in lines))


def smoke():
    """Boot a variant's kernel; runs in a process with that variant's environment."""
    import vm  # pylint: disable=import-outside-toplevel
    import results  # pylint: disable=import-outside-toplevel
    job = {"mode": "selftest\n", "tests": "".join(test + "\n" for test in SMOKE)}
    outcome = vm.boot(job, "kunit.enable=0 oops=panic", "smoke",
                      int(os.environ.get("TIMEOUT") or 300))
    tally = results.tally_frames(outcome.lines, list(SMOKE), 0)
    problem = outcome.problem()
    if problem:
        tally.fail(problem)
    for name in tally.failed:
        print(f"FAILED {name}")
    return tally.status()


def build(name, variant, log):
    run(log, variant, script("kernel/build.sh"))
    run(log, variant, script("rootfs/initramfs.sh"))
    run(log, variant, script("module.sh"), "series.check", "--smoke")
    print(f"   ok - {name}: {variant}", flush=True)


def check_step(mails, had):
    """Build and boot the kernel with these mails; return the wanted settings it knows."""
    name = os.path.basename(mails[-1]).removesuffix(".patch")
    log = os.path.join(CHECK, f"{name}-{ARCH}.log")
    if os.path.exists(log):
        os.unlink(log)
    take_mails(mails)
    write_config("off", [])
    run(log, "off", script("kernel/build.sh"), "tree")
    build(name, "off", log)
    has = known_symbols(log)
    lost = [line for line in had if line not in has]
    if lost:
        raise Failed(f"the step lost {' '.join(lost)}")
    if any(line.startswith(SYMBOL + "=") for line in has):
        write_config("on", has)
        build(name, "on", log)
    return has


def find_mails():
    mails = sorted(path for path in glob.glob(os.path.join(BUILD, "series/*.patch"))
                   if not os.path.basename(path).startswith("0000-"))
    if not mails:
        sys.exit("series.check: error: there are no mails in build/series; make series")
    return mails


def main(arguments):
    if arguments == ["--smoke"]:
        return smoke()
    if len(arguments) > 1 or any(not re.fullmatch(r"[1-9]\d*", text) for text in arguments):
        sys.exit(__doc__)
    mails = find_mails()
    first = int(arguments[0]) if arguments else 1
    if first > len(mails):
        sys.exit(f"series.check: error: there are only {len(mails)} steps")
    os.makedirs(CHECK, exist_ok=True)
    has = []
    for number in range(first, len(mails) + 1):
        print(f"== step {number} of {len(mails)}: {os.path.basename(mails[number - 1])}",
              flush=True)
        try:
            has = check_step(mails[:number], has)
        except Failed as problem:
            sys.exit(f"series.check: error: step {number}: {problem}")
    lost = [line for line in wanted_symbols() if line not in has]
    if lost:
        sys.exit(f"series.check: error: after the last step there is no {' '.join(lost)}")
    print(f"{len(mails)} steps build and boot")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
