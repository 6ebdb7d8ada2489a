"""What must hold of any input, looked for by hypothesis."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sweep.calls import call
from sweep.cases import FLOATS, Random

sizes = dict(
    tokens=st.integers(0, 12),
    choices=st.integers(1, 5),
    hidden=st.integers(0, 9),
    experts=st.integers(1, 9),
    seed=st.integers(0, 2**32 - 1),
    dtype=st.sampled_from(FLOATS),
)
repeatable = settings(max_examples=150, deadline=None, derandomize=True)


@repeatable
@given(**sizes)
def test_sorted_indices_invert_a_stable_argsort(tokens, choices, hidden, experts, seed, dtype):
    random = Random(seed)
    x, ids = random.normal(tokens, hidden, dtype=dtype), random.below(experts, tokens, choices, dtype=torch.int32)
    permuted, rows = call("npu_moe_token_permute", dict(tokens=x, indices=ids))
    order = ids.flatten().argsort(stable=True)
    assert torch.equal(rows[order], torch.arange(tokens * choices, dtype=torch.int32))
    assert torch.equal(permuted, x[order // choices])


@repeatable
@given(**sizes)
def test_uniform_weights_bring_the_tokens_back(tokens, choices, hidden, experts, seed, dtype):
    # Small integers, and a power of two of choices: every product and sum is exact.
    choices = 1 << (choices - 1)
    random = Random(seed)
    x = random.below(16, tokens, hidden, dtype=dtype)
    ids = random.below(experts, tokens, choices, dtype=torch.int64)
    permuted, rows = call("npu_moe_token_permute", dict(tokens=x, indices=ids))
    probs = torch.full((tokens, choices), 1 / choices)
    (back,) = call("npu_moe_token_unpermute", dict(permuted_tokens=permuted, sorted_indices=rows, probs=probs))
    assert torch.equal(back, x)


@repeatable
@given(**sizes, rows=st.integers(-60, 60))
def test_dropped_rows_are_those_at_the_end(tokens, choices, hidden, experts, seed, dtype, rows):
    random = Random(seed)
    x, ids = random.normal(tokens, hidden, dtype=dtype), random.below(experts, tokens, choices, dtype=torch.int32)
    every, sorted_indices = call("npu_moe_token_permute", dict(tokens=x, indices=ids))
    if rows < -tokens * choices:
        with pytest.raises(RuntimeError, match="npu_moe_token_permute: rule C2"):
            call("npu_moe_token_permute", dict(tokens=x, indices=ids, num_out_tokens=rows))
        return
    some, same = call("npu_moe_token_permute", dict(tokens=x, indices=ids, num_out_tokens=rows))
    assert torch.equal(same, sorted_indices)
    assert torch.equal(some, every[:rows] if rows else every)


@repeatable
@given(**sizes)
def test_permute_by_map_is_permute_by_indices(tokens, choices, hidden, experts, seed, dtype):
    choices = min(choices, experts)
    random = Random(seed)
    x, routing_map = random.normal(tokens, hidden, dtype=dtype), random.map(tokens, experts, choices, torch.bool)
    ids = routing_map.nonzero()[:, 1].view(tokens, choices)
    permuted, rows = call("npu_moe_token_permute", dict(tokens=x, indices=ids))
    by_map, _, rows_by_map = call(
        "npu_moe_token_permute_with_routing_map",
        dict(tokens=x, routing_map=routing_map, num_out_tokens=tokens * choices),
    )
    assert torch.equal(by_map, permuted)
    assert torch.equal(rows_by_map, rows)


@repeatable
@given(**sizes)
def test_permute_grad_is_unpermute_without_weights(tokens, choices, hidden, experts, seed, dtype):
    """The transpose of a gather is the sum that unpermute makes with weights of 1."""
    random = Random(seed)
    gradient, rows = (
        random.normal(tokens * choices, hidden, dtype=dtype),
        random.permutation(tokens * choices, torch.int32),
    )
    (by_grad,) = call(
        "npu_moe_token_permute_grad_v2",
        dict(
            grad_permuted_tokens=gradient,
            sorted_indices=rows,
            tokens_size_0=tokens,
            tokens_dtype=dtype,
            num_topK=choices,
        ),
    )
    ones = torch.ones(tokens, choices, dtype=dtype)
    (by_unpermute,) = call("npu_moe_token_unpermute", dict(permuted_tokens=gradient, sorted_indices=rows, probs=ones))
    torch.testing.assert_close(by_grad, by_unpermute)


@repeatable
@given(
    tokens=st.integers(0, 7),
    experts=st.integers(1, 40),
    k=st.integers(0, 40),
    seed=st.integers(0, 2**32 - 1),
    special=st.sampled_from([torch.nan, torch.inf, -torch.inf, 0.0]),
    dtype=st.sampled_from(FLOATS[:3]),
)
def test_gating_chooses_different_experts(tokens, experts, k, seed, special, dtype):
    """Whatever the logits are: k different experts for each row, and no row touched by the values of another."""
    k = min(k, experts)
    random = Random(seed)
    x = random.normal(tokens, experts, dtype=dtype)
    plain = call("npu_moe_gating_top_k_softmax", dict(x=x, k=k))
    odd_rows = random.below(2, tokens, dtype=torch.bool)
    x[odd_rows] = torch.where(random.below(2, int(odd_rows.sum()), experts, dtype=torch.bool), special, x[odd_rows])
    y, expert_idx, row_idx = call("npu_moe_gating_top_k_softmax", dict(x=x, k=k))
    for row in expert_idx.tolist():
        assert len(set(row)) == k
        assert all(0 <= expert < experts for expert in row)
    assert torch.equal(y[~odd_rows], plain[0][~odd_rows])
    assert torch.equal(expert_idx[~odd_rows], plain[1][~odd_rows])
    assert torch.equal(row_idx, plain[2])


@repeatable
@given(rows=st.integers(0, 9), half=st.integers(0, 40), seed=st.integers(0, 2**32 - 1), dtype=st.sampled_from(FLOATS))
def test_swiglu_along_another_dimension_is_swiglu_of_the_transposed(rows, half, seed, dtype):
    x = Random(seed).normal(rows, 2 * half, dtype=dtype)
    (along_last,) = call("npu_swiglu", dict(self=x, dim=-1))
    (along_first,) = call("npu_swiglu", dict(self=x.T, dim=0))
    torch.testing.assert_close(along_first.T, along_last)
