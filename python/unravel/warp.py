"""NVIDIA Warp: PTX is simplified as soon as NVRTC has made it. Tried with warp-lang 1.12 and 1.19.

    import unravel.warp
    unravel.warp.enable()

Where Warp wants PTX, the driver loads the new PTX. Where Warp wants machine code, NVRTC makes PTX,
which is simplified and assembled by a ptxas that is at least as new as Warp's CUDA: UNRAVEL_PTXAS,
that of a toolkit or of PATH, or of the package nvidia-cuda-nvcc. wp.compile_aot_module() gives
simplified modules as well.

enable() calls wp.init(): change warp.config before. Its cache is a folder of its own inside of
Warp's. Modules that were loaded before enable() stay as they are.
"""

import functools
import hashlib
import importlib
import os
import pathlib
import warnings

from . import _simplify, _tools
from ._changes import Switch
from ._errors import UnravelError, UnravelWarning

_switch = Switch()


def _builder():
    """Warp's module with build_cuda; its place depends on the version."""
    for name in ("warp._src.build", "warp.build"):
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name == "warp":
                raise UnravelError("Warp is not installed: pip install warp-lang") from error
            continue
        if callable(getattr(module, "build_cuda", None)):
            return module
    raise UnravelError("this version of Warp is too old or too new: it has no build_cuda")


def _wrap_build(changes, build):
    build_cuda = build.build_cuda

    def simplified_ptx(cu_path, arch, ptx_path, *arguments, **more):
        build_cuda(cu_path, arch, ptx_path, *arguments, **more)
        image = pathlib.Path(ptx_path).read_bytes()
        return _simplify.simplify_image(image, os.path.basename(cu_path))

    @functools.wraps(build_cuda)
    def build_and_simplify(cu_path, arch, output_path, *arguments, **more):
        output = pathlib.Path(output_path)
        if output.suffix == ".ptx":
            output.write_bytes(simplified_ptx(cu_path, arch, output_path, *arguments, **more))
            return
        ptx_path = output_path + ".ptx"
        try:
            image = simplified_ptx(cu_path, arch, ptx_path, *arguments, **more)
            target = f"sm_{arch}{more.get('arch_suffix', '')}"
            output.write_bytes(_simplify.assemble(image, target))
        except Exception as error:  # as PTX it may not link with what it needs
            warnings.warn(f"{os.path.basename(cu_path)}: not simplified, Warp's machine code is "
                          f"used: {error}", UnravelWarning, stacklevel=2)
            build_cuda(cu_path, arch, output_path, *arguments, **more)
        finally:
            # Warp keeps every file of this folder.
            pathlib.Path(ptx_path).unlink(missing_ok=True)

    changes.set_attribute(build, "build_cuda", build_and_simplify)


def _enable(changes):
    build = _builder()
    import warp  # pylint: disable=import-outside-toplevel
    key = hashlib.blake2b(f"{_tools.identity()} {_tools.settings()}".encode(), digest_size=6)
    warp.init()
    _wrap_build(changes, build)
    folder = os.path.join(warp.config.kernel_cache_dir, f"unravel-{key.hexdigest()}")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UnravelError(f"Warp's cache cannot be written: {error}") from None
    changes.set_attribute(warp.config, "kernel_cache_dir", folder)


def enable():
    """From now on, what Warp compiles for a GPU is simplified. Raises UnravelError."""
    _switch.turn_on(_enable)


def disable():
    """Restores what enable() has changed."""
    _switch.turn_off()
