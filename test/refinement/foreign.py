#!/usr/bin/env python3
"""Does prove-refinement take right code for wrong?

Makes small functions as LLVM's own tests have them: every integer intrinsic at
several types, bit tricks with floating point, constant expressions, vectors. What
LLVM's instcombine makes of them is right, so none may be refuted, and most have to
be proved. The same for what index-simplify makes of them.
"""

import argparse
import collections
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

UNARY = ("ctpop", "bswap", "bitreverse")
WITH_FLAG = ("ctlz", "cttz", "abs")
BINARY = ("umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat",
          "ssub.sat", "ushl.sat", "sshl.sat")
SHIFTS = ("fshl", "fshr")
OVERFLOWS = tuple(f"{sign}{op}.with.overflow" for sign in "us"
                  for op in ("add", "sub", "mul"))
TYPES = ("i8", "i16", "i32", "i64", "<2 x i16>")
# What is done with a value %v of the type {t}; {c}, {d} are constants of it.
ENDS = ("", "%r = and {t} %v, {c}", "%r = sub {t} %v, %x",
        "%r = mul {t} %v, {d}", "%r = xor {t} %v, {m}", "%r = lshr {t} %v, {d}",
        "%r = udiv {t} %v, {c}",
        "%k = icmp ult {t} %v, {c}\n  %r = select {b} %k, {t} %x, {t} %v",
        "%k = icmp eq {t} %v, {d}\n  %r = zext {b} %k to {t}",
        "%k = icmp sgt {t} %v, {m}\n  %r = sext {b} %k to {t}")


class Module:
    def __init__(self):
        self.functions = []
        self.declarations = set()

    def add(self, result, parameters, body):
        name = f"f{len(self.functions)}"
        self.functions.append(f"define {result} @{name}({parameters}) {{\n{body}\n}}\n")

    def end(self, t, lines, end):
        text = end.format(t=t, b="<2 x i1>" if "x" in t else "i1", c=constant(t, 12),
                          d=constant(t, 3), m=constant(t, -1))
        result = "%r" if end else "%v"
        body = "\n".join(f"  {line}" for line in [*lines, *filter(None, [text])])
        self.add(t, f"{t} noundef %x, {t} noundef %y", f"{body}\n  ret {t} {result}")

    def intrinsic(self, name, t, *operands, result=None):
        suffix = "v2i16" if "x" in t else t
        types = ", ".join("i1" if operand in ("true", "false") else t
                          for operand in operands)
        self.declarations.add(f"declare {result or t} @llvm.{name}.{suffix}({types})")
        values = ", ".join(f"{'i1' if operand in ('true', 'false') else t} {operand}"
                           for operand in operands)
        return f"call {result or t} @llvm.{name}.{suffix}({values})"

    def text(self):
        return "\n".join(['target triple = "nvptx64-nvidia-cuda"',
                          "@g = internal addrspace(1) global [16 x i32] "
                          "zeroinitializer, align 16",
                          *sorted(self.declarations), *self.functions])


def constant(t, n):
    return f"<i16 {n}, i16 {n + 1}>" if "x" in t else str(n)


def add_integers(module):
    for t, end in itertools.product(TYPES, ENDS):
        if t not in ("i8", "i32") and ENDS.index(end) % 4:
            continue  # Every type with some ends is enough.
        c, d = constant(t, 12), constant(t, 3)
        starts = []
        for name in UNARY:
            if name == "bswap" and t == "i8":
                continue
            starts.append([f"%v = {module.intrinsic(name, t, '%x')}"])
            starts.append([f"%u = {module.intrinsic(name, t, '%x')}",
                           f"%v = {module.intrinsic(name, t, '%u')}"])
        for name, flag in itertools.product(WITH_FLAG, ("true", "false")):
            starts.append([f"%v = {module.intrinsic(name, t, '%x', flag)}"])
            starts.append([f"%u = shl {t} %x, {d}",
                           f"%v = {module.intrinsic(name, t, '%u', flag)}"])
        for name in BINARY:
            starts.append([f"%v = {module.intrinsic(name, t, '%x', '%y')}"])
            starts.append([f"%u = {module.intrinsic(name, t, '%x', c)}",
                           f"%v = {module.intrinsic(name, t, '%u', d)}"])
        for name in SHIFTS:
            starts.append([f"%v = {module.intrinsic(name, t, '%x', '%x', d)}"])
            starts.append([f"%v = {module.intrinsic(name, t, '%x', '%y', c)}"])
        for name, part in itertools.product(OVERFLOWS, (0, 1)):
            bit = "<2 x i1>" if "x" in t else "i1"
            pair = f"{{ {t}, {bit} }}"
            lines = [f"%p = {module.intrinsic(name, t, '%x', d, result=pair)}",
                     f"%w = extractvalue {pair} %p, {part}"]
            lines.append(f"%v = zext {bit} %w to {t}" if part
                         else f"%v = or {t} %w, {constant(t, 0)}")
            starts.append(lines)
        for lines in starts:
            module.end(t, lines, end)


def add_comparisons(module):
    for t, name in itertools.product(("i8", "i32"), ("ucmp", "scmp")):
        call = f"call i8 @llvm.{name}.i8.{t}({t} %x, {t} %y)"
        module.declarations.add(f"declare i8 @llvm.{name}.i8.{t}({t}, {t})")
        for use in ("icmp slt i8 %v, 0", "icmp eq i8 %v, 0", "icmp sgt i8 %v, -1",
                    "icmp eq i8 %v, 1"):
            module.add("i1", f"{t} noundef %x, {t} noundef %y",
                       f"  %v = {call}\n  %r = {use}\n  ret i1 %r")


