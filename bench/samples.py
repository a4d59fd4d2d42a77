#!/usr/bin/env python3
"""What index-simplify makes of the CUDA samples.

Compiles every sample without and with the pass (ptx-compare) and compares the
integer PTX instructions with those of its hand-written ideal NAME_ideal, which
is compiled without the pass. The aims are 1.05 times the ideals in geometric
mean, none above 1.25 times, no kernel worse than without the pass, and 16-byte
loads and stores for four elements a thread.

    bench/samples.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints a table and writes it to bench/results/samples.json.
"""

import sys

from comparison import (argument_parser, compare, geometric_mean, parse,
                        report_misses, write_record)

MEAN_LIMIT = 1.05
RATIO_LIMIT = 1.25
# The sample that shows that the back end vectorises what the pass leaves.
VECTORISED, VECTOR_SHAPE = "four_elements", "v4.b32"


def main():
    options = parse(argument_parser(__doc__, "samples.json"), "cuda_samples")
    kernels = compare(options)
    rows = [row_of(kernel, kernels) for kernel in kernels.values() if kernel["ideal"]]
    if not rows:
        sys.exit("no sample has a kernel NAME and a kernel NAME_ideal")
    results = {
        "arch": options.arch,
        "kernels": {name: sides_of(kernel) for name, kernel in kernels.items()},
        "mean_ratio": round(geometric_mean(row["ratio"] for row in rows), 4),
        "rows": rows,
    }
    print_table(results)
    write_record(options, results)
    return report_misses(options, missed_aims(results, kernels))


def row_of(kernel, kernels):
    before, after = kernel["before"], kernel["after"]
    ideal = kernels[kernel["ideal"]]["before"]
    return {
        "sample": kernel["name"],
        **{
            measure: {
                "before": before[measure],
                "after": after[measure],
                "ideal": ideal[measure],
            }
            for measure in ("integer", "cost", "loop_cost", "innermost_cost",
                            "registers")
        },
        "ratio": round(after["integer"] / max(ideal["integer"], 1), 4),
    }


def sides_of(kernel):
    return {"before": kernel["before"], "after": kernel["after"]}


def print_table(results):
    print(f"{'':20}{'integer instructions':^30}{'after /':>9}{'cost':>16}"
          f"{'weighted by loops':>21}{'registers':>18}")
    print(f"{'sample, ' + results['arch']:20}{'before':>10}{'after':>10}"
          f"{'ideal':>10}{'ideal':>9}{'before':>10}{'after':>7}"
          f"{'before':>10}{'after':>7}{'before':>9}{'after':>7}{'ideal':>7}")
    for row in results["rows"]:
        integer, cost, loop_cost = row["integer"], row["cost"], row["loop_cost"]
        registers = {  # Unknown without ptxas.
            side: "-" if count is None else count
            for side, count in row["registers"].items()
        }
        print(f"{row['sample']:20}{integer['before']:10}{integer['after']:10}"
              f"{integer['ideal']:10}{row['ratio']:9.2f}"
              f"{cost['before']:10}{cost['after']:7}"
              f"{loop_cost['before']:10}{loop_cost['after']:7}"
              f"{registers['before']:>9}{registers['after']:>7}"
              f"{registers['ideal']:>7}")

    def total(measure, side):
        return sum(row[measure][side] for row in results["rows"])

    print(f"{'total':20}{total('integer', 'before'):10}"
          f"{total('integer', 'after'):10}{total('integer', 'ideal'):10}{'':9}"
          f"{total('cost', 'before'):10}{total('cost', 'after'):7}"
          f"{total('loop_cost', 'before'):10}{total('loop_cost', 'after'):7}")
    print(f"{'geometric mean':50}{results['mean_ratio']:9.2f}")


# --- Judging ------------------------------------------------------------------


def missed_aims(results, kernels):
    misses = []
    if results["mean_ratio"] > MEAN_LIMIT:
        misses.append(f"{results['mean_ratio']:.3f} times the ideals in geometric "
                      f"mean, at most {MEAN_LIMIT}")
    for row in results["rows"]:
        if row["ratio"] > RATIO_LIMIT:
            misses.append(f"{row['sample']}: {row['ratio']:.2f} times its ideal, "
                          f"at most {RATIO_LIMIT}")
    ideals = {kernel["ideal"] for kernel in kernels.values()}
    for name, kernel in kernels.items():
        if not kernel["ideal"] and name not in ideals:
            misses.append(f"{name}: there is no kernel {name}_ideal")
        for measure in ("integer", "cost", "loop_cost", "innermost_cost"):
            before, after = kernel["before"][measure], kernel["after"][measure]
            if after > before:
                misses.append(f"{name}: {measure} {before} -> {after}, "
                              "worse than without the pass")
    for kind in ("loads", "stores") if VECTORISED in kernels else ():
        shapes = kernels[VECTORISED]["after"][kind]
        if set(shapes) != {VECTOR_SHAPE}:
            misses.append(f"{VECTORISED}: {kind} are {', '.join(shapes) or 'none'}, "
                          f"not {VECTOR_SHAPE}")
    return misses


if __name__ == "__main__":
    sys.exit(main())
