"""Offsets beyond 2^31: large strides in ordinary tests, large results where there is memory for them."""

import os

import pytest
import torch
from sweep.calls import call

FAR = 2**31 + 64  # elements

large = pytest.mark.skipif(
    not os.environ.get("OPWRIGHT_LARGE_TESTS"), reason="takes 9 GB of memory; set OPWRIGHT_LARGE_TESTS=1"
)


def far_rows(values: torch.Tensor) -> torch.Tensor:
    """The rows, each more than 2^31 elements behind the one before. Memory that is never touched costs nothing."""
    torch.use_deterministic_algorithms(False)  # which would touch it
    storage = torch.empty((len(values) - 1) * FAR + values.size(1), dtype=values.dtype)
    return storage.as_strided(values.shape, (FAR, 1)).copy_(values)


ROWS = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=torch.bfloat16)
INDICES = torch.tensor([[1], [0]], dtype=torch.int32)
SLOTS = INDICES.flatten()


@pytest.mark.parametrize(
    ("operator", "name", "arguments"),
    [
        ("npu_moe_token_permute", "tokens", dict(indices=INDICES)),
        (
            "npu_moe_token_permute_grad_v2",
            "grad_permuted_tokens",
            dict(sorted_indices=SLOTS, tokens_size_0=2, tokens_dtype=torch.bfloat16, num_topK=1),
        ),
        ("npu_moe_token_unpermute", "permuted_tokens", dict(sorted_indices=SLOTS)),
        (
            "npu_moe_token_unpermute_grad",
            "grad_unpermuted_tokens",
            dict(permuted_tokens=ROWS, sorted_indices=SLOTS, probs=torch.tensor([[2.0], [3.0]])),
        ),
        (
            "npu_moe_token_unpermute_grad",
            "permuted_tokens",
            dict(grad_unpermuted_tokens=ROWS, sorted_indices=SLOTS, probs=torch.tensor([[2.0], [3.0]])),
        ),
        ("npu_moe_token_permute_with_routing_map", "tokens", dict(routing_map=torch.eye(2, dtype=torch.int8))),
        (
            "npu_moe_token_unpermute_with_routing_map",
            "permuted_tokens",
            dict(sorted_indices=SLOTS, restore_shape=[2, 3]),
        ),
        ("npu_moe_gating_top_k_softmax", "x", dict(k=2)),
        ("npu_swiglu", "self", dict(dim=0)),
    ],
)
def test_rows_far_apart(operator, name, arguments):
    near = call(operator, arguments | {name: ROWS})
    far = call(operator, arguments | {name: far_rows(ROWS)})
    for got, wanted in zip(far, near, strict=True):
        assert got is wanted is None or torch.equal(got, wanted)


@large
def test_more_than_2_to_the_31_elements():
    """tokens are rows of stride 0; the last row and the last column of the result are looked at."""
    count, choices, hidden = 4097, 8, 65600
    torch.use_deterministic_algorithms(False)
    tokens = (torch.arange(count) % 251).to(torch.bfloat16).unsqueeze(1).expand(count, hidden)
    indices = torch.arange(count).unsqueeze(1).expand(count, choices)
    permuted, rows = call("npu_moe_token_permute", dict(tokens=tokens, indices=indices))
    assert permuted.numel() > 2**31
    for column in (0, hidden - 1):
        assert torch.equal(permuted[:, column], tokens[:, 0].repeat_interleave(choices))
    probs = torch.full((count, choices), 1 / choices)
    (back,) = call("npu_moe_token_unpermute", dict(permuted_tokens=permuted, sorted_indices=rows, probs=probs))
    assert torch.equal(back[:, -1], tokens[:, 0])
    (gradient,) = call(
        "npu_moe_token_permute_grad",
        dict(tokens=tokens, grad_permuted_tokens=permuted, indices=indices, sorted_indices=rows),
    )
    assert torch.equal(gradient[:, -1], (tokens[:, 0].float() * choices).to(torch.bfloat16))
