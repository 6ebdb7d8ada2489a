# Written by `opwright generate` from all declarations; change that instead.
from collections.abc import Sequence

from torch import Tensor, dtype

def npu_moe_gating_top_k_softmax(
    x: Tensor,
    finished: Tensor | None = None,
    k: int = 1,
) -> tuple[Tensor, Tensor, Tensor]:
    """Softmax over the experts, and the k most probable of them for each token.

    x: D[*B, E]
    finished: bool[*B], may be absent
    returns y: D[*B, k]
    returns expert_idx: int32[*B, k]
    returns row_idx: int32[*B, k]
    """

def npu_moe_token_unpermute(
    permuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: Sequence[int] | None = None,
) -> Tensor:
    """Bring expert outputs back into token order, weighted by the router's probabilities.

    permuted_tokens: D[R, H]
    sorted_indices: I[S]
    probs: P[T, K], may be absent
    returns unpermuted_tokens: D[T, H]
    """

def npu_moe_token_unpermute_grad(
    permuted_tokens: Tensor,
    grad_unpermuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: Sequence[int] | None = None,
) -> tuple[Tensor, Tensor | None]:
    """Gradients of npu_moe_token_unpermute, given the tensors of the forward call.

    permuted_tokens: D[R, H]
    grad_unpermuted_tokens: D[T, H]
    sorted_indices: I[S]
    probs: P[T, K], may be absent
    returns grad_permuted_tokens: D[R, H]
    returns grad_probs: P[T, K] when present(probs)
    """

