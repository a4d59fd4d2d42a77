#!/usr/bin/env python3
"""Divisions by run-time values in loops: SASS with and without index-reciprocals.

Counts the instructions of bench/loop_divisions.cu and of the CUDA samples, all
of a kernel, of its innermost and outermost loop, and registers: with the pass
switched off, with it, and for the kernels of the bench with digits carried by
hand. Of the PTX, the cost weighted by loop depth and the cost of innermost loops
(ptx-compare).

    bench/loop_divisions.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31 \\
        [MORE.cu ...]

Needs ptxas (--cuda-path) and nvdisasm, which is in no toolkit from wheels:

    pip install --target .deps/nvdisasm nvidia-cuda-nvdisasm==13.5.37

Prints a table and writes it to bench/results/loop_divisions.json. With --check
it fails if a kernel has more than 2 % more instructions in its outermost loop,
or outside of loops.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from comparison import (ROOT, add_nvdisasm, argument_parser, check_nvdisasm,
                        check_options, geometric_mean, report_misses,
                        write_record)

CLANG = "/usr/lib/llvm-22/bin/clang++"
SWITCH = "-index-simplify-reciprocals"
GROWTH_LIMIT = 1.02
TIMEOUT_S = 300


def main():
    options = parse_options()
    files = [ROOT / "bench/loop_divisions.cu"]
    files += sorted((ROOT / "cuda_samples").rglob("*.cu")) + options.more
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        measured = list(pool.map(lambda file: measure(file, options), files))
    rows = [row for rows in measured for row in rows]
    changed = [row for row in rows if row["before"] != row["after"]]
    results = {
        "arch": options.arch,
        "options": options.mllvm,
        "kernels": len(rows),
        "changed": changed,
        "mean_ratio": round(mean_ratio(rows, "all"), 4),
        "mean_ratio_of_changed": round(mean_ratio(changed, "all"), 4),
        "mean_ratio_of_changed_loops": round(
            mean_ratio([row for row in changed if row["before"]["loop"]], "loop"), 4
        ),
        "mean_ratio_of_changed_loop_cost": round(mean_ratio(changed, "loop_cost"), 4),
        "carry": [row for row in rows if row["kernel"].endswith("_carry")],
    }
    print_table(results)
    write_record(options, results)
    return report_misses(options, [f"{row['kernel']}: more instructions"
                                   for row in changed if is_worse(row)])


def parse_options():
    parser = argument_parser(__doc__, "loop_divisions.json")
    add_nvdisasm(parser)
    add = parser.add_argument
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--ptx-compare", type=pathlib.Path, default=ROOT / "build/bin/ptx-compare")
    add("--mllvm", default=[], action="append", metavar="OPTION",
        help="further option of the plugin, on both sides")
    add("more", nargs="*", type=pathlib.Path, help="besides the samples")
    options = parser.parse_args()
    for built in (options.plugin, options.ptx_compare):
        if not built.is_file():
            parser.error(f"{built}: no such file (run scripts/build.sh)")
    check_options(parser, options)
    check_nvdisasm(parser, options)
    return options


# --- Measuring ----------------------------------------------------------------


def measure(file, options):
    before, after = (counts_of(file, on, options) for on in ("0", "1"))
    return [
        {"file": file.stem, "kernel": kernel, "before": before[kernel],
         "after": after[kernel]}
        for kernel in sorted(before)
    ]


def counts_of(file, switch, options):
    """{kernel: its counts} of one file, with the pass on or off."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = f"{folder}/k.ptx", f"{folder}/k.cubin"
        run([CLANG, "-x", "cuda", file, "-O3", f"--cuda-gpu-arch={options.arch}",
             "--cuda-device-only", "-S", "-o", ptx, f"--cuda-path={options.cuda_path}",
             "-Wno-unknown-cuda-version", "-Xarch_device",
             f"-fpass-plugin={options.plugin}", "-Xarch_device",
             f"-mllvm={SWITCH}={switch}"]
            + [word for option in options.mllvm
               for word in ("-Xarch_device", f"-mllvm={option}")])
        report = run([options.cuda_path / "bin/ptxas", f"-arch={options.arch}", "-v",
                      ptx, "-o", cubin])
        sass = run([options.nvdisasm, "-c", cubin])
        compared = json.loads(run([options.ptx_compare, "--before", ptx, "--after",
                                   ptx, "--json", "-"]))
    costs = {kernel["name"]: {measure: kernel["after"][measure]
                              for measure in ("loop_cost", "innermost_cost")}
             for compared_file in compared["files"]
             for kernel in compared_file["kernels"]}
    registers = dict(re.findall(
        r"entry function '(\w+)'.*?Used (\d+) registers", report, re.DOTALL))
    return {
        kernel: {**count(code), **costs[kernel], "registers": int(registers[kernel])}
        for kernel, code in kernels_in(sass).items()
        if kernel in registers
    }


