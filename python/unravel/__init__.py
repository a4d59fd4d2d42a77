"""Simplifies the index arithmetic of GPU kernels in PTX.

    unravel.simplify_ptx(text)      PTX in, PTX out
    unravel.triton.enable()         what Triton compiles from then on is simplified first;
                                    disable() restores what was there
    unravel.jax, .numba, .cupy, .warp   likewise

Import unravel.triton and the others to use them; none of them changes anything before
enable(). docs/ptx.md of the project is the manual.
"""

from ._errors import UnravelError, UnravelWarning
from ._simplify import simplify_ptx
from ._version import __version__

version = __version__

__all__ = ["UnravelError", "UnravelWarning", "simplify_ptx", "version"]
