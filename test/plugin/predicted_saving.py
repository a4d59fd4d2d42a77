"""The saving that a remark predicts, against the saving of the PTX.

The PTX may save more: facts that the source states help LLVM's passes in front
of the trial and behind it, too.

Compiles kernels, puts the lines that the remarks suggest into them, compiles
them again, and compares the costs of both. `--kernels` names those that must
have a prediction.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
from predicted_savings import predictions  # noqa: E402

# Prices of IR differ a little from those of the PTX (LatePrices.h).
SLACK = 3


def suggestions(record):
    """{kernel: (lines, predicted saving, cost before)}: the set of all facts."""
    found = {}
    for kernel, *prediction in predictions(record):
        found.setdefault(kernel, prediction)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True, help="clang++ and its options")
    parser.add_argument("--ptx-compare", required=True)
    parser.add_argument("--kernels", nargs="+", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    record = options.folder / "record.yaml"
    before, after = options.folder / "before.ptx", options.folder / "after.ptx"

    def compile_to(output, *more):
        subprocess.run(
            [*shlex.split(options.compile), options.source, "-o", output, *more],
            check=True,
        )

    compile_to(
        before,
        *["-g", "-Xclang", "-debug-info-kind=limited"],
        *["-Xclang", "-opt-record-file", "-Xclang", str(record)],
    )
    suggested = suggestions(record.read_text())
    compile_to(
        after,
        *["-g", "-Xclang", "-debug-info-kind=limited"],
        *[f"-DFACTS_{kernel}={lines}" for kernel, (lines, _, _) in suggested.items()],
    )
    compared = json.loads(
        subprocess.run(
            [options.ptx_compare, "--before", before, "--after", after, "--json", "-"],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )
    measured = {
        kernel["name"]: kernel["before"]["loop_cost"] - kernel["after"]["loop_cost"]
        for kernel in compared["files"][0]["kernels"]
    }
    wrong = 0
    for kernel in options.kernels:
        if kernel not in suggested:
            print(f"{kernel}: nothing is suggested")
            wrong += 1
            continue
        lines, predicted, cost = suggested[kernel]
        is_right = measured[kernel] > 0 and measured[kernel] >= predicted - SLACK
        wrong += not is_right
        print(
            f"{kernel}: predicted {predicted} of {cost}, measured "
            f"{measured[kernel]}: {'kept' if is_right else 'BROKEN'}: {lines}"
        )
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
