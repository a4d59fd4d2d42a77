"""CuPy: what NVRTC compiles is simplified. Tried with CuPy 13.6 and 14.2.

    import unravel.cupy
    unravel.cupy.enable()

CuPy has NVRTC make machine code. Behind enable() NVRTC makes PTX, which is simplified and assembled
by a ptxas that is at least as new as NVRTC: UNRAVEL_PTXAS, that of a toolkit or of PATH, or of the
package nvidia-cuda-nvcc. With CUPY_COMPILE_WITH_PTX=1 the driver assembles it, and no ptxas is
needed. Relocatable device code (-rdc=true) and kernels with backend="nvcc" stay as they are.

Kernels that were compiled before enable() stay as they are. The keys of CuPy's cache contain the
version of Unravel.
"""

import functools
import importlib
import inspect
import threading
import warnings

from . import _simplify, _tools
from ._changes import Switch
from ._errors import UnravelError, UnravelWarning

_switch = Switch()


def _compiler():
    try:
        return importlib.import_module("cupy.cuda.compiler")
    except Exception as error:  # CuPy raises other errors, too
        raise UnravelError("CuPy cannot be imported (pip install cupy-cuda13x): "
                           f"{error}") from error


class _Compilation(threading.local):
    """Of this thread: whether NVRTC is to make PTX, and for which GPU CuPy wanted a cubin."""
    to_ptx = False
    target = None


def _wrap_compile(changes, compiler):
    name = "_compile_using_nvrtc_no_warning"  # since CuPy 14
    if not hasattr(compiler, name):
        name = "compile_using_nvrtc"
    compile_source = getattr(compiler, name)
    option_of_arch = compiler._get_arch_for_options_for_nvrtc
    is_relocatable = compiler._is_cudadevrt_needed
    signature = inspect.signature(compile_source)
    current = _Compilation()

    @functools.wraps(option_of_arch)
    def option_of_arch_for_ptx(arch=None):
        option, method = option_of_arch(arch)
        if not current.to_ptx or method != "cubin":
            return option, method
        current.target = option.partition("=")[2]
        return option.replace("=sm_", "=compute_"), "ptx"

    @functools.wraps(compile_source)
    def compile_and_simplify(*arguments, **more):
        options = signature.bind(*arguments, **more).arguments.get("options", ())
        if is_relocatable(options):
            return compile_source(*arguments, **more)
        current.to_ptx, current.target = True, None
        try:
            image, names = compile_source(*arguments, **more)
        finally:
            current.to_ptx = False
        image = _simplify.simplify_image(image, "CuPy")
        if current.target is None:
            return image, names
        try:
            return _simplify.assemble(image, current.target), names
        except UnravelError as error:
            warnings.warn(f"CuPy: not simplified, NVRTC's machine code is used: {error}",
                          UnravelWarning, stacklevel=2)
            return compile_source(*arguments, **more)

    changes.set_attribute(compiler, "_get_arch_for_options_for_nvrtc", option_of_arch_for_ptx)
    changes.set_attribute(compiler, name, compile_and_simplify)


def _wrap_cache(changes, compiler):
    """The extra source is in the key of a kernel, and nowhere else."""
    compile_or_load = compiler._compile_with_cache_cuda
    signature = inspect.signature(compile_or_load)
    addition = f"{_tools.identity()} {_tools.settings()}"

    @functools.wraps(compile_or_load)
    def compile_or_load_with_version(*arguments, **more):
        bound = signature.bind(*arguments, **more)
        extra = bound.arguments.get("extra_source") or ""
        bound.arguments["extra_source"] = f"{extra} {addition}"
        return compile_or_load(*bound.args, **bound.kwargs)

    changes.set_attribute(compiler, "_compile_with_cache_cuda", compile_or_load_with_version)


def _enable(changes):
    compiler = _compiler()
    try:
        _wrap_compile(changes, compiler)
        _wrap_cache(changes, compiler)
    except AttributeError as error:
        raise UnravelError(f"this version of CuPy is too old or too new: {error}") from error


def enable():
    """From now on, what CuPy compiles by NVRTC is simplified. Raises UnravelError."""
    _switch.turn_on(_enable)


def disable():
    """Restores what enable() has changed."""
    _switch.turn_off()
