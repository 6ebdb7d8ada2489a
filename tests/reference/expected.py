"""What one result of an operator must be: exact values, and how far one that was computed in float32 may be from them.

The bound. Every operator here sums products in float32, or in float64 where an operand is float64, and rounds once to
the dtype of the result. With u = 2^-24 (2^-53), a sum of n products, taken in any order and with or without fused
multiply-add, is off by at most

    gamma(n) * sum |a_i * b_i|,    gamma(n) = n * u / (1 - n * u)

because no term takes part in more than one rounding of its product and n - 1 of the sum (Higham, Accuracy and Stability
of Numerical Algorithms, section 3.1). n is K where choices are summed and H in a dot product over the hidden dimension,
and the sum of absolute products comes from the very values of the case, so that the bound is no wider than they make
it. The reference is itself a float64 sum and may be off by the same expression with u = 2^-53. The one rounding at the
end adds half a unit in the last place of the result's dtype.
"""

from dataclasses import dataclass

import torch

FLOAT32_UNIT = 2.0**-24
FLOAT64_UNIT = 2.0**-53


@dataclass(frozen=True)
class Expected:
    """One result. An absent result is None instead."""

    values: torch.Tensor  # float64 for floating-point results, int64 for integers
    dtype: torch.dtype
    error: torch.Tensor | float = 0.0  # how far the value before the rounding may be from `values`


def unit_of(*operands: torch.Tensor) -> float:
    """The rounding unit of the arithmetic: float64 where an operand is float64, else float32."""
    return FLOAT64_UNIT if any(x.dtype == torch.float64 for x in operands) else FLOAT32_UNIT


def gamma(roundings: int | torch.Tensor, unit: float) -> float | torch.Tensor:
    return roundings * unit / (1 - roundings * unit)


def copied(values: torch.Tensor, dtype: torch.dtype) -> Expected:
    """Values that no arithmetic touched."""
    return Expected(values, dtype)


def summed(values: torch.Tensor, magnitude: torch.Tensor, terms: int, dtype: torch.dtype, unit: float) -> Expected:
    """A float64 sum of `terms` products whose absolute values add up to `magnitude`."""
    return Expected(values, dtype, (gamma(terms, unit) + gamma(terms, FLOAT64_UNIT)) * magnitude)


def half_ulp(values: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Half the distance between neighbours of `dtype` at each value: how far one rounding may move it."""
    info = torch.finfo(dtype)
    _, exponent = torch.frexp(values.abs().clamp(min=info.smallest_normal))
    return torch.ldexp(torch.full_like(values, info.eps / 2), exponent - 1)


def mismatch(got: torch.Tensor | None, expected: Expected | None) -> str | None:
    """What is wrong with a result, in a sentence; None where nothing is."""
    if got is None or expected is None:
        if (got is None) == (expected is None):
            return None
        return "is absent" if got is None else f"is present ({tuple(got.shape)}), must be absent"
    if got.dtype != expected.dtype:
        return f"has dtype {got.dtype}, must have {expected.dtype}"
    if got.shape != expected.values.shape:
        return f"has sizes {tuple(got.shape)}, must have {tuple(expected.values.shape)}"
    if got.numel() == 0:
        return None
    if not expected.dtype.is_floating_point:
        wrong = got.to(torch.int64) != expected.values
        allowed = torch.zeros(())
    else:
        exact = expected.values
        allowed = half_ulp(exact.abs() + expected.error, expected.dtype) + expected.error
        # NaN where NaN is expected; an infinity only where it is expected, or where the allowed range overflows.
        infinite = (exact.abs() + allowed > torch.finfo(expected.dtype).max) & (
            got.to(torch.float64) == exact.sign() * torch.inf
        )
        close = ((got.to(torch.float64) - exact).abs() <= allowed) | infinite | (got == exact)
        wrong = ~(close | (got.isnan() & exact.isnan()))
    if not wrong.any():
        return None
    first = tuple(int(i) for i in wrong.nonzero()[0])
    return (
        f"is wrong in {int(wrong.sum())} of {wrong.numel()} elements, first at {list(first)}: "
        f"got {got[first].item()!r}, must be {expected.values[first].item()!r}"
        f" +- {allowed.expand(got.shape)[first].item():.3g}"
    )
