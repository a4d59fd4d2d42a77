"""Random operations on elements. Each function adds one to a body, or raises
Unsuitable; what may follow what is decided by the grades of hlo_text."""
from hlo_text import (BITS, COMMON, COMPLEX, EXACT, FLOATS, INTEGERS, PREDICATES, RAW, ROUGH, SIGNED,
                      SMALL_FLOATS, TYPES, UNSIGNED, Body, Unsuitable, is_inexact, numbers)

# Opcodes by kind of operand. Those of calculus take RAW ones and yield ROUGH ones.
UNARY_OF_INTEGERS = ["abs", "copy", "count-leading-zeros", "negate", "not", "popcnt", "sign"]
UNARY_OF_PREDICATES = ["copy", "not"]
UNARY_OF_FLOATS = ["abs", "ceil", "copy", "floor", "imag", "is-finite", "negate", "real", "reduce-precision",
                   "round-nearest-afz", "round-nearest-even", "sign", "sqrt"]
UNARY_OF_COMPLEX = ["copy", "imag", "negate", "real"]
CALCULUS = ["acos", "acosh", "asin", "asinh", "atanh", "cbrt", "cosh", "cosine", "erf", "exponential", "exponential-minus-one", "log", "log-plus-one", "logistic",
            "rsqrt", "sine", "sinh", "tan", "tanh"]
ONLY_REAL = {"acos", "acosh", "asin", "asinh", "atanh", "erf"}
CALCULUS_OF_COMPLEX = ["abs", "sign", "sqrt"] + [opcode for opcode in CALCULUS if opcode not in ONLY_REAL]

BINARY_OF_PREDICATES = ["add", "and", "maximum", "minimum", "multiply", "or", "xor"]
BINARY_OF_INTEGERS = BINARY_OF_PREDICATES + ["divide", "power", "remainder", "shift-left",
                                             "shift-right-arithmetic", "shift-right-logical", "subtract"]
BINARY_OF_FLOATS = ["add", "divide", "maximum", "minimum", "multiply", "remainder", "subtract"]
BINARY_CALCULUS = ["atan2", "power"]
PRECISE = ["bf16", "f16", "f32", "f64"]  # in this order

UNARY = {*UNARY_OF_INTEGERS, *UNARY_OF_FLOATS, *CALCULUS}
OPCODES = sorted(UNARY | {*BINARY_OF_INTEGERS, *BINARY_OF_FLOATS, *BINARY_CALCULUS})


def component_of(type):
    return {"c64": "f32", "c128": "f64"}.get(type, type)


def opcodes_for(x, unary):
    """What may be done to x, alone or with another one."""
    if x.type in PREDICATES:
        return UNARY_OF_PREDICATES if unary else BINARY_OF_PREDICATES
    if x.type in INTEGERS:
        return UNARY_OF_INTEGERS if unary else BINARY_OF_INTEGERS
    if x.grade == ROUGH:
        return ["copy", "negate"] if unary else []
    if x.type in COMPLEX and unary:
        return UNARY_OF_COMPLEX + (CALCULUS_OF_COMPLEX if x.grade == RAW else [])
    if x.type in COMPLEX:
        # That of c128 is too far off where one part is small beside the other.
        power = ["power"] if x.type == "c64" else []
        return ["add", "subtract"] + (["multiply", "divide", *power] if x.grade == RAW else [])
    if unary:
        return UNARY_OF_FLOATS + (CALCULUS if x.grade == RAW else [])
    return BINARY_OF_FLOATS + (BINARY_CALCULUS if x.grade == RAW else [])


def unary(body):
    x = body.any()
    return apply_unary(body, body.rng.choice(opcodes_for(x, True)), x)


def binary(body):
    x = body.any()
    if opcodes := opcodes_for(x, False):
        return apply_binary(body, body.rng.choice(opcodes), x)
    raise Unsuitable


def favourite(body):
    """Each module has a favourite, so that no opcode waits long for its turn."""
    opcode = body.module.favourite
    is_unary = opcode in UNARY
    x = body.any(lambda v: opcode in opcodes_for(v, is_unary))
    return (apply_unary if is_unary else apply_binary)(body, opcode, x)


def apply_unary(body, opcode, x):
    type, attributes, grade = x.type, "", max(x.grade, EXACT)
    if opcode in ("real", "imag") or (opcode == "abs" and x.type in COMPLEX):
        type = component_of(x.type)
    if opcode in CALCULUS or (opcode in CALCULUS_OF_COMPLEX and x.type in COMPLEX):
        grade = ROUGH
    elif opcode == "is-finite":
        type = "pred"
    elif opcode == "reduce-precision":
        if x.type in SMALL_FLOATS and x.type not in ("f8e3m4", "f8e4m3", "f8e5m2"):
            raise Unsuitable  # no infinity
        attributes = f"exponent_bits={body.rng.randint(2, 11)}, mantissa_bits={body.rng.randint(0, 23)}"
    elif opcode == "copy":
        grade = x.grade
    return body.emit(opcode, type, x.dims, [x], attributes, grade=grade)


