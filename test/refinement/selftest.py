#!/usr/bin/env python3
"""Does prove-refinement notice what it must notice?

Inputs/before.ll has small functions. In wrong.ll each is transformed with a
mistake: all must be refuted. In right.ll it is transformed properly, often by a
step beside the mistake: all must be proved. And both ways the same, unchanged.
"""

import argparse
import subprocess
import sys
from pathlib import Path

INPUTS = Path(__file__).resolve().parent / "Inputs"


def verdicts(tool, before, after):
    run = subprocess.run([tool, "--list", str(before), str(after)],
                         capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        if not line.startswith(" "):
            verdict, name, *_ = line.split(": ")
            found[name] = verdict
    return run, found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prove-refinement", required=True)
    tool = parser.parse_args().prove_refinement
    failures = []
    for name, expected, status in (("wrong", "refuted", 1),
                                   ("right", "proved", 0),
                                   ("before", "unchanged", 0)):
        run, found = verdicts(tool, INPUTS / "before.ll", INPUTS / f"{name}.ll")
        if run.returncode != status:
            failures.append(f"{name}.ll: exit status {run.returncode}, "
                            f"expected {status}: {run.stderr}")
        if len(found) < 30:
            failures.append(f"{name}.ll: only {len(found)} functions")
        failures += [f"{name}.ll: {function} is {verdict}, expected {expected}"
                     for function, verdict in found.items()
                     if verdict != expected]
        print(f"{name}.ll: {len(found)} functions")
    # A counterexample has to say what goes wrong, and where.
    run, _ = verdicts(tool, INPUTS / "before.ll", INPUTS / "wrong.ll")
    for part in ("`store i32 %y, ptr %out, align 4`", "before: ", "after:  ",
                 "%x = "):
        if part not in run.stdout:
            failures.append(f"no '{part}' in the counterexamples")
    run = subprocess.run([tool, "missing.ll", "missing.ll"],
                         capture_output=True, text=True)
    if run.returncode != 2 or "missing.ll" not in run.stderr:
        failures.append(f"a missing file: {run.returncode} {run.stderr}")
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
