"""Parameters of the entry in tuples, and results in tuples of tuples."""


def grouped(rng, leaves, depth=0):
    """A list of the leaves in their order, in which some that are side by side are such a
    list, and some lists are empty."""
    tree, rest = [], list(leaves)
    while rest:
        size = rng.choice([1, 1, 2, 3, 5])
        group, rest = rest[:size], rest[size:]
        tree += [grouped(rng, group, depth + 1)] if depth < 2 and rng.random() < 0.5 else group
    if rng.random() < 0.05:
        tree.insert(rng.randint(0, len(tree)), [])
    return tree


def shape_of(tree, shapes):
    """The text of the shape; shapes has those of the leaves, which are their numbers."""
    return f"({', '.join(shape_of(t, shapes) for t in tree)})" if isinstance(tree, list) else shapes[tree]


def indices_of(tree, index=()):
    """Of each leaf the way to it."""
    if not isinstance(tree, list):
        return {tree: index}
    return {leaf: way for k, t in enumerate(tree) for leaf, way in indices_of(t, index + (k,)).items()}


def shapes_of(body, values):
    written = {name: line.split()[0] for name, line in body.lines}
    return [written[v.name] for v in values]


def group_parameters(body):
    """Makes tuples of some parameters. Of each, in their order, the number of the tuple and
    the index in it."""
    shapes = shapes_of(body, body.parameters)
    begin, ways, lines = [], {}, {}

    def take_apart(tree, text):
        """The lines for a tuple, of which the text says where it is from."""
        if not isinstance(tree, list):
            lines[body.parameters[tree].name] = f"{shapes[tree]} {text}"
            return
        shape = shape_of(tree, shapes)
        name = body.module.new_name("t")
        begin.append((name, f"{shape} {text}"))
        if body.rng.random() < 0.3:
            begin.append((barrier := body.module.new_name("t"), f"{shape} opt-barrier({name})"))
            body.opcodes.add("opt-barrier")
            name = barrier
        for k, t in enumerate(tree):
            take_apart(t, f"get-tuple-element({name}), index={k}")

    for number, tree in enumerate(grouped(body.rng, range(len(shapes)))):
        take_apart(tree, f"parameter({number})")
        ways |= {leaf: (number, index) for leaf, index in indices_of(tree).items()}
    if begin:
        body.opcodes.add("get-tuple-element")
    body.lines = begin + [(name, lines.get(name, line)) for name, line in body.lines]
    return [ways[k] for k in range(len(shapes))]


def group_results(body, results):
    """The name of a tuple with tuples of results in it, and of each the index."""
    shapes = shapes_of(body, results)

    def put_together(tree):
        if not isinstance(tree, list):
            return results[tree].name
        operands = ", ".join(put_together(t) for t in tree)
        name = body.module.new_name("t")
        body.line(name, f"{shape_of(tree, shapes)} tuple({operands})")
        return name

    tree = grouped(body.rng, range(len(results)))
    body.opcodes.add("tuple")
    ways = indices_of(tree)
    return put_together(tree), [ways[k] for k in range(len(results))]
