#!/usr/bin/env python3
"""Does the page compute LLVM's operations as the language reference says?

    page_operations.py ACCESS-REPORT CHROMIUM

A kernel loads at p + x for x of each operation over arguments, in words of
several widths. The address that the page computes is compared with what
Python's integers give, for corner cases and random numbers.
"""
import random
import subprocess
import sys
import tempfile

import browser

WIDTHS = (8, 16, 32, 64)
HEADER = """target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""


def signed(x, w):
    return x - (1 << w) if x >> (w - 1) else x


def quotient(a, b):
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def divided(a, b, w, of):
    a, b = signed(a, w), signed(b, w)
    if b == 0 or (a == -(1 << (w - 1)) and b == -1):
        return None
    return of(a, b)


BINARY = {
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "shl": lambda a, b, w: a << b if b < w else None,
    "lshr": lambda a, b, w: a >> b if b < w else None,
    "ashr": lambda a, b, w: signed(a, w) >> b if b < w else None,
    "udiv": lambda a, b, w: a // b if b else None,
    "urem": lambda a, b, w: a % b if b else None,
    "sdiv": lambda a, b, w: divided(a, b, w, quotient),
    "srem": lambda a, b, w: divided(a, b, w, lambda x, y: x - y * quotient(x, y)),
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
}
CALLS = {
    "umin": lambda a, b, w: min(a, b),
    "umax": lambda a, b, w: max(a, b),
    "smin": lambda a, b, w: min(signed(a, w), signed(b, w)),
    "smax": lambda a, b, w: max(signed(a, w), signed(b, w)),
}
COMPARES = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "ult": lambda a, b, w: a < b,
    "ule": lambda a, b, w: a <= b,
    "ugt": lambda a, b, w: a > b,
    "uge": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "sle": lambda a, b, w: signed(a, w) <= signed(b, w),
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w),
    "sge": lambda a, b, w: signed(a, w) >= signed(b, w),
}


def rotated(a, b, c, w, left):
    both, by = a << w | b, c % w
    return both >> (w - by) if left else both >> by


def cases():
    """Pairs of the code that computes %x of width w, and its meaning."""
    for w in WIDTHS:
        for name, of in BINARY.items():
            yield w, f"%x = {name} i{w} %a{w}, %b{w}", of
        for name, of in CALLS.items():
            yield w, f"%x = call i{w} @llvm.{name}.i{w}(i{w} %a{w}, i{w} %b{w})", of
        for name, of in COMPARES.items():
            yield w, (f"%y = icmp {name} i{w} %a{w}, %b{w}\n"
                      f"  %x = select i1 %y, i{w} %a{w}, i{w} 3"), (
                lambda a, b, w, of=of: a if of(a, b, w) else 3)
        yield w, f"%x = call i{w} @llvm.abs.i{w}(i{w} %a{w}, i1 false)", (
            lambda a, b, w: abs(signed(a, w)))
        for name, left in (("fshl", True), ("fshr", False)):
            yield w, (f"%x = call i{w} @llvm.{name}.i{w}"
                      f"(i{w} %a{w}, i{w} 77, i{w} %b{w})"), (
                lambda a, b, w, left=left: rotated(a, 77, b, w, left))
        for wide in WIDTHS:
            if wide > w:
                yield w, (f"%y = sext i{w} %a{w} to i{wide}\n"
                          f"  %z = lshr i{wide} %y, 3\n  %x = trunc i{wide} %z to i{w}"), (
                    lambda a, b, w, wide=wide: signed(a, w) % (1 << wide) >> 3)
                yield w, (f"%y = zext i{w} %a{w} to i{wide}\n"
                          f"  %z = mul i{wide} %y, %y\n  %u = lshr i{wide} %z, 5\n"
                          f"  %x = trunc i{wide} %u to i{w}"), (
                    lambda a, b, w, wide=wide: a * a % (1 << wide) >> 5)


def kernel(number, width, code):
    arguments = ", ".join(f"i{width} %{name}{width}" for name in "ab")
    extended = ("%e = add i64 %x, 0" if width == 64
                else f"%e = zext i{width} %x to i64")
    return f"""define ptx_kernel void @f{number}(ptr addrspace(1) %p, {arguments}) {{
  {code}
  {extended}
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %e
  %v = load volatile i8, ptr addrspace(1) %q
  ret void
}}
"""


SCRIPT = """
return data.kernels.map((kernel, k) => data.values[k].map((pair) => {
  const state = model.firstState(kernel);
  kernel.inputs.forEach((input, i) => {
    if (!input.base) state.inputs[i] = BigInt(pair["ab".indexOf(input.key[0])]);
  });
  const { addresses } = model.request(kernel, kernel.accesses[0], state);
  // The one object is at 2^40.
  return addresses[5] === null ? null : BigInt.asUintN(64, addresses[5] - (1n << 40n));
}));
"""


def main():
    report, chromium = sys.argv[1:]
    rng = random.Random(1)
    all_cases = list(cases())
    values = []
    for width, _, _ in all_cases:
        corners = [0, 1, 2, width - 1, width, (1 << width - 1) - 1, 1 << width - 1,
                   (1 << width) - 1]
        values.append([(a, b) for a in corners for b in corners] +
                      [(rng.getrandbits(width), rng.getrandbits(rng.randint(1, width)))
                       for _ in range(40)])
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file, \
            tempfile.NamedTemporaryFile(suffix=".html") as page:
        file.write(HEADER)
        for name, count in [(f"{n}.i{w}", 2) for n in CALLS for w in WIDTHS] + \
                [(f"{n}.i{w}", 3) for n in ("fshl", "fshr") for w in WIDTHS]:
            word = name.split(".")[1]
            file.write(f"declare {word} @llvm.{name}({', '.join([word] * count)})\n")
        for w in WIDTHS:
            file.write(f"declare i{w} @llvm.abs.i{w}(i{w}, i1)\n")
        for number, (width, code, _) in enumerate(all_cases):
            file.write(kernel(number, width, code))
        file.flush()
        subprocess.run([report, file.name, "--html", page.name],
                       stdout=subprocess.DEVNULL, check=True)
        programs, model = browser.parts_of(page.name)
    answers = browser.ask(chromium, model,
                          {"kernels": programs["kernels"],
                           "values": [[[str(x) for x in pair] for pair in pairs]
                                      for pairs in values]}, SCRIPT)
    compared, wrong = 0, 0
    for (width, code, meaning), pairs, found in zip(all_cases, values, answers,
                                                    strict=True):
        for (a, b), offset in zip(pairs, found, strict=True):
            expected = meaning(a, b, width)
            if expected is not None:
                expected = str(expected % (1 << width))
            compared += 1
            if offset != expected:
                wrong += 1
                print(f"{code!r} of {a}, {b}: {offset}, not {expected}")
    print(f"{compared} values of {len(all_cases)} operations, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
