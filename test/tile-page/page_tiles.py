"""The pages of fusion-emit --emit=tiles and index-map --tile in Chromium.

page_tiles.py CHROMIUM INDEX-MAP PAGE: numbers and the number of drawn points
are compared with what index-map --tile --jsonl answers about the map and with
the elements of the boxes, one by one.
"""
import html
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "access-report"))
import browser

chromium, index_map, page = sys.argv[1:4]
text = pathlib.Path(page).read_text()
tables = json.loads(re.search(
    r'<script type="application/json" id="tables-data">(.*?)</script>', text, re.S)[1])
model = re.search(r"<script>([^<]*?const tileModel = .*?)</script>", text, re.S)
random.seed(3)


def elements(tile):
    return set(itertools.product(*(range(o, o + n * s, s) for o, n, s in tile["box"])))


def number_of(table, at):
    number = 0
    for count, i in zip(table["counts"], at):
        number = number * count + i
    return number


def answers(questions):
    lines = "\n".join(map(json.dumps, questions))
    done = subprocess.run([index_map, "--tile", "--jsonl"], input=lines, text=True,
                          capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def parts(dom):
    found = {key: html.unescape(value) for key, value in
             re.findall(r'<dd data-number="(\w+)">(.*?)</dd>', dom)}
    canvas = re.search(r"<canvas[^>]*>", dom)[0]
    for key in "drawn", "both":
        found[key] = int(re.search(rf'data-{key}="(\d+)"', canvas)[1])
    return found


checked = 0
for map_number, table in enumerate(tables):
    facts = dict(table["facts"])
    every = list(itertools.product(*map(range, table["counts"])))
    for at in random.sample(every, min(3, len(every))):
        tile = table["tiles"][number_of(table, at)]
        state = "&".join([f"map={map_number + 1}"] + [f"i{d}={i}" for d, i in enumerate(at)])
        shown = parts(browser.dump_dom(chromium, f"file://{page}#{state}"))
        # How large tiles are, the test says; the map is what the page shows.
        question = {"map": facts["map"], "tile": json.loads(sys.argv[4]), "at": list(at),
                    "reuse": True}
        answer, = answers([question])
        where = f"{table['title']} at {at}"
        if not answer["box"]:
            if shown["why"] != answer["reason"] or shown["drawn"]:
                sys.exit(f"{where}: {shown} instead of {answer}")
            checked += 1
            continue
        numbers = lambda key: [int(n) for n in shown[key].split(", ") if n]
        for key in "offset", "size", "stride":
            # A tile without elements has the offset 0 in both.
            if numbers(key) != answer[key]:
                sys.exit(f"{where}: {key} {shown[key]} instead of {answer[key]}")
        reuse = [n or 0 for n in answer["reuse"]]
        if [n if n != "not known" else 0 for n in numbers("shared")] != reuse:
            sys.exit(f"{where}: shared {shown['shared']} instead of {reuse}")
        # By enumeration.
        own = elements(tile)
        next_own = []
        near = set()
        for d, count in enumerate(table["counts"]):
            for step in -1, 1:
                to = [i + step * (k == d) for k, i in enumerate(at)]
                if 0 <= to[d] < count:
                    other = elements(table["tiles"][number_of(table, to)])
                    near |= other
                    if step == 1:
                        next_own.append(len(own & other))
            if at[d] == count - 1:
                next_own.append(0)
        if next_own != reuse:
            sys.exit(f"{where}: shared {reuse}, enumerated {next_own}")
        # The plane that is drawn: the last two dimensions, others where the
        # tile begins. Arrays of the test are smaller than the canvas.
        rank = len(table["sizes"])
        inside = {e for e in own
                  if all(e[d] == tile["box"][d][0] for d in range(rank - 2))
                  and all(f <= i < f + n for i, f, n in zip(e, table["first"], table["sizes"]))}
        if shown["drawn"] != len(inside) or shown["both"] != len(inside & near):
            sys.exit(f"{where}: {shown} drawn instead of {len(inside)} and "
                     f"{len(inside & near)}")
        checked += 1
print(f"{len(tables)} maps, {checked} tiles")
