"""What the Triton kernels of the corpus need to run, which their files do not say.

The names are those of the files, without `ind_`: two files have one symbol. Sizes
and the buffers that they need were read off the code: masks compare with the number
of elements, and divisors are the extents of dimensions. Most kernels have constant
sizes; where nothing masks the accesses, the number of images follows from the grid,
and elsewhere it is an argument. The latter two have a free number, B.
"""

import dataclasses
import math

# What all buffers have together, about: a wave of threads of an H100 with four bytes
# each, and more than its L2 holds.
SIZES = {"wave": 2 << 20, "dram": 128 << 20}

# Elements that one block handles: 128 threads with twice four each.
BLOCK_ELEMENTS = 1024


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch in the words of a plan (Plan.h)."""
    grid: tuple
    arguments: tuple    # statements
    shared: int = 0
    moved: int = 0      # bytes read and written, if not all of the buffers
    element: int = 4    # bytes
    exact: bool = True  # whether the order of the threads does not matter

    @property
    def buffer_bytes(self):
        """Of each buffer."""
        return [int(kind[1:]) // 8 * int(count)
                for how, kind, count, *_ in map(str.split, self.arguments)
                if how != "scalar"]

    @property
    def bytes(self):
        return sum(self.buffer_bytes)


# Triton's last two parameters are addresses of scratch memory, which none of these
# kernels uses.
SCRATCH = ("scalar i64 0", "scalar i64 0")


def moves(read, written):
    """A kernel that fills its only output from its only input. Where its sizes are
    constant it ignores the number of elements that Triton passes."""
    return Launch((math.ceil(written / BLOCK_ELEMENTS), 1, 1),
                  (f"in f32 {read}", f"out f32 {written}", f"scalar i32 {written}",
                   *SCRATCH))


def embedding():
    """128 rows of 300 of a table of 50000. Nothing in the code bounds an index."""
    tokens, width, rows = 128, 300, 50000
    return Launch((math.ceil(tokens * width / BLOCK_ELEMENTS), 1, 1),
                  (f"in i64 {tokens} 0 {rows - 1}", f"in f32 {rows * width}",
                   f"out f32 {tokens * width}", f"scalar i32 {tokens * width}",
                   *SCRATCH),
                  moved=8 * tokens + 2 * 4 * tokens * width)


def per_layernorm():
    """A block normalises a row; its four warps exchange sums of 4 bytes."""
    rows, width = 8 * 197, 768
    return Launch((rows, 1, 1),
                  (f"in f32 {rows * width}", f"in f32 {width}", f"in f32 {width}",
                   f"out f32 {rows * width}", f"scalar i32 {rows}",
                   f"scalar i32 {width}", *SCRATCH), shared=16)


def conv2d_template():
    """3 x 3 on 8 images of 48 x 30 x 30, 96 channels out: tiles of 64 pixels and 32
    channels. Shared memory has three stages of 64 x 16 and 32 x 16 elements."""
    images, channels, kernels, height, width = 8, 48, 96, 28, 28
    pixels = images * height * width
    return Launch((pixels // 64, kernels // 32, 1),
                  (f"in f32 {images * channels * (height + 2) * (width + 2)}",
                   f"in f32 {kernels * channels * 9}", f"out f32 {kernels * pixels}",
                   *SCRATCH), shared=3 * 4 * 16 * (64 + 32))


def bias_relu_nchw(b):
    """In place, B images of 64 channels of 28 x 28."""
    count = b * 64 * 784
    return Launch((count // BLOCK_ELEMENTS, 1, 1),
                  (f"inout f32 {count}", "in f32 64", f"scalar i32 {count}", *SCRATCH))


def cat_channels(b):
    """32 and 64 channels of 28 x 28; two images fill whole blocks."""
    pixels = 2 * b * 784
    return Launch((96 * pixels // BLOCK_ELEMENTS, 1, 1),
                  (f"in f32 {32 * pixels}", f"in f32 {64 * pixels}",
                   f"out f32 {96 * pixels}", f"scalar i32 {96 * pixels}", *SCRATCH))


def dyn_roundtrip(b, integer):
    """B x 197 x 77, flattened and restored, with 197 and 77 as arguments. Triton would
    compile another kernel for multiples of 16."""
    rows, columns = 197, 77
    count = b * rows * columns
    return Launch((math.ceil(count / BLOCK_ELEMENTS), 1, 1),
                  (f"in f32 {count}", f"out f32 {count}", f"scalar {integer} {columns}",
                   f"scalar {integer} {rows}", f"scalar i32 {count}", *SCRATCH))


CONSTANT = {
    "aligned_300": moves(20 * 40 * 300, 20 * 40 * 300),
    "conv2d_template": conv2d_template(),
    "embedding": embedding(),
    "im2col_floor": moves(2 * 3 * 32 * 32, 2 * 27 * 30 * 30),
    "maxpool3x3": moves(2 * 64 * 111 * 111, 2 * 64 * 55 * 55),
    "pad_constant": moves(6 * 32 * 33, 6 * 34 * 37),
    "per_layernorm": per_layernorm(),
    "reflection_pad": moves(6 * 64 * 64, 6 * 70 * 70),
    "reshape3": moves(20 * 40 * 75, 20 * 40 * 75),
    "transpose_021": moves(20 * 40 * 75, 20 * 40 * 75),
}

WITH_B = {
    "bias_relu_nchw": bias_relu_nchw,
    "cat_channels": cat_channels,
    "dyn_roundtrip": lambda b: dyn_roundtrip(b, "i64"),
    "dyn_roundtrip_i32": lambda b: dyn_roundtrip(b, "i32"),
    # Images of 56 x 56 x 96, in windows of 7 x 7.
    "roll_window": lambda b: moves(b * 56 * 56 * 96, b * 56 * 56 * 96),
    # 16 planes of 28 x 28 fill whole blocks.
    "upsample_nearest": lambda b: moves(b * 16 * 28 * 28, b * 16 * 56 * 56),
    "window_reverse_mod": lambda b: moves(b * 56 * 56 * 96, b * 56 * 56 * 96),
}


def launches(name, sizes=None):
    """{size: launch} of a kernel, empty if it is not known."""
    if name in CONSTANT:
        return {"own": CONSTANT[name]}
    if name not in WITH_B:
        return {}
    of = WITH_B[name]
    return {size: of(max(1, round(limit / of(1).bytes)))
            for size, limit in (sizes or SIZES).items()}
