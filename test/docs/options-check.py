#!/usr/bin/env python3
"""Compares docs/options.md with the sources.

    options-check.py [ROOT]

Every option of the plugin has a row with its default, and a limit also with
what is allowed; so has every option of a tool that the page names. Every
bound is in the table of bounds, with its file and value: a constexpr number
whose name begins with Max, Min, Least, Most or Work, or is Count, Limit or
Price; and a member Max... of a struct in a header, with a number as its initial
value. Each message says which line to write.
"""
import pathlib
import re
import sys

PAGE = "docs/options.md"
PLUGIN = "plugin"
NUMBER = r"(?:unsigned|int|size_t|double|u?int\d+_t)"
BOUND = re.compile(r"(?:Max|Min|Least|Most|Work)[A-Z]\w*|Count|Limit|Price")


def without_comments(text):
    """Strings stay: they may hold what begins a comment."""
    return re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', r"\1", text, flags=re.S)


def parts(text):
    """What commas outside of brackets and strings separate."""
    found, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        quoted ^= c == '"' and text[i - 1:i] != "\\"
        if not quoted:
            depth += (c in "([{") - (c in ")]}")
            if c == "," and depth == 0:
                found.append(text[start:i].strip())
                start = i + 1
    return found + [text[start:].strip()]


def enclosed(text, start):
    """The text from the bracket at \\p start to the one that closes it."""
    depth, quoted = 0, False
    for i in range(start, len(text)):
        quoted ^= text[i] == '"' and text[i - 1] != "\\"
        if not quoted:
            depth += (text[i] in "([{") - (text[i] in ")]}")
            if depth == 0:
                return text[start + 1:i]
    return ""


def value_of(text):
    """The number that an expression of literals means, else None."""
    text = re.sub(r"\b(?:u?int\d+_t|size_t|unsigned)\(", "(", text)
    text = re.sub(r"\bU?INT(\d+)_MAX\b", lambda m: str(
        2 ** (int(m[1]) - (m[0][0] == "I")) - 1), text)
    text = re.sub(r"\b(\d[\d']*)[uUlL]*\b", r"\1", text).replace("'", "")
    if not re.fullmatch(r"[\d\s()+*<.-]+", text):
        return None
    try:
        return eval(text, {"__builtins__": {}})
    except SyntaxError:
        return None


def spelled(value):
    """As the page writes a number."""
    for rest in (0, 1):
        power = int(value) + rest
        if value >= 65536 and power & (power - 1) == 0:
            return f"2^{power.bit_length() - 1}" + ("-1" if rest else "")
    return f"{value:g}" if isinstance(value, float) else str(value)


# 1. Options.


class Sources:
    """The headers, to look up the members that options take defaults from."""

    def __init__(self, root):
        self.structs = {}
        for top in ("analysis", "transforms"):
            for path in (root / top).rglob("*.h"):
                for match in re.finditer(r"^struct (\w+) \{(.*?)^\};",
                                         without_comments(path.read_text()), re.S | re.M):
                    self.structs[match[1]] = match[2]
        self.used = set()

    def member(self, struct, names):
        """The initial value of the member that the path of names leads to."""
        name, *rest = names
        match = re.search(rf"([\w:]+)\s+{name}(?:\s*=\s*([^;]*))?;", self.structs.get(struct, ""))
        if not match:
            return None
        if rest:
            return self.member(match[1].split("::")[-1], rest)
        self.used.add((struct, name))
        return match[2]

    def resolve(self, text, code):
        match = re.fullmatch(r"(\w+)(\(\))?((?:\.\w+)+)", text)
        if not match:
            return text
        struct = match[1]
        if not match[2]:
            variable = re.search(rf"(\w+)\s+{struct};", code)
            struct = variable[1] if variable else struct
        return self.member(struct, match[3].strip(".").split(".")) or text


def default_of(kind, text, code, sources):
    if text is None:
        return {"bool": "off", "std::string": "none"}.get(kind, "0")
    text = sources.resolve(text, code)
    if text in ("true", "false"):
        return "on" if text == "true" else "off"
    if text.startswith('"'):
        return f"`{text[1:-1]}`" if len(text) > 2 else "none"
    if named := re.search(rf'clEnumValN\(\s*(?:\w+::)*{text.split("::")[-1]},\s*"([^"]*)"', code):
        return f"`{named[1]}`"
    value = value_of(text)
    return text if value is None else str(value)