def run(command):
    """What the command prints, on either stream; exits if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=TIMEOUT_S)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nfailed:\n{done.stdout}")
    return done.stdout


def kernels_in(sass):
    """{kernel: its instructions and labels} of what nvdisasm prints."""
    kernels, code = {}, None
    for line in sass.splitlines():
        if section := re.match(r"\.text\.(\w+):", line):
            code = kernels.setdefault(section[1], [])
        elif label := re.match(r"(\.L_x_\d+):", line):
            if code is not None:
                code.append(label[1] + ":")
        elif instruction := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?);", line):
            if code is not None:
                code.append(instruction[1].strip())
    return kernels


def count(code):
    """All instructions, and those of the longest loop; padding left out."""
    # nvdisasm ends a kernel with a branch to itself, then NOPs.
    labels = {word[:-1]: at for at, word in enumerate(code) if word.endswith(":")}
    loops = []
    for at, word in enumerate(code):
        jump = re.search(r"BRA `\((\.L_x_\d+)\)", word)
        target = labels.get(jump[1], at) if jump else at
        if target < at - 1:
            loops.append(instructions(code[target : at + 1]))
    return {"all": instructions(code) - 1, "loop": max(loops, default=0)}


def instructions(code):
    return sum(not word.endswith(":") and not word.startswith("NOP") for word in code)


# --- Reporting ----------------------------------------------------------------


def is_worse(row):
    key = "loop" if row["before"]["loop"] and row["after"]["loop"] else "all"
    return row["after"][key] > GROWTH_LIMIT * row["before"][key]


def mean_ratio(rows, key):
    ratios = [row["after"][key] / row["before"][key] for row in rows
              if row["after"][key] and row["before"][key]]
    return geometric_mean(ratios) if ratios else 1.0


def print_table(results):
    heads = ["kernel", "all", "", "loop", "", "registers", "", "PTX, weighted", "",
             "innermost", ""]
    print("{:32}{:>8}{:>6}{:>8}{:>6}{:>12}{:>5}{:>15}{:>7}{:>12}{:>6}".format(*heads))
    for row in results["changed"] + results["carry"]:
        b, a = row["before"], row["after"]
        print(f"{row['kernel']:32}{b['all']:8}{a['all']:6}{b['loop']:8}{a['loop']:6}"
              f"{b['registers']:12}{a['registers']:5}"
              f"{b['loop_cost']:15}{a['loop_cost']:7}"
              f"{b['innermost_cost']:12}{a['innermost_cost']:6}")
    print(f"\n{len(results['changed'])} of {results['kernels']} kernels change; mean "
          f"ratio of all instructions {results['mean_ratio']}, where it changes "
          f"{results['mean_ratio_of_changed']}, of loops "
          f"{results['mean_ratio_of_changed_loops']}, of the PTX's cost weighted by "
          f"loop depth {results['mean_ratio_of_changed_loop_cost']}")


if __name__ == "__main__":
    sys.exit(main())
