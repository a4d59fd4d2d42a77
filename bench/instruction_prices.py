#!/usr/bin/env python3
"""What PTX instructions cost: their length in SASS against the price list.

For three generations of GPUs (sm_80, sm_90, sm_100; --arch measures one), as one
price list serves all. Assembles kernels with 1, 8, and 16 copies of an instruction, each between loads and
a store of its own, and counts what a copy adds. The code of a 64-bit division by a
run-time value is there once for all copies, each of which executes it: of these, the
kernel with one copy is compared with the same kernel with a sum.

    bench/instruction_prices.py --machine 'Xeon 8481C, 2 cores' --date 2026-01-31

Needs ptxas (--cuda-path) and nvdisasm, which is in no toolkit from wheels:

    pip install --target .deps/nvdisasm nvidia-cuda-nvdisasm==13.5.37

Prints a table and writes it to bench/results/instruction_prices.json. With --check
it fails if a price of transforms/prices/PtxPrices.def is not within what was measured
for its class; a division may cost 20 % more, for instructions that issue slowly.
"""

import pathlib
import re
import sys
import tempfile

from comparison import (ROOT, add_nvdisasm, argument_parser, check_nvdisasm,
                        check_options, report_misses, run, write_record)
from sass import count

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
PRICES = ROOT / "transforms/prices/PtxPrices.def"
SLOW = 1.2  # of divisions
# By class and width; {a}, {b} and {d} are words of that width, {n} and {w} registers
# of 32 and 64 bits to use. What is converted comes from a word of 64 bits.
INSTRUCTIONS = {
    ("Simple", 32): ["add.s32 {d}, {a}, {b};", "and.b32 {d}, {a}, {b};",
                     "shl.b32 {d}, {a}, 5;"],
    ("Simple", 64): ["add.s64 {d}, {a}, {b};", "sub.s64 {d}, {a}, {b};",
                     "and.b64 {d}, {a}, {b};", "shl.b64 {d}, {a}, 5;",
                     "shr.u64 {d}, {a}, 5;"],
    ("MinMax", 32): ["min.s32 {d}, {a}, {b};", "max.u32 {d}, {a}, {b};"],
    ("MinMax", 64): ["min.s64 {d}, {a}, {b};", "max.u64 {d}, {a}, {b};"],
    ("Absolute", 32): ["abs.s32 {d}, {a};"],
    ("Absolute", 64): ["abs.s64 {d}, {a};"],
    ("Multiply", 32): ["mul.lo.s32 {d}, {a}, {b};", "mad.lo.s32 {d}, {a}, {b}, 7;"],
    ("Multiply", 64): ["mul.lo.s64 {d}, {a}, {b};", "mul.lo.s64 {d}, {a}, 700;"],
    ("MultiplyHigh", 32): ["mul.hi.u32 {d}, {a}, {b};", "mul.hi.u32 {d}, {a}, 12345;"],
    ("MultiplyHigh", 64): ["mul.hi.u64 {d}, {a}, {b};",
                           "mul.hi.u64 {d}, {a}, -6148914691236517205;"],
    ("SignedMultiplyHigh", 32): ["mul.hi.s32 {d}, {a}, {b};"],
    ("SignedMultiplyHigh", 64): ["mul.hi.s64 {d}, {a}, {b};",
                                 "mul.hi.s64 {d}, {a}, 6148914691236517206;"],
    ("MultiplyWide", 64): ["cvt.u32.u64 {n}, {a}; mul.wide.s32 {d}, {n}, 12;"],
    ("Convert", 64): ["cvt.u32.u64 {n}, {a}; cvt.u64.u32 {d}, {n};",
                      "cvt.u32.u64 {n}, {a}; cvt.s64.s32 {d}, {n};"],
    ("Division", 32): ["div.u32 {d}, {a}, {b};", "rem.u32 {d}, {a}, {b};"],
    ("Division", 64): ["div.u64 {d}, {a}, {b};", "rem.u64 {d}, {a}, {b};"],
    ("SignedDivision", 32): ["div.s32 {d}, {a}, {b};", "rem.s32 {d}, {a}, {b};"],
    ("SignedDivision", 64): ["div.s64 {d}, {a}, {b};", "rem.s64 {d}, {a}, {b};"],
    # With what scales the index, which is merged with it.
    ("Address", 64): ["cvt.u32.u64 {n}, {a}; mul.wide.s32 {w}, {n}, 4; "
                      "add.s64 {d}, {w}, {b};",
                      "shl.b64 {w}, {a}, 2; add.s64 {d}, {w}, {b};"],
}


