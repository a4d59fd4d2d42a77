"""Kernels of fusion-emit for bench/gpu: fusions at sizes that fill a GPU, and those
that bench/handwritten has kernels written by hand for.

Versions: fusion (LLVM's -O3), fusion-unravel (with index-simplify), the same with
other choices of the frontend's where its code differs (vector4: at most four elements
a thread; block128: blocks of 128 threads; both), and by-hand.
"""

import dataclasses
import json
import re
import sys

import cases
from compilers import assemble, clang, run

sys.path.append(str(cases.ROOT / "bench"))
from handwritten import BLOCK, LAUNCHES  # noqa: E402

# {E} is the type of the elements, {n} a number of images, rows or batches.
FUSIONS = {
    "negate": ("{n}*1024", "p = {E}[{n},1024] parameter(0)\n"
               "ROOT r = {E}[{n},1024] negate(p)"),
    "bias": ("{n}*3136*64", "p = {E}[{n},56,56,64] parameter(0)\n"
             "b = {E}[64] parameter(1)\n"
             "c = {E}[{n},56,56,64] broadcast(b), dimensions={{3}}\n"
             "ROOT r = {E}[{n},56,56,64] add(p, c)"),
    "bias_nchw": ("{n}*3136*64", "p = {E}[{n},64,56,56] parameter(0)\n"
                  "b = {E}[64] parameter(1)\n"
                  "c = {E}[{n},64,56,56] broadcast(b), dimensions={{1}}\n"
                  "ROOT r = {E}[{n},64,56,56] add(p, c)"),
    "nhwc_to_nchw": ("{n}*3136*64", "p = {E}[{n},56,56,64] parameter(0)\n"
                     "ROOT r = {E}[{n},64,56,56] transpose(p), dimensions={{0,3,1,2}}"),
    "split_heads": ("{n}*197*768", "p = {E}[{n},197,768] parameter(0)\n"
                    "h = {E}[{n},197,12,64] reshape(p)\n"
                    "ROOT r = {E}[{n},12,197,64] transpose(h), dimensions={{0,2,1,3}}"),
    "space_to_depth": ("{n}*3136*16", "p = {E}[{n},56,56,16] parameter(0)\n"
                       "a = {E}[{n},28,2,28,2,16] reshape(p)\n"
                       "t = {E}[{n},28,28,2,2,16] transpose(a), dimensions={{0,1,3,2,4,5}}\n"
                       "ROOT r = {E}[{n},28,28,64] reshape(t)"),
    "pixel_shuffle": ("{n}*784*64", "p = {E}[{n},64,28,28] parameter(0)\n"
                      "a = {E}[{n},16,2,2,28,28] reshape(p)\n"
                      "t = {E}[{n},16,28,2,28,2] transpose(a), dimensions={{0,1,4,2,5,3}}\n"
                      "ROOT r = {E}[{n},16,56,56] reshape(t)"),
    "pad": ("{n}*3136*32", "p = {E}[{n},54,54,32] parameter(0)\nz = {E}[] constant(0)\n"
            "ROOT r = {E}[{n},56,56,32] pad(p, z), padding=0_0x1_1x1_1x0_0"),
    "concat_minor": ("{n}*100*60", "a = {E}[{n},100,24] parameter(0)\n"
                     "b = {E}[{n},100,36] parameter(1)\n"
                     "ROOT r = {E}[{n},100,60] concatenate(a, b), dimensions={{2}}"),
    "concat_add": ("{n}*100*60", "a = {E}[{n},100,24] parameter(0)\n"
                   "b = {E}[{n},100,36] parameter(1)\nc = {E}[{n},100,60] parameter(2)\n"
                   "d = {E}[{n},100,60] concatenate(a, b), dimensions={{2}}\n"
                   "ROOT r = {E}[{n},100,60] add(c, d)"),
    "flip": ("{n}*3136*3", "p = {E}[{n},56,56,3] parameter(0)\n"
             "ROOT r = {E}[{n},56,56,3] reverse(p), dimensions={{2}}"),
    "slice_strided": ("{n}*3136*24*2", "p = {E}[{n},112,112,24] parameter(0)\n"
                      "ROOT r = {E}[{n},56,56,24] slice(p), "
                      "slice={{[0:{n}],[0:112:2],[0:112:2],[0:24]}}"),
    "row_sum": ("{n}*1000", "p = {E}[{n},1000] parameter(0)\nz = {E}[] constant(0)\n"
                "ROOT r = {E}[{n}] reduce(p, z), dimensions={{1}}, to_apply=sum"),
    "middle_sum": ("{n}*64*250", "p = {E}[{n},64,250] parameter(0)\nz = {E}[] constant(0)\n"
                   "ROOT r = {E}[{n},250] reduce(p, z), dimensions={{1}}, to_apply=sum"),
    "max_pool": ("{n}*3136*32", "p = {E}[{n},56,56,32] parameter(0)\nz = {E}[] constant(0)\n"
                 "ROOT r = {E}[{n},28,28,32] reduce-window(p, z), "
                 "window={{size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0}}, "
                 "to_apply=largest"),
}
COMPUTATIONS = """sum {{ x = {E}[] parameter(0) y = {E}[] parameter(1)
ROOT s = {E}[] add(x, y) }}
largest {{ x = {E}[] parameter(0) y = {E}[] parameter(1)
ROOT s = {E}[] maximum(x, y) }}
"""
# The frontend's names of types, and their bytes; what a plan calls them.
TYPES = {"s8": 1, "bf16": 2, "f32": 4}
PLAN_TYPES = {"pred": "u8", "s8": "i8", "u8": "u8", "bf16": "u16", "f16": "u16",
              "s32": "i32", "u32": "u32", "f32": "f32", "s64": "i64", "f64": "f64"}
