"""Random operations that move elements: to places that are known, and to places that
are operands. Each function adds one to a body, or raises Unsuitable."""
from math import prod

from hlo_text import (BITS, COMMON, COMPLEX, EXACT, FLOATS, INTEGERS, RAW, Body, Unsuitable, factored,
                      is_inexact, numbers, shape_text)


def small(body, rank=0):
    return body.any(lambda v: v.count <= body.module.max_elements // 3 and v.rank >= rank)


def reshape(body):
    x = body.any()
    return body.emit("reshape", x.type, factored(body.rng, x.count), [x])


def bitcast(body):
    """The same bytes, which the layouts say; sometimes as another type."""
    x = body.any()
    types = [x.type] * 4
    if x.type in INTEGERS + FLOATS and (x.grade == RAW or x.type in INTEGERS):
        types += [t for t in INTEGERS + FLOATS if BITS[t] == BITS[x.type]]
    type = body.rng.choice(types)
    grade = x.grade if type == x.type else EXACT if is_inexact(type) else RAW
    return body.emit("bitcast", type, factored(body.rng, x.count), [x], grade=grade)


def transpose(body):
    x = body.any()
    order = body.rng.sample(range(x.rank), x.rank)
    return body.emit("transpose", x.type, [x.dims[d] for d in order], [x], f"dimensions={numbers(order)}")


def broadcast(body):
    """The dimensions of the operand may come in another order."""
    x = small(body)
    added = [body.rng.choice([1, 2, 3, 5]) for _ in range(body.rng.randrange(3))]
    while x.count * prod(added) > body.module.max_elements:
        added.pop()
    places = list(range(x.rank)) + [None] * len(added)
    if body.rng.random() < 0.3:
        body.rng.shuffle(places)
    else:
        for _ in added:
            places.remove(None)
        for _ in added:
            places.insert(body.rng.randrange(len(places) + 1), None)
    rest = iter(added)
    dims = [next(rest) if place is None else x.dims[place] for place in places]
    return body.emit("broadcast", x.type, dims, [x],
                     f"dimensions={numbers(places.index(d) for d in range(x.rank))}")


def cut(body, x):
    """An array with no larger dimensions, by slicing."""
    dims, ranges = [], []
    for size in x.dims:
        start, limit, stride = 0, size, 1
        if size and body.rng.random() < 0.6:
            start = body.rng.randrange(size)
            limit = body.rng.randint(start + (body.rng.random() < 0.97), size)
            stride = body.rng.choice([1, 1, 1, 2, 3, 7])
        dims.append((limit - start + stride - 1) // stride)
        ranges.append(f"[{start}:{limit}:{stride}]" if stride > 1 or body.rng.random() < 0.3
                      else f"[{start}:{limit}]")
    return body.emit("slice", x.type, dims, [x], f"slice={{{', '.join(ranges)}}}")


def slice_of(body):
    return cut(body, body.any())


def reverse(body):
    x = body.any()
    dims = [d for d in range(x.rank) if body.rng.random() < 0.5]
    body.rng.shuffle(dims)
    return body.emit("reverse", x.type, x.dims, [x], f"dimensions={numbers(dims)}")


def concatenate(body):
    x = small(body, rank=1)
    along = body.rng.randrange(x.rank)
    operands = [x]
    for _ in range(body.rng.choice([0, 1, 1, 1, 2, 3])):
        other = body.pick(lambda v: v.type == x.type and v.rank == x.rank and v.count <= body.module.max_elements // 3 and
                          all(v.dims[d] == x.dims[d] for d in range(x.rank) if d != along))
        if body.rng.random() < 0.4:
            dims = list(x.dims)
            dims[along] = body.rng.choice([0, 1, 2, 3, 5, 8])
            if prod(dims) <= body.module.max_elements // 3:
                other = body.provide(x.type, dims)
        operands.append(other)
    body.rng.shuffle(operands)
    dims = list(x.dims)
    dims[along] = sum(o.dims[along] for o in operands)
    return body.emit("concatenate", x.type, dims, operands, f"dimensions={numbers([along])}")


def pad(body):
    x = small(body)
    value = body.provide(x.type, ())
    dims, padding = [], []
    for size in x.dims:
        low, high = (body.rng.choice([0, 0, 0, 1, 2, 5, -1, -2]) for _ in range(2))
        interior = body.rng.choice([0, 0, 0, 0, 1, 2])
        padded = max(size - 1, 0) * interior + size + low + high
        if padded < 0 or (padded == 0 and body.rng.random() < 0.9):
            low, high, interior, padded = 0, 0, 0, size
        dims.append(padded)
        padding.append(f"{low}_{high}_{interior}" if interior or body.rng.random() < 0.3 else f"{low}_{high}")
    if prod(dims) > body.module.max_elements or not dims:
        raise Unsuitable  # nor is there a text for no dimensions
    return body.emit("pad", x.type, dims, [x, value], f"padding={'x'.join(padding)}")


# --- Places that are operands -------------------------------------------------


def start_indices(body, x):
    """One for each dimension; random parameters are often out of range. All have one
    type, as XLA has it."""
    type = body.rng.choice(["s32", "s32", "s64", body.rng.choice(INTEGERS)])
    return [body.provide(type, ()) for _ in x.dims]


def dynamic_slice(body):
    x = body.any()
    sizes = [body.rng.choice([size, body.rng.randint(min(size, 1), size)]) for size in x.dims]
    return body.emit("dynamic-slice", x.type, sizes, [x] + start_indices(body, x),
                     f"dynamic_slice_sizes={numbers(sizes)}")


def dynamic_update_slice(body):
    x = body.any()
    update = body.pick(lambda v: v.type == x.type and v.rank == x.rank and
                       all(a <= b for a, b in zip(v.dims, x.dims)))
    if body.rng.random() < 0.5:
        update = cut(body, x)
    return body.emit("dynamic-update-slice", x.type, x.dims, [x, update] + start_indices(body, x),
                     grade=max(x.grade, update.grade))


class Windows:
    """Windows of an array that index vectors choose: what gather and scatter share."""

    def __init__(self, body, x, indices_are_unique=False):
        rng = body.rng
        dims = list(range(x.rank))
        can_be_batch = [] if indices_are_unique else [d for d in dims if x.dims[d] > 0]
        self.batching = [d for d in can_be_batch if rng.random() < 0.15][:2]
        rest = [d for d in dims if d not in self.batching]
        self.starts = rng.sample(rest, min(len(rest), rng.choice([0, 1, 1, 1, 2, 3])))
        self.sizes = [1 if d in self.batching else
                      rng.choice([x.dims[d], rng.randint(min(1, x.dims[d]), x.dims[d])]) if d in self.starts or
                      rng.random() < 0.5 else x.dims[d] for d in dims]
        if indices_are_unique:
            if not self.starts:
                raise Unsuitable
            self.sizes[self.starts[0]] = min(1, x.dims[self.starts[0]])
        self.removed = [d for d in rest if self.sizes[d] == 1 and rng.random() < 0.7]
        self.window = [self.sizes[d] for d in rest if d not in self.removed]
        # The index vectors.
        self.batch = [x.dims[d] for d in self.batching]
        self.batch += [rng.choice([1, 2, 3, 5, 0 if rng.random() < 0.1 else 4])
                       for _ in range(rng.choice([0, 1, 1, 2]))]
        self.batch_places = rng.sample(range(len(self.batch)), len(self.batch))
        self.batch = [self.batch[place] for place in self.batch_places]
        self.batching_of_indices = [self.batch_places.index(k) for k in range(len(self.batching))]
        self.vector_dim = rng.randint(0, len(self.batch))
        self.index_dims = list(self.batch)
        if len(self.starts) == 1 and rng.random() < 0.4:
            self.vector_dim = len(self.batch)  # without a dimension of size 1
        else:
            self.index_dims.insert(self.vector_dim, len(self.starts))
            self.batching_of_indices = [d + (d >= self.vector_dim) for d in self.batching_of_indices]
        # The other side: dimensions of batches and windows, each in their order.
        rank = len(self.batch) + len(self.window)
        self.window_places = sorted(rng.sample(range(rank), len(self.window)))
        batch, window = iter(self.batch), iter(self.window)
        self.dims = [next(window) if d in self.window_places else next(batch) for d in range(rank)]
        if prod(self.dims) > body.module.max_elements or prod(self.index_dims) > body.module.max_elements:
            raise Unsuitable

    def attributes(self, window, removed, starts, batching, batching_of_indices):
        text = (f"{window}={numbers(self.window_places)}, {removed}={numbers(self.removed)}, "
                f"{starts}={numbers(self.starts)}, index_vector_dim={self.vector_dim}")
        if self.batching:
            text += (f", {batching}={numbers(self.batching)}, "
                     f"{batching_of_indices}={numbers(self.batching_of_indices)}")
        return text


def take_elements(body, name, elements):
    """get-tuple-element of each (type, dims, grade) of a tuple; returns the last."""
    for k, (type, dims, grade) in enumerate(elements):
        value = body.emit("get-tuple-element", type, dims, [], f"index={k}", grade=grade, literal=name)
    return value


def gather(body):
    x = body.any()
    w = Windows(body, x)
    indices = body.provide(body.rng.choice(["s32", "s32", "s64", body.rng.choice(INTEGERS)]), w.index_dims)
    attributes = w.attributes("offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims",
                              "start_indices_batching_dims")
    return body.emit("gather", x.type, w.dims, [x, indices], f"{attributes}, slice_sizes={numbers(w.sizes)}",
                     grade=x.grade)


def scatter(body):
    """Updates of one element may come in any order, so the function is one for which
    the order does not matter, or the indices are unique."""
    if body.depth == 0 and body.rng.random() < 0.5:
        raise Unsuitable
    unique = body.rng.random() < 0.3
    # No atomic operation on 16 bytes.
    x = body.any(lambda v: v.type != "c128" and (v.count <= 300 or v.type not in COMPLEX))
    w = Windows(body, x, indices_are_unique=unique)
    if unique:
        indices, combine, reach = unique_indices(body, w), "replace", EXACT
    else:
        indices = body.provide(body.rng.choice(["s32", "s32", "s64", body.rng.choice(INTEGERS)]), w.index_dims)
        combine, reach = order_free(body, x, prod(w.dims) + 1)
    if x.grade > reach:
        raise Unsuitable
    updates = body.provide(x.type, w.dims, reach)
    attributes = w.attributes("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims",
                              "input_batching_dims", "scatter_indices_batching_dims")
    if unique:
        attributes += ", unique_indices=true"
    if body.rng.random() < 0.3:
        return scatter_into_two(body, unique, w, x, combine, indices, updates, attributes)
    name = scalar_function(body, x.type, combine)
    return body.emit("scatter", x.type, x.dims, [x, indices, updates], f"{attributes}, to_apply={name}",
                     grade=max(x.grade, updates.grade, EXACT))


def scatter_into_two(body, unique, w, x, combine, indices, updates, attributes):
    """Each of two arrays is combined for itself."""
    type = body.rng.choice([t for t in COMMON if t not in COMPLEX])
    y = body.provide(type, x.dims, RAW)
    combine_y, reach = ("replace", EXACT) if unique else order_free(body, y, prod(w.dims) + 1)
    updates_y = body.provide(type, w.dims, reach)
    function = Body(body.module, is_closed=True)
    types = [x.type, type]
    arguments = [function.emit("parameter", t, (), [], literal=str(k)) for k, t in enumerate(types * 2)]
    results = [new if opcode == "replace" else function.emit(opcode, t, (), [old, new])
               for t, opcode, old, new in zip(types, (combine, combine_y), arguments[:2], arguments[2:])]
    name, root, whole = (body.module.new_name(stem) for stem in ("function", "v", "v"))
    function.line(root, f"({x.type}[], {type}[]) tuple({', '.join(r.name for r in results)})")
    body.opcodes |= function.opcodes | {"scatter"}
    body.module.computations.append(function.text(name, root))
    operands = [x, y, indices, updates, updates_y]
    body.used |= {o.name for o in operands}
    shapes = ", ".join(shape_text(body.rng, a.type, a.dims) for a in (x, y))
    body.line(whole, f"({shapes}) scatter({', '.join(o.name for o in operands)}), {attributes}, to_apply={name}")
    return take_elements(body, whole, [(a.type, a.dims, max(a.grade, u.grade, EXACT))
                                       for a, u in ((x, updates), (y, updates_y))])


def unique_indices(body, w):
    """Ascending or descending along the one dimension of the batch, also beyond the end."""
    if len(w.batch) != 1:
        raise Unsuitable
    along = 0 if w.vector_dim == 1 or len(w.index_dims) == 1 else 1
    indices = body.emit("iota", "s32", w.index_dims, [], f"iota_dimension={along}", grade=RAW)
    if body.rng.random() < 0.5:
        indices = body.emit("reverse", "s32", w.index_dims, [indices], f"dimensions={numbers([along])}")
    return indices


# --- Functions of two scalars ---------------------------------------------------


def order_free(body, x, count):
    """The opcode of a function that gives the same for any order of so many elements,
    and the worst grade for which it does."""
    if x.type == "pred":
        return body.rng.choice(["and", "or", "xor", "maximum", "minimum"]), EXACT
    if x.type in INTEGERS:
        return body.rng.choice(["add", "add", "multiply", "maximum", "minimum", "and", "or", "xor"]), EXACT
    precision = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53, "c64": 24, "c128": 53}.get(x.type, 0)
    sums = x.grade == RAW and count * 40 <= 2**precision  # exact in any order
    choices = ["add", "add"] * sums + ["maximum", "minimum"] * (x.type not in COMPLEX)
    if not choices:
        raise Unsuitable
    opcode = body.rng.choice(choices)
    return opcode, RAW if opcode == "add" else EXACT


def scalar_function(body, type, opcode):
    """The name of a new computation of two scalars; "replace" takes the second one."""
    name = body.module.new_name("function")
    function = Body(body.module, is_closed=True)
    a, b = (function.emit("parameter", type, (), [], literal=str(k)) for k in range(2))
    root = b if opcode == "replace" else function.emit(opcode, type, (), [a, b])
    body.opcodes |= function.opcodes
    body.module.computations.append(function.text(name, root.name))
    return name


OPERATIONS = {reshape: 5, bitcast: 2, transpose: 4, broadcast: 3, slice_of: 3, reverse: 2, concatenate: 3, pad: 3,
              dynamic_slice: 2, dynamic_update_slice: 2, gather: 3, scatter: 2}
