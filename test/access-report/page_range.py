#!/usr/bin/env python3
"""Are the numbers of the page inside of those of the report?

    page_range.py ACCESS-REPORT CHROMIUM LEAST FILE...

Makes the page of each file, computes each access with the script of the page at
many warps, blocks, iterations and arguments, and compares with the best and the
worst case of `access-report --json`. Compared is what the report is about: all
lanes take part that it counts, and no assumption is broken. At least LEAST
requests have to be compared.
"""
import json
import subprocess
import sys
import tempfile
from fractions import Fraction

import browser

# What does not depend on the numbers that are chosen.
HARMLESS = ("is aligned to 256 bytes", "all lanes of a warp pass the conditions")

SCRIPT = """
let seed = 1;
const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
return data.map((kernel) => kernel.accesses.map((access) => {
  if (access.why) return null;
  const needs = model.dependencies(kernel, access);
  if ([...needs.inputs].some((i) => kernel.inputs[i].differs)) return null;
  const last = Math.ceil(kernel.block.reduce((a, b) => a * b) / 32) - 1;
  const costs = [];
  for (let round = 0; round < 12; ++round) {
    const state = model.firstState(kernel);
    state.warp = [0, Math.floor(last / 2), last][round % 3];
    if (round >= 3) state.block = state.block.map(() => random(16));
    if (round >= 6) state.inputs = state.inputs.map((value, i) => {
      const input = kernel.inputs[i];
      return input.base || !input.value || round < 9 ? value : value + BigInt(16 * random(64));
    });
    if (round % 2) state.steps = state.steps.map((_, i) => {
      const most = model.lastStep(kernel, access, i, state);
      return most === null ? BigInt(random(8)) : BigInt(random(Number(most > 1000n ? 1000n : most) + 1));
    });
    costs.push(model.request(kernel, access, state).cost);
  }
  return costs;
}));
"""


def is_in_range(cost, report):
    best, worst = report["best"], report["worst"]
    if report.get("bounded"):
        unit = "wavefronts" if "wavefronts" in report else "sectors"
        return report[unit][0] <= cost[unit] <= report[unit][1]
    # Best and worst are by sectors; lines may vary between them.
    names = {"ideal_sectors": "ideal", "active_lanes": "lanes"}
    keys = [key for key in best if key not in ("efficiency", "lines")]
    if all(best[key] == worst[key] for key in keys):
        return all(cost[names.get(key, key)] == best[key] for key in keys)
    if "wavefronts" in best:
        return best["conflicts"] <= cost["conflicts"] <= worst["conflicts"]

    def ratio(of, ideal):
        return Fraction(of[ideal], of["sectors"])
    return (ratio(worst, "ideal_sectors") <= ratio(cost, "ideal")
            <= ratio(best, "ideal_sectors"))


def main():
    report, chromium, least, *files = sys.argv[1:]
    kernels, reports, model = [], [], None
    for file in files:
        with tempfile.NamedTemporaryFile(suffix=".html") as page:
            text = subprocess.run([report, file, "--json", "--html", page.name],
                                  stdout=subprocess.PIPE, check=True).stdout
            programs, model = browser.parts_of(page.name)
        for kernel, of_kernel in zip(programs["kernels"],
                                     json.loads(text)["kernels"], strict=True):
            kernels.append(kernel)
            reports.append((file, of_kernel))
    answers = browser.ask(chromium, model, kernels, SCRIPT)

    compared, other_lanes, no_numbers, accesses, wrong = 0, 0, 0, 0, 0
    for (file, of_kernel), of_page in zip(reports, answers, strict=True):
        listed = of_kernel.get("accesses", [])
        for number, (access, costs) in enumerate(zip(listed, of_page, strict=True), 1):
            if costs is None or "best" not in access or not all(
                    any(harmless in what for harmless in HARMLESS)
                    for what in access.get("assumptions", [])):
                continue
            accesses += 1
            lanes = {access["best"]["active_lanes"], access["worst"]["active_lanes"]}
            for cost in costs:
                if cost is None:
                    no_numbers += 1
                elif len(lanes) > 1 or cost["lanes"] not in lanes:
                    other_lanes += 1
                else:
                    compared += 1
                    if not is_in_range(cost, access):
                        wrong += 1
                        print(f"{file}: {of_kernel['name']}, access {number}: the page "
                              f"has {cost}, the report {access}")
    print(f"{compared} requests of {accesses} accesses compared, {other_lanes} with "
          f"other lanes, {no_numbers} without numbers, {wrong} wrong")
    return wrong > 0 or compared < int(least)


if __name__ == "__main__":
    sys.exit(main())
