"""Fusions of any number of instructions, for bench/fusion_compile_time.py."""


def fusion(lines, parameter, root):
    """The last line becomes the root."""
    body = "\n".join(f"  {line}" for line in lines[:-1] + [f"ROOT {lines[-1]}"])
    return (f"HloModule m\n\nfused {{\n  p = {parameter} parameter(0)\n{body}\n}}\n\n"
            f"ENTRY main {{\n  p = {parameter} parameter(0)\n"
            f"  ROOT f = {root} fusion(p), kind=kLoop, calls=fused\n}}\n")


def chain(count):
    """Elementwise operations with transposes and reshapes between them, which take
    each other back every eighth step."""
    shapes = ["f32[24,30,42]", "f32[42,24,30]", "f32[1008,30]", "f32[30,1008]"]
    steps = [("abs({0})", 0), ("transpose({0}), dimensions={{2,0,1}}", 1), ("negate({0})", 1),
             ("reshape({0})", 2), ("add({0}, {0})", 2), ("transpose({0}), dimensions={{1,0}}", 3),
             ("transpose({0}), dimensions={{1,0}}", 2), ("reshape({0})", 1),
             ("transpose({0}), dimensions={{1,2,0}}", 0)]
    lines, value, shape = [], "p", shapes[0]
    for number in range(count):
        operation, place = steps[number % len(steps)]
        shape = shapes[place]
        lines.append(f"x{number} = {shape} {operation.format(value)}")
        value = f"x{number}"
    return fusion(lines, shapes[0], shape)


def diamonds(count):
    """log(x) + transpose(log(x)) again and again: naive emission doubles at each step."""
    lines, value, shape = [], "p", "f32[32,32]"
    for number in range(count // 3):
        lines += [f"log{number} = {shape} log({value})",
                  f"turned{number} = {shape} transpose(log{number}), dimensions={{1,0}}",
                  f"sum{number} = {shape} add(log{number}, turned{number})"]
        value = f"sum{number}"
    return fusion(lines, shape, shape)


def wide(count):
    """The sum of many slices of one array, as a balanced tree."""
    terms = count // 2
    lines, level, shape = [], [], "f32[16,16]"
    for number in range(terms):
        y, x = number % 48, number // 48 % 256
        lines.append(f"x{number} = {shape} slice(p), slice={{[{y}:{y + 16}], [{x}:{x + 16}]}}")
        level.append(f"x{number}")
    sums = 0
    while len(level) > 1:
        rest = level[len(level) // 2 * 2:]
        for a, b in zip(level[::2], level[1::2]):
            lines.append(f"sum{sums} = {shape} add({a}, {b})")
            rest.append(f"sum{sums}")
            sums += 1
        level = rest
    return fusion(lines, "f32[64,272]", shape)


SHAPES = {"chain": chain, "diamonds": diamonds, "wide": wide}
