#!/usr/bin/env python3
"""What index-simplify costs at compile time.

1. Its share of the device compile of every CUDA sample (front end to PTX), as
   clang's -ftime-report tells it; the aim is 5 % at most.
2. Its time on generated kernels of up to 100,000 index instructions, as opt's
   -time-passes tells it; the aim is time near-linear in the size.

    bench/compile_time.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Prints two tables and writes them to bench/results/compile_time.json.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from comparison import ROOT, default_cuda_path

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
PASS_NAME = re.compile(r"(.*::)?(IndexSimplify|LaunchVersioning|HiddenQuotients)Pass|index-simplify|launch-versioning|index-hidden-quotients")
SHARE_LIMIT = 0.05
# Caches alone make one visit of every instruction grow with 1.2 to 1.3.
EXPONENT_LIMIT = 1.4
TIMEOUT_S = 300


def main():
    options = parse_options()
    results = {"machine": options.machine, "date": options.date}
    if options.samples:
        results["samples"] = measure_samples(options)
    results["generated"] = measure_generated(options)

    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\nwritten to {options.output}")

    misses = missed_aims(results)
    for miss in misses:
        print(f"misses its aim: {miss}")
    return 1 if misses and options.check else 0


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--machine", required=True, help="machine name, for the record")
    add("--date", required=True, help="today, for the record")
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    add("--arch", default="sm_90")
    add("--repeat", type=int, default=3, help="the fastest of so many counts")
    add("--sizes", default="1000,3000,10000,30000,100000")
    add("--shapes", default=",".join(SHAPES), help=f"of {', '.join(SHAPES)}")
    add("--output", type=pathlib.Path, default=ROOT / "bench/results/compile_time.json")
    add("--check", action="store_true", help="exit 1 when an aim is missed")
    add("samples", nargs="*", type=pathlib.Path, help="default: cuda_samples/*.cu")
    options = parser.parse_args()

    if not options.plugin.is_file():
        parser.error(f"{options.plugin}: no such file (run scripts/build.sh)")
    unknown = set(options.shapes.split(",")) - set(SHAPES)
    if unknown:
        parser.error(f"unknown shape {', '.join(unknown)}")
    if not (options.cuda_path / "include/cuda.h").is_file():
        print("no CUDA toolkit (--cuda-path): the samples are left out")
        options.samples = []
    elif not options.samples:
        options.samples = sorted((ROOT / "cuda_samples").glob("*.cu"))
    return options


# --- 1. The samples -----------------------------------------------------------


def measure_samples(options):
    print(f"{'device compile, ms':24}{'all':>9}{'back end':>10}{'pass':>8}"
          f"{'of all':>8}{'of back end':>13}{'back end without':>18}")
    rows = []
    for sample in options.samples:
        try:
            with_pass = best_sample_run(sample, options, use_plugin=True)
            without = best_sample_run(sample, options, use_plugin=False)
        except CommandFailed as failure:
            sys.exit(f"{sample}: clang failed, {failure}")
        rows.append({
            "sample": sample.stem,
            "device_ms": with_pass["all"],
            "back_end_ms": with_pass["back_end"],
            "back_end_without_pass_ms": without["back_end"],
            "pass_ms": with_pass["pass"],
        })
        print_sample_row(rows[-1])
    columns = ("device_ms", "back_end_ms", "back_end_without_pass_ms", "pass_ms")
    total = {c: round(sum(row[c] for row in rows), 1) for c in columns}
    total["sample"] = "total"
    print_sample_row(total)
    total["pass_share_of_device"] = total["pass_ms"] / total["device_ms"]
    total["pass_share_of_back_end"] = total["pass_ms"] / total["back_end_ms"]
    return {"rows": rows, "total": total}


def best_sample_run(sample, options, use_plugin):
    command = [
        LLVM_BIN / "clang++", "-x", "cuda", sample, "-S", "-o", os.devnull,
        "-O3", "--cuda-device-only", f"--cuda-gpu-arch={options.arch}",
        f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
        "-Xarch_device", "-ftime-report",
    ]
    if use_plugin:
        command += ["-Xarch_device", f"-fpass-plugin={options.plugin}"]
    runs = []
    for _ in range(options.repeat):
        report = parse_time_report(run(command))
        phases = report["Clang time report"]
        runs.append({
            "all": phases["Total"],
            "back_end": round(
                phases["Optimizer"] + phases["Machine code generation"], 1
            ),
            "pass": pass_time(report) if use_plugin else 0,
        })
    # Each number at its best: noise only ever adds.
    return {key: min(r[key] for r in runs) for key in runs[0]}


def print_sample_row(row):
    print(f"{row['sample']:24}{row['device_ms']:9.1f}{row['back_end_ms']:10.2f}"
          f"{row['pass_ms']:8.2f}{row['pass_ms'] / row['device_ms']:8.1%}"
          f"{row['pass_ms'] / row['back_end_ms']:13.1%}"
          f"{row['back_end_without_pass_ms']:18.2f}")


# --- 2. Generated kernels -----------------------------------------------------


def measure_generated(options):
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"\n{'generated kernel':20}{'instructions':>14}{'pass, ms':>12}"
          f"{'and analyses':>14}{'us each':>10}")
    results = {}
    for shape in options.shapes.split(","):
        rows = []
        for size in sizes:
            rows.append(measure_generated_one(shape, size, options))
            if "failure" in rows[-1]:
                break
        exponent = growth_exponent(rows)
        results[shape] = {"rows": rows, "growth_exponent": exponent}
        if exponent is not None:
            print(f"{shape:20}time grows with size to the power {exponent:.2f}")
    return results


def measure_generated_one(shape, size, options):
    text, instructions = generate_kernel(shape, size)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{shape}.ll"
        path.write_text(text)
        command = [
            LLVM_BIN / "opt", f"-load-pass-plugin={options.plugin}",
            "-passes=index-simplify", "-disable-output", "-disable-verify",
            "-time-passes", path,
        ]
        try:
            # Long runs are measured well enough by one.
            reports = [parse_time_report(run(command))]
            while len(reports) < options.repeat and all_time(reports[0]) < 5000:
                reports.append(parse_time_report(run(command)))
        except subprocess.TimeoutExpired:
            return failed_row(shape, instructions, f"more than {TIMEOUT_S} s")
        except CommandFailed as failure:
            return failed_row(shape, instructions, f"opt failed, {failure}")
    row = {
        "instructions": instructions,
        "pass_ms": min(map(pass_time, reports)),
        "with_analyses_ms": min(map(all_time, reports)),
    }
    print(f"{shape:20}{instructions:14}{row['pass_ms']:12.1f}"
          f"{row['with_analyses_ms']:14.1f}"
          f"{1000 * row['with_analyses_ms'] / instructions:10.2f}")
    return row


def failed_row(shape, instructions, reason):
    print(f"{shape:20}{instructions:14}   {reason}")
    return {"instructions": instructions, "failure": reason}


def growth_exponent(rows):
    """The log-log slope, by least squares, where start-up costs are small."""
    points = [
        (math.log(r["instructions"]), math.log(max(r["with_analyses_ms"], 0.1)))
        for r in rows
        if "failure" not in r and r["instructions"] >= 10000
    ]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )


class Kernel:
    """The text of one kernel, and how many index instructions it has."""

    def __init__(self):
        self.lines = []
        self.instructions = 0
        self.next_name = 0

    def emit(self, operation):
        self.next_name += 1
        self.instructions += 1
        self.lines.append(f"  %v{self.next_name} = {operation}")
        return f"%v{self.next_name}"

    def copy_element(self, index):
        """out[index] = in[index]"""
        wide = self.emit(f"zext i32 {index} to i64")
        source = self.emit(f"getelementptr inbounds float, ptr %in, i64 {wide}")
        target = self.emit(f"getelementptr inbounds float, ptr %out, i64 {wide}")
        self.next_name += 1
        self.lines.append(f"  %e{self.next_name} = load float, ptr {source}")
        self.lines.append(f"  store float %e{self.next_name}, ptr {target}")

    def reshape(self, index, width, height):
        """The (height, width) round trip of a reshape: it is index again."""
        column = self.emit(f"urem i32 {index}, {width}")
        row = self.emit(f"udiv i32 {index}, {width}")
        inner = self.emit(f"urem i32 {row}, {height}")
        outer = self.emit(f"udiv i32 {row}, {height}")
        scaled = self.emit(f"mul nuw i32 {outer}, {height}")
        joined = self.emit(f"add nuw i32 {scaled}, {inner}")
        flat = self.emit(f"mul nuw i32 {joined}, {width}")
        return self.emit(f"add nuw i32 {flat}, {column}")


def grow_independent(kernel, size):
    """Many addresses in one block, none of which needs another."""
    while kernel.instructions < size:
        k = kernel.next_name
        index = kernel.emit(f"add nuw nsw i32 %i, {k}")
        kernel.copy_element(kernel.reshape(index, 3 + k % 97, 5 + k % 41))


def grow_chain(kernel, size):
    """Every index is computed from the one before; some are used."""
    index = "%i"
    while kernel.instructions < size:
        k = kernel.next_name
        digit = kernel.emit(f"urem i32 {index}, {1000 + k % 97}")
        shifted = kernel.emit(f"add nuw i32 {digit}, {1 + k % 41}")
        index = kernel.reshape(shifted, 3 + k % 89, 7)
        if k % 5 == 0:
            kernel.copy_element(index)
    kernel.copy_element(index)


def grow_sum(kernel, size):
    """One index that is the sum of ever more different quotients."""
    index = "%i"
    while kernel.instructions < size:
        k = kernel.next_name
        quotient = kernel.emit(f"udiv i32 %i, {3 + k}")
        index = kernel.emit(f"add i32 {index}, {quotient}")
    kernel.copy_element(index)


def grow_guarded(kernel, size):
    """Many blocks, each behind a check of its own index."""
    while kernel.instructions < size:
        k = kernel.next_name
        index = kernel.emit(f"add nuw nsw i32 %i, {k}")
        column = kernel.emit(f"urem i32 {index}, {3 + k % 97}")
        inside = kernel.emit(f"icmp ult i32 {column}, {1 + k % 89}")
        kernel.lines.append(f"  br i1 {inside}, label %then{k}, label %next{k}")
        kernel.lines.append(f"then{k}:")
        kernel.copy_element(kernel.reshape(index, 3 + k % 97, 5 + k % 41))
        kernel.lines.append(f"  br label %next{k}")
        kernel.lines.append(f"next{k}:")


SHAPES = {
    "independent": grow_independent,
    "chain": grow_chain,
    "sum": grow_sum,
    "guarded": grow_guarded,
}


def generate_kernel(shape, size):
    kernel = Kernel()
    SHAPES[shape](kernel, size)
    body = "\n".join(kernel.lines)
    text = f"""\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @generated(ptr noalias %in, ptr noalias %out) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 256
  %i = add i32 %base, %tid
  %in.range = icmp ult i32 %i, 1000000
  br i1 %in.range, label %body, label %done
