# SPDX-License-Identifier: GPL-2.0
"""Check the kernel's Debian and RPM packages: their dependencies, and whether a module
that is built with the package of headers alone has signatures."""

import glob
import os
import re
import shutil
import subprocess

import results
import vm
from suites import binaries, matrix
from suites.selftests import chosen

DIRECTORY = os.path.join(os.path.dirname(vm.INITRAMFS), "packages")
# Where the kernel's make leaves them
LEFT = os.path.dirname(vm.OUT)
LEFT_NAMES = ("*.deb", "linux-upstream_*")
HEADERS = os.path.join(DIRECTORY, "headers")
MODULE = os.path.join(DIRECTORY, "module")
# The name of the guest's frame
FRAME = "headers"


class Problem(Exception):
    """A command failed, or a package is missing; the text says how, in lines."""


def output(*command, **more):
    result = subprocess.run(command, text=True, check=False, stdin=subprocess.DEVNULL,
                            capture_output=True, **more)
    if result.returncode:
        raise Problem("\n".join([f"{command[0]} failed:",
                                 *(result.stdout + result.stderr).splitlines()[-20:]]))
    return result.stdout


def kernel_make(*arguments):
    return output(os.path.join(vm.HERE, "kernel/build.sh"), "make", *arguments)


def remove_left():
    for name in LEFT_NAMES:
        for path in glob.glob(os.path.join(LEFT, name)):
            os.unlink(path)


