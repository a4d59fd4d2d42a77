"""Random operations in which values decide which elements are where. Each function adds
one to a body, or raises Unsuitable."""
from math import prod

from contractions import MAX_STEPS, grade_of_sums
from hlo_text import COMPLEX, INTEGERS, RAW, Unsuitable, is_inexact, numbers, shape_text
from places import order_free, scalar_function, take_elements


def has_order(value):
    """Elements that all compare as the reference does: no NaN, whose sign is open."""
    return value.rank > 0 and value.type not in COMPLEX and (value.grade == RAW or not is_inexact(value.type))


def order_function(body, types):
    """The name of a function that compares the first of several pairs."""
    name = body.module.new_name("function")
    lines = [f"  p{k} = {type}[] parameter({k})" for k, type in enumerate(type for type in types for _ in range(2))]
    direction = body.rng.choice(["LT", "GT"])
    total = ", type=TOTALORDER" if is_inexact(types[0]) and body.rng.random() < 0.5 else ""
    lines.append(f"  ROOT r = pred[] compare(p0, p1), direction={direction}{total}")
    body.module.computations.append("\n".join([f"{name} {{", *lines, "}", ""]))
    body.opcodes.add("compare")
    return name


def sort(body):
    x = body.any(has_order)
    others = [body.any(lambda v: v.dims == x.dims) for _ in range(body.rng.choice([0, 0, 1, 1, 2]))]
    arrays = [x] + others
    name = order_function(body, [a.type for a in arrays])
    attributes = f"dimensions={numbers([body.rng.randrange(x.rank)])}, to_apply={name}"
    if body.rng.random() < 0.5:
        attributes += ", is_stable=true"
    if not others:
        return body.emit("sort", x.type, x.dims, [x], attributes)
    whole = body.module.new_name("v")
    shapes = ", ".join(shape_text(body.rng, a.type, a.dims) for a in arrays)
    body.line(whole, f"({shapes}) sort({', '.join(a.name for a in arrays)}), {attributes}")
    body.opcodes.add("sort")
    body.used |= {a.name for a in arrays}
    return take_elements(body, whole, [(a.type, a.dims, a.grade) for a in arrays])


def topk(body):
    x = body.any(has_order)
    k = body.rng.randint(min(1, x.dims[-1]), min(5, x.dims[-1]))
    dims = x.dims[:-1] + (k,)
    whole = body.module.new_name("v")
    shapes = ", ".join(shape_text(body.rng, type, dims) for type in (x.type, "s32"))
    body.line(whole, f"({shapes}) topk({x.name}), k={k}, largest={body.rng.choice(['true', 'false'])}")
    body.opcodes.add("topk")
    body.used.add(x.name)
    return take_elements(body, whole, [(x.type, dims, x.grade), ("s32", dims, RAW)])


def select_and_scatter(body):
    rng = body.rng
    x = body.any(lambda v: has_order(v) and v.type in INTEGERS + ["f16", "bf16", "f32", "f64"])
    fields, counts = [], []
    for size in x.dims:
        window, stride = rng.choice([1, 1, 2, 3, 4]), rng.choice([1, 1, 2, 3])
        low, high = (rng.choice([0, 0, 1, 2, -1]) for _ in range(2))
        if size + low + high < window:
            window, low, high = 1, 0, 0
        counts.append(max(0, (size + low + high - window) // stride + 1))
        fields.append((window, stride, f"{low}_{high}"))
    windows = prod(field[0] for field in fields)
    if prod(counts) > body.module.max_elements or x.count * windows * windows > 4 * MAX_STEPS:
        raise Unsuitable
    opcode, reach = order_free(body, x, windows + 1)
    source, initial = body.provide(x.type, counts, reach), body.provide(x.type, (), reach)
    select = body.module.new_name("function")
    body.module.computations.append(
        f"{select} {{\n  a = {x.type}[] parameter(0)\n  b = {x.type}[] parameter(1)\n"
        f"  ROOT r = pred[] compare(a, b), direction={rng.choice(['GE', 'LE', 'GT'])}\n}}\n")
    scatter = scalar_function(body, x.type, opcode)
    columns = ["x".join(str(field[k]) for field in fields) for k in range(3)]
    window = " ".join(f"{name}={column}" for name, column in zip(("size", "stride", "pad"), columns))
    return body.emit("select-and-scatter", x.type, x.dims, [x, source, initial],
                     f"window={{{window}}}, select={select}, scatter={scatter}",
                     grade=max(source.grade, initial.grade, grade_of_sums(x)))


OPERATIONS = {sort: 2, topk: 1, select_and_scatter: 1}
