"""The program that a framework calls as its ptxas.

It is a shell script that runs unravel-ptxas for one real ptxas. What it adds:

* `--version` has one more line, with the version of Unravel and its settings. Frameworks make
  that text part of the keys of their caches, so that code compiled without Unravel is not taken
  for simplified code, nor that of another version.
* Messages of unravel-ptxas go into the file that UNRAVEL_PROBLEMS names as well, because
  frameworks drop what ptxas prints when it succeeds.
"""

import hashlib
import os
import pathlib
import shlex
import shutil
import tempfile

from . import _tools
from ._errors import UnravelError

SCRIPT = """#!/bin/sh
# Made by the Python package unravel: ptxas that simplifies first.
UNRAVEL_PTXAS=${{UNRAVEL_PTXAS:-{real}}}
export UNRAVEL_PTXAS
case " $* " in
*" --version "* | *" -V "*)
  "$UNRAVEL_PTXAS" "$@" || exit
  echo {identity} $(env | LC_ALL=C sort | grep '^UNRAVEL_' | grep -vE '^({neutral})=')
  exit 0
  ;;
esac
messages=
[ -z "${{UNRAVEL_PROBLEMS:-}}" ] || messages=$(mktemp) || messages=
[ -n "$messages" ] || exec {unravel_ptxas} "$@"
trap 'rm -f "$messages"' EXIT
{unravel_ptxas} "$@" 2>"$messages"
status=$?
cat "$messages" >&2
grep '^unravel-ptxas: ' "$messages" >>"$UNRAVEL_PROBLEMS"
exit $status
"""


def _cache_folder():
    """A folder that stays: processes started later may use what is in it."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base, "unravel")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return pathlib.Path(tempfile.mkdtemp(prefix="unravel-"))
    return folder


def _script(real):
    if not os.access(real, os.X_OK):
        raise UnravelError(f"{real}: no such program; name NVIDIA's ptxas")
    return SCRIPT.format(real=shlex.quote(str(real)), identity=shlex.quote(_tools.identity()),
                         neutral="|".join(_tools.NEUTRAL),
                         unravel_ptxas=shlex.quote(_tools.find("unravel-ptxas")))


def _made(kind, content, make):
    """The folder for `content`, made by make(folder) unless it is there. It appears at once and
    whole, because other processes may make it at the same time."""
    cache = _cache_folder()
    folder = cache / f"{kind}-{hashlib.blake2b(content.encode(), digest_size=8).hexdigest()}"
    if not folder.exists():
        new = pathlib.Path(tempfile.mkdtemp(dir=cache))
        try:
            make(new)
            new.chmod(0o755)
            new.rename(folder)
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
            if not folder.exists():
                raise
    return folder


def _write_script(path, script):
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


def launcher(real):
    """The path of a script that takes the place of the ptxas `real`."""
    script = _script(real)
    return str(_made("ptxas", script, lambda new: _write_script(new / "ptxas", script)) / "ptxas")


def toolkit(root):
    """A folder of links to the CUDA toolkit `root`, with another ptxas.

    unravel-toolkit makes one for nvcc. The toolkits of JAX's wheels may have no nvcc, which XLA
    does not need."""
    root = pathlib.Path(root).resolve()
    script = _script(root / "bin/ptxas")

    def make(new):
        (new / "bin").mkdir()
        for entry in [*root.iterdir(), *(root / "bin").iterdir()]:
            name = entry.relative_to(root)
            if str(name) not in ("bin", "bin/ptxas"):
                (new / name).symlink_to(entry)
        _write_script(new / "bin/ptxas", script)

    return str(_made("toolkit", f"{root}\n{script}", make))
