#!/usr/bin/env python3
"""Runs index-simplify<verify> on every lit test and every CUDA sample.

No rewrite may be refused. Prints how many were compared and at how many points.

Exit status: 0 none refused; 1 at least one was; 2 a file could not be run.
"""

import argparse
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import Failure, run

TEST = Path(__file__).resolve().parents[1]
COMPARED = re.compile(r"remark: .*?(\d+) rewrites compared with the old code "
                      r"at (\d+) points(?:; (\d+) not compared)?")
REFUSED = re.compile(r"^.*is wrong and was refused.*$", re.MULTILINE)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", required=True, help="Unravel.so")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="",
                        help="without it the samples are left out")
    parser.add_argument("--preload", default="", metavar="LIBRARY",
                        help="library that the plugin needs in opt and clang")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def commands(arguments):
    """The command for each input."""
    for path in sorted(TEST.glob("*/*.ll")):
        text = path.read_text()
        if ("index-simplify" in text and "RUN: not " not in text
                and "RUN: split-file" not in text):
            yield path, [arguments.opt, "-load-pass-plugin", arguments.plugin,
                         "-passes=index-simplify<verify>",
                         "-pass-remarks-analysis=index-simplify",
                         "-disable-output", path]
    if not arguments.cuda_path:
        return
    for path in sorted((TEST.parent / "cuda_samples").glob("*.cu")):
        yield path, [arguments.clang, "-x", "cuda", "--cuda-device-only",
                     "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version",
                     f"--cuda-path={arguments.cuda_path}", "-O3", "-S",
                     f"-fpass-plugin={arguments.plugin}",
                     "-Xclang", "-load", "-Xclang", arguments.plugin,
                     "-mllvm", "-index-simplify-verify",
                     "-Rpass-analysis=index-simplify", "-o", os.devnull, path]


def main():
    arguments = parse_arguments()
    inputs = list(commands(arguments))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda i: run(i[1], arguments.preload), inputs))
    rewrites = points = unreached = status = 0
    for (path, _), result in zip(inputs, results):
        if result.returncode != 0:
            print(f"{path}: exit {result.returncode}\n{result.stderr}")
            status = 2
        for line in REFUSED.findall(result.stderr):
            print(f"{path}: {line}")
            status = max(status, 1)
        for some, at, without in COMPARED.findall(result.stderr):
            rewrites += int(some)
            points += int(at)
            unreached += int(without or 0)
    print(f"verify-rewrites: inputs {len(inputs)} rewrites {rewrites} "
          f"points {points} not-reached {unreached} status {status}")
    if rewrites == 0:
        print("nothing was rewritten: is this the right plugin?")
        status = 2
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"verify-rewrites: {failure}", file=sys.stderr)
        sys.exit(failure.status)
