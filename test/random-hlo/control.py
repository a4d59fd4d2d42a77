"""Random loops, branches and calls of libraries. What a loop or a branch runs is grown
by a function that the caller gives. Each function adds one to a body."""
from hlo_text import COMMON, INTEGERS, RAW, Body, random_dims
from places import take_elements


def plain(value):
    """The shape, in the layout that is the default."""
    return f"{value.type}[{','.join(map(str, value.dims))}]"


def function_of(body, x, grow):
    """A computation that makes an array like x of x and of other values: its name, the
    arguments, and the grade of its result."""
    inner = Body(body.module, body)
    inner.parameter(x.type, x.dims, x)
    grow(inner, body.rng.choice([1, 2, 4, 6]))
    result = [v for v in inner.values if v.type == x.type and v.dims == x.dims][-1]
    name = body.module.new_name("computation")
    body.module.computations.append(inner.text(name, result.name))
    body.opcodes |= inner.opcodes
    return name, inner.arguments, result.grade


def of_tuple(body, shapes, lines, root):
    """A computation whose parameter, t, is a tuple with these shapes, taken apart into
    p0, p1, ...; its name."""
    name = body.module.new_name("computation")
    text = [f"  t = ({', '.join(shapes)}) parameter(0)"]
    text += [f"  p{k} = {shape} get-tuple-element(t), index={k}" for k, shape in enumerate(shapes)]
    text += [f"  {line}" for line in lines] + [f"  ROOT {root}"]
    body.module.computations.append("\n".join([f"{name} {{", *text, "}", ""]))
    body.opcodes |= {"get-tuple-element", "tuple", "call", "add", "compare", "constant"}
    return name


def tuple_of(body, arrays):
    name = body.module.new_name("v")
    written = {line_name: line.split()[0] for line_name, line in body.lines}
    body.line(name, f"({', '.join(written[a.name] for a in arrays)}) tuple({', '.join(a.name for a in arrays)})")
    body.used |= {a.name for a in arrays}
    return name


def loop(body, grow):
    """An array of integers, which every iteration makes anew, and others, which stay."""
    x = body.any(lambda v: v.type in INTEGERS)
    function, arguments, _ = function_of(body, x, grow)
    counter = body.constant("s32")
    state = [counter] + arguments
    shapes = [plain(v) for v in state]
    limit = body.rng.randint(-1, 6)
    go = of_tuple(body, shapes, [f"limit = s32[] constant({limit})"],
                  "r = pred[] compare(p0, limit), direction=LT")
    names = [f"p{k}" for k in range(1, len(state))]
    step = of_tuple(body, shapes,
                    [f"one = s32[] constant({body.rng.choice([1, 2, 3])})", "next = s32[] add(p0, one)",
                     f"new = {shapes[1]} call({', '.join(names)}), to_apply={function}"],
                    f"r = ({', '.join(shapes)}) tuple({', '.join(['next', 'new'] + names[1:])})")
    whole = body.module.new_name("v")
    body.line(whole, f"({', '.join(shapes)}) while({tuple_of(body, state)}), condition={go}, body={step}")
    body.opcodes.add("while")
    return take_elements(body, whole, [(v.type, v.dims, v.grade) for v in state[:2]])


def conditional(body, grow):
    x = body.any()
    by_flag = body.rng.random() < 0.5
    chooser = body.provide("pred" if by_flag else "s32", ())
    branches, operands, grade = [], [], RAW
    for _ in range(2 if by_flag else body.rng.choice([1, 2, 3])):
        function, arguments, of_branch = function_of(body, x, grow)
        shapes = [plain(v) for v in arguments]
        names = ", ".join(f"p{k}" for k in range(len(arguments)))
        branches.append(of_tuple(body, shapes, [], f"r = {plain(x)} call({names}), to_apply={function}"))
        operands.append(tuple_of(body, arguments))
        grade = max(grade, of_branch)
    if by_flag:
        attributes = f"true_computation={branches[0]}, false_computation={branches[1]}"
    else:
        attributes = f"branch_computations={{{', '.join(branches)}}}"
    body.used.add(chooser.name)
    return body.emit("conditional", x.type, x.dims, [], attributes, grade=grade,
                     literal=", ".join([chooser.name] + operands))


def custom_call(body):
    operands = [body.any() for _ in range(body.rng.choice([0, 1, 2]))]
    type = body.rng.choice(COMMON)
    return body.emit("custom-call", type, random_dims(body.rng), operands,
                     f'custom_call_target="function{body.rng.randrange(3)}"', grade=RAW)
