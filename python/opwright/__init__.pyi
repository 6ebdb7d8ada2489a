# What editors and type checkers see; the operators are generated into ops.pyi.
from collections.abc import Sequence

from opwright._library import Operator, Override
from opwright.ops import *  # noqa: F403

__version__: str

def coverage() -> dict[str, Operator]:
    """How each operator of this build is served."""

def override(operators: str | Sequence[str]) -> Override:
    """Puts Opwright's Meta function, NPU wrapper and gradient in front of torch_npu's, for the named operators."""
