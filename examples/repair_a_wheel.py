"""A gradient in the released torch_npu wheel, in the wrong dtype; and repaired by `opwright.override`."""

import opwright
import torch
import torch_npu  # noqa: F401


def dtype_of_grad_probs() -> torch.dtype:
    """What torch is told of the gradient: tokens are float16, probs are float32. Meta tensors have no values."""
    with torch.device("meta"):
        tokens, grad = torch.empty(4, 8, dtype=torch.float16), torch.empty(2, 8, dtype=torch.float16)
        rows = torch.empty(4, dtype=torch.int32)
        probs, routing_map = torch.empty(2, 3), torch.empty(2, 3, dtype=torch.int8)
    _, grad_probs = torch.ops.npu.npu_moe_token_unpermute_with_routing_map_grad(
        grad, rows, rows, routing_map, tokens, probs, False, [2, 8]
    )
    return grad_probs.dtype


print("torch_npu:", dtype_of_grad_probs())
with opwright.override("npu_moe_token_unpermute_with_routing_map_grad"):
    print("Opwright: ", dtype_of_grad_probs())
