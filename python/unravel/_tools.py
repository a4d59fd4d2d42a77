"""The binaries: where they are, what they were built from, and running them."""

import functools
import hashlib
import os
import pathlib
import subprocess
import sys
import warnings

from ._errors import UnravelError, UnravelWarning
from ._version import __version__

# Variables that do not change what is compiled.
NEUTRAL = ("UNRAVEL_BIN_DIR", "UNRAVEL_LOG", "UNRAVEL_PROBLEMS", "UNRAVEL_PTXAS", "UNRAVEL_TIMEOUT")

IN_WHEEL = pathlib.Path(__file__).resolve().parent / "bin"


def _is_entry_point(path):
    """Whether it is the script that pip made of a function of this file."""
    with open(path, "rb") as file:
        return b"unravel._tools" in file.read(1000)


def find(name):
    """The path of a binary: in the wheel, in UNRAVEL_BIN_DIR, or in a folder of PATH."""
    folders = [IN_WHEEL]
    if named := os.environ.get("UNRAVEL_BIN_DIR"):
        folders.append(pathlib.Path(named))
    folders += [pathlib.Path(f) for f in os.get_exec_path()]
    for folder in folders:
        path = folder / name
        if path.is_file() and os.access(path, os.X_OK) and not _is_entry_point(path):
            return str(path.resolve())
    raise UnravelError(
        f"{name}: not found in {IN_WHEEL}, in UNRAVEL_BIN_DIR ({named or 'not set'}), or in PATH. "
        "Build Unravel (scripts/build.sh) and set UNRAVEL_BIN_DIR to its build/bin, or install a "
        "wheel that contains it (pip install . in Unravel's tree)")


@functools.lru_cache(maxsize=None)
def _digest(path, _size, _time):
    digest = hashlib.blake2b(digest_size=6)
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def identity():
    """Changes whenever the simplifier does: for the keys of caches of compiled code."""
    path = find("ptx-simplify")
    status = os.stat(path)
    return f"Unravel {__version__} {_digest(path, status.st_size, status.st_mtime_ns)}"


def settings():
    """The settings of unravel-ptxas in the environment, as "NAME=VALUE", without those that do
    not change its output: for the keys of caches, too."""
    return " ".join(f"{name}={value}" for name, value in sorted(os.environ.items())
                    if name.startswith("UNRAVEL_") and name not in NEUTRAL)


def run(name, arguments, text=b"", timeout=None, renamed=None):
    """Standard output, as bytes. Messages are exceptions and warnings; in them the paths that
    `renamed` has get its names."""
    try:
        done = subprocess.run([find(name), *arguments], input=text, capture_output=True,
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise UnravelError(f"{name}: not ready after {timeout:g} s") from None
    except OSError as error:
        raise UnravelError(f"{name}: cannot run: {error}") from None
    messages = done.stderr.decode("utf-8", "replace").strip()
    for path, short in (renamed or {}).items():
        messages = messages.replace(path, short)
    if done.returncode < 0:
        raise UnravelError(f"{name}: ended by signal {-done.returncode}")
    if done.returncode != 0:
        raise UnravelError(messages.removeprefix(f"{name}: ")
                           or f"{name}: failed with exit status {done.returncode}")
    for line in messages.splitlines():
        if line.startswith("warning: "):
            warnings.warn(line.removeprefix("warning: "), UnravelWarning, stacklevel=3)
    return done.stdout


def _replace_process(name):
    try:
        path = find(name)
    except UnravelError as error:
        sys.exit(str(error))
    os.execv(path, [path, *sys.argv[1:]])


# The commands that pip installs.
def ptx_simplify():
    _replace_process("ptx-simplify")


def unravel_ptxas():
    _replace_process("unravel-ptxas")


def unravel_toolkit():
    _replace_process("unravel-toolkit")
