"""Which kernels do the work: numpy and scipy, or the compiled ones of the optional extra ``fast`` (numba)."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Literal

Kernel = Literal["auto", "numpy", "numba"]


@cache
def numba_installed() -> bool:
    """Whether the extra ``fast`` is there; asks for the package without importing it."""
    return find_spec("numba") is not None


def compiled(kernel: Kernel) -> ModuleType | None:
    """Return the compiled kernels, None where numpy is to do the work.

    Importing them brings in numba, which takes a moment; their machine code is cached on disk after the first run.

    Raises
    ------
    ValueError
        An unknown kernel, or "numba" where it is not installed.
    """
    if kernel not in ("auto", "numpy", "numba"):
        raise ValueError(f"kernel {kernel!r} is none of 'auto', 'numpy', 'numba'")
    if kernel == "numba" and not numba_installed():
        raise ValueError("kernel 'numba' needs the extra: pip install 'chathistory[fast]'")
    if kernel == "numpy" or not numba_installed():
        return None
    from quick_algo import compiled as module

    return module
