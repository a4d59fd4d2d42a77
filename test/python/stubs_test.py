"""enable() and disable() with packages that have just the places that Unravel uses.

frameworks_test.py has the real ones, where they are installed."""

import textwrap
import unittest

import support

CHECK = """
import os, warnings
def state():
    return {**os.environ}
before = state()
"""


class StubTest(support.FolderTest):
    def package(self, **files):
        """Modules of a package, by path with __ for /."""
        for path, text in files.items():
            path = self.folder / f"{path.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
            for folder in path.parents:
                if folder == self.folder:
                    break
                (folder / "__init__.py").touch()

    def fake_ptxas(self, path):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(support.FAKE_PTXAS)
        return path

    def check(self, text, **more):
        path = self.folder / "script.py"
        path.write_text(CHECK + textwrap.dedent(text) + "\nprint('done')\n")
        # -S: without the packages that are installed, and what they do to imports.
        out, errors = self.python("-S", path, **more)
        self.assertEqual(out, "done\n", errors)
        return errors


class TritonTest(StubTest):
    def setUp(self):
        super().setUp()
        self.package(triton__backends__nvidia__compiler="")
        self.fake_ptxas("triton/backends/nvidia/bin/ptxas")

    def test_restores(self):
        self.check("""
            import unravel.triton
            unravel.triton.enable()
            path = os.environ["TRITON_PTXAS_PATH"]
            assert "Unravel" in os.popen(path + " --version").read()
            assert "TRITON_PTXAS_BLACKWELL_PATH" not in os.environ  # there is none
            unravel.triton.enable()
            assert path == os.environ["TRITON_PTXAS_PATH"]
            unravel.triton.disable()
            assert state() == before
            unravel.triton.disable()
            """)

    def test_ptxas_of_the_user(self):
        mine = self.fake_ptxas("mine")
        self.check("""
            import unravel.triton
            unravel.triton.enable()
            path = os.environ["TRITON_PTXAS_PATH"]
            assert before["TRITON_PTXAS_PATH"] in open(path).read()
            os.environ["TRITON_PTXAS_PATH"] = "changed since then"
            unravel.triton.disable()
            assert os.environ["TRITON_PTXAS_PATH"] == "changed since then"
            """, TRITON_PTXAS_PATH=mine)

    def test_no_ptxas(self):
        (self.folder / "triton/backends/nvidia/bin/ptxas").unlink()
        self.check("""
            import unravel, unravel.triton
            try:
                unravel.triton.enable()
            except unravel.UnravelError as error:
                assert "Triton has no ptxas" in str(error), error
            assert state() == before
            """)


class JaxTest(StubTest):
    def setUp(self):
        super().setUp()
        self.fake_ptxas("cuda/bin/ptxas")
        self.package(jax__monitoring="""
                         listeners = []
                         register_event_duration_secs_listener = listeners.append
                         """,
                     jax___src__cache_key="def custom_hook(): return 'mine'",
                     jax___src__lib="cuda_path = None")

    def test_restores(self):
        self.check("""
            import jax._src.lib, jax._src.cache_key, unravel.jax
            for flags in (None, "", "--xla_a=1", "--xla_gpu_cuda_data_dir=/no --xla_a=1"):
                if flags is not None:
                    os.environ["XLA_FLAGS"] = flags
                before = state()
                unravel.jax.enable()
                unravel.jax.enable()
                folder = jax._src.lib.cuda_path
                assert os.environ["CUDA_ROOT"] == folder
                assert os.environ["XLA_FLAGS"].split()[-1] == "--xla_gpu_cuda_data_dir=" + folder
                assert os.environ["XLA_FLAGS"].count("data_dir") == 1
                assert "Unravel" in os.popen(folder + "/bin/ptxas --version").read()
                assert jax._src.cache_key.custom_hook().startswith("mineUnravel")
                os.environ["XLA_FLAGS"] += " --xla_later"
                unravel.jax.disable()
                assert os.environ.get("XLA_FLAGS").count("--xla_later") == 1
                others = os.environ["XLA_FLAGS"].replace("--xla_later", "").split()
                assert sorted(others) == sorted((flags or "").split()), others
                assert jax._src.lib.cuda_path is None
                assert jax._src.cache_key.custom_hook() == "mine"
                os.environ["XLA_FLAGS"] = before.get("XLA_FLAGS", "")
                assert {**before, "XLA_FLAGS": ""} == {**state(), "XLA_FLAGS": ""}
            """, CUDA_HOME=self.folder / "cuda")

    def test_unset_flags_are_unset_again(self):
        self.check("""
            import unravel.jax
            unravel.jax.enable()
            unravel.jax.disable()
            assert state() == before
            """, CUDA_HOME=self.folder / "cuda")

    def test_toolkit_by_name(self):
        self.check("""
            import unravel.jax
            unravel.jax.enable(cuda="cuda")
            assert "cuda/bin/ptxas" in open(os.environ["CUDA_ROOT"] + "/bin/ptxas").read()
            """, CUDA_HOME="/nowhere")

    def test_unknown_jax(self):
        (self.folder / "jax/_src/cache_key.py").write_text("")
        self.check("""
            import unravel, unravel.jax
            try:
                unravel.jax.enable()
            except unravel.UnravelError as error:
                assert "this version of JAX" in str(error), error
            assert state() == before
            """, CUDA_HOME=self.folder / "cuda")


