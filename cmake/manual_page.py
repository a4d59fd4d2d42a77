#!/usr/bin/env python3
"""Makes a manual page and a bash completion of what `TOOL --help` prints.

    manual_page.py VERSION PAGE COMPLETION TOOL [HELP-OPTION]

The text is LLVM's (OVERVIEW, USAGE, OPTIONS), or that of a script, which begins with "Usage:".
"""

import pathlib
import re
import subprocess
import sys


def escape(text):
    """For roff: hyphens that can be copied, and no line that is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def split_help(text):
    """(what it does in a line, usage, more text, lines of options)"""
    if text.startswith("Usage:"):
        usage, _, rest = text.removeprefix("Usage:").partition("\n")
        summary = re.match(r"[^.:]*", rest.strip())[0]
        return " ".join(summary.split()), usage.strip(), rest.strip("\n"), []
    found = re.fullmatch(r"OVERVIEW: (.*?)\n(.*?)USAGE: (.*?)\n\nOPTIONS:\n(.*)", text, re.S)
    if not found:
        sys.exit(f"this is not what LLVM's CommandLine prints:\n{text}")
    summary, rest, usage, options = found.groups()
    return summary.rstrip("."), usage, rest.strip("\n"), options.splitlines()


def option_section(lines):
    for line in lines:
        if option := re.fullmatch(r"  (-.*?)\s+-\s+(.*)", line):
            yield f".TP\n.B {escape(option[1])}\n{escape(option[2])}"
        elif value := re.fullmatch(r"    (=\S*)\s+-\s+(.*)", line):
            yield f".br\n.B {escape(value[1])}\n{escape(value[2])}"
        elif line.endswith(":"):
            yield f".SS {escape(line[:-1])}"


def main():
    version, page, completion, tool = sys.argv[1:5]
    name = pathlib.Path(tool).name
    command = [tool, *(sys.argv[5:] or ["--help"])]
    text = subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE).stdout
    summary, usage, rest, options = split_help(text)
    parts = [f'.TH {name.upper()} 1 "" "Unravel {version}" "User Commands"',
             f".SH NAME\n{name} \\- {escape(summary)}",
             f".SH SYNOPSIS\n.B {escape(usage)}"]
    if rest:
        parts.append(f".SH DESCRIPTION\n.nf\n{escape(rest)}\n.fi")
    if options:
        parts += [".SH OPTIONS", *option_section(options)]
    pathlib.Path(page).write_text("\n".join(parts) + "\n", encoding="utf-8")
    words = re.findall(r"^  (--?[\w-]+)", "\n".join(options), re.M)
    words += re.findall(r"\[(--?[\w-]+)", usage)
    pathlib.Path(completion).write_text(
        f"# Options of {name}, and files.\ncomplete -o default -W '{' '.join(words)}' {name}\n",
        encoding="utf-8")


main()
