#!/usr/bin/env python3
"""Proves what the pass made of the lit tests.

Runs every RUN line that runs index-simplify over a module again, with its
options, and has prove-refinement compare each function before and after. Prints
the functions that are not proved (--list: all) and their numbers. Fails if a
function is refuted.
"""

import argparse
import collections
import concurrent.futures
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
VERDICTS = ["unchanged", "proved", "refuted", "inconclusive", "timed out",
            "unsupported"]
# What decides how the module is transformed; the rest of a RUN line only looks
# at it.
KEPT_OPTION = re.compile(r"-(index-simplify-|debug-counter=|mtriple=)")


def passes_of(words):
    for word in words:
        if word.startswith("-passes="):
            return word.removeprefix("-passes=")
    return ""


def input_of(words, test, parts):
    """The module that a RUN line reads; parts: folder of its split files."""
    for word in words[1:]:
        if word == "%s":
            return test
        if word.startswith("%t/") and word.endswith(".ll"):
            return parts / word.removeprefix("%t/")
        if word.startswith("%S/") and word.endswith(".ll"):
            return (test.parent / word.removeprefix("%S/")).resolve()
    return None


def expanded(line, macros):
    for name, value in macros.items():
        line = line.replace(name, value)
    return line


def cases_of(test, scratch):
    """(module, passes, options) of each run in a lit test."""
    text = test.read_text()
    if "nvptx64" not in text and "Inputs/" not in text:
        return
    parts = scratch / test.stem
    macros = {}
    for line in text.splitlines():
        if found := re.match(r"; DEFINE: (%\{\w+\}) = (.*)", line):
            macros[found[1]] = found[2]
        if not line.startswith("; RUN:"):
            continue
        line = expanded(line.removeprefix("; RUN:"), macros)
        if "split-file" in line:
            split_file(text, parts)
        for command in re.split(r"&&|\||;", line.split(">")[0]):
            try:
                words = shlex.split(command)
            except ValueError:
                continue  # a quoted separator: none of ours
            if not words or words[0] != "%unravel-opt":
                continue
            passes = passes_of(words)
            module = input_of(words, test, parts)
            # By name and alone: the rest of a pipeline is not ours to prove.
            if module is None or not passes.startswith("index-simplify"):
                continue
            first = re.match(r"index-simplify(<[^>]*>)?", passes)[0]
            options = [w for w in words if KEPT_OPTION.match(w)]
            yield module, first, tuple(options)


def split_file(text, folder):
    folder.mkdir(exist_ok=True)
    for part in re.split(r"^#--- ", text, flags=re.M)[1:]:
        name, content = part.split("\n", 1)
        (folder / name.strip()).write_text(content)


def prove(case, number, scratch, arguments):
    module, passes, options = case
    before = scratch / f"{number}.before.ll"
    after = scratch / f"{number}.after.ll"
    # Names relate old and new values.
    opt = [arguments.opt, "-S", f"-load-pass-plugin={arguments.plugin}"]
    for output, pipeline in ((before, "instnamer"),
                             (after, f"instnamer,{passes}")):
        run = subprocess.run([*opt, f"-passes={pipeline}", *options,
                              str(module), "-o", str(output)],
                             capture_output=True, text=True)
        if run.returncode:
            return [], None  # a test of an error
    command = [arguments.prove_refinement, "--list", str(before), str(after)]
    if arguments.effort:
        command.append(f"--effort={arguments.effort}")
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        return [], f"{module}: {run.stderr or run.returncode}"
    return run.stdout.splitlines(), None


def report(cases, results, arguments):
    counts = collections.Counter()
    failed = False
    seen = set()
    for (module, passes, options), (lines, error) in zip(cases, results):
        if error:
            print(f"error: {error}", file=sys.stderr)
            failed = True
        for line in lines:
            if line.startswith(" "):  # of a counterexample
                print(line)
                continue
            verdict = line.split(":", 1)[0]
            counts[verdict] += 1
            seen.add(module)
            if arguments.list or verdict not in ("proved", "unchanged"):
                how = " ".join([passes, *options])
                print(f"{module.name} ({how}): {line}", flush=True)
    print(f"{len(seen)} modules: " +
          ", ".join(f"{counts[v]} {v}" for v in VERDICTS))
    if counts["refuted"] or failed:
        return 1
    if counts["proved"] < arguments.least:
        print(f"error: at least {arguments.least} functions are expected to be "
              "proved; see above what was not, or raise --effort",
              file=sys.stderr)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prove-refinement", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--effort", type=int,
                        help="Z3's steps for one question")
    parser.add_argument("--least", type=int, default=0,
                        help="fail if fewer functions are proved")
    parser.add_argument("--list", action="store_true",
                        help="every function with its verdict")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("modules", nargs="*", type=Path,
                        help="modules instead of the lit tests")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        cases = {(m.resolve(), "index-simplify", ()): None
                 for m in arguments.modules}
        if not cases:
            for test in sorted(TESTS.glob("*/*.ll")):
                if test.parent.name not in ("Inputs", "refinement"):
                    cases.update(dict.fromkeys(cases_of(test, scratch)))
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = pool.map(
                lambda job: prove(job[1], job[0], scratch, arguments),
                enumerate(cases))
            return report(cases, results, arguments)


if __name__ == "__main__":
    sys.exit(main())
