"""Compiles a kernel with numba.cuda for a GPU that is not there.

compile_kernel() returns the PTX and what the driver would load: without a driver, the context
that numba.cuda asks for it only keeps the image."""

from types import SimpleNamespace

import numba.cuda as cuda
from numba import float32, void
from numba.cuda import api
from numba.cuda.cudadrv import devices

SIGNATURE = void(float32[::1], float32[::1])
images = []


def keep(image, *_callbacks):
    images.append(getattr(image, "code", image))
    module = SimpleNamespace(initialized=True)
    return SimpleNamespace(get_function=lambda name: SimpleNamespace(module=module))


context = SimpleNamespace(create_module_image=keep,
                          device=SimpleNamespace(compute_capability=(9, 0), id=0))
devices.get_context = api.current_context = lambda *_: context


def permute(x, y):
    i = cuda.grid(1)
    if i < 20 * 40 * 75:
        a = i // (40 * 75)
        b = i // 75 % 40
        c = i % 75
        y[i] = x[(a * 40 + b) * 75 + c] + float32(1)


def compile_kernel():
    kernel = cuda.jit(SIGNATURE)(permute)
    ptx, = kernel.inspect_asm().values()
    return ptx, images[-1]
