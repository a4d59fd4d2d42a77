"""Compiles a kernel with Triton, for the GPU of the first argument: `compile_kernel(arch)`."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def column(i):
    """Inlined, which the debug sections of Triton's PTX say of the kernel that calls it."""
    return i % 75


@triton.jit
def permute(x, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < 20 * 40 * 75
    a = i // (40 * 75)
    b = i // 75 % 40
    c = column(i)
    tl.store(y + i, tl.load(x + (a * 40 + b) * 75 + c, mask=mask) + 1.0, mask=mask)


def compile_kernel(arch):
    source = ASTSource(permute, signature={"x": "*fp32", "y": "*fp32", "BLOCK": "constexpr"},
                       constexprs={"BLOCK": 1024})
    return triton.compile(source, target=GPUTarget("cuda", arch, 32)).asm
