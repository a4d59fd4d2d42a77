"""The launches that bench/gpu measures: each sample at sizes that fill a GPU.

sample.py says how a launch is written; those of cuda_samples/loops are in
loop_cases.py. The samples with constant sizes have no free number; their launches are
those of cuda_samples/launches.json. Of cuda_samples/real, element_rows is not here: all
of its blocks do the same work, so that it cannot fill a GPU.
"""

import dataclasses
import json
import math
import pathlib
import re

from loop_cases import LOOPS
from sample import real

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "cuda_samples"

# Elements of other sizes, for kernels that move or add elements and do nothing else
# with them: the C++ type that replaces float, and its name in a plan.
ELEMENTS = {1: ("unsigned char", "u8"), 2: ("unsigned short", "u16"),
            4: ("float", "f32"), 8: ("unsigned long long", "u64")}

# What all buffers of a case have together. An H100 has 132 multiprocessors for 2,048
# threads each, and 50 MB of L2: a wave of threads with four bytes each, what stays in
# L2, and what does not.
SIZES = {"wave": 2 * 132 * 2048 * 4, "l2": 16 << 20, "dram": 512 << 20}


@dataclasses.dataclass(frozen=True)
class Argument:
    how: str        # in, out, inout, values, steps, struct or scalar
    type: str
    count: int
    values: tuple   # bounds of in and inout, first and step of steps; else the values

    def bytes(self, element=0):
        """Of a buffer, where elements of type E have so many bytes."""
        if self.how in ("struct", "scalar"):
            return 0
        return self.count * (element if self.type == "E" else int(self.type[1:]) // 8)


@dataclasses.dataclass(frozen=True)
class Case:
    """A kernel, its launch and its arguments, in numbers."""
    name: str       # no two cases have one name, element and size
    kernel: str
    path: pathlib.Path
    element: int
    size: str
    grid: tuple
    block: tuple
    arguments: tuple
    exact: bool = True
    moved: int = 0  # bytes read and written, if not all of the buffers

    @property
    def ideal(self):
        return f"{self.kernel}_ideal"


RUN_TIME = [
    real("im2col_nchw", "B*H*W",
         "i32:{B*H*W},in:E:{B*H*W},i32:{H},i32:{W},i32:3,i32:3,i32:1,i32:1,i32:1,"
         "i32:1,i32:1,i32:1,i32:{H},i32:{W},out:E:{9*B*H*W}",
         H=56, W=56, moves=True),
    real("col2im_nchw", "B*H*W",
         "i32:{B*H*W},in:f32:{9*B*H*W},i32:{H},i32:{W},i32:3,i32:3,i32:1,i32:1,"
         "i32:1,i32:1,i32:1,i32:1,i32:{H},i32:{W},out:f32:{B*H*W}", H=56, W=56),
    real("im2col_i64", "1,OH,B*IC", "in:E:{B*IC*H*W},out:E:{9*B*IC*H*W},i64:{IC},"
         "i64:{W},i64:{H},i64:{H},i64:{W},i64:3,i64:3,i64:{9*W},i64:{IC*9},i32:1,"
         "i32:1,i32:1", H=56, W=56, IC=16, OH=56, block=512, moves=True,
         is_grid=True),
    real("nchw_to_nhwc", "B*C*P", "i32:{B},i32:{C},i32:{P},in:E:{B*C*P},"
         "out:E:{B*C*P}", C=64, P=784, moves=True),
    real("permute_strides", "B*A*C*D", "i32:{B*A*C*D},in:E:{B*A*C*D},"
         "out:E:{B*A*C*D},struct:i32:{A*C*D};{C*D};{D};{A*C*D};{D};{A*D};1",
         A=28, C=12, D=64, moves=True),
    real("heads_to_rows", "B*A*R*D", "in:E:{B*A*R*D},out:E:{B*A*R*D},i32:{A},"
         "i32:{R},i32:{D}", A=12, R=128, D=64, moves=True),
    real("heads_permute", "B*A*R*D", "out:E:{B*A*R*D},out:E:{B*A*R*D},"
         "out:E:{B*A*R*D},in:E:{3*B*A*R*D},i32:{B},i32:{R},i32:{A},i32:{D}",
         A=12, R=128, D=64, moves=True),
    real("qkv_bias", "3*B*R*A*D", "out:E:{B*R*A*D},out:E:{B*R*A*D},"
         "out:E:{B*R*A*D},in:E:{3*B*R*A*D},in:E:{3*A*D},values:i32:{B*R}:0,"
         "i32:{B*R},i32:{R},i32:{A},i32:{D}", A=12, R=128, D=64, moves=True),
    real("bias_transpose", "B,R,3", "out:E:{3*B*R*A*D},in:E:{3*B*R*A*D},"
         "in:E:{3*A*D},i64:{R},i64:{A},i64:{D}", A=12, R=128, D=64, moves=True,
         is_grid=True),
    real("gather_rows", "B*R*D", "out:E:{B*R*D},out:E:{B*R*R},in:E:{B*R*D},"
         "in:E:{B*R*R},in:i32:{B}:0:{B-1},i64:{B},i64:{R},i64:{D}",
         R=128, D=768, moves=True),
    real("window_shift", "B*H*W/4,1,1", "out:E:{B*H*W*D},in:E:{B*H*W*D},i32:{B},"
         "i32:{H},i32:{W},i32:{D},i32:3,i32:7", H=56, W=56, D=96, block=128,
         moves=True, is_grid=True),
    real("max_pool_nchw", "B*C*H*W", "i32:{B*C*H*W},in:f32:{B*C*4*H*W},i32:{C},"
         "i32:{2*H},i32:{2*W},i32:{H},i32:{W},i32:3,i32:3,i32:2,i32:2,i32:1,i32:1,"
         "out:f32:{B*C*H*W},out:i32:{B*C*H*W}", C=64, H=28, W=28),
    real("avg_pool_planes", "B*H*W", "i32:{2*H},i32:{2*W},i32:{H},i32:{W},i32:3,"
         "i32:3,i32:2,i32:2,i32:1,i32:1,i32:{B*H*W},in:f32:{B*4*H*W},"
         "out:f32:{B*H*W}", H=28, W=28),
    real("adaptive_pool", "B*343", "in:f32:{B*H*H*H},out:f32:{B*343},i32:{B*343},"
         "i32:{H},i32:{H},i32:{H},i32:7,i32:7,i32:7", H=14),
    real("upsample_nearest", "B*H*W", "in:E:{B*H*W},out:E:{4*B*H*W},i64:{B},"
         "i64:1,i64:{H},i64:{W}", H=28, W=28, moves=True),
    real("unpool3d", "8*D*D*D", "i32:{8*D*D*D},out:E:{8*B*D*D*D},in:E:{B*D*D*D},"
         "i32:{B},i32:{8*D*D*D},i32:{D*D*D},struct:i32:{D*D};{D};1,"
         "struct:i32:{4*D*D};{2*D},struct:i32:2;2;2", D=32, moves=True),
    real("depth_to_space", "B*4*H*W", "i32:{B*4*H*W},in:E:{B*4*H*W},"
         "out:E:{B*4*H*W},i32:{H},i32:{W},i32:2", H=56, W=56, moves=True),
    real("shuffle_channels", "B*C*P", "i32:{B*C*P},in:E:{B*C*P},out:E:{B*C*P},"
         "i32:{C*P},i32:4,i32:{C//4},i32:{P}", C=64, P=784, moves=True),
    real("concat_axis", "B*A*P", "i32:{B*A*P},in:E:{B*A*P},i32:{P},i32:{2*A},"
         "i32:{A},i32:{A},out:E:{2*B*A*P}", A=64, P=784, moves=True,
         moved="2*B*A*P"),
    real("pad_reflect", "B*(H+6)*(W+6)", "i32:{B*(H+6)*(W+6)},in:E:{B*H*W},"
         "out:E:{B*(H+6)*(W+6)},i32:{B},i32:{H+6},i32:{W+6},i32:{H},i32:{W},"
         "i32:3,i32:3", H=58, W=58, moves=True),
    real("pad_circular", "B*C*(H+2)*(W+2)", "in:E:{B*C*H*W},"
         "values:i32:8:0;0;0;0;1;1;1;1,values:i32:4:{B};{C};{H};{W},"
         "values:i32:4:{B};{C};{H+2};{W+2},out:E:{B*C*(H+2)*(W+2)},"
         "i32:{B*C*(H+2)*(W+2)}", C=64, H=28, W=28, moves=True),
    real("broadcast_unravel", "B*C*H*W", "in:E:{B*C*H*W},in:E:{C},"
         "out:E:{B*C*H*W},i32:{W},i32:{H},i32:{C},i32:{B},i32:1,i32:1,i32:{C},"
         "i32:1,i32:{W},i32:{H*W},i32:{C*H*W},i32:1,i32:1,i32:{C},i32:{W},"
         "i32:{H*W},i32:{C*H*W}", C=64, H=28, W=28, moves=True),
    real("stencil_periodic", "B*W,1,1", "in:f64:{B*W*256},out:f64:{B*W*256},"
         "i32:256,i32:{B*W},f64:0.5", W=8, is_grid=True),
    real("copy_quantized", "B*C*H*W", "in:f32:{B*C*H*W},out:u8:{B*C*H*W},"
         "i32:{B*C*H*W},i32:{W},i32:{H},i32:{C},i32:1,i32:{W},i32:{H*W},"
         "i32:{C*H*W},i32:{W},i32:{H},i32:{C},i32:{C},i32:{W*C},i32:1,"
         "i32:{C*H*W},f32:0.25", C=16, H=56, W=56),
    real("glu", "B*S*D", "i32:{B},i32:{S},i32:{D},in:f32:{2*B*S*D},"
         "out:f32:{B*S*D}", S=64, D=784),
    real("lrn", "B*C*H*H", "in:f32:{B*C*H*H},out:f32:{B*C*H*H},i64:{B},i64:{C},"
         "i64:1,i64:{H},i64:{H},i64:{C*H*H},i64:5,f32:0.5,f32:2", C=64, H=28),
    real("reorg", "B*64*H*W/256,1,1", "i32:{B*64*H*W},in:E:{B*64*H*W},i32:{W},"
         "i32:{H},i32:64,i32:{B},i32:2,out:E:{B*64*H*W}", H=28, W=28, moves=True,
         is_grid=True),
    real("conv_depthwise", "B*C*H*W", "in:f32:{B*C*H*W},in:f32:{C*9},in:f32:{C},"
         "out:f32:{B*C*H*W},i32:{B*C*H*W},i32:{C},i32:1,i32:{W},i32:{H},i32:{W},"
         "i32:{H},i32:3,i32:1,i32:1,i32:1", C=64, H=28, W=28),
    real("deform_col2im", "9*C*B*H*W", "i32:{9*C*B*H*W},in:f32:{9*C*B*H*W},"
         "in:f32:{18*B*H*W}:-2:2,i32:{C},i32:{H},i32:{W},i32:3,i32:3,i32:1,i32:1,"
         "i32:1,i32:{C},i32:{B},i32:1,i32:{H},i32:{W},inout:f32:{B*C*H*W}",
         C=16, H=28, W=28, exact=False),
    real("roi_align", "B*C*49", "i32:{B*C*49},in:f32:{C*56*56},"
         "values:f32:{B*5}:0;8;8;120;160;0;30;16;200;100,out:f32:{B*C*49},i32:7,"
         "i32:7,f32:0.25,i32:{C},i32:56,i32:56", C=64),
    real("im2col_window", "9*B*H*W",
         "i32:{9*B*H*W},out:E:{9*B*H*W},in:E:{B*H*W},i32:{H},i32:{W},i32:3,i32:3,"
         "i32:{H},i32:{W},i32:1,i32:1,i32:1", H=56, W=56, moves=True),
    real("col2im_taps", "9*B", "i32:{9*B},in:f32:{9*B*H*W},inout:f32:{B*H*W},"
         "i32:{H},i32:{W},i32:3,i32:3,i32:{H},i32:{W},i32:1,i32:1", H=28, W=28,
         exact=False),
    real("max_pool_chain", "B*C*H*W/256,1,1", "i32:{B*C*H*W},i32:{2*H},i32:{2*W},"
         "i32:{C},i32:2,i32:2,i32:2,i32:0,in:f32:{B*C*4*H*W},out:f32:{B*C*H*W},"
         "out:i32:{B*C*H*W}", C=64, H=28, W=28, is_grid=True),
    real("voxel_max_pool", "2,C,B", "i32:{B},i32:{C},i32:4,i32:8,i32:8,i32:8,"
         "in:f32:{16384*C},values:i32:{B*512*4}:3;0;16383;7;2;911;5003;0,"
         "inout:f32:{B*512*C},out:i32:{B*512*C}", C=32, is_grid=True),
    real("slice_strided", "(B*3*8*14+1023)//1024,1,1", "i32:{B*3*8*14},"
         "in:E:{B*7*16*28},i32:7,i32:16,i32:28,values:i32:4:0;1;0;0,"
         "values:i32:4:1;2;2;2,out:E:{B*3*8*14},i32:3,i32:8,i32:14,i32:112,"
         "i32:336", moves=True, is_grid=True, moved="2*B*3*8*14"),
    # Nested grid-stride loops; here the grid has a thread for each cell.
    real("lattice_stream", "4,32,(B+1)//2", "in:f32:{4*X*Y*B},out:f32:{4*X*Y*B},"
         "struct:i32:{X};{Y};{B}", X=128, Y=128, block=(32, 4, 2), is_grid=True),
    *LOOPS,
]


def names_of(sample, batches):
    """What the names in its expressions stand for."""
    free = {"B": batches}
    for name, value in sample.fixed.items():
        free[name] = number(value, free) if isinstance(value, str) else value
    return free


def evaluated(sample, free):
    """The grid and the arguments of a sample for values of its free names."""
    text = re.sub(r"\{([^}]*)\}", lambda found: str(number(found.group(1), free)),
                  sample.arguments)
    if sample.is_grid:
        grid = tuple(max(1, number(part, free)) for part in sample.threads.split(","))
    else:
        threads = math.prod(sample.extents)
        grid = (max(1, math.ceil(number(sample.threads, free) / threads)), 1, 1)
    return grid, tuple(argument(word) for word in text.split(","))


def number(text, free):
    """The value of an expression; its text is from these files."""
    return math.ceil(eval(text, {"__builtins__": {}}, free))


def argument(word):
    how, *rest = word.split(":")
    if how in ("in", "out", "inout", "values", "steps"):
        kind, count, *values = rest
        values = values[0].split(";") if how == "values" else values
        if how == "in" and len(values) == 2 and values[0] == values[1]:
            # The bench fills without bounds where they are equal.
            how, values = "values", values[:1]
        return Argument(how, kind, int(count), tuple(values))
    if how == "struct":
        values = tuple(rest[1].split(";"))
        return Argument(how, rest[0], len(values), values)
    return Argument("scalar", how, 1, tuple(rest))


def scaled(sample, element, size, target):
    """The case of about `target` bytes in all buffers."""
    def bytes_at(batches):
        return sum(of.bytes(element)
                   for of in evaluated(sample, names_of(sample, batches))[1])

    # Sizes are linear in B, but for a constant part.
    step = bytes_at(2) - bytes_at(1)
    batches = max(1, round((target - bytes_at(1)) / step) + 1)
    free = names_of(sample, batches)
    grid, arguments = evaluated(sample, free)
    arguments = tuple(dataclasses.replace(of, type=ELEMENTS[element][1])
                      if of.type == "E" else of for of in arguments)
    return Case(sample.name, sample.kernel, SAMPLES / sample.file, element, size, grid,
                sample.extents, arguments, sample.exact,
                element * number(sample.moved or "0", free))


def targets(sample, sizes):
    """The sizes of a sample: none is beyond its largest, no two are equal."""
    done = 0
    for size, target in sizes.items():
        if min(target, sample.largest) > done:
            done = min(target, sample.largest)
            yield size, done


def constant_cases():
    """The samples with constant sizes, at their only size."""
    for launch in json.loads((SAMPLES / "launches.json").read_text()):
        arguments = tuple(
            Argument("scalar", of["scalar"], 1, (str(of["value"]),))
            if "scalar" in of else
            Argument(of["buffer"], of["type"], of["count"], ())
            for of in launch["args"])
        element = max(int(of.type[1:]) // 8 for of in arguments)
        yield Case(launch["kernel"], launch["kernel"], SAMPLES / launch["file"], element,
                   "own", tuple(launch["grid"]), tuple(launch["block"]), arguments)


def all_cases(sizes=None):
    """Every case; `sizes` replaces SIZES, from small to large."""
    yield from constant_cases()
    for sample in RUN_TIME:
        for element in ELEMENTS if sample.moves else (4,):
            for size, target in targets(sample, sizes or SIZES):
                yield scaled(sample, element, size, target)
