"""The build that holds all mutants.

The sources are copied; in the copy each place becomes
`(mutated(N) ? (to) : (from))`, so that one build holds all mutants and the
environment variable UNRAVEL_MUTATION=N picks one. See Mutated.h.
"""
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from listed import ROOT, fail, is_statement

LINKED = ["cuda_samples"]  # too large to copy
INCLUDE = b'#include "test/mutation/Mutated.h"\n'


def switched(m, to, original):
    if is_statement(m["from"]):
        return f"{{ if (::unravel::mutated({m['number']})) {{ {to} }} else {{ {original}\n}} }}"
    return f"(::unravel::mutated({m['number']}) ? ({to}) : ({original}))"


def switch_all(text, places, begin, end):
    """The text from begin to end, with the places (begin, end, mutation, to)
    in it; they are sorted, one may hold others."""
    result = ""
    while places:
        low, high, m, to = places.pop(0)
        inner = []
        while places and places[0][0] < high:
            if places[0][1] > high:
                fail(f"{places[0][2]['id']} overlaps {m['id']}: one must hold the other")
            inner.append(places.pop(0))
        result += text[begin:low] + switched(m, to, switch_all(text, inner, low, high))
        begin = high
    return result + text[begin:end]


def mutated_files(found, replaced, sources):
    """The new text of each file that has mutations."""
    files = {}
    for (m, place), to in zip(found, replaced):
        tokens = sources.code(place.path).tokens
        files.setdefault(place.path, []).append((tokens[place.first].begin, tokens[place.last - 1].end, m, to))
    for path, places in files.items():
        places.sort(key=lambda p: (p[0], -p[1], p[2]["number"]))
        text = sources.code(path).text
        files[path] = INCLUDE + switch_all(text, places, 0, len(text)).encode()
    return files


def copy(files, target):
    """Copies all sources, with these files instead of theirs; what is as it was
    keeps its time. Returns a digest of everything."""
    seen, digest = set(), hashlib.sha256()
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build", "__")) and f not in LINKED)
        for path in sorted((Path(folder, n) for n in names)):
            relative = path.relative_to(ROOT)
            seen.add(target / relative)
            data = files.get(relative) or path.read_bytes()
            digest.update(f"{relative} {len(data)}\n".encode() + data)
            if not (target / relative).exists() or (target / relative).read_bytes() != data:
                (target / relative).parent.mkdir(parents=True, exist_ok=True)
                (target / relative).write_bytes(data)
                shutil.copymode(path, target / relative)
    for folder, folders, names in os.walk(target):  # what is gone
        folders[:] = [f for f in folders if f != "build"]
        for name in names:
            if Path(folder, name) not in seen:
                os.unlink(os.path.join(folder, name))
    for name in LINKED:
        if not (target / name).exists():
            (target / name).symlink_to(ROOT / name)
    return digest.hexdigest()


def build(source, target, mutations, jobs):
    """Builds the unit tests, the plugin, and the tools that lit tests use;
    returns their paths in the build folder."""
    configure = ["cmake", "-G", "Ninja", "-S", source, "-B", target]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    # ccache knows the files that have no mutation.
    environment = {**os.environ, "CCACHE_BASEDIR": str(source), "CCACHE_NOHASHDIR": "1"}
    run(configure, source, mutations, environment)
    rules = subprocess.run(["ninja", "-C", target, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True).stdout
    tools = set(re.findall(r'built\("([\w-]+)"\)', (source / "test/lit.cfg.py").read_text()))
    programs = re.findall(r"^((?:test|plugin|bin)/\S+): CXX_(?:EXECUTABLE|MODULE_LIBRARY)_LINKER", rules, re.M)
    programs = [p for p in programs if not p.startswith("bin/") or p[len("bin/") :] in tools]
    run(["ninja", "-C", target, f"-j{jobs}", "-k0", *programs], source, mutations, environment)
    return programs


def run(command, source, mutations, environment):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode:
        errors = dict.fromkeys(re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?(error: .*)", done.stdout, re.M))
        reports = [f"{path}:{line}: {error}{culprits(path, int(line), source, mutations)}" for path, line, error in errors]
        fail("the mutated sources do not build; adapt the list:\n" + ("\n".join(reports[:30]) or done.stdout[-3000:]))


def culprits(path, line, source, mutations):
    """The mutations in that line of a copy."""
    try:
        text = (source / "build" / path).read_text().splitlines()[line - 1]
    except (OSError, IndexError):
        return ""
    ids = {m["number"]: m["id"] for m in mutations}
    numbers = [int(n) for n in re.findall(r"mutated\((\d+)\)", text)]
    return f" ({', '.join(ids[n] for n in numbers if n in ids)})" if numbers else ""
