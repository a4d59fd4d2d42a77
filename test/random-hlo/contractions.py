"""Random operations that make one element of many. Each function adds one to a body,
or raises Unsuitable."""
from math import prod

from hlo_text import (COMPLEX, EXACT, INTEGERS, RAW, ROUGH, Body, Unsuitable, is_inexact, numbers,
                      shape_text)
from places import order_free, scalar_function, take_elements

MAX_STEPS = 40000


def grade_of_sums(x):
    return EXACT if is_inexact(x.type) else RAW


def reduced_dims(body, x):
    kept = [d for d in range(x.rank) if body.rng.random() < 0.5]
    reduced = [d for d in range(x.rank) if d not in kept]
    body.rng.shuffle(reduced)
    return kept, reduced


def reduce(body):
    x = body.any(lambda v: v.grade < ROUGH)
    if body.rng.random() < 0.25:
        return reduce_two(body, x)
    kept, reduced = reduced_dims(body, x)
    opcode, reach = order_free(body, x, prod(x.dims[d] for d in reduced) + 1)
    initial = body.provide(x.type, (), reach)
    name = scalar_function(body, x.type, opcode)
    return body.emit("reduce", x.type, [x.dims[d] for d in kept], [x, initial],
                     f"dimensions={numbers(reduced)}, to_apply={name}", grade=max(x.grade, grade_of_sums(x)))


def reduce_two(body, x):
    """The largest element and its number, and the smaller number if there are several;
    the result is a tuple."""
    if x.type not in INTEGERS and (x.grade > RAW or x.type in COMPLEX or x.type == "pred"):
        raise Unsuitable  # NaN is neither larger nor smaller
    kept, reduced = reduced_dims(body, x)
    index = body.rng.choice(["s32", "s64", "u16"])
    numbers_of = body.provide(index, x.dims)
    initials = [body.constant(x.type), body.constant(index)]
    name = body.module.new_name("function")
    body.module.computations.append(f"""{name} {{
  a = {x.type}[] parameter(0)
  i = {index}[] parameter(1)
  b = {x.type}[] parameter(2)
  j = {index}[] parameter(3)
  above = pred[] compare(a, b), direction=GT
  equal = pred[] compare(a, b), direction=EQ
  first = pred[] compare(i, j), direction=LT
  tie = pred[] and(equal, first)
  left = pred[] or(above, tie)
  value = {x.type}[] select(left, a, b)
  number = {index}[] select(left, i, j)
  ROOT pair = ({x.type}[], {index}[]) tuple(value, number)
}}
""")
    dims = [x.dims[d] for d in kept]
    pair = body.module.new_name("v")
    shapes = ", ".join(shape_text(body.rng, type, dims) for type in (x.type, index))
    operands = ", ".join(v.name for v in [x, numbers_of] + initials)
    body.line(pair, f"({shapes}) reduce({operands}), dimensions={numbers(reduced)}, to_apply={name}")
    body.opcodes |= {"reduce", "tuple"}
    body.used |= {x.name, numbers_of.name}
    return take_elements(body, pair, [(x.type, dims, EXACT), (index, dims, RAW)])


