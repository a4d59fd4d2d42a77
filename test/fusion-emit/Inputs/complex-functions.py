#!/usr/bin/env python3
"""Functions of complex numbers, as kernels compute them, against Python's cmath.

  complex-functions.py c64|c128 FUSION_EMIT [FLAGS...]

Points are all pairs of numbers at which such functions are hard: zeros of both signs,
which are the sides of the branch cuts; tiny, about 1, at zeros and poles, where an
exponential overflows, huge. The error is that of the pair, in units of the last place
of its larger part; next to a branch cut the signs of zeros count too."""
import cmath
import math
import re
import struct
import subprocess
import sys
import tempfile

LIMIT = 16  # units in the last place

# --- What is expected, in double ------------------------------------------------


def cbrt(z):
    size = abs(z)
    root = size ** (1 / 3)  # of a third that is rounded
    if root:
        root -= (root * root * root - size) / (3 * root * root)
    return cmath.rect(root, cmath.phase(z) / 3)


def expm1(z):
    if z.real > 40:
        return cmath.exp(z)
    power = math.exp(z.real)
    return complex(math.expm1(z.real) - 2 * power * math.sin(z.imag / 2) ** 2, power * math.sin(z.imag))


def log1p(z):
    one_more = complex(1 + z.real, z.imag)
    if abs(z) < 0.5:
        return complex(math.log1p(z.real * (2 + z.real) + z.imag ** 2) / 2, cmath.phase(one_more))
    return cmath.log(one_more)


def logistic(z):
    """1 / (1 + e^-z), with the tanh that is right at the poles."""
    if z.real < 0:
        return cmath.exp(z) * logistic(-z)
    return (1 + cmath.tanh(z / 2)) / 2


def sign(z):
    size = max(abs(z.real), abs(z.imag))
    scaled = complex(z.real / size, z.imag / size)
    return complex(scaled.real / abs(scaled), scaled.imag / abs(scaled))


def power(z, w):
    return cmath.exp(w * cmath.log(z)) if w else 1


UNARY = {"abs": abs, "cbrt": cbrt, "cosh": cmath.cosh, "cosine": cmath.cos, "exponential": cmath.exp, "exponential-minus-one": expm1,
         "log": cmath.log, "log-plus-one": log1p, "logistic": logistic,
         "rsqrt": lambda z: 1 / cmath.sqrt(z), "sign": sign, "sine": cmath.sin, "sqrt": cmath.sqrt,
         "sinh": cmath.sinh, "tan": cmath.tan, "tanh": cmath.tanh}
BINARY = {"divide": lambda z, w: z / w, "power": power}
# Of these a zero has the sign of the operand's, or is that of a quarter turn.
SIGNED = ("cbrt", "exponential", "exponential-minus-one", "log", "log-plus-one", "rsqrt", "sine", "sinh", "sqrt", "tan", "tanh")


# --- Points ---------------------------------------------------------------------


def in_type(x, type):
    return struct.unpack("f", struct.pack("f", x))[0] if type == "c64" else x


def points(type):
    huge, tiny = (3e38, 2e-38) if type == "c64" else (1.7e308, 3e-308)
    edge = 88.8 if type == "c64" else 709.9  # e^edge is too large
    sizes = [0.0, tiny, 1e-10, 1e-4, 0.3, 0.5, 0.6, 0.8, 1, 1 + 1e-4, math.pi / 2, 2, 2.5, math.pi, 2 * math.pi, 19,
             21, edge / 2, edge, edge + 0.5, 1.2 * edge, 1e4, 1e18, huge]
    numbers = [in_type(s * size, type) for size in sizes for s in (1, -1)]
    return [complex(x, y) for x in numbers for y in numbers]


def pairs(type):
    """Of two operands: what is divided, and moderate powers, whose error is as large as
    the exponent of the result is."""
    large = 1e30 if type == "c64" else 1e250
    sizes = [0.0, 1 / large, 1e-3, 0.5, 1, 3.75, large]
    z = [complex(in_type(s * x, type), in_type(t * y, type)) for x in sizes for y in sizes for s in (1, -1) for t in (1, -1)]
    powers = [2, -1, 0.5, 1 / 3, 2j, 0, 1 - 1j, -0.25 + 0.5j]
    powers = [complex(in_type(complex(w).real, type), in_type(complex(w).imag, type)) for w in powers]
    return {"divide": [(a, b) for a in z[::3] for b in z[::5] if b], "power": [(a, w) for a in z[::3] for w in powers if a]}


