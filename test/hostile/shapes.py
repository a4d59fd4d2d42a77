"""Hostile modules: each shape is a function of a size that writes LLVM IR.

The size is the number of the things that the shape has many of, so that its
time can be compared at n, 2n and 4n. Most are so large that a time that grows
with the square of the size does not stay below the limit of the tests.

Here are straight-line kernels; control_flow_shapes.py has the others.
"""

HEADER = '''target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare void @llvm.assume(i1)
declare void @stop()

'''

SHAPES = {}


def shape(size):
    """Registers a shape with the size that the tests run it at."""

    def register(function):
        name = function.__name__.replace("_", "-")
        SHAPES[name] = (function, size)
        return function

    return register


def kernel(lines, name="k", parameters="ptr %in, ptr %out, i32 %a, i32 %b, i64 %w"):
    body = "\n".join(lines)
    return f"""define ptx_kernel void @{name}({parameters}) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
{body}
}}
"""


def module(lines):
    return HEADER + kernel(lines)


def store(index, name="s"):
    """Stores to the element that a 32-bit index chooses."""
    return [
        f"  %{name}.p = getelementptr float, ptr %out, i32 {index}",
        f"  store float 0.0, ptr %{name}.p",
    ]


def chain(n, step):
    """x0 = thread, x(i+1) = step(i, xi), and a store to out[xn]."""
    lines = ["  %x0 = add i32 %t, 0"]
    for i in range(n):
        lines += step(i)
    return module(lines + store(f"%x{n}") + ["  ret void"])


# ----------------------------------------------------------------------------
# Deep expressions
# ----------------------------------------------------------------------------


@shape(100000)
def add_chain(n):
    operand = ["%a", "%b", "%t", "12345", "%c"]
    return chain(n, lambda i: [f"  %x{i+1} = add i32 %x{i}, {operand[i % 5]}"])


@shape(100000)
def add_nsw_chain(n):
    operand = ["%a", "%b", "%t", "12345", "%c"]
    return chain(n, lambda i: [f"  %x{i+1} = add nsw i32 %x{i}, {operand[i % 5]}"])


@shape(50000)
def add_of_loads_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %l{i} = load i32, ptr %in",
            f"  %x{i+1} = add i32 %x{i}, %l{i}",
        ],
    )


@shape(100000)
def doubling_chain(n):
    return chain(n, lambda i: [f"  %x{i+1} = add i32 %x{i}, %x{i}"])


@shape(50000)
def mul_udiv_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %m{i} = mul nuw i32 %x{i}, {i % 7 + 3}",
            f"  %x{i+1} = udiv i32 %m{i}, {i % 5 + 3}",
        ],
    )


@shape(50000)
def divide_and_combine_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %q{i} = udiv i32 %x{i}, {i % 90 + 2}",
            f"  %r{i} = urem i32 %x{i}, {i % 77 + 2}",
            f"  %m{i} = mul i32 %q{i}, {i % 13 + 2}",
            f"  %x{i+1} = add i32 %m{i}, %r{i}",
        ],
    )


@shape(50000)
def sdiv_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %q{i} = sdiv i32 %x{i}, {i % 9 - 4 or 3}",
            f"  %x{i+1} = sub i32 %q{i}, %a",
        ],
    )


@shape(3000)
def runtime_division_chain(n):
    """Quotients and remainders by two sizes of run time, and their products."""
    return chain(
        n,
        lambda i: [
            f"  %q{i} = sdiv i32 %x{i}, %{'ab'[i % 2]}",
            f"  %r{i} = srem i32 %x{i}, %{'ab'[i % 3 % 2]}",
            f"  %m{i} = mul nsw i32 %q{i}, %{'ba'[i % 2]}",
            f"  %x{i+1} = add nsw i32 %m{i}, %r{i}",
        ],
    )


@shape(1000)
def divisor_product_chain(n):
    """Divisors that are longer and longer products."""
    lines = ["  %d0 = call i32 @llvm.umax.i32(i32 %a, i32 1)", "  %x0 = add i32 %t, 0"]
    for i in range(n):
        lines += [
            f"  %d{i+1} = mul nuw nsw i32 %d{i}, %{'ab'[i % 2]}",
            f"  %x{i+1} = udiv i32 %x{i}, %d{i+1}",
        ]
    return module(lines + store(f"%x{n}") + ["  ret void"])


@shape(50000)
def select_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %f{i} = icmp ult i32 %x{i}, {i % 1000 + 1}",
            f"  %d{i} = add i32 %x{i}, {i % 3 - 1}",
            f"  %x{i+1} = select i1 %f{i}, i32 %d{i}, i32 %b",
        ],
    )


@shape(50000)
def cast_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %z{i} = zext i32 %x{i} to i64",
            f"  %y{i} = add i64 %z{i}, {i % 9}",
            f"  %x{i+1} = trunc i64 %y{i} to i32",
        ],
    )


@shape(50000)
def narrow_cast_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %n{i} = trunc i32 %x{i} to i{7 + i % 3}",
            f"  %x{i+1} = sext i{7 + i % 3} %n{i} to i32",
        ],
    )