class WindowText:
    """The dimensions of a window over an array with these sizes."""

    FIELDS = ("size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal")

    def __init__(self, rng, sizes, window_sizes=None, reversal=True):
        self.counts, self.sizes, self.fields = [], [], []
        for d, size in enumerate(sizes):
            window = window_sizes[d] if window_sizes else rng.choice([1, 1, 2, 3, 4])
            stride, base, dilation = (rng.choice([1, 1, 1, 2, 3]) for _ in range(3))
            low, high = (rng.choice([0, 0, 1, 2, -1]) for _ in range(2))
            extent = (window - 1) * dilation + 1
            padded = (0 if size == 0 else (size - 1) * base + 1) + low + high
            if padded < extent and not window_sizes and rng.random() < 0.9:
                window, low, high, base, extent, padded = 1, 0, 0, 1, 1, size
            self.counts.append(0 if padded < extent else (padded - extent) // stride + 1)
            self.sizes.append(window)
            reversed_ = int(reversal and rng.random() < 0.2)
            self.fields.append((window, stride, f"{low}_{high}", base, dilation, reversed_))

    def __str__(self):
        columns = ["x".join(str(f[k]) for f in self.fields) for k in range(len(self.FIELDS))]
        return "window={" + " ".join(f"{n}={c}" for n, c in zip(self.FIELDS, columns)) + "}"


def reduce_window(body):
    x = body.any(lambda v: v.grade < ROUGH and v.rank > 0)
    window = WindowText(body.rng, x.dims, reversal=False)
    if prod(window.counts) > body.module.max_elements or prod(window.counts) * prod(window.sizes) > MAX_STEPS:
        raise Unsuitable
    opcode, reach = order_free(body, x, prod(window.sizes) + 1)
    initial = body.provide(x.type, (), reach)
    name = scalar_function(body, x.type, opcode)
    return body.emit("reduce-window", x.type, window.counts, [x, initial], f"{window}, to_apply={name}",
                     grade=max(x.grade, grade_of_sums(x)))


def result_type(body, x):
    """dot and convolution add up in a wide type and round once."""
    if x.type in COMPLEX:
        return x.type
    if x.type == "pred":
        return x.type
    if x.type in INTEGERS:
        return body.rng.choice([x.type, "s32", "s64"])
    return body.rng.choice([x.type, "f32", "f64", "bf16"])


def dot(body):
    """Dimensions of batches, then contracted ones, then free ones, all shuffled."""
    x = body.any(lambda v: v.grade == RAW and v.count <= 600)
    roles = [body.rng.choice("bccf") for _ in x.dims]
    batch = [d for d in range(x.rank) if roles[d] == "b"]
    contracted = [d for d in range(x.rank) if roles[d] == "c"]
    body.rng.shuffle(batch)
    body.rng.shuffle(contracted)
    free = [body.rng.choice([1, 2, 3, 5]) for _ in range(body.rng.choice([0, 1, 1, 2]))]
    dims_of = [x.dims[d] for d in batch + contracted] + free
    order = body.rng.sample(range(len(dims_of)), len(dims_of))  # what is where on the right
    left_free = [x.dims[d] for d in range(x.rank) if roles[d] == "f"]
    right_free = [dims_of[k] for k in order if k >= len(batch + contracted)]
    dims = [x.dims[d] for d in batch] + left_free + right_free
    if prod(dims_of) > body.module.max_elements or prod(dims) > body.module.max_elements or \
            prod(dims) * prod(x.dims[d] for d in contracted) > MAX_STEPS:
        raise Unsuitable
    y = body.provide(x.type, [dims_of[k] for k in order], RAW)
    places = [order.index(k) for k in range(len(batch + contracted))]
    attributes = [f"{name}={numbers(dims)}" for name, dims in (
        ("lhs_batch_dims", batch), ("rhs_batch_dims", places[:len(batch)]),
        ("lhs_contracting_dims", contracted), ("rhs_contracting_dims", places[len(batch):])) if dims]
    return body.emit("dot", result_type(body, x), dims, [x, y], ", ".join(attributes), grade=grade_of_sums(x))


def convolution(body):
    rng = body.rng
    x = body.any(lambda v: v.grade == RAW and 2 <= v.rank <= 4)
    rank = x.rank - 2
    input_, kernel, output = (rng.sample(range(x.rank), x.rank) for _ in range(3))
    batches, features = x.dims[input_[0]], x.dims[input_[1]]
    divisors = lambda n: [d for d in range(1, n + 1) if n % d == 0] or [1]
    feature_groups = rng.choice(divisors(features)) if rng.random() < 0.3 else 1
    batch_groups = rng.choice(divisors(batches)) if feature_groups == 1 and rng.random() < 0.3 else 1
    outputs = feature_groups * batch_groups * rng.choice([1, 1, 2, 3])
    window = WindowText(rng, [x.dims[d] for d in input_[2:]], [rng.choice([1, 2, 3]) for _ in range(rank)])
    in_group = features // feature_groups
    kernel_dims, dims = [0] * x.rank, [0] * x.rank
    for places, sizes, target in ((kernel, [in_group, outputs] + window.sizes, kernel_dims),
                                  (output, [batches // batch_groups, outputs] + window.counts, dims)):
        for place, size in zip(places, sizes):
            target[place] = size
    if max(prod(dims), prod(kernel_dims)) > body.module.max_elements or \
            prod(dims) * prod(window.sizes) * in_group > MAX_STEPS:
        raise Unsuitable
    y = body.provide(x.type, kernel_dims, RAW)

    def labels(places, two):
        return "".join((two + "012")[places.index(d)] for d in range(x.rank))

    attributes = f"dim_labels={labels(input_, 'bf')}_{labels(kernel, 'io')}->{labels(output, 'bf')}"
    if rank:
        attributes = f"{window}, {attributes}"
    if feature_groups > 1:
        attributes += f", feature_group_count={feature_groups}"
    if batch_groups > 1:
        attributes += f", batch_group_count={batch_groups}"
    return body.emit("convolution", result_type(body, x), dims, [x, y], attributes, grade=grade_of_sums(x))


OPERATIONS = {reduce: 4, reduce_window: 2, dot: 2, convolution: 2}
