"""The recipes of docs/adoption.md for what compiles kernels from Python, where it is installed.

Nothing is launched: the tests look at what was simplified.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import unittest

import support

CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
KERNEL = (support.ROOT / "examples/pytorch/bias_kernel.cu").read_text()
KERNEL = 'extern "C" ' + KERNEL[KERNEL.index("__global__"):KERNEL.index("\nvoid launch")]


def is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # what contains it is not there
        return False


def needs(*packages):
    missing = [name for name in packages if not is_installed(name)]
    return unittest.skipIf(missing, f"{', '.join(missing)}: not installed")


def recipe(heading):
    """The Python block of a section."""
    text = (support.ROOT / "docs/adoption.md").read_text()
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)[1]
    return re.search(r"```python\n(.*?)```", section, re.S)[1]


class RecipeTest(support.FolderTest):
    def toolkit(self):
        """A folder of unravel-toolkit."""
        if not (CUDA / "bin/nvcc").exists():
            self.skipTest(f"{CUDA} has no bin/nvcc")
        subprocess.run([support.BINARIES / "unravel-toolkit", "--cuda", CUDA,
                        self.folder / "toolkit"], check=True, capture_output=True)
        return self.folder / "toolkit"

    def check_cost(self, kernel, ratio):
        new = kernel.get("fast", kernel["new"])["loop_cost"]
        print(f"{self.id()}: {kernel['name'][:30]}: cost {kernel['old']['loop_cost']} -> {new}")
        self.assertLessEqual(new, ratio * kernel["old"]["loop_cost"])

    def run_reporting(self, text, **environment):
        """Runs a script; the reports of all kernels that unravel.simplify_ptx saw."""
        out, _ = self.script("import json, unravel\n"
                             "plain = unravel.simplify_ptx\n"
                             "def reporting(text):\n"
                             "    new, report = plain(text, report=True)\n"
                             "    print('KERNELS', json.dumps(report['kernels']))\n"
                             "    return new\n"
                             "unravel.simplify_ptx = reporting\n" + text, **environment)
        lines = re.findall(r"^KERNELS (.*)$", out, re.M)
        return [kernel for line in lines for kernel in support.json.loads(line)]

    @needs("cuda.bindings")
    def test_nvrtc(self):
        kernels = self.run_reporting(f"source = {KERNEL!r}\n" + recipe("NVRTC"))
        self.check_cost(kernels[0], 0.3)

    @needs("cupy")
    def test_cupy(self):
        nvcc = self.toolkit() / "bin/nvcc"
        self.script("from cupy.cuda import compiler\n"
                    f"compiler.compile_using_nvcc({KERNEL!r}, arch='90', code_type='cubin')\n",
                    NVCC=nvcc)
        self.check_cost(self.reports()[0], 0.3)

    @needs("tinygrad")
    def test_tinygrad(self):
        kernels = self.run_reporting(
            recipe("tinygrad") + "from tinygrad import Tensor\n"
            "x = Tensor.empty(20, 40, 75).permute(2, 0, 1).reshape(60000).pad(((1, 2),))\n"
            "(x.reshape(3, 20001).shrink(((0, 3), (5, 19995))) + 1).contiguous().realize()\n",
            DEV="NULL:PTX:sm_90", CACHELEVEL=0)
        self.check_cost(kernels[0], 0.7)

    @needs("tvm")
    def test_tvm(self):
        toolkit = self.toolkit()
        self.script(f"""
import tvm, tvm_ffi
from tvm import te
from tvm.s_tir import Schedule
n, m, k = te.var("n"), te.var("m"), te.var("k")
x = te.placeholder((n, m, k), "float32", name="x")
y = te.compute((k, n * m), lambda a, b: x[(b * k + a) // (m * k), (b * k + a) // k % m,
                                          (b * k + a) % k] + 1.0, name="y")
schedule = Schedule(te.create_prim_func([x, y]))
block, thread = schedule.split(schedule.fuse(*schedule.get_loops(schedule.get_sblock("y"))),
                               [None, 128])
schedule.bind(block, "blockIdx.x")
schedule.bind(thread, "threadIdx.x")
target = tvm.target.Target({{"kind": "cuda", "arch": "sm_90", "max_num_threads": 1024,
                            "thread_warp_size": 32}}, host="llvm")
source = tvm.compile(schedule.mod, target=target).mod.imports[0].inspect_source()
with target:
    tvm_ffi.get_global_func("tvm_callback_cuda_compile")(source)
""", TVM_CUDA_COMPILE_MODE="nvcc", CUDA_PATH=toolkit,
                    PATH=f"{toolkit}/bin:{os.environ['PATH']}")
        self.check_cost(self.reports()[0], 0.95)


if __name__ == "__main__":
    unittest.main()
