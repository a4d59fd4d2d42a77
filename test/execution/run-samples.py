#!/usr/bin/env python3
"""Runs every CUDA sample on this CPU, without the plugin and with it.

Each sample is compiled to device IR without the plugin (the reference) and in
three ways with it. kernel-compare then runs both on equal memory over the whole
grid of launches.json and compares every byte, also with the ideal twin.

Exit status: 0 all is identical; 1 something differs; 2 something could not be
compiled or run; 77 there is no CUDA toolkit.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
TIMEOUT = 300


class Failure(Exception):
    """A sample that could not be compared; .status is the exit status."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", required=True, help="Unravel.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--kernel-compare", default="kernel-compare")
    samples = Path(__file__).resolve().parents[2] / "cuda_samples"
    parser.add_argument("--samples", type=Path, default=samples, metavar="DIR")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--preload", default="", metavar="LIBRARY",
                        help="library that the plugin needs in clang and opt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def run(command, preload=""):
    """The finished process; its standard error on a failure to start."""
    environment = dict(os.environ)
    if preload:
        environment["LD_PRELOAD"] = preload
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    try:
        return subprocess.run([str(word) for word in command],
                              env=environment, timeout=TIMEOUT,
                              capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}")
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {TIMEOUT} s", status=1)


def make(command, preload):
    """Runs a command that is to write a file."""
    done = run(command, preload)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in lines if "error" in line] or lines
        raise Failure(errors[0] if errors else
                      f"{command[0]} exited with {done.returncode}")


def variants(source, folder, options):
    """Compiles the reference and yields (name, file) of what to compare."""
    clang = [options.clang, "-x", "cuda", f"--cuda-gpu-arch={options.arch}",
             f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
             "--cuda-device-only", "-S", "-emit-llvm", source]
    plugin = ["-Xarch_device", f"-fpass-plugin={options.plugin}"]
    reference = folder / "without.ll"
    make(clang + ["-O3", "-o", reference], "")

    def late(target):
        make([options.opt, f"-load-pass-plugin={options.plugin}",
              "-passes=index-simplify", "-S", reference, "-o", target],
             options.preload)

    def in_pipeline(level):
        return lambda target: make(clang + plugin + [level, "-o", target],
                                   options.preload)

    def all_variants():
        for name, compile_to in (("O3", in_pipeline("-O3")),
                                 ("O1", in_pipeline("-O1")),
                                 ("late", late)):
            target = folder / f"{name}.ll"
            compile_to(target)
            yield name, target

    return reference, all_variants()


def compare_sample(launch, options):
    """The report line of one sample and how many comparisons it took."""
    source = options.samples / launch["file"]
    comparisons = 0
    ideal = False
    with tempfile.TemporaryDirectory() as name:
        reference, others = variants(source, Path(name), options)
        names = []
        for variant, file in others:
            names.append(variant)
            done = run([options.kernel_compare, "--ideal",
                        "--launches", options.samples / "launches.json",
                        "--kernel", launch["kernel"], reference, file])
            report = (done.stdout + done.stderr).strip()
            if done.returncode != 0:
                raise Failure(f"{variant}: {report}",
                              2 if done.returncode == 2 else 1)
            match = re.search(r"(\d+) threads.*\((\d+) written\)", report)
            if not match or match[2] == "0":
                raise Failure(f"the kernel writes nothing: {report}")
            ideal = "ideal too" in report
            if launch.get("ideal") and not ideal:
                raise Failure(f"there is no kernel {launch['ideal']}")
            # The kernel; and its ideal twin without the plugin and with it.
            comparisons += 3 if ideal else 1
    others = ", ".join(names) + (", ideal" if ideal else "")
    return f"{match[1]} threads, {others}: identical", comparisons


def attempt(launch, options):
    try:
        line, comparisons = compare_sample(launch, options)
        return line, comparisons, 0
    except Failure as failure:
        return f"FAILED: {failure}", 0, failure.status


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

    status = total = 0
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = pool.map(lambda launch: attempt(launch, options), launches)
        for launch, (line, comparisons, failed) in zip(launches, results):
            print(f"{launch['kernel']}: {line}", flush=True)
            total += comparisons
            # A difference is worse news than a run that could not be made.
            status = 1 if 1 in (status, failed) else max(status, failed)
    summary = "identical" if status == 0 else "NOT all identical"
    print(f"{len(launches)} samples, {total} comparisons, {summary}")
    return status if launches else 2


if __name__ == "__main__":
    sys.exit(main())