body:
{body}
  br label %done
done:
  ret void
}}
"""
    return text, kernel.instructions


# --- Reading LLVM's reports ---------------------------------------------------


class CommandFailed(Exception):
    pass


def run(command):
    """Runs and returns stderr, where the reports go."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode < 0:
        raise CommandFailed(f"killed by signal {-done.returncode}")
    if done.returncode:
        last_line = (done.stderr.strip() or "no message").splitlines()[-1]
        raise CommandFailed(f"status {done.returncode}: {last_line[:200]}")
    return done.stderr


def parse_time_report(text):
    """{report title: {row name: wall milliseconds, to the 0.1 that LLVM prints}}"""
    reports, title, in_heading = {}, None, False
    row = re.compile(r"\s+(?:\d+\.\d+ \([^)]*\)\s+)*(\d+\.\d+) \([^)]*\)\s+(\S.*)")
    for line in text.splitlines():
        if line.startswith("===---"):
            in_heading = not in_heading
        elif in_heading:
            title = line.strip()
            reports.setdefault(title, {})
        elif title and (match := row.fullmatch(line)):
            rows = reports[title]
            name = match[2].strip()
            rows[name] = round(rows.get(name, 0) + 1000 * float(match[1]), 1)
    return reports


def pass_time(report):
    rows = report.get("Pass execution timing report", {})
    mine = [ms for name, ms in rows.items() if PASS_NAME.fullmatch(name)]
    if not mine:
        sys.exit("the time report has no row for index-simplify: has it run?")
    return sum(mine)


def all_time(report):
    """The pass and the analyses it asked for: nothing else runs in our opt."""
    titles = ("Pass execution timing report", "Analysis execution timing report")
    return round(sum(report.get(title, {}).get("Total", 0) for title in titles), 1)


def missed_aims(results):
    misses = []
    if "samples" in results:
        share = results["samples"]["total"]["pass_share_of_device"]
        if share > SHARE_LIMIT:
            misses.append(f"{share:.1%} of the device compile time")
    for shape, result in results["generated"].items():
        exponent = result["growth_exponent"]
        failures = [row["failure"] for row in result["rows"] if "failure" in row]
        if failures:
            misses.append(f"{shape} kernels: {failures[0]}")
        elif exponent is not None and exponent > EXPONENT_LIMIT:
            misses.append(f"{shape} kernels grow with exponent {exponent:.2f}")
    return misses


if __name__ == "__main__":
    sys.exit(main())
