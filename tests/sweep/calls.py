"""Calling an operator by name, whatever it returns."""

import torch

from .layouts import on_device


def call(operator: str, arguments: dict) -> tuple[torch.Tensor | None, ...]:
    """The results, always as a tuple."""
    results = getattr(torch.ops.npu, operator)(**arguments)
    return tuple(results) if isinstance(results, (tuple, list)) else (results,)


def moved(arguments: dict, device: str) -> dict:
    return {k: on_device(v, device) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}


def poison(results) -> None:
    """Overwrite results with NaN, or the largest integer, before their memory is freed and used again."""
    for result in results:
        if result is not None:
            result.fill_(torch.nan if result.dtype.is_floating_point else torch.iinfo(result.dtype).max)


def described(result: torch.Tensor | None):
    """All that inference decides of a result: presence, dtype, sizes and strides."""
    return None if result is None else (result.dtype, tuple(result.shape), result.stride())
