"""Random HLO modules: a seed makes always the same one.

The entry has fusions and calls, which may have such in them, reductions and dots, and
elementwise operations between them; a tuple or a single array is the root.
"""
import random

import contractions
import elementwise
import places
from contractions import take_elements
from hlo_text import COMMON, TYPES, Body, Module, Unsuitable, large_dims, random_dims, shape_text

MAX_DEPTH = 3


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


# How often each is tried.
OPERATIONS = {**elementwise.OPERATIONS, **places.OPERATIONS, **contractions.OPERATIONS}
OF_ENTRY = {**OPERATIONS, nested: 40, hero: 15}
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
        root = root_of(entry, results)
        self.text = "\n".join([f"HloModule random_{seed}\n"] + module.computations +
                              [entry.text("ENTRY main", root, only_needed=reduced)])
        self.opcodes = entry.opcodes
