#!/usr/bin/env python3
"""Kernels of XLA for bench/foreign.py and bench/ptx_door.py. No GPU is needed.

    pip install jax
    pip install --no-deps jax-cuda12-plugin==VERSION jax-cuda12-pjrt==VERSION  # JAX's
    bench/xla_ir.py FOLDER
    bench/foreign.py FOLDER                # IR before XLA's optimiser
    bench/ptx_door.py FOLDER/xla/ptx       # what it gives to ptxas

JAX compiles the programs below ahead of time, for an H100. FOLDER/xla/no-opt gets the
IR of whole modules as XLA's emitters made it, FOLDER/xla/ptx the PTX of each kernel.
XLA's LLVM is newer than 22: floating-point constants are spelled as LLVM 22 reads them.
Exit status: 0 done; 2 there is no IR.
"""

import argparse
import importlib
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile

H100 = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
  shared_memory_per_block: 49152 shared_memory_per_core: 233472
  shared_memory_per_block_optin: 232448 core_count: 132 fpus_per_core: 128
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  memory_bandwidth: 3352320000000 l2_cache_size: 52428800 clock_rate_ghz: 1.98
  device_memory_size: 84942979072 registers_per_core_limit: 65536
  registers_per_block_limit: 65536 cuda_compute_capability { major: 9 }
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", type=pathlib.Path, help="where IR and PTX go")
    add("--cuda-path", default=os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    add("--only", default="", help="programs whose name has this regular expression")
    return parser.parse_args()


def programs(jax, jnp):
    """{name: (function, shapes of its arguments)}; a shape may begin with an element type."""
    lax, nn = jax.lax, jax.nn
    half, ints = jnp.bfloat16, jnp.int32

    def attention(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8.0
        return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores), v)

    def window_partition(x):
        b, h, w, c = x.shape
        parts = x.reshape(b, h // 7, 7, w // 7, 7, c).transpose(0, 1, 3, 2, 4, 5)
        return nn.gelu(parts.reshape(-1, 49, c))

    def window_reverse(x):
        shifted = jnp.roll(x.reshape(2, 8, 8, 7, 7, 48).transpose(0, 1, 3, 2, 4, 5)
                           .reshape(2, 56, 56, 48), (3, 3), (1, 2))
        return shifted * 2.0

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")

    def average_pool(x):
        return lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "VALID") / 4

    def layer_norm(x, g, b):
        mean = x.mean(-1, keepdims=True)
        scale = lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
        return (x - mean) * scale * g + b

    def group_norm(x):
        y = x.reshape(8, 32, -1)
        y = (y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-5)
        return y.reshape(x.shape)

    def rotary(x, sin, cos):
        left, right = jnp.split(x, 2, axis=-1)
        return x * cos + jnp.concatenate([-right, left], axis=-1) * sin

    def pixel_shuffle(x):
        return x.reshape(4, 15, 3, 3, 20, 22).transpose(0, 1, 4, 2, 5, 3).reshape(4, 15, 60, 66)

    def causal_mask(x):
        rows, columns = (lax.broadcasted_iota(ints, x.shape, axis) for axis in (1, 2))
        return jnp.where(rows >= columns, x, -1e9)

    def toeplitz(x):
        at = jnp.arange(96)[:, None] - jnp.arange(96)[None, :] + 95
        return x[:, at]

    def embedding(table, ids):
        return table[ids] + jnp.arange(300, dtype=jnp.float32)

    def scatter_rows(x, ids, rows):
        return x.at[ids].add(rows)

    def one_hot(ids):
        return nn.one_hot(ids, 75, dtype=jnp.float32).transpose(0, 2, 1)

    def extract_patches(x):
        return lax.conv_general_dilated_patches(x, (3, 3), (2, 2), "SAME")

    def bilinear(x):
        return jax.image.resize(x, (2, 3, 45, 77), "bilinear")

    def nearest(x):
        return jax.image.resize(x, (2, 3, 50, 70), "nearest")

    def cumulative(x):
        return jnp.cumsum(x, axis=1)

    def loop(x):
        return lax.fori_loop(0, 5, lambda i, y: jnp.roll(y, 7, 1) * 0.5 + i, x)

    def grad_of(function, *arguments):
        return jax.grad(lambda *given: (function(*given) ** 2).sum(),
                        argnums=tuple(range(len(arguments))))

    qkv = [(2, 77, 6, 64)] * 3
    image = (2, 56, 56, 48)
    made = {
        "attention": (attention, qkv),
        "attention_grad": (grad_of(attention, *qkv), qkv),
        "attention_half": (attention, [(half, *shape) for shape in qkv]),
        "window_partition": (window_partition, [image]),
        "window_reverse": (window_reverse, [(128, 49, 48)]),
        "window_half": (window_partition, [(half, *image)]),
        "max_pool": (pool, [(4, 57, 61, 30)]),
        "max_pool_grad": (grad_of(pool, 0), [(4, 57, 61, 30)]),
        "average_pool": (average_pool, [(4, 30, 50, 62)]),
        "layer_norm": (layer_norm, [(60, 77, 300), (300,), (300,)]),
        "layer_norm_grad": (grad_of(layer_norm, 0, 1, 2), [(60, 77, 300), (300,), (300,)]),
        "group_norm": (group_norm, [(8, 96, 14, 14)]),
        "rotary": (rotary, [(2, 77, 6, 80), (77, 1, 80), (77, 1, 80)]),
        "pixel_shuffle": (pixel_shuffle, [(4, 135, 20, 22)]),
        "causal_mask": (causal_mask, [(6, 75, 75)]),
        "toeplitz": (toeplitz, [(12, 191)]),
        "embedding": (embedding, [(1000, 300), (ints, 6, 75)]),
        "embedding_grad": (jax.grad(lambda table, ids: (embedding(table, ids) ** 2).sum()),
                           [(1000, 300), (ints, 6, 75)]),
        "scatter_rows": (scatter_rows, [(1000, 75), (ints, 300), (300, 75)]),
        "one_hot": (one_hot, [(ints, 12, 30)]),
        "patches": (extract_patches, [(2, 12, 29, 31)]),
        "bilinear": (bilinear, [(2, 3, 15, 22)]),
        "nearest": (nearest, [(2, 3, 15, 22)]),
        "cumulative": (cumulative, [(12, 300, 7)]),
        "loop": (loop, [(30, 75)]),
        "transpose_021": (lambda x: x.transpose(0, 2, 1), [(30, 75, 130)]),
        "transpose_3102": (lambda x: x.transpose(3, 1, 0, 2) * 2, [(12, 10, 14, 9)]),
        "transpose_bytes": (lambda x: x.transpose(1, 2, 0), [(jnp.int8, 60, 33, 70)]),
        "reshape_transpose": (lambda x: x.reshape(20, 3, 37, 5).transpose(0, 2, 1, 3)
                              .reshape(-1)[::3], [(11100,)]),
        "pad_edges": (lambda x: jnp.pad(x, ((0, 0), (2, 3), (1, 4)), "edge"), [(6, 30, 41)]),
        "pad_reflect": (lambda x: jnp.pad(x, ((0, 0), (2, 3), (5, 5)), "reflect"), [(6, 30, 41)]),
        "pad_wrap": (lambda x: jnp.pad(x, ((0, 0), (7, 3)), "wrap"), [(60, 41)]),
        "pad_between": (lambda x: lax.pad(x, 0.0, ((0, 0, 0), (2, 1, 2), (1, 1, 1))),
                        [(6, 30, 41)]),
        "concatenate": (lambda x, y, z: jnp.concatenate([x, y, z], 1).reshape(-1, 5),
                        [(30, 7), (30, 20), (30, 13)]),
        "slices": (lambda x: x[1::2, 3:-4:3, ::-1] + 1, [(31, 75, 20)]),
        "tile_repeat": (lambda x: jnp.tile(jnp.repeat(x, 3, 1), (2, 2)), [(15, 22)]),
        "flip_stack": (lambda x, y: jnp.stack([x, y[::-1]], 1).reshape(-1), [(75, 4), (75, 4)]),
        "diagonal": (lambda x, y: jnp.diag(x)[:, :, None] * y, [(75,), (75, 75, 3)]),
        "triangle": (lambda x: jnp.tril(x).reshape(-1, 15).sum(1), [(75, 75)]),
        "outer_sum": (lambda x, y: (x[:, None, :] + y[None]).reshape(-1, 7).max(1),
                      [(30, 21), (22, 21)]),
        "moments": (lambda x: (x.reshape(4, 15, 6, 11).mean((1, 3)), x.std()), [(4, 990)]),
        "split_heads": (lambda x: [part.reshape(2, 77, 6, 50).transpose(0, 2, 1, 3)
                                   for part in jnp.split(x, 3, -1)], [(2, 77, 900)]),
        "depth_to_space_wide": (lambda x: x.reshape(3, 10, 12, 4, 4, 5).transpose(0, 1, 3, 2, 4, 5)
                                .reshape(3, 40, 48, 5) + 1, [(3, 10, 12, 80)]),
        "glu_roll": (lambda x: jnp.roll(x[:, :60], 7, 0) * nn.sigmoid(x[:, 60:]), [(75, 120)]),
        "top_values": (lambda x: lax.top_k(x, 7), [(30, 75)]),
        "sort_rows": (lambda x: jnp.sort(x, 1), [(30, 75)]),
        "quantize": (lambda x: jnp.clip(jnp.round(x.reshape(-1, 15, 32)
                                                  / jnp.abs(x).max()), -127, 127)
                     .astype(jnp.int8).transpose(0, 2, 1), [(8, 480)]),
        "convolution_grad": (jax.grad(lambda x, w: (lax.conv(x, w, (2, 2), "SAME") ** 2).sum(), 1),
                             [(2, 6, 29, 31), (12, 6, 3, 3)]),
    }
    return {name: (function, [shape_of(jax, jnp, given) for given in shapes])
            for name, (function, shapes) in made.items()}


