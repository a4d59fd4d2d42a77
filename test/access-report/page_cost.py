#!/usr/bin/env python3
"""Does the page count sectors and wavefronts as analysis/access/RequestCost?

    page_cost.py ACCESS-REPORT CHROMIUM

Random requests, answered by `access-report --jsonl` and by the page's script.
"""
import json
import pathlib
import random
import subprocess
import sys

import browser

# The expression, and the same for Python.
FORMS = (
    ("{a}*t + {b}", lambda t, a, b, c: a * t + b),
    ("{a}*(t mod {c}) + {b}", lambda t, a, b, c: a * (t % c) + b),
    ("{a}*(t floordiv {c}) + {b}*t", lambda t, a, b, c: a * (t // c) + b * t),
    ("{b} - {a}*t", lambda t, a, b, c: b - a * t),
    ("{a}*(t ^ {c}) + {b}", lambda t, a, b, c: a * (t ^ c) + b),
)
SCRIPT = """
return data.map(({ addresses, bytes, shared }) => {
  const lanes = addresses.map((a) => a === null ? null : BigInt(a));
  return shared ? model.sharedCost(lanes, bytes) : model.globalCost(lanes, bytes);
});
"""


def main():
    report, chromium = sys.argv[1:]
    rng = random.Random(7)
    lines, requests = [], []
    for number in range(3000):
        form, meaning = rng.choice(FORMS)
        a = rng.choice((0, 1, 2, 3, 4, 8, 12, 16, 31, 32, 33, 64, 100, 128, 132, 4096))
        b, c = rng.randint(-300, 300), rng.randint(1, 31)
        lanes = rng.choice((32, 32, rng.randint(0, 31)))
        bytes_per_lane, shared = rng.choice((1, 2, 4, 8, 16)), rng.random() < .5
        text = form.format(a=a, b=f"({b})", c=c) + f" for t < {lanes}"
        lines.append(json.dumps({
            "id": number, "kind": "shared_request" if shared else "warp_request",
            "lane_to_byte": text, "bytes_per_lane": bytes_per_lane}))
        requests.append({
            "addresses": [meaning(t, a, b, c) if t < lanes else None for t in range(32)],
            "bytes": bytes_per_lane, "shared": shared})
    done = subprocess.run([report, "--jsonl", "-"], input="\n".join(lines), text=True,
                          stdout=subprocess.PIPE, check=True)
    expected = [json.loads(line) for line in done.stdout.splitlines()]
    model = pathlib.Path(__file__).parents[2] / "tools/access-report/model.js"
    found = browser.ask(chromium, model.read_text(), requests, SCRIPT)
    wrong = 0
    for line, want, have in zip(lines, expected, found, strict=True):
        have["ideal_sectors"] = have.get("ideal")
        if any(have.get(key) != want[key] for key in
               ("bytes", "sectors", "lines", "ideal_sectors", "wavefronts", "conflicts")
               if key in want):
            wrong += 1
            print(f"{line}: {have}, not {want}")
    print(f"{len(found)} requests, {wrong} wrong")
    return wrong > 0 or len(found) != len(lines)


if __name__ == "__main__":
    sys.exit(main())
