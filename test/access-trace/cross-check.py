#!/usr/bin/env python3
"""Does the access report agree with what kernels do?

Compiles the samples, runs their launches with kernel-run --trace-access, and lets
check-trace compare every request with the classes of the analysis. The same for
random HLO modules, whose kernels fusion-emit makes.

Prints a line for each corpus: accesses, how many are not understood, requests by
verdict; and what check-trace says of mistakes. Exit status: 0 no mistake, and few
enough accesses are not understood; 1 otherwise; 2 something could not be run; 77
there is no CUDA toolkit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
TIMEOUT = 300
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/random-hlo"))
from random_modules import RandomModule  # noqa: E402
COUNTS = ["accesses", "not_understood", "bounded", "equal", "fewer_lanes", "broken_assumption",
          "not_decided", "of_not_understood", "wrong"]


class Failure(Exception):
    """A command that does not do what it must."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True, help="the folder of kernel-run")
    parser.add_argument("--check-trace", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--samples", nargs="*", metavar="FOLDER", help="below cuda_samples",
                        default=["", "real", "loops"])
    parser.add_argument("--only", metavar="KERNEL")
    parser.add_argument("--blocks", type=int, default=4,
                        help="blocks of each launch; 0: all that the launch names")
    parser.add_argument("--launches", type=int, default=3,
                        help="launches of each kernel; 0: all")
    parser.add_argument("--modules", type=int, default=25, help="random HLO modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1,
                        help="share of accesses of samples that may be not understood")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--details", action="store_true")
    return parser.parse_args()


