"""The fault that this project began with: grad_probs in the dtype of the tokens, on the device and in Meta alike.

The gradient operators are called themselves: `.grad` would hide the fault, as torch casts to the dtype of the leaf.
"""

import itertools

import pytest
import torch
from sweep.calls import call, moved
from sweep.cases import SWEEPS, Random
from torch._subclasses.fake_tensor import FakeTensorMode

DTYPES = [torch.float32, torch.float16, torch.bfloat16]
OPERATORS = [
    "npu_moe_token_unpermute_grad",
    "npu_moe_token_unpermute_grad_v2",
    "npu_moe_token_permute_with_routing_map_grad",
    "npu_moe_token_unpermute_with_routing_map_grad",
]


def on_cpu(operator, arguments):
    return call(operator, arguments)


def on_meta(operator, arguments):
    return call(operator, moved(arguments, "meta"))


def on_fake_tensors(operator, arguments):
    with FakeTensorMode() as mode:
        return call(
            operator, {k: mode.from_tensor(v) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}
        )


def compiled(operator, arguments):
    torch._dynamo.reset()
    return torch.compile(lambda: call(operator, arguments), fullgraph=True, backend="aot_eager")()


each_way = pytest.mark.parametrize("run", [on_cpu, on_meta, on_fake_tensors, compiled])


@each_way
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("tokens", "probs"), [*itertools.product(DTYPES, DTYPES)], ids=str)
def test_grad_probs_has_the_dtype_of_probs(run, operator, tokens, probs):
    grad_tokens, grad_probs = run(operator, SWEEPS[operator].build(Random(0), D=tokens, P=probs))
    assert grad_tokens.dtype == tokens
    assert grad_probs.dtype == probs


@each_way
@pytest.mark.parametrize("operator", OPERATORS)
def test_grad_probs_is_absent_where_probs_is(run, operator):
    grad_tokens, grad_probs = run(operator, SWEEPS[operator].build(Random(0), P=None))
    assert grad_tokens is not None
    assert grad_probs is None
