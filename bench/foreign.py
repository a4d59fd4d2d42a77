#!/usr/bin/env python3
"""What the passes make of kernels that other compilers wrote.

Takes an archive, or a folder, with LLVM IR of these compilers, by folder:

  triton/ll    Triton's, as it gives it to LLVM's back end
  xla/ll       XLA's, likewise
  xla/no-opt   XLA's before its optimiser
  numba        numba's, as it gives it to libNVVM

Folders that are not there are left out. IR that is optimised goes through the passes
alone, against a clean-up alone; other IR through clang -O3 with and without the plugin.
Each kernel is counted in two ways, as a ratio to the version without the passes:

  off    without second bodies (-index-simplify-versioning=off)
  fast   where a kernel gets a second body, that body, which ordinary launches take;
         of others, as off

The cost is that of the integer instructions of the PTX by the price list of the pass
(index_cost of ptx-compare), and the same by loop depth (loop_index_cost). `static`
are those of Triton's kernels whose sizes are constants, except for the count of all
elements; here a facts file states that the grid has at most 65,536 blocks, and `fast`
is what that gives without second bodies.

    bench/foreign.py corpus.tar.xz
    bench/foreign.py corpus/ --only triton --worst 20 --json foreign.json

Exit status: 0 done; 1 an aim is missed (with --check); 2 nothing could be measured.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from comparison import ROOT, geometric_mean, ptx_kernels, report_misses
from corpus_process import Failure, run

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
TRIPLE = "nvptx64-nvidia-cuda"
CLEAN_UP = "instsimplify,simplifycfg"
PASSES = ("launch-versioning,index-reciprocals,index-hidden-quotients," + CLEAN_UP)
# {set: (folder, whether it is optimised, the aims for off and fast)}
SETS = {
    "triton": ("triton/ll", True, {"fast": 0.60}),
    "triton, static": ("triton/ll", True, {"fast": 0.54}),
    "xla": ("xla/ll", True, {"fast": 0.68}),
    "xla, not optimised": ("xla/no-opt", False, {"fast": 0.62}),
    "numba": ("numba", False, {"fast": 0.62}),
}
LOOP_LIMIT = 1.02
MODES = {"whole": "auto", "off": "off", "fast": "fast-only", "stated": "off"}
GRID_FACT = {"grid": {"max": [65536]}}
COSTS = ("index_cost", "loop_index_cost")


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.corpus
        if folder.is_file():
            folder = pathlib.Path(scratch)
            try:
                run(["tar", "xf", options.corpus, "-C", folder], [options.timeout])
            except Failure as failure:
                print(f"foreign.py: {failure}", file=sys.stderr)
                return 2
        modules = find_modules(folder, options)
        with ThreadPoolExecutor(max(1, options.jobs)) as pool:
            files = list(pool.map(lambda module: measure(*module, options), modules))
    rows = [row for file in files for row in file["kernels"]]
    if not rows:
        print(f"foreign.py: no kernel of {options.corpus} was measured",
              file=sys.stderr)
        return 2
    results = {"arch": options.arch, "sets": summaries(rows), "rows": rows,
               "failed": {file["file"]: file["error"] for file in files
                          if file["error"]}}
    print_tables(results, options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    return report_misses(options, missed_aims(results))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=pathlib.Path, metavar="ARCHIVE|FOLDER")
    add("--only", default="", metavar="REGEX", help="files with such a path")
    add("--arch", default="sm_90a")
    add("--jobs", type=int, default=os.cpu_count())
    add("--timeout", type=float, default=120, help="CPU seconds for a file (120)")
    add("--json", type=pathlib.Path, metavar="FILE", help="write everything as JSON")
    add("--keep", type=pathlib.Path, metavar="DIR", help="keep the PTX there")
    add("--worst", type=int, default=5, help="rows of the list of each set (5)")
    add("--check", action="store_true", help="exit 1 when an aim is missed")
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--ptx-compare", type=pathlib.Path, default=ROOT / "build/bin/ptx-compare")
    add("--llvm", type=pathlib.Path, default=LLVM_BIN, help="folder with opt, llc, "
        f"clang++ ({LLVM_BIN})")
    options = parser.parse_args()
    for path in (options.corpus, options.plugin, options.ptx_compare, options.llvm):
        if not path.exists():
            parser.error(f"{path}: no such file or folder")
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    return options


def find_modules(folder, options):
    """[(file, its name, whether it is optimised)]"""
    kinds = {place: optimised for place, optimised, _ in SETS.values()}
    return [(path, str(path.relative_to(folder)), optimised)
            for place, optimised in kinds.items()
            for path in sorted((folder / place).glob("*.ll"))
            if re.search(options.only, str(path.relative_to(folder)))]


# --- Measuring ----------------------------------------------------------------


def measure(module, name, optimised, options):
    """{"file", "error", "kernels"}"""
    result = {"file": name, "error": None, "kernels": []}
    compile_module = compile_optimised if optimised else compile_plain
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        budget = [options.timeout]
        try:
            ptx = {"before": folder / "before.ptx"}
            compile_module(module, ptx["before"], None, budget, options)
            facts = facts_of(module, folder)
            for side, mode in MODES.items():
                ptx[side] = folder / f"{side}.ptx"
                flags = [f"-index-simplify-versioning={mode}"]
                if side == "stated":
                    flags.append(f"-index-simplify-facts={facts}")
                compile_module(module, ptx[side], flags, budget, options)
            result["kernels"] = kernels_of(name, ptx, budget, options)
            if options.keep:
                keep(name, ptx, options.keep)
        except Failure as failure:
            result["error"] = str(failure)
    return result


def facts_of(module, folder):
    """A file that states the grid of all kernels."""
    kernels = re.findall(r"^define .*ptx_kernel .*@(\w+)\(", module.read_text(), re.M)
    path = folder / "facts.json"
    path.write_text(json.dumps({"kernels": {kernel: GRID_FACT for kernel in kernels}}))
    return path


def compile_optimised(module, ptx, flags, budget, options):
    """The flags are those of the plugin; without the passes if they are None."""
    passes = PASSES if flags else CLEAN_UP
    ir = ptx.with_suffix(".bc")
    plugin = [f"-load-pass-plugin={options.plugin}", *flags] if flags else []
    run([options.llvm / "opt", *plugin, f"-passes=function({passes})",
         f"-mtriple={TRIPLE}", f"-mcpu={options.arch}", module, "-o", ir], budget)
    run([options.llvm / "llc", "-O3", f"-mcpu={options.arch}", ir, "-o", ptx], budget)


def compile_plain(module, ptx, flags, budget, options):
    plugin = [f"-fpass-plugin={options.plugin}"] if flags else []
    run([options.llvm / "clang++", "-x", "ir", module, f"--target={TRIPLE}",
         f"-march={options.arch}", "-w", "-O3", "-S", "-o", ptx, *plugin,
         *(word for flag in flags or () for word in ("-mllvm", flag))], budget)


def kernels_of(name, ptx, budget, options):
    texts = {side: ptx_kernels(path.read_text()) for side, path in ptx.items()}
    counts = counts_of(ptx, budget, options)
    rows = []
    for kernel in texts["before"]:
        versioned = texts["whole"][kernel] != texts["off"][kernel]
        sides = {"before": "before", "off": "off", "whole": "whole",
                 "fast": "fast" if versioned else "off", "stated": "stated"}
        rows.append({
            "file": name, "name": kernel, "versioned": versioned,
            "static": is_static(texts["before"][kernel]),
            "costs": {side: {cost: counts[source][kernel][cost] for cost in COSTS}
                      for side, source in sides.items()}})
    return rows


def is_static(kernel):
    parameters = re.search(r"\((.*?)\)", kernel, re.S)[1].splitlines()
    scalars = [line for line in parameters if ".param" in line and ".ptr" not in line]
    return len(scalars) <= 1


def counts_of(ptx, budget, options):
    """{side: {kernel: what ptx-compare counts}}"""
    counts = {}
    for first, second in (("before", "whole"), ("off", "fast"), ("stated", "off")):
        report = json.loads(run(
            [options.ptx_compare, "--before", ptx[first], "--after", ptx[second],
             "--json", "-"], budget)[0])
        for side, key in ((first, "before"), (second, "after")):
            counts[side] = {kernel["name"]: kernel[key]
                            for file in report["files"] for kernel in file["kernels"]
                            if kernel.get(key)}
    return counts


def keep(name, ptx, folder):
    flat = name.replace("/", "_")
    for side, path in ptx.items():
        (folder / f"{flat}.{side}.ptx").write_text(path.read_text())


# --- Judging ------------------------------------------------------------------


def rows_of(name, rows):
    place = SETS[name][0]
    chosen = [row for row in rows if row["file"].startswith(place + "/")]
    if not name.endswith("static"):
        return chosen
    return [dict(row, costs=dict(row["costs"], fast=row["costs"]["stated"]))
            for row in chosen if row["static"]]


def ratio(row, side, cost):
    return row["costs"][side][cost] / max(row["costs"]["before"][cost], 1)


def summaries(rows):
    """{set: {side: {cost: {"mean", "worst"}}}}"""
    result = {}
    for name in SETS:
        chosen = rows_of(name, rows)
        if not chosen:
            continue
        result[name] = {"kernels": len(chosen),
                        "versioned": sum(row["versioned"] for row in chosen)}
        for side in ("off", "fast"):
            ratios = {cost: [ratio(row, side, cost) for row in chosen]
                      for cost in COSTS}
            result[name][side] = {
                cost: {"mean": round(geometric_mean(each), 4),
                       "worst": round(max(each), 4)}
                for cost, each in ratios.items()}
    return result


def missed_aims(results):
    misses = []
    for name, summary in results["sets"].items():
        for side, aim in SETS[name][2].items():
            for cost in COSTS:
                mean = summary[side][cost]["mean"]
                if mean > aim:
                    misses.append(f"{name}: {cost} {mean:.3f} in geometric mean, at "
                                  f"most {aim}")
    for row in results["rows"]:
        for side in ("off", "fast"):
            if ratio(row, side, "loop_index_cost") > LOOP_LIMIT:
                misses.append(
                    f"{row['file']} {row['name']} ({side}): "
                    f"{ratio(row, side, 'loop_index_cost'):.3f} times the cost by "
                    f"loop depth, at most {LOOP_LIMIT}")
    return misses


def print_tables(results, options):
    print(f"{'cost / cost without, ' + results['arch']:24}{'kernels':>8}"
          f"{'versioned':>10}{'off: mean':>12}{'worst':>7}{'loops':>7}{'worst':>7}"
          f"{'fast: mean':>12}{'worst':>7}{'loops':>7}{'worst':>7}")
    for name, summary in results["sets"].items():
        print(f"{name:24}{summary['kernels']:8}{summary['versioned']:10}", end="")
        for side in ("off", "fast"):
            plain, loops = (summary[side][cost] for cost in COSTS)
            print(f"{plain['mean']:12.3f}{plain['worst']:7.3f}{loops['mean']:7.3f}"
                  f"{loops['worst']:7.3f}", end="")
        print()
    for name in results["sets"]:
        rows = sorted(rows_of(name, results["rows"]),
                      key=lambda row: -ratio(row, "fast", "loop_index_cost"))
        print(f"\n{name}, the highest ratios: before, off, fast by loop depth")
        for row in rows[:options.worst]:
            costs = [row["costs"][side]["loop_index_cost"]
                     for side in ("before", "off", "fast")]
            print(f"{costs[2] / max(costs[0], 1):7.3f} {costs[0]:6} {costs[1]:6} "
                  f"{costs[2]:6}  {row['name'][:40]} ({row['file']})")
    for file, error in results["failed"].items():
        print(f"not measured: {file}: {error}")


if __name__ == "__main__":
    sys.exit(main())
