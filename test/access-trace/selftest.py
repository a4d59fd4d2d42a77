#!/usr/bin/env python3
"""Does check-trace notice traces that are wrong?

Traces a sample, then changes one number of a request at a time: an offset, the
cost, the lanes, the warp. Exit status: 0 the trace is right, and every change is
noticed; 1 otherwise.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "cuda_samples/ir/reshape3.ll"


def shift_all(request):
    request["offsets"] = [offset + 4 for offset in request["offsets"]]


def shift_one(request):
    request["offsets"][7] += 4


def change_cost(request):
    request["sectors"] += 1


CHANGES = {
    "": lambda request: None,
    "residues differ": shift_all,
    "distances differ": shift_one,
    "its cost is outside": change_cost,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kernel-run", required=True)
    parser.add_argument("--check-trace", required=True)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        trace, changed = Path(folder) / "trace.jsonl", Path(folder) / "changed.jsonl"
        subprocess.run([options.kernel_run, MODULE, "--kernel", "reshape3", "--grid", "3",
                        "--block", "256", "--args", "in:f32:60000,out:f32:60000",
                        f"--trace-access={trace}"], check=True, stdout=subprocess.DEVNULL)
        lines = trace.read_text().splitlines()
        for expected, change in CHANGES.items():
            request = json.loads(lines[9])
            change(request)
            changed.write_text("\n".join(lines[:9] + [json.dumps(request)] + lines[10:]))
            done = subprocess.run([options.check_trace, MODULE, changed],
                                  capture_output=True, text=True)
            right = done.returncode == bool(expected) and expected in done.stdout
            if not right:
                failed += 1
                print(f"FAILED: {expected or 'no change'}: {done.stdout}{done.stderr}")
    print(f"{len(CHANGES)} traces, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
