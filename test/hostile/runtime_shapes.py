"""Hostile modules: digits by sizes of run time, in every combination.

What a form with n sizes of run time can be written as grows with 2^n, and each
way can be tried in loops, in unrolled copies and in a second body. So the size
of these shapes is the number of axes, and it is small; a search that visits
all ways does not end at 16.

The thread's index is taken apart into n digits and put together again; a shape
is a choice of each of the following.

  sizes   given (arguments) or loaded
  digits  chained (x / a / b) or by products (x / (a * b))
  joined  again (the same sizes), shifted (other sizes, shifted digits), strided
  loops   none or two, which the digits are computed in
  copies  of the address at different distances, as unrolled loops have them
"""
import itertools

from shapes import HEADER, kernel, shape

CHOICES = {
    "sizes": ("given", "loaded"),
    "digits": ("chained", "products"),
    "joined": ("again", "shifted", "strided"),
    "loops": (0, 2),
    "copies": (1, 4),
}


class Writer:
    def __init__(self):
        self.lines = []
        self.count = 0

    def emit(self, operation):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {operation}")
        return f"%v{self.count}"

    def chained(self, index, sizes):
        digits = []
        for size in sizes:
            digits.append(self.emit(f"srem i32 {index}, {size}"))
            index = self.emit(f"sdiv i32 {index}, {size}")
        return digits

    def products(self, index, sizes):
        digits, product = [], "1"
        for size in sizes:
            quotient = self.emit(f"sdiv i32 {index}, {product}")
            digits.append(self.emit(f"srem i32 {quotient}, {size}"))
            product = self.emit(f"mul nsw i32 {product}, {size}")
        return digits

    def horner(self, digits, sizes):
        total = "0"
        for digit, size in reversed(list(zip(digits, sizes))):
            scaled = self.emit(f"mul i32 {total}, {size}")
            total = self.emit(f"add i32 {scaled}, {digit}")
        return total

    def again(self, digits, sizes, others):
        return self.horner(digits, sizes)

    def shifted(self, digits, sizes, others):
        moved = []
        for digit, other in zip(digits, others):
            scaled = self.emit(f"mul i32 {digit}, {other}")
            moved.append(self.emit(f"sub i32 {scaled}, %b"))
        return self.horner(moved, others)

    def strided(self, digits, sizes, others):
        total = "%b"
        for digit, other in zip(digits, others):
            scaled = self.emit(f"mul i32 {digit}, {other}")
            total = self.emit(f"add i32 {total}, {scaled}")
        return total


def runtime_module(n, sizes, digits, joined, loops, copies):
    writer = Writer()
    lines = writer.lines
    names = [f"s{i}" for i in range(2 * n)]
    values = [f"%{name}" for name in names]
    if sizes == "loaded":
        for i, name in enumerate(names):
            lines.append(f"  %{name}.p = getelementptr i32, ptr %in, i32 {i}")
            lines.append(f"  %{name} = load i32, ptr %{name}.p")
    lines += ["  %start = mul i32 %c, 256", "  %x = add i32 %start, %t"]
    index, block = "%x", "entry"
    for depth in range(loops):
        lines += [f"  br label %h{depth}", f"h{depth}:",
                  f"  %i{depth} = phi i32 [ 0, %{block} ], [ %n{depth}, %l{depth} ]"]
        index, block = writer.emit(f"add i32 {index}, %i{depth}"), f"h{depth}"
    for copy in range(copies):
        here = writer.emit(f"add nsw i32 {index}, {copy}")
        parts = getattr(writer, digits)(here, values[:n])
        total = getattr(writer, joined)(parts, values[:n], values[n:])
        lines += [f"  %p{copy} = getelementptr float, ptr %out, i32 {total}",
                  f"  store float 0.0, ptr %p{copy}"]
    for depth in reversed(range(loops)):
        lines += [f"  br label %l{depth}", f"l{depth}:",
                  f"  %n{depth} = add nuw nsw i32 %i{depth}, 1",
                  f"  %more{depth} = icmp slt i32 %n{depth}, %a",
                  f"  br i1 %more{depth}, label %h{depth}, label %e{depth}", f"e{depth}:"]
    lines.append("  ret void")
    parameters = "ptr %in, ptr %out, i32 %a, i32 %b"
    if sizes == "given":
        parameters += "".join(f", i32 %{name}" for name in names)
    return HEADER + kernel(lines, parameters=parameters)


def register(choice):
    def shape_of(n):
        return runtime_module(n, **choice)

    shape_of.__name__ = "digits_" + "_".join(map(str, choice.values()))
    shape(16)(shape_of)


for values in itertools.product(*CHOICES.values()):
    register(dict(zip(CHOICES, values)))
