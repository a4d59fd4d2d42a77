"""Triton, JAX, numba.cuda, CuPy and Warp: compiled without a GPU, and simplified on the way."""

import importlib.util
import os
import pathlib
import re
import sys
import unittest

import support

sys.path.append(str(support.ROOT / "bench"))
from corpus_ptx import sass_instructions

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"


def installed(*names):
    return all(importlib.util.find_spec(name) for name in names)


class FrameworkTest(support.FolderTest):
    def compile(self, text, status=0, **environment):
        path = os.pathsep.join([str(INPUTS), os.environ["PYTHONPATH"]])
        return self.script("import os, unravel\n" + text, status=status, PYTHONPATH=path,
                           **environment)

    def check_cost(self, ratio):
        """Every kernel in the log got cheaper, to `ratio` or less."""
        reports = self.reports()
        self.assertTrue(reports)
        for kernel in reports:
            self.assertEqual(kernel["outcome"], "simplified", kernel)
            costs = [kernel[body]["loop_cost"] for body in ("old", "new")]
            print(f"{self.id()}: {kernel['name'][:30]}: cost {costs[0]} -> {costs[1]}")
            self.assertLessEqual(costs[1], ratio * costs[0])

    def check_warning(self, messages):
        self.assertRegex(messages, "UnravelWarning: .*out of order")
        self.assertEqual(self.reports(), [])


@unittest.skipUnless(installed("triton"), "Triton is not installed")
class TritonTest(FrameworkTest):
    def setUp(self):
        super().setUp()
        os.environ["TRITON_CACHE_DIR"] = str(self.folder / "cache")

    def test_simplifies(self):
        """All GPUs, before and after Triton has been used, whatever is in its cache."""
        for first in ("", "import unravel.triton; unravel.triton.enable()"):
            out, _ = self.compile(f"""
{first}
from triton_kernel import compile_kernel
import unravel.triton
unravel.triton.disable()
before = dict(os.environ)
original = {{arch: compile_kernel(arch) for arch in (80, 90, 100)}}
def lines():
    return len(open("log").readlines()) if os.path.exists("log") else 0
assert not lines()
for arch, asm in original.items():
    unravel.triton.enable()
    new = compile_kernel(arch)
    assert new["cubin"] != asm["cubin"], arch
    assert compile_kernel(arch)["cubin"] == new["cubin"]
    unravel.triton.disable()
    assert dict(os.environ) == before
    assert compile_kernel(arch)["cubin"] == asm["cubin"], arch
print(lines())
""")
            self.assertEqual(out, "3\n")
            self.check_cost(0.4)
            self.log.unlink()
            os.environ["TRITON_CACHE_DIR"] += "2"

    def test_processes_started_later(self):
        self.compile("""
import subprocess, sys, unravel.triton
unravel.triton.enable()
subprocess.run([sys.executable, "-c", "import triton_kernel; triton_kernel.compile_kernel(90)"],
               check=True)
from triton_kernel import compile_kernel
compile_kernel(90)
assert len(open("log").readlines()) == 1  # the cache has it
""")
        self.check_cost(0.4)

    def test_failure_is_a_warning(self):
        _, messages = self.compile("""
from triton_kernel import compile_kernel
import unravel.triton
original = compile_kernel(90)["cubin"]
unravel.triton.enable()
assert compile_kernel(90)["cubin"] == original
""", UNRAVEL_BIN_DIR=self.failing_binaries())
        self.check_warning(messages)


@unittest.skipUnless(installed("jax", "jax_plugins") and
                     (installed("jax_cuda13_plugin") or installed("jax_cuda12_plugin")),
                     "JAX with its CUDA plugin is not installed")
class JaxTest(FrameworkTest):
    def test_simplifies(self):
        for first in ("", "import unravel.jax; unravel.jax.enable()"):
            self.compile(f"""
{first}
from jax_kernel import compile_kernel
import unravel.jax
if not unravel.jax._switch.is_on:
    before = dict(os.environ)
    compile_kernel(1)
    assert not os.path.exists("log")
    unravel.jax.enable()
    compile_kernel(2)
    assert len(open("log").readlines()) == 1
    unravel.jax.disable()
    assert dict(os.environ) == before
    compile_kernel(3)
else:
    compile_kernel(2)
assert len(open("log").readlines()) == 1
""")
            self.check_cost(0.8)
            self.log.unlink()

    def test_processes_started_later(self):
        self.compile("""
import subprocess, sys, unravel.jax
unravel.jax.enable()
subprocess.run([sys.executable, "-c", "import jax_kernel; jax_kernel.compile_kernel(1)"],
               check=True)
""")
        self.check_cost(0.8)

    def test_failure_is_a_warning(self):
        _, messages = self.compile("""
import unravel.jax
unravel.jax.enable()
from jax_kernel import compile_kernel
compile_kernel(1)
unravel.jax.disable()
""", UNRAVEL_BIN_DIR=self.failing_binaries())
        self.check_warning(messages)


