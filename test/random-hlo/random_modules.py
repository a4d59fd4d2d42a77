"""Random HLO modules: a seed makes always the same one.

The entry has fusions and calls, which may have such in them, loops, branches, reductions
and dots, and elementwise operations between them; a tuple or a single array is the root. Parameters
may be in tuples, results in tuples of tuples. Results may be in the memory of
parameters.
"""
import random
from math import prod

import contractions
import control
import elementwise
import order
import places
from hlo_text import COMMON, TYPES, Body, Module, Unsuitable, large_dims, numbers, random_dims, shape_text
from places import take_elements
from tuples import group_parameters, group_results, shapes_of

MAX_DEPTH = 3
# What a module may have beside opcodes.
ALIAS, TUPLES, NESTED = FORMS = "input_output_alias", "tuples among parameters", "tuples in tuples among results"


def nested(body):
    """A fusion or a call of a computation made for it, with one or several results."""
    if body.depth >= MAX_DEPTH:
        raise Unsuitable
    inner = Body(body.module, body)
    for _ in range(body.rng.randint(1, 3)):
        value = body.any()
        if not any(a is value for a in inner.arguments):
            inner.parameter(value.type, value.dims, value)
    grow(inner, body.rng.choice([1, 2, 3, 5, 8, 12]))
    return call(body, inner)


def hero(body):
    """A fusion around a transpose or a reduction of a large array, for which there are
    kernels of a kind of their own."""
    rng = body.rng
    inner = Body(body.module, body)
    dims = large_dims(rng, body.module.max_elements)
    inner.parameter(rng.choice(COMMON), dims)
    grow(inner, rng.choice([0, 0, 1, 2]), elementwise.OPERATIONS)
    for _ in range(rng.choice([1, 1, 1, 2])):
        grow(inner, 1, {places.transpose: 1, contractions.reduce: 1})
    grow(inner, rng.choice([0, 0, 1, 2, 3]), {**elementwise.OPERATIONS, places.reshape: 3, places.broadcast: 1})
    return call(body, inner)


