#!/usr/bin/env python3
"""Divisions by run-time values in loops: SASS with and without index-reciprocals.

Counts the instructions of bench/loop_divisions.cu and of the CUDA samples, all
of a kernel, of its innermost and outermost loop, and registers: with the pass
switched off, with it, and for the kernels of the bench with digits carried by
hand. Needs ptxas and nvdisasm:

    pip install --target /tmp/nvdisasm nvidia-cuda-nvdisasm
    bench/loop_divisions.py --nvdisasm /tmp/nvdisasm/nvidia/cu13/bin/nvdisasm \\
        --machine 'Xeon 8481C, 2 cores' --date 2026-01-31 [MORE.cu ...]

Prints a table and writes it to bench/results/loop_divisions.json. With --check
it fails if a kernel has more than 2 % more instructions in its outermost loop,
or outside of loops.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
        "carry": [row for row in rows if row["kernel"].endswith("_carry")],
    }
    print_table(results)
    if options.machine:
        record = {"machine": options.machine, "date": options.date, **results}
        options.output.write_text(json.dumps(record, indent=1) + "\n")
        print(f"\nwritten to {options.output}")
    worse = [row["kernel"] for row in changed if is_worse(row)]
    for kernel in worse:
        print(f"more instructions: {kernel}")
    return 1 if worse and options.check else 0


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--machine", help="machine name, for the record; without it none is written")
    add("--date", help="today, for the record")
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--cuda-path", type=pathlib.Path, default=pathlib.Path("/usr/local/cuda"))
    add("--nvdisasm", default=shutil.which("nvdisasm"), help="default: from PATH")
    add("--arch", default="sm_90")
    add("--mllvm", default=[], action="append", metavar="OPTION",
        help="further option of the plugin, on both sides")
    add("--jobs", type=int, default=os.cpu_count())
    add("--output", type=pathlib.Path,
        default=ROOT / "bench/results/loop_divisions.json")
    add("--check", action="store_true", help="exit 1 if a kernel gets dearer")
    add("more", nargs="*", type=pathlib.Path, help="besides the samples")
    options = parser.parse_args()
    if not options.plugin.is_file():
        parser.error(f"{options.plugin}: no such file (run scripts/build.sh)")
    if not options.nvdisasm or not pathlib.Path(options.nvdisasm).is_file():
        parser.error("no nvdisasm: pip install --target DIR nvidia-cuda-nvdisasm, "
                     "then --nvdisasm DIR/nvidia/cu13/bin/nvdisasm")
    if bool(options.machine) != bool(options.date):
        parser.error("a record needs both --machine and --date")
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
    registers = dict(re.findall(
        r"entry function '(\w+)'.*?Used (\d+) registers", report, re.DOTALL))
    return {
        kernel: {**count(code), "registers": int(registers[kernel])}
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
    logs = [math.log(row["after"][key] / row["before"][key]) for row in rows
            if row["after"][key] and row["before"][key]]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def print_table(results):
    heads = ["kernel", "all", "", "loop", "", "registers", ""]
    print("{:32}{:>8}{:>6}{:>8}{:>6}{:>12}{:>5}".format(*heads))
    for row in results["changed"] + results["carry"]:
        b, a = row["before"], row["after"]
        print(f"{row['kernel']:32}{b['all']:8}{a['all']:6}{b['loop']:8}{a['loop']:6}"
              f"{b['registers']:12}{a['registers']:5}")
    print(f"\n{len(results['changed'])} of {results['kernels']} kernels change; mean "
          f"ratio of all instructions {results['mean_ratio']}, where it changes "
          f"{results['mean_ratio_of_changed']}, of loops "
          f"{results['mean_ratio_of_changed_loops']}")


if __name__ == "__main__":
    sys.exit(main())
