"""What the tests share."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARIES = pathlib.Path(os.environ["UNRAVEL_BIN_DIR"])
RESHAPE = ROOT / "test/ptx-simplify/Inputs/reshape.ptx"
SIZES = ROOT / "test/ptx-simplify/Inputs/sizes.ptx"
FAKE_PTXAS = ROOT / "test/unravel-ptxas/Inputs/fake-ptxas"


class FolderTest(unittest.TestCase):
    """A test with a folder of its own, and other Pythons."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = self.folder / "log"

    def python(self, *arguments, status=0, **environment):
        """Output and messages of a Python with UNRAVEL_LOG and more in the environment."""
        environment = {"UNRAVEL_LOG": self.log, **environment}
        environment = {**os.environ, **{k: str(v) for k, v in environment.items()}}
        done = subprocess.run([sys.executable, *map(str, arguments)], env=environment, text=True,
                              capture_output=True, timeout=300, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def script(self, text, **more):
        path = self.folder / "script.py"
        path.write_text(text, encoding="utf-8")
        return self.python(path, **more)

    def reports(self):
        """The kernels in the log; a failure is a line without kernels."""
        if not self.log.exists():
            return []
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [kernel for line in lines for kernel in json.loads(line).get("kernels", ())]

    def failing_binaries(self):
        """A folder of binaries whose ptx-simplify always fails."""
        folder = self.folder / "failing"
        folder.mkdir()
        for name in ("unravel-ptxas", "unravel-toolkit"):
            shutil.copy2(BINARIES / name, folder / name)
        program = folder / "ptx-simplify"
        program.write_text("#!/bin/sh\necho 'ptx-simplify: out of order' >&2\nexit 1\n")
        program.chmod(0o755)
        return folder
