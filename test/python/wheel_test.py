"""The wheel: built without the network, and used without the tree."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import support

# Whether a Python can build wheels without the network.
TOOLS = """
from importlib.metadata import version
version("pip")
tools = [int(part) for part in version("setuptools").split(".")[:2]]
tools >= [70, 1] or version("wheel")
"""


def wheel_builder():
    """This Python, or else the system's, which scripts/test.sh gives the tools."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.access(python, os.X_OK) and not subprocess.run(
                [python, "-c", TOOLS], capture_output=True, check=False).returncode:
            return python
    return None


BUILDER = wheel_builder()


@unittest.skipUnless(BUILDER, "no Python here has pip, setuptools and wheel")
class WheelTest(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.tree = self.folder / "tree"
        self.tree.mkdir()
        ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
        shutil.copytree(support.ROOT / "python", self.tree / "python", ignore=ignore)
        shutil.copy(support.ROOT / "pyproject.toml", self.tree)

    def pip(self, *arguments):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("UNRAVEL_BIN_DIR", "PYTHONPATH")}
        return subprocess.run([BUILDER, "-m", "pip", "--disable-pip-version-check",
                               *arguments], env=environment, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, check=False, cwd=self.tree)

    def build(self, source):
        return self.pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", "out",
                        source)

    def use_binaries(self):
        (self.tree / "build").mkdir()
        (self.tree / "build/bin").symlink_to(support.BINARIES)

    def test_wheel(self):
        """With the binaries of build/bin, as from a clone; in an environment of its own."""
        self.use_binaries()
        done = self.build(".")
        self.assertEqual(done.returncode, 0, done.stdout)
        wheel, = pathlib.Path(self.tree, "out").iterdir()
        self.assertRegex(wheel.name, r"^unravel-[0-9.]+-py3-none-(?!any).+\.whl$")
        site = self.folder / "environment"
        subprocess.run([BUILDER, "-m", "venv", "--without-pip", site], check=True)
        done = self.pip("--python", str(site / "bin/python"), "install", "--no-deps",
                        "--no-index", str(wheel))
        self.assertEqual(done.returncode, 0, done.stdout)
        shutil.rmtree(self.tree)
        licence, = site.glob("lib/python*/site-packages/unravel-*/**/LICENSE")
        self.assertEqual(licence.read_text(), (support.ROOT / "LICENSE").read_text())

        def run(program, *arguments):
            return subprocess.run([site / "bin" / program, *arguments], text=True, check=True,
                                  env={"PATH": "/usr/bin:/bin"}, cwd=self.folder,
                                  capture_output=True).stdout

        expected = subprocess.run([support.BINARIES / "ptx-simplify", support.RESHAPE],
                                  capture_output=True, text=True, check=True).stdout
        out = run("python", "-c", "import unravel, sys; print(unravel.simplify_ptx("
                  "open(sys.argv[1]).read()), end='')", support.RESHAPE)
        self.assertEqual(out, expected)
        self.assertEqual(run("ptx-simplify", support.RESHAPE), expected)
        self.assertIn("FILE.ptx", run("unravel-ptxas", "--unravel-help"))
        self.assertIn("FOLDER", run("unravel-toolkit", "--help"))

    def test_package_folder(self):
        self.use_binaries()
        done = self.build("./python")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_no_binaries(self):
        done = self.build(".")
        self.assertNotEqual(done.returncode, 0)
        for part in ("build/bin: has no ptx-simplify, unravel-ptxas, unravel-toolkit",
                     "scripts/build.sh", "ninja -C build", "UNRAVEL_BIN_DIR"):
            self.assertIn(part, done.stdout)


if __name__ == "__main__":
    unittest.main()
