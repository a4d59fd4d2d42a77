"""What makes PTX and cubins of the sources that bench/gpu measures."""

import re
import sys

import cases

sys.path.append(str(cases.ROOT / "bench"))
from comparison import run  # noqa: E402

def source_for(case, scratch):
    """The sample with elements of the case's type, beside its headers."""
    name, _ = cases.ELEMENTS[case.element]
    text = case.path.read_text()
    if case.size != "own":
        text = re.sub(r"\bfloat\b", name, text)
    # Its includes are relative to its folder.
    text = re.sub(r'#include "(.*)"',
                  lambda found: f'#include "{(case.path.parent / found.group(1)).resolve()}"',
                  text)
    path = scratch / f"{case.path.parent.name}.{case.path.stem}.{case.element}.cu"
    path.write_text(text)
    return path


def clang(options, source, output, *more):
    run([options.clang, "-x", "cuda", f"--cuda-gpu-arch={options.arch}",
         f"--cuda-path={options.cuda_path}", "-Wno-unknown-cuda-version", "-w",
         "--cuda-device-only", "-O3", "-S", *more, source, "-o", output])


# What unravel makes of a kernel with an option of its own, by version.
CHOICES = {"one-body": "-index-simplify-versioning=off",
           "two-bodies": "-index-simplify-versioning=always",
           "no-reciprocals": "-index-simplify-reciprocals=false"}


# The same for ptx-simplify.
PTX_CHOICES = {"ptx-no-lsr": "-disable-lsr"}


def plugin(options):
    return f"-fpass-plugin={options.build / 'plugin/Unravel.so'}"


def nvcc(options, source, output):
    run([options.nvcc, "-O3", f"-arch={options.arch}", "-w", "-ptx", source,
         "-o", output])


def ptx_simplify(options, source, output, *more):
    run([options.build / "bin/ptx-simplify", source, "-o", output, *more])


def assemble(options, ptx, cubin, arch=None):
    run([options.cuda_path / "bin/ptxas", "-O3", f"-arch={arch or options.arch}", ptx,
         "-o", cubin])


def versions_of(options, case, scratch):
    """{label: file in the folder} of the kernels of one source."""
    source = source_for(case, scratch)
    labels = ["clang", "unravel"]
    ptx = {label: scratch / f"{source.stem}.{label}.ptx"
           for label in ("clang", "unravel", *CHOICES, "nvcc", "ptx-simplify",
                         *PTX_CHOICES)}
    clang(options, source, ptx["clang"])
    clang(options, source, ptx["unravel"], plugin(options))
    for label, option in CHOICES.items():
        clang(options, source, ptx[label], plugin(options), "-mllvm", option)
        if ptx[label].read_text() != ptx["unravel"].read_text():
            labels.append(label)
    if options.nvcc.exists():
        labels += ["nvcc", "ptx-simplify"]
        nvcc(options, source, ptx["nvcc"])
        ptx_simplify(options, ptx["nvcc"], ptx["ptx-simplify"])
        for label, option in PTX_CHOICES.items():
            ptx_simplify(options, ptx["nvcc"], ptx[label], option)
            if ptx[label].read_text() != ptx["ptx-simplify"].read_text():
                labels.append(label)
    for label in labels:
        assemble(options, ptx[label],
                 options.folder / f"{source.stem}.{label}.cubin")
    return {label: f"{source.stem}.{label}.cubin" for label in labels}
