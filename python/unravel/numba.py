"""numba.cuda: PTX is simplified before it is linked. Tried with numba-cuda 0.22 to 0.30.

    import unravel.numba
    unravel.numba.enable()

libNVVM's PTX is simplified as soon as it is made, so that compile_ptx, inspect_asm and the linker
all get the new one. With link-time optimisation, which is numba-cuda's default where nvJitLink is
installed, there is no PTX; enable() leaves it out for kernels that link no other files. Those that
do link files stay as they are, with a warning: decorate them with @cuda.jit(lto=False).

Kernels that were compiled before enable() stay as they are. The keys of numba's cache
(cache=True) contain the version of Unravel.
"""

import functools
import importlib
import importlib.util  # numba-cuda forgets it
import warnings

from . import _simplify, _tools
from ._changes import Switch
from ._errors import UnravelError, UnravelWarning

_switch = Switch()


def _modules():
    """numba.cuda's modules nvvm and codegen."""
    try:
        importlib.import_module("numba.cuda")
        names = ("numba.cuda.cudadrv.nvvm", "numba.cuda.codegen")
        nvvm, codegen = map(importlib.import_module, names)
    except Exception as error:  # numba.cuda raises other errors, too
        raise UnravelError("numba.cuda cannot be imported (pip install \"numba-cuda[cu13]\"): "
                           f"{error}") from error
    if not callable(getattr(nvvm, "compile_ir", None)):
        raise UnravelError("numba.cuda compiles no PTX: its simulator is on, or it is too new")
    return nvvm, codegen


def _wrap_compile_ir(changes, nvvm):
    compile_ir = nvvm.compile_ir

    @functools.wraps(compile_ir)
    def compile_and_simplify(llvmir, **options):
        return _simplify.simplify_image(compile_ir(llvmir, **options), "numba.cuda")

    changes.set_attribute(nvvm, "compile_ir", compile_and_simplify)


def _wrap_get_cubin(changes, library):
    get_cubin = library.get_cubin

    @functools.wraps(get_cubin)
    def get_cubin_of_ptx(self, cc=None):
        if not getattr(self, "_lto", False):
            return get_cubin(self, cc=cc)
        if self._linking_files:
            warnings.warn(f"{self.name}: not simplified: it links files with link-time "
                          "optimisation; @cuda.jit(lto=False) does without", UnravelWarning,
                          stacklevel=2)
            return get_cubin(self, cc=cc)
        self._lto = False
        try:
            return get_cubin(self, cc=cc)
        finally:
            self._lto = True

    changes.set_attribute(library, "get_cubin", get_cubin_of_ptx)


def _wrap_magic_tuple(changes, codegen):
    magic_tuple = codegen.magic_tuple
    addition = (_tools.identity(), _tools.settings())

    @functools.wraps(magic_tuple)
    def magic_tuple_with_version(self):
        return (*magic_tuple(self), addition)

    changes.set_attribute(codegen, "magic_tuple", magic_tuple_with_version)


def _enable(changes):
    nvvm, codegen = _modules()
    try:
        _wrap_compile_ir(changes, nvvm)
        _wrap_get_cubin(changes, codegen.CUDACodeLibrary)
        _wrap_magic_tuple(changes, codegen.JITCUDACodegen)
    except AttributeError as error:
        raise UnravelError(f"this version of numba.cuda is too old or too new: {error}") from error


def enable():
    """From now on, what numba.cuda compiles is simplified. Raises UnravelError."""
    _switch.turn_on(_enable)


def disable():
    """Restores what enable() has changed."""
    _switch.turn_off()
