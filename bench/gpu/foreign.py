"""Kernels of XLA and Triton for bench/gpu: their PTX before and after ptx-simplify.

    bench/gpu/foreign.py CORPUS [--build BUILD]

runs each launch, Triton's made small, on the CPU: kernel-run must find both versions
legal and equal. It refuses kernels with matrix instructions.

XLA's LLVM IR says all that a launch needs: the bytes of each buffer, what is read and
written, the block, and as a range of the block index the grid. Where XLA let Triton
write a kernel, its HLO has the grid. Triton's own kernels have the launches of
triton_launches.py. What fusion-emit makes of a fusion that XLA compiled is a third
version, fusion-emit, where it takes the same buffers.
"""

import argparse
import dataclasses
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import fusions
import triton_launches
from compilers import assemble, ptx_simplify, simplified
from triton_launches import Launch

# Dynamic shared memory of the kernels that Triton wrote for XLA, which no file
# states: the least bytes with which all accesses of their IR are within it.
XLA_SHARED = {
    "attention.5": 1024, "attention.9": 1536, "attention.11": 32,
    "attn_grad.7": 1024, "attn_grad.11": 512, "attn_grad.15": 1536,
    "attn_grad.17": 1536, "attn_grad.21": 1536, "layernorm.1": 2048,
    "outer_diag.7": 1536, "softmax.1": 128,
}

# The CPU runs every thread of every block.
CPU_SIZES = {"one": 1, "several": 2 << 20}
CPU_LARGEST_BYTES = 64 << 20


@dataclasses.dataclass(frozen=True)
class Entry:
    symbol: str
    addresses: tuple    # which parameters are addresses
    threads: int        # of a block


def pack(options, scratch):
    """The statements of their cases; their cubins go to the folder."""
    statements = []
    for name, ptx, launches in kernels(options.foreign):
        versions = versions_of(options, ptx, scratch)
        for size, launch in launches.items():
            statements += case_lines(name, size, ptx, launch, versions)
            if name.startswith("xla/"):
                statements += fusions.of_xla(
                    options, hlo_of(options.foreign, ptx), entry_of(ptx).symbol,
                    launch.buffer_bytes, scratch)
    return statements


def kernels(corpus, sizes=None):
    """(name, PTX, {size: launch}) of all kernels whose launch is known."""
    for ptx in sorted(corpus.glob("xla/ptx/*.ptx")):
        launch, reason = xla_launch(corpus, ptx)
        if launch:
            yield f"xla/{ptx.stem}/{entry_of(ptx).symbol}", ptx, {"own": launch}
        else:
            print(f"xla/{ptx.stem}: left out: {reason}", file=sys.stderr)
    for ptx in sorted(corpus.glob("triton/ptx/*.ptx")):
        name = ptx.stem.removeprefix("ind_")
        launches = triton_launches.launches(name, sizes)
        if launches:
            yield f"triton/{name}", ptx, launches
        else:
            print(f"triton/{name}: left out: triton_launches.py has no launch",
                  file=sys.stderr)


def case_lines(name, size, ptx, launch, versions):
    entry = entry_of(ptx)
    lines = [f"case {name} {launch.element} {size}",
             f"grid {' '.join(map(str, launch.grid))}", f"block {entry.threads} 1 1"]
    if launch.shared:
        lines.append(f"shared {launch.shared}")
    if launch.moved:
        lines.append(f"moved {launch.moved}")
    agreement = "exact" if launch.exact else "close"
    return [*lines, *launch.arguments,
            f"version compiler {versions['compiler']} {entry.symbol}",
            *(f"version {label} {file} {entry.symbol} {agreement} compiler"
              for label, file in versions.items() if label != "compiler")]


def entry_of(ptx):
    """The kernel of a file, or None if that has variables only."""
    found = re.search(r"\.entry (\w+)\((.*?)\)\s*\.reqntid (\d+)", ptx.read_text(),
                      re.S)
    if not found:
        return None
    parameters = re.findall(r"\.param (.*?)_param_\d+", found.group(2))
    return Entry(found.group(1), tuple(".ptr" in text for text in parameters),
                 int(found.group(3)))


