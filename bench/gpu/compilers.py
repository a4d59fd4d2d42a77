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


# What unravel and ptx-simplify make of a kernel with options of their own, by version.
CHOICES = {"one-body": ["-mllvm", "-index-simplify-versioning=off"],
           "two-bodies": ["-mllvm", "-index-simplify-versioning=always"],
           "no-reciprocals": ["-mllvm", "-index-simplify-reciprocals=false"]}
PTX_CHOICES = {"ptx-lsr": ["-disable-lsr=false"]}


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


def with_choices(label, choices, path_for, make):
    """{label: PTX} of a version, and of its choices where these make other code.
    `make` writes PTX to a path, by more options."""
    files = {label: path_for(label)}
    make(files[label])
    for choice, words in choices.items():
        path = path_for(choice)
        make(path, *words)
        if path.read_text() != files[label].read_text():
            files[choice] = path
    return files


def simplified(options, ptx, path_for):
    """{label: PTX} of what ptx-simplify makes."""
    return with_choices("ptx-simplify", PTX_CHOICES, path_for,
                        lambda path, *more: ptx_simplify(options, ptx, path, *more))


def versions_of(options, case, scratch):
    """{label: file in the folder} of the kernels of one source."""
    source = source_for(case, scratch)

    def path_for(label):
        return scratch / f"{source.stem}.{label}.ptx"

    ptx = {"clang": path_for("clang")}
    clang(options, source, ptx["clang"])
    ptx |= with_choices(
        "unravel", CHOICES, path_for,
        lambda path, *more: clang(options, source, path, plugin(options), *more))
    if options.nvcc.exists():
        ptx["nvcc"] = path_for("nvcc")
        nvcc(options, source, ptx["nvcc"])
        ptx |= simplified(options, ptx["nvcc"], path_for)
    files = {label: f"{path.stem}.cubin" for label, path in ptx.items()}
    for label, name in files.items():
        assemble(options, ptx[label], options.folder / name)
    return files