def run(command, statuses=(0,)):
    """Standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=TIMEOUT)
    if done.returncode not in statuses:
        raise Failure(f"{' '.join(map(str, command))}: {done.stderr.strip()[-400:]}"
                      f"{done.stdout.strip()[-400:]}")
    return done.stdout


def check(module, kernel, launches, options, folder):
    """(counts, mistakes) of the launches of a kernel."""
    described, trace = folder / "launches.json", folder / "trace.jsonl"
    described.write_text(json.dumps(launches))
    command = [options.bin / "kernel-run", module, "--kernel", kernel,
               "--launches", described, f"--trace-access={trace}"]
    run(command)
    lines = run([options.check_trace, module, trace], statuses=(0, 1)).splitlines()
    return json.loads(lines[0]), [f"{kernel}: {line.strip()}" for line in lines[1:]]


def sampled(launch, options):
    if options.blocks and "blocks" not in launch:
        total = 1
        for size in launch["grid"]:
            total *= size
        numbers = {total * i // options.blocks for i in range(options.blocks)}
        launch["blocks"] = ",".join(map(str, sorted(numbers | {total - 1})))
    return launch


def kernels_of(folder):
    """{(file, kernel): launches}"""
    found = {}
    for launch in json.loads((folder / "launches.json").read_text()):
        file = launch.get("file", launch["kernel"] + ".cu")
        for kernel in [launch["kernel"], launch.get("ideal")]:
            if kernel:
                found.setdefault((file, kernel), []).append(dict(launch, kernel=kernel))
    return found


def compile_sample(source, to, options):
    run([options.clang, "-x", "cuda", source, "-O3", "-S", "-emit-llvm",
         "--cuda-device-only", "--cuda-gpu-arch=sm_90", f"--cuda-path={options.cuda_path}",
         "-Wno-unknown-cuda-version", "-o", to])
    # As access-report does.
    run([options.opt, "-S", "-passes=sroa<preserve-cfg>,early-cse", to, "-o", to])


def check_sample(name, file, kernels, options, folder):
    """[(counts, mistakes)] of the kernels of a file."""
    folder.mkdir()
    module = folder / "module.ll"
    compile_sample(ROOT / "cuda_samples" / name / file, module, options)
    results = []
    for kernel, launches in kernels.items():
        if options.launches:
            launches = launches[:options.launches]
        results.append(check(module, kernel, [sampled(l, options) for l in launches],
                             options, folder))
    return results


def check_samples(name, options, folder, pool):
    files = {}
    for (file, kernel), launches in kernels_of(ROOT / "cuda_samples" / name).items():
        if options.only in (None, kernel):
            files.setdefault(file, {})[kernel] = launches
    tasks = [pool.submit(check_sample, name, file, kernels, options,
                         folder / f"{name}{number}")
             for number, (file, kernels) in enumerate(files.items())]
    return [result for task in tasks for result in task.result()]


def check_module(seed, options, folder):
    """[(counts, mistakes)] of the kernels of a random HLO module."""
    folder.mkdir()
    text, module, manifest = folder / "m.hlo", folder / "m.ll", folder / "m.json"
    text.write_text(RandomModule(seed).text)
    # With the index arithmetic of the operations, and simplified.
    passes = "optimize" if seed % 2 else "simplify"
    run([options.bin / "fusion-emit", text, f"--passes={passes}", "-o", module,
         f"--manifest={manifest}"])
    run([options.opt, "-S", "-passes=sroa<preserve-cfg>,early-cse", module, "-o", module])
    described = json.loads(manifest.read_text())
    results = []
    for kernel in described["kernels"]:
        arguments = [
            f"{'inout' if number in kernel['written'] else 'in'}:u8:"
            f"{max(described['buffers'][number]['bytes'], 1)}"
            for number in kernel["arguments"]]
        launch = {"kernel": kernel["name"], "grid": kernel["grid"], "block": kernel["block"],
                  "args": ",".join(arguments)}
        results.append(check(module, kernel["name"], [sampled(launch, options)], options,
                             folder))
    return results


def check_modules(options, folder, pool):
    tasks = [pool.submit(check_module, seed, options, folder / f"hlo{seed}")
             for seed in range(options.seed, options.seed + options.modules)]
    return [result for task in tasks for result in task.result()]


def summarize(name, results, options):
    total, mistakes = Counter(), []
    reasons, broken = Counter(), Counter()
    for counts, lines in results:
        for key in COUNTS:
            total[key] += counts[key]
        reasons.update(counts["reasons"])
        broken.update(counts["by"])
        mistakes += lines
    requests = sum(total[key] for key in COUNTS[3:])
    share = total["not_understood"] / max(total["accesses"], 1)
    print(f"{name}: {total['accesses']} accesses, {total['not_understood']} not understood "
          f"({100 * share:.1f} %), {total['bounded']} bounded only; {requests} requests: {total['equal']} as the report says, "
          f"{total['fewer_lanes']} with fewer lanes, {total['broken_assumption']} break an "
          f"assumption, {total['not_decided']} not decided, {total['of_not_understood']} of "
          f"accesses not understood, {total['wrong']} wrong")
    if options.details:
        for counter in (reasons, broken):
            for text, count in counter.most_common():
                print(f"    {count} {text}")
    for line in mistakes:
        print("  " + line)
    sys.stdout.flush()
    return total


def main():
    options = parse_arguments()
    if not options.cuda_path or not Path(options.cuda_path).is_dir():
        print("skipped: no CUDA toolkit (--cuda-path)")
        return SKIPPED
    total = Counter()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(options.jobs) as pool:
        try:
            for corpus in options.samples:
                results = check_samples(corpus, options, Path(name), pool)
                total += summarize(f"cuda_samples/{corpus}".rstrip("/"), results, options)
            random = summarize("random HLO", check_modules(options, Path(name), pool), options)
        except (Failure, subprocess.TimeoutExpired, OSError) as failure:
            print(failure, file=sys.stderr)
            return 2
    few = total["not_understood"] <= options.limit * total["accesses"]
    if not few:
        print(f"more than {100 * options.limit:.0f} % of the accesses are not understood")
    return 0 if few and not total["wrong"] + random["wrong"] else 1


if __name__ == "__main__":
    sys.exit(main())