# --- XLA ----------------------------------------------------------------------


def hlo_of(corpus, ptx):
    """The program that a kernel of XLA is from."""
    return corpus / "xla/hlo" / f"{ptx.stem.rpartition('.')[0]}.hlo"


def xla_launch(corpus, ptx):
    """(launch, None), or (None, why the files do not tell it)."""
    modules = sorted((corpus / "xla/ll").glob(f"{ptx.stem}.*ll"))
    entry = entry_of(ptx)
    if not entry:
        return None, "no kernel"
    if not modules:
        return None, "no LLVM IR"
    text = modules[0].read_text()
    symbol = entry.symbol
    kernel = re.search(
        rf"^define ptx_kernel void @{symbol}\((.*)\) local_unnamed_addr.*?^}}", text,
        re.M | re.S)
    if not kernel:
        return None, f"no {symbol} in its LLVM IR"
    grid = xla_grid(text) or tiled_grid(corpus, ptx, symbol)
    if not grid:
        return None, "neither LLVM IR nor HLO has its grid"
    shared = XLA_SHARED.get(ptx.stem, 0)
    if "@global_smem" in text and not shared:
        return None, "unknown bytes of shared memory"
    buffers = xla_buffers(kernel.group(1), kernel.group(0))
    if not buffers:
        return None, "parameters other than buffers of known sizes"
    if len(buffers) != len(entry.addresses):
        return None, "other parameters in PTX than in LLVM IR"
    # What a kernel moves are mostly elements of its largest buffer.
    _, element, _ = max(buffers)
    # Atomic operations add floating-point numbers in any order.
    exact = "cmpxchg" not in text and "atomicrmw" not in text
    return Launch((grid, 1, 1), tuple(words for _, _, words in buffers), shared,
                  element=element, exact=exact), None


def xla_grid(text):
    """Of kernels that XLA's own emitters wrote: the range of the block index."""
    if "sreg.ctaid." not in text:
        return 1
    range_of = re.search(r"ctaid\.x\(\), !range (!\d+)", text)
    blocks = range_of and re.search(
        rf"^{range_of.group(1)} = !{{i32 0, i32 (\d+)}}", text, re.M)
    return int(blocks.group(1)) if blocks and "ctaid.y" not in text else None


