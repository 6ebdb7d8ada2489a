"""Reference of npu_moe_token_permute and its gradients."""

import torch

from .expected import Expected, copied, summed, unit_of


def rows_of_slots(indices: torch.Tensor) -> list[int]:
    """The row of each slot s = t * K + k when the slots are sorted by expert id, equal ids in slot order."""
    experts = indices.flatten().tolist()
    slots_by_row = sorted(range(len(experts)), key=lambda slot: experts[slot])
    rows = [0] * len(experts)
    for row, slot in enumerate(slots_by_row):
        rows[slot] = row
    return rows


def npu_moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    slots = indices.numel()
    choices = indices.size(1) if indices.dim() == 2 else 1
    wanted = num_out_tokens or 0
    rows = min(wanted, slots) if wanted > 0 else slots + wanted

    row_of_slot = rows_of_slots(indices)
    permuted_tokens = torch.zeros(rows, tokens.size(1), dtype=torch.float64)
    for slot, row in enumerate(row_of_slot):
        if row < rows:
            permuted_tokens[row] = tokens[slot // choices].double()
    return copied(permuted_tokens, tokens.dtype), copied(torch.tensor(row_of_slot, dtype=torch.int64), torch.int32)


def npu_moe_token_permute_grad_v2(
    grad_permuted_tokens, sorted_indices, tokens_size_0, tokens_dtype, num_topK, padded_mode=False
):
    rows, hidden = grad_permuted_tokens.shape
    grad_tokens = torch.zeros(tokens_size_0, hidden, dtype=torch.float64)
    magnitude = torch.zeros_like(grad_tokens)
    for slot, row in enumerate(sorted_indices.tolist()):
        if row < rows:
            gradient = grad_permuted_tokens[row].double()
            grad_tokens[slot // num_topK] += gradient
            magnitude[slot // num_topK] += gradient.abs()
    return summed(grad_tokens, magnitude, num_topK, tokens_dtype, unit_of(grad_permuted_tokens))


def npu_moe_token_permute_grad(tokens, grad_permuted_tokens, indices, sorted_indices, padded_mode=False) -> Expected:
    choices = indices.size(1) if indices.dim() == 2 else 1
    return npu_moe_token_permute_grad_v2(grad_permuted_tokens, sorted_indices, tokens.size(0), tokens.dtype, choices)
