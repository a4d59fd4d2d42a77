"""Compares the text of --emit=access, tiles or utilisation with its JSON.

same_numbers.py FORM FUSION-EMIT ARGUMENT...: writes the lines of the text anew
from the JSON, and both have to be equal.
"""
import json
import subprocess
import sys


def span(pair, show=str):
    texts = [show(number) for number in pair]
    return texts[0] if texts[0] == texts[1] else " to ".join(texts)


def two(number):
    return f"{number:.2f}"


def cost(c):
    return (f"sectors: {span(c['sectors'])}, ideal: {span(c['ideal_sectors'])}, "
            f"lines: {span(c['lines'])}, efficiency: {span(c['efficiency'], two)}")


def access_lines(data):
    for kernel in data["kernels"]:
        yield (f"kernel {kernel['name']}: {kernel['kind']}, {kernel['blocks']} "
               f"blocks of {kernel['block']} threads")
        for a in kernel["accesses"]:
            name = f"  {a['kind']} {a['array']}"
            element = [f"    element: {a['element']}"] if "element" in a else []
            if "not_understood" in a:
                yield f"{name}: not understood: {a['not_understood']}"
                yield from element
                continue
            yield f"{name}, {a['bytes_per_lane']} bytes a lane: {a['pattern']}"
            yield from element
            yield "    " + cost(a["request"])
            yield "    first warp: " + cost(a["first_warp"])
            total = a["total"]
            efficiency = span(sorted(total["efficiency"]), two)
            if total["complete"]:
                yield (f"    kernel: {total['requests']} requests, "
                       f"{span(total['sectors'])} sectors, efficiency: {efficiency}")
            else:
                yield f"    some requests: efficiency: {efficiency}"
            if a["together_efficiency"] is not None:
                yield ("    requests of a warp together: efficiency: "
                       + two(a["together_efficiency"]))
            vector = a["vector"]
            yield (f"    vector: {vector} element{'s' * (vector != 1)}, coalesced: "
                   + ("yes" if a["coalesced"] else "no"))
    for name in data["not_read"]:
        yield f"{name}: not read"


def listed(values):
    return "(" + ", ".join(map(str, values)) + ")"


def tile_line(t):
    name = t["from"] + (f" -> {t['to']}" if "to" in t else "")
    if "no_tile" in t:
        return f"{name}: no tile: {t['no_tile']}"
    if not t["read"]:
        return f"{name}: not read"
    offsets = t["offsets"] if isinstance(t["offsets"], str) else listed(t["offsets"])
    line = (f"{name}: offsets {offsets}, sizes {listed(t['sizes'])}, "
            f"strides {listed(t['strides'])}")
    if t.get("shared"):
        line += f", shared with the next tiles {listed(t['shared'])}"
    if t.get("conditions"):
        line += f", if {t['conditions']}"
    parts = [f"{d} in [{low}, {high}]" for d, (low, high) in sorted(t["for"].items())]
    return line + (", for " + " and ".join(parts) if parts else "")


def fusions(data, key, line):
    for fusion in data["fusions"]:
        yield f"// {fusion['name']}"
        yield from map(line, fusion[key])


def use_line(a):
    if "unknown" in a:
        return f"{a['name']}: unknown: {a['unknown']}"
    show = lambda key: "unknown" if a[key] is None else span(a[key])
    return (f"{a['name']}: different elements: {show('elements')}, bounding box: "
            f"{show('bounding_box')}, array: {a['array']}, reads: {show('reads')}, "
            f"bytes with repeats: {show('bytes_with_repeats')}")


def reuse_line(r):
    if r["elements"] is None:
        return (f"kernel {r['kernel']}: how much of {r['array']} a block loads "
                "is not known")
    in_line = r["shared"][1] is None and r["shared"][2] is None
    block = lambda b: f"block {b[0]}" if in_line else f"block {listed(b)}"
    line = (f"kernel {r['kernel']}: {block(r['block'])} loads {r['elements']} "
            f"element{'s' * (r['elements'] != 1)} of {r['array']}")
    first = True
    for axis, count in enumerate(r["shared"]):
        if count is None:
            continue
        then = [n + (i == axis) for i, n in enumerate(r["block"])]
        line += (f", {count} of them {block(then)} as well" if first
                 else f", {count} {block(then)}")
        first = False
    return line


def utilisation_lines(data):
    yield from fusions(data, "arrays", use_line)
    yield "// kernels"
    if "no_kernels" in data:
        yield "unknown: " + data["no_kernels"]
    yield from map(reuse_line, data.get("loads", []))


form, *command = sys.argv[1:]
command += [f"--emit={form}"]
text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
data = json.loads(subprocess.run(command + ["--json"], check=True,
                                 capture_output=True, text=True).stdout)
wanted = [line for line in text.splitlines() if line]
given = list({"access": access_lines, "utilisation": utilisation_lines,
              "tiles": lambda d: fusions(d, "tiles", tile_line)}[form](data))
for one, other in zip(wanted, given):
    if one != other:
        sys.exit(f"{command}\ntext: {one}\nJSON: {other}")
if len(wanted) != len(given):
    sys.exit(f"{command}: {len(wanted)} lines of text, {len(given)} of JSON")
print(len(wanted), "lines")
