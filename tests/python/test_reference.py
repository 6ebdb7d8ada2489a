"""The references against numbers worked by hand and against float64 autograd of other formulations."""

import pytest
import torch
from reference import REFERENCES, mismatch
from reference.expected import Expected, half_ulp

IDS = [[0, 4], [4, 3], [4, 2], [1, 1]]
ROWS = [0, 5, 6, 4, 7, 3, 1, 2]  # ids in slot order 0 4 4 3 4 2 1 1, sorted 0 1 1 2 3 4 4 4


def values(operator, **arguments):
    return [None if result is None else result.values for result in REFERENCES[operator](**arguments)]


def random(*sizes, seed=0, requires_grad=True):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*sizes, generator=generator, dtype=torch.float64).requires_grad_(requires_grad)


def assert_equal(got, wanted):
    torch.testing.assert_close(got, wanted.detach(), rtol=1e-13, atol=1e-13)


def test_every_operator_has_a_reference_that_takes_its_arguments(declarations):
    assert set(REFERENCES) == set(declarations)


# Numbers worked by hand


def test_permute_by_hand():
    tokens = torch.tensor([[1.0], [2.0], [3.0], [0.0]])
    permuted, rows = values("npu_moe_token_permute", tokens=tokens, indices=torch.tensor(IDS))
    assert rows.tolist() == ROWS
    assert permuted.flatten().tolist() == [1, 0, 0, 3, 2, 1, 2, 3]


@pytest.mark.parametrize(("num_out_tokens", "rows"), [(None, 8), (0, 8), (3, 3), (8, 8), (100, 8), (-3, 5), (-8, 0)])
def test_num_out_tokens_keeps_or_drops_rows(num_out_tokens, rows):
    permuted, sorted_indices = values(
        "npu_moe_token_permute", tokens=torch.ones(4, 2), indices=torch.tensor(IDS), num_out_tokens=num_out_tokens
    )
    assert permuted.shape == (rows, 2)
    assert sorted_indices.tolist() == ROWS


def test_uniform_weights_restore_the_tokens():
    tokens = torch.tensor([[1.0], [2.0], [3.0], [0.0]])
    permuted, rows = values("npu_moe_token_permute", tokens=tokens, indices=torch.tensor(IDS))
    (restored,) = values(
        "npu_moe_token_unpermute", permuted_tokens=permuted, sorted_indices=rows, probs=torch.full((4, 2), 0.5)
    )
    assert restored.flatten().tolist() == [1, 2, 3, 0]


def test_gradients_of_unpermute_by_hand():
    grad_permuted, grad_probs = values(
        "npu_moe_token_unpermute_grad",
        permuted_tokens=torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        grad_unpermuted_tokens=torch.tensor([[1.0, 1.0], [10.0, 0.0]]),
        sorted_indices=torch.tensor([2, 0, 1, 7]),  # slot 3 was dropped
        probs=torch.tensor([[0.5, 2.0], [4.0, 8.0]]),
    )
    assert grad_permuted.tolist() == [[2.0, 2.0], [40.0, 0.0], [0.5, 0.5]]
    assert grad_probs.tolist() == [[11.0, 3.0], [30.0, 0.0]]


def test_routing_map_by_hand():
    # Token 0 goes to experts 0 and 2, token 1 to 0 and 1: expert 0 takes 0 and 1, expert 1 takes 1, expert 2 takes 0.
    permuted, probs, rows = values(
        "npu_moe_token_permute_with_routing_map",
        tokens=torch.tensor([[1.0], [2.0]]),
        routing_map=torch.tensor([[1, 0, 1], [1, 1, 0]], dtype=torch.int8),
        probs=torch.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], dtype=torch.float64),
        num_out_tokens=4,
    )
    assert permuted.flatten().tolist() == [1, 2, 2, 1]
    assert probs.tolist() == [0.1, 0.4, 0.5, 0.3]
    assert rows.tolist() == [0, 3, 1, 2]  # slots (0, 0), (0, 2), (1, 0), (1, 1)


def test_drop_and_pad_by_hand():
    # Capacity 2: expert 0 is chosen by tokens 0, 1, 2 and keeps 0, 1; expert 1 by token 2, and is padded with token 0.
    permuted, _, tokens = values(
        "npu_moe_token_permute_with_routing_map",
        tokens=torch.tensor([[10.0], [11.0], [12.0]]),
        routing_map=torch.tensor([[True, False], [True, False], [True, True]]),
        num_out_tokens=4,
        drop_and_pad=True,
    )
    assert permuted.flatten().tolist() == [10, 11, 12, 10]
    assert tokens.tolist() == [0, 1, 2, 0]


