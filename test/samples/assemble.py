#!/usr/bin/env python3
"""Does ptxas take what the plugin makes of every CUDA sample?

Compiles every sample with the plugin for several GPUs and assembles the PTX.
Prints a line for every failure, and a summary.

Exit status: 0 all assemble; 1 some do not; 2 nothing to try; 77 there is no
ptxas.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
TIMEOUT = 120


class Failure(Exception):
    """Why a sample could not be compiled or assembled, in one line."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", required=True, help="Unravel.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", type=Path, default="/usr/local/cuda")
    parser.add_argument("--archs", default="sm_75,sm_80,sm_90,sm_100")
    samples = Path(__file__).resolve().parents[2] / "cuda_samples"
    parser.add_argument("--samples", type=Path, default=samples, metavar="DIR")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def run(command):
    name = Path(command[0]).name
    try:
        done = subprocess.run([str(word) for word in command], timeout=TIMEOUT,
                              capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}")
    except subprocess.TimeoutExpired:
        raise Failure(f"{name} took more than {TIMEOUT} s")
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in lines if "error" in line] or lines
        raise Failure(f"{name}: " + (errors[0] if errors else
                                     f"exited with {done.returncode}"))
    return done.stdout


def assemble(sample, arch, ptxas, options):
    """Returns why the sample does not assemble, or None."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = Path(folder) / f"{sample.stem}.ptx"
        try:
            run([options.clang, "-x", "cuda", sample, "--cuda-device-only", "-S",
                 "-O3", f"--cuda-gpu-arch={arch}",
                 f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
                 "-Xarch_device", f"-fpass-plugin={options.plugin}", "-o", ptx])
            run([ptxas, f"-arch={arch}", ptx, "-o", Path(folder) / "cubin"])
        except Failure as failure:
            return str(failure)
    return None


def main():
    options = parse_arguments()
    ptxas = options.cuda_path / "bin/ptxas"
    if not os.access(ptxas, os.X_OK):
        print(f"skipped: no {ptxas} (--cuda-path)")
        return SKIPPED
    if not Path(options.plugin).is_file():
        print(f"assemble.py: no plugin at {options.plugin}", file=sys.stderr)
        return 2
    # A toolkit knows only the GPUs of its time.
    known = run([ptxas, "--help"])
    archs = [arch for arch in options.archs.split(",") if f"'{arch}'" in known]
    unknown = [arch for arch in options.archs.split(",") if arch not in archs]
    samples = sorted(options.samples.glob("*.cu"))
    if not archs or not samples:
        print("assemble.py: no sample, or no GPU that ptxas knows", file=sys.stderr)
        return 2

    tasks = list(itertools.product(samples, archs))
    failures = 0
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        reasons = pool.map(lambda task: assemble(*task, ptxas, options), tasks)
        for (sample, arch), reason in zip(tasks, reasons):
            if reason:
                failures += 1
                print(f"{sample.stem} for {arch}: {reason}", flush=True)
    print(f"{len(samples)} samples for {', '.join(archs)}: "
          f"{len(tasks) - failures} of {len(tasks)} assemble"
          + (f"; ptxas does not know {', '.join(unknown)}" if unknown else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
