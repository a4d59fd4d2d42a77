#!/usr/bin/env python3
"""Runs the console blocks of a Markdown file.

    console-examples.py FILE.md BINDIR

In a block, a line `$ COMMAND` is run by the shell with BINDIR in front of the
PATH; the lines up to the next command are its output, standard error included.
"""
import os
import subprocess
import sys


def commands(text):
    """The line number, the command and the expected output of each command."""
    inside, current = False, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "```console":
            inside = True
        elif line.strip() == "```" and inside:
            inside = False
            if current:
                yield current
            current = None
        elif inside and line.startswith("$ "):
            if current:
                yield current
            current = (number, line[2:], [])
        elif inside and current:
            current[2].append(line)


def main():
    path, bin_dir = sys.argv[1:]
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    count = failed = 0
    for number, command, expected in commands(text):
        count += 1
        run = subprocess.run(command, shell=True, env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
        if run.stdout.splitlines() != expected:
            failed += 1
            print(f"{path}:{number}: $ {command}\n--- expected")
            print("\n".join(expected))
            print(f"--- printed\n{run.stdout}")
    if count == 0:
        sys.exit(f"{path} has no console blocks")
    print(f"{path}: {count} commands, {failed} failed")
    sys.exit(1 if failed else 0)


main()
