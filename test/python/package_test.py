"""unravel.simplify_ptx, the tools, and what stands in for ptxas."""

import os
import pathlib
import re
import subprocess
import unittest
from unittest import mock

import support
import unravel
from unravel import _launcher, _simplify, _tools


def command_line(*arguments, text):
    return subprocess.run([support.BINARIES / "ptx-simplify", *arguments], input=text,
                          capture_output=True, text=True, check=True).stdout


class SimplifyTest(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.ptx = support.RESHAPE.read_text()

    def test_same_as_the_tool(self):
        result = unravel.simplify_ptx(self.ptx)
        self.assertEqual(result, command_line(text=self.ptx))
        self.assertNotEqual(result, self.ptx)

    def test_report(self):
        result, report = unravel.simplify_ptx(self.ptx, report=True)
        self.assertEqual(result, unravel.simplify_ptx(self.ptx))
        kernel = report["kernels"][0]
        self.assertEqual((kernel["name"], kernel["outcome"]), ("reshape", "simplified"))
        self.assertLess(kernel["new"]["cost"], kernel["old"]["cost"])

    def test_bytes_and_wrong_options(self):
        text = self.ptx.encode("utf-8")
        self.assertEqual(unravel.simplify_ptx(text), unravel.simplify_ptx(self.ptx))
        with self.assertRaisesRegex(unravel.UnravelError, "text: PTX as str or bytes, not NoneType"):
            unravel.simplify_ptx(None)
        with self.assertRaisesRegex(unravel.UnravelError, "text: these bytes are no PTX"):
            unravel.simplify_ptx(b"\x7fELF\xff")
        with self.assertRaisesRegex(unravel.UnravelError, "options: a list of strings"):
            unravel.simplify_ptx(self.ptx, options="-index-simplify-reciprocals=false")
        with self.assertRaisesRegex(unravel.UnravelError, 'versioning: "auto" or "off", not False'):
            unravel.simplify_ptx(self.ptx, versioning=False)

    def test_versioning(self):
        ptx = support.SIZES.read_text()
        result = unravel.simplify_ptx(ptx, versioning="off")
        self.assertEqual(result, command_line("--versioning=off", text=ptx))
        self.assertNotEqual(result, unravel.simplify_ptx(ptx))

    def test_line_ends_stay(self):
        ptx = self.ptx.replace("\n", "\r\n")
        untouched = ptx[ptx.index(".entry other"):ptx.index(".entry small")]
        self.assertIn(untouched, unravel.simplify_ptx(ptx))

    def test_facts(self):
        for facts in ({"kernels": "none"}, self.folder / "missing.json"):
            with self.assertRaises(unravel.UnravelError):
                unravel.simplify_ptx(self.ptx, facts=facts)
        file = self.folder / "facts.json"
        file.write_text('{"kernels": {}}')
        self.assertEqual(unravel.simplify_ptx(self.ptx, facts={"kernels": {}}),
                         unravel.simplify_ptx(self.ptx, facts=file))

    def test_facts_that_nothing_has(self):
        with self.assertWarnsRegex(unravel.UnravelWarning,
                                   r"^facts: kernels.misspelt: no kernel of this name in "):
            unravel.simplify_ptx(self.ptx, facts={"kernels": {"misspelt": {"block": 128}}})
        with self.assertRaisesRegex(unravel.UnravelError, r"error: facts: "):
            unravel.simplify_ptx(self.ptx, facts={"rows": {}})

    def test_judge(self):
        with self.assertRaisesRegex(unravel.UnravelError, "/no/such/ptxas"):
            unravel.simplify_ptx(self.ptx, judge="/no/such/ptxas")

    def test_bad_ptx_has_a_place(self):
        with self.assertRaises(unravel.UnravelError) as caught:
            unravel.simplify_ptx(".version 9.0\n.target sm_90\n  nonsense\n")
        self.assertEqual((caught.exception.line, caught.exception.column), (3, 3))
        self.assertIn("<stdin>:3:3: error: ", str(caught.exception))

    def test_bad_option(self):
        with self.assertRaises(unravel.UnravelError) as caught:
            unravel.simplify_ptx(self.ptx, versioning="sometimes")
        self.assertIn("sometimes", str(caught.exception))
        self.assertIsNone(caught.exception.line)

    def test_timeout(self):
        with self.assertRaisesRegex(unravel.UnravelError, "not ready after 1e-06 s"):
            unravel.simplify_ptx(self.ptx, timeout=1e-6)


class KeepTest(support.FolderTest):
    """What integrations call."""

    def test_log(self):
        with mock.patch.dict(os.environ, UNRAVEL_LOG=str(self.log)):
            ptx = support.RESHAPE.read_text()
            self.assertEqual(_simplify.simplify_or_keep(ptx, "x"), unravel.simplify_ptx(ptx))
            _simplify.simplify_or_keep(ptx, "y")
        self.assertEqual([k["name"] for k in self.reports()], ["reshape", "other", "small"] * 2)

    def test_settings(self):
        ptx = support.SIZES.read_text()
        with mock.patch.dict(os.environ, UNRAVEL_VERSIONING="off"):
            self.assertEqual(_simplify.simplify_or_keep(ptx, "x"),
                             unravel.simplify_ptx(ptx, versioning="off"))

    def test_options(self):
        """As with unravel-ptxas."""
        with mock.patch.dict(os.environ, UNRAVEL_OPTIONS="--a '--b=c d'"), \
                mock.patch.object(_simplify, "simplify_ptx") as call:
            call.return_value = ("new", {})
            self.assertEqual(_simplify.simplify_or_keep("old", "x"), "new")
        self.assertEqual(call.call_args.kwargs["options"], ["--a", "--b=c d"])
        with mock.patch.dict(os.environ, UNRAVEL_OPTIONS="'"), \
                self.assertWarnsRegex(unravel.UnravelWarning, "x: not simplified, .*quotation"):
            self.assertEqual(_simplify.simplify_or_keep("old", "x"), "old")

    def test_failure_is_a_warning(self):
        expected = "kernel k: not simplified, .*:1:1: error"
        with self.assertWarnsRegex(unravel.UnravelWarning, expected):
            self.assertEqual(_simplify.simplify_or_keep("no PTX", "kernel k"), "no PTX")


class ToolsTest(support.FolderTest):
    def test_missing(self):
        with mock.patch.dict(os.environ, PATH=str(self.folder), UNRAVEL_BIN_DIR="/nowhere"):
            with self.assertRaises(unravel.UnravelError) as caught:
                unravel.simplify_ptx("")
        for part in ("ptx-simplify: not found", "unravel/bin", "(/nowhere)", "scripts/build.sh"):
            self.assertIn(part, str(caught.exception))

    def test_path(self):
        """The commands that pip installs are in PATH, too, and are not the tool."""
        script = self.folder / "ptx-simplify"
        script.write_text("#!/usr/bin/python3\nfrom unravel._tools import ptx_simplify\n")
        script.chmod(0o755)
        path = f"{self.folder}:{support.BINARIES}"
        with mock.patch.dict(os.environ, PATH=path):
            del os.environ["UNRAVEL_BIN_DIR"]
            self.assertEqual(_tools.find("ptx-simplify"),
                             str((support.BINARIES / "ptx-simplify").resolve()))

    def test_commands(self):
        out, _ = self.python("-c", "from unravel._tools import *; ptx_simplify()",
                             support.RESHAPE)
        self.assertEqual(out, unravel.simplify_ptx(support.RESHAPE.read_text()))
        out, _ = self.python("-c", "from unravel._tools import *; unravel_toolkit()", "--help")
        self.assertIn("Usage: unravel-toolkit", out)

    def test_version(self):
        out = subprocess.run([support.BINARIES / "ptx-simplify", "--version"], text=True,
                             capture_output=True, check=True).stdout
        self.assertEqual(unravel.version, re.search(r"^Unravel (\S+)$", out, re.M)[1])

    def test_importing_changes_nothing(self):
        out, _ = self.script("import os, sys\nbefore = dict(os.environ)\n"
                             "import unravel.triton, unravel.jax, unravel.numba, unravel.cupy, "
                             "unravel.warp\n"
                             "print(before == dict(os.environ), {'triton', 'jax', 'numba', 'cupy', "
                             "'warp'} & set(sys.modules))")
        self.assertEqual(out, "True set()\n")


class PtxasTest(support.FolderTest):
    def test_packages(self):
        """That of CUDA 13 before that of CUDA 12."""
        for name in ("cuda_nvcc", "cu13", "cu14", "cublas"):
            path = self.folder / f"nvidia/{name}/bin/{'x' if name == 'cublas' else 'ptxas'}"
            path.parent.mkdir(parents=True)
            path.touch()
        out, _ = self.python("-c", "from unravel import _simplify\n"
                             "for path in _simplify._ptxas_of_packages(): print(path)")
        found = [path for path in out.split() if path.startswith(str(self.folder))]
        self.assertEqual(found, [str(self.folder / f"nvidia/{name}/bin/ptxas")
                                 for name in ("cu14", "cu13", "cuda_nvcc")])


class LauncherTest(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.ptx = self.folder / "kernel.ptx"
        self.ptx.write_text(support.RESHAPE.read_text())
        self.problems = self.folder / "problems"

    def launch(self, launcher, *arguments):
        environment = dict(os.environ, UNRAVEL_PROBLEMS=str(self.problems))
        return subprocess.run([launcher, *arguments], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=environment)

    def test_assembles_simplified_ptx(self):
        launcher = _launcher.launcher(support.FAKE_PTXAS)
        self.assertEqual(launcher, _launcher.launcher(support.FAKE_PTXAS))
        done = self.launch(launcher, "-v", "kernel.ptx", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "out").read_text(),
                         unravel.simplify_ptx(self.ptx.read_text()))
        self.assertNotEqual(self.launch(launcher, "--fail").returncode, 0)

    def test_version_says_unravel(self):
        done = self.launch(_launcher.launcher(support.FAKE_PTXAS), "--version")
        first, last = done.stdout.splitlines()
        self.assertEqual(first, "assembler: --version")
        self.assertEqual(last, _tools.identity())

    def test_version_says_settings(self):
        """Not those that do not matter, such as UNRAVEL_BIN_DIR."""
        with mock.patch.dict(os.environ, UNRAVEL_VERSIONING="off", UNRAVEL_JUDGE="1"):
            done = self.launch(_launcher.launcher(support.FAKE_PTXAS), "--version")
            self.assertEqual(_tools.settings(), "UNRAVEL_JUDGE=1 UNRAVEL_VERSIONING=off")
            self.assertEqual(done.stdout.splitlines()[-1],
                             f"{_tools.identity()} {_tools.settings()}")

    def test_problems_are_kept(self):
        self.ptx.write_text(".version 9.0\n.target sm_90\nnonsense\n")
        done = self.launch(_launcher.launcher(support.FAKE_PTXAS), "kernel.ptx", "-o", "out")
        self.assertEqual(done.returncode, 0)
        self.assertIn("3:1: error", self.problems.read_text())
        self.assertEqual(self.problems.read_text().strip(), done.stderr.strip())

    def test_no_such_ptxas(self):
        with self.assertRaisesRegex(unravel.UnravelError, "/no/such: no such program"):
            _launcher.launcher("/no/such")

    def test_unwritable_cache(self):
        with mock.patch.dict(os.environ, XDG_CACHE_HOME="/proc/nowhere"):
            done = self.launch(_launcher.launcher(support.FAKE_PTXAS), "--version")
        self.assertIn("Unravel", done.stdout)

    def test_toolkit(self):
        cuda = self.folder / "cuda dir"
        (cuda / "bin").mkdir(parents=True)
        (cuda / "include").mkdir()
        (cuda / "bin/ptxas").symlink_to(support.FAKE_PTXAS)
        (cuda / "bin/nvlink").touch()
        folder = pathlib.Path(_launcher.toolkit(cuda))
        self.assertEqual(str(folder), _launcher.toolkit(cuda))
        self.assertTrue((folder / "include").is_symlink() and (folder / "bin/nvlink").is_symlink())
        done = self.launch(folder / "bin/ptxas", "kernel.ptx", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "out").read_text(),
                         unravel.simplify_ptx(self.ptx.read_text()))


if __name__ == "__main__":
    unittest.main()