# --- Kernels --------------------------------------------------------------------


def literal(values):
    return "{" + ", ".join(f"({v.real!r}, {v.imag!r})" for v in values) + "}"


def computed(command, type, arguments):
    """The results by opcode."""
    part = {"c64": "f32", "c128": "f64"}[type]
    parameters, lines, shapes, values = [], [], [], []
    for opcode, operands in arguments.items():
        count = len(operands[0])
        names = []
        for operand in operands:
            names.append(f"p{len(parameters)}")
            parameters.append(f"{names[-1]} = {type}[{count}] parameter({len(parameters)})")
            values.append(literal(operand))
        shapes.append(f"{part if opcode == 'abs' else type}[{count}]")
        lines.append(f"r{len(lines)} = {shapes[-1]} {opcode}({', '.join(names)})")
    names = ", ".join(f"r{k}" for k in range(len(lines)))
    text = "\n".join(["ENTRY e {", *parameters, *lines, f"ROOT t = ({', '.join(shapes)}) tuple({names})", "}"])
    with tempfile.NamedTemporaryFile("w", suffix=".hlo") as module, tempfile.NamedTemporaryFile("w") as inputs:
        module.write(text)
        inputs.write("\n".join(values))
        module.flush()
        inputs.flush()
        output = subprocess.run([*command, "--run", f"--inputs={inputs.name}", module.name], check=True,
                                capture_output=True, text=True).stdout
    found = {}
    for opcode, line in zip(arguments, re.findall(r"^out\d+ = \{(.*)\}$", output, re.M)):
        if opcode == "abs":
            found[opcode] = [complex(float(x)) for x in line.split(", ")]
        else:
            found[opcode] = [complex(float(x), float(y)) for x, y in re.findall(r"\(([^,]*), ([^)]*)\)", line)]
    return found


# --- Comparison -----------------------------------------------------------------


def expected_of(function, operands, largest):
    """None if it is no finite number, or almost none."""
    try:
        value = complex(function(*operands))
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    sizes = abs(value.real), abs(value.imag)
    return value if all(size < largest for size in sizes) else None


def error_of(found, expected, type):
    bits, least = (24, 2.0 ** -149) if type == "c64" else (53, 2.0 ** -1074)
    size = max(abs(expected.real), abs(expected.imag))
    unit = max(math.ldexp(1.0, math.frexp(size)[1] - bits), least) if size else least
    return max(abs(found.real - expected.real), abs(found.imag - expected.imag)) / unit


def main():
    type, command = sys.argv[1], sys.argv[2:]
    largest = 3.4e38 if type == "c64" else 1.79e308
    arguments = {opcode: [points(type)] for opcode in UNARY}
    arguments |= {opcode: list(map(list, zip(*both))) for opcode, both in pairs(type).items()}
    failed = 0
    results = computed(command, type, arguments)
    for opcode, operands in arguments.items():
        worst, checked = 0, 0
        for found, *at in zip(results[opcode], *operands):
            expected = expected_of((UNARY | BINARY)[opcode], at, largest)
            problem = ""
            if expected is None:
                continue
            checked += 1
            error = error_of(found, expected, type)
            if not error <= LIMIT:
                problem = f"{error:.3g} units"
            elif opcode in SIGNED and expected.imag == 0 == found.imag and \
                    math.copysign(1, expected.imag) != math.copysign(1, found.imag):
                problem = "the wrong sign of zero"
            else:
                worst = max(worst, error)
            if problem:
                failed += 1
                if failed <= 20:
                    print(f"{opcode}{tuple(at)} = {found}, expected {expected}: {problem}")
        print(f"{opcode}: {checked} points, {worst:.2f} units at most")
        if checked < 100:
            failed += 1
            print(f"{opcode}: only {checked} points")
    print(f"{len(arguments)} functions of {type}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
