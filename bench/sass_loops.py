"""The loops of SASS, from the control flow of what `nvdisasm -c` prints.

Loops are what tools/ptx-compare/PtxLoops.h says: cycles of the control flow that
execution can reach; without the edges to the headers of a loop, the cycles left
inside are nested in it. A call counts as the code that it calls (the division
routines of 64 bits), where it is called.
"""

import re

SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$]+)")
LABEL = re.compile(r"^([.$\w]+):\s*$")
INSTRUCTION = re.compile(
    r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)([^;]*);")
ENDS = ("EXIT", "RET", "BRA", "BRX", "JMP", "JMX", "KILL")
PADDING = ("NOP",)


def loop_weight(depth):
    """As loopWeight() in transforms/prices/PtxPrices.h."""
    return 10 ** min(depth, 4)


def loops_of(sass):
    """{kernel: {"loops", "innermost", "weighted"}} of a module.

    innermost is the number of instructions in innermost loops, weighted that of
    all, times the weight of their loop depth.
    """
    return {name: measure(lines) for name, lines in sections_of(sass).items()}


def without_unrolling(ptx):
    """The PTX, with ptxas' own unrolling off: no option does it, a pragma of the
    module does."""
    return re.sub(r"^(\.address_size \d+)$", r'\1\n.pragma "nounroll";', ptx, count=1,
                  flags=re.M)


def with_unrolling(ptx):
    """The PTX without what keeps ptxas from unrolling loops."""
    return re.sub(r'^\s*\.pragma\s+"nounroll";\n', "", ptx, flags=re.M)


def sections_of(sass):
    """{kernel: its lines}"""
    sections, lines = {}, None
    for line in sass.splitlines():
        if section := SECTION.match(line):
            lines = sections.setdefault(section[1], [])
        elif re.match(r"^\s*\.section\b", line):
            lines = None
        elif lines is not None:
            lines.append(line)
    return sections


def measure(lines):
    code, labels = parse(lines)
    successors = [successors_of(code, labels, at) for at in range(len(code))]
    roots = {labels[name] for _, opcode, rest in code if opcode.startswith("CALL")
             for name in names_in(rest) if name in labels}
    lengths = {root: sum(code[at][1] not in PADDING
                         for at in reached_from(root, successors)) for root in roots}

    def length(at):
        _, opcode, rest = code[at]
        called = [labels[name] for name in names_in(rest) if name in labels]
        if opcode.startswith("CALL") and called:
            return 1 + lengths[called[0]]
        return int(opcode not in PADDING)

    depths, innermost, loops = nest(successors)
    return {
        "loops": loops,
        "innermost": sum(length(at) for at in innermost),
        "weighted": sum(length(at) * loop_weight(depth)
                        for at, depth in depths.items()),
    }


# --- Control flow -------------------------------------------------------------


def parse(lines):
    """[(predicate, opcode, operands)], and {label: number of an instruction}"""
    code, labels = [], {}
    for line in lines:
        if label := LABEL.match(line):
            labels[label[1]] = len(code)
        elif instruction := INSTRUCTION.match(line):
            code.append(instruction.groups())
    return code, labels


def names_in(operands):
    """The labels in them: `(.L_x_1), or BRANCH_TARGETS .L_x_1,.L_x_2"""
    if targets := re.search(r"BRANCH_TARGETS ([^\"*]+)", operands):
        return [name.strip() for name in targets[1].split(",")]
    return re.findall(r"`\(([^)]+)\)", operands)


def successors_of(code, labels, at):
    """BSYNC, where the threads of a warp meet, goes on behind it."""
    predicate, opcode, operands = code[at]
    base = opcode.partition(".")[0]
    found = []
    if base in ("BRA", "BRX", "JMP", "JMX"):
        found = [labels[name] for name in names_in(operands) if name in labels]
    # A branch of uniform predicates has them behind its opcode: BRA.U UP0, `(...)
    conditional = (predicate not in (None, "@PT", "@UPT")
                   or base == "BRA" and re.search(r"\bU?P\d", operands)
                   or opcode in ("BRA.DIV", "BRA.CONV"))
    if base not in ENDS or conditional:
        found.append(at + 1)
    return [to for to in found if to < len(code)]


def reached_from(root, successors):
    reached, work = {root}, [root]
    while work:
        for to in successors[work.pop()]:
            if to not in reached:
                reached.add(to)
                work.append(to)
    return reached


# --- Loops --------------------------------------------------------------------


def nest(successors):
    """{instruction that is reached: its depth}, those in innermost loops, and the
    number of loops"""
    if not successors:
        return {}, set(), 0
    depths = dict.fromkeys(reached_from(0, successors), 0)
    edges = {at: set(successors[at]) for at in depths}
    loop_of, has_inner, headers = {}, [], {0}
    nodes = sorted(depths)
    while nodes:  # Each time, one level of loops.
        inside = []
        for cycle in cycles_of(nodes, edges):
            for at in cycle:
                if at in loop_of:
                    has_inner[loop_of[at]] = True
                loop_of[at] = len(has_inner)
                depths[at] += 1
            has_inner.append(False)
            inside += cycle
        headers |= {to for at in nodes for to in edges[at]
                    if loop_of.get(at) != loop_of.get(to)}
        for at in nodes:
            edges[at] -= headers
        nodes = inside
    return (depths, {at for at, loop in loop_of.items() if not has_inner[loop]},
            len(has_inner))


def cycles_of(nodes, edges):
    """The strongly connected components that have an edge (Tarjan's algorithm)."""
    number, low, stack, cycles = {}, {}, [], []
    on_stack = set()
    for root in nodes:
        if root in number:
            continue
        work = [(root, iter(edges[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            at, rest = work[-1]
            to = next(rest, None)
            if to is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == number[at]:
                    component = []
                    while not component or component[-1] != at:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    if len(component) > 1 or at in edges[at]:
                        cycles.append(component)
            elif to not in number:
                number[to] = low[to] = len(number)
                stack.append(to)
                on_stack.add(to)
                work.append((to, iter(edges[to])))
            elif to in on_stack:
                low[at] = min(low[at], number[to])
    return cycles
