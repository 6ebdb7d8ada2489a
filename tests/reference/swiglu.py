"""Reference of npu_swiglu and its gradient."""

import torch

from .expected import Expected, gamma, unit_of

# An exponential good to 4 units, a sum, a quotient and two products or sums more, with room for a sigmoid that is made
# of two exponentials. Where exp(|a|) overflows the arithmetic (a below -88 in float32), a sigmoid may be 0: a result
# that small is not told from 0.
ROUNDINGS = 16
TINY = {2.0**-24: 2.0**-118, 2.0**-53: 2.0**-1010}


def halves(x, dim):
    half = x.size(dim) // 2
    return x.double().narrow(dim, 0, half), x.double().narrow(dim, half, half)


def bound(unit, *terms):
    magnitude = sum(term.abs() for term in terms)
    return gamma(ROUNDINGS, unit) * magnitude


def npu_swiglu(self, dim=-1):
    a, b = halves(self, dim)
    result = a * torch.sigmoid(a) * b
    unit = unit_of(self)
    return Expected(result, self.dtype, bound(unit, result) + TINY[unit] * (1 + b.abs()))


def npu_swiglu_backward(grad_output, self, dim=-1):
    a, b = halves(self, dim)
    gradient = grad_output.double()
    sigmoid = torch.sigmoid(a)
    # d silu(a) = sigmoid(a) + a * sigmoid(a) * sigmoid(-a)
    grad_a = gradient * b * (sigmoid + a * sigmoid * torch.sigmoid(-a))
    grad_b = gradient * a * sigmoid
    unit = unit_of(self)
    # 1 - sigmoid(a), in place of sigmoid(-a), is off by one unit of 1: hence a * sigmoid(a) once more.
    error_a = bound(unit, gradient * b * sigmoid, gradient * b * a * sigmoid) + TINY[unit] * (1 + (gradient * b).abs())
    error_b = bound(unit, grad_b) + TINY[unit] * (1 + gradient.abs())
    return Expected(torch.cat([grad_a, grad_b], dim), self.dtype, torch.cat([error_a, error_b], dim))
