#!/usr/bin/env python3
"""Do the launches of the samples reach both bodies of versioned kernels?

A comparison of outputs says nothing about a body that never runs. So every sample
is compiled with the plugin, a trap is put at the beginning of the fallback body, and
kernel-run runs each launch: the test at a kernel's entry is the same for all of its
threads, so a launch takes the fast body or runs into the trap.

Prints how many launches take which body. Exit status: 0 every versioned kernel has
some of both; 1 one has not; 2 something could not be compiled or run; 77 there is no
CUDA toolkit.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import Failure, run

SKIPPED = 77
FALLBACK = "fallback"  # The block that LaunchVersioning names so.


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", required=True, help="Unravel.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--kernel-run", default="kernel-run")
    parser.add_argument("--samples", type=Path, metavar="DIR",
                        default=Path(__file__).resolve().parents[2]
                        / "cuda_samples/real")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--preload", default="", metavar="LIBRARY",
                        help="library that the plugin needs in clang")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def compile_with_plugin(source, to, options):
    done = run([options.clang, "-x", "cuda", source, "-O3", "-S", "-emit-llvm",
                "--cuda-device-only", f"--cuda-gpu-arch={options.arch}",
                f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version",
                "-fno-discard-value-names", "-Xarch_device",
                f"-fpass-plugin={options.plugin}", "-o", to], options.preload)
    if done.returncode:
        raise Failure(f"{source.name} does not compile: {done.stderr.strip()}")


def with_trap(module, kernel):
    """The module with a trap at the kernel's fallback; None without that."""
    body = re.search(rf"^define [^\n]*@{kernel}\(.*?^}}", module, re.S | re.M)
    if not body:
        raise Failure(f"{kernel} is not in the module")
    # Behind the block's phis.
    trapped, count = re.subn(rf"^({FALLBACK}:[^\n]*\n(?:  %\S+ = phi [^\n]*\n)*)",
                             r"\1  call void @llvm.trap()\n", body[0], flags=re.M)
    if not count:
        return None
    declared = "" if "@llvm.trap()" in module else "\ndeclare void @llvm.trap()\n"
    return module[:body.start()] + trapped + module[body.end():] + declared


def bodies_of(launches, options):
    """(launches that take the fast body, the fallback); None if not versioned."""
    kernel = launches[0]["kernel"]
    with tempfile.TemporaryDirectory() as name:
        module, described = Path(name) / "module.ll", Path(name) / "launches.json"
        compile_with_plugin(options.samples / launches[0]["file"], module, options)
        trapped = with_trap(module.read_text(), kernel)
        if not trapped:
            return None
        module.write_text(trapped)
        taken = [0, 0]
        for launch in launches:
            described.write_text(json.dumps([launch]))
            done = run([options.kernel_run, module, "--kernel", kernel,
                        "--launches", described])
            if done.returncode and "llvm.trap" not in done.stdout + done.stderr:
                raise Failure(done.stderr.strip() or done.stdout.strip())
            taken[bool(done.returncode)] += 1
    return taken


def attempt(launches, options):
    """The line that says it, and the exit status."""
    try:
        taken = bodies_of(launches, options)
    except Failure as failure:
        return f"FAILED: {failure}", failure.status
    if not taken:
        return "not versioned", 0
    line = f"fast body {taken[0]} launches, fallback {taken[1]}"
    return line, 0 if all(taken) else 1


def main():
    options = parse_arguments()
    if not options.cuda_path or not Path(options.cuda_path).is_dir():
        print("skipped: no CUDA toolkit (--cuda-path)")
        return SKIPPED
    samples = {}
    for launch in json.loads((options.samples / "launches.json").read_text()):
        samples.setdefault(launch["kernel"], []).append(launch)
    status = 0
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = pool.map(lambda each: attempt(each, options), samples.values())
        for kernel, (line, failed) in zip(samples, results):
            print(f"{kernel}: {line}", flush=True)
            status = max(status, failed)
    return status if samples else 2


if __name__ == "__main__":
    sys.exit(main())