@shape(50000)
def minimum_chain(n):
    return chain(
        n,
        lambda i: [
            f"  %m{i} = call i32 @llvm.smin.i32(i32 %x{i}, i32 {(i * 7919) % 9999})",
            f"  %x{i+1} = call i32 @llvm.umax.i32(i32 %m{i}, i32 %a)",
        ],
    )


@shape(50000)
def bit_chain(n):
    operations = ["and", "or", "xor", "shl", "lshr", "ashr"]
    return chain(
        n,
        lambda i: [f"  %x{i+1} = {operations[i * 5 % 6]} i32 %x{i}, {i % 31 + 1}"],
    )


@shape(50000)
def gep_chain(n):
    lines = ["  %p0 = getelementptr i8, ptr %out, i32 %t"]
    types = ["i8", "i32", "[3 x i16]", "{ i8, i64 }"]
    for i in range(n):
        index = ["i32 %a", "i64 %w", "i64 -1", "i32 %c"][i // 4 % 4]
        lines.append(
            f"  %p{i+1} = getelementptr {types[i % 4]}, ptr %p{i}, {index}")
    return module(lines + [f"  store i8 0, ptr %p{n}", "  ret void"])


@shape(20000)
def used_gep_chain(n):
    """Every link of the chain is stored to, so every one is a root."""
    lines = ["  %p0 = getelementptr i8, ptr %out, i32 %t"]
    for i in range(n):
        lines += [
            f"  %p{i+1} = getelementptr i32, ptr %p{i}, i32 %{'abct'[i % 4]}",
            f"  store i8 0, ptr %p{i+1}",
        ]
    return module(lines + ["  ret void"])


@shape(5000)
def used_chain(n):
    """Every sum of the chain is an index."""
    lines = ["  %x0 = udiv i32 %t, 3"]
    for i in range(n):
        lines.append(f"  %x{i+1} = add i32 %x{i}, %{'abct'[i % 4]}")
        lines += store(f"%x{i+1}", f"s{i}")
    return module(lines + ["  ret void"])


# ----------------------------------------------------------------------------
# Many of the same
# ----------------------------------------------------------------------------


@shape(10000)
def loads(n):
    lines = ["  %i = add i32 %t, 0"]
    for i in range(n):
        lines += [
            f"  %q{i} = udiv i32 %i, {i % 97 + 2}",
            f"  %r{i} = urem i32 %i, {i % 97 + 2}",
            f"  %m{i} = mul i32 %q{i}, {i % 97 + 2}",
            f"  %x{i} = add i32 %m{i}, %r{i}",
            f"  %p{i} = getelementptr float, ptr %in, i32 %x{i}",
            f"  %v{i} = load volatile float, ptr %p{i}",
        ]
    return module(lines + ["  ret void"])


@shape(30000)
def remainders_of_one(n):
    lines = []
    for i in range(n):
        lines.append(f"  %r{i} = urem i32 %a, {i + 2}")
        lines += store(f"%r{i}", f"s{i}")
    return module(lines + ["  ret void"])


@shape(30000)
def comparisons(n):
    lines = []
    for i in range(n):
        lines += [
            f"  %r{i} = urem i32 %t, {i + 2}",
            f"  %c{i} = icmp ult i32 %r{i}, {i + 3 - i % 2 * 2}",
            f"  store volatile i1 %c{i}, ptr %out",
        ]
    return module(lines + ["  ret void"])


@shape(2000)
def functions(n):
    """The pass sees one function at a time; none may cost the whole module."""
    text = HEADER
    for i in range(n):
        lines = ["  %0 = udiv i32 %t, 3", "  %1 = add i32 %0, %c"]
        text += kernel(lines + store("%1") + ["  ret void"], f"k{i}")
    return text


@shape(10000)
def globals_and_kernel(n):
    text = "".join(f"@g{i} = addrspace(1) global i32 {i}\n" for i in range(n))
    lines = [
        f"  store i8 0, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g{i}, i64 1)"
        for i in range(n)
    ]
    return HEADER + text + kernel(lines + ["  ret void"])


@shape(5000)
def select_joins(n):
    """Selects under one condition, all in one address."""
    lines = ["  %f = icmp ult i32 %a, %b", "  %x0 = add i32 %t, 0"]
    for i in range(n):
        lines += [
            f"  %s{i} = select i1 %f, i32 {i * 13}, i32 %{'abct'[i % 4]}",
            f"  %m{i} = and i32 %s{i}, 65535",
            f"  %x{i+1} = add i32 %x{i}, %m{i}",
        ]
    return module(lines + store(f"%x{n}") + ["  ret void"])


@shape(20000)
def unnamed(n):
    lines = []
    for k in range(0, 3 * n, 3):
        lines += [
            f"  %{k} = load i32, ptr %in",
            f"  %{k+1} = getelementptr i8, ptr %out, i32 %{k}",
            f"  %{k+2} = load volatile i8, ptr %{k+1}",
        ]
    return module(lines + ["  ret void"])


@shape(20000)
def launch_assumptions(n):
    lines = []
    for i in range(n):
        lines += [
            f"  %r{i} = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
            f"  %c{i} = icmp ult i32 %r{i}, {n - i + 1}",
            f"  call void @llvm.assume(i1 %c{i})",
        ]
        lines += store(f"%r{i}", f"s{i}")
    return module(lines + ["  ret void"])