@unittest.skipUnless(installed("numba_cuda") or installed("numba"), "numba is not installed")
class NumbaTest(FrameworkTest):
    def setUp(self):
        super().setUp()
        try:
            self.compile("import numba_kernel; numba_kernel.compile_kernel()")
        except AssertionError as error:
            lines = re.findall(r"^\w[\w.]*(?:Error|Exception).*", str(error), re.MULTILINE)
            self.skipTest("numba.cuda does not compile here: " + (lines[-1] if lines else ""))

    def test_simplifies(self):
        self.compile("""
from numba_kernel import *
import unravel.numba
ptx, image = compile_kernel()
unravel.numba.enable()
new_ptx, new_image = compile_kernel()
for name, bytes in (("old", image), ("new", new_image)):
    with open(name, "wb") as file:
        file.write(bytes)
compiled, _ = cuda.compile_ptx(permute, SIGNATURE, cc=(9, 0))
unravel.numba.disable()
lines = len(open("log").readlines())
assert lines >= 2
assert new_ptx.count("\\n") < ptx.count("\\n")
assert compile_kernel()[0].count("\\n") == ptx.count("\\n")
assert len(open("log").readlines()) == lines
""")
        self.check_cost(0.7)
        # What the driver would load.
        old, new = (sum(sass_instructions((self.folder / name).read_bytes()).values())
                    for name in ("old", "new"))
        print(f"{self.id()}: SASS {old} -> {new}")
        self.assertLess(new, 0.8 * old)

    def test_failure_is_a_warning(self):
        _, messages = self.compile("""
from numba_kernel import *
import unravel.numba
unravel.numba.enable()
compile_kernel()
""", UNRAVEL_BIN_DIR=self.failing_binaries())
        self.check_warning(messages)


@unittest.skipUnless(installed("cupy"), "CuPy is not installed")
class CupyTest(FrameworkTest):
    def setUp(self):
        super().setUp()
        os.environ["CUPY_CACHE_DIR"] = str(self.folder / "cache")

    def test_simplifies(self):
        """Machine code and PTX, whatever is in CuPy's cache."""
        for as_ptx, start in (("0", "b'\\x7fELF'"), ("1", "b'//'")):
            self.compile(f"""
from cupy_kernel import compile_kernel
import unravel.cupy
original = compile_kernel()
assert original.startswith({start})
unravel.cupy.enable()
new = compile_kernel()
assert new.startswith({start}) and new != original
assert compile_kernel() == new
unravel.cupy.disable()
assert compile_kernel() == original
assert len(open("log").readlines()) == 1  # the cache has it
""", CUPY_COMPILE_WITH_PTX=as_ptx)
            self.check_cost(0.7)
            self.log.unlink()

    def test_failure_is_a_warning(self):
        text = """
from cupy_kernel import compile_kernel
import unravel.cupy
original = compile_kernel()
unravel.cupy.enable()
assert compile_kernel()[:4] == original[:4]
"""
        _, messages = self.compile(text, UNRAVEL_BIN_DIR=self.failing_binaries())
        self.check_warning(messages)
        _, messages = self.compile(text, UNRAVEL_PTXAS=self.folder / "none")
        self.assertRegex(messages, "UnravelWarning: CuPy: .*NVRTC's machine code.*none: cannot run")


@unittest.skipUnless(installed("warp"), "Warp is not installed")
class WarpTest(FrameworkTest):
    def setUp(self):
        super().setUp()
        os.environ["WARP_CACHE_PATH"] = str(self.folder / "cache")

    def test_simplifies(self):
        self.compile("""
from warp_kernel import compile_kernel, wp
import unravel.warp
original = compile_kernel(use_ptx=True)
folder = wp.config.kernel_cache_dir
unravel.warp.enable()
assert wp.config.kernel_cache_dir.startswith(os.path.join(folder, "unravel-"))
assert compile_kernel(use_ptx=True) != original
unravel.warp.disable()
assert wp.config.kernel_cache_dir == folder
assert compile_kernel(use_ptx=True) == original
""")
        self.check_cost(0.8)

    def test_machine_code(self):
        """Where ptxas is older than Warp's NVRTC, as it was, with a warning."""
        _, messages = self.compile("""
from warp_kernel import compile_kernel
import unravel.warp
original = compile_kernel(use_ptx=False)
unravel.warp.enable()
print(original == compile_kernel(use_ptx=False))
""")
        if "Unsupported .version" in messages:
            self.skipTest("ptxas is older than Warp's NVRTC")
        self.assertNotIn("UnravelWarning", messages)
        self.check_cost(0.8)

    def test_failure_is_a_warning(self):
        text = """
from warp_kernel import compile_kernel
import unravel.warp
original = compile_kernel(use_ptx=False)
unravel.warp.enable()
assert compile_kernel(use_ptx={}) {}
"""
        _, messages = self.compile(text.format(True, "!= original"),
                                   UNRAVEL_BIN_DIR=self.failing_binaries())
        self.check_warning(messages)
        _, messages = self.compile(text.format(False, "== original"),
                                   UNRAVEL_PTXAS=self.folder / "none")
        self.assertRegex(messages, "UnravelWarning: .*Warp's machine code.*none: cannot run")


if __name__ == "__main__":
    unittest.main()
