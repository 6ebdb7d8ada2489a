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
