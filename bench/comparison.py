"""What the benchmarks share: options, running ptx-compare, and records."""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT_S = 600
SKIPPED = 77


def argument_parser(doc, record):
    """The options of every benchmark; the record goes to bench/results."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--machine", help="machine name, for the record; without it none is written")
    add("--date", help="today, for the record")
    add("--cuda-path", type=pathlib.Path, default=default_cuda_path())
    add("--arch", default="sm_90")
    add("--jobs", type=int, default=os.cpu_count())
    add("--output", type=pathlib.Path, default=ROOT / "bench/results" / record)
    add("--check", action="store_true", help="exit 1 when an aim is missed")
    return parser


def parse(parser, samples):
    """The options of a benchmark that uses ptx-compare; samples are the default
    ones."""
    add = parser.add_argument
    add("--ptx-compare", type=pathlib.Path, default=ROOT / "build/bin/ptx-compare")
    add("--plugin", type=pathlib.Path, help="default: the one beside ptx-compare")
    add("samples", nargs="*", type=pathlib.Path, help=f"default: {samples}/*.cu")
    options = parser.parse_args()
    if not options.ptx_compare.is_file():
        parser.error(f"{options.ptx_compare}: no such file (run scripts/build.sh)")
    check_options(parser, options)
    if not options.samples:
        options.samples = sorted((ROOT / samples).glob("*.cu"))
    return options


def check_options(parser, options):
    """Of the options of argument_parser(); ends where there is no CUDA toolkit."""
    if bool(options.machine) != bool(options.date):
        parser.error("a record needs both --machine and --date")
    if not (options.cuda_path / "include/cuda.h").is_file():
        print("skipped: no CUDA toolkit (--cuda-path)")
        sys.exit(SKIPPED)


def default_cuda_path():
    places = [os.environ.get("CUDA_PATH"), "/usr/local/cuda", ROOT / ".deps/cuda"]
    found = [p for p in places if p and (pathlib.Path(p) / "include/cuda.h").is_file()]
    return pathlib.Path(found[0] if found else places[1])


def add_nvdisasm(parser):
    found = shutil.which("nvdisasm")
    places = sorted((ROOT / ".deps/nvdisasm").glob("nvidia/*/bin/nvdisasm"))
    parser.add_argument(
        "--nvdisasm", type=pathlib.Path,
        default=pathlib.Path(found) if found else next(iter(places), None),
        help="default: from PATH, or .deps/nvdisasm")


def check_nvdisasm(parser, options):
    if not options.nvdisasm or not options.nvdisasm.is_file():
        parser.error("no nvdisasm: pip install --target .deps/nvdisasm "
                     "nvidia-cuda-nvdisasm, or give --nvdisasm")


def compare(options, pass_options="", clang_options="", keep=None):
    """{kernel name: what ptx-compare says of it}, in the order of the files.

    With keep, a folder, the kernels have their PTX as ["before"]["ptx"] and
    ["after"]["ptx"].
    """
    command = [
        options.ptx_compare, "--json", "-", "--arch", options.arch,
        "--jobs", str(options.jobs), "--cuda-path", options.cuda_path,
    ]
    if options.plugin:
        command += ["--plugin", options.plugin]
    if pass_options:
        command.append(f"--pass-options={pass_options}")
    if clang_options:
        command.append(f"--clang-options={clang_options}")
    if keep:
        command += ["--keep", keep]
    command = [str(word) for word in command + options.samples]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                              timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        sys.exit(f"ptx-compare took more than {TIMEOUT_S} s")
    if done.returncode:
        sys.exit(done.returncode)  # It has said why on stderr.
    kernels = {
        kernel["name"]: kernel
        for file in json.loads(done.stdout)["files"]
        for kernel in file["kernels"]
        if kernel["kind"] == "kernel"
    }
    if keep:
        for side in ("before", "after"):
            for path in pathlib.Path(keep).glob(f"*.{side}.ptx"):
                for name, text in ptx_kernels(path.read_text()).items():
                    kernels[name][side]["ptx"] = text
    return kernels


# What -index-simplify-versioning may be, and is for the kernels that users get.
MODES = ("auto", "fast-only", "off")


def compare_bodies(options, folder):
    """As compare(), with the PTX of a versioned kernel's fast body as ["fast"].

    Kernels that are not versioned have their version after there. The PTX files
    of each of the MODES are in a folder of that name.

    Loops are unrolled only where the source says so: LLVM unrolls small loops by
    2 or 4 as their size allows, so that cheaper code may have more instructions,
    and a kernel another number of copies than its ideal.
    """
    auto, fast, off = (
        compare(options, f"-index-simplify-versioning={mode}",
                "-fno-unroll-loops", pathlib.Path(folder) / mode)
        for mode in MODES)
    for name, kernel in auto.items():
        kernel["versioned"] = kernel["after"]["ptx"] != off[name]["after"]["ptx"]
        kernel["fast"] = (fast if kernel["versioned"] else auto)[name]["after"]
    return auto


def run(command):
    """What the command prints; exits if it fails or does not end."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)}: took more than {TIMEOUT_S} s")
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


# What ptx-compare's JSON calls the costs of integer instructions: all of them, with
# the weight of their loop depth, and of innermost loops.
INDEX_COSTS = ("index_cost", "loop_index_cost", "innermost_index_cost")


def index_costs(ptx_compare, ptx):
    """{one of INDEX_COSTS: that of a whole module}"""
    counts = json.loads(run([ptx_compare, "--before", ptx, "--after", ptx,
                             "--json", "-"]))
    return {measure: sum(kernel["after"][measure] for file in counts["files"]
                         for kernel in file["kernels"])
            for measure in INDEX_COSTS}


def ptx_kernels(text):
    """{name: text} of the kernels of a PTX module."""
    found = re.finditer(r"^\s*(?:\.\w+ )*\.entry (\w+)\(.*?^}", text, re.S | re.M)
    return {match[1]: match[0] for match in found}


def geometric_mean(values):
    logarithms = [math.log(max(value, 1e-9)) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def write_record(options, results):
    if not options.machine:
        return
    record = {"date": options.date, "machine": options.machine, **results}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    print(f"\nwritten to {options.output}")


def report_misses(options, misses):
    """Prints them and returns the exit status."""
    for miss in misses:
        print(f"misses its aim: {miss}")
    return 1 if misses and options.check else 0
