"""Puts the binaries of a build into the wheel; everything else is in pyproject.toml.

UNRAVEL_BIN_DIR names the folder of the binaries (default: ../build/bin).
"""

import os
import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
BINARIES = ("ptx-simplify", "unravel-ptxas", "unravel-toolkit")


def binary_folder():
    folder = pathlib.Path(os.environ.get("UNRAVEL_BIN_DIR") or HERE.parent / "build/bin")
    missing = [name for name in BINARIES if not (folder / name).is_file()]
    if missing:
        raise SetupError(
            f"{folder}: has no {', '.join(missing)}. Build Unravel first: scripts/build.sh, or\n"
            "    cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release && ninja -C build\n"
            "or set UNRAVEL_BIN_DIR to the bin folder of a build or of an installation.")
    return folder


class BuildWithBinaries(build_py):
    """Copies the binaries into the package. Editable installs find them by UNRAVEL_BIN_DIR."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        source, target = binary_folder(), pathlib.Path(self.build_lib, "unravel/bin")
        target.mkdir(parents=True, exist_ok=True)
        for name in BINARIES:
            shutil.copy2(source / name, target / name)
            (target / name).chmod(0o755)


class PlatformWheel(bdist_wheel):
    """For any Python 3, on the platform of the binaries."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(cmdclass={"build_py": BuildWithBinaries, "bdist_wheel": PlatformWheel})
