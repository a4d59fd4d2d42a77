#!/usr/bin/env python3
"""Takes the program out of a Markdown file: its one C++ block that has a main.

    program-example.py FILE.md PROGRAM.cpp OUTPUT.txt

OUTPUT.txt becomes the block behind it, which is what the program prints.
"""
import re
import sys


def main():
    path, program, output = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"^```c\+\+\n((?:(?!^```).*\n)*?.*int main\(.*\n(?:(?!^```).*\n)*)^```\n+^```text\n((?:(?!^```).*\n)*)^```",
                       text, re.M)
    if len(found) != 1:
        sys.exit(f"{path} has {len(found)} programs with a text block behind them, not one")
    for name, content in ((program, found[0][0]), (output, found[0][1])):
        with open(name, "w", encoding="utf-8") as file:
            file.write(content)


main()
