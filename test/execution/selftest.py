#!/usr/bin/env python3
"""Does kernel-run notice what it must notice?

Runs it on the kernels of Inputs/: pairs that do the same in different ways,
pairs that are subtly broken, and input that it has to refuse.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

INPUTS = Path(__file__).resolve().parent / "Inputs"
SAME, DIFFERENT, REFUSED = 0, 1, 2


def launch(kernel, grid, block, arguments, *more):
    return ["--kernel", kernel, "--grid", grid, "--block", block,
            "--args", arguments, *more]


def one_buffer(kernel):
    return launch(kernel, "1", "32", "inout:i32:32")


TRANSPOSE = "in:f32:144,out:f32:156,i32:144"

# (what it shows, arguments, exit status, what the output contains)
PAIRS = [
    # 1. Equal, by different means.
    ("a wrong multiplier is right below 131",
     launch("transpose", "1", "128", TRANSPOSE), SAME,
     "transpose: 128 threads, 1200 bytes identical in 2 versions (5"),
    ("a twin in the same modules",
     launch("transpose", "1", "128", TRANSPOSE,
            "--also-kernel", "transpose_ideal"), SAME,
     "identical in 4 versions"),
    ("lanes of warps", launch("lanes", "1", "256", "out:i32:256"), SAME,
     "identical in 2 versions (1024 "),
    ("every thread of a 6-dimensional launch runs once, in order",
     launch("ids", "3,4,2", "5,3,2",
            "inout:i32:1:min=0:max=0,out:i32:720"), SAME, "720 threads"),
    ("two grids", launch("lanes", "1", "64", "out:i32:64", "--grid", "5"),
     SAME, "lanes: 320 threads"),
    ("address spaces, tables, callees",
     launch("spaces", "2", "8", "out:i64:16"), SAME, "(128 changed)"),
    ("integer intrinsics and assembly",
     launch("integers", "8", "128", "in:u32:1024,out:i32:1024"), SAME,
     "identical"),
    ("floating point is rounded operation by operation",
     launch("reals", "8", "128", "in:f32:1024,in:f16:1024,out:f32:1024"), SAME,
     "identical"),
    ("one NaN is as good as another",
     launch("nans", "1", "1", "out:f32:1"), SAME, "identical"),
    ("the block that a kernel is compiled for",
     launch("fixed", "1", "8,4", "out:i32:8"), SAME, "identical"),

    # 2. Broken: noticed, and at the right place.
    ("a wrong multiplier is wrong from 131 on",
     launch("transpose", "2", "128", TRANSPOSE), DIFFERENT,
     "transpose: argument 1 (out) (f32) differs at element 142, byte 568: "),
    ("only one of two grids shows it",
     launch("transpose", "1", "128", TRANSPOSE, "--grid", "2"), DIFFERENT,
     "argument 1 (out) (f32) differs at element 142, "),
    ("a twin that leaves out the last element",
     launch("transpose", "1", "128", "in:f32:144,out:f32:144,i32:101",
            "--also-kernel", "transpose_wrong"), DIFFERENT,
     "argument 1 (out) (f32) differs at element 56, "),
    ("one element past the end",
     launch("spill", "1", "8", "out:i32:8"), DIFFERENT,
     "spill: {after}: thread (7, 0, 0) of block (0, 0, 0) writes 4 bytes at "
     "byte 32 of argument 0 (out), which has 32 bytes"),
    ("far outside, in one thread",
     launch("wild", "2", "64", "out:i32:128,i32:4"), DIFFERENT,
     "wild: {after}: thread (5, 0, 0) of block (1, 0, 0) writes 4 bytes at "
     "address 0xc0"),
    ("a trap, in one thread", launch("trapped", "4", "2", "out:i32:8"),
     DIFFERENT, "trapped: {after}: thread (1, 0, 0) of block (3, 0, 0) reached "
     "a trap"),

    # 3. Launches that do not fit the kernel.
    ("no such kernel", one_buffer("absent"), REFUSED,
     "{before} defines no kernel absent"),
    ("a declaration", one_buffer("__nv_j0f"), REFUSED,
     "{before} defines no kernel __nv_j0f"),
    ("too few arguments", one_buffer("transpose"), REFUSED,
     "the kernel has 3 parameters, the launch gives 1"),
    ("a wrong scalar",
     launch("transpose", "1", "8", "in:f32:144,out:f32:144,i64:144"), REFUSED,
     "parameter 2 is an integer of 32 bits, the launch gives i64"),
    ("a number for a pointer",
     launch("transpose", "1", "8", "in:f32:144,i32:1,i32:144"), REFUSED,
     "parameter 1 is a pointer, the launch gives a number"),
    ("the reference leaves its buffer",
     launch("transpose", "1", "128", "in:f32:144,out:f32:100,i32:144"),
     DIFFERENT, "{before}: thread (9, 0, 0) of block (0, 0, 0) writes 4 "
     "bytes at byte 432 of argument 1"),
    ("too many threads", launch("bounded", "1", "256", "out:i32:8"), REFUSED,
     "at most 128 threads a block"),
    ("too little alignment",
     launch("bounded", "1", "128", "out:i32:8:align=8"), REFUSED,
     "parameter 0 is aligned to 16 bytes, the launch's buffer to 8"),
    ("another block", launch("fixed", "1", "4,8", "out:i32:8"), REFUSED,
     "compiled for blocks of 8,4 threads: --block has to give these"),
    ("a block that no GPU has", launch("spill", "1", "64,64", "out:i32:8"),
     REFUSED, "a block has at most 1024 threads"),
    ("an empty grid", launch("spill", "0", "8", "out:i32:8"), REFUSED,
     "--grid: '0'"),
    ("a grid that is no grid", launch("spill", "1,1,1,1", "8", "out:i32:8"),
     REFUSED, "--grid: '1,1,1,1'"),
    ("an unknown type", launch("spill", "1", "8", "out:q8:8"), REFUSED,
     "--args: argument 'out:q8:8': expected"),
    ("a huge buffer",
     launch("spill", "1", "8", "out:i32:18446744073709551615"), REFUSED,
     "at most 4 GiB"),
    ("an odd alignment", launch("spill", "1", "8", "out:i32:8:align=24"),
     REFUSED, "power of two"),
    ("a scalar that does not fit",
     launch("wild", "1", "8", "out:i32:8,i8:300"), REFUSED, "does not fit"),
    ("half a launch", ["--kernel", "spill", "--grid", "1"], REFUSED,
     "give --launches, or all of"),
    ("no kernel at all", ["--grid", "1"], REFUSED, "--kernel"),

    # 4. What a CPU does not run, named.
    ("libdevice", one_buffer("libdevice"), REFUSED,
     "libdevice uses __nv_j0f, which kernel-run does not run: link "
     "libdevice"),
    ("assembly", one_buffer("assembly"), REFUSED,
     "assembly uses the inline assembly 'mov.u32 $0, %clock;', which"),
]

# (what it shows, the text of a file, what the message contains)
BAD_MODULES = [
    ("no IR", "int main() {}", "expected top-level entity"),
    ("IR with a type error", (INPUTS / "malformed.ll").read_text(),
     "expected value token"),
    ("IR for this CPU", "define void @k() {\n  ret void\n}\n",
     "the module is not for nvptx"),
    ("an invalid module",
     'target triple = "nvptx64-nvidia-cuda"\n'
     "define void @k(ptr %p) {\n  store i32 %x, ptr %p\n"
     "  %x = load i32, ptr %p\n  ret void\n}\n",
     "the module does not verify"),
    ("an empty file", "", "the module is not for nvptx"),
]

SPILL = ('"kernel": "spill", "grid": [1, 1, 1], "block": [8, 1, 1], '
         '"args": [%s]')
BUFFER = '{"buffer": "out", "type": "i32", "count": 8}'
BAD_LAUNCHES = [
    ("no JSON", "[{", "Expected"),
    ("no array", "{}", "expected array"),
    ("no launch of the kernel", "[]", "has no launch of spill"),
    ("no arguments",
     '[{"kernel": "spill", "grid": [1,1,1], "block": [8,1,1]}]',
     "missing value at"),
    ("no grid", '[{"kernel": "spill", "block": [8], "args": []}]',
     "missing value at"),
    ("a grid of zero",
     '[{"kernel": "spill", "grid": [0], "block": [8], "args": []}]',
     "expected a positive 32-bit integer"),
    ("a block that no GPU has",
     '[{"kernel": "spill", "grid": [1], "block": [2048], "args": []}]',
     "no GPU accepts this grid and block"),
    ("an unknown direction", "[{" + SPILL % BUFFER.replace("out", "up") + "}]",
     "expected in, out or inout"),
    ("an unknown type", "[{" + SPILL % BUFFER.replace("i32", "x") + "}]",
     "expected a type"),
    ("a negative count", "[{" + SPILL % BUFFER.replace("8", "-8") + "}]",
     "at least one element"),
    ("a scalar without value", "[{" + SPILL % '{"scalar": "i32"}' + "}]",
     "expected an integer"),
    ("an argument of no kind", "[{" + SPILL % "{}" + "}]",
     "expected an argument with"),
]

GOOD_LAUNCHES = [
    ("a launch from a file, with ideal and scalar",
     '[{"kernel": "other", "grid": [1], "block": [1], "args": []},'
     ' {"kernel": "transpose", "ideal": "transpose_ideal", "grid": [1, 1, 1],'
     ' "block": [128, 1, 1], "file": "x.cu", "title": "not ours",'
     ' "args": [{"buffer": "in", "type": "f32", "count": 144, "align": 4},'
     ' {"buffer": "out", "type": "f32", "count": 144},'
     ' {"scalar": "i32", "value": 100}]}]',
     ["--also-kernel", "transpose_ideal"], SAME, "identical in 4 versions"),
    ("an ideal that does something else",
     '[{"kernel": "transpose", "ideal": "transpose_wrong", "grid": [1, 1, 1],'
     ' "block": [128, 1, 1],'
     ' "args": [{"buffer": "in", "type": "f32", "count": 144},'
     ' {"buffer": "out", "type": "f32", "count": 144},'
     ' {"scalar": "i32", "value": 101}]}]',
     ["--also-kernel", "transpose_wrong"], DIFFERENT,
     "differs at element 56"),
]


class Checker:
    def __init__(self, program):
        self.program = program
        self.checks = 0
        self.failures = 0

    def check(self, title, arguments, status, text, before, after):
        """Runs the program once; reports what is not as expected."""
        self.checks += 1
        done = subprocess.run(
            [self.program, *map(str, arguments), str(before), str(after)],
            capture_output=True, text=True, timeout=120)
        output = done.stdout + done.stderr
        text = text.replace("{before}", str(before))
        text = text.replace("{after}", str(after))
        lines = output.splitlines()
        wrong = []
        if done.returncode != status:
            wrong.append(f"exit status {done.returncode}, expected {status}")
        if text not in output:
            wrong.append(f"no '{text}'")
        if status == REFUSED and not output.startswith("kernel-run: "):
            wrong.append("the message does not begin with 'kernel-run: '")
        if status == REFUSED and len(lines) > 2:
            wrong.append("more than a line or two")
        if status != REFUSED and done.stderr:
            wrong.append("something on standard error")
        if wrong:
            self.failures += 1
            print(f"FAILED: {title}: {'; '.join(wrong)}")
            for line in lines:
                print(f"    {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kernel-run", required=True)
    checker = Checker(parser.parse_args().kernel_run)
    before, after = INPUTS / "before.ll", INPUTS / "after.ll"
    spill = launch("spill", "1", "8", "out:i32:8")

    for title, arguments, status, text in PAIRS:
        checker.check(title, arguments, status, text, before, after)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "input"
        for title, content, text in BAD_MODULES:
            file.write_text(content)
            checker.check(title, spill, REFUSED, text, file, after)
            checker.check(title, spill, REFUSED, text, before, file)
        checker.check("a file that is not there", spill, REFUSED, "No such",
                      Path(folder) / "absent", after)
        checker.check("a folder for a file", spill, REFUSED, folder, folder,
                      after)
        from_file = ["--launches", file, "--kernel"]
        for title, content, text in BAD_LAUNCHES:
            file.write_text(content)
            checker.check(title, [*from_file, "spill"], REFUSED, text, before,
                          after)
        for title, content, more, status, text in GOOD_LAUNCHES:
            file.write_text(content)
            checker.check(title, [*from_file, "transpose", *more],
                          status, text, before, after)
        checker.check("launches that are not there",
                      ["--launches", Path(folder) / "absent",
                       "--kernel", "spill"],
                      REFUSED, "cannot read", before, after)
    print(f"{checker.checks} checks, {checker.failures} failed")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
