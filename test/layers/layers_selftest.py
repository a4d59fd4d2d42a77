#!/usr/bin/env python3
"""Checks that layers.py reports each kind of error, with its file and line.

    layers_selftest.py

Each case is a small tree with one change; the messages are compared whole.
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TREE = {
    "cmake/rooms.txt": "# The rooms\n\n"
                       "analysis/low   Low   support\n"
                       "analysis/high  High  ir       analysis/low\n"
                       "transforms/top Top   ir       analysis/low analysis/high\n",
    "docs/ARCHITECTURE.md": "# Rooms\n\n| room |\n|---|\n| `analysis/low` |\n"
                            "| `analysis/high` |\n| `transforms/top` |\n",
    "analysis/low/Low.h": "#include \"llvm/ADT/DenseMap.h\"\n",
    "analysis/high/High.h": "#include \"analysis/low/Low.h\"\n#include \"llvm/IR/Value.h\"\n",
    "transforms/top/Top.cpp": "#include \"analysis/low/Low.h\"\n#include <vector>\n"
                              "# include \"analysis/high/High.h\"\n",
}
LOW, HIGH, TOP = TREE["cmake/rooms.txt"].splitlines(keepends=True)[2:]


def table(*rows):
    return {"cmake/rooms.txt": "# The rooms\n\n" + "".join(rows)}


# What is checked, the files that change (None: removed), the messages.
CASES = [
    ("nothing wrong", {}, []),
    ("an include upwards", {"analysis/low/Low.h": "\n#include \"analysis/high/High.h\"\n"},
     ["analysis/low/Low.h:2: includes analysis/high/High.h, but analysis/low may include no other "
      "room. Move the code, or add the edge to cmake/rooms.txt if it points down"]),
    ("LLVM IR below the line", {"analysis/low/Low.h": "#include \"llvm/IR/Value.h\"\n"},
     ["analysis/low/Low.h:1: includes llvm/IR/Value.h, but analysis/low knows LLVM's ADT and "
      "Support only. Move what needs the IR to a room that knows it"]),
    ("a way around the table", {"analysis/low/Low.h": "#include \"../high/High.h\"\n"},
     ["analysis/low/Low.h:1: includes ../high/High.h, but a header of another folder is named "
      "from the root of the project"]),
    ("a folder that does not exist", {"analysis/low/Low.h": "#include \"analysis/law/Low.h\"\n"},
     ["analysis/low/Low.h:1: includes analysis/law/Low.h, but analysis/law is not in "
      "cmake/rooms.txt"]),
    ("a circle", table(LOW.replace("\n", " analysis/high\n"), HIGH, TOP),
     ["cmake/rooms.txt:3: analysis/low may include analysis/high, which does not come before it: "
      "a circle, or a misspelled folder"]),
    ("a room in two lines", table(LOW, HIGH, LOW, TOP),
     ["cmake/rooms.txt:5: analysis/low is already in line 3"]),
    ("a line without its columns", table(LOW, "analysis/high High\n", TOP),
     ["cmake/rooms.txt:4: analysis/high needs a library, then `support` or `ir`",
      "cmake/rooms.txt:5: transforms/top may include analysis/high, which does not come before "
      "it: a circle, or a misspelled folder"]),
    ("an unknown room", {"analysis/new/New.cpp": ""},
     ["analysis/new/New.cpp:1: analysis/new is no room of cmake/rooms.txt; add it, or move the "
      "file"]),
    ("a room without sources", {"transforms/top/Top.cpp": None},
     ["cmake/rooms.txt:5: transforms/top has no sources; take it out",
      "cmake/rooms.txt:5: transforms/top no longer includes analysis/high; take the edge out",
      "cmake/rooms.txt:5: transforms/top no longer includes analysis/low; take the edge out"]),
    ("an unused edge", {"transforms/top/Top.cpp": "#include \"analysis/high/High.h\"\n"},
     ["cmake/rooms.txt:5: transforms/top no longer includes analysis/low; take the edge out"]),
    ("a full room", {f"analysis/low/L{i}.h": "" for i in range(40)},
     ["cmake/rooms.txt:3: analysis/low has 41 sources, more than 40; make rooms of it"]),
    ("a room that is not explained", {"docs/ARCHITECTURE.md": "\n| room |\n| `analysis/low` |\n"
                                      "| `analysis/high`, `transforms` |\n"},
     ["docs/ARCHITECTURE.md:2: `transforms/top` is missing; write a row: | `transforms/top` | WHAT "
      "IS THERE | WHAT TO ADD THERE |"]),
    ("no drawing", {"docs/images/rooms.svg": None},
     ["docs/images/rooms.svg:1: is missing; run test/layers/draw.py"]),
    ("an edge that follows from others", table(LOW, HIGH, TOP.replace(" analysis/low", "")) | {
        "transforms/top/Top.cpp": "#include \"analysis/high/High.h\"\n"},
     ["docs/images/rooms.svg:1: the note has to say that 2 of 2 are drawn; run "
      "test/layers/draw.py"]),
    ("an old drawing", {"docs/images/rooms.svg": "<svg>\n<g data-room=\"analysis/low\"/>\n"
                        "<g data-room=\"analysis/high\"/>\n<g data-room=\"analysis/old\"/>\n"
                        "<g data-edge=\"analysis/high analysis/low\"/>\n"
                        "<g data-edge=\"transforms/top analysis/low\"/>\n"},
     ["docs/images/rooms.svg:1: the arrow transforms/top analysis/high is missing; run "
      "test/layers/draw.py",
      "docs/images/rooms.svg:1: the room transforms/top is missing; run test/layers/draw.py",
      "docs/images/rooms.svg:4: analysis/old is no room; run test/layers/draw.py",
      "docs/images/rooms.svg:6: the arrow transforms/top analysis/low is not in the table, or "
      "follows from others; run test/layers/draw.py"]),
]


def script(name, root):
    return subprocess.run([sys.executable, HERE / name, root], capture_output=True, text=True)


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)


def main():
    failures = 0
    for title, changes, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root, TREE)
            write(root, {"docs/images/rooms.svg": ""})
            drawn = script("draw.py", root)
            write(root, changes)
            result = script("layers.py", root)
        wanted = "".join(line + "\n" for line in expected)
        if expected:
            wanted += f"layers: {len(expected)} errors\n"
        if drawn.returncode or result.stderr != wanted or bool(expected) != bool(result.returncode):
            failures += 1
            print(f"{title}: expected\n{wanted}but layers.py prints\n{result.stderr}"
                  f"{drawn.stderr}", file=sys.stderr)
    print(f"{len(CASES) - failures} of {len(CASES)} cases are reported as they should")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
