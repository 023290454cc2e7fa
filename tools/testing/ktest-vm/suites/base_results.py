# SPDX-License-Identifier: GPL-2.0
"""Results of the unmodified base, kept in files, and their comparison with a kernel's.

A test that passed on the base and does not pass now has failed, and so has a test
without a result.
"""

import os

import results
import vm

HEAD = "# SPDX-License-Identifier: GPL-2.0\n"


def load(path):
    """The base's version and the results in a file."""
    version, kept = None, {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            words = [] if line.startswith("#") else line.strip().split(None, 1)
            if not words:
                continue
            if len(words) != 2:
                raise SystemExit(f"error: {path}:{number}: a result and a test are wanted")
            if words[0] == "base":
                version = words[1]
            else:
                kept[words[1]] = words[0]
    if not version or not kept:
        raise SystemExit(f"error: {path}: no base version, or no results")
    return version, kept


def save(path, head, found):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as out:
        out.write(f"{HEAD}{head}base {base_version()}\n")
        out.writelines(f"{found[name]} {name}\n" for name in sorted(found))
    os.rename(path + ".new", path)
    passed = list(found.values()).count("PASS")
    print(f"== {path}: {len(found)} results, {passed} passed", flush=True)


def base_version():
    """The version of the package that the built kernel's base is from."""
    with open(os.path.join(vm.BUILD, "linux.package"), encoding="utf-8") as stream:
        return stream.read().strip()


def note_other_version(version):
    if version != base_version():
        print(f"   note: the kept results are of {version}, the base is "
              f"{base_version()} now: \"make baseline\" makes them anew")


# Comparison

KINDS = ("same", "improved", "changed", "new", "regressed", "missing")


def kind(before, now):
    """The kind of difference between the base's result and ours; None is no result."""
    if now is None:
        return "missing"
    if before is None:
        return "new"
    if before == now:
        return "same"
    if before == "PASS" or now == "CRASH":
        return "regressed"
    return "improved" if now == "PASS" else "changed"


def compare(base, found):
    """Map each kind to its sorted test names."""
    kinds = {name: [] for name in KINDS}
    for name in sorted(base.keys() | found.keys()):
        kinds[kind(base.get(name), found.get(name))].append(name)
    return kinds


def count(base, found, kinds):
    """Results that got worse are failures; tests that never passed count as skipped."""
    tally = results.Tally()
    for what, names in kinds.items():
        for name in names:
            bad = what in ("regressed", "missing") or found[name] == "CRASH"
            tally.add(describe(name, base, found) if bad else name, not bad,
                      not bad and found[name] != "PASS")
    return tally


def describe(name, base, found):
    return f"{name}: {base.get(name, 'unknown')} on the base, " \
        f"{found.get(name, 'no result')} on this kernel"


def report(title, version, base, found, kinds):
    print(f"== {title}: the base ({version}) and this kernel")
    words = ["PASS"] + sorted(set(base.values()) | set(found.values()) - {"PASS"})
    for word in dict.fromkeys(words):
        print(f"   {word:12} {list(base.values()).count(word):4}"
              f" {list(found.values()).count(word):4}")
    for what in KINDS[1:]:
        for name in kinds[what]:
            print(f"   {what}: {describe(name, base, found)}")
    for name in kinds["same"]:
        if found[name] != "PASS":
            print(f"   same: {describe(name, base, found)}")