def read_options(path, sources):
    """The default and the allowed values of each option that a file defines."""
    code, options = without_comments(path.read_text()), {}
    for match in re.finditer(r"\bcl::(opt|list)<([^()]*?)>\s+\w+(\()\s*\"([^\"]+)\"", code):
        arguments = enclosed(code, match.start(3))
        start = re.search(r"cl::init(\()", arguments)
        init = enclosed(arguments, start.start(1)) if start else None
        options[match[4]] = (default_of(match[2], init, code, sources), None)
    range_of = dict(reversed(re.findall(r"\b(Lowest|Highest) = ([^,;]*)[,;]", code)))
    for match in re.finditer(r"^static Limit \w+(\()\"([^\"]+)\"", code, re.M):
        _, default, *rest = parts(enclosed(code, match.start(1)))
        low, high = rest[:2] if len(rest) == 3 else (range_of["Lowest"], range_of["Highest"])
        options[match[2]] = (default_of("unsigned", default, code, sources),
                             f"{value_of(low)}–{value_of(high)}")
    return options


def check_options(root, lines, sources):
    known = {"plugin": {}}
    for path in sorted((root / PLUGIN).glob("*.cpp")):
        known["plugin"].update(read_options(path, sources))
    errors, section, seen = [], "", set()
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            section = line[3:].strip()
        row = re.match(r"\| `(--?)([\w-]+)[^`]*`( \*)? \|([^|]*)\|([^|]*)\|", line)
        if not row:
            continue
        where = "plugin" if row[1] == "-" else section
        if where not in known:
            path = root / "tools" / where / f"{where}.cpp"
            known[where] = read_options(path, sources) if path.is_file() else {}
        at = f"{PAGE}:{number}: `{row[1]}{row[2]}`"
        if row[2] not in known[where]:
            errors.append(f"{at} is no option of {where}: take the line out")
            continue
        seen.add((where, row[2]))
        default, allowed = known[where][row[2]]
        if row[4].strip() != default:
            errors.append(f"{at} has the default {default}, not {row[4].strip()}: correct the "
                          "second column")
        if allowed and row[5].strip() != allowed:
            errors.append(f"{at} may be {allowed}, not {row[5].strip()}: correct the third column")
    for name, (default, allowed) in known["plugin"].items():
        if ("plugin", name) not in seen:
            columns = f"{default} | {allowed} | WHAT IS LIMITED | BEYOND IT" if allowed else (
                f"{default} | MEANING")
            errors.append(f"{PAGE}:1: an option is missing; write: | `-{name}` | {columns} |")
    return errors


# 2. Bounds.


def read_bounds(root, sources):
    """The bounds of each file, as the page writes them."""
    bounds, errors = {}, []
    used = {name for _, name in sources.used}
    for top in ("analysis", "transforms", "frontend", "ptx"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            code, found = without_comments(path.read_text()), []
            start = r"\bconstexpr\s+" + NUMBER
            if path.suffix == ".h":
                start = rf"(?:\bconstexpr\s+|^  ){NUMBER}"
            for match in re.finditer(rf"{start}\s+(\w[^;()]*=[^;]*);", code, re.M):
                for declared in parts(match[1]):
                    name, _, text = (part.strip() for part in declared.partition("="))
                    name = name.removesuffix("[]")
                    is_member = "constexpr" not in match[0]
                    if not BOUND.fullmatch(name) or is_member and (
                            name in used or not name.startswith("Max")):
                        continue
                    values = [value_of(v) for v in parts(text.strip("{}"))]
                    if None in values:
                        errors.append(f"{path.relative_to(root)}:1: the value of {name} is no "
                                      f"number: {text}")
                    else:
                        found.append(f"{name} = {' '.join(map(spelled, values))}")
            if found:
                bounds[path.relative_to(root).as_posix()] = ", ".join(found)
    return bounds, errors


def check_bounds(root, lines, sources):
    bounds, errors = read_bounds(root, sources)
    last = len(lines)
    for number, line in enumerate(lines, 1):
        row = re.match(r"\| ((?:analysis|transforms|frontend|ptx)/\S+) \| ([^|]*) \| (.*) \|$", line)
        if not row:
            continue
        last, wanted = number, bounds.pop(row[1], None)
        if wanted is None:
            errors.append(f"{PAGE}:{number}: {row[1]} has no bounds: take the line out")
        elif wanted != row[2]:
            errors.append(f"{PAGE}:{number}: the constants have changed; write: | {row[1]} | "
                          f"{wanted} | {row[3]} |")
    return errors + [f"{PAGE}:{last}: bounds are missing; write: | {path} | {found} | WHAT THEY "
                     "BOUND |" for path, found in bounds.items()]


def check_tables(lines):
    """A row without a head above it is no table for who reads the page."""
    return [f"{PAGE}:{number}: a row outside of a table: move it into one"
            for number, (above, line, below) in
            enumerate(zip([""] + lines, lines, lines[1:] + [""]), 1)
            if line.startswith("|") and not above.startswith("|") and not below.startswith("|--")]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    lines = (root / PAGE).read_text().splitlines()
    sources = Sources(root)
    errors = check_options(root, lines, sources) + check_bounds(root, lines, sources) + check_tables(lines)
    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        print(f"options-check: {len(errors)} errors", file=sys.stderr)
        return 1
    print(f"{PAGE} says what the sources say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
