#!/usr/bin/env python3
"""Tables and a page of what bench/gpu measured.

    bench/gpu/report.py results.jsonl [--html PAGE.html] [--plot FILE.svg]
                        [--record FILE.json]

Prints a table in Markdown: for each size, cold and warm L2, the time of every version
against its own compiler's (unravel / clang, ptx-simplify / nvcc) and against nvcc's, in
geometric mean and the worst case, and how far kernels are from the copy of equal bytes.
Exits with 1 if a version was wrong, or slower than its compiler's by more than 3 %.

The page shows every kernel: its distance from the copy before, and its gain. --plot
draws the same as SVG, or as PNG if the name ends so (needs rsvg-convert). --record
writes the medians alone, for bench/results: of each case the microseconds with cold and
with warm L2 by version.

With --ncu FILE.ncu.csv, what measure.sh --ncu counted, it also prints instructions and
the limiter of each version, if FILE.jsonl is beside it; and with --access FILE, what
access-report --json says, sectors a request: the measured mean must lie between the
least and the most of the kernel's accesses.
"""

import argparse
import html
import json
import math
import pathlib
import subprocess
import sys

import compilers
import counters
import fusions
import prices

# A version and the one that it must not be slower than.
PAIRS = (("unravel", "clang"), ("ptx-simplify", "nvcc"), ("ptx-simplify", "compiler"),
         ("fusion-unravel", "fusion"))
# Against these a version has no duty.
OTHERS = (("clang", "nvcc"), ("unravel", "nvcc"), ("ideal", "nvcc"), ("nvcc", "copy"),
          ("unravel", "copy"), ("ptx-simplify", "copy"),
          ("fusion-unravel", "copy"), ("by-hand", "fusion-unravel"),
          ("fusion-emit", "compiler"),
          *((choice, "unravel") for choice in compilers.CHOICES),
          *((choice, "ptx-simplify") for choice in compilers.PTX_CHOICES),
          *((choice, "fusion-unravel") for choice in fusions.CHOICES))
SLOWER = 1.03
CACHES = ("cold", "warm")


def main():
    options = parse()
    gpu, rows, errors = read(options.results)
    cases = by_case(rows)
    instructions = {key: cases.pop(key) for key in list(cases)
                    if key[0].startswith("price/")}
    print(f"{gpu['gpu']}, driver {gpu['driver'] // 1000}.{gpu['driver'] % 1000 // 10}, "
          f"{gpu['multiprocessors']} multiprocessors at {gpu['clock_khz'] / 1e6:.2f} GHz, "
          f"{gpu['l2_bytes'] >> 20} MB of L2; {len(cases)} cases\n")
    print(table(cases))
    slow = slower(cases)
    wrong = [f"{label(row)} {row['version']}: {row['check']}" for row in rows
             if row.get("check", "").startswith("WRONG")]
    for title, lines in (("slower than its compiler's", slow), ("wrong", wrong),
                         ("not measured", errors)):
        if lines:
            print(f"\n{title}: {len(lines)}\n" + "\n".join(f"* {line}" for line in lines))
    if instructions:
        print("\n" + prices.table(instructions))
    if options.ncu:
        print_counted(options)
    if options.html:
        options.html.write_text(page(gpu, cases))
    if options.record:
        options.record.write_text(record(gpu, {**cases, **instructions}))
    if options.plot:
        write_plot(options.plot, plot(points_of(cases)))
    return 1 if slow or wrong or errors else 0


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("results", type=pathlib.Path)
    add("--html", type=pathlib.Path)
    add("--plot", type=pathlib.Path)
    add("--record", type=pathlib.Path)
    add("--ncu", type=pathlib.Path)
    add("--access", type=pathlib.Path)
    options = parser.parse_args()
    if options.access and not options.ncu:
        parser.error("--access needs --ncu")
    return options


# --- Reading ------------------------------------------------------------------


