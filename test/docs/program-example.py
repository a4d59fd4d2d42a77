#!/usr/bin/env python3
"""Takes the project out of a Markdown file: its one C++ block that has a main.

    program-example.py FILE.md FOLDER

FOLDER gets program.cpp; program.txt, the text block after it, which is what the
program prints; and CMakeLists.txt, the one CMake block with a project.
"""
import re
import sys
from pathlib import Path

LINES = r"(?:(?!^```).*\n)*"
PROGRAM = rf"^```c\+\+\n((?:(?!^```).*\n)*?.*int main\(.*\n{LINES})^```\n+^```text\n({LINES})^```"
PROJECT = rf"^```cmake\n((?:(?!^```).*\n)*?project\(.*\n{LINES})^```"


def one(pattern, what, path, text):
    found = re.findall(pattern, text, re.M)
    if len(found) != 1:
        sys.exit(f"{path} has {len(found)} {what}, not one")
    return found[0]


def main():
    path, folder = sys.argv[1], Path(sys.argv[2])
    text = Path(path).read_text(encoding="utf-8")
    program, output = one(PROGRAM, "programs with a text block after them", path, text)
    project = one(PROJECT, "CMake blocks with a project", path, text)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("program.cpp", program), ("program.txt", output),
                          ("CMakeLists.txt", project)):
        (folder / name).write_text(content, encoding="utf-8")


main()