def add_floats(module):
    module.declarations |= {"declare float @llvm.fabs.f32(float)",
                            "declare float @llvm.copysign.f32(float, float)",
                            "declare float @llvm.minnum.f32(float, float)"}
    values = ("fneg float %f", "call float @llvm.fabs.f32(float %f)",
              "call float @llvm.copysign.f32(float %f, float %g)",
              "call float @llvm.copysign.f32(float %f, float -1.0)",
              "uitofp i32 %x to float", "sitofp i32 %x to float",
              "uitofp i8 %n to float", "fadd float %f, 0.0", "fmul float %f, 1.0",
              "fsub float -0.0, %f", "call float @llvm.minnum.f32(float %f, float %f)")
    uses = ("icmp slt i32 %b, 0", "icmp sgt i32 %b, -1", "icmp eq i32 %b, 2147483648",
            "icmp ult i32 %b, 2139095041", "trunc i32 %b to i1",
            "icmp ne i32 %m, 0", "icmp eq i32 %s, 1", "fcmp uno float %v, 0.0",
            "fcmp olt float %v, 0.0", "icmp sgt i32 %i, 255")
    for value, use in itertools.product(values, uses):
        module.add("i1", "float noundef %f, float noundef %g, i32 noundef %x, "
                   "i8 noundef %n",
                   f"  %v = {value}\n  %b = bitcast float %v to i32\n"
                   "  %m = and i32 %b, 2147483647\n  %s = lshr i32 %b, 31\n"
                   f"  %i = fptosi float %v to i32\n  %r = {use}\n  ret i1 %r")
    for mask, op in itertools.product((2147483647, -2147483648), ("and", "or", "xor")):
        module.add("float", "float noundef %f",
                   f"  %b = bitcast float %f to i32\n  %m = {op} i32 %b, {mask}\n"
                   "  %r = bitcast i32 %m to float\n  ret float %r")


def add_constants(module):
    g = "ptrtoint (ptr addrspace(1) @g to i64)"
    for c in (f"{g}", "ptrtoint (ptr inttoptr (i64 20 to ptr) to i64)",
              "ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g, "
              "i64 4) to i64)", f"sub (i64 {g}, i64 8)", f"xor (i64 {g}, i64 -1)"):
        for use in (f"and i64 {c}, %x", f"and i64 {c}, 7", f"icmp eq i64 {c}, 0",
                    f"icmp ult i64 {c}, %x", f"add i64 {c}, 3", f"shl i64 {c}, 60"):
            t = "i1" if "icmp" in use else "i64"
            module.add(t, "i64 noundef %x", f"  %r = {use}\n  ret {t} %r")


def add_vectors(module):
    v = "<4 x i32>"
    starts = ("shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 0, i32 5, "
              "i32 2, i32 7>",
              "shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> zeroinitializer", "insertelement <4 x i32> %x, i32 7, i32 2",
              "mul <4 x i32> %x, <i32 2, i32 4, i32 8, i32 3>",
              "udiv <4 x i32> %x, <i32 2, i32 3, i32 8, i32 1>",
              "add nuw <4 x i32> %x, <i32 1, i32 poison, i32 3, i32 4>")
    for start in starts:
        for use in ("extractelement <4 x i32> %v, i32 1",
                    "extractelement <4 x i32> %w, i32 3",
                    "extractelement <4 x i32> %z, i32 0"):
            module.add("i32", f"{v} noundef %x, {v} noundef %y",
                       f"  %v = {start}\n  %w = shufflevector <4 x i32> %v, <4 x i32> "
                       "%v, <4 x i32> <i32 3, i32 2, i32 1, i32 4>\n  %z = lshr "
                       f"<4 x i32> %v, <i32 1, i32 1, i32 1, i32 1>\n  %r = {use}\n"
                       "  ret i32 %r")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    for name in ("prove-refinement", "plugin", "opt"):
        add(f"--{name}", required=True)
    add("--effort", type=int, default=40000)
    add("--least", type=float, default=0.9, help="share of changed functions (0.9)")
    options = parser.parse_args()
    module = Module()
    for add_functions in (add_integers, add_comparisons, add_floats, add_constants,
                          add_vectors):
        add_functions(module)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        before, after = (Path(folder) / name for name in ("before.ll", "after.ll"))
        before.write_text(module.text())
        for passes in ("instcombine<no-verify-fixpoint>", "index-simplify"):
            subprocess.run([options.opt, f"-load-pass-plugin={options.plugin}",
                            f"-passes={passes}", "-S", before, "-o", after], check=True)
            run = subprocess.run([options.prove_refinement, "--list",
                                  f"--effort={options.effort}", before, after],
                                 capture_output=True, text=True)
            counts = collections.Counter(
                line.split(": ")[0] for line in run.stdout.splitlines()
                if line[:1] not in ("", " "))
            print(f"{passes}: {dict(counts)}")
            changed = counts.total() - counts["unchanged"]
            if run.returncode != 0:
                failures.append(f"{passes}: exit status {run.returncode}\n{run.stdout}"
                                if counts["refuted"] else
                                f"{passes}: exit status {run.returncode} {run.stderr}")
            if counts.total() != len(module.functions):
                failures.append(f"{passes}: {counts.total()} verdicts")
            if counts["proved"] < options.least * changed:
                failures.append(f"{passes}: {counts['proved']} of {changed} are proved")
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
