"""Compiles a kernel with NVIDIA Warp for a GPU that is not there.

compile_kernel() returns the file that Warp would load, as bytes."""

import pathlib
import sys
import tempfile

import warp as wp

wp.config.quiet = True
wp.config.enable_backward = False


@wp.kernel
def transpose(source: wp.array(dtype=float), target: wp.array(dtype=float), height: int,
              width: int):
    i = wp.tid()
    x = i % width
    y = i / width % height
    z = i / (width * height)
    target[(z * width + x) * height + y] = source[i]


def compile_kernel(use_ptx):
    suffix = "ptx" if use_ptx else "cubin"
    with tempfile.TemporaryDirectory() as folder:
        wp.compile_aot_module(sys.modules[__name__], arch=90, module_dir=folder, use_ptx=use_ptx)
        image, = pathlib.Path(folder).glob(f"*.{suffix}")
        assert len(list(pathlib.Path(folder).glob("*.ptx"))) == use_ptx
        return image.read_bytes()
