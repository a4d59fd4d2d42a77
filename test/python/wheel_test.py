"""The wheel: built without the network, and used without the tree."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from importlib import metadata

import support


def has_wheel_builder():
    def version(name):
        try:
            return tuple(int(part) for part in metadata.version(name).split(".")[:2])
        except (metadata.PackageNotFoundError, ValueError):
            return None

    tools = version("setuptools")
    return version("pip") and tools and (tools >= (70, 1) or version("wheel"))


@unittest.skipUnless(has_wheel_builder(), "pip, setuptools and wheel are not all installed")
class WheelTest(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.tree = self.folder / "tree"
        ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
        shutil.copytree(support.ROOT / "python", self.tree / "python", ignore=ignore)

    def pip(self, *arguments, **environment):
        environment = {k: v for k, v in {**os.environ, **environment}.items() if v is not None}
        return subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check",
                               *arguments], env=environment, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, check=False, cwd=self.tree)

    def build(self, **environment):
        return self.pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", "out",
                        "./python", **environment)

    def test_wheel(self):
        """With the binaries of ../build/bin, as from a clone."""
        (self.tree / "build").mkdir()
        (self.tree / "build/bin").symlink_to(support.BINARIES)
        done = self.build(UNRAVEL_BIN_DIR=None)
        self.assertEqual(done.returncode, 0, done.stdout)
        wheel, = pathlib.Path(self.tree, "out").iterdir()
        self.assertRegex(wheel.name, r"^unravel-[0-9.]+-py3-none-(?!any).+\.whl$")
        done = self.pip("install", "--no-deps", "--no-index", "--target", "site", str(wheel))
        self.assertEqual(done.returncode, 0, done.stdout)
        site = self.tree / "site"
        environment = {"PYTHONPATH": site, "PATH": "/usr/bin:/bin", "UNRAVEL_BIN_DIR": ""}
        out, _ = self.python("-c", "import unravel, sys; print(unravel.simplify_ptx("
                             "sys.stdin.read() or open(sys.argv[1]).read()), end='')",
                             support.RESHAPE, **environment)
        expected = subprocess.run([support.BINARIES / "ptx-simplify", support.RESHAPE],
                                  capture_output=True, text=True, check=True).stdout
        self.assertEqual(out, expected)
        out, _ = self.python(site / "bin/ptx-simplify", support.RESHAPE, **environment)
        self.assertEqual(out, expected)

    def test_no_binaries(self):
        done = self.build(UNRAVEL_BIN_DIR=None)
        self.assertNotEqual(done.returncode, 0)
        for part in ("build/bin: has no ptx-simplify, unravel-ptxas, unravel-toolkit",
                     "scripts/build.sh", "ninja -C build", "UNRAVEL_BIN_DIR"):
            self.assertIn(part, done.stdout)


if __name__ == "__main__":
    unittest.main()