def joined(body):
    """A fusion around a concatenation of large arrays, and what follows from it and from
    arrays of its size."""
    rng = body.rng
    inner = Body(body.module, body)
    dims = list(large_dims(rng, body.module.max_elements // 2))
    along, type = rng.randrange(len(dims)), rng.choice(COMMON)
    sizes, room = [dims[along]], body.module.max_elements // max(1, prod(dims) // dims[along])
    while len(sizes) < 4 and rng.random() < 0.6:
        size = rng.choice([dims[along], dims[along], 1, 4, 32, 64, rng.choice(dims)])
        if sum(sizes) + size <= room:
            sizes.append(size)
    operands = []
    for size in sizes:
        operands.append(inner.parameter(type, dims[:along] + [size] + dims[along + 1:]))
        grow(inner, rng.choice([0, 0, 0, 1]), elementwise.OPERATIONS)
        operands[-1] = inner.pick(lambda v: v.type == type and v.dims == operands[-1].dims)
    dims[along] = sum(sizes)
    inner.emit("concatenate", type, dims, operands, f"dimensions={{{along}}}")
    for _ in range(rng.choice([0, 0, 1, 2])):
        inner.parameter(rng.choice([type] + COMMON), dims)
    grow(inner, rng.choice([0, 0, 1, 2, 4]), {**elementwise.OPERATIONS, places.reshape: 1})
    return call(body, inner)


def updated(body):
    """An array that is used up: elements of it, or all in their places, are replaced, in
    the entry or in a fusion."""
    rng = body.rng
    x = body.any(lambda v: v.rank > 0)
    is_fused = rng.random() < 0.6
    inner = Body(body.module, body) if is_fused else body
    if is_fused:
        inner.parameter(x.type, x.dims, x)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        fits = {places.dynamic_update_slice: 4, places.scatter: 2, elementwise.binary: 2, elementwise.unary: 1,
                places.bitcast: 1, places.reshape: 1}
        before = len(inner.values)
        grow(inner, 1, fits)
        if len(inner.values) > before and rng.random() < 0.7 and inner.values[-1].type == x.type \
                and inner.values[-1].count == x.count and inner.values[-1].dims != x.dims:
            inner.emit("reshape", x.type, x.dims, [inner.values[-1]])
    if not is_fused:
        return
    if not inner.unused():
        raise Unsuitable
    call(body, inner)


def call(body, inner):
    """A fusion of what is in inner, or a call."""
    rng = body.rng
    results = results_of(inner)
    name = body.module.new_name("computation")
    body.module.computations.append(inner.text(name, root_of(inner, results)))
    body.opcodes |= inner.opcodes
    opcode = rng.choice(["fusion", "fusion", "fusion", "call"])
    attributes = f"to_apply={name}" if opcode == "call" else f"kind={rng.choice(['kLoop', 'kInput', 'kOutput'])}, calls={name}"
    if len(results) == 1:
        r = results[0]
        return body.emit(opcode, r.type, r.dims, inner.arguments, attributes, grade=r.grade)
    whole = body.module.new_name("v")
    shapes = ", ".join(shape_text(rng, r.type, r.dims) for r in results)
    body.used |= {a.name for a in inner.arguments}
    body.line(whole, f"({shapes}) {opcode}({', '.join(a.name for a in inner.arguments)}), {attributes}")
    body.opcodes.add(opcode)
    return take_elements(body, whole, [(r.type, r.dims, r.grade) for r in results])


def results_of(body):
    """Most of what nothing uses, and seldom something else."""
    results = body.unused()[-body.rng.choice([1, 1, 2, 3, 5]):]
    if not results or body.rng.random() < 0.1:
        results.append(body.rng.choice(body.values))
    body.rng.shuffle(results)
    return results


def root_of(body, results):
    """The name of the one result, or of a tuple of them."""
    if len(results) == 1:
        return results[0].name
    name = body.module.new_name("v")
    # Layouts of a written shape are free, but a tuple has those of its elements.
    written = {line_name: line.split()[0] for line_name, line in body.lines}
    body.line(name, f"({', '.join(written[r.name] for r in results)}) tuple({', '.join(r.name for r in results)})")
    body.opcodes.add("tuple")
    return name


def aliases(rng, entry, results, parameter_places, result_places):
    """Results in the memory of parameters of their shapes, for the header. The places are
    indices of results, and of parameters the number and the index."""
    shapes = shapes_of(entry, entry.parameters)
    free, found = list(zip(parameter_places, shapes)), []
    for output, shape in zip(result_places, shapes_of(entry, results)):
        fitting = [f for f in free if f[1] == shape]
        if not fitting or rng.random() < 0.3:
            continue
        chosen = fitting[0] if rng.random() < 0.5 else rng.choice(fitting)
        free.remove(chosen)
        number, index = chosen[0]
        place = f"({number}, {numbers(index)}"
        kind = rng.choice([f"{place})" if index else str(number), f"{place}, may-alias)", f"{place}, must-alias)"])
        found.append(f"{numbers(output)}: {kind}")
    rng.shuffle(found)
    return f", {ALIAS}={{ {', '.join(found)} }}" if found else ""


def loop(body):
    return control.loop(body, grow)


def conditional(body):
    return control.conditional(body, grow)


# How often each is tried.
OPERATIONS = {**elementwise.OPERATIONS, **places.OPERATIONS, **contractions.OPERATIONS, **order.OPERATIONS}
OF_ENTRY = {**OPERATIONS, nested: 40, hero: 15, joined: 8, updated: 15, loop: 6, conditional: 6,
            control.custom_call: 4}
OF_NESTED = {**OPERATIONS, nested: 3}


def grow(body, steps, operations=None):
    operations = operations or OF_NESTED
    functions, weights = list(operations), list(operations.values())
    for _ in range(steps):
        for _ in range(50):
            try:
                body.rng.choices(functions, weights)[0](body)
                break
            except Unsuitable:
                continue


class RandomModule:
    def __init__(self, seed, steps=None, reduced=False):
        """With steps, the entry ends after so many of its operations; a reduced one is
        only what the last of them needs. Both are for making a failure smaller."""
        rng = random.Random(seed)
        module = Module(rng, elementwise.OPCODES[seed % len(elementwise.OPCODES)],
                        max_elements=rng.choice([2000, 2000, 5000]))
        entry = Body(module)
        for _ in range(rng.randint(1, 3)):
            entry.parameter(rng.choice(COMMON * 2 + TYPES), random_dims(rng))
        if rng.random() < 0.5:
            grow(entry, 1, {elementwise.favourite: 1})
        self.steps = rng.randint(1, 5)
        grow(entry, min(steps or self.steps, self.steps), OF_ENTRY)
        results = entry.values[-1:] if reduced else results_of(entry)
        is_nested, has_tuples = rng.random() < 0.3, rng.random() < 0.3
        if is_nested:
            root, result_places = group_results(entry, results)
        else:
            root = root_of(entry, results)
            result_places = [(k,) for k in range(len(results))] if len(results) > 1 else [()]
        parameter_places = group_parameters(entry) if has_tuples else [(k, ()) for k in range(len(entry.parameters))]
        shared = aliases(rng, entry, results, parameter_places, result_places)
        header = f"HloModule random_{seed}{shared}\n"
        self.text = "\n".join([header] + module.computations +
                              [entry.text("ENTRY main", root, only_needed=reduced)])
        forms = (shared, any(index for _, index in parameter_places), any(len(index) > 1 for index in result_places))
        self.opcodes = entry.opcodes | {form for form, is_there in zip(FORMS, forms) if is_there}
