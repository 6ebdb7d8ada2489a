"""opwright, torch and torch_npu in every order of import, each in a process of its own."""

import pytest
from processes import needs_torch_npu, run

# The operators work, whoever imported what first.
USE = """
import torch
import opwright
tokens = torch.randn(10, 6, dtype=torch.bfloat16, requires_grad=True)
probs = torch.rand(5, 2, requires_grad=True)
out = torch.ops.npu.npu_moe_token_unpermute(tokens, torch.randperm(10), probs)
out.sum().backward()
assert tokens.grad.dtype is torch.bfloat16 and probs.grad.dtype is torch.float32
assert torch.ops.npu.npu_moe_token_permute_grad_v2(
    torch.ones(4, 3), torch.tensor([2, 0, 3, 1]), 2, torch.float32, 2).tolist() == [[2.0] * 3] * 2
assert torch.ops.npu.npu_swiglu(torch.randn(3, 8, device="meta")).shape == (3, 4)
states = {operator.state for operator in opwright.coverage().values()}
print("states:", *sorted(states))
"""

ALONE = "states: defined by Opwright"
GUEST = "states: attached to the schema of torch_npu"


@pytest.mark.parametrize("order", ["opwright", "torch, opwright", "opwright, torch"])
def test_without_torch_npu(order):
    assert ALONE in run(f"import {order}\n{USE}")


def test_twice():
    again = "import sys, importlib, opwright\nimportlib.reload(opwright)\n"
    assert ALONE in run(f"import torch, opwright\n{again}{USE}")


@needs_torch_npu
@pytest.mark.parametrize("autoload", ["0", "1"])
@pytest.mark.parametrize(
    "order",
    [
        "opwright, torch_npu",
        "opwright, torch, torch_npu",
        "torch, opwright, torch_npu",
        "torch, torch_npu, opwright",
        "torch_npu, opwright",
    ],
)
def test_with_torch_npu(order, autoload):
    assert GUEST in run(f"import {order}\n{USE}", autoload)


@needs_torch_npu
@pytest.mark.parametrize("order", ["torch", "opwright, torch", "torch, opwright"])
def test_torch_npu_as_a_back_end_that_torch_loads(order):
    assert GUEST in run(f"import {order}\n{USE}", autoload="1")


@needs_torch_npu
def test_operators_that_were_used_before_torch_npu_came():
    """Handles of an operator, in Python and in our C++, outlive the change of its definition."""
    program = f"""
import torch, opwright
early = torch.ops.npu.npu_moe_token_unpermute.default
tokens, rows = torch.randn(4, 3, requires_grad=True), torch.tensor([2, 0, 3, 1])
early(tokens, rows).sum().backward()
import torch_npu
early(tokens, rows).sum().backward()
assert tokens.grad.tolist() == [[2.0] * 3] * 4
{USE}"""
    assert GUEST in run(program)


def test_torch_is_not_imported_before_it_is_needed():
    assert run("import sys, opwright, opwright.cli\nprint('torch' in sys.modules)") == "False\n"


def test_a_library_for_another_torch():
    """Both versions are named, and nothing is loaded."""
    program = """
import importlib.metadata
real = importlib.metadata.version
importlib.metadata.version = lambda name: "2.12.1" if name == "torch" else real(name)
import torch
try:
    import opwright
except ImportError as error:
    print(error)
"""
    message = run(program)
    assert "opwright was built for torch 2.13.0" in message
    assert "torch 2.12.1 is installed" in message


def test_a_library_for_another_torch_is_no_reason_to_break_torch():
    program = """
import importlib.metadata, warnings
real = importlib.metadata.version
importlib.metadata.version = lambda name: "2.12.1" if name == "torch" else real(name)
import opwright
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import torch
print(torch.ones(2).sum().item(), *(str(warning.message) for warning in caught))
"""
    message = run(program)
    assert message.startswith("2.0")
    assert "opwright is not available: opwright was built for torch 2.13.0" in message
