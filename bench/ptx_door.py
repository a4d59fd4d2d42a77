#!/usr/bin/env python3
"""What ptx-simplify makes of PTX files: cost, SASS, and time, against themselves.

    bench/ptx_door.py FOLDER... FILE.ptx...     a row for each argument
    bench/ptx_door.py --nvcc cuda_samples/real  .cu files, through nvcc -ptx

Cost is index_cost of the report: integer PTX instructions by the price list of
the pass. SASS counts instructions of the cubins of ptxas, without padding. A
kernel that was not taken counts as 1. With second bodies (--versioning=auto) cost
is that of ordinary launches, and SASS that of the whole kernel. Time is CPU time
of ptx-simplify over that of ptxas on the same file.

Exit status: 0 done; 1 a kernel's SASS grew by more than 1 % or a file failed,
with --fail-if-worse; 2 nothing could be measured.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import tempfile

from comparison import ROOT, default_cuda_path
from corpus_process import Failure, run
from corpus_ptx import sass_instructions

TIMEOUT_S = 120


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("inputs", nargs="+", type=pathlib.Path, help="PTX files, or folders of them")
    add("--nvcc", action="store_true", help="the inputs are .cu files")
    add("--arch", default="sm_90", help="for --nvcc")
    add("--versioning", choices=("auto", "off"), default="auto")
    add("--ptx-simplify", type=pathlib.Path, default=ROOT / "build/bin/ptx-simplify")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    add("--judge", action="store_true", help="ptx-simplify --judge with ptxas")
    add("--simplify-arg", action="append", default=[], metavar="ARG",
        help="an argument for ptx-simplify, such as --simplify-arg=--no-division-by-zero")
    add("--only", default="", help="kernels whose name has this regular expression")
    add("--verbose", action="store_true", help="a line for each kernel, worst SASS first")
    add("--fail-if-worse", action="store_true")
    options = parser.parse_args()
    for needed in [options.ptx_simplify] + options.inputs:
        if not needed.exists():
            parser.error(f"{needed}: no such file")
    return options


def sources(path, suffix):
    return sorted(path.rglob(f"*{suffix}")) if path.is_dir() else [path]


def assembled(ptx, folder, options):
    """({kernel: SASS instructions}, CPU seconds)"""
    target = re.search(r"\.target\s+(\w+)", ptx.read_text())[1]
    cubin = folder / "out.cubin"
    _, seconds = run([options.cuda_path / "bin/ptxas", f"-arch={target}", ptx, "-o", cubin],
                     [TIMEOUT_S])
    return sass_instructions(cubin.read_bytes()), seconds


def measure(source, folder, options):
    """Rows for the kernels of a file, and its times."""
    ptx = source
    if options.nvcc:
        ptx = folder / "in.ptx"
        run([options.cuda_path / "bin/nvcc", "-O3", f"-arch={options.arch}", "-ptx", source, "-o",
             ptx], [TIMEOUT_S])
    new, report = folder / "new.ptx", folder / "report.json"
    judge = ["--judge", options.cuda_path / "bin/ptxas"] if options.judge else []
    _, seconds = run([options.ptx_simplify, ptx, "-o", new, "--report", report,
                      f"--versioning={options.versioning}", *judge, *options.simplify_arg], [TIMEOUT_S])
    before, ptxas_seconds = assembled(ptx, folder, options)
    after, _ = assembled(new, folder, options)
    rows = []
    for kernel in json.loads(report.read_text())["kernels"]:
        name = kernel["name"]
        if not re.search(options.only, name) or not before.get(name):
            continue
        old = max(kernel["old"]["index_cost"], 1)
        taken = old
        if kernel["outcome"] == "simplified":
            taken = kernel["fast" if kernel["second_body"] else "new"]["index_cost"]
        rows.append({"name": f"{source.name} {name}", "outcome": kernel["outcome"],
                     "cost": max(taken, 1) / old, "sass": after[name] / before[name]})
    return rows, seconds / ptxas_seconds


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def measure_input(path, options):
    rows, times, failed = [], [], 0
    for number, source in enumerate(sources(path, ".cu" if options.nvcc else ".ptx"), 1):
        if sys.stderr.isatty():
            print(f"\r{path}: {number}", end="", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            try:
                more, time = measure(source, pathlib.Path(folder), options)
            except Failure as failure:
                print(f"{source}: {failure}", file=sys.stderr)
                failed += 1
                continue
        rows += more
        times.append(time)
    return rows, times, failed


def main():
    options = parse_options()
    print(f"{'input':32} kernels  taken   cost   SASS  worst  grown   time")
    any_rows = is_worse = False
    for path in options.inputs:
        rows, times, failed = measure_input(path, options)
        any_rows |= bool(rows)
        grown = [row for row in rows if row["sass"] > 1.01]
        is_worse |= bool(grown) or failed > 0
        taken = sum(row["outcome"] == "simplified" for row in rows)
        print(f"{str(path)[-32:]:32} {len(rows):7} {taken:6} "
              f"{mean([row['cost'] for row in rows]):6.3f} {mean([row['sass'] for row in rows]):6.3f} "
              f"{max((row['sass'] for row in rows), default=float('nan')):6.2f} {len(grown):6} "
              f"{mean(times):6.2f}")
        if options.verbose:
            for row in sorted(rows, key=lambda row: -row["sass"]):
                print(f"  {row['sass']:.3f} {row['cost']:.3f} {row['outcome']:15} {row['name']}")
    if not any_rows:
        return 2
    return 1 if options.fail_if_worse and is_worse else 0


if __name__ == "__main__":
    sys.exit(main())
