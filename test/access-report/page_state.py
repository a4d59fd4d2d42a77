#!/usr/bin/env python3
"""What a page shows at some addresses, as text for FileCheck.

    page_state.py CHROMIUM PAGE HASH...
"""
import html.parser
import pathlib
import sys

import browser


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.numbers, self.grid, self.controls = [], [], []
        self.texts = {}
        self.inside = None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "dd" and "data-number" in values:
            self.inside = ("number", values["data-number"])
        elif tag == "td" and values.get("data-byte") == "0":
            self.grid.append(values.get("data-sector", values.get("data-bank", "-")))
        elif tag == "h3" or (tag == "p" and values.get("id") == "why"):
            self.inside = ("text", tag)
        elif tag == "li":
            self.inside = ("text", "note")
        elif tag == "label":
            self.inside = ("control", None)
        elif tag == "input" and values["type"] == "number":
            self.controls[-1] += "=" + values["value"]
        elif tag == "input" and values["type"] == "range":
            self.controls[-1] += " to " + values["max"]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is None:
            return
        kind, name = self.inside
        if kind == "number":
            self.numbers.append(f"{name} {data}")
        elif kind == "control":
            self.controls.append(data)
        else:
            self.texts.setdefault(name, []).append(data)


def runs(cells):
    """"0 x8, 1 x8" for what lanes have in their order."""
    text, i = [], 0
    while i < len(cells):
        j = i
        while j < len(cells) and cells[j] == cells[i]:
            j += 1
        text.append(f"{cells[i]} x{j - i}" if j - i > 1 else cells[i])
        i = j
    return ", ".join(text)


def main():
    chromium, page, *hashes = sys.argv[1:]
    for hash_of_page in hashes:
        reader = Reader()
        url = pathlib.Path(page).resolve().as_uri()
        reader.feed(browser.dump_dom(chromium, f"{url}#{hash_of_page}"))
        print(f"#{hash_of_page}")
        for name, title in (("h3", "panel"), ("p", "why"), ("note", "note")):
            for text in reader.texts.get(name, []):
                print(f"  {title}: {text}")
        if reader.controls:
            print("  choose: " + "; ".join(reader.controls))
        if reader.numbers:
            print("  " + ", ".join(reader.numbers))
            print("  lanes: " + runs(reader.grid))


if __name__ == "__main__":
    main()
