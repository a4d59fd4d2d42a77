#!/usr/bin/env python3
"""Runs the pass on hostile modules: none may crash it, hang it or come out broken.

  hostile.py shapes   modules with very many of one thing (*shapes.py)
  hostile.py stress   random modules, made by llvm-stress
  hostile.py table    how the time of the shapes grows: sizes n/4, n/2 and n

The last of the shapes are few of very many: digits by sizes of run time in all
combinations (runtime_shapes.py), a search for what grows with 2^n.

Each module goes through the pass (random ones twice), with LLVM's verifier
behind it, and through both printers. What fails is kept in the folder of --keep.

By hand, for hours: hostile.py stress --seeds 1-1000000 --keep FOLDER
"""
import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

# Each registers its shapes.
import control_flow_shapes
import runtime_shapes
from shapes import HEADER, SHAPES

PRINTERS = ["index-facts,verify,index-facts<state>,verify,print<range-facts>", "print<indexing-maps>"]
# With a second body where one pays.
SHAPE_PIPELINES = ["launch-versioning,verify"] + PRINTERS
STRESS_PIPELINES = ["index-simplify,verify,index-simplify,verify,instcombine,verify"] + PRINTERS


class Runner:
    def __init__(self, options):
        self.options = options
        self.environment = dict(os.environ)
        if options.preload:
            self.environment["LD_PRELOAD"] = options.preload

    def tool(self, name):
        return os.path.join(self.options.llvm_tools, name)

    def time_of(self, path, pipeline):
        """Seconds of processor time, or what went wrong as a string."""
        command = [self.tool("opt"), f"-load-pass-plugin={self.options.plugin}",
                   f"-passes={pipeline}", "-disable-output", path]
        # Of processor time, which other work on the machine does not change.
        limit = f'ulimit -t {self.options.seconds}; exec "$@"'
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["sh", "-c", limit, "sh", *command], env=self.environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"not done after {self.options.seconds} s: {' '.join(command)}"
        if done.returncode:
            # What the printers print goes to stderr as well: the end has the error.
            end = done.stderr.decode(errors="replace")[-1500:]
            return f"exit status {done.returncode}: {' '.join(command)}\n{end}"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def check(self, name, text, pipelines):
        """Returns the first failure or None."""
        with tempfile.NamedTemporaryFile("w", suffix=".ll", delete=False) as f:
            f.write(text)
        failure = None
        for pipeline in pipelines:
            result = self.time_of(f.name, pipeline)
            if isinstance(result, str):
                os.makedirs(self.options.keep, exist_ok=True)
                kept = os.path.join(self.options.keep, f"{name}.ll")
                with open(kept, "w") as copy:
                    copy.write(text)
                failure = f"{name}: {result.replace(f.name, kept)}"
                break
        os.unlink(f.name)
        return failure

    def check_all(self, jobs, pipelines):
        """jobs: pairs of a name and a function that makes the module."""
        failures, count, begin = [], 0, time.monotonic()
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for failure in pool.map(lambda job: self.check(job[0], job[1](), pipelines), jobs):
                count += 1
                if failure:
                    failures.append(failure)
                    print(f"FAILED {failure}", flush=True)
                if sys.stderr.isatty():
                    print(f"\r{count} modules, {len(failures)} failed", end="", file=sys.stderr)
        print(f"{count} modules x {len(pipelines)} pipelines in {time.monotonic() - begin:.0f} s: "
              f"{len(failures)} failed")
        return 1 if failures else 0


def shapes(runner, options):
    def job(name):
        function, size = SHAPES[name]
        return name, lambda: function(max(2, size // options.divide))

    return runner.check_all((job(name) for name in selected(options)), SHAPE_PIPELINES)


def stress(runner, options):
    first, last = options.seeds
    layout_and_triple = HEADER.split("\n\n")[0]

    def module(seed):
        command = [runner.tool("llvm-stress"), f"-seed={seed}", f"-size={options.size}", "-o", "-"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return re.sub(r"(source_filename = .*\n)", r"\1" + layout_and_triple + "\n", text, count=1)

    jobs = ((f"stress-{options.size}-{seed}", lambda seed=seed: module(seed))
            for seed in range(first, last + 1))
    return runner.check_all(jobs, STRESS_PIPELINES)


def table(runner, options):
    """Seconds above those of reading and verifying the module."""
    print(f"{'':30}" + "".join(f"{re.sub(',?(verify|index-facts(<state>)?),?', '', p):>24}" for p in SHAPE_PIPELINES))
    status = 0
    for name in selected(options):
        function, size = SHAPES[name]
        sizes = [max(2, size // options.divide // k) for k in (4, 2, 1)]
        columns = [[] for _ in SHAPE_PIPELINES]
        for n in sizes:
            with tempfile.NamedTemporaryFile("w", suffix=".ll") as f:
                f.write(function(n))
                f.flush()
                base = runner.time_of(f.name, "verify")
                for column, pipeline in zip(columns, SHAPE_PIPELINES):
                    result = runner.time_of(f.name, pipeline)
                    failed = isinstance(base, str) or isinstance(result, str)
                    status |= failed
                    column.append("FAILED" if failed else f"{max(0, result - base):.2f}")
        print(f"{name:22}{sizes[-1]:8}" + "".join(f"{' '.join(c):>24}" for c in columns), flush=True)
    return status


def selected(options):
    if unknown := [name for name in options.only if name not in SHAPES]:
        sys.exit(f"error: no shape {unknown[0]}; there are {', '.join(SHAPES)}")
    return options.only or list(SHAPES)


def seeds(text):
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a seed nor a range like 1-100")
    return int(match[1]), int(match[2] or match[1])


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["shapes", "stress", "table"])
    parser.add_argument("--llvm-tools", default="/usr/lib/llvm-22/bin", metavar="DIR")
    parser.add_argument("--plugin", default=f"{root}/build/plugin/Unravel.so")
    parser.add_argument("--preload", default="", help="a library that opt needs first: the runtime of a sanitizer")
    parser.add_argument("--seconds", type=int, default=10, help="of processor time for each run of opt (default: 10)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="hostile-failures", metavar="DIR")
    parser.add_argument("--divide", type=int, default=1, help="of shapes, table: makes all shapes so many times smaller")
    parser.add_argument("--only", nargs="+", default=[], metavar="SHAPE")
    parser.add_argument("--seeds", type=seeds, default=(1, 100), metavar="A-B", help="of stress (default: 1-100)")
    parser.add_argument("--size", type=int, default=300, help="of stress: instructions, about (default: 300)")
    options = parser.parse_args()
    for path in (options.plugin, os.path.join(options.llvm_tools, "opt")):
        if not os.path.exists(path):
            sys.exit(f"error: {path}: no such file; build first, or name it with --plugin or --llvm-tools")
    return {"shapes": shapes, "stress": stress, "table": table}[options.mode](Runner(options), options)


if __name__ == "__main__":
    sys.exit(main())
