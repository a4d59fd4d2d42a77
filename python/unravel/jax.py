"""JAX: XLA's ptxas simplifies first. Tried with JAX 0.6 to 0.10.

    import unravel.jax
    unravel.jax.enable()        # imports JAX: set JAX_PLATFORMS and the like before

enable() makes a folder of links to the CUDA toolkit that JAX uses, in which another program is
called ptxas, and names it to JAX. That is `jax._src.lib.cuda_path` in this process, which counts
more than XLA_FLAGS, and CUDA_ROOT and XLA_FLAGS for processes that are started afterwards. It
works before and after JAX has initialised its backends; functions that JAX has compiled stay as
they are until jax.clear_caches(). The keys of JAX's persistent cache leave the toolkit out, so
enable() adds the version of Unravel to them.
"""

import importlib
import importlib.util
import os

from . import _launcher, _problems, _tools
from ._changes import Switch
from ._errors import UnravelError

FLAG = "--xla_gpu_cuda_data_dir="

_switch = Switch()
_is_listening = False


def _jax():
    if importlib.util.find_spec("jax") is None:
        raise UnravelError('JAX is not installed: pip install "jax[cuda13]"')
    try:
        return importlib.import_module("jax")
    except ImportError as error:
        raise UnravelError(f"JAX cannot be imported: {error}") from error


def _flags():
    return os.environ.get("XLA_FLAGS", "").split()


def _toolkit_of_jax(lib):
    """The CUDA toolkit that XLA would use."""
    named = [flag.removeprefix(FLAG) for flag in _flags() if flag.startswith(FLAG)]
    candidates = [getattr(lib, "cuda_path", None), *named[-1:], os.environ.get("CUDA_HOME"),
                  os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for root in filter(None, candidates):
        if os.access(os.path.join(root, "bin/ptxas"), os.X_OK):
            return root
    raise UnravelError('no CUDA toolkit with bin/ptxas: pip install "jax[cuda13]", or name one '
                       "by enable(cuda=FOLDER) or CUDA_HOME")


def _set_flag(changes, folder):
    before = [flag for flag in _flags() if flag.startswith(FLAG)]
    was_set = "XLA_FLAGS" in os.environ
    others = [flag for flag in _flags() if flag not in before]
    os.environ["XLA_FLAGS"] = " ".join([*others, FLAG + folder])

    def undo():
        """Flags that were added since then stay."""
        flags = [flag for flag in _flags() if flag != FLAG + folder] + before
        if flags or was_set:
            os.environ["XLA_FLAGS"] = " ".join(flags)
        else:
            os.environ.pop("XLA_FLAGS", None)

    changes.on_undo(undo)


def _set_key(changes):
    """What is compiled is a different program with and without Unravel."""
    cache_key = importlib.import_module("jax._src.cache_key")
    earlier = cache_key.custom_hook
    addition = f"{_tools.identity()} {_tools.settings()}"
    changes.set_attribute(cache_key, "custom_hook", lambda: earlier() + addition)


def _listen():
    """Problems become warnings after each compilation; older versions have no way back."""
    global _is_listening
    if not _is_listening:
        monitoring = importlib.import_module("jax.monitoring")
        monitoring.register_event_duration_secs_listener(_problems.report)
        _is_listening = True


def _enable(changes, cuda):
    _jax()
    lib = importlib.import_module("jax._src.lib")
    folder = _launcher.toolkit(cuda or _toolkit_of_jax(lib))
    _problems.watch(changes)
    _set_flag(changes, folder)
    changes.set_variable("CUDA_ROOT", folder)
    changes.set_attribute(lib, "cuda_path", folder)
    try:
        _set_key(changes)
        _listen()
    except (ImportError, AttributeError) as error:
        raise UnravelError(f"this version of JAX is too old or too new: {error}") from error


def enable(cuda=None):
    """From now on, what JAX compiles for NVIDIA GPUs is simplified. Raises UnravelError.

    cuda    the CUDA toolkit (default: the one that JAX would use)
    """
    _switch.turn_on(lambda changes: _enable(changes, cuda))


def disable():
    """Restores what enable() has changed."""
    if _switch.turn_off():
        _problems.report()