SUMS = ("row_sum", "middle_sum", "max_pool", "bias", "bias_nchw")
CHOICES = {"vector4": "--vector=4", "block128": "--block=128",
           "both": "--vector=4 --block=128"}


@dataclasses.dataclass(frozen=True)
class Emitted:
    """The only kernel of a module: its launch, and the file in the folder."""
    file: str
    symbol: str
    grid: tuple
    block: tuple
    buffers: tuple  # (input or output, element type, bytes), in the kernel's order
    ptx: str

    def version(self, label, compared=""):
        return [" ".join(["version", label, self.file, self.symbol, *compared.split()]),
                "grid " + " ".join(map(str, self.grid)),
                "block " + " ".join(map(str, self.block))]


def emit(options, hlo, label, scratch, *more):
    """The kernel of a module or computation, or None if it takes several."""
    stem = f"{hlo.stem}.{label}"
    ptx, manifest = scratch / f"{stem}.ptx", scratch / f"{stem}.json"
    run([options.build / "bin/fusion-emit", hlo, f"--arch={options.arch}",
         f"--manifest={manifest}", "-o", ptx, *more])
    made = json.loads(manifest.read_text())
    text = ptx.read_text()
    # Functions of calculus are calls of libdevice, which is not linked here.
    if len(made["kernels"]) != 1 or made.get("steps") or ".extern .func" in text:
        return None
    kernel, = made["kernels"]
    buffers = []
    for number in kernel["arguments"]:
        of = made["buffers"][number]
        buffers.append((of["kind"] if number not in kernel["written"] else "output",
                        of["type"], of["bytes"]))
    assemble(options, ptx, options.folder / f"{stem}.cubin")
    return Emitted(f"{stem}.cubin", kernel["name"], tuple(kernel["grid"]),
                   tuple(kernel["block"]), tuple(buffers), text)


def arguments(emitted):
    for kind, element, size in emitted.buffers:
        plan_type = PLAN_TYPES[element]
        count = size * 8 // int(plan_type[1:])
        # Bytes stay small: as indices or truth values they are legal.
        bounds = " 0 100" if plan_type in ("i8", "u8") and kind == "input" else ""
        yield f"{'out' if kind == 'output' else 'in'} {plan_type} {count}{bounds}"


def pack(options, scratch):
    """The statements of their cases; their cubins go to the folder."""
    statements = []
    for name in LAUNCHES:
        statements += by_hand(options, name, scratch)
    for name in FUSIONS:
        for element in TYPES:
            if element == "s8" and name in SUMS:
                continue
            for size, target in cases.SIZES.items():
                statements += sized(options, name, element, size, target, scratch)
    return statements


def by_hand(options, name, scratch):
    hlo = cases.ROOT / "test/Inputs/hlo" / f"{name}.hlo"
    lines = versions(options, hlo, f"case fusion/{name} 4 own", scratch)
    ptx, cubin = scratch / f"{name}.by-hand.ptx", f"{name}.by-hand.cubin"
    clang(options, cases.ROOT / f"bench/handwritten/{name}.cu", ptx)
    assemble(options, ptx, options.folder / cubin)
    grid, _, *block = LAUNCHES[name]
    grid, block = (tuple([*of, 1, 1][:3]) for of in (grid, block[0] if block else (BLOCK,)))
    return lines + Emitted(cubin, name, grid, block, (), "").version("by-hand",
                                                                    "exact fusion")


def sized(options, name, element, size, target, scratch):
    elements, body = FUSIONS[name]
    per_unit = eval(elements.format(n=1), {"__builtins__": {}})  # Of this file.
    count = max(1, target // (2 * TYPES[element] * per_unit))
    hlo = scratch / f"{name}.{element}.{size}.hlo"
    values = {"E": element, "n": count}
    hlo.write_text(f"HloModule {name}\n\n{COMPUTATIONS.format(**values)}\n"
                   f"ENTRY e {{\n{body.format(**values)}\n}}\n")
    return versions(options, hlo, f"case fusion/{name} {TYPES[element]} {size}", scratch)


def versions(options, hlo, head, scratch):
    before = emit(options, hlo, "fusion", scratch, "--passes=optimize")
    after = emit(options, hlo, "fusion-unravel", scratch)
    if not before or not after:
        sys.exit(f"{hlo.name}: more than one kernel")
    lines = [head, *arguments(before), *before.version("fusion"),
             *after.version("fusion-unravel", "exact fusion")]
    for label, option in CHOICES.items():
        other = emit(options, hlo, label, scratch, *option.split())
        if other and other.ptx != after.ptx and other.buffers == after.buffers:
            lines += other.version(label, "close fusion")
    return lines


def of_xla(options, hlo, symbol, buffer_bytes, scratch):
    """The lines of a version that fusion-emit makes of the fusion that XLA's kernel
    computes, or none if it cannot be launched in the same way."""
    found = [calls for name, calls in re.findall(
        r"^\s*(?:ROOT )?%(\S+) = .* fusion\(.*kind=k(?:Loop|Input),.* ?calls=%([\w.-]+)",
        hlo.read_text(), re.M) if re.sub(r"\W", "_", name) == symbol]
    if not found:
        return []
    try:  # It exits where fusion-emit refuses the fusion.
        made = emit(options, hlo, f"emitted.{symbol}", scratch,
                    f"--entry={found[0]}")
    except SystemExit:
        return []
    if not made or [size for *_, size in made.buffers] != list(buffer_bytes):
        return []
    return made.version("fusion-emit", "close compiler")
