#!/usr/bin/env python3
"""Builds all that measuring on a GPU needs into one folder.

    bench/gpu/pack.py FOLDER [--cases PART] [--foreign CORPUS]
    FOLDER/measure.sh [--runs N] [--cases PART] [--ncu]     where the GPU is

Needs clang 22, a CUDA toolkit and build/, but no GPU. The folder has each kernel in
its versions, as cubins, the plan with their launches, and the program that measures;
it needs nothing but a CUDA driver, and for --ncu Nsight Compute.

Versions: clang (clang++ -O3), unravel (the same with the plugin), nvcc (nvcc -O3),
ptx-simplify (nvcc's PTX through it), ideal (the sample's twin by hand, by nvcc); and
what unravel makes if no kernel (one-body) or each one with a missing fact (two-bodies)
gets a second body, and without reciprocals of divisors, where that differs; likewise
ptx-simplify with loop strength reduction. With --fusions, kernels of the frontend
(fusions.py); with --prices, single PTX instructions (prices.py).

--check-on-cpu builds nothing: kernel-run runs each launch, made small, on the CPU.
Unravel's kernel and the twin must leave the bytes that clang's leaves, and what
ptx-simplify makes those of nvcc's.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cases
import compilers
import foreign
import fusions
import prices

sys.path.append(str(cases.ROOT / "bench"))
from comparison import default_cuda_path, run  # noqa: E402

LARGEST_BYTES = 40 << 20
# Small enough that the CPU runs every thread of every block within seconds.
CPU_BYTES = 64 << 10


def main():
    options = parse()
    if options.check_on_cpu:
        return check_on_cpu(options)
    chosen = [case for case in cases.all_cases() if options.cases in case.name]
    if not (chosen or options.foreign or options.fusions or options.prices):
        sys.exit(f"pack.py: no case has '{options.cases}' in its name")
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        built = of_sources(options, chosen, lambda case: compilers.versions_of(
            options, case, scratch))
        statements = [text for case in chosen for text in statements_of(case, built)]
        for wanted, source in ((options.fusions, fusions), (options.prices, prices),
                               (options.foreign, foreign)):
            if wanted:
                statements += source.pack(options, scratch)
    (options.folder / "plan.txt").write_text("\n".join(statements) + "\n")
    build_program(options)
    total = sum(path.stat().st_size for path in options.folder.rglob("*")
                if path.is_file())
    print(f"{options.folder}: {len(chosen)} cases, {total / 2**20:.1f} MiB")
    if total > LARGEST_BYTES:
        sys.exit(f"{options.folder}: more than {LARGEST_BYTES >> 20} MiB: choose fewer "
                 "with --cases")
    return 0


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", type=pathlib.Path, nargs="?")
    add("--cases", default="", metavar="PART",
        help="only kernels whose name has this part")
    add("--fusions", action="store_true", help="kernels of the frontend as well")
    add("--prices", action="store_true", help="single instructions as well")
    add("--foreign", type=pathlib.Path, metavar="CORPUS",
        help="a folder with xla/ll, xla/ptx and triton/ptx: their kernels as well")
    add("--check-on-cpu", action="store_true")
    add("--arch", default="sm_90")
    add("--jobs", type=int, default=os.cpu_count())
    add("--clang", default="clang++-22")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    add("--build", type=pathlib.Path, default=cases.ROOT / "build")
    options = parser.parse_args()
    if not options.folder and not options.check_on_cpu:
        parser.error("needs a folder to build into, or --check-on-cpu")
    for needed in (options.build / "bin/ptx-simplify",
                   options.build / "plugin/Unravel.so",
                   options.cuda_path / "bin/ptxas"):
        if not needed.exists():
            parser.error(f"{needed}: no such file")
    options.nvcc = options.cuda_path / "bin/nvcc"
    return options


# --- The folder ---------------------------------------------------------------


def of_sources(options, chosen, make):
    """What `make` makes of a case, once for each source with elements of a type."""
    units = {(case.path, case.element): case for case in chosen}
    built = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = pool.map(make, units.values())
        for number, (unit, files) in enumerate(zip(units, made), 1):
            built[unit] = files
            print(f"\r{number}/{len(units)} sources", end="", file=sys.stderr)
    print(file=sys.stderr)
    return built


def build_program(options):
    here = cases.ROOT / "bench/gpu"
    run(["c++", "-std=c++17", "-O2", "-static-libstdc++", "-static-libgcc",
         f"-I{options.cuda_path / 'include'}", *sorted(here.glob("*.cpp")), "-ldl",
         "-o", options.folder / "gpu-bench"])
    helpers = options.folder / "helpers.ptx"
    compilers.clang(options, here / "helpers.cu", helpers)
    compilers.assemble(options, helpers, options.folder / "helpers.cubin")
    helpers.unlink()
    for name in ("measure.sh", "metrics.txt"):
        shutil.copy(here / name, options.folder)


# --- The plan -----------------------------------------------------------------


def statements_of(case, built):
    """What Plan.h describes, for one case."""
    files = built[case.path, case.element]
    yield f"case {case.name} {case.element} {case.size}"
    yield "grid " + " ".join(map(str, case.grid))
    yield "block " + " ".join(map(str, case.block))
    if case.moved:
        yield f"moved {case.moved}"
    for of in case.arguments:
        counted = of.how not in ("struct", "scalar")
        yield " ".join([of.how, of.type, *([str(of.count)] if counted else []),
                        *of.values])
    exact = "exact" if case.exact else "close"
    yield f"version clang {files['clang']} {case.kernel}"
    yield f"version unravel {files['unravel']} {case.kernel} {exact} clang"
    for label in compilers.CHOICES:
        if label in files:
            yield f"version {label} {files[label]} {case.kernel} {exact} clang"
    if "nvcc" not in files:
        return
    # Two compilers may contract and round floating point in two ways.
    yield f"version nvcc {files['nvcc']} {case.kernel} close clang"
    for label in ("ptx-simplify", *compilers.PTX_CHOICES):
        if label in files:
            yield f"version {label} {files[label]} {case.kernel} {exact} nvcc"
    if case.ideal in case.path.read_text():
        yield f"version ideal {files['nvcc']} {case.ideal} close nvcc"


# --- On the CPU ---------------------------------------------------------------


def check_on_cpu(options):
    chosen = [case for case in cases.all_cases({"cpu": CPU_BYTES})
              if options.cases in case.name]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        built = of_sources(options, chosen, lambda case: pairs_of(
            options, case, pathlib.Path(scratch)))
        failures = [failure for failure in pool.map(
            lambda case: failure_of(options, case, built), chosen) if failure]
    print(f"{len(chosen)} launches on the CPU, {len(failures)} wrong")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def pairs_of(options, case, scratch):
    """The code of one source before and after, as the CPU takes it, by the names of the
    two versions."""
    source = compilers.source_for(case, scratch)
    clang, unravel, nvcc, simplified = (
        source.with_suffix(end) for end in (".clang.ll", ".unravel.ll", ".nvcc.ptx",
                                            ".ptx-simplify.ptx"))
    compilers.clang(options, source, clang, "-emit-llvm")
    compilers.clang(options, source, unravel, "-emit-llvm", compilers.plugin(options))
    compilers.nvcc(options, source, nvcc)
    compilers.ptx_simplify(options, nvcc, simplified)
    return {("clang", "unravel"): (clang, unravel),
            ("nvcc", "ptx-simplify"): (nvcc, simplified)}


def failure_of(options, case, built):
    """Why kernel-run refuses a launch or its versions differ, or None."""
    for (before, after), files in built[case.path, case.element].items():
        command = [options.build / "bin/kernel-run", *files,
                   "--kernel", case.kernel, "--grid", ",".join(map(str, case.grid)),
                   "--block", ",".join(map(str, case.block)),
                   "--args", ",".join(map(cpu_argument, case.arguments))]
        if (case.exact and before == "clang"
                and re.search(rf"\b{case.ideal}\b", case.path.read_text())):
            command += ["--also-kernel", case.ideal]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if done.returncode:
            return (f"{case.name}, elements of {case.element} bytes, {before} and "
                    f"{after}: {done.stdout.strip()}")
    return None


def cpu_argument(of):
    """An argument as kernel-run takes it."""
    if of.how == "scalar":
        return f"{of.type}:{of.values[0]}"
    if of.how == "steps":
        first, step = map(int, of.values)
        values = [str(first + step * number) for number in range(of.count)]
        return f"in:{of.type}:{of.count}:values={';'.join(values)}"
    if of.how in ("struct", "values"):
        repeated = (of.values * -(-of.count // len(of.values)))[:of.count]
        return f"in:{of.type}:{of.count}:values={';'.join(repeated)}"
    bounds = "".join(f":{name}={value}" for name, value in zip(("min", "max"), of.values))
    return f"{of.how}:{of.type}:{of.count}{bounds}"


if __name__ == "__main__":
    sys.exit(main())
