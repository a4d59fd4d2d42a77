#!/usr/bin/env python3
"""Runs every CUDA sample on this CPU, before and after the pass.

The reference is what clang emits before any pass runs. Compared with it are
  raw   the same with index-simplify, behind SROA
  O3    the same through clang's pipeline with the plugin; also O1
  late  index-simplify on fully optimised IR
and clang's own -O3, and all of these of the ideal twin. kernel-run executes them
on equal memory and compares every byte, over the launches of launches.json and
over others: a single thread, odd blocks, parts of a huge grid, other sizes, as far
as the launch says that they are safe. A launch that names no ideal runs without
it: what it is launched with is beyond what the twin assumes.

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
    parser.add_argument("--only", metavar="KERNEL", help="only the launches of this kernel")
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
    plugin = [f"-fpass-plugin={options.plugin}"]
    opt = [options.opt, f"-load-pass-plugin={options.plugin}", "-S"]

    # The source is read once: CUDA's headers take longer than all passes.
    make([options.clang, "-x", "cuda", f"--cuda-gpu-arch={options.arch}",
          f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
          "--cuda-device-only", "-S", "-emit-llvm", "-O3", "-Xclang",
          "-disable-llvm-passes", source, "-o", files["reference"]], "")

    def compile_to(name, flags, preload=""):
        make([options.clang, "-x", "ir", "--target=nvptx64-nvidia-cuda",
              f"-march={options.arch}", "-S", "-emit-llvm", *flags,
              files["reference"], "-o", files[name]], preload)

    def transform(passes, before, after):
        make([*opt, f"-passes={passes}", files[before], "-o", files[after]],
             options.preload)

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


def run_launches(launches, files, folder, options):
    """The Totals of launches of one kernel, all with its ideal or all without."""
    kernel, ideal = launches[0]["kernel"], launches[0].get("ideal")
    described = folder / "launches.json"
    described.write_text(json.dumps(launches))
    command = [options.kernel_run, files["reference"], "--json", "--variants",
               "--launches", described, "--kernel", kernel]
    if ideal:
        command += ["--also-kernel", ideal]
    for form in (*FORMS, "without"):
        command += ["--compare", files[form]]
    done = run(command)
    if done.returncode not in (0, 1):
        raise Failure(done.stderr.strip() or f"exit status {done.returncode}")
    report = json.loads(done.stdout)
    if done.returncode == 1:
        raise Failure(report["message"], status=1)
    ran = report["launches"]
    if not any(each["bytes_changed"] for each in ran):
        raise Failure("the kernel writes nothing")
    totals = Totals()
    totals.kernels = 2 if ideal else 1
    totals.grids = len(ran)
    for each in ran:
        versions = len(each["versions"])
        if versions != totals.kernels * (2 + len(FORMS)):
            raise Failure(f"only {versions} versions ran")
        totals.comparisons += totals.kernels * len(FORMS)
        totals.threads += versions * each["threads_run"]
    return totals


def compare_kernel(launches, files, folder, options):
    """The report line of one kernel, all of its launches, and its Totals."""
    totals = Totals()
    # The ideal may assume more than a launch keeps.
    for with_ideal in (True, False):
        group = [launch for launch in launches
                 if bool(launch.get("ideal")) == with_ideal]
        if group:
            totals.add(run_launches(group, files, folder, options))
    totals.kernels = 2 if launches[0].get("ideal") else 1
    return (f"{totals.grids} grids, {totals.comparisons} comparisons: "
            "identical"), totals


def attempt(kernels, options):
    """[(report line, Totals, exit status)] of the kernels of one file, which is
    compiled once; each kernel is the list of its launches."""
    def failed(failure):
        return f"FAILED: {failure}", Totals(), failure.status

    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            files = compile_forms(options.samples / kernels[0][0]["file"], folder,
                                  options)
        except Failure as failure:
            return [failed(failure)] * len(kernels)
        for launches in kernels:
            try:
                line, totals = compare_kernel(launches, files, folder, options)
                results.append((line, totals, 0))
            except Failure as failure:
                results.append(failed(failure))
    return results


def main():
    options = parse_arguments()
    if not options.cuda_path or not Path(options.cuda_path).is_dir():
        print("skipped: no CUDA toolkit (--cuda-path)")
        return SKIPPED
    launches_file = options.samples / "launches.json"
    try:
        samples = {}
        for launch in json.loads(launches_file.read_text()):
            if "file" not in launch or "kernel" not in launch:
                raise ValueError("a launch without file or kernel")
            if options.only in (None, launch["kernel"]):
                samples.setdefault(launch["file"], {}).setdefault(
                    launch["kernel"], []).append(launch)
        if not samples:
            raise ValueError(f"no launch of {options.only or 'a kernel'}")
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
        results = pool.map(lambda each: attempt(list(each.values()), options),
                           samples.values())
        for kernels, of_file in zip(samples.values(), results):
            for kernel, (line, compared, failed) in zip(kernels, of_file):
                print(f"{kernel}: {line}", flush=True)
                totals.add(compared)
                # A difference is worse news than a run that could not be made.
                status = 1 if 1 in (status, failed) else max(status, failed)
    result = {0: "identical", 1: "different", 2: "incomplete"}[status]
    print(f"totals: samples={sum(map(len, samples.values()))} forms={len(FORMS)} {totals} "
          f"result={result}")
    return status


if __name__ == "__main__":
    sys.exit(main())