def build():
    """Leave the packages in DIRECTORY."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    os.makedirs(DIRECTORY)
    remove_left()
    with open(os.path.join(vm.OUT, "include/config/kernel.release"), encoding="utf-8") as stream:
        release = stream.read().strip()
    try:
        # With the kernel's own build number: another one would link the image again
        kernel_make("-s", "bindeb-pkg", "KDEB_COMPRESS=none", f"KDEB_PKGVERSION={release}-1",
                    f"-j{os.environ.get('JOBS') or os.cpu_count()}")
        for path in glob.glob(os.path.join(LEFT, "*.deb")):
            shutil.move(path, DIRECTORY)
    finally:
        remove_left()


def package(name):
    found = glob.glob(os.path.join(DIRECTORY, name + "-*.deb"))
    if len(found) != 1:
        raise Problem(f"of {name}-*.deb there are {len(found)} in {DIRECTORY}")
    return found[0]


def unpack_headers():
    """Unpack the package of headers; return the directory that belongs in /usr/src."""
    shutil.rmtree(HEADERS, ignore_errors=True)
    output("dpkg-deb", "-x", package("linux-headers"), HEADERS)
    return glob.glob(os.path.join(HEADERS, "usr/src/linux-headers-*"))[0]


# The tests: each returns what is wrong, as a list of lines

def check_build_depends():
    """Where libdw-dev is missing, dpkg-checkbuilddeps names it."""
    state = os.path.join(DIRECTORY, "state")
    os.makedirs(state, exist_ok=True)
    with open("/var/lib/dpkg/status", encoding="utf-8") as stream:
        entries = stream.read().split("\n\n")
    with open(os.path.join(state, "status"), "w", encoding="utf-8") as out:
        out.write("\n\n".join(entry for entry in entries
                              if not entry.startswith("Package: libdw-dev\n")))
    result = subprocess.run(["dpkg-checkbuilddeps", f"--admindir={state}",
                             os.path.join(vm.OUT, "debian/control")],
                            text=True, check=False, capture_output=True)
    if "libdw-dev" not in result.stderr:
        return ["without libdw-dev, dpkg-checkbuilddeps says: " + (result.stderr or "nothing")]
    return []


def owners(libraries):
    """The packages that own these files, by any of the paths that dpkg may know."""
    found = set()
    for path in libraries:
        for name in (path, os.path.realpath(path), path.removeprefix("/usr"),
                     "/usr" + path):
            result = subprocess.run(["dpkg", "-S", name], text=True, check=False,
                                    capture_output=True)
            found.update(re.findall(r"^([^ :]+):\S* ", result.stdout, re.M))
    return found


def check_headers_depend():
    """The package of headers depends on the libraries of its recordmcount."""
    depends = output("dpkg-deb", "-f", package("linux-headers"), "Depends")
    tool = os.path.join(unpack_headers(), "scripts/recordmcount/recordmcount")
    needed = re.findall(r"\[(lib(?:dw|elf)\S*)\]", output("readelf", "-d", tool))
    if not needed:
        return [f"{tool} is linked to neither libdw nor libelf"]
    paths = [path for name, path in re.findall(r"(\S+) => (/\S+)", output("ldd", tool))
             if name in needed]
    named = set(re.findall(r"[a-z0-9.+-]+", depends))
    return [f"linux-headers does not depend on {owner}, but on \"{depends.strip()}\""
            for owner in sorted(owners(paths) - named)]


def build_module():
    """Build an external module with the headers; return its path."""
    headers = unpack_headers()
    shutil.rmtree(MODULE, ignore_errors=True)
    os.makedirs(MODULE)
    for path in glob.glob(os.path.join(matrix.SAMPLES, "ftrace-truth*.[ch]")):
        shutil.copy(path, MODULE)
    with open(os.path.join(MODULE, "Kbuild"), "w", encoding="utf-8") as out:
        out.write(matrix.kbuild_file(matrix.Option("", 100, 100)))
    kept = ("PATH", "HOME", "LANG", "CCACHE_DIR")
    output("make", "-s", "-C", headers, f"M={MODULE}", f"ARCH={vm.ARCH}", "modules",
           env={name: os.environ[name] for name in kept if name in os.environ})
    return os.path.join(MODULE, "ftrace-truth.ko")


def check_module():
    """Each call site of the module has a signature."""
    path = build_module()
    protos = binaries.prototypes(path)
    sites = binaries.call_sites(path)[0]
    signed = {proto.where for proto in protos if proto.result is not None}
    if len(sites) < 20:
        return [f"{path} has only {len(sites)} call sites"]
    return [f"{path}: call site {site} has no signature" for site in sorted(sites - signed)]


def check_rpm():
    """The spec file requires libdw, for the build and for kernel-devel."""
    spec = os.path.join(DIRECTORY, "kernel.spec")
    kernel_make("-s", "run-command",
                f"KBUILD_RUN_COMMAND=$(srctree)/scripts/package/mkspec {spec}")
    builds = output("rpmspec", "-q", "--buildrequires", spec)
    wrong = []
    if "elfutils-devel" not in builds:
        wrong.append("kernel.spec: libdw is not among what the build requires")
    devel = output("rpmspec", "-q", "--qf", "[%{NAME} %{REQUIRES}\\n]", spec)
    if not re.search(r"-devel .*elfutils-libs", devel):
        wrong.append("kernel.spec: libdw is not among what kernel-devel requires: " + devel)
    return wrong


CHECKS = {"build dependencies": check_build_depends, "headers' dependencies": check_headers_depend,
          "module": check_module, "rpm": check_rpm}


def run_guest_test(run_guest):
    """Load the module that check_module() built, and check a trace of it."""
    job = {"mode": "matrix\n", "tests": FRAME + "\n", "test": matrix.TEST + "\n"}
    with open(os.path.join(MODULE, "ftrace-truth.ko"), "rb") as stream:
        job[FRAME + ".ko"] = stream.read()
    return run_guest("packages", job, "kunit.enable=0 oops=panic", [FRAME], 0)


def tell(check):
    try:
        return check()
    except Problem as problem:
        return str(problem).splitlines()


def run(pattern, run_checks, run_guest):
    """test.py's run_checks and run_guest do what they do for other suites."""
    names = [name for name in CHECKS if chosen(name, pattern)]
    tally = results.Tally()
    if not names:
        return tally
    broken = tell(build)
    tally.merge(run_checks("packages", {"build": lambda: broken or []}, ""))
    if broken:
        return tally
    tally.merge(run_checks("packages", {name: lambda name=name: tell(CHECKS[name])
                                        for name in names}, ""))
    if "module" in names and os.path.exists(os.path.join(MODULE, "ftrace-truth.ko")):
        tally.merge(run_guest_test(run_guest))
    return tally