class NumbaTest(StubTest):
    def setUp(self):
        super().setUp()
        self.package(numba__cuda__cudadrv__nvvm=f"""
                         def compile_ir(llvmir, **options):
                             if llvmir == "lto":
                                 return b"\\xff\\x80.version"
                             return open({str(support.RESHAPE)!r}, "rb").read() + b"\\0"
                         """,
                     numba__cuda__codegen="""
                         class CUDACodeLibrary:
                             name, _lto, _linking_files = "library", True, ()
                             def get_cubin(self, cc=None):
                                 return self._lto
                         class JITCUDACodegen:
                             def magic_tuple(self):
                                 return (1, 2)
                         """)

    def test_simplifies(self):
        self.check("""
            import unravel, unravel.numba
            from numba.cuda.cudadrv import nvvm
            from numba.cuda import codegen
            original = nvvm.compile_ir, codegen.CUDACodeLibrary.get_cubin
            library = codegen.CUDACodeLibrary()
            ptx = nvvm.compile_ir("")
            unravel.numba.enable()
            unravel.numba.enable()
            assert nvvm.compile_ir("").decode() == unravel.simplify_ptx(ptx.decode())
            assert nvvm.compile_ir("lto") == b"\\xff\\x80.version"
            assert not library.get_cubin() and library._lto
            assert codegen.JITCUDACodegen().magic_tuple()[:2] == (1, 2)
            assert "Unravel" in str(codegen.JITCUDACodegen().magic_tuple())
            library._linking_files = ("helper.cu",)
            with warnings.catch_warnings(record=True) as caught:
                assert library.get_cubin()
            assert "lto=False" in str(caught[0].message), caught
            unravel.numba.disable()
            assert original == (nvvm.compile_ir, codegen.CUDACodeLibrary.get_cubin)
            assert codegen.JITCUDACodegen().magic_tuple() == (1, 2)
            """)
        self.assertEqual([k["name"] for k in self.reports()], ["reshape", "other", "small"])

    def test_simulator(self):
        (self.folder / "numba/cuda/cudadrv/nvvm.py").write_text("compile_ir = None\n")
        self.check("""
            import unravel, unravel.numba
            try:
                unravel.numba.enable()
            except unravel.UnravelError as error:
                assert "simulator" in str(error), error
            """)


class CupyTest(StubTest):
    """CuPy asks for machine code, and a ptxas that copies its input assembles."""

    def setUp(self):
        super().setUp()
        self.package(cupy__cuda__compiler=f"""
            def _get_arch_for_options_for_nvrtc(arch=None):
                return ("-arch=sm_" + arch, "cubin") if arch != "70" else ("-arch=compute_70", "ptx")
            def _is_cudadevrt_needed(options):
                return "-dc" in options
            def compile_using_nvrtc(source, options=(), arch=None):
                if source == "lto":
                    return b"\\xff\\x80.version", None
                option, method = _get_arch_for_options_for_nvrtc(arch)
                if method == "cubin":
                    return b"cubin", {{}}
                assert option == "-arch=compute_" + arch, option
                return open({str(support.RESHAPE)!r}, "rb").read() + b"\\0", {{}}
            def _compile_with_cache_cuda(source, options, arch, extra_source=None, backend="nvrtc"):
                return extra_source
            """)
        self.ptxas = self.fake_ptxas("cuda/bin/ptxas")

    def test_simplifies(self):
        self.check("""
            import unravel, unravel.cupy
            from cupy.cuda import compiler
            def functions():
                return {name: f for name, f in vars(compiler).items() if callable(f)}
            original = functions()
            new = unravel.simplify_ptx(compiler.compile_using_nvrtc("", (), "70")[0].decode())
            unravel.cupy.enable()
            unravel.cupy.enable()
            assert compiler.compile_using_nvrtc("", (), "70")[0].decode() == new
            cubin = compiler.compile_using_nvrtc("", arch="90")[0]
            assert cubin.decode() == new.rstrip("\\0"), cubin
            assert compiler.compile_using_nvrtc("lto", (), "90")[0] == b"\\xff\\x80.version"
            assert compiler.compile_using_nvrtc("", ("-dc",), "90")[0] == b"cubin"
            assert "Unravel" in compiler._compile_with_cache_cuda("", (), "90", None, "nvrtc")
            assert compiler._compile_with_cache_cuda("", (), "90", "x").startswith("x ")
            unravel.cupy.disable()
            assert compiler.compile_using_nvrtc("", (), "90")[0] == b"cubin"
            assert original == functions()
            """, UNRAVEL_PTXAS=self.ptxas)
        self.assertEqual([k["name"] for k in self.reports()], 2 * ["reshape", "other", "small"])

    def test_without_ptxas(self):
        errors = self.check("""
            import unravel, unravel.cupy
            from cupy.cuda import compiler
            unravel.cupy.enable()
            assert compiler.compile_using_nvrtc("", (), "90")[0] == b"cubin"
            """, UNRAVEL_PTXAS=self.folder / "none")
        self.assertRegex(errors, "UnravelWarning: CuPy: not simplified.*none: cannot run")

    def test_other_version(self):
        (self.folder / "cupy/cuda/compiler.py").write_text("compile_using_nvrtc = None\n")
        self.check("""
            import unravel, unravel.cupy
            try:
                unravel.cupy.enable()
            except unravel.UnravelError as error:
                assert "too old or too new" in str(error), error
            """)


