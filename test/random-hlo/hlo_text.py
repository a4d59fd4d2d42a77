"""HLO text under construction: types, values, computations, modules.

Floats are compared with those of a reference that rounds elsewhere, so each value
has a grade, which says what may be computed from it:

  RAW    floats are multiples of 1/8 below 5 in size, never -0 or NaN: their sums of
         products are exact in any order
  EXACT  every float is the one correct rounding, which code and reference share
  ROUGH  functions of calculus, right but for the last bits: may be moved, not compared
"""
from dataclasses import dataclass
from math import prod

RAW, EXACT, ROUGH = range(3)

PREDICATES = ["pred"]
SIGNED = ["s4", "s8", "s16", "s32", "s64"]
UNSIGNED = ["u4", "u8", "u16", "u32", "u64"]
INTEGERS = SIGNED + UNSIGNED
SMALL_FLOATS = ["f8e3m4", "f8e4m3", "f8e4m3fn", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2",
                "f8e5m2fnuz", "f8e8m0fnu"]
FLOATS = SMALL_FLOATS + ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
TYPES = PREDICATES + INTEGERS + FLOATS + COMPLEX
COMMON = ["f32", "f32", "f32", "s32", "s32", "f16", "bf16", "f64", "s64", "u32", "s8", "u8", "pred", "c64"]

BITS = {"pred": 1, "c64": 64, "c128": 128, "bf16": 16}
BITS |= {t: int(t[1:]) for t in INTEGERS + ["f16", "f32", "f64"]} | {t: 8 for t in SMALL_FLOATS}
# Bits of the significand; complex numbers have those of their parts.
PRECISION = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53, "c64": 24, "c128": 53}


def is_inexact(type):
    return type in FLOATS or type in COMPLEX


@dataclass(frozen=True)
class Value:
    name: str
    type: str
    dims: tuple
    grade: int

    @property
    def count(self):
        return prod(self.dims)

    @property
    def rank(self):
        return len(self.dims)


def numbers(values):
    return "{" + ",".join(map(str, values)) + "}"


def shape_text(rng, type, dims):
    """Most shapes have no layout, which means row-major; scalars never have one."""
    text = f"{type}[{','.join(map(str, dims))}]"
    if len(dims) > 1 and rng.random() < 0.15:
        text += numbers(rng.sample(range(len(dims)), len(dims)))
    return text


def random_dims(rng):
    sizes = [1, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 31, 32, 33]
    dims = []
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5])):
        size = rng.choice(sizes)
        dims.append(size if prod(dims) * size <= 700 else rng.choice([1, 2]))
    if dims and rng.random() < 0.03:
        dims[rng.randrange(len(dims))] = 0
    return tuple(dims)


def large_dims(rng, limit):
    """Tiles and warps have 32 elements: sizes around their multiples."""
    dims = []
    for _ in range(rng.choice([1, 2, 2, 2, 3, 3, 4])):
        sizes = [s for s in (1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 40, 63, 64, 65, 96, 100, 128, 130, 255, 256, 257,
                             512, 1000, 1024) if prod(dims) * s <= limit]
        dims.append(rng.choice(sizes))
    return tuple(dims)


def factored(rng, count):
    """Dimensions with so many elements in all."""
    dims, rest = [], count
    if count == 0:
        dims, rest = [0], rng.choice([1, 2, 6])
    while rest > 1 and len(dims) < 6:
        d = rng.choice([d for d in range(2, rest + 1) if rest % d == 0])
        dims.append(d)
        rest //= d
    if rest > 1:
        dims.append(rest)
    while len(dims) < 7 and rng.random() < 0.2:
        dims.append(1)
    rng.shuffle(dims)
    return tuple(dims)


class Module:
    """Text of computations, callees in front of callers, and how large it may get."""

    def __init__(self, rng, favourite, max_elements):
        self.rng = rng
        self.max_elements = max_elements  # of an array, about
        self.favourite = favourite  # an elementwise opcode
        self.computations = []
        self.names = 0

    def new_name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"


