#!/usr/bin/env python3
"""Naive index code with the pass against code from composed maps.

Emits every fusion of test/Inputs/hlo as PTX four times (fusion-emit): with naive
indices and the pass, with indices from composed maps and LLVM's pipeline alone, the
same with the pass, and, to see where it began, naively without the pass. The cost is
what ptx-compare calls index_cost, of all kernels and functions of a module: integer
instructions by the price list of the pass (transforms/prices/PtxPrices.def). Loops
are not unrolled: LLVM unrolls by size, so cheaper code may have more instructions.
The table and the record also have the cost with the weight of loop depth
(loop_index_cost), and the record that of innermost loops.

The aim is at most 1.05 times the cheaper one of both codes from maps, in geometric
mean. A fusion beyond that alone is listed: there the pass missed something.

    bench/emission.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints a table and writes it to bench/results/emission.json.
"""

import concurrent.futures
import pathlib
import sys
import tempfile

from comparison import (INDEX_COSTS, ROOT, argument_parser, geometric_mean,
                        index_costs, report_misses, run, write_record)

LIMIT = 1.05
# Of each fusion, by the name in the record: --index and --passes.
VERSIONS = {
    "naive": ("naive", "optimize"),
    "naive_pass": ("naive", "simplify"),
    "maps": ("maps", "optimize"),
    "maps_pass": ("maps", "simplify"),
}


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            rows = list(pool.map(lambda path: row_of(options, path, folder),
                                 options.fusions))
    rows = [row for row in rows if row]
    results = {
        "arch": options.arch,
        "mean_ratio": mean_ratio(rows, "naive_pass", "best"),
        "mean_ratio_to_maps": mean_ratio(rows, "naive_pass", "maps"),
        "mean_ratio_to_maps_pass": mean_ratio(rows, "naive_pass", "maps_pass"),
        "mean_ratio_before": mean_ratio(rows, "naive", "best"),
        "mean_loop_ratio": mean_ratio(rows, "naive_pass", "best", "loop_costs"),
        "mean_loop_ratio_before": mean_ratio(rows, "naive", "best", "loop_costs"),
        "missed": sorted(row["fusion"] for row in rows if row["ratio"] > LIMIT),
        "rows": rows,
    }
    print_table(results)
    write_record(options, results)
    return report_misses(options, missed_aims(results))


def parse():
    parser = argument_parser(__doc__, "emission.json")
    add = parser.add_argument
    add("--bin", type=pathlib.Path, default=ROOT / "build/bin",
        help="where fusion-emit and ptx-compare are")
    add("fusions", nargs="*", type=pathlib.Path,
        help="default: test/Inputs/hlo/*.hlo")
    options = parser.parse_args()
    if bool(options.machine) != bool(options.date):
        parser.error("a record needs both --machine and --date")
    for tool in ("fusion-emit", "ptx-compare"):
        if not (options.bin / tool).is_file():
            parser.error(f"{options.bin / tool}: no such file (run scripts/build.sh)")
    options.fusions = options.fusions or sorted(
        (ROOT / "test/Inputs/hlo").glob("*.hlo"))
    return options


# --- Measuring ----------------------------------------------------------------


def row_of(options, path, folder):
    found = {version: costs_of(options, path, pathlib.Path(folder), version)
             for version in VERSIONS}
    costs, loop_costs, innermost_costs = (
        {version: of[measure] for version, of in found.items()}
        for measure in INDEX_COSTS)
    if not any(costs.values()):
        return None  # nothing to execute, or no index in it
    for of in (costs, loop_costs, innermost_costs):
        of["best"] = min(of["maps"], of["maps_pass"])
    return {
        "fusion": path.stem,
        "costs": costs,
        "loop_costs": loop_costs,
        "innermost_costs": innermost_costs,
        "ratio": round(ratio(costs, "naive_pass", "best"), 4),
        "loop_ratio": round(ratio(loop_costs, "naive_pass", "best"), 4),
    }


def costs_of(options, path, folder, version):
    index, passes = VERSIONS[version]
    ptx = folder / f"{path.stem}.{version}.ptx"
    run([options.bin / "fusion-emit", path, f"--index={index}",
         f"--passes={passes}", "--arch", options.arch, "-o", ptx,
         "-unroll-max-count=1", "-unroll-full-max-count=1"])
    if ".entry" not in ptx.read_text():
        return dict.fromkeys(INDEX_COSTS, 0)  # nothing to compute
    return index_costs(options.bin / "ptx-compare", ptx)


def ratio(costs, side, base):
    return max(costs[side], 1) / max(costs[base], 1)


def mean_ratio(rows, side, base, costs="costs"):
    return round(geometric_mean(ratio(row[costs], side, base) for row in rows), 4)


# --- Judging ------------------------------------------------------------------


def print_table(results):
    print(f"{'':28}{'naive':>14}{'maps':>16}{'naive + pass /':>16}"
          f"{'weighted by loop depth':>26}")
    print(f"{'cost on ' + results['arch']:28}{'':>7}{'+ pass':>7}{'':>8}"
          f"{'+ pass':>8}{'the better':>16}{'naive + pass, ratio':>26}")
    for row in sorted(results["rows"], key=lambda row: -row["ratio"]):
        costs = row["costs"]
        print(f"{row['fusion']:28}{costs['naive']:7}{costs['naive_pass']:7}"
              f"{costs['maps']:8}{costs['maps_pass']:8}{row['ratio']:16.2f}"
              f"{row['loop_costs']['naive_pass']:19}{row['loop_ratio']:7.2f}")
    print(f"geometric mean: naive + pass is {results['mean_ratio_to_maps']:.3f} x "
          f"maps, {results['mean_ratio_to_maps_pass']:.3f} x maps + pass, "
          f"{results['mean_ratio']:.3f} x the better of the two; naive alone "
          f"{results['mean_ratio_before']:.3f} x")
    print(f"weighted by loop depth: {results['mean_loop_ratio']:.3f} x the better of "
          f"the two; naive alone {results['mean_loop_ratio_before']:.3f} x")
    print(f"beyond {LIMIT} x: {', '.join(results['missed']) or 'none'}")


def missed_aims(results):
    if results["mean_ratio"] <= LIMIT:
        return []
    return [f"{results['mean_ratio']:.3f} times the code from maps in geometric "
            f"mean, at most {LIMIT}"]


if __name__ == "__main__":
    sys.exit(main())
