#!/usr/bin/env python3
"""What the plugin makes of a folder of kernels: any code, no twins needed.

Compiles every .cu and .ll of the folders (recursively) with clang alone and with the
plugin, and prints tables: ratios by class of kernel, the most expensive results,
missing facts, registers, compile time. Versions of a kernel:

  before  clang alone
  whole   with the plugin
  off     with -index-simplify-versioning=off
  fast    the body for ordinary launches of a versioned kernel
          (-index-simplify-versioning=fast-only); of others, the whole

A .ptx is not compiled. Files that belong together are versions of one module, made
elsewhere: NAME.before.ptx, NAME.after.ptx (the whole), and perhaps NAME.off.ptx and
NAME.fast.ptx. --keep writes such files.

ptx-compare counts; SASS instructions and registers need ptxas (--cuda-path). Kernels
with equal PTX count once. A file that does not compile, or takes too long, is
listed. Times are CPU time of clang behind its front end, without its start.

    bench/corpus.py cuda_samples/loops
    bench/corpus.py -I third_party/include --json corpus.json third_party

Exit status: 0 done; 1 a kernel is above --limit, or the mean above --mean-limit (with
--check); 2 nothing could be measured.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from comparison import ROOT, default_cuda_path, ptx_kernels, report_misses
from corpus_process import Failure, run
from corpus_ptx import (class_of, code_of, has_loop, missing_facts,
                        sass_instructions)
from corpus_tables import missed_aims, print_tables

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
SIDES = ("before", "whole", "off", "fast")
SUFFIXES = {"before": "before", "whole": "after", "off": "off", "fast": "fast"}
MODES = {"whole": "auto", "off": "off", "fast": "fast-only"}
LEAST_SECONDS = 1e-3
SKIPPED_FOLDERS = {".git", "CMakeFiles"}


def main():
    options = parse_options()
    modules = find_modules(options.inputs)
    if not modules:
        print("corpus.py: no .cu or .ll, and no pair of .before.ptx and .after.ptx",
              file=sys.stderr)
        return 2
    try:
        options.start = start_seconds(options)
    except Failure as failure:
        print(f"corpus.py: {failure}", file=sys.stderr)
        return 2
    results = {"arch": options.arch, "files": measure_all(modules, options)}
    results["kernels"], results["repeated"] = distinct_kernels(results["files"])
    print_tables(results, options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    if not results["kernels"]:
        print("corpus.py: no kernel was measured", file=sys.stderr)
        return 2
    return report_misses(options, missed_aims(results["kernels"], options))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("inputs", nargs="+", type=pathlib.Path, metavar="FOLDER|FILE")
    add("-I", dest="includes", action="append", default=[], metavar="DIR")
    add("--clang-options", default="", help="more options for the front end: -D, -std")
    add("--no-unroll", action="store_true",
        help="unroll only where the source says so: LLVM unrolls small loops as their "
        "size allows, so cheaper code may have more instructions")
    add("--arch", default="sm_90")
    add("--jobs", type=int, default=os.cpu_count())
    add("--timeout", type=float, default=120, help="CPU seconds for a file (120)")
    add("--json", type=pathlib.Path, metavar="FILE", help="write everything as JSON")
    add("--keep", type=pathlib.Path, metavar="DIR", help="keep the PTX there")
    add("--worst", type=int, default=10, help="rows of the lists (10)")
    add("--no-sass", action="store_true", help="do not assemble")
    add("--check", action="store_true", help="exit 1 above one of these limits:")
    add("--limit", type=float, default=1.05,
        help="of a kernel: cost / cost of clang alone, by loop depth (1.05)")
    add("--mean-limit", type=float, default=1, help="of the geometric mean (1)")
    add("--plugin", type=pathlib.Path, default=ROOT / "build/plugin/Unravel.so")
    add("--ptx-compare", type=pathlib.Path, default=ROOT / "build/bin/ptx-compare")
    add("--clang", type=pathlib.Path, default=LLVM_BIN / "clang++")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    options = parser.parse_args()
    for path in options.inputs:
        if not path.exists():
            parser.error(f"{path}: no such file or folder")
    for path in (options.plugin, options.ptx_compare):
        if not path.is_file():
            parser.error(f"{path}: no such file (run scripts/build.sh)")
    if not shutil.which(options.clang):
        parser.error(f"{options.clang}: cannot be run (--clang)")
    options.ptxas = options.cuda_path / "bin/ptxas"
    if options.no_sass or not os.access(options.ptxas, os.X_OK):
        options.ptxas = None
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    return options


# --- Inputs -------------------------------------------------------------------


def find_modules(inputs):
    """[(name, {side: PTX} of a module made elsewhere, else the source)]"""
    modules = []
    for given in inputs:
        files = [given] if given.is_file() else walk(given)
        ptx = {}
        for path in files:
            if path.suffix in (".cu", ".ll"):
                modules.append((str(path), path))
            for side, suffix in SUFFIXES.items():
                if path.name.endswith(f".{suffix}.ptx"):
                    name = str(path)[:-len(f".{suffix}.ptx")]
                    ptx.setdefault(name, {})[side] = path
        modules += [(name, sides) for name, sides in ptx.items()
                    if {"before", "whole"} <= set(sides)]
    return modules


def walk(folder):
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        found += [pathlib.Path(place) / name for name in sorted(files)]
    return found


# --- Measuring ----------------------------------------------------------------


def measure_all(modules, options):
    results = []
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for result in pool.map(lambda module: measure(*module, options), modules):
            results.append(result)
            print(f"{len(results)}/{len(modules)} {result['file']}: "
                  + (result["error"] or f"{len(result['kernels'])} kernels"),
                  file=sys.stderr, flush=True)
    return results


def measure(name, module, options):
    """{"file", "error", "seconds", "kernels"} of one module."""
    result = {"file": name, "error": None, "seconds": {}, "kernels": []}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            budget = [options.timeout]
            if isinstance(module, dict):
                ptx, facts = module, {}
            else:
                ptx, facts = compile_module(module, folder, result, budget, options)
            if options.keep:
                keep(name, ptx, options.keep)
            result["kernels"] = kernels_of(name, ptx, facts, folder, budget, options)
        except Failure as failure:
            result["error"] = str(failure)
    return result


def compile_module(source, folder, result, budget, options):
    """({side: PTX file}, {kernel: missing facts}). The sides off and fast are
    absent where they are the whole."""
    seconds = result["seconds"]
    module = source
    if source.suffix == ".cu":
        module = folder / "module.bc"
        seconds["front_end"] = run(
            [options.clang, "-x", "cuda", source, "--cuda-device-only",
             f"--cuda-gpu-arch={options.arch}", f"--cuda-path={options.cuda_path}",
             "-Wno-unknown-cuda-version", "-w", "-O3", "-emit-llvm", "-c",
             "-Xclang", "-disable-llvm-passes", "-o", module,
             *(word for each in options.includes for word in ("-I", each)),
             *options.clang_options.split()], budget)[1]
    ptx = {}

    def back_end(side, *flags):
        ptx[side] = folder / f"{side}.ptx"
        seconds[side] = back_end_of(module, ptx[side], budget, options, *flags)

    def with_plugin(side, *flags):
        back_end(side, f"-fpass-plugin={options.plugin}",
                 "-mllvm", f"-index-simplify-versioning={MODES[side]}", *flags)

    back_end("before")
    with_plugin("whole")
    with_plugin("off")
    if ptx["off"].read_bytes() == ptx["whole"].read_bytes():
        del ptx["off"]
    else:
        with_plugin("fast")
    times = dict(seconds)
    record = folder / "record.yaml"
    with_plugin("whole", "-fsave-optimization-record",
                f"-foptimization-record-file={record}",
                "-foptimization-record-passes=index-simplify")
    seconds.update(times)  # Writing the record is no compile time.
    text = record.read_text(errors="replace") if record.is_file() else ""
    return ptx, missing_facts(text)


def back_end_of(module, ptx, budget, options, *flags):
    """The seconds from IR as the front end leaves it to PTX, without the start of
    clang. The flags for floating point are those of clang for CUDA."""
    seconds = run(
        [options.clang, "-x", "ir", module, "--target=nvptx64-nvidia-cuda",
         f"-march={options.arch}", "-w", "-O3", "-S", "-o", ptx,
         "-Xclang", "-ffp-contract=fast", "-mllvm", "-nvptx-fma-level=2",
         *["-fno-unroll-loops"] * options.no_unroll, *flags], budget)[1]
    with_plugin = any("plugin" in flag for flag in flags)
    return max(seconds - options.start[with_plugin], LEAST_SECONDS)


def start_seconds(options):
    """{with the plugin?: CPU seconds of clang for a module without functions}"""
    options.start = {False: 0, True: 0}
    with tempfile.TemporaryDirectory() as folder:
        module, ptx = pathlib.Path(folder) / "empty.ll", pathlib.Path(folder) / "ptx"
        module.write_text("")

        def seconds(*flags):
            return min(back_end_of(module, ptx, [options.timeout], options, *flags)
                       for _ in range(3))

        return {False: seconds(), True: seconds(f"-fpass-plugin={options.plugin}")}


def keep(name, ptx, folder):
    flat = name.lstrip("./").replace("/", "_")
    for side, path in ptx.items():
        shutil.copyfile(path, folder / f"{flat}.{SUFFIXES[side]}.ptx")


def kernels_of(name, ptx, facts, folder, budget, options):
    texts = {side: ptx_kernels(path.read_text(errors="replace"))
             for side, path in ptx.items()}
    if not texts["before"]:
        return []
    counts = counts_of(ptx, budget, options)
    sass = {side: sass_of(path, folder, budget, options)
            for side, path in ptx.items()}
    rows = []
    for kernel, before in texts["before"].items():
        whole = code_of(texts["whole"].get(kernel, ""))
        if not whole:
            continue
        # A side that is not there is the whole; so is the fast body of a kernel
        # that has only one, whatever fast-only makes of it.
        sources = {side: side if kernel in texts.get(side, ()) else "whole"
                   for side in SIDES}
        versioned = (sources["fast"] == "fast" and
                     code_of(texts[sources["off"]][kernel]) != whole)
        if not versioned:
            sources["fast"] = "whole"
        if any(kernel not in counts[source] for source in sources.values()):
            raise Failure(f"ptx-compare does not find {kernel}")
        rows.append({
            "file": name, "name": kernel, "class": class_of(before),
            "loop": has_loop(before), "changed": code_of(before) != whole,
            "versioned": versioned, "missing": facts.get(kernel, []),
            "sides": {side: dict(counts[source][kernel],
                                 sass=sass[source].get(kernel))
                      for side, source in sources.items()},
            "code": code_of(before.replace(kernel, "KERNEL")),
        })
    return rows


def counts_of(ptx, budget, options):
    """{side: {kernel: what ptx-compare counts}}"""
    counts = {}
    sides = list(ptx)
    for first, second in zip(sides[::2], sides[1::2] + sides[-1:]):
        command = [options.ptx_compare, "--before", ptx[first], "--after", ptx[second],
                   "--cuda-path", options.cuda_path, "--json", "-"]
        report = json.loads(run(command, budget)[0])
        for side, key in ((first, "before"), (second, "after")):
            counts[side] = {kernel["name"]: kernel[key]
                            for file in report["files"] for kernel in file["kernels"]
                            if kernel.get(key)}
    return counts


def sass_of(ptx, folder, budget, options):
    """{kernel: SASS instructions}, empty without ptxas."""
    if not options.ptxas:
        return {}
    cubin = folder / "cubin"
    run([options.ptxas, f"-arch={options.arch}", ptx, "-o", cubin], budget)
    return sass_instructions(cubin.read_bytes())


def distinct_kernels(files):
    """(kernels with different PTX, the number of the others)"""
    kernels = {}
    repeated = 0
    for file in files:
        for kernel in file.pop("kernels"):
            key = kernel.pop("code")
            repeated += key in kernels
            kernels.setdefault(key, kernel)
    return list(kernels.values()), repeated


if __name__ == "__main__":
    sys.exit(main())