class Body:
    """A computation under construction. What it needs and does not have, it gets as a
    parameter: of the entry a new array, of others a value of the body around them. A
    closed one gets no more of them."""

    def __init__(self, module, outer=None, is_closed=False):
        self.is_closed = is_closed
        self.module, self.rng, self.outer = module, module.rng, outer
        self.depth = outer.depth + 1 if outer else 0
        self.values, self.lines = [], []
        self.arguments = []  # of outer, one for each parameter
        self.parameters = []
        self.opcodes = set()
        self.used = set()  # names of operands

    # --- Instructions ---------------------------------------------------------

    def emit(self, opcode, type, dims, operands, attributes="", grade=None, literal=None):
        """The instruction; its grade is that of the worst operand if not given."""
        if prod(dims) > 2 * self.module.max_elements:
            raise Unsuitable
        names = ", ".join(o.name for o in operands) if literal is None else literal
        if grade is None:
            grade = max((o.grade for o in operands), default=RAW)
        value = Value(self.module.new_name("v"), type, tuple(dims), grade)
        shape = shape_text(self.rng, type, dims)
        attributes = f", {attributes}" if attributes else ""
        self.line(value.name, f"{shape} {opcode}({names}){attributes}")
        self.opcodes.add(opcode)
        self.used |= {o.name for o in operands}
        self.values.append(value)
        return value

    def line(self, name, text):
        self.lines.append((name, text))

    def parameter(self, type, dims, argument=None):
        """A new parameter; of a body with an outer one, for that one's value."""
        if self.outer and argument is None:
            argument = self.outer.provide(type, dims)
        grade = argument.grade if argument else (EXACT if type == "f8e8m0fnu" else RAW)
        value = Value(self.module.new_name("p"), type, tuple(dims), grade)
        self.line(value.name, f"{shape_text(self.rng, type, dims)} parameter({len(self.parameters)})")
        self.parameters.append(value)
        self.arguments.append(argument)
        self.values.append(value)
        self.opcodes.add("parameter")
        return value

    def constant(self, type, dims=(), grade=RAW):
        def element():
            if type in PREDICATES:
                return self.rng.choice(["true", "false"])
            if type in SIGNED:
                return str(self.rng.choice([0, 1, 2, 3, 5, 7, -1, -2, -8]))
            if type in UNSIGNED:
                return str(self.rng.choice([0, 1, 2, 3, 5, 7, 15]))
            if type == "f8e8m0fnu":
                return self.rng.choice(["0.5", "1", "2", "4"])
            if type in SMALL_FLOATS:
                return self.rng.choice(["0", "0.5", "1", "1.5", "2", "-1", "-2.5"])
            if type in COMPLEX:
                return f"({self.rng.randrange(-16, 17) / 4}, {self.rng.randrange(-16, 17) / 4})"
            if grade > RAW and self.rng.random() < 0.3:
                return self.rng.choice(["inf", "-inf", "nan", "1e-3", "-3.1415926"])
            return str(self.rng.randrange(-32, 33) / 8)

        def literal(dims):
            if not dims:
                return element()
            return "{" + ", ".join(literal(dims[1:]) for _ in range(dims[0])) + "}"

        if is_inexact(type) and type not in SMALL_FLOATS + COMPLEX:
            grade = self.rng.choice([RAW, grade])
        if type == "f8e8m0fnu":
            grade = EXACT
        return self.emit("constant", type, dims, [], grade=grade, literal=literal(dims))

    # --- Operands -------------------------------------------------------------

    def pick(self, fits):
        """A value for which fits(value) is true, rather an unused or a new one; None if
        there is none."""
        found = [v for v in self.values if fits(v)]
        way = self.rng.random()
        if way < 0.5:
            found = [v for v in found if v.name not in self.used] or found
        elif way < 0.8:
            found = found[-4:]
        return self.rng.choice(found) if found else None

    def unused(self):
        return [v for v in self.values if v.name not in self.used and v not in self.parameters]

    def any(self, fits=lambda v: True):
        """Likewise, but makes one if there is none: fits() has to take some arrays of
        f32, s32 and pred."""
        while not (value := self.pick(fits)):
            if self.is_closed:
                raise Unsuitable
            self.provide(self.rng.choice(COMMON), random_dims(self.rng), fresh=True)
        return value

    def provide(self, type, dims, grade=ROUGH, fresh=False):
        """A value of this shape and at most this grade."""
        dims = tuple(dims)
        found = self.pick(lambda v: v.type == type and v.dims == dims and v.grade <= grade)
        if found and not fresh and self.rng.random() < 0.9:
            return found
        if not fresh and self.rng.random() < 0.5 and (made := self.made_of_another(type, dims, grade)):
            return made
        way = self.rng.random()
        if type == "f8e8m0fnu" and grade == RAW:
            raise Unsuitable  # it has neither 0 nor negative numbers
        if self.is_closed or (prod(dims) <= 12 and way < 0.25):
            return self.constant(type, dims, grade)
        if dims and type != "pred" and way < 0.4 and (grade > RAW or not is_inexact(type)):
            return self.emit("iota", type, dims, [], f"iota_dimension={self.rng.randrange(len(dims))}",
                             grade=EXACT if is_inexact(type) else RAW)
        if dims and way < 0.6:
            kept = [d for d in range(len(dims)) if self.rng.random() < 0.4]
            scalar = self.provide(type, [dims[d] for d in kept], grade) if len(kept) < len(dims) else None
            if scalar:
                return self.emit("broadcast", type, dims, [scalar], f"dimensions={numbers(kept)}")
        if self.outer:
            argument = self.outer.provide(type, dims, grade)
            known = [p for p, a in zip(self.parameters, self.arguments) if a is argument]
            return known[0] if known else self.parameter(type, dims, argument)
        return self.parameter(type, dims)

    def made_of_another(self, type, dims, grade):
        """Such a value by a reshape or a conversion of what is there, or None."""
        count = prod(dims)
        if x := self.pick(lambda v: v.type == type and v.count == count and v.grade <= grade):
            return self.emit("reshape", type, dims, [x])
        if type in COMPLEX or (is_inexact(type) and grade == RAW):
            return None
        if x := self.pick(lambda v: v.dims == dims and v.grade < ROUGH and v.type not in COMPLEX):
            return self.emit("convert", type, dims, [x], grade=EXACT if is_inexact(type) else RAW)
        return None

    # --- The text -------------------------------------------------------------

    def text(self, header, root, only_needed=False):
        """With root, the name of an instruction; without what it does not need if asked."""
        lines = self.lines
        if only_needed:
            needed, kept = {root} | {name for name, line in lines if " parameter(" in line}, []
            for name, line in reversed(lines):
                if name in needed:
                    kept.append((name, line))
                    needed |= set(line.replace("(", " ").replace(")", " ").replace(",", " ").split())
            lines = kept[::-1]
        body = "\n".join(f"  {'ROOT ' if name == root else ''}{name} = {line}" for name, line in lines)
        return f"{header} {{\n{body}\n}}\n"


class Unsuitable(Exception):
    """An operation that does not fit what there is; another one is tried."""