def shape_of(jax, jnp, given):
    element = jnp.float32 if isinstance(given[0], int) else given[0]
    return jax.ShapeDtypeStruct(tuple(n for n in given if isinstance(n, int)), element)


def compile_program(jax, device_sharding, function, shapes):
    """Why it cannot be compiled, or None."""
    compiled = jax.jit(function, in_shardings=device_sharding, out_shardings=device_sharding)
    try:
        compiled.trace(*shapes).lower().compile()
    except Exception as error:  # pylint: disable=broad-exception-caught
        # JAX 0.8 asks the GPU that is not there for its memory, after the compilation.
        if "memory" not in str(error):
            return (str(error).strip().splitlines() or [type(error).__name__])[0]
    return None


# The letter of a type's constants in LLVM 22, its bits, and its infinity; the sign is the
# top bit, and half of what an infinity leaves is the bit of a quiet NaN.
FORMATS = {"half": ("H", 16, 0x7C00), "bfloat": ("R", 16, 0x7F80), "float": ("", 32, 0x7F800000),
           "double": ("", 64, 0x7FF << 52)}
# A type, or a constant: a constant has the type that was named last.
TOKEN = re.compile(r"(?P<quoted>\"[^\"]*\")|\b(?P<type>half|bfloat|float|double)\b"
                   r"|(?<![\w.%@-])(?P<constant>f0x[0-9A-Fa-f]+|[+-]?inf|[+-]?nan"
                   r"|[+-]?\d+\.\d+(?:e[+-]?\d+)?)(?![\w.(])")


