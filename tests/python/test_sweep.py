"""Every case of the sweep: values against the reference, and inference without values against the real results."""

import pytest
import torch
from reference import REFERENCES, mismatch
from sweep.calls import call, described, moved, poison
from sweep.cases import CASES, SWEEPS, Case
from torch._subclasses.fake_tensor import FakeTensorMode


def test_every_operator_is_swept(declarations):
    assert set(SWEEPS) == set(declarations)


def wrong_results(operator, arguments) -> list[str]:
    """What is wrong with the results of a call, the second of two, which finds poisoned memory where it allocates."""
    poison(call(operator, arguments))
    results, expected = call(operator, arguments), REFERENCES[operator](**arguments)
    assert len(results) == len(expected)
    problems = [mismatch(got, wanted) for got, wanted in zip(results, expected, strict=True)]
    return [f"result {i} of {operator} {problem}" for i, problem in enumerate(problems) if problem]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values(case: Case):
    arguments = case.arguments()
    before = {k: v.clone() for k, v in arguments.items() if isinstance(v, torch.Tensor)}
    assert wrong_results(case.operator, arguments) == []
    for name, tensor in before.items():
        assert torch.equal(arguments[name], tensor), f"{case.operator} wrote into its argument {name}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_inference(case: Case):
    """Meta tensors and fake tensors promise what the CPU delivers: presence, dtype, sizes and strides."""
    arguments = case.arguments()
    real = [described(result) for result in call(case.operator, arguments)]
    meta = [described(result) for result in call(case.operator, moved(arguments, "meta"))]
    assert meta == real
    with FakeTensorMode() as mode:
        fake_arguments = {k: mode.from_tensor(v) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}
        fake = [described(result) for result in call(case.operator, fake_arguments)]
    assert fake == real


def test_poisoned_memory_is_handed_out_again():
    """Otherwise test_values would not see an element that nobody wrote."""
    case = Case("npu_moe_token_unpermute", dict(T=67, K=5, H=131))
    arguments = case.arguments()
    addresses = set()
    for _ in range(20):
        (result,) = call(case.operator, arguments)
        addresses.add(result.data_ptr())
        del result
    assert len(addresses) < 20