class WarpTest(StubTest):
    """Warp writes PTX or machine code to the file that it is given."""

    def setUp(self):
        super().setUp()
        self.package(warp__build=f"""
            def build_cuda(cu_path, arch, output_path, config="release", arch_suffix=""):
                ptx = open({str(support.RESHAPE)!r}, "rb").read() + b"\\0"
                if cu_path == "linked.cu" and output_path.endswith(".ptx"):
                    raise RuntimeError("cannot link PTX")
                with open(output_path, "wb") as file:
                    file.write(ptx if output_path.endswith(".ptx") else b"cubin")
            """, warp__config="kernel_cache_dir = None")
        (self.folder / "warp/__init__.py").write_text(
            "from . import build, config\n"
            "def init():\n    config.kernel_cache_dir = config.kernel_cache_dir or 'cache'\n")
        self.ptxas = self.fake_ptxas("cuda/bin/ptxas")

    def test_simplifies(self):
        self.check("""
            import unravel, unravel.warp, warp
            original = warp.build.build_cuda
            def built(path, **more):
                warp.build.build_cuda("k.cu", 90, path, **more)
                return open(path).read()
            new = unravel.simplify_ptx(built("old.ptx"))
            unravel.warp.enable()
            folder = warp.config.kernel_cache_dir
            assert folder.startswith(os.path.join("cache", "unravel-")), folder
            assert built("new.ptx") == new
            assert built("new.cubin", arch_suffix="a") == new.rstrip("\\0")
            assert not os.path.exists("new.cubin.ptx")
            unravel.warp.disable()
            assert warp.config.kernel_cache_dir == "cache"
            assert warp.build.build_cuda is original and built("old.cubin") == "cubin"
            """, UNRAVEL_PTXAS=self.ptxas)
        self.assertEqual([k["name"] for k in self.reports()], 2 * ["reshape", "other", "small"])

    def test_keeps_machine_code(self):
        errors = self.check("""
            import unravel.warp, warp
            unravel.warp.enable()
            warp.build.build_cuda("k.cu", 90, "k.cubin")
            assert open("k.cubin").read() == "cubin" and not os.path.exists("k.cubin.ptx")
            warp.build.build_cuda("linked.cu", 90, "linked.cubin")
            assert open("linked.cubin").read() == "cubin"
            """, UNRAVEL_PTXAS=self.folder / "none")
        self.assertRegex(errors, "UnravelWarning: k.cu: not simplified.*none: cannot run")
        self.assertRegex(errors, "UnravelWarning: linked.cu: not simplified.*cannot link PTX")

    def test_other_version(self):
        (self.folder / "warp/build.py").write_text("")
        self.check("""
            import unravel, unravel.warp
            try:
                unravel.warp.enable()
            except unravel.UnravelError as error:
                assert "too old or too new" in str(error), error
            """)


class MissingTest(StubTest):
    def test_messages(self):
        path = self.folder / "script.py"
        path.write_text(textwrap.dedent("""
            import importlib, unravel
            for name in ("triton", "jax", "numba", "cupy", "warp"):
                try:
                    importlib.import_module("unravel." + name).enable()
                except unravel.UnravelError as error:
                    print(str(error))
            """))
        out, _ = self.python("-S", path)
        self.assertRegex(out, "(?s)Triton is not installed: pip install triton\n"
                              "JAX is not installed.*\nnumba.cuda cannot be imported .*numba-cuda"
                              ".*\nCuPy cannot be imported .*cupy.*\nWarp is not installed")


if __name__ == "__main__":
    unittest.main()
