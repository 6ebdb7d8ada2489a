"""Three ways to get the token operators that the model takes: an object with the three functions as attributes.

Opwright's own (`import opwright`) and those of the torch_npu wheel (`import torch_npu`) are such objects already.
"""

from types import SimpleNamespace
from typing import Any

import torch
from torch.nn import functional


def _permute(tokens: torch.Tensor, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    slots_by_expert = torch.argsort(indices.flatten(), stable=True)
    return tokens[slots_by_expert // indices.shape[1]], torch.argsort(slots_by_expert).to(torch.int32)


def _unpermute(permuted_tokens: torch.Tensor, sorted_indices: torch.Tensor, probs: torch.Tensor) -> torch.Tensor:
    expert_outputs = permuted_tokens[sorted_indices].view(*probs.shape, -1)
    return (expert_outputs * probs.unsqueeze(-1)).sum(1).to(permuted_tokens.dtype)


def _swiglu(halves: torch.Tensor) -> torch.Tensor:
    gate, value = halves.chunk(2, dim=-1)
    return functional.silu(gate) * value


def plain() -> Any:
    """The same mathematics in plain PyTorch: the yardstick, which shares no code with what it measures."""
    return SimpleNamespace(npu_moe_token_permute=_permute, npu_moe_token_unpermute=_unpermute, npu_swiglu=_swiglu)


def with_historical_fault(operators: Any) -> Any:
    """The same operators, but the gradient of `probs` has the dtype of the tokens.

    A wrapper and its Meta function once declared it so. Autograd casts such a gradient back to the dtype of `probs`
    without a word; what lay outside the range of the tokens' dtype is lost by then.
    """

    class FaultyUnpermute(torch.autograd.Function):
        @staticmethod
        def forward(ctx, permuted_tokens, sorted_indices, probs):
            ctx.save_for_backward(permuted_tokens, sorted_indices, probs)
            return operators.npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs)

        @staticmethod
        def backward(ctx, grad_unpermuted_tokens):
            permuted_tokens, sorted_indices, probs = ctx.saved_tensors
            grad_permuted_tokens, grad_probs = operators.npu_moe_token_unpermute_grad(
                permuted_tokens, grad_unpermuted_tokens, sorted_indices, probs
            )
            return grad_permuted_tokens, None, grad_probs.to(permuted_tokens.dtype)

    return SimpleNamespace(
        npu_moe_token_permute=operators.npu_moe_token_permute,
        npu_moe_token_unpermute=FaultyUnpermute.apply,
        npu_swiglu=operators.npu_swiglu,
    )