def read(path):
    """The GPU, the measured versions, and lines that say what was not measured."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: no results of gpu-bench: {error}")
    if not lines or "gpu" not in lines[0]:
        sys.exit(f"{path}: no results of gpu-bench: the first line names no GPU")
    errors = [f"{label(row)} {row['version']}: {row['error']}" for row in lines[1:]
              if "error" in row]
    return lines[0], [row for row in lines[1:] if "error" not in row], errors


def label(row):
    return f"{row['case']} ({row['element']} bytes, {row['size']})"


def by_case(rows):
    """{(case, element, size): {version: row}}"""
    cases = {}
    for row in rows:
        key = row["case"], row["element"], row["size"]
        cases.setdefault(key, {})[row["version"]] = row
    return cases


def ratio(versions, version, base, cache):
    """The time of a version / that of another, or None if either is missing."""
    if version not in versions or base not in versions:
        return None
    return versions[version][cache]["median_us"] / versions[base][cache]["median_us"]


# --- Judging ------------------------------------------------------------------


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table(cases):
    lines = ["| size | L2 | time / | kernels | geometric mean | best | worst |",
             "|---|---|---|---|---|---|---|"]
    sizes = sorted({key[2] for key in cases})
    for size in sizes:
        for cache in CACHES:
            for version, base in PAIRS + OTHERS:
                found = [value for key, versions in cases.items() if key[2] == size
                         if (value := ratio(versions, version, base, cache))]
                if found:
                    lines.append(
                        f"| {size} | {cache} | {version} / {base} | {len(found)} | "
                        f"{mean(found):.3f} | {min(found):.3f} | {max(found):.3f} |")
    return "\n".join(lines)


def slower(cases):
    """Versions that are slower than what they start from, by more than their spread.

    A difference within the middle 80 % of both versions' runs is no difference.
    """
    found = []
    for versions in cases.values():
        for version, base in PAIRS:
            for cache in CACHES:
                value = ratio(versions, version, base, cache)
                if not value or value <= SLOWER:
                    continue
                times, before = versions[version][cache], versions[base][cache]
                if times["p10_us"] > before["p90_us"]:
                    found.append(
                        f"{label(versions[version])}, {cache} L2: {version} "
                        f"{times['median_us']:.1f} us, {base} {before['median_us']:.1f}")
    return found


def print_counted(options):
    counted = counters.read(options.ncu)
    launches = options.ncu.with_name(options.ncu.name.replace(".ncu.csv", ".jsonl"))
    if launches.exists():
        _, rows, _ = read(launches)
        print("\n" + counters.launches_table(counters.by_launch(counted, rows)))
    if options.access:
        print("\n" + counters.sectors_table(counted, options.access))


# --- Drawing ------------------------------------------------------------------


def points_of(cases):
    """(distance from the copy before, time after / before, text) of every pair."""
    return [(before, gain, f"{label(versions[version])}: {version} / {base} {gain:.3f}, "
                           f"{base} / copy {before:.2f}")
            for versions in cases.values() for version, base in PAIRS
            if (gain := ratio(versions, version, base, "warm"))
            and (before := ratio(versions, base, "copy", "warm"))]


WIDTH, HEIGHT, MARGIN = 900, 480, 60


def plot(points):
    """An SVG: how far from the copy a kernel was, and what the pass made of it."""
    right = max([2.0, *(x for x, _, _ in points)])
    low = min([0.5, *(y for _, y, _ in points)])
    high = max([1.1, *(y for _, y, _ in points)])

    def across(value):
        return MARGIN + (WIDTH - 2 * MARGIN) * math.log(max(value, 0.5) / 0.5) \
            / math.log(right / 0.5)

    def down(value):
        return MARGIN + (HEIGHT - 2 * MARGIN) * math.log(high / value) \
            / math.log(high / low)

    def text(x, y, words, anchor="middle"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             'font-size="13"><rect width="100%" height="100%" fill="white"/>']
    for value in (0.5, 0.7, 0.8, 0.9, 1.0, 1.1):
        if low <= value <= high:
            parts.append(f'<path d="M{MARGIN} {down(value):.1f}H{WIDTH - MARGIN}" '
                         f'stroke="{"#888" if value == 1 else "#ddd"}"/>')
            parts.append(text(MARGIN - 8, down(value) + 4, f"{value:g}", "end"))
    for value in (0.5, 1, 2, 4, 8, 16, 32):
        if value <= right:
            parts.append(text(across(value), HEIGHT - MARGIN + 20, f"{value:g}"))
    parts.append(text(WIDTH / 2, HEIGHT - 14,
                      "time before / time of a copy of equal bytes"))
    parts.append(text(MARGIN, MARGIN - 20, "time after / time before", "start"))
    for x, y, words in points:
        colour = "#b2182b" if y > SLOWER else "#2166ac"
        parts.append(f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="4" '
                     f'fill="{colour}" fill-opacity="0.6"><title>{html.escape(words)}'
                     "</title></circle>")
    return "".join(parts) + "</svg>"


def write_plot(path, svg):
    if path.suffix == ".png":
        subprocess.run(["rsvg-convert", "-o", path, "/dev/stdin"], check=True,
                       input=svg.encode())
    else:
        path.write_text(svg + "\n")


def record(gpu, cases):
    lines = [f'  {json.dumps(label(next(iter(versions.values()))))}: ' + json.dumps(
        {version: [row[cache]["median_us"] for cache in CACHES]
         for version, row in versions.items()}) for versions in cases.values()]
    return (json.dumps({"gpu": gpu}, indent=1)[:-2] + ',\n "microseconds": {\n'
            + ",\n".join(lines) + "\n}}\n")


def page(gpu, cases):
    names = list(dict.fromkeys(name for versions in cases.values() for name in versions))
    rows = []
    for versions in cases.values():
        some = next(iter(versions.values()))
        cells = "".join(
            f"<td>{row['warm']['median_us']:.1f}</td><td>{row['cold']['median_us']:.1f}"
            f"</td>" if (row := versions.get(version)) else "<td></td><td></td>"
            for version in names)
        rows.append(f"<tr><th>{html.escape(label(some))}</th>{cells}</tr>")
    heads = "".join(f'<th colspan="2">{version}</th>' for version in names)
    return f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<title>Kernels on {html.escape(gpu['gpu'])}</title>
<style>body {{ font: 15px sans-serif; margin: 2em }} td {{ text-align: right }}
th {{ text-align: left }} td, th {{ padding: 2px 8px; border-bottom: 1px solid #ddd }}
</style>
<h1>Kernels on {html.escape(gpu['gpu'])}</h1>
<p>Each point is a kernel with warm L2: left are those that take as long as a copy of
equal bytes, low those that became faster. The table has medians in microseconds, with
warm and with cold L2.</p>
{plot(points_of(cases))}
<table><tr><th>kernel</th>{heads}</tr>{"".join(rows)}</table></html>
"""


if __name__ == "__main__":
    sys.exit(main())
