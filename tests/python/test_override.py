"""`opwright.override`: our wrapper, Meta function and gradient in place of those of a released torch_npu."""

import pytest
from processes import needs_torch_npu, run

CALL = """
import torch, torch_npu, opwright
name = "npu_moe_token_unpermute_with_routing_map_grad"
operator = getattr(torch.ops.npu, name)

def grad_probs(device):
    routing_map = torch.zeros(4, 3, dtype=torch.bool)
    routing_map[:, :2] = True
    tensors = [torch.ones(4, 5, dtype=torch.bfloat16), torch.arange(8, dtype=torch.int32),
               torch.arange(8, dtype=torch.int32) // 2, routing_map, torch.ones(8, 5, dtype=torch.bfloat16),
               torch.full((4, 3), 0.5)]
    return operator(*(tensor.to(device) for tensor in tensors), False, [4, 5])[1]
"""


@needs_torch_npu
@pytest.mark.parametrize("device", ["meta", "npu"])
def test_the_gradient_of_probs_gets_their_dtype(device):
    """torch_npu 2.13.0 gives the gradient of float32 probs in the tokens' bfloat16."""
    program = f"""{CALL}
assert grad_probs("{device}").dtype is torch.bfloat16
with opwright.override([name]):
    assert opwright.coverage()[name].state == "overridden"
    repaired = grad_probs("{device}")
    assert repaired.dtype is torch.float32
    if "{device}" == "npu":
        assert repaired.cpu().tolist() == [[5.0, 5.0, 0.0]] * 4
assert grad_probs("{device}").dtype is torch.bfloat16
"""
    run(program)


@needs_torch_npu
def test_until_restored():
    program = f"""{CALL}
override = opwright.override(name)
assert grad_probs("meta").dtype is torch.float32
override.restore()
assert grad_probs("meta").dtype is torch.bfloat16
"""
    run(program)


@needs_torch_npu
def test_errors_have_one_text():
    program = """
import torch, torch_npu, opwright
messages = set()
with opwright.override("npu_swiglu"):
    for device in ("cpu", "meta", "npu"):
        try:
            torch.ops.npu.npu_swiglu(torch.zeros(3, 7).to(device))
        except RuntimeError as error:
            messages.add(str(error))
print(*messages, sep="\\n")
"""
    text = "npu_swiglu: the shape of result has no value: dimension -1 of self has the odd size 7 and cannot be halved"
    assert [line for line in run(program).splitlines() if "npu_swiglu" in line] == [text]


def test_without_torch_npu_there_is_nothing_to_override():
    program = """
import torch, opwright
with opwright.override("npu_swiglu"):
    print(opwright.coverage()["npu_swiglu"].state)
"""
    assert run(program) == "defined by Opwright\n"


def test_unknown_names():
    program = """
import opwright
try:
    opwright.override(["npu_swiglo"])
except ValueError as error:
    print(error)
"""
    assert run(program) == "opwright has no operator 'npu_swiglo'; did you mean 'npu_swiglu'?\n"
