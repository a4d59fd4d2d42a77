#!/usr/bin/env python3
"""Naive code for HLO with the pass against kernels written by hand.

bench/handwritten/NAME.cu is what one would write for just the shapes of
test/Inputs/hlo/NAME.hlo: blocks of 128 threads, 32-bit indices, vectors where they
help. It is compiled with clang++ -O3, without the pass; fusion-emit makes the other
side. The cost is what ptx-compare calls index_cost, of all the code, for an element of
the result: integer instructions by the price list of the pass
(transforms/prices/PtxPrices.def). No kernel has a loop when it is compiled, so each
instruction is executed at most once by a thread; the cost with the weight of loop
depth, in the last column, would show one.

Both run on this CPU, with the same inputs, and must leave the same
bytes. The aim is at most 1.05 times the cost of each kernel written by hand.

    bench/handwritten.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints a table and writes it to bench/results/handwritten.json.
"""

import array
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from comparison import (INDEX_COSTS, ROOT, argument_parser, check_options,
                        index_costs, report_misses, run, write_record)

LIMIT = 1.05
BLOCK = 128
# The grid of each kernel written by hand; its threads with something to do, and the
# block where it is not BLOCK threads in a line.
LAUNCHES = {
    "concat_large": ((2501,), 320001),
    "concat_minor": ((2,), 256),
    "concat_side_input": ((1,), 128),
    "negate": ((469,), 60000),
    "pad_interior": ((2,), 192),
    "pad_negative": ((1,), 70),
    "reshape_deep": ((10,), 1155),
    "transpose_021": ((2, 1, 100), 25600, (32, 4)),
}
FLOAT_BYTES = 4  # of all the elements here


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row_of(options, path, pathlib.Path(folder))
                for path in options.kernels]
    results = {"arch": options.arch, "rows": rows}
    print_table(results)
    write_record(options, results)
    return report_misses(options, missed_aims(results))


def parse():
    parser = argument_parser(__doc__, "handwritten.json")
    add = parser.add_argument
    add("--bin", type=pathlib.Path, default=ROOT / "build/bin",
        help="where fusion-emit, ptx-compare, and kernel-run are")
    add("--clang", default="clang++-22")
    add("kernels", nargs="*", type=pathlib.Path,
        help="default: bench/handwritten/*.cu")
    options = parser.parse_args()
    for tool in ("fusion-emit", "ptx-compare", "kernel-run"):
        if not (options.bin / tool).is_file():
            parser.error(f"{options.bin / tool}: no such file (run scripts/build.sh)")
    check_options(parser, options)
    options.kernels = options.kernels or sorted(
        (ROOT / "bench/handwritten").glob("*.cu"))
    for path in options.kernels:
        if path.stem not in LAUNCHES:
            parser.error(f"{path}: its launch is unknown (LAUNCHES)")
    return options


# --- Measuring ----------------------------------------------------------------


def row_of(options, path, folder):
    name = path.stem
    hlo = ROOT / "test/Inputs/hlo" / f"{name}.hlo"
    manifests, costs = {}, {}
    for side, passes in (("naive", "optimize"), ("naive_pass", "simplify")):
        code, manifest = (folder / f"{name}.{side}.{end}" for end in ("ptx", "json"))
        run([options.bin / "fusion-emit", hlo, f"--passes={passes}", "--arch",
             options.arch, f"--block={BLOCK}", "-o", code,
             f"--manifest={manifest}"])
        manifests[side] = json.loads(manifest.read_text())
        costs[side] = index_costs(options.bin / "ptx-compare", code)
    code = folder / f"{name}.hand.ptx"
    compile_cuda(options, path, code)
    costs["hand"] = index_costs(options.bin / "ptx-compare", code)
    check_outputs(options, path, hlo, manifests["naive_pass"], folder)

    output, = (b for b in manifests["naive"]["buffers"] if b["kind"] == "output")
    elements = output["bytes"] // FLOAT_BYTES

    def per_element(side, measure):
        threads = (LAUNCHES[name][1] if side == "hand" else
                   sum(kernel["threads"] for kernel in manifests[side]["kernels"]))
        return costs[side][measure] * threads / elements

    plain, weighted = (
        {side: per_element(side, measure) for side in ("hand", "naive", "naive_pass")}
        for measure in INDEX_COSTS[:2])
    return {
        "fusion": name,
        "costs": {side: of["index_cost"] for side, of in costs.items()},
        "loop_costs": {side: of["loop_index_cost"] for side, of in costs.items()},
        "costs_per_element": {side: round(v, 3) for side, v in plain.items()},
        "loop_costs_per_element": {side: round(v, 3) for side, v in weighted.items()},
        "ratio": round(plain["naive_pass"] / plain["hand"], 4),
        "loop_ratio": round(weighted["naive_pass"] / weighted["hand"], 4),
    }


