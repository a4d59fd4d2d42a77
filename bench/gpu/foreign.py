"""Kernels of XLA and Triton for bench/gpu: their PTX before and after ptx-simplify.

XLA's LLVM IR says all that a launch needs: the bytes of each buffer, the block, and
as a range of the block index the grid. Triton's kernels have constant sizes that
nothing states: they get a grid and buffers that are larger than any of them needs,
with indices of 0, and compute only what lies within their sizes.
"""

import re

from compilers import assemble, run

BUFFER_BYTES = 64 << 20
TRITON_GRID = 4096
SHARED_BYTES = 64 << 10


def pack(options, scratch):
    """The statements of their cases; their cubins go to the folder."""
    statements = []
    for ptx in sorted(options.foreign.glob("xla/ptx/*.ptx")):
        statements += xla_cases(options, ptx, scratch)
    for ptx in sorted(options.foreign.glob("triton/ptx/*.ptx")):
        statements += triton_case(options, ptx, scratch)
    return statements


def xla_cases(options, ptx, scratch):
    module = options.foreign / "xla/ll"
    texts = [path.read_text() for path in sorted(module.glob(f"{ptx.stem}.*ll"))]
    launches = [launch for text in texts if (launch := xla_launch(text))]
    if not launches:
        return []
    versions = versions_of(options, ptx, scratch)
    return [line for name, grid, block, sizes in launches
            for line in [
                f"case xla/{ptx.stem}/{name} 4 own", f"grid {grid} 1 1", f"block {block} 1 1",
                *(f"inout f32 {-(-size // 4)}" for size in sizes),
                *version_lines(versions, name)]]


def xla_launch(text):
    """(name, blocks, threads, bytes of each buffer) of a module's kernel, or None
    if the module does not tell."""
    kernel = re.search(r"^define ptx_kernel void @(\w+)\((.*)\)[^()]*(#\d+)", text, re.M)
    if not kernel:
        return None
    sizes = [int(size) for size in re.findall(r"dereferenceable\((\d+)\)",
                                              kernel.group(2))]
    if len(sizes) != kernel.group(2).count("ptr "):
        return None
    block = re.search(rf'^attributes {kernel.group(3)} = .*"nvvm.reqntid"="(\d+),1,1"',
                      text, re.M)
    range_of = re.search(r"ctaid\.x\(\), !range (!\d+)", text)
    blocks = range_of and re.search(
        rf"^{range_of.group(1)} = !{{i32 0, i32 (\d+)}}", text, re.M)
    if "ctaid" not in text:
        grid = 1
    elif blocks and "ctaid.y" not in text:
        grid = int(blocks.group(1))
    else:
        return None
    return (kernel.group(1), grid, int(block.group(1)), sizes) if block else None


def triton_case(options, ptx, scratch):
    text = ptx.read_text()
    entry = re.search(r"\.entry (\w+)\((.*?)\)\s*(.*?)\{", text, re.S)
    block = re.search(r"\.reqntid (\d+)", entry.group(3))
    lines = [f"case triton/{entry.group(1)} 4 own", f"grid {TRITON_GRID} 1 1",
             f"block {block.group(1)} 1 1"]
    if ".extern .shared" in text:
        lines.append(f"shared {SHARED_BYTES}")
    for parameter in re.findall(r"\.param (.*?)_param_\d+", entry.group(2)):
        if ".ptr" in parameter:
            lines.append(f"inout i32 {BUFFER_BYTES // 4} 0 0.5")
        else:
            kind = "i64" if "64" in parameter else "i32"
            lines.append(f"scalar {kind} 1024")
    return lines + version_lines(versions_of(options, ptx, scratch), entry.group(1))


def versions_of(options, ptx, scratch):
    after = scratch / f"{ptx.stem}.after.ptx"
    run([options.build / "bin/ptx-simplify", ptx, "-o", after])
    arch = re.search(r"\.target (sm_\w+)", ptx.read_text()).group(1)
    names = {}
    for label, path in (("compiler", ptx), ("ptx-simplify", after)):
        names[label] = f"{ptx.parent.parent.name}.{ptx.stem}.{label}.cubin"
        assemble(options, path, options.folder / names[label], arch)
    return names


def version_lines(versions, symbol):
    return [f"version compiler {versions['compiler']} {symbol}",
            f"version ptx-simplify {versions['ptx-simplify']} {symbol} exact compiler"]
