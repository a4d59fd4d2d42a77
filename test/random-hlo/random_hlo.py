#!/usr/bin/env python3
"""Random HLO modules through fusion-emit: all have to be right in every way.

  random_hlo.py --seeds 1-100        checks the modules of these seeds
  random_hlo.py --print 17           writes one of them to stdout

Each module is emitted with naive indices and with indices from composed maps, run on
this CPU as emitted and after the passes, and compared with the reference evaluator
(fusion-emit --check); it is compiled to PTX; and each output has to be
stored by exactly one thread of its thread map. What fails is made smaller and kept
in the folder of --keep.

With --all-opcodes, the seeds together have to have each opcode of HloOpcodes.def, and
results in the memory of parameters, tuples among parameters, tuples in tuples.

By hand, for an hour: random_hlo.py --seeds 1000-1000000 --time 3600 --keep FOLDER
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from random_modules import FORMS, RandomModule
from thread_maps import coverage_problem

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNS = [["--check"], ["--check", "--index=maps"], ["--emit=ptx"], ["--emit=maps"]]


class Checker:
    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + options.time if options.time else None

    def run(self, path, flags, seed):
        """stdout, and what went wrong as text."""
        command = [self.options.fusion_emit, *flags, f"--inputs=random:{seed}", path]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return "", f"not done after {self.options.seconds} s: {' '.join(command)}"
        if done.returncode:
            return "", f"exit status {done.returncode}: {' '.join(command)}\n{done.stderr[-1500:]}"
        return done.stdout, ""

    def problem_of(self, text, seed, runs=RUNS):
        """The first one, with the run that has it; or nothing."""
        with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
            file.write(text)
            file.flush()
            for flags in runs:
                output, problem = self.run(file.name, flags, seed)
                if not problem and flags == ["--emit=maps"]:
                    problem = coverage_problem(text, output)
                if problem:
                    return problem.replace(file.name, f"{seed}.hlo"), flags
        return None

    def check(self, seed):
        """The opcodes of the module of this seed, and what is wrong with it; None
        if there is no time left."""
        if self.end and time.monotonic() > self.end:
            return None
        module = RandomModule(seed)
        found = self.problem_of(module.text, seed)
        if not found:
            return module.opcodes, ""
        problem, flags = found
        text = self.smaller(module, seed, flags)
        os.makedirs(self.options.keep, exist_ok=True)
        path = os.path.join(self.options.keep, f"{seed}.hlo")
        with open(path, "w") as file:
            file.write(text)
        return module.opcodes, f"seed {seed}, kept in {path}: {problem}"

    def smaller(self, module, seed, flags):
        """The shortest beginning that fails in the same run, if one does."""
        for steps in range(1, module.steps + 1):
            text = RandomModule(seed, steps, reduced=True).text
            if self.problem_of(text, seed, [flags]):
                return text
        return module.text


def opcodes_of_hlo():
    with open(f"{ROOT}/frontend/hlo/HloOpcodes.def") as file:
        return set(re.findall(r'^HLO_OP\(\w+, "([\w-]+)"', file.read(), re.M))


def check_all(options):
    first, last = options.seeds
    checked, failed, opcodes, begin = 0, 0, set(), time.monotonic()
    told = begin
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(Checker(options).check, range(first, last + 1)):
            if not result:
                continue
            of_module, problem = result
            checked += 1
            opcodes |= of_module
            if problem:
                failed += 1
                print(f"FAILED {problem}", flush=True)
            if time.monotonic() > told + 60:
                told = time.monotonic()
                print(f"{checked} modules, {failed} failed", file=sys.stderr, flush=True)
    print(f"{checked} modules with {len(opcodes - set(FORMS))} opcodes in {time.monotonic() - begin:.0f} s: "
          f"{failed} failed")
    missing = (opcodes_of_hlo() | set(FORMS)) - opcodes if options.all_opcodes else ()
    if missing:
        print(f"no module has {', '.join(sorted(missing))}")
    return 1 if failed or missing else 0


def seeds(text):
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a seed nor a range like 1-100")
    return int(match[1]), int(match[2] or match[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--seeds", type=seeds, default=(1, 100), metavar="A-B", help="default: 1-100")
    add("--print", type=int, metavar="SEED", help="write the module of this seed and do nothing else")
    add("--fusion-emit", default=f"{ROOT}/build/bin/fusion-emit", metavar="FILE")
    add("--jobs", type=int, default=os.cpu_count())
    add("--seconds", type=int, default=120, help="for each run of fusion-emit (default: 120)")
    add("--time", type=int, metavar="SECONDS", help="begin no module after this time")
    add("--keep", default="random-hlo-failures", metavar="DIR")
    add("--all-opcodes", action="store_true", help="fail if an opcode is in none of the modules")
    options = parser.parse_args()
    if options.print is not None:
        print(RandomModule(options.print).text)
        return 0
    if not os.path.exists(options.fusion_emit):
        sys.exit(f"error: {options.fusion_emit}: no such file; build first, or name it with --fusion-emit")
    return check_all(options)


if __name__ == "__main__":
    sys.exit(main())
