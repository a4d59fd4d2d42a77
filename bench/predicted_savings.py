#!/usr/bin/env python3
"""The savings that remarks predict, against those of the PTX.

Compiles each .cu with the remarks about missing facts, puts the lines that they
suggest at the top of the kernel, compiles it again, and compares the cost of the
PTX weighted by loop depth (loop_cost of ptx-compare; of an ordinary launch,
where a kernel has two bodies). Kernels whose lines are about values inside of
them are left out: these lines belong behind the values.

    bench/predicted_savings.py [--jobs 1] [FILE.cu ...]      default: cuda_samples/real

The last lines are the mean of |log(predicted ratio / measured ratio)|, where a ratio is the
cost with the facts by that without, and how many kernels gained nothing.
"""

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from comparison import ROOT, argument_parser, parse

CLANG = "clang++-22"


def main():
    parser = argument_parser(__doc__, "predicted_savings.json")
    parser.add_argument("--pass-options", default="", help="such as -index-simplify-versioning=off")
    options = parse(parser, "cuda_samples/real")
    plugin = options.plugin or ROOT / "build/plugin/Unravel.so"
    rows, left_out = [], 0
    for source in options.samples:
        with tempfile.TemporaryDirectory() as folder:
            compiler = Compiler(options, plugin, source, Path(folder))
            found = compiler.suggestions()
            before = compiler.costs(source.read_text()) if found else {}
            for kernel, (lines, saving, cost) in found.items():
                text = with_lines(source.read_text(), kernel, lines)
                after = compiler.costs(text) if text else {}
                if kernel not in after:
                    left_out += 1
                    continue
                rows.append((kernel, cost, saving, before[kernel], after[kernel]))
                report(*rows[-1])
    print(f"{len(rows)} kernels, {left_out} left out")
    if rows:
        errors = [abs(math.log((cost - saving) / cost * old / new))
                  for _, cost, saving, old, new in rows]
        print(f"mean error of the ratio {100 * sum(errors) / len(errors):.1f} %, "
              f"largest {100 * max(errors):.1f} %")
        print(f"{sum(new >= old for *_, old, new in rows)} gained nothing")


def report(kernel, cost, saving, old, new):
    print(f"{kernel:22} predicted {cost:6} -> {cost - saving:6} ({(cost - saving) / cost:.2f})"
          f"   PTX {old:6} -> {new:6} ({new / old:.2f})", flush=True)


def with_lines(text, kernel, lines):
    """The source with lines at the top of the kernel."""
    head = re.search(rf"\b{re.escape(kernel)}\s*\([^)]*\)\s*\{{", text)
    if not head:
        return None
    return f'#include "unravel.h"\n{text[:head.end()]} {lines}{text[head.end():]}'


def predictions(record):
    """(kernel, lines, saving, cost before) of each remark of a YAML record that
    predicts a saving. The set of all facts comes before its members."""
    for remark in record.split("--- !")[1:]:
        fields = dict(re.findall(r"^(?:  - )?(\w+): +(.*)$", remark, re.M))
        fields = {name: value.strip("'\"") for name, value in fields.items()}
        lines = fields.get("Lines", fields.get("Line", "")).split(" or in a facts file")[0]
        if "Saving" in fields:
            yield fields["Function"], lines, int(fields["Saving"]), int(fields["Cost"])


class Compiler:
    def __init__(self, options, plugin, source, folder):
        self.options, self.source, self.folder = options, source, folder
        self.command = [
            CLANG, "-x", "cuda", "-O3", f"--cuda-gpu-arch={options.arch}",
            f"--cuda-path={options.cuda_path}", "--cuda-device-only", "-S",
            "-Wno-unknown-cuda-version", "-fno-unroll-loops", f"-I{ROOT / 'include'}",
            f"-I{source.resolve().parent}", "-fno-discard-value-names",
            "-Xarch_device", f"-fpass-plugin={plugin}",
            *(word for option in options.pass_options.split()
              for word in ("-Xarch_device", f"-mllvm={option}"))]

    def compile(self, text, *more):
        path, ptx = self.folder / "k.cu", self.folder / "k.ptx"
        path.write_text(text.replace('#include "../', f'#include "{self.source.resolve().parent.parent}/'))
        done = subprocess.run([*self.command, path, "-o", ptx, *more], capture_output=True)
        return ptx if done.returncode == 0 else None

    def suggestions(self):
        """{kernel: (lines, saving, cost)}: what comes first is about all facts."""
        record = self.folder / "record.yaml"
        if not self.compile(self.source.read_text(), "-g", "-Xclang", "-debug-info-kind=limited",
                            "-Xclang", "-opt-record-file", "-Xclang", str(record)):
            sys.exit(f"{self.source} does not compile")
        found = {}
        for kernel, lines, saving, cost in predictions(record.read_text()):
            if "UNRAVEL_" in lines:
                found.setdefault(kernel, (lines.split(" or -X")[0], saving, cost))
        return found

    def costs(self, text):
        """{kernel: cost of its PTX}; none if the text does not compile."""
        ptx = self.compile(text, "-g", "-Xclang", "-debug-info-kind=limited")
        if not ptx:
            return {}
        done = subprocess.run([self.options.ptx_compare, "--before", ptx, "--after", ptx, "--json", "-"],
                              stdout=subprocess.PIPE, check=True)
        return {kernel["name"]: kernel["after"].get("ordinary_launch", kernel["after"])["loop_cost"]
                for kernel in json.loads(done.stdout)["files"][0]["kernels"]
                if kernel["kind"] == "kernel"}


if __name__ == "__main__":
    main()
