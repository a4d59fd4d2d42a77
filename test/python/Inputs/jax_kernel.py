"""Compiles a function with JAX for an H100 that is not there: `compile_kernel(factor)`."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec

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


def compile_kernel(factor):
    topology = topologies.get_topology_desc("", "cuda", target_config=H100, topology="1x1x1")
    sharding = NamedSharding(Mesh(np.array(topology.devices), ("x",)), PartitionSpec())

    def permute(x):
        y = x.reshape(20, 3, 37, 5).transpose(0, 2, 1, 3).reshape(-1)
        return (y[::3] * factor).reshape(-1, 10)

    function = jax.jit(permute, in_shardings=sharding, out_shardings=sharding)
    traced = function.trace(jax.ShapeDtypeStruct((20 * 3 * 37 * 5,), jnp.float32))
    try:
        traced.lower().compile()
    except ValueError as error:
        # JAX 0.8 asks the GPU that is not there for its memory, after the compilation.
        if "memory" not in str(error):
            raise
