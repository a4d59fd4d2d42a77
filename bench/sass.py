#!/usr/bin/env python3
"""What ptxas makes of the samples: SASS instructions and registers.

Assembles every sample without the pass, with it, and the hand-written ideals
without it, and counts the SASS instructions by class (loops are unrolled only where
the source says so):

  integer   arithmetic, logic, comparisons, selects
  divide    conversions and reciprocals, in these kernels a part of divisions (a
            32-bit one is some 20 instructions with 3 of these)
  memory    loads, stores, atomics; constants that need an instruction
  float     other floating point
  control   branches, barriers, exits
  other     moves, special registers

Loops are measured twice, with ptxas' own unrolling off and on, because ptxas decides
by size: the instructions of innermost loops, and all instructions times the weight of
their loop depth by which the pass decides (bench/sass_loops.py). ptxas has no option
against unrolling; the pragma "nounroll" for the module turns it off, and without any
such pragma it is on.

A versioned kernel is compared by its fast body, compiled with
-index-simplify-versioning=fast-only; "whole" is all of it, with the test at its
entry and the other body.

    bench/sass.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31
    bench/sass.py cuda_samples/*.cu

Needs ptxas (--cuda-path) and nvdisasm, which is in no toolkit from wheels:

    pip install --target .deps/nvdisasm nvidia-cuda-nvdisasm==13.5.37

Prints a table and writes it to bench/results/sass.json.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from comparison import (add_nvdisasm, argument_parser, check_nvdisasm,
                        compare_bodies, geometric_mean, parse, report_misses,
                        write_record)
from sass_loops import loops_of, with_unrolling, without_unrolling

GROWTH_LIMIT = 1.02
# How the PTX is changed for ptxas to unroll no loop, or those that it wants to.
UNROLLING = {"off": without_unrolling, "on": with_unrolling}
CLASSES = {
    "divide": "I2F I2FP F2I MUFU I2I",
    "memory": "LD LDG LDS LDL LDC LDCU ULDC ST STG STS STL ATOM ATOMG ATOMS RED "
              "REDG CCTL",
    "float": "FADD FMUL FFMA FSETP FSEL FMNMX FCHK FRND F2F F2FP DADD DMUL DFMA "
             "DSETP HADD2 HMUL2 HFMA2",
    "control": "BRA BRX JMP EXIT RET CALL BSSY BSYNC BREAK WARPSYNC BAR YIELD NOP "
               "DEPBAR MEMBAR ERRBAR BMOV",
    "other": "MOV UMOV S2R S2UR CS2R R2UR P2R R2P PLOP3 UPLOP3 VOTE VOTEU",
}
CLASS_OF = {opcode: name for name, opcodes in CLASSES.items()
            for opcode in opcodes.split()}


def main():
    parser = argument_parser(__doc__, "sass.json")
    add_nvdisasm(parser)
    options = parse(parser, "cuda_samples/real")
    check_nvdisasm(parser, options)
    with tempfile.TemporaryDirectory() as folder:
        kernels = compare_bodies(options, folder)
        add_sass(kernels, pathlib.Path(folder), options)
    rows = [row_of(kernel, kernels[kernel["ideal"]])
            for kernel in kernels.values() if kernel["ideal"]]
    if not rows:
        sys.exit("no sample has a kernel NAME and a kernel NAME_ideal")
    results = {"arch": options.arch, "rows": rows, "summary": summary_of(rows)}
    print_table(results)
    write_record(options, results)
    return report_misses(options, missed_aims(rows))


# --- Measuring ----------------------------------------------------------------


def add_sass(kernels, folder, options):
    """Gives the versions before, after and fast of each kernel their "sass" and
    "loops"."""
    modules = [("before", folder / "auto", "before"),
               ("after", folder / "auto", "after"),
               ("fast", folder / "fast-only", "after")]
    tasks = [(side, ptx) for side, place, suffix in modules
             for ptx in sorted(place.glob(f"*.{suffix}.ptx"))]
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        counted = pool.map(lambda task: sass_of(task[1], options), tasks)
        for (side, _), module in zip(tasks, counted):
            for name, counts in module.items():
                kernel = kernels[name]
                if side != "fast" or kernel["versioned"]:
                    kernel[side].update(counts)


def sass_of(ptx, options):
    """{kernel: {"sass": {class: instructions}, "loops": {"off": …, "on": …}}} of a
    PTX file."""
    text = disassembled(ptx, options)
    sections = re.split(r"^\s*\.section\s+\.text\.(\w+)\b.*$", text, flags=re.M)
    found = {name: {"sass": count(body), "loops": {}}
             for name, body in zip(sections[1::2], sections[2::2])}
    for unrolling, change in UNROLLING.items():
        changed = ptx.with_suffix(f".{unrolling}.ptxas")
        changed.write_text(change(ptx.read_text()))
        for name, loops in loops_of(disassembled(changed, options)).items():
            found[name]["loops"][unrolling] = loops
    return found


def disassembled(ptx, options):
    cubin = ptx.with_suffix(".cubin")
    run([options.cuda_path / "bin/ptxas", f"-arch={options.arch}", ptx, "-o", cubin])
    return run([options.nvdisasm, "-c", cubin])


def count(text):
    """Instructions by class, without the padding behind the last one."""
    opcodes = re.findall(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z]\w*)", text,
                         re.M)
    while opcodes and opcodes[-1] in ("NOP", "BRA"):
        opcodes.pop()
    counts = collections.Counter(CLASS_OF.get(opcode, "integer")
                                 for opcode in opcodes)
    return {"all": len(opcodes), **counts}


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def row_of(kernel, ideal):
    versions = {"before": kernel["before"], "after": kernel["fast"],
                "ideal": ideal["before"], "whole": kernel["after"]}
    return {
        "sample": kernel["name"],
        "versioned": kernel["versioned"],
        "sass": {side: version["sass"] for side, version in versions.items()},
        "loops": {side: version["loops"] for side, version in versions.items()},
        "registers": {side: version["registers"]
                      for side, version in versions.items()},
    }


def summary_of(rows):
    """Geometric means and the worst case of instructions, registers, and loops.
    Innermost loops are compared where both sides have some."""
    measures = {"instructions": lambda row, side: row["sass"][side]["all"],
                "registers": lambda row, side: row["registers"][side]}
    for unrolling in UNROLLING:
        for of in ("innermost", "weighted"):
            measures[f"{of}, unrolling {unrolling}"] = (
                lambda row, side, unrolling=unrolling, of=of:
                row["loops"][side][unrolling][of])
    result = {}
    for name, measure in measures.items():
        for side, base in (("after", "before"), ("after", "ideal"),
                           ("whole", "before")):
            of = {row["sample"]: measure(row, side) / measure(row, base)
                  for row in rows if measure(row, side) and measure(row, base)}
            if not of:
                continue
            worst = max(of, key=of.get)
            result[f"{name}: {side} / {base}"] = {
                "mean": round(geometric_mean(of.values()), 4),
                "worst": round(of[worst], 4), "worst_sample": worst}
    return result


def print_table(results):
    sides = ("before", "after", "ideal", "whole")
    print(f"{'':20}{'SASS instructions':^32}{'after /':>9}{'after /':>9}"
          f"{'registers':^28}{'in innermost loops':^30}{'weighted':^18}")
    print(f"{'sample, ' + results['arch']:20}"
          + "".join(f"{side:>8}" for side in sides)
          + f"{'before':>9}{'ideal':>9}" + "".join(f"{side:>7}" for side in sides)
          + "".join(f"{'unrolling ' + unrolling:>15}" for unrolling in UNROLLING)
          + "".join(f"{unrolling:>9}" for unrolling in UNROLLING))
    for row in sorted(results["rows"], key=lambda row: -ratio(row)):
        loops = row["loops"]
        innermost = "".join(
            f"{loops['before'][unrolling]['innermost']:7} ->"
            f"{loops['after'][unrolling]['innermost']:5}" for unrolling in UNROLLING)
        weighted = "".join(
            f"{loops['after'][of]['weighted'] / loops['before'][of]['weighted']:9.2f}"
            for of in UNROLLING)
        print(f"{row['sample']:20}"
              + "".join(f"{row['sass'][side]['all']:8}" for side in sides)
              + f"{ratio(row):9.2f}{ratio(row, 'ideal'):9.2f}"
              + "".join(f"{row['registers'][side]:7}" for side in sides)
              + f"{innermost}{weighted}"
              + ("  versioned" if row["versioned"] else ""))
    for name, entry in results["summary"].items():
        print(f"{name:44} mean {entry['mean']:.3f}, worst {entry['worst']:.2f} "
              f"({entry['worst_sample']})")


def ratio(row, base="before"):
    return row["sass"]["after"]["all"] / row["sass"][base]["all"]


# --- Judging ------------------------------------------------------------------


def missed_aims(rows):
    return [f"{row['sample']}: {row['sass']['before']['all']} -> "
            f"{row['sass']['after']['all']} SASS instructions, at most "
            f"{GROWTH_LIMIT} times" for row in rows if ratio(row) > GROWTH_LIMIT]


if __name__ == "__main__":
    sys.exit(main())