def apply_binary(body, opcode, x):
    # A complex product has sums of products.
    of_complex = x.type in COMPLEX and opcode in ("multiply", "divide")
    of_calculus = opcode in BINARY_CALCULUS and is_inexact(x.type)
    y = body.provide(x.type, x.dims, RAW if of_complex or of_calculus else EXACT)
    if body.rng.random() < 0.3:
        x, y = y, x
    is_rough = of_calculus or (of_complex and opcode == "divide")
    return body.emit(opcode, x.type, x.dims, [x, y], grade=ROUGH if is_rough else EXACT)


def complex_of_parts(body):
    type = body.rng.choice(["f32", "f64"])
    x = body.any(lambda v: v.type == type)
    y = body.provide(type, x.dims)
    return body.emit("complex", {"f32": "c64", "f64": "c128"}[type], x.dims, [x, y])


def compare(body):
    x = body.any(lambda v: v.grade < ROUGH)
    y = body.provide(x.type, x.dims, EXACT)
    direction = body.rng.choice(["EQ", "NE"] if x.type in COMPLEX else ["EQ", "NE", "GE", "GT", "LE", "LT"])
    types = {"FLOAT": is_inexact(x.type), "SIGNED": x.type in SIGNED,
             "UNSIGNED": x.type in UNSIGNED + PREDICATES,
             # The sign of a NaN means nothing.
             "TOTALORDER": x.type in FLOATS and x.grade == y.grade == RAW}
    type = body.rng.choice([""] + [name for name, fits in types.items() if fits])
    return body.emit("compare", "pred", x.dims, [x, y],
                     f"direction={direction}" + (f", type={type}" if type else ""), grade=RAW)


def select(body):
    x = body.any()
    y = body.provide(x.type, x.dims)
    dims = x.dims if body.rng.random() < 0.8 else ()
    predicate = body.provide("pred", dims)
    return body.emit("select", x.type, x.dims, [predicate, x, y])


def clamp(body):
    x = body.any(lambda v: v.grade < ROUGH and v.type in INTEGERS + FLOATS)
    bounds = [body.provide(x.type, body.rng.choice([(), x.dims]), EXACT) for _ in range(2)]
    return body.emit("clamp", x.type, x.dims, [bounds[0], x, bounds[1]], grade=EXACT)


def convert(body):
    x = body.any()
    if x.type in COMPLEX:
        type = body.rng.choice(COMPLEX)
    elif x.grade == ROUGH:
        # What is rough in the last bit of f16 is very wrong as f32.
        if x.type not in PRECISE:
            raise Unsuitable
        type = body.rng.choice(PRECISE[:PRECISE.index(x.type) + 1])
    else:
        type = body.rng.choice(COMMON + TYPES)
    return body.emit("convert", type, x.dims, [x], grade=max(x.grade, EXACT))


def bitcast_convert(body):
    """Also between different widths, which adds or removes a dimension."""
    x = body.any(lambda v: v.type in INTEGERS + FLOATS and (v.grade == RAW or v.type in INTEGERS))
    types = [t for t in INTEGERS + FLOATS
             if BITS[t] <= BITS[x.type] or (x.dims and x.dims[-1] == BITS[t] // BITS[x.type])]
    type = body.rng.choice(types)
    dims = list(x.dims)
    if BITS[type] < BITS[x.type]:
        dims.append(BITS[x.type] // BITS[type])
    elif BITS[type] > BITS[x.type]:
        dims.pop()
    return body.emit("bitcast-convert", type, dims, [x], grade=EXACT if is_inexact(type) else RAW)


def mapped(body):
    """map: a function of scalars, applied at each index."""
    x = body.any(lambda v: v.grade < ROUGH)
    operands = [x] + [body.any(lambda v: v.dims == x.dims and v.grade < ROUGH)
                      for _ in range(body.rng.randrange(3))]
    function = Body(body.module, is_closed=True)
    for operand in operands:
        function.parameter(operand.type, (), operand)
    results = []
    for _ in range(body.rng.randint(1, 4)):
        try:
            results.append(body.rng.choice([unary, binary, compare, select, convert, clamp])(function))
        except Unsuitable:
            pass
    if not results:
        raise Unsuitable
    name = body.module.new_name("function")
    body.module.computations.append(function.text(name, results[-1].name))
    body.opcodes |= function.opcodes
    return body.emit("map", results[-1].type, x.dims, operands,
                     f"dimensions={numbers(range(x.rank))}, to_apply={name}", grade=results[-1].grade)


OPERATIONS = {unary: 6, binary: 6, favourite: 6, complex_of_parts: 1, compare: 2, select: 2, clamp: 1, convert: 3,
              bitcast_convert: 1, mapped: 1}