def compile_cuda(options, path, output, *more):
    run([options.clang, "-x", "cuda", f"--cuda-gpu-arch={options.arch}",
         f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
         "--cuda-device-only", "-O3", "-S", *more, path, "-o", output])


# --- Is it right? -------------------------------------------------------------


def check_outputs(options, path, hlo, manifest, folder):
    """Ends where the kernel written by hand leaves other bytes than the fusion."""
    generator = random.Random(path.stem)
    arguments = []
    for number, buffer in enumerate(manifest["buffers"]):
        count = math.prod(buffer["dimensions"])
        if buffer["kind"] == "output":
            arguments.append(f"out:f32:{count}")
            continue
        values = folder / f"{path.stem}.{number}"
        values.write_bytes(array.array(
            "f", (generator.uniform(-4, 4) for _ in range(count))).tobytes())
        arguments.append(f"in:f32:{count}:file={values}")

    hand, fusion = (folder / f"{path.stem}.{side}.ll" for side in ("hand", "fusion"))
    compile_cuda(options, path, hand, "-emit-llvm")
    run([options.bin / "fusion-emit", hlo, "-o", fusion, "--emit=llvm",
         f"--block={BLOCK}"])
    kernel, = manifest["kernels"]
    grid, _, *block = LAUNCHES[path.stem]
    if (output_of(options, hand, arguments, grid, block[0] if block else (BLOCK,))
            != output_of(options, fusion,
                         [arguments[number] for number in kernel["arguments"]],
                         kernel["grid"], kernel["block"])):
        sys.exit(f"{path}: what it computes is not what {hlo} says")


def output_of(options, module, arguments, grid, block):
    """The bytes that a kernel leaves in its only output, the last argument."""
    output = module.with_suffix(".bytes")
    run([options.bin / "kernel-run", module, "--args", ",".join(arguments),
         "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block)),
         "--output", f"{len(arguments) - 1}={output}"])
    return output.read_bytes()


# --- Judging ------------------------------------------------------------------


def print_table(results):
    print(f"{'cost of an element':22}{'by':>9}{'naive':>9}{'naive':>9}"
          f"{'naive + pass':>14}{'weighted by':>14}")
    print(f"{'on ' + results['arch']:22}{'hand':>9}{'':9}{'+ pass':>9}"
          f"{'/ by hand':>14}{'loop depth':>14}")
    for row in results["rows"]:
        costs = row["costs_per_element"]
        print(f"{row['fusion']:22}{costs['hand']:9.2f}{costs['naive']:9.2f}"
              f"{costs['naive_pass']:9.2f}{row['ratio']:14.2f}"
              f"{row['loop_ratio']:14.2f}")


def missed_aims(results):
    return [f"{row['fusion']}: {row['ratio']:.2f} times the kernel written by hand, "
            f"at most {LIMIT}" for row in results["rows"] if row["ratio"] > LIMIT]


if __name__ == "__main__":
    sys.exit(main())