def tiled_grid(corpus, ptx, symbol):
    """Of kernels that XLA let Triton write: one block for each tile of the output."""
    hlo = hlo_of(corpus, ptx)
    name = re.sub(r"_(\d+)$", r".\1", symbol)
    found = hlo.exists() and re.search(
        rf"%{re.escape(name)} = \w+\[([\d,]+)\].*? fusion\(.*"
        r'"output_tiles":\[\{"sizes":\[([^\]]*)\]\}\]', hlo.read_text())
    if not found:
        return None
    extents, tiles = ([int(number) for number in re.findall(r"\d+", part)]
                      for part in found.groups())
    if len(extents) != len(tiles):
        return None
    return math.prod(-(-extent // tile) for extent, tile in zip(extents, tiles))


def xla_buffers(parameters, body):
    """(bytes, bytes of an element, statement) of each buffer; empty if a parameter is
    something else."""
    types, indices = uses_of(body)
    parameters = re.split(r", (?=ptr )", parameters)
    # The IR of Triton does not say what is read and written: the last is the output.
    is_annotated = any(" nofree " in parameter for parameter in parameters)
    buffers = []
    for parameter in parameters:
        found = re.search(r"dereferenceable\((\d+)\).*(%\w+)$", parameter)
        if not found:
            return []
        size, name = int(found.group(1)), found.group(2)
        if " readnone " in parameter:
            # The output of a kernel that writes it through an input, in place.
            buffers.append((0, 0, "scalar i64 0"))
            continue
        if is_annotated:
            how = ("in" if " readonly " in parameter else
                   "out" if " writeonly " in parameter else "inout")
        else:
            how = "out" if parameter is parameters[-1] else "in"
        kind = types.get(name, "f32")
        element = int(kind[1:]) // 8
        bounds = f" 0 {indices[name] - 1}" if name in indices else ""
        buffers.append((size, element, f"{how} {kind} {-(-size // element)}{bounds}"))
    return buffers


def uses_of(body):
    """What a kernel takes its buffers for, as two dictionaries: the type of the
    elements; and how many indices it accepts, where elements are indices. XLA
    clamps or drops others, so that any are legal, but then nothing is moved."""
    base, types, loaded, indices = {}, {}, {}, {}

    def parameter(pointer):
        while pointer in base:
            pointer = base[pointer]
        return pointer

    for line in body.splitlines():
        if found := re.match(r" *(%\S+) = (?:addrspacecast|getelementptr)\b.*?"
                             r"ptr(?: addrspace\(1\))? (%[^\s,]+)", line):
            base[found.group(1)] = found.group(2)
        elif found := re.match(r" *(?:(%\S+) = load|store)(?: atomic)? "
                               r"(?:<\d+ x )?(i\d+|float|double)\b.*"
                               r"ptr addrspace\(1\) (%[^\s,]+)", line):
            value, kind, pointer = found.groups()
            kind = {"float": "f32", "double": "f64"}.get(kind, kind)
            types[parameter(pointer)] = kind
            if value and kind[0] == "i":
                loaded[value] = parameter(pointer)
        elif found := re.match(r" *%\S+ = (?:icmp ult|add) i\d+ (%\S+), (\d+)$", line):
            if found.group(1) in loaded and int(found.group(2)) > 1:
                indices.setdefault(loaded[found.group(1)], int(found.group(2)))
    return types, indices


# --- Versions -----------------------------------------------------------------


def versions_of(options, ptx, scratch):
    files = simplified(options, ptx, lambda label: scratch / f"{ptx.stem}.{label}.ptx")
    arch = re.search(r"\.target (sm_\w+)", ptx.read_text()).group(1)
    names = {}
    for label, path in {"compiler": ptx, **files}.items():
        names[label] = f"{ptx.parent.parent.name}.{ptx.stem}.{label}.cubin"
        assemble(options, path, options.folder / names[label], arch)
    return names


# --- On the CPU ---------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] / "build")
    options = parser.parse_args()
    counts = {"agree": 0, "wrong": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as scratch:
        for name, ptx, launches in kernels(options.corpus, CPU_SIZES):
            after = pathlib.Path(scratch) / f"{ptx.stem}.ptx"
            ptx_simplify(options, ptx, after)
            for launch in launches.values():
                counts[outcome(options, name, (ptx, after), launch)] += 1
    print(f"{sum(counts.values())} launches on the CPU:",
          ", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["wrong"] else 0


def outcome(options, name, versions, launch):
    entry = entry_of(versions[0])
    command = [options.build / "bin/kernel-run", *versions,
               "--grid", ",".join(map(str, launch.grid)), "--block", str(entry.threads),
               "--shared", str(launch.shared),
               "--args", ",".join(map(cpu_argument, launch.arguments, entry.addresses))]
    if launch.bytes > CPU_LARGEST_BYTES:
        command += ["--sample-blocks", "1000"]
    # Sums in any order are equal here: the CPU has one order.
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode:
        print(f"{name}: {done.stdout.strip()}")
    return {0: "agree", 2: "refused"}.get(done.returncode, "wrong")


def cpu_argument(statement, is_address):
    """A statement as kernel-run takes it, which has no null for an address."""
    how, kind, *numbers = statement.split()
    if how == "scalar":
        return "in:i8:1" if is_address else f"{kind}:{numbers[0]}"
    bounds = "".join(f":{name}={value}"
                     for name, value in zip(("min", "max"), numbers[1:]))
    return f"{how}:{kind}:{numbers[0]}{bounds}"


if __name__ == "__main__":
    sys.exit(main())
