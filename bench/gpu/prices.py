"""What PTX instructions cost in time, for bench/gpu: the price list counts SASS.

A kernel of each instruction of bench/instruction_prices.py repeats it in chains: four
in each thread with the GPU full of threads (how fast it issues), and one in a single
warp (how long it takes). Between two of them stand four others of 32 bits, sums and
exclusive ors by turns, which keep both kinds of integer units busy, as index code
does. What the instruction adds to their time is its cost; the unit is one of the four.
"""

import sys

import cases
from compilers import assemble

sys.path.append(str(cases.ROOT / "bench"))
from instruction_prices import INSTRUCTIONS, read_prices  # noqa: E402

ROUNDS, COPIES = 64, 16
# Blocks, threads and chains of a thread.
FULL, SINGLE = (132 * 4, 256, 4), (1, 32, 1)
# Those that would merge with the next one of their kind get another one behind them.
PAIRED = "Simple"
INSTEAD = {
    "MultiplyWide": ["mul.wide.s32 {w}, {a}, {b}; mov.b64 {{{n}, {d}}}, {w};"],
}
LEFT_OUT = ("Convert", "Address", "Absolute")  # They vanish in what is around them.
FILLER = ("add.u32 {e}, {e}, {f}; xor.b32 {e}, {e}, {g}; add.u32 {f}, {f}, {e}; "
          "xor.b32 {f}, {f}, {g};")


def sequences():
    """(class, bits, number, text, how many): what stands between two fillers."""
    yield "none", 32, 0, "", 1
    for (name, bits), texts in INSTRUCTIONS.items():
        if name in LEFT_OUT or (name, bits) == (PAIRED, 32):
            continue
        width = 32 if name in INSTEAD else bits
        for number, text in enumerate(INSTEAD.get(name, texts)):
            if name != PAIRED:
                yield name, width, number, text, 1
                continue
            other = "add.s64" if text.startswith("and") else "xor.b64"
            yield name, width, number, f"{text} {other} {{d}}, {{d}}, {{c}};", 2


def pack(options, scratch):
    """The statements of their cases; their cubins go to the folder."""
    statements = []
    for name, bits, number, text, _ in sequences():
        for size, (blocks, threads, chains) in (("full", FULL), ("single", SINGLE)):
            stem = f"price.{name}.{bits}.{number}.{size}"
            ptx = scratch / f"{stem}.ptx"
            ptx.write_text(kernel(text, bits, chains, options.arch))
            assemble(options, ptx, options.folder / f"{stem}.cubin")
            count = blocks * threads * 3 * chains
            statements += [f"case price/{name}.{bits}.{number} {bits // 8} {size}",
                           f"grid {blocks} 1 1", f"block {threads} 1 1",
                           f"in u{bits} {count}", f"out u{bits} {blocks * threads}",
                           f"version price {stem}.cubin k"]
    return statements


def kernel(text, bits, chains, arch):
    word = "%w" if bits == 64 else "%n"
    size = bits // 8
    lines = [".version 8.7", f".target {arch}", ".address_size 64",
             ".visible .entry k(.param .u64 in, .param .u64 out) {",
             ".reg .b64 %w<99>; .reg .b32 %n<99>; .reg .b32 %m<99>; .reg .pred %p<9>;",
             "ld.param.u64 %w0, [in];", "ld.param.u64 %w1, [out];",
             "mov.u32 %n0, %tid.x;", "mov.u32 %n1, %ctaid.x;", "mov.u32 %n2, %ntid.x;",
             "mad.lo.u32 %n0, %n1, %n2, %n0;",
             f"mul.wide.u32 %w2, %n0, {3 * chains * size};", "add.s64 %w0, %w0, %w2;",
             f"mul.wide.u32 %w2, %n0, {size};", "add.s64 %w1, %w1, %w2;"]
    chain_names = [names_of(chain, word) for chain in range(chains)]
    for chain, names in enumerate(chain_names):
        for place, name in enumerate("abc"):
            lines.append(f"ld.global.u{bits} {names[name]}, "
                         f"[%w0+{size * (3 * chain + place)}];")
        for name, part in zip("efg", "abc"):
            convert = "cvt.u32.u64" if bits == 64 else "mov.b32"
            lines.append(f"{convert} {names[name]}, {names[part]};")
    lines += ["mov.u32 %n3, 0;", "again:"]
    for copy in range(COPIES):
        for names in chain_names:
            # The result of one is the operand of the next. A divisor that stays
            # the same would be divided by in part only once.
            turned = {**names, "a": names["d"], "d": names["a"]} if copy % 2 else names
            if bits == 32:
                turned = {**turned, "b": names["f"]}
            lines.append((FILLER + text).format(**turned))
    lines += ["add.u32 %n3, %n3, 1;", f"setp.lt.u32 %p1, %n3, {ROUNDS};",
              "@%p1 bra again;"]
    first = chain_names[0]
    for names in chain_names:
        if names is not first:
            lines.append(f"xor.b{bits} {first['a']}, {first['a']}, {names['a']};")
        for part in (names["e"], names["f"]):
            if bits == 64:
                lines.append(f"cvt.u64.u32 {names['d']}, {part};")
                part = names["d"]
            lines.append(f"xor.b{bits} {first['a']}, {first['a']}, {part};")
    return "\n".join([*lines, f"st.global.u{bits} [%w1], {first['a']};", "ret; }", ""])


def names_of(chain, word):
    """The registers of a chain, by the letters of FILLER and INSTRUCTIONS."""
    names = {name: f"{word}{10 + 6 * chain + place}" for place, name in enumerate("abcd")}
    names |= {name: f"%m{10 + 6 * chain + place}" for place, name in enumerate("efgn")}
    return {**names, "w": f"%w{60 + chain}"}


def table(cases_of):
    """Markdown: issue and latency of each instruction in units, beside its price."""
    listed = read_prices()

    def time(name, bits, number, size):
        row = cases_of.get((f"price/{name}.{bits}.{number}", bits // 8, size))
        return row and row["price"]["warm"]["median_us"]

    filler = {size: time("none", 32, 0, size) for size in ("full", "single")}
    lines = ["| instruction | bits | price | issue | latency |", "|---|---|---|---|---|"]
    for name, bits, number, text, count in sequences():
        if not text or not time(name, bits, number, "full"):
            continue
        issue, latency = ((time(name, bits, number, size) - filler[size])
                          / (filler[size] / 4) / count for size in ("full", "single"))
        price = listed[name, 64 if name in INSTEAD else bits]
        lines.append(f"| {name}: `{text.split(' ')[0]}` | {bits} | {price} | "
                     f"{issue:.1f} | {latency:.1f} |")
    return "\n".join(lines)
