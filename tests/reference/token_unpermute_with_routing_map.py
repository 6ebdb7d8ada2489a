"""Reference of npu_moe_token_unpermute_with_routing_map and its gradient."""

from collections import Counter

import torch

from .expected import copied, summed, unit_of
from .token_permute_with_routing_map import selected_slots


def entries_of_rows(row_of_entry, token_of_row, routing_map, probs, tokens, drop_and_pad):
    """For each entry of `row_of_entry`: its row, the token it belongs to, and the expert whose probability weighs it.

    Without drop_and_pad a token owns rows / tokens consecutive entries, and entry i is the i-th slot that the map
    selects. With it a row belongs to the expert row / capacity.
    """
    rows = len(row_of_entry)
    if not drop_and_pad:
        choices = rows // tokens if tokens else 1
        experts = [expert for _, expert in selected_slots(routing_map)] if probs is not None else [0] * rows
        weighed = [token for token, _ in selected_slots(routing_map)] if probs is not None else [0] * rows
        return [(row, i // choices, (weighed[i], experts[i])) for i, row in enumerate(row_of_entry)]
    capacity = rows // probs.size(1) if probs is not None and probs.size(1) else 1
    return [(row, token_of_row[i], (token_of_row[i], row // capacity)) for i, row in enumerate(row_of_entry)]


def _npu_moe_token_unpermute_with_routing_map(
    permuted_tokens, sorted_indices, restore_shape, *, probs=None, routing_map=None, drop_and_pad=False
):
    tokens, hidden = restore_shape
    rows = sorted_indices.numel()
    if drop_and_pad:
        row_of_entry = sorted(range(rows), key=lambda row: int(sorted_indices[row]))
        token_of_entry = [int(sorted_indices[row]) for row in row_of_entry]
    else:
        row_of_entry = sorted_indices.tolist()
        token_of_entry = [i // (rows // tokens) for i in range(rows)]
    entries = entries_of_rows(row_of_entry, token_of_entry, routing_map, probs, tokens, drop_and_pad)

    unpermuted_tokens = torch.zeros(tokens, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(unpermuted_tokens)
    permute_probs = torch.zeros(rows, dtype=torch.float64)
    terms = Counter()
    for i, (row, token, slot) in enumerate(entries):
        weight = probs[slot].double() if probs is not None else 1.0
        product = weight * permuted_tokens[row].double()
        unpermuted_tokens[token] += product
        magnitude[token] += product.abs()
        terms[token] += 1
        permute_probs[row if drop_and_pad else i] = weight
    unit = unit_of(permuted_tokens) if probs is None else unit_of(permuted_tokens, probs)
    return (
        summed(unpermuted_tokens, magnitude, max([1, *terms.values()]), permuted_tokens.dtype, unit),
        copied(torch.tensor(row_of_entry, dtype=torch.int64), sorted_indices.dtype),
        copied(torch.tensor(token_of_entry, dtype=torch.int64), sorted_indices.dtype),
        None if probs is None else copied(permute_probs, probs.dtype),
    )


def npu_moe_token_unpermute_with_routing_map(
    permuted_tokens, sorted_indices, restore_shape, *, probs=None, routing_map=None, drop_and_pad=False
):
    return _npu_moe_token_unpermute_with_routing_map(
        permuted_tokens,
        sorted_indices,
        restore_shape,
        probs=probs,
        routing_map=routing_map,
        drop_and_pad=drop_and_pad,
    )[0]


def npu_moe_token_unpermute_with_routing_map_grad(
    unpermuted_tokens_grad,
    out_index,
    permuted_token_id,
    routing_map,
    permuted_tokens,
    probs,
    drop_and_pad,
    restore_shape,
):
    tokens, hidden = restore_shape
    rows = out_index.numel()
    entries = entries_of_rows(out_index.tolist(), permuted_token_id.tolist(), routing_map, probs, tokens, drop_and_pad)

    grad_permuted_tokens = torch.zeros(rows, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(grad_permuted_tokens)
    shape = (0, 0) if probs is None else probs.shape
    grad_probs = torch.zeros(shape, dtype=torch.float64)
    probs_magnitude = torch.zeros_like(grad_probs)
    for row, token, slot in entries:
        gradient = unpermuted_tokens_grad[token].double()
        weight = probs[slot].double() if probs is not None else 1.0
        grad_permuted_tokens[row] += weight * gradient
        magnitude[row] += (weight * gradient).abs()
        if probs is not None:
            products = gradient * permuted_tokens[row].double()
            grad_probs[slot] += products.sum()
            probs_magnitude[slot] += products.abs().sum()
    dtype = unpermuted_tokens_grad.dtype
    if probs is None:
        return summed(grad_permuted_tokens, magnitude, 1, dtype, unit_of(unpermuted_tokens_grad)), None
    return (
        summed(grad_permuted_tokens, magnitude, 1, dtype, unit_of(unpermuted_tokens_grad, probs)),
        summed(grad_probs, probs_magnitude, hidden, probs.dtype, unit_of(permuted_tokens)),
    )
