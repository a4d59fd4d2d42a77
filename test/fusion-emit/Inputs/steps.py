#!/usr/bin/env python3
"""Prints the steps of each computation of a manifest, one computation a line."""

import json
import sys


def text(step, computations):
    """The kind of a step, and the names of the computations that it runs."""
    if step["step"] == "while":
        run = [step["condition"], step["body"]]
    else:
        run = step.get("branches", [])
    return " ".join([step["step"]] + [computations[number]["name"] for number in run])


def main():
    manifest = json.load(sys.stdin)
    computations = manifest["computations"]
    for computation in computations + [dict(manifest, name="entry")]:
        steps = [text(step, computations) for step in computation["steps"]]
        print(f"{computation['name']}: {', '.join(steps)}")


if __name__ == "__main__":
    main()
