"""Triton: its ptxas simplifies first. Tried with Triton 3.3 to 3.9.

    import unravel.triton
    unravel.triton.enable()

enable() names another ptxas to Triton (TRITON_PTXAS_PATH and TRITON_PTXAS_BLACKWELL_PATH; which
GPUs use which differs by version). Processes that are started afterwards use it, too, such as the
workers of torch.compile. The keys of Triton's cache contain the output of `ptxas --version`, which
has a line about Unravel then: kernels in the cache that were compiled without it are not used.

Kernels that this process has launched before stay as they are. `kernel.asm["ptx"]` is what
Triton printed: unravel.simplify_ptx shows what the assembler got.
"""

import importlib.util
import os
import pathlib
import sys

from . import _launcher, _problems
from ._changes import Switch
from ._errors import UnravelError

_switch = Switch()


def _folder():
    spec = importlib.util.find_spec("triton")
    if spec is None or not spec.submodule_search_locations:
        raise UnravelError("Triton is not installed: pip install triton")
    return pathlib.Path(spec.submodule_search_locations[0])


def _variables(name):
    """The environment variables for a binary. Triton 3.3 spells one with a hyphen."""
    usual = f"TRITON_{name.upper().replace('-', '_')}_PATH"
    return list(dict.fromkeys([usual, f"TRITON_{name.upper()}_PATH"]))


def _forget_versions():
    """Triton keeps the version of ptxas for the whole process."""
    backends = sys.modules.get("triton.backends")
    nvidia = getattr(backends, "backends", {}).get("nvidia")
    if nvidia is None:
        return
    # Triton 3.3 loads the back end without naming it in sys.modules.
    functions = nvidia.compiler.add_stages.__globals__
    for function in (functions.get("_path_to_binary"), functions.get("get_ptxas"),
                     functions.get("get_ptxas_version"), nvidia.compiler.hash):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def _listen(changes):
    """Problems become warnings after each compilation. Triton 3.3 has no listeners."""
    knobs = getattr(importlib.import_module("triton"), "knobs", None)
    if not hasattr(knobs, "compilation") or not hasattr(knobs.compilation, "listener"):
        return
    earlier = knobs.compilation.listener

    def listener(**arguments):
        if earlier is not None:
            earlier(**arguments)
        _problems.report()

    changes.set_attribute(knobs.compilation, "listener", listener)


def _enable(changes):
    own = _folder() / "backends/nvidia/bin"
    # A path that was assigned to knobs.nvidia.ptxas counts more than the environment.
    knobs = sys.modules.get("triton.knobs")
    assigned = vars(knobs.nvidia) if knobs else {}
    programs = {}
    for name in ("ptxas", "ptxas-blackwell"):
        attribute = name.replace("-", "_")
        set_before = [os.environ[v] for v in _variables(name) if os.environ.get(v)]
        for real in [assigned.get(attribute), *set_before, own / name]:
            if real is not None and os.access(real, os.X_OK):
                programs[name] = attribute, _launcher.launcher(real)
                break
    if not programs:
        raise UnravelError(f"Triton has no ptxas in {own}; set TRITON_PTXAS_PATH to NVIDIA's")
    _problems.watch(changes)
    for name, (attribute, path) in programs.items():
        for variable in _variables(name):
            changes.set_variable(variable, path)
        if attribute in assigned:
            # Not by setattr, which would change the environment for good.
            before = assigned[attribute]
            assigned[attribute] = path
            changes.on_undo(lambda a=attribute, b=before: assigned.__setitem__(a, b))
    _listen(changes)
    _forget_versions()


def enable():
    """From now on, what Triton compiles for NVIDIA GPUs is simplified. Raises UnravelError."""
    _switch.turn_on(_enable)


def disable():
    """Restores what enable() has changed."""
    if _switch.turn_off():
        _forget_versions()
        _problems.report()
