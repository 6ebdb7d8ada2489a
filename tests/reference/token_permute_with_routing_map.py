"""Reference of npu_moe_token_permute_with_routing_map and its gradient.

`slots` below are pairs (token, expert); which of them have a row, and in which order, is all that the operator decides.
"""

import torch

from .expected import copied, summed, unit_of


def selected_slots(routing_map) -> list[tuple[int, int]]:
    """The slots that the map selects, by token and then by expert."""
    return [(int(token), int(expert)) for token, expert in (routing_map != 0).nonzero()]


def slots_of_rows(routing_map, rows: int, drop_and_pad: bool) -> list[tuple[int, int]]:
    """The slot of each row, in the order of the rows: by expert, then by token."""
    tokens, experts = routing_map.shape
    if not drop_and_pad:
        return sorted(selected_slots(routing_map), key=lambda slot: (slot[1], slot[0]))
    capacity = rows // experts if experts else 0
    slots = []
    for expert in range(experts):
        taken = [token for token in range(tokens) if routing_map[token, expert] != 0]
        untaken = [token for token in range(tokens) if routing_map[token, expert] == 0]
        slots += [(token, expert) for token in (taken + untaken)[:capacity]]
    return slots


def npu_moe_token_permute_with_routing_map(tokens, routing_map, *, probs=None, num_out_tokens=None, drop_and_pad=False):
    wanted = tokens.size(0) if num_out_tokens is None else num_out_tokens
    group = routing_map.size(1) if drop_and_pad else routing_map.size(0)
    rows = wanted // group * group if group else 0

    slots = slots_of_rows(routing_map, rows, drop_and_pad)
    assert len(slots) == rows, "the map of this case does not select num_out_tokens slots"
    permuted_tokens = torch.zeros(rows, tokens.size(1), dtype=torch.float64)
    permuted_probs = torch.zeros(rows, dtype=torch.float64)
    for row, (token, expert) in enumerate(slots):
        permuted_tokens[row] = tokens[token].double()
        if probs is not None:
            permuted_probs[row] = probs[token, expert].double()

    if drop_and_pad:
        sorted_indices = [token for token, _ in slots]
    else:
        sorted_indices = [slots.index(slot) for slot in selected_slots(routing_map)]
    return (
        copied(permuted_tokens, tokens.dtype),
        None if probs is None else copied(permuted_probs, probs.dtype),
        copied(torch.tensor(sorted_indices, dtype=torch.int64), torch.int32),
    )


def npu_moe_token_permute_with_routing_map_grad(
    permuted_token_out_grad, probs_grad, sorted_indices, routing_map, experts_num, tokens_num, drop_and_pad
):
    rows, hidden = permuted_token_out_grad.shape
    if drop_and_pad:
        capacity = rows // experts_num if experts_num else 0
        row_and_slot = [(row, (token, row // capacity)) for row, token in enumerate(sorted_indices.tolist())]
    else:
        row_and_slot = list(zip(sorted_indices.tolist(), selected_slots(routing_map), strict=True))

    grad_tokens = torch.zeros(tokens_num, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(grad_tokens)
    grad_probs = torch.zeros(tokens_num, experts_num, dtype=torch.float64)
    terms = [0] * tokens_num
    for row, (token, expert) in row_and_slot:
        gradient = permuted_token_out_grad[row].double()
        grad_tokens[token] += gradient
        magnitude[token] += gradient.abs()
        terms[token] += 1
        if probs_grad is not None:
            grad_probs[token, expert] = probs_grad[row].double()
    return (
        summed(
            grad_tokens, magnitude, max([1, *terms]), permuted_token_out_grad.dtype, unit_of(permuted_token_out_grad)
        ),
        None if probs_grad is None else copied(grad_probs, probs_grad.dtype),
    )
