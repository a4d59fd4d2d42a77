#!/usr/bin/env python3
"""Checks that options-check.py reports each difference, with the line to write.

    options-selftest.py ROOT

Each case replaces one piece of text in a copy of the sources.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PAGE, RANGES = "docs/options.md", "analysis/algebra/IndexRanges.cpp"
# The file, what is replaced by what, and the message without the line number.
CASES = [
    (PAGE, "| `-index-simplify-verify-points` | 256 |", "| `-index-simplify-verify-points` | 255 |",
     "`-index-simplify-verify-points` has the default 256, not 255: correct the second column"),
    (PAGE, "| 32 | 1–65536 |", "| 32 | 0–65536 |",
     "`-index-simplify-max-terms` may be 1–65536, not 0–65536: correct the third column"),
    (PAGE, "| `--points` | 65536 |", "| `--points` | 65535 |",
     "`--points` has the default 65536, not 65535: correct the second column"),
    (PAGE, "| `-index-simplify-max-group` |", "| `-index-simplify-max-grouping` |",
     "`-index-simplify-max-grouping` is no option of plugin: take the line out"),
    ("plugin/Plugin.cpp", '"index-simplify-max-group"', '"index-simplify-max-team"',
     "an option is missing; write: | `-index-simplify-max-team` | 48 | 0–1048576 | "
     "WHAT IS LIMITED | BEYOND IT |"),
    ("plugin/Plugin.cpp", "Reciprocals(", 'Other("other", cl::init(true));\nstatic cl::opt<bool> '
     "Reciprocals(", "an option is missing; write: | `-other` | on | MEANING |"),
    (RANGES, "MaxDigitDepth = 4;", "MaxDigitDepth = 1 << 4;",
     "the constants have changed; write: | analysis/algebra/IndexRanges.cpp | MaxDigitDepth = 16, "),
    (RANGES, "static constexpr unsigned MaxDigitDepth", "static const unsigned MaxDigitDepth",
     "the constants have changed; write: | analysis/algebra/IndexRanges.cpp | MaxSplits = "),
    ("transforms/plan/PlanPlace.h", "namespace unravel {",
     "constexpr int64_t MaxThings = (int64_t(1) << 31) - 1, MinThings = 3; // MaxOthers = 4;\n"
     "namespace unravel {", "bounds are missing; write: | transforms/plan/PlanPlace.h | "
     "MaxThings = 2^31-1, MinThings = 3 | WHAT THEY BOUND |"),
    (PAGE, "| analysis/algebra/IndexDomain.cpp |", "| analysis/algebra/IndexDomains.cpp |",
     "analysis/algebra/IndexDomains.cpp has no bounds: take the line out"),
    (RANGES, "MaxDigitDepth = 4;", "MaxDigitDepth = sizeof(int);",
     "the value of MaxDigitDepth is no number: sizeof(int)"),
    (PAGE, "\n| analysis/algebra/IndexDomain.cpp |", "\n\n| analysis/algebra/IndexDomain.cpp |",
     "a row outside of a table: move it into one"),
]


def check(script, root):
    return subprocess.run([sys.executable, script, root], capture_output=True, text=True)


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    script, failures = source / "test/docs/options-check.py", 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for top in ("docs", "plugin", "analysis", "transforms", "frontend", "tools"):
            shutil.copytree(source / top, root / top)
        for name, old, new, message in CASES:
            path = root / name
            text = path.read_text()
            path.write_text(text.replace(old, new, 1))
            result = check(script, root)
            path.write_text(text)
            if old not in text or message not in result.stderr or result.returncode != 1:
                failures += 1
                print(f"{name}: {old} -> {new}: expected\n{message}\nbut options-check.py prints\n"
                      f"{result.stderr}", file=sys.stderr)
    print(f"{len(CASES) - failures} of {len(CASES)} differences are reported as they should")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
