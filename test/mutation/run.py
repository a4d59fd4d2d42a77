#!/usr/bin/env python3
"""Breaks every rule and every fact source on purpose; do the tests notice?

mutations.jsonl lists the mutations, one a line:

  id           a name: FILE/WHAT
  file         the source that is mutated
  from, to     an expression and what stands in its place; or, if `from` ends in
               `;` or `}`, whole statements. `from` occurs once in the file, or
               is the first occurrence behind the text `after`
  kind         "wrong": the mutant makes wrong forms or wrong code; "lost": a
               rule is missing, code gets dearer
  breaks       what is broken, in words
  noticed_by   the test that notices it, tried first (--record writes it)
  harmless     for a mutant that no test can notice: why that is so

The sources are copied to the build folder; there each place becomes
`(mutated(N) ? (to) : (from))`, so that one build holds all mutants and the
environment variable UNRAVEL_MUTATION=N picks one. Without it everything must
pass; with it some test must fail, crash, or not end.

Exit status: 0 if each mutation is noticed or listed as harmless, 1 if not, 2 if
the list does not fit the sources or something could not be built.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = HERE / "mutations.jsonl"
LLVM = Path("/usr/lib/llvm-22/bin")
SKIPPED = {".git", "build", "build-asan", ".deps", "cuda_samples", "__pycache__"}
MEMORY = 8 << 30  # of one test program; a mutant may ask for more
FIELDS = {"id", "file", "from", "to", "after", "kind", "breaks", "noticed_by", "harmless"}


def fail(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


# 1. The list.


def read_list():
    mutations, ids = [], set()
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        where = f"{LIST.name}:{number}"
        try:
            m = json.loads(line)
        except ValueError as error:
            fail(f"{where}: not JSON ({error})")
        missing = {"id", "file", "from", "to", "kind", "breaks"} - m.keys()
        if missing or m.keys() - FIELDS:
            fail(f"{where}: missing or unknown fields: {sorted(missing | (m.keys() - FIELDS))}")
        if m["kind"] not in ("wrong", "lost"):
            fail(f"{where}: kind is \"wrong\" or \"lost\", not \"{m['kind']}\"")
        if m["id"] in ids:
            fail(f"{where}: {m['id']} is taken; choose another id")
        ids.add(m["id"])
        check_shape(m)
        m["number"] = number
        mutations.append(m)
    return mutations


# 2. The mutated sources.


def place_of(m, text):
    start = 0
    if "after" in m:
        start = text.find(m["after"])
        if start < 0:
            fail(f"{m['id']}: {m['file']} has no `{m['after']}`; adapt `after`")
    begin = text.find(m["from"], start)
    if begin < 0:
        fail(f"{m['id']}: {m['file']} has no `{m['from']}`; adapt `from`")
    if "after" not in m and text.find(m["from"], begin + 1) >= 0:
        fail(f"{m['id']}: `{m['from']}` occurs more than once in {m['file']}; add `after`")
    return begin, begin + len(m["from"])


def is_statement(text):
    return re.sub(r"//[^\n]*$", "", text).rstrip().endswith((";", "}"))


def check_shape(m):
    """Half an expression, or two, would compile to something else."""
    depth = 0
    for c in m["from"]:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0 or (c == "," and depth == 0 and not is_statement(m["from"])):
            break
    else:
        if depth == 0 and is_statement(m["to"] or ";") == is_statement(m["from"]):
            return
    fail(f"{m['id']}: `from` and `to` have to be one whole expression each, or whole statements")


def switched(m, original):
    if is_statement(m["from"]):
        return f"{{ if (::unravel::mutated({m['number']})) {{ {m['to']} }} else {{ {original}\n}} }}"
    return f"(::unravel::mutated({m['number']}) ? ({m['to']}) : ({original}))"


def mutate(text, places, begin=0, end=None):
    """The text from begin to end, with the places (sorted, nested or apart)."""
    end = len(text) if end is None else end
    result, position = "", begin
    while places:
        (low, high), m = places.pop(0)
        inner = []
        while places and places[0][0][0] < high:
            if places[0][0][1] > high:
                fail(f"{places[0][1]['id']} overlaps {m['id']}: one must hold the other")
            inner.append(places.pop(0))
        result += text[position:low] + switched(m, mutate(text, inner, low, high))
        position = high
    return result + text[position:end]


def write_if_changed(path, data):
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_sources(mutations, target):
    seen = set()
    for folder, folders, files in os.walk(ROOT):
        relative = Path(folder).relative_to(ROOT)
        folders[:] = [f for f in folders if f not in SKIPPED]
        for name in files:
            file = relative / name
            seen.add(str(file))
            data = (ROOT / file).read_bytes()
            mine = [m for m in mutations if m["file"] == str(file)]
            if mine:
                text = data.decode()
                places = sorted(
                    ((place_of(m, text), m) for m in mine), key=lambda p: (p[0][0], -p[0][1], p[1]["number"])
                )
                data = ('#include "test/mutation/Mutated.h"\n' + mutate(text, places)).encode()
            write_if_changed(target / file, data)
    for m in mutations:
        if m["file"] not in seen:
            fail(f"{m['id']}: there is no {m['file']}; adapt `file`")
    for path in target.rglob("*"):  # tests that are gone
        if path.is_file() and str(path.relative_to(target)) not in seen:
            path.unlink()
    samples = target / "cuda_samples"
    if not samples.exists():
        samples.symlink_to(ROOT / "cuda_samples")


def build(source, target, jobs):
    configure = ["cmake", "-G", "Ninja", "-S", source, "-B", target, "-DCMAKE_CXX_FLAGS=-w"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    # ccache knows the files that have no mutation.
    environment = dict(os.environ, CCACHE_BASEDIR=str(source), CCACHE_NOHASHDIR="1")
    for command in (configure, ["ninja", "-C", target, f"-j{jobs}", "-k0"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        if done.returncode:
            errors = [l for l in done.stdout.splitlines() if "error" in l]
            fail("the mutated sources do not build; adapt the list:\n" + "\n".join(errors[:30] or [done.stdout[-3000:]]))
    # lit hands on only the environment that it is told to.
    site = target / "test/lit.site.cfg.py"
    lines = (
        "import os\n"
        'number = config.environment["UNRAVEL_MUTATION"] = os.environ.get("UNRAVEL_MUTATION", "0")\n'
        'config.test_exec_root += "/mutation/" + number  # several run at a time\n'
    )
    if lines not in site.read_text():
        site.write_text(site.read_text() + lines)


# 3. The tests.


def execute(command, number, timeout, cwd):
    """(exit status, output); None as the status of what did not end."""
    process = subprocess.Popen(
        [str(c) for c in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=dict(os.environ, UNRAVEL_MUTATION=str(number)),
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    try:
        output = process.communicate(timeout=timeout)[0]
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""


class Suite:
    """One test program or one folder of lit tests."""

    def __init__(self, name, build):
        self.name, self.build = name, build
        self.is_unit = name.startswith("unit/")

    def run(self, number, timeout, only=None):
        """The name of the test that failed, or None."""
        if self.is_unit:
            program = self.build / "test" / self.name
            command = [program, "--gtest_fail_fast", "--gtest_brief=1"]
            if only:
                command.append(f"--gtest_filter={only}")
            status, output = execute(command, number, timeout, ROOT)
            failed = re.search(r"\[  FAILED  \] (\S+?)[ ,(]", output)
        else:
            path = self.build / "test" / self.name / (only or "")
            status, output = execute([LLVM / "lit", "-q", "-j1", "--max-failures=1", path], number, timeout, self.build)
            failed = re.search(r"^(?:FAIL|TIMEOUT|UNRESOLVED): \S+ :: (?:[^/ ]+/)*?(\S+)", output, re.M)
            if failed:
                return f"{self.name}/" + failed.group(1).split("/")[-1]
        if status is None:
            return f"{self.name}:{only or '*'} (does not end)"
        if status == 0:
            return None
        return f"{self.name}:{failed.group(1) if failed else only or '*'}" + ("" if failed else " (crash)")


class PassSuite(Suite):
    """test/index-simplify. Most tests there look at nothing but what the pass
    makes of their file: they are run only if the mutation changes that."""

    PLAIN = re.compile(r"%unravel-opt -passes=index-simplify(,verify)? -S %s -o %t.ll\n")

    def __init__(self, name, build):
        super().__init__(name, build)
        self.plain, self.others = [], []
        for path in sorted((ROOT / "test" / name).glob("*.ll")):
            uses = [l for l in path.read_text().splitlines(True) if l.startswith("; RUN") and "unravel-opt" in l]
            is_plain = len(uses) == 1 and self.PLAIN.search(uses[0])
            (self.plain if is_plain else self.others).append(path)
        self.before = {}
        self.kills = collections.Counter()

    def output(self, path, number, timeout):
        plugin = self.build / "plugin/Unravel.so"
        command = [LLVM / "opt", f"-load-pass-plugin={plugin}", "-passes=index-simplify", "-S", path]
        return execute(command, number, timeout, ROOT)

    def run(self, number, timeout, only=None):
        if only or number == 0:
            return super().run(number, timeout, only)
        for path in sorted(self.plain, key=lambda p: -self.kills[p]):
            if path not in self.before:
                self.before[path] = self.output(path, 0, timeout)
            if self.output(path, number, timeout) != self.before[path]:
                if found := super().run(number, timeout, path.name):
                    self.kills[path] += 1
                    return found
        for path in self.others:
            if found := super().run(number, timeout, path.name):
                return found
        return None


class FuzzSuite(Suite):
    """Random kernels, run before and after the pass."""

    def run(self, number, timeout, only=None):
        findings = self.build / f"test/mutation/{number}/kernel-fuzz"
        command = [self.build / "bin/kernel-fuzz", "--form=raw", "--count=1000", "--jobs=1", f"--output={findings}"]
        command.append(f"--load-pass-plugin={self.build / 'plugin/Unravel.so'}")
        status, output = execute(command, number, timeout, self.build)
        if status is None or status < 0 or re.search(r"\b(findings|crashes)=[1-9]", output):
            return self.name
        return None


# What to try first for a file; everything else follows in this order.
FIRST = {
    "Interval": ["IntervalTest"],
    "IndexExpr": ["IndexExprTest", "IndexConditionsTest"],
    "IndexDomain": ["IndexDomainTest", "IndexDomainSoundnessTest"],
    "IndexRanges": ["IndexDomainTest", "IndexDomainSoundnessTest"],
    "IndexProver": ["IndexProverTest", "SymbolicDivisionTest"],
    "IndexPolynomial": ["IndexPolynomialTest", "SymbolicDivisionTest"],
    "IndexDigits": ["IndexDomainTest", "IndexDomainSoundnessTest", "FloorBasisTest"],
    "FloorBasis": ["FloorBasisTest", "FloorBasisNestingTest", "FloorBasisResidueTest"],
    "TruncatingDivision": ["TruncatingDivisionTest"],
    "SymbolicDivision": ["SymbolicDivisionTest"],
    "MinMax": ["MinMaxTest"],
    "IndexConditions": ["IndexConditionsTest"],
    "RangeFacts": ["RangeFactsTest", "RecoveryFactsTest", "IndexRecoveryTest"],
    "IndexRecovery": ["RecoveryFactsTest", "RangeFactsTest", "IndexRecoveryTest"],
    "RecoverScopeFacts": ["RecoveryFactsTest", "RangeFactsTest", "IndexRecoveryTest"],
    "RecoverOperation": ["RecoveryFactsTest", "IndexRecoveryTest"],
    "RecoverBits": ["BitRecoveryTest", "IndexRecoveryTest"],
}
PASS_SUITES = {}  # remembers what the pass makes of each file unmutated
FOLDERS = [
    "print-range-facts",
    "print-indexing-maps",
    "index-simplify",
    "launch-versioning",
    "index-facts",
    "index-loops",
    "plugin",
    "index-map",
]


def suites_for(m, build, seconds):
    """Only what depends on the file, fast and likely ones first."""
    name = Path(m["file"]).stem
    programs = sorted(p.name for p in (build / "test/unit").iterdir() if os.access(p, os.X_OK) and p.is_file())
    if m["file"].startswith("transforms/"):
        names = ["index-simplify", "launch-versioning", "index-facts", "index-loops", "plugin"]
    elif m["file"].startswith("frontend/"):
        names = [f"unit/{p}" for p in programs if re.match(r"Hlo|ThreadMaps|ElementEmitter|KernelEmitter|MapIndexEmitter", p)]
        names = sorted(names, key=lambda n: seconds.get(n, 0)) + ["fusion-emit"]
    else:
        first = FIRST.get(name, [])
        if name in ("RangeFacts", "IndexRecovery", "RecoverScopeFacts", "RecoverOperation", "RecoverBits"):
            others = []
        else:
            slow = ["RangeFactsTest", "RecoveryFactsTest", "IndexRecoveryTest"]
            others = [p for p in programs if p not in first + slow + ["PtxTextTest", "MapCheckTest"]]
            others = sorted(others, key=lambda p: seconds.get(f"unit/{p}", 0)) + slow
        names = [f"unit/{p}" for p in first + others]
        names += FOLDERS if others else FOLDERS[:-1]
    suites = [PASS_SUITES.setdefault(n, PassSuite(n, build)) if n == "index-simplify" else Suite(n, build) for n in names]
    # The last word on what concerns IR, where the fuzzer is part of the build.
    concerns_ir = m["file"].startswith("transforms/") or name in ("RangeFacts", "IndexRecovery", "RecoverScopeFacts", "RecoverOperation", "RecoverBits")
    if concerns_ir and (build / "bin/kernel-fuzz").exists():
        suites.append(FuzzSuite("kernel-fuzz", build))
    return suites


def noticed_by(m, build, timeout, seconds):
    hint = re.sub(r" \(.*", "", m.get("noticed_by", ""))
    if hint.startswith("unit/"):
        suite, only = hint.split(":")
    else:
        suite, _, only = hint.rpartition("/")
    if hint and ((build / "test" / suite).exists() if ":" in hint else (ROOT / "test" / hint).exists()):
        if found := Suite(suite, build).run(m["number"], timeout, only if only != "*" else None):
            return found
    for suite in suites_for(m, build, seconds):
        if found := suite.run(m["number"], timeout):
            return found
    return None


def try_mutation(m, build, timeout, seconds):
    found = noticed_by(m, build, timeout, seconds)
    shutil.rmtree(build / "test/mutation" / str(m["number"]), ignore_errors=True)
    return found


# 4. The report.


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="check that the mutations fit the sources, print them and stop")
    parser.add_argument("--only", metavar="ID", help="only mutations whose id begins with ID")
    parser.add_argument("--kind", choices=["wrong", "lost"], help="only mutations of this kind")
    parser.add_argument("--skip-harmless", action="store_true", help="leave out what is listed as harmless (each takes all tests)")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build/mutation", help="default: build/mutation")
    parser.add_argument("--jobs", type=int, default=2, help="mutations tried at a time (default: 2)")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one test program or folder (default: 300)")
    parser.add_argument("--no-baseline", action="store_true", help="do not check first that all tests pass unmutated")
    parser.add_argument("--record", action="store_true", help="write what noticed each mutation into the list")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)

    mutations = read_list()
    chosen = [m for m in mutations if m["id"].startswith(options.only or "") and options.kind in (None, m["kind"])]
    if options.skip_harmless:
        chosen = [m for m in chosen if "harmless" not in m]
    if not chosen:
        fail(f"no such id begins with {options.only}; --list prints them")
    if options.list:
        for m in mutations:
            place_of(m, (ROOT / m["file"]).read_text())
        for m in chosen:
            print(f"{m['number']:4} {m['kind']:5} {m['id']:45} {m['breaks']}")
        return 0
    source, target = options.build_dir / "source", options.build_dir / "build"
    copy_sources(mutations, source)
    build(source, target, options.jobs)
    start = time.time()
    seconds = {}  # of each suite, without a mutation
    if not options.no_baseline:
        for suite in {s.name: s for m in chosen for s in suites_for(m, target, seconds)}.values():
            begin = time.time()
            if failed := suite.run(0, 4 * options.timeout):
                fail(f"{failed} fails without a mutation; make the tests pass first")
            seconds[suite.name] = time.time() - begin
        print(f"without a mutation everything passes ({time.time() - start:.0f} s)")

    unnoticed = stale = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda m: try_mutation(m, target, options.timeout, seconds), chosen)
        for m, by in zip(chosen, found):
            if by:
                state = "noticed"
                m["noticed_by"] = by
                if "harmless" in m:
                    state, stale = "NOTICED, though listed as harmless", stale + 1
            elif "harmless" in m:
                state, by = "harmless", m["harmless"]
            else:
                state, unnoticed = "UNNOTICED", unnoticed + 1
            print(f"{state:9} {m['number']:4} {m['kind']:5} {m['id']:45} {by or m['breaks']}")
    if options.record:
        LIST.write_text("".join(json.dumps({k: v for k, v in m.items() if k != "number"}) + "\n" for m in mutations))
    harmless = sum("harmless" in m for m in chosen)
    wrong = sum(m["kind"] == "wrong" for m in chosen)
    print(
        f"{len(chosen)} mutations ({wrong} wrong, {len(chosen) - wrong} lost rules): "
        f"{len(chosen) - unnoticed - harmless} noticed, {harmless} harmless, {unnoticed} unnoticed; "
        f"{time.time() - start:.0f} s"
    )
    return 1 if unnoticed or stale else 0


if __name__ == "__main__":
    sys.exit(main())
