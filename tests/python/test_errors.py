"""Wrong inputs: each is refused with a message that names the operator and the argument, and nothing else happens."""

import pytest
import torch
from sweep.bad_calls import BAD_CALLS, BadCall
from sweep.calls import call, moved
from sweep.cases import Case


def refusal(operator, arguments) -> str:
    """The message with which a call is refused."""
    with pytest.raises(RuntimeError) as refused:
        call(operator, arguments)
    # The message proper: torch may append where in C++ an exception came from.
    return str(refused.value).split("\nException raised from")[0]


@pytest.mark.parametrize("bad", BAD_CALLS, ids=str)
def test_refused_with_a_message(bad: BadCall):
    message = refusal(bad.operator, bad.make())
    assert message.startswith(f"{bad.operator}: ")
    # A rule speaks of dims, and says what to do; everything else names the argument.
    assert bad.argument in message or "rule C" in message
    assert "\n" not in message


# What each kind of fault is told, in full.
MESSAGES = {
    "npu_moe_token_permute(tokens: 1 dimensions)": "tokens must have 2 dimensions [T, H], got 1 dimension [2]",
    "npu_moe_token_permute_grad(indices: 3 dimensions)": (
        "indices must have 1 or 2 dimensions [T, K?], got 3 dimensions [2, 2, 2]"
    ),
    "npu_moe_token_unpermute(probs: dtype torch.int64)": (
        "probs must be float32, float16, bfloat16 or float64, got int64"
    ),
    "npu_moe_gating_top_k_softmax(finished: dtype torch.complex64)": "finished must be bool, got complex64",
    "npu_moe_token_unpermute_grad(permuted_tokens: dtype torch.bfloat16 unlike the rest)": (
        "grad_unpermuted_tokens must be bfloat16, as permuted_tokens is (both are D), got float32"
    ),
    "npu_moe_token_permute(indices: one more along 0, T)": (
        "dimension 0 of indices is T = 5 (dimension 0 of tokens), got 6"
    ),
    "npu_moe_token_permute_with_routing_map_grad(experts_num: 4 of 3)": (
        "dimension 1 of routing_map is experts_num = 4, got 3"
    ),
    "npu_moe_gating_top_k_softmax(finished: one row more)": "the dimensions B of finished are [5] (as in x), got [6]",
    "npu_moe_token_unpermute(probs: one more along 0, T)": (
        "rule C2 (S == T * K) does not hold: S = 10, T = 6, K = 2; sorted_indices has one entry for each entry of probs"
    ),
    "npu_moe_token_permute(padded_mode: true)": (
        "rule C1 (not padded_mode) does not hold: padded_mode = true; pass padded_mode=False; for a fixed capacity an "
        "expert, use npu_moe_token_permute_with_routing_map(..., drop_and_pad=True)"
    ),
    "npu_moe_token_permute_grad_v2(tokens_size_0: too many slots for 64 bits)": (
        "rule C3: S == tokens_size_0 * num_topK has no value: 4611686018427387904 * 4 does not fit into 64 bits"
    ),
    "npu_swiglu(self: an odd size)": (
        "the shape of result has no value: dimension -1 of self has the odd size 7 and cannot be halved"
    ),
    "npu_moe_token_permute_with_routing_map(routing_map: selects all)": (
        "routing_map selects 12 slots, but there are 8 rows; without drop_and_pad there is one row for each selected "
        "slot, a multiple of the number of tokens"
    ),
    "npu_moe_token_permute(indices: -1 at -1)": (
        "indices[4, 0] is -1; expert ids are 0 or greater; give tokens without an expert an id above all others, and "
        "drop their rows with num_out_tokens"
    ),
    "npu_moe_token_unpermute_with_routing_map(sorted_indices: 4 with drop_and_pad)": (
        "sorted_indices[3] is 4; token ids are 0 or greater and less than 4; "
        "pass the sorted_indices that npu_moe_token_permute_with_routing_map returned"
    ),
}


@pytest.mark.parametrize("call_text", MESSAGES)
def test_whole_message(call_text):
    (bad,) = [bad for bad in BAD_CALLS if str(bad) == call_text]
    assert refusal(bad.operator, bad.make()) == f"{bad.operator}: {MESSAGES[call_text]}"


@pytest.mark.parametrize("bad", [bad for bad in BAD_CALLS if not bad.by_value], ids=str)
def test_meta_tensors_are_refused_with_the_same_message(bad: BadCall):
    assert refusal(bad.operator, moved(bad.make(), "meta")) == refusal(bad.operator, bad.make())


@pytest.mark.parametrize("bad", [bad for bad in BAD_CALLS if not bad.by_value], ids=str)
def test_refused_when_a_gradient_is_wanted(bad: BadCall):
    arguments = {
        name: value.requires_grad_()
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())
        else value
        for name, value in bad.make().items()
    }
    assert refusal(bad.operator, arguments) == refusal(bad.operator, bad.make())


def test_a_refused_call_leaves_the_operator_usable():
    good = Case("npu_moe_token_unpermute", {}).arguments()
    (before,) = call("npu_moe_token_unpermute", good)
    for bad in BAD_CALLS:
        if bad.operator == "npu_moe_token_unpermute":
            refusal(bad.operator, bad.make())
    (after,) = call("npu_moe_token_unpermute", good)
    assert torch.equal(before, after)


@pytest.mark.parametrize("value", [3, "tokens", [1.0, 2.0]])
def test_something_that_is_no_tensor(value):
    good = Case("npu_moe_token_permute", {}).arguments()
    with pytest.raises(RuntimeError, match=r"npu_moe_token_permute\(\).*'Tensor' for argument 'tokens'"):
        call("npu_moe_token_permute", good | dict(tokens=value))


def test_unknown_and_missing_arguments():
    good = Case("npu_moe_token_permute", {}).arguments()
    with pytest.raises(RuntimeError, match="Unknown keyword argument 'token'"):
        call("npu_moe_token_permute", good | dict(token=good["tokens"]))
    del good["tokens"]
    with pytest.raises(RuntimeError, match="missing value for argument 'tokens'"):
        call("npu_moe_token_permute", good)
