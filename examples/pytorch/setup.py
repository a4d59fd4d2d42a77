"""A PyTorch extension whose kernels Unravel simplifies. Nothing here says so: CUDA_HOME does.

    unravel-toolkit ~/cuda-unravel
    CUDA_HOME=~/cuda-unravel TORCH_CUDA_ARCH_LIST=9.0 pip install --no-build-isolation .
"""

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(name="bias", version="1.0",
      ext_modules=[CUDAExtension("bias", ["bias.cpp", "bias_kernel.cu"])],
      cmdclass={"build_ext": BuildExtension})
