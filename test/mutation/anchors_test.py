#!/usr/bin/env python3
"""Are mutations found again after files moved and names changed?

Copies of the sources with all files in other folders, formatted anew, all or
half of the names that the list quotes changed: each mutation has to be found at
the same tokens, and what stands in its place has to have the new names. Then
small sources for what cannot be found.
"""
import tempfile
import unittest
import zlib
from pathlib import Path

import anchors
import listed
from tokens import Code, is_free, renamed


def write(folder, files):
    for path, text in files.items():
        path = Path(folder, path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return anchors.Sources(folder)


def places(mutations, sources):
    return [(m, anchors.find(m, sources)) for m in mutations]


class WholeList(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources = anchors.Sources(listed.ROOT)
        found = places(listed.read(), cls.sources)
        # The list may be some names behind; from here on it is not.
        cls.mutations = anchors.update(found, cls.sources)
        cls.places = [place for _, place in found]
        cls.quoted = {t.text for m in cls.mutations for t in anchors.quoted(m)[0].tokens if is_free(t)}

    def check(self, names, stem="{}"):
        """Change these names, and all folders; `stem` is the new name of a file."""
        moved = {}
        for number, path in enumerate(sorted({p.path for p in self.places})):
            moved[path] = Path(f"room{number % 7}", f"part{number}", stem.format(path.stem) + path.suffix)
        with tempfile.TemporaryDirectory() as folder:
            sources = write(
                folder, {new: self.anew(self.sources.code(old), names) for old, new in moved.items()}
            )
            found = places(self.mutations, sources)
            for (m, place), old in zip(found, self.places):
                self.assertEqual(place[:3], (moved[old.path], old.first, old.last), m["id"])
            for (m, place), to in zip(found, anchors.replacements(found, sources)):
                self.assertEqual(to, renamed(m["to"], names), m["id"])
            again = anchors.update(found, sources)
            for m, place in places(again, sources):
                self.assertFalse(place.is_renamed(), m["id"])
            self.assertEqual(anchors.update(places(again, sources), sources), again)

    @staticmethod
    def anew(code, names):
        """The tokens, one or five a line, with other names."""
        words = [names.get(t.text, t.text) if t.kind == "name" else t.text for t in code.tokens]
        return "".join(w + ("  // anew\n" if len(w) % 5 == 0 else " ") for w in words)

    def test_folders(self):
        self.check({})

    def test_all_names(self):
        self.check({name: name + "Anew" for name in self.quoted})

    def test_some_names(self):
        for half in (0, 1):
            self.check({name: name + "Anew" for name in self.quoted if zlib.crc32(name.encode()) % 2 == half})

    def test_variables(self):
        """Functions keep their names: they begin with a small letter."""
        self.check({name: name + "Anew" for name in self.quoted if name[0].isupper()})

    def test_files(self):
        """The function tells where to look if no file has that name."""
        self.check({}, stem="{}Anew")


MIN = """
namespace n {
/// The smaller one.
int least(int A, int B) {
  if (A < B) // strictly
    return A;
  return B;
}
struct Pair { int First; int most() const { return First < Second ? Second : First; } int Second; };
}
"""


class SmallSources(unittest.TestCase):
    def find(self, m, text, path="a/Min.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            sources = write(folder, {path: text})
            place = anchors.find(m, sources)
            [to] = anchors.replacements([(m, place)], sources)
            return sources.code(place.path).excerpt(place.first, place.last), to, sources.function_at(place)[1]

    M = {"id": "least", "file": "Min", "function": "least", "from": "A < B", "to": "B < A"}

    def test_as_spelled(self):
        self.assertEqual(self.find(self.M, MIN), ("A < B", "B < A", "least"))

    def test_renamed(self):
        text = MIN.replace("A", "Left").replace("B", "Right").replace("least", "smallest")
        m = {**self.M, "function": "smallest"}
        self.assertEqual(self.find(m, text), ("Left < Right", "Right < Left", "smallest"))

    def test_moved(self):
        self.assertEqual(self.find(self.M, MIN, "b/c/Max.h"), ("A < B", "B < A", "least"))

    def test_method(self):
        m = {**self.M, "function": "Pair::most", "from": "First < Second", "to": "First > Second"}
        self.assertEqual(self.find(m, MIN)[2], "Pair::most")

    def test_other_class(self):
        m = {**self.M, "file": "Pair", "function": "Couple::most", "from": "First < Second", "to": "false"}
        self.assertEqual(self.find(m, MIN)[2], "Pair::most")

    def test_other_function(self):
        m = {**self.M, "file": "Pair", "function": "larger", "from": "First < Second ? Second : First", "to": "First"}
        self.assertIn("no function larger", self.misfit(m, MIN))  # too short
        m["before"] = "return"
        self.assertEqual(self.find(m, MIN)[2], "Pair::most")

    def misfit(self, m, text):
        with self.assertRaises(anchors.Misfit) as caught:
            self.find(m, text)
        return str(caught.exception)

    def test_two_places(self):
        twice = MIN.replace("return B", "return B < A ? B : A")
        self.assertEqual(self.find(self.M, twice)[0], "A < B")
        text = self.misfit({**self.M, "from": "L < R"}, twice)
        self.assertIn("2 places (a/Min.cpp:5, a/Min.cpp:7)", text)

    def test_gone(self):
        self.assertIn("least in a/Min.cpp:4 has no `A < B`", self.misfit(self.M, MIN.replace("<", ">")))

    def test_no_file(self):
        m = {**self.M, "file": "Max", "function": "most"}
        self.assertIn("no Max.cpp or .h, and no function most", self.misfit(m, MIN))


if __name__ == "__main__":
    unittest.main()
