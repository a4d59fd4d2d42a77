#!/usr/bin/env python3
"""How many rewrites -index-simplify-certify proves, and how long that takes.

Runs opt's default<O3> with the plugin on kernels: .cu files (compiled to
unoptimised IR first), .ll files, folders of both, and random kernels of
kernel-fuzz, which are given to index-simplify as they are.

    bench/certify.py cuda_samples/*.cu
    bench/certify.py --random 1000

A rewrite that is refused is proposed again by later rounds and in other bodies
of the kernel, and counts each time. Times are CPU time of opt; those of the pass
and of the proofs are differences between runs without, with, and with proofs.

Exit status: 0 done; 1 the share is below --least; 2 nothing could be measured.
"""

import argparse
import collections
import os
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from comparison import ROOT, default_cuda_path
from corpus_process import Failure, run

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
PROFILES = "reshape guards loops addresses narrow wide runtime mixed".split()
PROVED = re.compile(r"- Proved: +'(\d+)'\n.*\n +- Rewrites: +'(\d+)'")
MISSING = re.compile(r"- Missing: +'?(.*?)'?\n")
TIMEOUT_S = 300


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("kernels", nargs="*", type=pathlib.Path, help=".cu, .ll, or folders of them")
    add("--random", type=int, default=0, metavar="N", help="random kernels, profiles in turn")
    add("--from", type=int, default=1, dest="first", help="seed of the first random kernel")
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--kernel-fuzz", type=pathlib.Path, default=ROOT / "build/bin/kernel-fuzz")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    add("--jobs", type=int, default=os.cpu_count())
    add("--least", type=float, default=0, help="the share of rewrites that has to be proved")
    options = parser.parse_args()
    if not options.kernels and not options.random:
        parser.error("no kernels: name files or folders, or give --random")
    for needed in [options.plugin] + [options.kernel_fuzz] * (options.random > 0) + options.kernels:
        if not needed.exists():
            parser.error(f"{needed}: no such file")
    return options


def sources(paths):
    for path in paths:
        yield from (sorted(p for p in path.rglob("*") if p.suffix in (".cu", ".ll"))
                    if path.is_dir() else [path])


def to_ir(options, path, folder):
    if path.suffix == ".ll":
        return path
    target = folder / f"{abs(hash(path))}-{path.stem}.ll"
    run([LLVM_BIN / "clang++", "-x", "cuda", f"--cuda-path={options.cuda_path}",
         "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-O3", "-Xclang",
         "-disable-llvm-passes", "-S", "-emit-llvm", "-Wno-unknown-cuda-version", "-w",
         "-o", target, path], [TIMEOUT_S])
    return target


def random_kernel(options, number, folder):
    profile, seed = PROFILES[number % len(PROFILES)], options.first + number // len(PROFILES)
    target = folder / f"{profile}-{seed}.ll"
    output, _ = run([options.kernel_fuzz, "--print", f"kernel-fuzz v1 profile={profile} seed={seed}"],
                    [TIMEOUT_S])
    target.write_text(output)
    return target


class Sum:
    def __init__(self):
        self.proved = self.rewrites = self.kernels = 0
        self.missing = collections.Counter()
        self.times = [0, 0, 0]
        self.failed = []

    def add(self, job, remarks, times):
        self.kernels += 1
        if times is None:
            self.failed.append(f"{job}: {remarks}")
            return
        for proved, rewrites in PROVED.findall(remarks):
            self.proved += int(proved)
            self.rewrites += int(rewrites)
        self.missing.update(MISSING.findall(remarks))
        self.times = [a + b for a, b in zip(self.times, times)]


def measure(options, path, passes, without):
    """The remarks; times without the pass, with it, and with proofs."""
    opt = [LLVM_BIN / "opt", "-load", options.plugin, f"-load-pass-plugin={options.plugin}",
           "-disable-output", path]
    with tempfile.TemporaryDirectory() as folder:
        remarks = pathlib.Path(folder, "remarks.yaml")
        _, none = run([*opt, *without], [TIMEOUT_S])
        _, plain = run([*opt, passes], [TIMEOUT_S])
        _, certified = run([*opt, passes, "-index-simplify-certify"], [TIMEOUT_S])
        # Remarks name missing facts, and looking for these takes longer than the pass.
        run([*opt, passes, "-index-simplify-certify", f"-pass-remarks-output={remarks}",
             "-pass-remarks-filter=index-simplify"], [TIMEOUT_S])
        return remarks.read_text(), (none, plain, certified)


def main():
    options = parse_options()
    total = Sum()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)

        def examine(job):
            try:
                if isinstance(job, int):
                    return job, *measure(options, random_kernel(options, job, folder),
                                         "-passes=index-simplify", ["-passes=no-op-module"])
                return job, *measure(options, to_ir(options, job, folder), "-passes=default<O3>",
                                     ["-passes=default<O3>", "-index-simplify-at=none"])
            except Failure as failure:
                return job, failure, None

        jobs = [*sources(options.kernels), *range(options.random)]
        for done, (job, remarks, times) in enumerate(pool.map(examine, jobs), 1):
            total.add(job, remarks, times)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)}", end="", file=sys.stderr)
    report(options, total)


def report(options, total):
    for failure in total.failed:
        print(f"no result: {failure}")
    if not total.rewrites:
        print("no rewrites")
        sys.exit(2)
    share = total.proved / total.rewrites
    none, plain, certified = total.times
    print(f"{total.kernels} files, {total.rewrites} rewrites, {total.proved} proved ({share:.1%})")
    for reason, count in total.missing.most_common():
        print(f"{count:6} without {reason}")
    print(f"CPU time of opt: {none:.1f} s without the pass, {plain:.1f} s with it, {certified:.1f} s with "
          f"proofs: they take {(certified - plain) / max(plain - none, 0.01):.1f} times the pass")
    sys.exit(1 if share < options.least else 0)


if __name__ == "__main__":
    main()
