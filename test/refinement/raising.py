#!/usr/bin/env python3
"""Proves that raised divisions are what they were raised from.

Writes divisions by constants as compilers expand them, has raise-divisions
(ptx/raise) make divisions of them, and asks Z3 whether each function still
computes the same for every dividend: in words of 8 bits for all divisors, in
words of 11 and 16 bits for many, in words of 32 and 64 bits for some.

    raising.py --raise-divisions PROGRAM --prove-refinement PROGRAM

Fails if a function is refuted, if an expansion was not raised, if one with a
multiplier that is off by one was raised to a wrong division, or if fewer are
proved than expected.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = """target triple = "nvptx64-nvidia-cuda"
declare i16 @llvm.nvvm.mulhi.s(i16, i16)
declare i16 @llvm.nvvm.mulhi.us(i16, i16)
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare i64 @llvm.nvvm.mulhi.ll(i64, i64)
declare i64 @llvm.nvvm.mulhi.ull(i64, i64)
"""
UNSIGNED_HIGH = {16: "us", 32: "ui", 64: "ull"}
SIGNED_HIGH = {16: "s", 32: "i", 64: "ll"}


def multiplier(divisor, width):
    """M and S with floor(x * M / 2^S) = floor(x / divisor) below 2^width, the
    least S: Granlund and Montgomery's bound."""
    for shift in range(width, width + divisor.bit_length() + 1):
        m = -(-(1 << shift) // divisor)
        if m * divisor - (1 << shift) <= 1 << (shift - width):
            return m, shift
    raise AssertionError(divisor)


def function(name, width, lines):
    body = "\n".join(f"  {line}" for line in lines)
    return (f"define ptx_kernel void @{name}(i{width} noundef %x, ptr noundef %out) {{\n{body}\n"
            f"  store i{width} %q, ptr %out\n  ret void\n}}\n")


def wide_product(width, divisor, wrong=0):
    """Of a wider type, as clang and ptxas write narrow divisions."""
    m, shift = multiplier(divisor, width)
    wide = 2 * width + 2
    return [f"%wide = zext i{width} %x to i{wide}", f"%p = mul nuw i{wide} %wide, {m + wrong}",
            f"%high = lshr i{wide} %p, {shift}", f"%q = trunc i{wide} %high to i{width}"]


def with_addition(width, divisor):
    """((x - t) / 2 + t) >> s, for multipliers of width + 1 bits."""
    m, shift = multiplier(divisor, width)
    if not (1 << width) < m < (2 << width) or shift <= width:
        return None
    wide = 2 * width
    lines = [f"%wide = zext i{width} %x to i{wide}",
             f"%p = mul nuw i{wide} %wide, {m - (1 << width)}",
             f"%high = lshr i{wide} %p, {width}", f"%t = trunc i{wide} %high to i{width}"]
    if width in UNSIGNED_HIGH:
        kind = UNSIGNED_HIGH[width]
        lines = [f"%t = call i{width} @llvm.nvvm.mulhi.{kind}(i{width} %x, i{width} "
                 f"{m - (1 << width)})"]
    return lines + [f"%less = sub i{width} %x, %t", f"%half = lshr i{width} %less, 1",
                    f"%sum = add i{width} %half, %t",
                    f"%q = lshr i{width} %sum, {shift - width - 1}"]


def bounded(width, divisor, bits):
    """A multiplier that is right for dividends of some bits only."""
    m, shift = multiplier(divisor, bits)
    if divisor >> bits or m >= 1 << width or shift >= 2 * width:
        return None
    wide = 2 * width
    return [f"%low = lshr i{width} %x, {width - bits}", f"%wide = zext i{width} %low to i{wide}",
            f"%p = mul nuw i{wide} %wide, {m}", f"%high = lshr i{wide} %p, {shift}",
            f"%q = trunc i{wide} %high to i{width}"]


def high_half(width, divisor, wrong=0):
    """mul.hi and a shift, for multipliers of width bits."""
    m, shift = multiplier(divisor, width)
    if m + wrong >= 1 << width:
        return None
    return [f"%high = call i{width} @llvm.nvvm.mulhi.{UNSIGNED_HIGH[width]}"
            f"(i{width} %x, i{width} {m + wrong})",
            f"%q = lshr i{width} %high, {shift - width}"]


def signed(width, divisor, sign_of_high, wrong=0):
    """The high half, or that plus x, shifted, plus one for negative x."""
    for shift in range(width, 2 * width):
        m = (1 << shift) // divisor + 1
        if m * divisor - (1 << shift) <= 1 << (shift - width + 1) and m < 1 << width:
            break
    else:
        return None
    m += wrong
    negative = m >= 1 << (width - 1)
    word = m - (1 << width) if negative else m
    lines = [f"%h = call i{width} @llvm.nvvm.mulhi.{SIGNED_HIGH[width]}(i{width} %x, i{width} "
             f"{word})"]
    lines.append(f"%high = add i{width} %h, " + ("%x" if negative else "0"))
    if not negative:
        lines.pop()
    high = "%high" if negative else "%h"
    sign = high if sign_of_high else "%x"
    return lines + [f"%sign = lshr i{width} {sign}, {width - 1}",
                    f"%shifted = ashr i{width} {high}, {shift - width}",
                    f"%q = add i{width} %shifted, %sign"]


def power_of_two(width, log, is_multiple):
    """x / 2^k, and the multiple of 2^k next to x towards zero."""
    lines = [f"%sign = ashr i{width} %x, {width - 1}",
             f"%bias = lshr i{width} %sign, {width - log}", f"%sum = add i{width} %x, %bias"]
    last = f"and i{width} %sum, {-(1 << log)}" if is_multiple else f"ashr i{width} %sum, {log}"
    return lines + [f"%q = {last}"]


def expansions():
    """(name, width, lines, whether it has to be raised)"""
    narrow = {8: range(3, 256), 11: list(range(3, 41)) + [100, 511, 1023, 2047]}
    few = [3, 5, 7, 10, 12, 25, 49, 100, 641, 1000, 4095, 10923, 32767]
    large = [6, 9, 11, 13, 60, 75, 360, 1920, 65537, 1000003, 2**31 - 1]
    some = {16: few + list(range(11, 32768, 1117)), 32: few + large, 64: few[:9] + large[-4:]}
    for width, divisors in narrow.items():
        for d in divisors:
            yield f"wide{width}_by{d}", width, wide_product(width, d), True
            yield f"add{width}_by{d}", width, with_addition(width, d), True
            yield f"bounded{width}_by{d}", width, bounded(width, d, width - 3), True
        for log in range(1, width - 1):
            for is_multiple in (False, True):
                yield (f"power{width}_by{1 << log}_{is_multiple:d}", width,
                       power_of_two(width, log, is_multiple), True)
    for width, divisors in some.items():
        for d in divisors:
            yield f"high{width}_by{d}", width, high_half(width, d), True
            yield f"add{width}_by{d}", width, with_addition(width, d), True
            for sign_of_high in (False, True):
                yield (f"signed{width}_by{d}_{sign_of_high:d}", width,
                       signed(width, d, sign_of_high), True)
        for log in (1, 2, 5, width - 2):
            yield f"power{width}_by{1 << log}", width, power_of_two(width, log, False), True
    # Whatever becomes of these, it must be the same number.
    for d in (3, 7, 10, 25, 100, 127):
        for wrong in (-1, 1):
            yield f"wrong8_by{d}_{wrong + 1}", 8, wide_product(8, d, wrong), False
            yield f"wrongs16_by{d}_{wrong + 1}", 16, signed(16, d, True, wrong), False
            yield f"wrongh16_by{d}_{wrong + 1}", 16, high_half(16, d, wrong), False


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"error: {command[0]}: {done.stderr or done.returncode}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raise-divisions", required=True)
    parser.add_argument("--prove-refinement", required=True)
    parser.add_argument("--effort", default="2000000", help="Z3's steps for one question")
    parser.add_argument("--least", type=int, default=0, help="proofs expected in words of 32 and 64 bits")
    parser.add_argument("--list", action="store_true", help="what is not proved")
    arguments = parser.parse_args()

    functions = [e for e in expansions() if e[2] is not None]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "expanded.ll", Path(folder) / "raised.ll"
        before.write_text(HEADER + "".join(function(n, w, lines) for n, w, lines, _ in functions))
        run([arguments.raise_divisions, before, after])
        bodies = dict(re.findall(r"define ptx_kernel void @(\w+)\([^)]*\) {\n(.*?)\n}",
                                 after.read_text(), re.S))
        verdicts = run([arguments.prove_refinement, "--list", f"--effort={arguments.effort}",
                        before, after])
    verdict_of = {}
    for line in verdicts.splitlines():
        if found := re.match(r"([a-z ]+): (?:@?)(\w+)", line):
            verdict_of[found[2]] = found[1]

    failed = False
    counts = collections.defaultdict(collections.Counter)
    for name, width, _, must_raise in functions:
        is_raised = re.search(r"= [us]div ", bodies[name]) is not None
        verdict = verdict_of.get(name, "missing")
        counts[width][verdict] += 1
        if must_raise and not is_raised:
            print(f"error: {name} was not raised")
            failed = True
        if verdict in ("refuted", "missing") or (width <= 16 and verdict not in
                                                 ("proved", "unchanged")):
            print(f"error: {name}: {verdict}")
            failed = True
        elif arguments.list and verdict != "proved":
            print(f"{name}: {verdict}")
    for width, verdicts in sorted(counts.items()):
        print(f"{width} bits: " + ", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())))
    wide = counts[32]["proved"] + counts[64]["proved"]
    if wide < arguments.least:
        print(f"error: {wide} proofs in words of 32 and 64 bits; at least {arguments.least} are "
              "expected: raise --effort")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
