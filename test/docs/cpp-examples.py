#!/usr/bin/env python3
"""Turns the C++ blocks of a Markdown file into a GoogleTest file.

    cpp-examples.py FILE.md EXAMPLES.cpp

A block becomes one test. `EXPR` followed by a line `// => TEXT` becomes the
check that EXPR, printed, is TEXT; all other lines are taken as they are.
"""
import re
import sys

PROLOGUE = """\
// Made by test/docs/cpp-examples.py from {path}; do not edit.
#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/SymbolicTile.h"
#include "analysis/tiles/TileImage.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

template <typename T> static std::string printed(const T &Value) {{
  std::string Text;
  raw_string_ostream(Text) << Value;
  return Text;
}}
"""


def blocks(text):
    """The heading and the lines of each C++ block."""
    heading, block = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if block is None and line.startswith("#"):
            heading = re.sub(r"\W+", "", line.title())
        if line.strip() == "```c++":
            block = (f"{heading}Line{number}", [])
        elif line.strip() == "```" and block is not None:
            yield block
            block = None
        elif block is not None:
            block[1].append(line)


def translate(lines):
    """Statements pass through; an expression waits for its `// =>`."""
    waiting = []
    for line in lines:
        if line.startswith("// => "):
            value = line.removeprefix("// => ")
            yield f'  EXPECT_EQ(printed({" ".join(waiting).strip()}), R"~({value})~");'
            waiting = []
        elif line.startswith("//"):
            continue
        else:
            waiting.append(line)
            if line.rstrip().endswith((";", "{")):
                yield from ("  " + w for w in waiting)
                waiting = []
    if waiting:
        sys.exit(f"an expression without '// =>': {waiting}")


def main():
    path, output = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    made = [PROLOGUE.format(path=path)]
    for name, lines in blocks(text):
        made += [f"TEST(Document, {name}) {{", *translate(lines), "}\n"]
    if len(made) == 1:
        sys.exit(f"{path} has no C++ blocks")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(made))


main()