def test_gating_by_hand():
    y, experts, rows = values(
        "npu_moe_gating_top_k_softmax",
        x=torch.tensor([[0.0, 0.0, 0.0], [0.0, 1.0, 1.0]]),
        finished=torch.tensor([True, False]),
        k=2,
    )
    assert experts.tolist() == [[3, 3], [1, 2]]
    assert rows.tolist() == [[0, 2], [1, 3]]
    e = torch.e
    assert_equal(y, torch.tensor([[1 / 3, 1 / 3], [e / (1 + 2 * e)] * 2], dtype=torch.float64))


def test_swiglu_by_hand():
    (result,) = values("npu_swiglu", self=torch.tensor([[0.0, 2.0, 3.0, 5.0]]))
    assert_equal(result, torch.tensor([[0.0, 10 / (1 + torch.e**-2)]], dtype=torch.float64))


# Gradients against autograd of other formulations


@pytest.mark.parametrize("rows", [8, 5])
def test_gradient_of_permute(rows):
    tokens, gradient = random(4, 3), random(rows, 3, seed=1)
    slots = torch.tensor(IDS).flatten().argsort(stable=True)[:rows]
    (wanted,) = torch.autograd.grad(tokens.index_select(0, slots // 2), tokens, gradient)
    (got,) = values(
        "npu_moe_token_permute_grad",
        tokens=tokens.detach(),
        grad_permuted_tokens=gradient.detach(),
        indices=torch.tensor(IDS),
        sorted_indices=torch.tensor(ROWS),
    )
    assert_equal(got, wanted)


@pytest.mark.parametrize("rows", [8, 5])
@pytest.mark.parametrize("with_probs", [True, False])
def test_unpermute_and_its_gradients(rows, with_probs):
    permuted = random(rows, 3)
    choices = 2 if with_probs else 1
    probs = random(8 // choices, choices, seed=1) if with_probs else None
    gradient = random(8 // choices, 3, seed=2)
    padded = torch.cat([permuted, permuted.new_zeros(8 - rows, 3)])[ROWS].view(-1, choices, 3)
    result = (padded * probs.unsqueeze(-1) if with_probs else padded).sum(1)
    call = dict(sorted_indices=torch.tensor(ROWS), probs=probs.detach() if with_probs else None)
    (got,) = values("npu_moe_token_unpermute", permuted_tokens=permuted.detach(), **call)
    assert_equal(got, result)

    wanted = torch.autograd.grad(result, [permuted, probs] if with_probs else [permuted], gradient)
    grads = values(
        "npu_moe_token_unpermute_grad",
        permuted_tokens=permuted.detach(),
        grad_unpermuted_tokens=gradient.detach(),
        **call,
    )
    assert_equal(grads[0], wanted[0])
    assert (grads[1] is None) == (not with_probs)
    if with_probs:
        assert_equal(grads[1], wanted[1])


ROUTING_MAP = torch.tensor([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=torch.int8)


@pytest.mark.parametrize("drop_and_pad", [False, True])
def test_routing_map_pair_and_its_gradients(drop_and_pad):
    tokens, probs = random(4, 5), random(4, 3, seed=1)
    rows = 6 if drop_and_pad else 8
    permuted, permuted_probs, sorted_indices = values(
        "npu_moe_token_permute_with_routing_map",
        tokens=tokens.detach(),
        routing_map=ROUTING_MAP,
        probs=probs.detach(),
        num_out_tokens=rows,
        drop_and_pad=drop_and_pad,
    )
    # Another formulation: rows by a stable descending sort of the map, column by column.
    if drop_and_pad:
        token_of_row = ROUTING_MAP.T.sort(dim=1, descending=True, stable=True).indices[:, : rows // 3].flatten()
        expert_of_row = torch.arange(3).repeat_interleave(rows // 3)
    else:
        expert_of_row, token_of_row = ROUTING_MAP.T.nonzero().unbind(1)
    assert_equal(permuted, tokens[token_of_row])
    assert_equal(permuted_probs, probs[token_of_row, expert_of_row])
    assert sorted_indices.tolist() == (token_of_row if drop_and_pad else token_of_row.argsort(stable=True)).tolist()

    gradients = random(rows, 5, seed=2), random(rows, seed=3)
    wanted = torch.autograd.grad([tokens[token_of_row], probs[token_of_row, expert_of_row]], [tokens, probs], gradients)
    got = values(
        "npu_moe_token_permute_with_routing_map_grad",
        permuted_token_out_grad=gradients[0].detach(),
        probs_grad=gradients[1].detach(),
        sorted_indices=sorted_indices,
        routing_map=ROUTING_MAP,
        experts_num=3,
        tokens_num=4,
        drop_and_pad=drop_and_pad,
    )
    assert_equal(got[0], wanted[0])
    assert_equal(got[1], wanted[1])

    # The way back, from rows that an expert has changed.
    expert_rows = random(rows, 5, seed=4)
    weighted = expert_rows * probs[token_of_row, expert_of_row].unsqueeze(1)
    restored = torch.zeros(4, 5, dtype=torch.float64).index_add(0, token_of_row, weighted)
    unpermuted, out_index, token_id, permute_probs = values(
        "_npu_moe_token_unpermute_with_routing_map",
        permuted_tokens=expert_rows.detach(),
        sorted_indices=sorted_indices,
        restore_shape=[4, 5],
        probs=probs.detach(),
        routing_map=ROUTING_MAP,
        drop_and_pad=drop_and_pad,
    )
    assert_equal(unpermuted, restored)
    assert token_of_row[out_index].tolist() == token_id.tolist() == sorted(token_of_row.tolist())
    by_entry = probs[token_of_row, expert_of_row]
    assert_equal(permute_probs, by_entry if drop_and_pad else by_entry[out_index])

    gradient = random(4, 5, seed=5)
    wanted = torch.autograd.grad(restored, [expert_rows, probs], gradient)
    got = values(
        "npu_moe_token_unpermute_with_routing_map_grad",
        unpermuted_tokens_grad=gradient.detach(),
        out_index=out_index,
        permuted_token_id=token_id,
        routing_map=ROUTING_MAP,
        permuted_tokens=expert_rows.detach(),
        probs=probs.detach(),
        drop_and_pad=drop_and_pad,
        restore_shape=[4, 5],
    )
    assert_equal(got[0], wanted[0])
    assert_equal(got[1], wanted[1])


@pytest.mark.parametrize("dim", [-1, 0])
def test_swiglu_and_its_gradient(dim):
    x, gradient = random(4, 6), random(*((4, 3) if dim == -1 else (2, 6)), seed=1)
    a, b = x.chunk(2, dim)
    result = torch.nn.functional.silu(a) * b
    (got,) = values("npu_swiglu", self=x.detach(), dim=dim)
    assert_equal(got, result)
    (wanted,) = torch.autograd.grad(result, x, gradient)
    (got,) = values("npu_swiglu_backward", grad_output=gradient.detach(), self=x.detach(), dim=dim)
    assert_equal(got, wanted)


def test_gating_against_softmax_and_topk():
    x = random(7, 9, requires_grad=False)
    y, experts, _ = values("npu_moe_gating_top_k_softmax", x=x, k=4)
    wanted = x.softmax(-1).topk(4)
    assert_equal(y, wanted.values)
    assert experts.tolist() == wanted.indices.tolist()


# The comparison itself


def test_half_ulp():
    one_and_a_half = torch.tensor([1.5], dtype=torch.float64)
    assert half_ulp(one_and_a_half, torch.bfloat16).item() == 2.0**-8
    assert half_ulp(one_and_a_half, torch.float16).item() == 2.0**-11
    assert half_ulp(torch.zeros(1, dtype=torch.float64), torch.float32).item() == 2.0**-150


def test_mismatch_sees_one_rounding_too_many():
    # 1 + 7 * 2^-9 summed in bfloat16 stays 1; one rounding of the exact sum gives 1 + 2^-6.
    exact = Expected(torch.tensor([1 + 7 * 2.0**-9], dtype=torch.float64), torch.bfloat16)
    assert mismatch(torch.tensor([1 + 2.0**-6], dtype=torch.bfloat16), exact) is None
    wrong = mismatch(torch.tensor([1.0], dtype=torch.bfloat16), exact)
    assert wrong == "is wrong in 1 of 1 elements, first at [0]: got 1.0, must be 1.013671875 +- 0.00391"


def test_mismatch_sees_dtype_sizes_presence_and_nan():
    expected = Expected(torch.ones(2, dtype=torch.float64), torch.float32)
    assert mismatch(torch.ones(2), expected) is None
    assert mismatch(torch.ones(2).half(), expected) == "has dtype torch.float16, must have torch.float32"
    assert mismatch(torch.ones(1, 2), expected) == "has sizes (1, 2), must have (2,)"
    assert mismatch(None, expected) == "is absent"
    assert mismatch(torch.ones(0), None) == "is present ((0,)), must be absent"
    assert "got nan" in mismatch(torch.tensor([1.0, torch.nan]), expected)
    assert mismatch(torch.tensor([1, 3]), Expected(torch.tensor([1, 2]), torch.int64)).endswith("got 3, must be 2 +- 0")
