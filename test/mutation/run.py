#!/usr/bin/env python3
"""Breaks every rule and every fact source on purpose; do the tests notice?

mutations.jsonl is the list (listed.py says what a line of it is), anchors.py
finds the code of each mutation, mutants.py makes one build of all of them, and
suites.py runs the tests with each: without a mutation everything must pass, with
it some test must fail, crash, or not end.

Exit status: 0 if each mutation is noticed or listed as harmless, 1 if not, 2 if
the list does not fit the sources or something could not be built.
"""
import argparse
import concurrent.futures
import os
import sys
import time
from pathlib import Path

import anchors
import listed
import mutants
from listed import ROOT, fail
from suites import Suites


def find_all(mutations, sources):
    """Pairs of each mutation and its place."""
    found, misfits = [], []
    for m in mutations:
        try:
            found.append((m, anchors.find(m, sources)))
        except anchors.Misfit as misfit:
            misfits.append(f"{listed.LIST.name}:{m['number']}: {m['id']}: {misfit}")
    for misfit in misfits:
        print(misfit, file=sys.stderr)
    if misfits:
        fail(f"{len(misfits)} of {len(mutations)} mutations do not fit the sources")
    return found


def print_list(chosen, found, sources):
    for m, place in found:
        if m in chosen:
            where = f"{place.path.name}:{sources.code(place.path).line_of(place.first)}"
            print(f"{m['number']:4} {m['kind']:5} {m['id']:45} {where:30} {m['breaks']}")
    changed = sum(new != m for new, (m, _) in zip(anchors.update(found, sources), found))
    if changed:
        print(f"{changed} mutations are quoted with old names; run.py --update writes those of today")


def report(m, by, reaching):
    """One line; what the exit status and the list have to know."""
    if by:
        m["noticed_by"] = by
        state = "NOTICED, though listed as harmless:" if "harmless" in m else "noticed"
    else:
        state = "harmless" if "harmless" in m else "UNNOTICED"
        by = m.get("harmless") or f"{m['breaks']} ({reaching} tests evaluate it)"
    print(f"{state:9} {m['number']:4} {m['kind']:5} {m['id']:45} {by}")
    return state


def try_all(chosen, places, suites):
    with concurrent.futures.ThreadPoolExecutor(suites.jobs) as pool:
        results = pool.map(lambda m: suites.notice(m, places[m["id"]].path), chosen)
        return [report(m, *result) for m, result in zip(chosen, results)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="check that the mutations fit the sources, print them and stop")
    parser.add_argument("--update", action="store_true", help="write the names of today into the list and stop")
    parser.add_argument("--only", metavar="ID", default="", help="only mutations whose id begins with ID")
    parser.add_argument("--kind", choices=["wrong", "lost"], help="only mutations of this kind")
    parser.add_argument("--skip-harmless", action="store_true", help="leave out what is listed as harmless (each takes all tests)")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build/mutation", help="default: build/mutation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutations tried at a time (default: one for each core)")
    parser.add_argument("--record", action="store_true", help="write what noticed each mutation into the list")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)

    mutations = listed.read()
    chosen = [m for m in mutations if m["id"].startswith(options.only) and options.kind in (None, m["kind"])]
    if options.skip_harmless:
        chosen = [m for m in chosen if "harmless" not in m]
    if not chosen:
        fail(f"no such id begins with {options.only}; --list prints them")
    sources = anchors.Sources(ROOT)
    found = find_all(mutations, sources)
    if options.list:
        print_list(chosen, found, sources)
        return 0
    if options.update:
        listed.write(anchors.update(found, sources))
        return 0

    start = time.time()
    source, build = options.build_dir.resolve(), options.build_dir.resolve() / "build"
    files = mutants.mutated_files(found, anchors.replacements(found, sources), sources)
    digest = mutants.copy(files, source)
    programs = mutants.build(source, build, mutations, options.jobs)
    print(f"built ({time.time() - start:.0f} s)")
    start = time.time()
    suites = Suites(source, build, programs, options.jobs)
    suites.measure(digest, len(mutations))
    print(f"without a mutation all {len(suites.tests)} tests pass ({time.time() - start:.0f} s)")
    start = time.time()
    states = try_all(chosen, {m["id"]: place for m, place in found}, suites)
    if options.record:
        listed.write(mutations)
    wrong = sum(m["kind"] == "wrong" for m in chosen)
    noticed, harmless, unnoticed = (states.count(s) for s in ("noticed", "harmless", "UNNOTICED"))
    print(
        f"{len(chosen)} mutations ({wrong} wrong, {len(chosen) - wrong} lost rules): "
        f"{noticed} noticed, {harmless} harmless, {unnoticed} unnoticed; {time.time() - start:.0f} s"
    )
    return 0 if noticed + harmless == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