def main():
    parser = argument_parser(__doc__, "instruction_prices.json")
    add_nvdisasm(parser)
    parser.set_defaults(arch=None)
    options = parser.parse_args()
    archs = [options.arch] if options.arch else ARCHITECTURES
    check_options(parser, options)
    check_nvdisasm(parser, options)
    prices = read_prices()
    rows = [{"class": name, "bits": bits, "price": prices[name, bits],
             "measured": {text: {arch: measure(text, bits, arch, options)
                                 for arch in archs} for text in texts}}
            for (name, bits), texts in INSTRUCTIONS.items()]
    print(f"{'class':20}{'bits':>5}{'price':>7}  SASS instructions on "
          f"{' / '.join(archs)}")
    for row in rows:
        lengths = ", ".join(shortened(by_arch) for by_arch in row["measured"].values())
        print(f"{row['class']:20}{row['bits']:5}{row['price']:7}  {lengths}")
    write_record(options, {"rows": rows})
    return report_misses(options, [
        f"{row['class']}, {row['bits']} bits, {arch}: {row['price']}"
        for row in rows for arch in archs if not is_right(row, arch)])


def read_prices():
    """{(class, bits): price}, as the pass reads them."""
    rows = re.findall(r"^PTX_PRICE\((\w+), (\d+), (\d+)\)", PRICES.read_text(), re.M)
    return {(name, bits): int(price) for name, *both in rows
            for bits, price in zip((32, 64), both)}


def shortened(by_arch):
    """{arch: length} in a table"""
    lengths = [f"{length:g}" for length in by_arch.values()]
    return lengths[0] if len(set(lengths)) == 1 else " / ".join(lengths)


def is_right(row, arch):
    lengths = [by_arch[arch] for by_arch in row["measured"].values()]
    slow = SLOW if "Division" in row["class"] else 1
    return min(lengths) <= row["price"] <= slow * max(lengths)


# --- Measuring ----------------------------------------------------------------


def measure(text, bits, arch, options):
    """The SASS instructions of an instruction on an architecture."""
    if bits == 64 and re.match("div|rem", text):
        return (length(text, bits, 1, arch, options)
                - length("add.s64 {d}, {a}, {b};", bits, 1, arch, options) + 2)
    words = 1 + ("{a}" in text) + ("{b}" in text)  # loaded and stored
    longer, shorter = (length(text, bits, copies, arch, options) for copies in (16, 8))
    return (longer - shorter) / 8 - words


def length(text, bits, copies, arch, options):
    """Of a kernel with copies of an instruction."""
    word = "%w" if bits == 64 else "%n"
    lines = [".version 8.7", f".target {arch}", ".address_size 64",
             ".visible .entry k(.param .u64 in, .param .u64 out) {",
             ".reg .b64 %w<99>; .reg .b32 %n<99>;", "ld.param.u64 %w0, [in];",
             "ld.param.u64 %w1, [out];", "mov.u32 %n0, %tid.x;",
             "mul.wide.u32 %w2, %n0, 64;", "add.s64 %w0, %w0, %w2;",
             "add.s64 %w1, %w1, %w2;"]
    for copy in range(copies):
        a, b, d, free = range(3 + 4 * copy, 7 + 4 * copy)
        for number, name in ((a, "{a}"), (b, "{b}")):
            if name in text:
                lines.append(f"ld.volatile.global.u{bits} {word}{number}, "
                             f"[%w0+{8 * (number - a)}];")
        lines.append(text.format(a=f"{word}{a}", b=f"{word}{b}", d=f"{word}{d}",
                                 n=f"%n{free}", w=f"%w{free}"))
        lines.append(f"st.volatile.global.u{bits} [%w1], {word}{d};")
    lines.append("ret; }")
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = (pathlib.Path(folder) / name for name in ("k.ptx", "k.cubin"))
        ptx.write_text("\n".join(lines))
        run([options.cuda_path / "bin/ptxas", f"-arch={arch}", ptx, "-o", cubin])
        return count(run([options.nvdisasm, "-c", cubin]))["all"]


if __name__ == "__main__":
    sys.exit(main())
