#!/usr/bin/env python3
"""Is what a page says of a whole block what an enumeration finds?

    page_block.py ACCESS-REPORT CHROMIUM FOLDER

Kernels load element (y*H + ty)*P + x*W + tx*S + z*D + step*T, with block (x, y, z),
thread (tx, ty) and a loop, for random constants. Python knows the formula only.
"""
import html
import pathlib
import random
import re
import subprocess
import sys

import browser

KERNEL = """
define ptx_kernel void @k{n}(ptr %in, ptr %out) "nvvm.reqntid"="{bx},{by},1" {{
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %a = mul i32 %y, {H}
  %b = add i32 %a, %ty
  %c = mul i32 %b, {P}
  %d = mul i32 %x, {W}
  %e = mul i32 %tx, {S}
  %f = mul i32 %z, {D}
  %g = add i32 %c, %d
  %h = add i32 %g, %e
  %i = add i32 %h, %f
  br label %loop
loop:
  %s = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t = mul i32 %s, {T}
  %j = add i32 %i, %t
  %w = zext i32 %j to i64
  %p = getelementptr float, ptr %in, i64 %w
  %v = load volatile float, ptr %p
  %next = add nuw nsw i32 %s, 1
  %more = icmp ult i32 %next, {N}
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
"""
REGISTERS = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{r}()\n" for r in
                    ("tid.x", "tid.y", "ctaid.x", "ctaid.y", "ctaid.z"))


def elements(c, x, y, z):
    return {(y * c["H"] + ty) * c["P"] + x * c["W"] + tx * c["S"] + z * c["D"] + s * c["T"]
            for tx in range(c["bx"]) for ty in range(c["by"]) for s in range(c["N"])}


def sums(axes):
    found = {0}
    for stride, size in axes:
        found = {a + stride * i for a in found for i in range(size)}
    return found


def main():
    report, chromium, folder = sys.argv[1:]
    rng = random.Random(11)
    kernels, text = [], 'target triple = "nvptx64-nvidia-cuda"\n' + REGISTERS
    for n in range(12):
        bx, by = rng.choice(((32, 1), (20, 6), (16, 4), (8, 8)))
        c = {"n": n, "bx": bx, "by": by, "H": rng.randint(1, by), "P": rng.choice((64, 100, 256)),
             "W": rng.randint(1, bx), "S": rng.choice((1, 1, 2)), "D": rng.choice((0, 50, 4096)),
             "N": rng.choice((1, 3, 4)), "T": rng.choice((1, 32, 7))}
        kernels.append(c)
        text += KERNEL.format(**c)
    source, page = (pathlib.Path(folder) / name for name in ("block.ll", "block.html"))
    source.write_text(text)
    subprocess.run([report, source, "--html", page], check=True, stdout=subprocess.DEVNULL)
    boxes = 0
    for c in kernels:
        at = [rng.randint(0, 5) for _ in range(3)]
        dom = browser.dump_dom(chromium, f"{page.resolve().as_uri()}#kernel=k{c['n']}"
                               f"&block={at[0]},{at[1]},{at[2]}")
        shown = {key: html.unescape(value) for key, value in
                 re.findall(r'<dd data-block="([\w.]+)">(.*?)</dd>', dom)}
        own = elements(c, *at)
        want = {"elements": len(own)}
        for axis, letter in enumerate("xyz"):
            if letter == "z" and c["D"] == 0:
                continue # the compiler sees no block there
            then = [b + (i == axis) for i, b in enumerate(at)]
            want["shared." + letter] = len(own & elements(c, *then))
        for key, value in want.items():
            if shown.get(key) != str(value):
                sys.exit(f"{c} at {at}: {key} is {shown.get(key)} instead of {value}")
        if "box" in shown:
            axes = [tuple(map(int, part.split(" x "))) for part in shown["box"].split(", ")]
            first = int(shown["offset"].rpartition(" ")[2])
            if {first + b for b in sums(axes)} != {4 * e for e in own} or "<canvas" not in dom:
                sys.exit(f"{c} at {at}: {shown['box']} from {first} on are others")
            boxes += 1
    print(f"{len(kernels)} kernels, {boxes} boxes")


if __name__ == "__main__":
    main()
