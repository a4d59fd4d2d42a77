#!/usr/bin/env python3
"""Runs every CUDA sample on this CPU, before and after the pass.

The reference is what clang emits before any pass runs. Compared with it are
  raw   the same with index-simplify, behind SROA
  O3    clang's pipeline with the plugin, as users run it; also O1
  late  index-simplify on fully optimised IR
and clang's own -O3, and all of these of the ideal twin. kernel-run executes them
on equal memory and compares every byte, over the grid of launches.json and over
others: a single thread, odd blocks, parts of a huge grid, other sizes, as far as
the launch says that they are safe.

The last line has the totals, to be quoted. Exit status: 0 all is identical; 1
something differs; 2 something could not be compiled or run; 77 there is no CUDA
toolkit.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import Failure, run

SKIPPED = 77


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", required=True, help="Unravel.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--kernel-run", default="kernel-run")
    samples = Path(__file__).resolve().parents[2] / "cuda_samples"
    parser.add_argument("--samples", type=Path, default=samples, metavar="DIR")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--preload", default="", metavar="LIBRARY",
                        help="library that the plugin needs in clang and opt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def make(command, preload):
    """Runs a command that is to write a file."""
    done = run(command, preload)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in lines if "error" in line] or lines
        raise Failure(errors[0] if errors else
                      f"{command[0]} exited with {done.returncode}")


# What the pass has changed; "without" is clang's own -O3.
FORMS = ("raw", "O3", "O1", "late")


def compile_forms(source, folder, options):
    """The files of the reference, of all FORMS, and without the pass."""
    files = {name: folder / f"{name}.ll"
             for name in ("reference", *FORMS, "without")}
    clang = [options.clang, "-x", "cuda", f"--cuda-gpu-arch={options.arch}",
             f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
             "--cuda-device-only", "-S", "-emit-llvm", source]
    plugin = ["-Xarch_device", f"-fpass-plugin={options.plugin}"]
    opt = [options.opt, f"-load-pass-plugin={options.plugin}", "-S"]

    def compile_to(name, flags, preload=""):
        make([*clang, *flags, "-o", files[name]], preload)

    def transform(passes, before, after):
        make([*opt, f"-passes={passes}", files[before], "-o", files[after]],
             options.preload)

    compile_to("reference", ["-O3", "-Xclang", "-disable-llvm-passes"])
    compile_to("without", ["-O3"])
    compile_to("O3", [*plugin, "-O3"], options.preload)
    compile_to("O1", [*plugin, "-O1"], options.preload)
    transform("function(sroa,early-cse,index-simplify)", "reference", "raw")
    transform("index-simplify", "without", "late")
    return files


class Totals:
    """What was compared: a comparison is one kernel in one of the FORMS on one
    grid. Threads are those of all versions."""

    def __init__(self):
        self.kernels = self.grids = self.comparisons = self.threads = 0

    def add(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self):
        return " ".join(f"{name}={value}" for name, value in vars(self).items())


def compare_sample(launch, options):
    """The report line of one sample and its Totals."""
    source = options.samples / launch["file"]
    totals = Totals()
    with tempfile.TemporaryDirectory() as name:
        files = compile_forms(source, Path(name), options)
        command = [options.kernel_run, files["reference"], "--json",
                   "--variants", "--launches",
                   options.samples / "launches.json",
                   "--kernel", launch["kernel"]]
        if launch.get("ideal"):
            command += ["--also-kernel", launch["ideal"]]
        for form in (*FORMS, "without"):
            command += ["--compare", files[form]]
        done = run(command)
    if done.returncode not in (0, 1):
        raise Failure(done.stderr.strip() or f"exit status {done.returncode}")
    report = json.loads(done.stdout)
    if done.returncode == 1:
        raise Failure(report["message"], status=1)
    launches = report["launches"]
    if not launches or launches[0]["bytes_changed"] == 0:
        raise Failure("the kernel writes nothing")
    totals.kernels = 2 if launch.get("ideal") else 1
    totals.grids = len(launches)
    for each in launches:
        versions = len(each["versions"])
        if versions != totals.kernels * (2 + len(FORMS)):
            raise Failure(f"only {versions} versions ran")
        totals.comparisons += totals.kernels * len(FORMS)
        totals.threads += versions * each["threads_run"]
    return (f"{totals.grids} grids, {totals.comparisons} comparisons: "
            "identical"), totals


def attempt(launch, options):
    try:
        line, totals = compare_sample(launch, options)
        return line, totals, 0
    except Failure as failure:
        return f"FAILED: {failure}", Totals(), failure.status


def main():
    options = parse_arguments()
    if not options.cuda_path or not Path(options.cuda_path).is_dir():
        print("skipped: no CUDA toolkit (--cuda-path)")
        return SKIPPED
    launches_file = options.samples / "launches.json"
    try:
        launches = json.loads(launches_file.read_text())
        launches = [dict(launch) for launch in launches]
        if not all("file" in l and "kernel" in l for l in launches):
            raise ValueError("a launch without file or kernel")
    except (OSError, ValueError, TypeError) as error:
        print(f"run-samples.py: {launches_file}: {error}", file=sys.stderr)
        return 2
    if not Path(options.plugin).is_file():
        print(f"run-samples.py: no plugin at {options.plugin}",
              file=sys.stderr)
        return 2

    status = 0
    totals = Totals()
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = pool.map(lambda launch: attempt(launch, options), launches)
        for launch, (line, compared, failed) in zip(launches, results):
            print(f"{launch['kernel']}: {line}", flush=True)
            totals.add(compared)
            # A difference is worse news than a run that could not be made.
            status = 1 if 1 in (status, failed) else max(status, failed)
    result = {0: "identical", 1: "different", 2: "incomplete"}[status]
    print(f"totals: samples={len(launches)} forms={len(FORMS)} {totals} "
          f"result={result}")
    return status if launches else 2


if __name__ == "__main__":
    sys.exit(main())
