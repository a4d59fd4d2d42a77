#!/usr/bin/env python3
"""Tests of the Python package, with the binaries of BINDIR.

    run.py BINDIR [ARGUMENTS OF unittest]

Tests of frameworks compile without a GPU. They are skipped where the package is not
installed for the Python that runs this file; to run them:

    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install triton "jax[cuda13]" "numba-cuda[cu13]" cupy-cuda13x warp-lang
    /tmp/venv/bin/python test/python/run.py build/bin
"""

import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binaries = pathlib.Path(sys.argv.pop(1)).resolve()
    for name in [name for name in os.environ if name.startswith("UNRAVEL_")]:
        del os.environ[name]
    os.environ["UNRAVEL_BIN_DIR"] = str(binaries)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        tests = unittest.defaultTestLoader.discover(str(HERE), pattern="*_test.py")
        if len(sys.argv) > 1:
            tests = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
        result = unittest.TextTestRunner(verbosity=2).run(tests)
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    sys.exit(not result.wasSuccessful())


main()
