"""torch's own checks of custom operators: schema, registration of autograd, fake tensors, and AOT dispatch."""

import pytest
import torch
from sweep.cases import SWEEPS, Random, combinations
from sweep.gradients import DIFFERENTIABLE
from torch.library import opcheck

CASES = {
    "npu_moe_token_permute": dict(K=[None, 2], num_out_tokens=[None, 3]),
    "npu_moe_token_permute_grad": dict(K=[None, 2], N=[None, 3]),
    "npu_moe_token_permute_grad_v2": dict(N=[None, 3]),
    "npu_moe_token_unpermute": dict(P=[None, torch.float32, torch.float64], D=[torch.float32, torch.bfloat16]),
    "_npu_moe_token_unpermute": dict(P=[None, torch.float32], D=[torch.float32, torch.bfloat16]),
    "npu_moe_token_unpermute_grad": dict(P=[None, torch.float32], D=[torch.float32, torch.bfloat16]),
    "npu_moe_token_unpermute_grad_v2": dict(P=[None, torch.float32], given=[False, True]),
    "npu_moe_token_permute_with_routing_map": dict(P=[None, torch.float32], pad=[False, True]),
    "npu_moe_token_permute_with_routing_map_grad": dict(P=[None, torch.float32], pad=[False, True]),
    "npu_moe_token_unpermute_with_routing_map": dict(P=[None, torch.float32], pad=[False, True]),
    "_npu_moe_token_unpermute_with_routing_map": dict(P=[None, torch.float32], pad=[False, True]),
    "npu_moe_token_unpermute_with_routing_map_grad": dict(P=[None, torch.float32], pad=[False, True]),
    "npu_moe_gating_top_k_softmax": dict(finished=[False, True], k=[0, 3]),
    "npu_swiglu": dict(dim=[-1], D=[torch.float32, torch.bfloat16]),
    "npu_swiglu_backward": dict(dim=[-1], D=[torch.float32, torch.bfloat16]),
}
GRADIENT_OF = {op.operator: op.of for op in DIFFERENTIABLE}


def test_every_operator_is_checked(declarations):
    assert set(CASES) == set(declarations)


@pytest.mark.parametrize(
    ("operator", "axes"),
    [(operator, axes) for operator, group in CASES.items() for axes in combinations(group)],
    ids=str,
)
def test_opcheck(operator, axes):
    arguments = SWEEPS[operator].build(Random(0), **axes)
    # Gradient operators refuse a second derivative, which AOT dispatch would ask of arguments that need a gradient.
    for name in GRADIENT_OF.get(operator, ()):
        if arguments[name] is not None:
            arguments[name].requires_grad_()
    opcheck(getattr(torch.ops.npu, operator).default, (), arguments, rtol=0, atol=0)
