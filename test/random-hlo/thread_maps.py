"""Looks at every thread of the maps that `fusion-emit --emit=maps` prints: each element
of each output of the entry has to be stored by exactly one of them."""
import itertools
import re
from math import prod

MAX_POINTS = 1 << 15
MAP = re.compile(r"\(([\w, ]*)\)(?:\[([\w, ]*)\])? -> \((.*?)\)(?:, domain: (.*))?")
SHAPE = re.compile(r"\w+\[([\d,]*)\](?:\{[\d,]*\})?")


class CeilDiv:
    """`a *CEILDIV* b`, which binds as strongly as the other operators of maps do."""

    def __init__(self, dividend=None):
        self.dividend = dividend

    def __rmul__(self, dividend):
        return CeilDiv(dividend)

    def __mul__(self, divisor):
        return -(-self.dividend // divisor)


CEILDIV = CeilDiv()


def shapes_of_outputs(text):
    """The dimensions of each array of the entry's result."""
    entry = text[text.index("ENTRY"):]
    shape = re.search(r"ROOT %?[\w.-]+ = (\(.*?\)+|\S+) [\w-]+\(", entry)[1]
    return [tuple(int(n) for n in dims.split(",") if n) for dims in SHAPE.findall(shape)]


class ThreadMap:
    """`(a, b)[c] -> (result, ...), domain: a in [0, 3], a + b in [0, 9], ...`"""

    def __init__(self, text):
        match = MAP.fullmatch(text)
        variables, vectors, results, domain = match.groups(default="")
        self.names = [n for n in f"{variables}, {vectors}".replace(" ", "").split(",") if n]
        self.ranges, self.constraints = {}, []
        for expression, low, high in re.findall(r"(?:, )?(.+?) in \[(-?\d+), (-?\d+)\]", domain):
            if expression in self.names:
                self.ranges[expression] = range(int(low), int(high) + 1)
            else:
                self.constraints.append(f"{low} <= {expression} <= {high}")
        inside = " and ".join(self.constraints) or "True"
        code = f"lambda {', '.join(self.names)}: ({results},) if {inside} else None"
        if not results:
            code = f"lambda {', '.join(self.names)}: () if {inside} else None"
        for operator, python in (("floordiv", "//"), ("ceildiv", "*CEILDIV*"), ("mod", "%")):
            code = code.replace(operator, python)
        self.function = eval(code)

    def points(self):
        return prod(len(self.ranges[name]) for name in self.names)

    def indices(self):
        for point in itertools.product(*(self.ranges[name] for name in self.names)):
            index = self.function(*point)
            if index is not None:
                yield index


def problem_of(map_text, dims):
    if map_text == "none: it has no elements":
        return "" if prod(dims) == 0 else f"there are elements in {list(dims)}"
    if not MAP.fullmatch(map_text):
        return "this is no map"
    threads = ThreadMap(map_text)
    if threads.points() > MAX_POINTS:
        return ""
    seen = set()
    for index in threads.indices():
        if len(index) != len(dims) or not all(0 <= i < size for i, size in zip(index, dims)):
            return f"a thread computes {list(index)}, outside of {list(dims)}"
        if index in seen:
            return f"two threads compute {list(index)}"
        seen.add(index)
    if len(seen) != prod(dims):
        return f"{prod(dims) - len(seen)} elements of {list(dims)} are computed by no thread"
    return ""


def coverage_problem(module_text, maps_text):
    """The first problem of a module and its maps; an empty string if there is none."""
    shapes, looked_at, kind = shapes_of_outputs(module_text), set(), ""
    # Behind those of the entry come the kernels that loops and branches run.
    for line in maps_text.split("\n// kernels of ")[0].splitlines():
        if match := re.match(r"kernel .*: (\w+), \d+ blocks", line):
            kind = match[1]
        # A scatter updates what another kernel, or a parameter, has.
        match = re.fullmatch(r"thread -> root(?:#(\d+))? as (stored|updated): (.*)", line)
        if not match or int(match[1] or 0) in looked_at:
            continue
        number = int(match[1] or 0)
        looked_at.add(number)
        is_in_place = kind == "update" or match[2] == "updated" or "in memory already" in match[3]
        if is_in_place and not match[3].startswith("none: it has no elements"):
            continue
        if problem := problem_of(match[3], shapes[number]):
            return f"{line}\n{problem}"
    # What is done between kernels writes results as well.
    has_steps = re.search(r" (while|conditional|custom-call)\(", module_text)
    if len(looked_at) != len(shapes) and not has_steps:
        return f"there are {len(shapes)} outputs, but {len(looked_at)} maps"
    return ""
