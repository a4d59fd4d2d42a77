"""Warnings about PTX that unravel-ptxas could not simplify.

It runs in a process of the framework, which drops its messages. The launcher collects them in a
file, and this module warns of what is new there: after each compilation, where the framework
says when that is, and at the end of this process.
"""

import atexit
import os
import tempfile
import warnings

from ._errors import UnravelWarning

VARIABLE = "UNRAVEL_PROBLEMS"
_path, _owner, _read = None, None, 0


def watch(changes):
    """Makes the file, and names it in the environment."""
    global _path, _owner, _read
    # A process that was forked has a file of its own.
    if _owner != os.getpid():
        handle, _path = tempfile.mkstemp(prefix="unravel-", suffix=".problems")
        os.close(handle)
        _owner, _read = os.getpid(), 0
        atexit.register(_finish)
    changes.set_variable(VARIABLE, _path)


def report(*_arguments, **_more):
    """Warns of each problem since the last call; frameworks call it with their arguments."""
    global _read
    if _owner != os.getpid():
        return
    try:
        with open(_path, encoding="utf-8", errors="replace") as file:
            file.seek(_read)
            lines = file.read().splitlines()
            _read = file.tell()
    except OSError:
        return
    for line in lines:
        warnings.warn(line, UnravelWarning, stacklevel=2)


def _finish():
    report()
    if _owner == os.getpid():
        try:
            os.unlink(_path)
        except OSError:
            pass
