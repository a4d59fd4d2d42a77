"""What PTX instructions cost in time, for bench/gpu: the price list counts SASS.

A kernel of each instruction of bench/instruction_prices.py repeats it in chains: four
in each thread with the GPU full of threads (how fast it issues), and one in a single
warp (how long it takes). Behind each instruction is one that ptxas cannot merge with
it: a xor, or a sum behind a logical one; its time goes off again. The unit is an
instruction of the sequence `add, xor` of 32 bits.
"""

import sys

import cases
from compilers import assemble

sys.path.append(str(cases.ROOT / "bench"))
from instruction_prices import INSTRUCTIONS, read_prices  # noqa: E402

ROUNDS, COPIES = 64, 16
# Blocks, threads and chains of a thread.
FULL, SINGLE = (132 * 4, 256, 4), (1, 32, 1)
# Instructions of two kinds whose words are not those of a chain.
INSTEAD = {
    "MultiplyWide": ["mul.wide.s32 {w}, {a}, {b}; mov.b64 {{{n}, {d}}}, {w}; "
                     "xor.b32 {d}, {d}, {n};"],
}
LEFT_OUT = ("Convert", "Address")  # They vanish in what is around them.


def sequences():
    """(class, bits, number, text) of what is measured; {c} is one more word."""
    yield "unit", 32, 0, "add.s32 {d}, {a}, {b}; xor.b32 {d}, {d}, {c};"
    for (name, bits), texts in INSTRUCTIONS.items():
        if name in LEFT_OUT:
            continue
        width = 32 if name in INSTEAD else bits
        for number, text in enumerate(INSTEAD.get(name, texts)):
            behind = f" xor.b{width} {{d}}, {{d}}, {{c}};"
            if text.startswith(("and", "xor")):
                behind = f" add.s{width} {{d}}, {{d}}, {{c}};"
            yield name, width, number, text + behind


def pack(options, scratch):
    """The statements of their cases; their cubins go to the folder."""
    statements = []
    for name, bits, number, text in sequences():
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
             ".reg .b64 %w<999>; .reg .b32 %n<999>; .reg .pred %p<9>;",
             "ld.param.u64 %w0, [in];", "ld.param.u64 %w1, [out];",
             "mov.u32 %n0, %tid.x;", "mov.u32 %n1, %ctaid.x;", "mov.u32 %n2, %ntid.x;",
             "mad.lo.u32 %n0, %n1, %n2, %n0;",
             f"mul.wide.u32 %w2, %n0, {3 * chains * size};", "add.s64 %w0, %w0, %w2;",
             f"mul.wide.u32 %w2, %n0, {size};", "add.s64 %w1, %w1, %w2;"]
    at = {(chain, name): 10 + 10 * chain + place
          for chain in range(chains) for place, name in enumerate("abcdnw")}
    for chain in range(chains):
        for place, name in enumerate("abc"):
            lines.append(f"ld.global.u{bits} {word}{at[chain, name]}, "
                         f"[%w0+{size * (3 * chain + place)}];")
        # A divisor that is 0 or small has a quotient of its own kind.
        lines.append(f"or.b{bits} {word}{at[chain, 'b']}, {word}{at[chain, 'b']}, 4097;")
    lines += ["mov.u32 %n3, 0;", "again:"]
    for copy in range(COPIES):
        for chain in range(chains):
            # The result of one is the operand of the next.
            a, d = ("a", "d") if copy % 2 == 0 else ("d", "a")
            lines.append(text.format(
                a=f"{word}{at[chain, a]}", d=f"{word}{at[chain, d]}",
                b=f"{word}{at[chain, 'b']}", c=f"{word}{at[chain, 'c']}",
                n=f"%n{at[chain, 'n'] + 500}", w=f"%w{at[chain, 'w'] + 500}"))
    lines += ["add.u32 %n3, %n3, 1;", f"setp.lt.u32 %p1, %n3, {ROUNDS};",
              "@%p1 bra again;"]
    for chain in range(1, chains):
        lines.append(f"xor.b{bits} {word}{at[0, 'a']}, {word}{at[0, 'a']}, "
                     f"{word}{at[chain, 'a']};")
    return "\n".join([*lines, f"st.global.u{bits} [%w1], {word}{at[0, 'a']};",
                      "ret; }", ""])


def table(cases_of):
    """Markdown: issue and latency of each instruction in units, beside its price."""
    listed = read_prices()

    def time(name, bits, number, size):
        row = cases_of.get((f"price/{name}.{bits}.{number}", bits // 8, size))
        return row and row["price"]["warm"]["median_us"]

    unit = {size: time("unit", 32, 0, size) / 2 for size in ("full", "single")}
    # What stands behind each: one of 32 bits, or two for the halves of 64.
    lines = ["| instruction | bits | price | issue | latency |", "|---|---|---|---|---|"]
    for name, bits, number, text in sequences():
        if name == "unit" or not time(name, bits, number, "full"):
            continue
        both = [time(name, bits, number, size) / unit[size] for size in ("full", "single")]
        behind = {"full": bits // 32, "single": 1}
        if name in INSTEAD:
            behind = {"full": 2, "single": 2}
        issue, latency = both[0] - behind["full"], both[1] - behind["single"]
        price = listed[name, 64 if name in INSTEAD else bits]
        lines.append(f"| {name}: `{text.split(';')[0].split(' ')[0]}` | {bits} | {price} | "
                     f"{issue:.1f} | {latency:.1f} |")
    return "\n".join(lines)
