"""Reference of npu_moe_token_unpermute and its gradients."""

import torch

from .expected import copied, summed, unit_of


def weights_of_slots(sorted_indices, probs):
    """The number of choices of a token, and the weight of each slot: one choice of weight 1 where probs is absent."""
    if probs is None:
        return 1, torch.ones(sorted_indices.numel(), dtype=torch.float64)
    return probs.size(1), probs.double().flatten()


def npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    choices, weights = weights_of_slots(sorted_indices, probs)
    rows, hidden = permuted_tokens.shape
    tokens = probs.size(0) if probs is not None else sorted_indices.numel()

    unpermuted_tokens = torch.zeros(tokens, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(unpermuted_tokens)
    for slot, row in enumerate(sorted_indices.tolist()):
        if row < rows:
            product = weights[slot] * permuted_tokens[row].double()
            unpermuted_tokens[slot // choices] += product
            magnitude[slot // choices] += product.abs()
    unit = unit_of(permuted_tokens) if probs is None else unit_of(permuted_tokens, probs)
    return summed(unpermuted_tokens, magnitude, choices, permuted_tokens.dtype, unit)


def _npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    for_backward = permuted_tokens if probs is not None else permuted_tokens[:0]
    return (
        npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs),
        copied(for_backward.double(), permuted_tokens.dtype),
    )


def npu_moe_token_unpermute_grad_v2(
    grad_unpermuted_tokens,
    sorted_indices,
    permuted_tokens_size_0,
    permuted_tokens_dtype,
    probs=None,
    padded_mode=False,
    restore_shape=None,
    permuted_tokens=None,
):
    choices, weights = weights_of_slots(sorted_indices, probs)
    rows, hidden = permuted_tokens_size_0, grad_unpermuted_tokens.size(1)
    slots_of_row = [sorted_indices.tolist().count(row) for row in range(rows)]

    grad_permuted_tokens = torch.zeros(rows, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(grad_permuted_tokens)
    dots = torch.zeros(sorted_indices.numel(), dtype=torch.float64)
    dots_magnitude = torch.zeros_like(dots)
    for slot, row in enumerate(sorted_indices.tolist()):
        if row < rows:
            gradient = grad_unpermuted_tokens[slot // choices].double()
            grad_permuted_tokens[row] += weights[slot] * gradient
            magnitude[row] += (weights[slot] * gradient).abs()
            if probs is not None:
                products = gradient * permuted_tokens[row].double()
                dots[slot] = products.sum()
                dots_magnitude[slot] = products.abs().sum()

    if probs is None:
        unit = unit_of(grad_unpermuted_tokens)
        return summed(grad_permuted_tokens, magnitude, max([1, *slots_of_row]), permuted_tokens_dtype, unit), None
    unit = unit_of(grad_unpermuted_tokens, probs)
    return (
        summed(grad_permuted_tokens, magnitude, max([1, *slots_of_row]), permuted_tokens_dtype, unit),
        summed(dots.view_as(probs), dots_magnitude.view_as(probs), hidden, probs.dtype, unit_of(permuted_tokens)),
    )


def npu_moe_token_unpermute_grad(
    permuted_tokens, grad_unpermuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None
):
    return npu_moe_token_unpermute_grad_v2(
        grad_unpermuted_tokens,
        sorted_indices,
        permuted_tokens.size(0),
        permuted_tokens.dtype,
        probs=probs,
        permuted_tokens=permuted_tokens,
    )
