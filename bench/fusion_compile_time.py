#!/usr/bin/env python3
"""What each step from HLO text to PTX costs at compile time.

1. For every fusion of test/Inputs/hlo.
2. For generated fusions of up to 10,000 instructions (fusion_shapes.py): time has to be
   near-linear, step by step.

A step is a run of fusion-emit that ends there, so its time, of the processor, includes
all steps before it but "maps". What an empty run takes is subtracted. LLVM's pipeline
without the passes is measured beside the one with them, run after run in turns, and
the fastest of --repeat runs counts.

    bench/fusion_compile_time.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints two tables and writes them to bench/results/fusion_compile_time.json.
"""

import math
import pathlib
import resource
import subprocess
import sys
import tempfile

from comparison import (ROOT, TIMEOUT_S, argument_parser, geometric_mean,
                        report_misses, write_record)
from fusion_shapes import SHAPES

# The steps, in the order of their work.
STEPS = {
    "parse": ["--emit=hlo"],
    "maps": ["--emit=maps"],
    "emit": ["--passes=none"],
    "pass": ["--passes=alone"],
    "llvm": ["--passes=optimize"],
    "llvm_pass": ["--passes=simplify"],
    "ptx": ["--emit=ptx"],
}
# What is ours to keep linear; LLVM's own share is in "llvm", "llvm_pass" and "ptx".
OURS = ("parse", "maps", "emit", "pass")
# Caches alone make one visit of every instruction grow with 1.2 to 1.3.
EXPONENT_LIMIT = 1.4
# All of the pipeline, for 5,000 instructions.
RATIO_LIMIT = 2.0
NOISE_S = 0.1  # what is faster says nothing about growth

NOTHING = "ENTRY nothing { ROOT p = f32[] parameter(0) }\n"


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder) / "nothing.hlo"
        empty.write_text(NOTHING)
        startup = measure(options, empty, dict.fromkeys(STEPS, 0))
        results = {
            "fusions": measure_files(options, startup),
            "generated": measure_generated(options, startup, pathlib.Path(folder)),
        }
    results["pass_to_llvm"] = round(geometric_mean(
        row["seconds"]["llvm_pass"] / row["seconds"]["llvm"] for row in results["generated"]), 3)
    print(f"LLVM's pipeline takes {results['pass_to_llvm']:.2f} times as long with the passes, "
          "in geometric mean over the generated fusions")
    write_record(options, results)
    return report_misses(options, missed_aims(results))


def parse_options():
    parser = argument_parser(__doc__, "fusion_compile_time.json")
    add = parser.add_argument
    add("--fusion-emit", type=pathlib.Path, default=ROOT / "build/bin/fusion-emit")
    add("--repeat", type=int, default=3, help="the fastest of so many runs")
    add("--sizes", default="500,1000,2000,5000,10000")
    add("--shapes", default=",".join(SHAPES), help=f"of {', '.join(SHAPES)}")
    add("fusions", nargs="*", type=pathlib.Path, help="default: test/Inputs/hlo/*.hlo")
    options = parser.parse_args()
    if bool(options.machine) != bool(options.date):
        parser.error("a record needs both --machine and --date")
    if not options.fusion_emit.is_file():
        parser.error(f"{options.fusion_emit}: no such file (run scripts/build.sh)")
    if unknown := set(options.shapes.split(",")) - set(SHAPES):
        parser.error(f"unknown shape {', '.join(unknown)}")
    options.fusions = options.fusions or sorted((ROOT / "test/Inputs/hlo").glob("*.hlo"))
    return options


# --- Measuring ----------------------------------------------------------------


def measure(options, path, startup):
    """Seconds of each step for one module, above those of startup."""
    fastest = dict.fromkeys(STEPS, math.inf)
    for _ in range(options.repeat):
        for step, flags in STEPS.items():
            fastest[step] = min(fastest[step], seconds_of(options, [*flags, path]))
    return {step: round(max(seconds - startup[step], 0.001), 4) for step, seconds in fastest.items()}


def seconds_of(options, arguments):
    command = [str(word) for word in [options.fusion_emit, "--arch", options.arch, *arguments]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)}: took more than {TIMEOUT_S} s")
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_files(options, startup):
    print(f"{'milliseconds':28}" + "".join(f"{step:>10}" for step in STEPS))
    rows = []
    for path in options.fusions:
        rows.append({"fusion": path.stem, "seconds": measure(options, path, startup)})
        print_row(path.stem, rows[-1]["seconds"], 1000)
    print_row("geometric mean", {step: geometric_mean(row["seconds"][step] for row in rows)
                                 for step in STEPS}, 1000)
    return rows


def measure_generated(options, startup, folder):
    print(f"\n{'seconds':28}" + "".join(f"{step:>10}" for step in STEPS))
    rows = []
    for shape in options.shapes.split(","):
        of_shape = []
        for size in map(int, options.sizes.split(",")):
            path = folder / f"{shape}.hlo"
            path.write_text(SHAPES[shape](size))
            seconds = measure(options, path, startup)
            of_shape.append({"shape": shape, "instructions": size, "seconds": seconds})
            print_row(f"{shape} of {size}", seconds, 1)
        of_shape[-1]["exponents"] = {step: exponent(of_shape, step) for step in STEPS}
        print_row("  grows with the power", of_shape[-1]["exponents"], 1)
        rows += of_shape
    return rows


def exponent(rows, step):
    """log(time) over log(size), from the first size whose time is more than noise."""
    points = [(row["instructions"], row["seconds"][step]) for row in rows
              if row["seconds"][step] > NOISE_S]
    if len(points) < 2:
        return None
    (first, begin), (last, end) = points[0], points[-1]
    return round(math.log(end / begin) / math.log(last / first), 2)


def print_row(name, numbers, factor):
    cells = ("-" if numbers[step] is None else f"{numbers[step] * factor:.2f}" for step in STEPS)
    print(f"{name:28}" + "".join(f"{cell:>10}" for cell in cells), flush=True)


# --- Judging ------------------------------------------------------------------


def missed_aims(results):
    misses = []
    for row in results["generated"]:
        for step in OURS:
            if (row.get("exponents", {}).get(step) or 0) > EXPONENT_LIMIT:
                misses.append(f"{row['shape']}: {step} grows with the power {row['exponents'][step]}, "
                              f"at most {EXPONENT_LIMIT}")
    if results["pass_to_llvm"] > RATIO_LIMIT:
        misses.append(f"LLVM's pipeline takes {results['pass_to_llvm']} times as long with the passes, "
                      f"at most {RATIO_LIMIT}")
    return misses


if __name__ == "__main__":
    sys.exit(main())
