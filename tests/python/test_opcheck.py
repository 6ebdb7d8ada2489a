"""torch's own checks of custom operators: schema, registration of autograd, fake tensors, and AOT dispatch."""

import pytest
import torch
from sweep.cases import SWEEPS, Random, combinations
from sweep.gradients import DIFFERENTIABLE
from torch.library import opcheck

GRADIENT_OF = {op.operator: op.of for op in DIFFERENTIABLE}


@pytest.mark.parametrize(
    ("operator", "axes"),
    [(operator, axes) for operator, sweep in SWEEPS.items() for axes in combinations(sweep.checked)],
    ids=str,
)
def test_opcheck(operator, axes):
    arguments = SWEEPS[operator].build(Random(0), **axes)
    # Gradient operators refuse a second derivative, which AOT dispatch would ask of arguments that need a gradient.
    for name in GRADIENT_OF.get(operator, ()):
        if arguments[name] is not None:
            arguments[name].requires_grad_()
    opcheck(getattr(torch.ops.npu, operator).default, (), arguments, rtol=0, atol=0)