def bits_of(word, kind, width, infinity):
    if word.startswith("f0x"):
        return int(word[3:], 16)
    if word[-1].isdigit():
        if kind == "bfloat":  # to nearest, ties to even
            (single,) = struct.unpack("I", struct.pack("f", float(word)))
            return (single + 0x7FFF + (single >> 16 & 1)) >> 16
        bits = struct.pack({"half": "e", "float": "f", "double": "d"}[kind], float(word))
        return int.from_bytes(bits, "little")
    sign = 1 << (width - 1) if word.startswith("-") else 0
    quiet = (infinity & -infinity) >> 1 if word.endswith("nan") else 0
    return sign | infinity | quiet


def with_constants_of_llvm22(text):
    """Constants such as `f0x3F800000`, `inf`, and decimals that LLVM 22 does not round."""
    kind = ""

    def replace(match):
        nonlocal kind
        kind = match["type"] or kind
        if not match["constant"] or not kind:
            return match[0]
        letter, width, infinity = FORMATS[kind]
        bits = bits_of(match["constant"], kind, width, infinity)
        if kind == "float":  # LLVM writes the double of the same value
            (value,) = struct.unpack("f", struct.pack("I", bits))
            (bits,) = struct.unpack("Q", struct.pack("d", value))
            width = 64
        return f"0x{letter}{bits:0{width // 4}X}"

    return TOKEN.sub(replace, text)


def collect(dump, name, folder):
    """Moves what XLA dumped; returns how many kernels there are."""
    count = 0
    for file in sorted(dump.glob("*.ptx")):
        if here := file.read_text().count(".entry"):
            shutil.copy(file, folder / "ptx" / f"{name}.{file.name.split('.')[-2]}.ptx")
            count += here
    for number, file in enumerate(sorted(dump.glob("*.ir-no-opt.ll"))):
        text = file.read_text()
        if "ptx_kernel" in text:
            (folder / "no-opt" / f"{name}.{number}.ll").write_text(with_constants_of_llvm22(text))
    return count


def main():
    options = parse_options()
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    folder = options.folder / "xla"
    with tempfile.TemporaryDirectory() as dump_name:
        dump = pathlib.Path(dump_name)
        os.environ["XLA_FLAGS"] = (f"--xla_dump_to={dump} --xla_gpu_autotune_level=0 "
                                   f"--xla_gpu_cuda_data_dir={options.cuda_path}")
        try:
            jax = importlib.import_module("jax")
            topologies = importlib.import_module("jax.experimental.topologies")
            topology = topologies.get_topology_desc("", "cuda", target_config=H100,
                                                    topology="1x1x1")
        except Exception as error:  # pylint: disable=broad-exception-caught
            print(f"xla_ir.py: error: JAX has no CUDA plugin, see --help: {error}",
                  file=sys.stderr)
            return 2
        sharding = jax.sharding.NamedSharding(
            jax.sharding.Mesh(importlib.import_module("numpy").array(topology.devices), ("x",)),
            jax.sharding.PartitionSpec())
        for kind in ("no-opt", "ptx"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
        chosen = {name: program
                  for name, program in programs(jax, importlib.import_module("jax.numpy")).items()
                  if re.search(options.only, name)}
        kernels = 0
        for number, (name, (function, shapes)) in enumerate(chosen.items(), 1):
            reason = compile_program(jax, sharding, function, shapes)
            count = collect(dump, name, folder)
            kernels += count
            print(f"  {number} of {len(chosen)}: {name}: "
                  + (f"left out: {reason}" if reason else f"{count} kernels"), flush=True)
            for file in dump.iterdir():
                shutil.rmtree(file) if file.is_dir() else file.unlink()
    print(f"{kernels} kernels in {folder}")
    return 0 if kernels else 2


if __name__ == "__main__":
    sys.exit(main())
