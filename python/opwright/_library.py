"""libopwright.so in this process: loading it, and what Python asks of it."""

import ctypes
import difflib
import functools
import importlib.metadata
import inspect
import re
from pathlib import Path
from typing import NamedTuple

LIBRARIES = Path(__file__).parent / "lib"


class Operator(NamedTuple):
    """How an operator is served."""

    state: str
    """"defined by Opwright", "attached to the schema of torch_npu", "overridden", or "left out"."""
    reason: str
    """Why it is left out; empty otherwise."""


def _release(version: str) -> str:
    """2.13.0 of 2.13.0+cpu."""
    return re.split(r"[+]", version)[0]


def _check_torch() -> None:
    """Before loading: a library of another torch would fail with a missing symbol, or later without a word."""
    stamp = LIBRARIES / "torch_version"
    if not stamp.exists():
        raise ImportError(f"{LIBRARIES / 'libopwright.so'} is not built; run `make build`")
    built, installed = stamp.read_text().strip(), importlib.metadata.version("torch")
    if _release(built) != _release(installed):
        raise ImportError(
            f"opwright was built for torch {built}, but torch {installed} is installed; "
            f"build it again (`make build`), or install torch {_release(built)}"
        )


_loaded: ctypes.CDLL | None = None


def is_loaded() -> bool:
    return _loaded is not None


def library() -> ctypes.CDLL:
    """libopwright.so, loaded and attached to torch's dispatcher."""
    if _loaded is None:
        attach()
    return _loaded


def _load() -> ctypes.CDLL:
    _check_torch()
    import torch  # noqa: F401  its libraries must be there first

    try:
        loaded = ctypes.CDLL(str(LIBRARIES / "libopwright.so"))
    except OSError as error:
        raise ImportError(f"the library does not load: {error}; build it again (`make build`)") from error
    for name in ("attach", "detach", "override", "restore"):
        getattr(loaded, f"opwright_{name}").restype = ctypes.c_char_p
    for name in ("name", "state", "reason", "summary"):
        getattr(loaded, f"opwright_operator_{name}").restype = ctypes.c_char_p
    return loaded


def _call(name: str, *arguments) -> None:
    error = getattr(_loaded, f"opwright_{name}")(*arguments)
    if error is not None:
        raise RuntimeError(error.decode())


def attach() -> None:
    """Defines the operators, or attaches to the definitions that are there."""
    global _loaded
    if _loaded is None:
        _loaded = _load()
    _call("attach")


def detach() -> None:
    """Drops definitions and kernels, so that torch_npu can define the operators."""
    _call("detach")


@functools.cache
def _indices() -> dict[str, int]:
    loaded = library()
    return {loaded.opwright_operator_name(i).decode(): i for i in range(loaded.opwright_operator_count())}


def names() -> list[str]:
    return sorted(_indices())


def did_you_mean(name: str) -> str:
    near = difflib.get_close_matches(name, names(), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def coverage() -> dict[str, Operator]:
    """How each operator of this build is served."""
    loaded = library()
    return {
        name: Operator(loaded.opwright_operator_state(i).decode(), loaded.opwright_operator_reason(i).decode())
        for name, i in sorted(_indices().items())
    }


class Override:
    """Operators in Opwright's version, until `restore()` or the end of a `with` block."""

    def __init__(self, indices: list[int]):
        self._indices = indices

    def restore(self) -> None:
        for index in self._indices:
            _call("restore", index)

    def __enter__(self) -> "Override":
        return self

    def __exit__(self, *_) -> None:
        self.restore()


def override(operators: str | list[str]) -> Override:
    """Puts Opwright's Meta function, NPU wrapper and gradient in front of torch_npu's, for the named operators.

    Repairs operators of a released wheel:

        opwright.override(["npu_moe_token_unpermute_with_routing_map_grad"])
    """
    wanted = [operators] if isinstance(operators, str) else list(operators)
    known = _indices()
    for name in wanted:
        if name not in known:
            raise ValueError(f"opwright has no operator '{name}'{did_you_mean(name)}")
    done = Override([])
    try:
        for name in wanted:
            _call("override", known[name])
            done._indices.append(known[name])
    except RuntimeError:
        done.restore()
        raise
    return done


def _signature(schema) -> inspect.Signature:
    parameters = []
    for argument in schema.arguments:
        kind = inspect.Parameter.KEYWORD_ONLY if argument.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = argument.default_value if argument.has_default_value() else inspect.Parameter.empty
        parameters.append(inspect.Parameter(argument.name, kind, default=default, annotation=str(argument.type)))
    return inspect.Signature(parameters)


def function(name: str):
    """The operator as a function with signature and docstring, or None."""
    if name not in _indices():
        return None
    import torch

    operator = getattr(torch.ops.npu, name)

    def call(*args, **kwargs):
        return operator(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = "opwright"
    call.__signature__ = _signature(operator.default._schema)
    summary = library().opwright_operator_summary(_indices()[name]).decode()
    call.__doc__ = f"{summary}\n\n{operator.default._schema}"
    return call
