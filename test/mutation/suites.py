"""The tests that may notice a mutation: each case of the unit tests, each lit
test, and random kernels before and after the pass.

All run once without a mutation. That says how long each takes and which
mutations it evaluates (Mutated.h); no other mutation can change its result.
"""
import collections
import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from listed import ROOT, fail

MEMORY = 8 << 30  # of one test program; a mutant may ask for more
BATCH = 16  # lit tests with one start of lit
FUZZER = "kernel-fuzz --count=1000"


class Test:
    """`group` is the program or, for lit tests, None; `name` is unique."""

    def __init__(self, name, group=None):
        self.name, self.group = name, group
        self.seconds, self.reached = 0, set()


def limit_memory():
    """Only the soft limit: a browser reserves more addresses than any limit on
    a mutant allows, and takes it back (browser.py)."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def execute(command, cwd, timeout, **environment):
    """(exit status, output, seconds); the status is None if it did not end."""
    start = time.time()
    process = subprocess.Popen(
        [str(c) for c in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env={**os.environ, **{k: str(v) for k, v in environment.items()}},
        start_new_session=True,
        preexec_fn=limit_memory,
    )
    try:
        output, status = process.communicate(timeout=timeout)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, status = process.communicate()[0], None
    return status, output.decode(errors="replace"), time.time() - start


class Suites:
    def __init__(self, source, build, programs, jobs):
        self.source, self.build, self.jobs = source, build, jobs
        self.work = build / "mutation"  # what the tests write
        cache = (build / "CMakeCache.txt").read_text()
        self.lit = re.search(r"^UNRAVEL_LIT:\w+=(.*)", cache, re.M).group(1)
        self.configure_lit()
        self.programs = {Path(p).name: build / p for p in programs if p.startswith("test/unit/")}
        self.tests = [Test(f"{p}:{case}", p) for p in sorted(self.programs) for case in self.cases(p)]
        self.tests += [Test(path) for path in self.lit_tests()]
        if "bin/kernel-fuzz" in programs:
            self.tests.append(Test(FUZZER, FUZZER))
        self.kills = collections.Counter()  # (file, test)

    # 1. What tests there are.

    def configure_lit(self):
        """lit hands on only the environment that it is told to; several run at
        a time, each in a folder of its own."""
        site = self.build / "test/lit.site.cfg.py"
        mark = "# What follows is from test/mutation/suites.py.\n"
        lines = [
            "import os, sys",
            "config.environment['UNRAVEL_MUTATION'] = os.environ['UNRAVEL_MUTATION']",
            f"config.test_exec_root = {str(self.work)!r} + '/lit-' + os.environ['UNRAVEL_MUTATION']",
            f"sys.path.insert(0, {str(self.source / 'test/mutation')!r})",
            "import lit_format",
            "if 'UNRAVEL_REACHED_FOLDER' in os.environ:",
            "    config.test_format = lit_format.ReachingTest(os.environ['UNRAVEL_REACHED_FOLDER'])",
        ]
        site.write_text(site.read_text().partition(mark)[0] + mark + "\n".join(lines) + "\n")

    def cases(self, program):
        status, output, _ = execute([self.programs[program], "--gtest_list_tests"], self.source, 60)
        if status != 0:
            fail(f"{program} cannot list its tests:\n{output[-1000:]}")
        suite = ""
        for line in output.splitlines():
            name = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = name if name.endswith(".") else ""
            elif suite and "DISABLED_" not in name:
                yield suite + name

    def lit_tests(self):
        command = [self.lit, "--show-tests", self.build / "test"]
        status, output, _ = execute(command, self.build, 60, UNRAVEL_MUTATION=0)
        if status != 0:
            fail(f"lit cannot list its tests:\n{output[-1000:]}")
        return re.findall(r"^  \S+ :: (\S+)$", output, re.M)

    # 2. Without a mutation.

    def measure(self, digest, count):
        """Runs everything without a mutation, unless that was done for these
        very sources."""
        store = self.build / "mutation-baseline.json"
        if store.exists() and (known := json.loads(store.read_text()))["digest"] == digest:
            for test in self.tests:
                test.seconds, reached = known["tests"][test.name]
                test.reached = set(reached)
            return
        with tempfile.TemporaryDirectory() as folder:
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                list(pool.map(lambda t: self.measure_program(t, Path(folder)), filter(lambda t: t.group, self.tests)))
            self.measure_lit(Path(folder))
            for test in self.tests:
                file = Path(folder, test.name.replace("/", "+"))
                data = file.read_bytes() if file.exists() else b""
                test.reached = {n for n in range(1, count + 1) if data[n : n + 1] == b"\1"}
        tests = {t.name: (t.seconds, sorted(t.reached)) for t in self.tests}
        store.write_text(json.dumps({"digest": digest, "tests": tests}))

    def measure_program(self, test, folder):
        reached = folder / test.name.replace("/", "+")
        command = self.fuzz_command(0) if test.group == FUZZER else self.program_command([test])
        status, output, test.seconds = execute(command, self.source, 1200, UNRAVEL_MUTATIONS_REACHED=reached)
        if status != 0 or (test.group == FUZZER and self.has_findings(output)):
            fail(f"{test.name} fails without a mutation; make the tests pass first\n{output[-2000:]}")

    def measure_lit(self, folder):
        times = folder / "times.json"
        command = [self.lit, "-q", f"-j{self.jobs}", f"--output={times}", self.build / "test"]
        status, output, _ = execute(command, self.build, 3600, UNRAVEL_MUTATION=0, UNRAVEL_REACHED_FOLDER=folder)
        if status != 0:
            fail(f"lit tests fail without a mutation; make the tests pass first\n{output[-2000:]}")
        seconds = {t["name"].split(" :: ")[1]: t["elapsed"] for t in json.loads(times.read_text())["tests"]}
        for test in self.tests:
            if not test.group:
                test.seconds = seconds[test.name]

    # 3. With one.

    def notice(self, m, path):
        """The name of a test that notices the mutation, or None; and how many
        tests evaluate it."""
        number = m["number"]
        candidates = [t for t in self.tests if number in t.reached]
        try:
            for batch in self.batches(m, path, candidates):
                if found := self.run(batch, number):
                    self.kills[path, found] += 1
                    return found, len(candidates)
            return None, len(candidates)
        finally:
            shutil.rmtree(self.work / f"lit-{number}", ignore_errors=True)
            shutil.rmtree(self.work / f"fuzz-{number}", ignore_errors=True)

    def batches(self, m, path, tests):
        """Tests to run together: first the one that noticed it last time, then
        those that noticed most of the same file, then the fast ones."""
        hint = self.hinted(m.get("noticed_by", ""), tests)
        if hint:
            yield [hint]
        known = sorted((t for t in tests if t is not hint and self.kills[path, t.name]), key=lambda t: -self.kills[path, t.name])
        for test in known[:5]:
            yield [test]
        rest = [t for t in tests if t is not hint and t not in known[:5]]
        groups = collections.defaultdict(list)
        for test in sorted(rest, key=lambda t: t.seconds):
            if test.group:
                groups[test.group].append(test)
        fuzz = groups.pop(FUZZER, None)
        yield from sorted(groups.values(), key=lambda tests: sum(t.seconds for t in tests))
        slow = sorted((t for t in rest if not t.group), key=lambda t: (-self.kills[path, t.name], t.seconds))
        yield from (slow[i : i + BATCH] for i in range(0, len(slow), BATCH))
        if fuzz:
            yield fuzz

    @staticmethod
    def hinted(name, tests):
        """That test, or the only one of that name in another folder."""
        found = [t for t in tests if t.name == name] or [t for t in tests if Path(t.name).name == Path(name).name]
        return found[0] if len(found) == 1 else None

    def run(self, tests, number):
        """The name of the test that failed, or None."""
        timeout = 30 + 10 * sum(t.seconds for t in tests)
        if tests[0].group == FUZZER:
            status, output, _ = execute(self.fuzz_command(number), self.source, timeout, UNRAVEL_MUTATION=number)
            return FUZZER if status is None or status < 0 or self.has_findings(output) else None
        if tests[0].group:
            command = self.program_command(tests)
            status, output, _ = execute(command, self.source, timeout, UNRAVEL_MUTATION=number)
            started = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)  # the last one fails, crashes, or does not end
            return None if status == 0 else f"{tests[0].group}:{started[-1] if started else '*'}"
        paths = [self.build / "test" / t.name for t in tests]
        command = [self.lit, "-j1", "--max-failures=1", "--order=lexical", *paths]
        status, output, _ = execute(command, self.build, timeout, UNRAVEL_MUTATION=number)
        if status == 0:
            return None
        failed = re.findall(r"^(?:FAIL|TIMEOUT|UNRESOLVED): \S+ :: (\S+)", output, re.M)
        passed = re.findall(r"^\w+: \S+ :: (\S+)", output, re.M)
        return failed[0] if failed else min({t.name for t in tests} - set(passed), default="lit")

    def program_command(self, tests):
        names = [t.name.partition(":")[2] for t in tests]
        return [self.programs[tests[0].group], "--gtest_fail_fast", f"--gtest_filter={':'.join(names)}"]

    def fuzz_command(self, number):
        command = [self.build / "bin/kernel-fuzz", "--form=raw", *FUZZER.split()[1:], "--jobs=1"]
        return [*command, f"--output={self.work}/fuzz-{number}", f"--load-pass-plugin={self.build}/plugin/Unravel.so"]

    @staticmethod
    def has_findings(output):
        return re.search(r"\b(findings|crashes)=[1-9]", output)
