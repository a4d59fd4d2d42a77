"""What a browser shows of a page of ptx-compare, one line a thing.

    page_text.py CHROMIUM PAGE
"""
import html.parser
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "access-report"))
import browser


class Reader(html.parser.HTMLParser):
    """Prints summaries, facts, rows of remarks and maps, and marks in the PTX."""

    def __init__(self):
        super().__init__()
        self.is_open = False
        self.place = ""
        self.words = []
        self.in_remarks = False

    def handle_starttag(self, tag, attributes):
        classes = dict(attributes).get("class", "")
        if tag == "details":
            self.is_open = "open" in dict(attributes)
        elif tag == "table":
            self.in_remarks = "remarks" in classes.split()
        elif tag == "summary":
            self.begin(f"details {'open' if self.is_open else 'folded'}")
        elif tag == "li":
            self.begin("fact")
        elif tag == "tr" and self.in_remarks:
            self.begin("row")
        elif tag == "tr" and classes == "mark":
            self.begin("mark")
        elif tag == "td" and self.place == "row" and self.words:
            self.words.append("|")

    def begin(self, place):
        self.place, self.words = place, []

    def handle_data(self, data):
        if self.place and data.strip():
            self.words.append(data.strip())

    def handle_endtag(self, tag):
        if self.place and tag in ("summary", "li", "tr"):
            print(f"{self.place}: {' '.join(self.words)}")
            self.place = ""


chromium, page = sys.argv[1:]
reader = Reader()
reader.feed(browser.dump_dom(chromium, pathlib.Path(page).resolve().as_uri()))
