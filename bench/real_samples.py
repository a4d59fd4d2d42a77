#!/usr/bin/env python3
"""What index-simplify makes of kernels with run-time sizes.

Compiles every kernel of cuda_samples/real without and with the pass (ptx-compare)
and compares it with its hand-written ideal NAME_ideal, which is compiled without
the pass. The cost is what ptx-compare calls index_cost: integer instructions by
the price list of the pass (transforms/prices/PtxPrices.def). Loops are unrolled
only where the source says so. The last columns have the same cost with the weight of
loop depth (loop_index_cost); the record also has that of innermost loops.

A versioned kernel has two bodies; what counts is the fast one, for which the
kernel is compiled once more with -index-simplify-versioning=fast-only, which
leaves out the other one and the test at the entry. The code growth is that of
whole kernels.

The aims are 1.05 times the ideals in geometric mean, none above 1.2 times, and no
kernel more expensive than without the pass.

    bench/real_samples.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints a table and writes it to bench/results/real_samples.json.
"""

import re
import sys
import tempfile

from comparison import (argument_parser, compare_bodies, geometric_mean, parse,
                        report_misses, write_record)

MEAN_LIMIT = 1.05
RATIO_LIMIT = 1.2


def main():
    options = parse(argument_parser(__doc__, "real_samples.json"),
                    "cuda_samples/real")
    with tempfile.TemporaryDirectory() as folder:
        kernels = compare_bodies(options, folder)
    rows = [row_of(kernel, kernels[kernel["ideal"]])
            for kernel in kernels.values() if kernel["ideal"]]
    if not rows:
        sys.exit("no sample has a kernel NAME and a kernel NAME_ideal")
    results = {
        "arch": options.arch,
        "mean_ratio": geometric_mean_of(rows, "after", "ideal"),
        "mean_ratio_before": geometric_mean_of(rows, "before", "ideal"),
        "mean_code_growth": geometric_mean_of(rows, "whole", "before"),
        "mean_loop_ratio": loop_mean_of(rows, "after", "ideal"),
        "mean_loop_ratio_before": loop_mean_of(rows, "before", "ideal"),
        "rows": rows,
    }
    print_table(results)
    write_record(options, results)
    return report_misses(options, missed_aims(results))


# --- Measuring ----------------------------------------------------------------


def row_of(kernel, ideal):
    versions = {"before": kernel["before"], "after": kernel["fast"],
                "ideal": ideal["before"], "whole": kernel["after"]}
    costs = {side: version["index_cost"] for side, version in versions.items()}
    return {
        "sample": kernel["name"],
        "versioned": kernel["versioned"],
        "costs": costs,
        "loop_costs": {side: version["loop_index_cost"]
                       for side, version in versions.items()},
        "innermost_costs": {side: version["innermost_index_cost"]
                            for side, version in versions.items()},
        "divisions": {side: divisions(version["ptx"])
                      for side, version in versions.items()},
        "instructions": {side: version["instructions"]
                         for side, version in versions.items()},
        "ratio": round(costs["after"] / max(costs["ideal"], 1), 4),
    }


def divisions(ptx):
    """{32: divisions and remainders of up to 32 bits, 64: of 64 bits}"""
    widths = [int(bits) for bits in re.findall(r"\b(?:div|rem)\.[su](\d+)\b", ptx)]
    return {32: sum(bits <= 32 for bits in widths), 64: widths.count(64)}


def geometric_mean_of(rows, side, base):
    """Of costs, but of instructions where whole kernels are compared."""
    measure = "instructions" if side == "whole" else "costs"
    return round(geometric_mean(row[measure][side] / max(row[measure][base], 1)
                                for row in rows), 4)


def loop_mean_of(rows, side, base):
    return round(geometric_mean(row["loop_costs"][side]
                                / max(row["loop_costs"][base], 1) for row in rows), 4)


def print_table(results):
    def both(counts):
        return f"{counts[32]}" + (f"+{counts[64]}L" if counts[64] else "")

    print(f"{'':20}{'cost':^24}{'before /':>9}{'after /':>9}{'divisions':^21}"
          f"{'code':>6}{'weighted by loops':>24}")
    print(f"{'sample, ' + results['arch']:20}{'before':>8}{'after':>8}"
          f"{'ideal':>8}{'ideal':>9}{'ideal':>9}{'before':>8}{'after':>7}"
          f"{'ideal':>6}{'growth':>7}{'before':>8}{'after':>8}{'ideal':>8}")
    for row in sorted(results["rows"], key=lambda row: -row["ratio"]):
        costs, counts, code = row["costs"], row["divisions"], row["instructions"]
        loops = row["loop_costs"]
        print(f"{row['sample']:20}{costs['before']:8}{costs['after']:8}"
              f"{costs['ideal']:8}"
              f"{costs['before'] / max(costs['ideal'], 1):9.2f}"
              f"{row['ratio']:9.2f}{both(counts['before']):>8}"
              f"{both(counts['after']):>7}{both(counts['ideal']):>6}"
              f"{code['whole'] / code['before']:7.2f}"
              f"{loops['before']:8}{loops['after']:8}{loops['ideal']:8}"
              f"{'  versioned' if row['versioned'] else ''}")
    print(f"{'geometric mean':44}{results['mean_ratio_before']:9.2f}"
          f"{results['mean_ratio']:9.2f}{'':21}{results['mean_code_growth']:7.2f}")
    print(f"geometric mean, weighted by loops: before / ideal "
          f"{results['mean_loop_ratio_before']:.2f}, after / ideal "
          f"{results['mean_loop_ratio']:.2f}")
    print("L: of 64 bits; each has a 32-bit one beside it, which LLVM adds for "
          "small values")


# --- Judging ------------------------------------------------------------------


def missed_aims(results):
    misses = []
    if results["mean_ratio"] > MEAN_LIMIT:
        misses.append(f"{results['mean_ratio']:.3f} times the ideals in geometric "
                      f"mean, at most {MEAN_LIMIT}")
    for row in results["rows"]:
        costs = row["costs"]
        if row["ratio"] > RATIO_LIMIT:
            misses.append(f"{row['sample']}: {row['ratio']:.2f} times its ideal, "
                          f"at most {RATIO_LIMIT}")
        if costs["after"] > costs["before"]:
            misses.append(f"{row['sample']}: cost {costs['before']} -> "
                          f"{costs['after']}, more expensive than without the pass")
    return misses


if __name__ == "__main__":
    sys.exit(main())
