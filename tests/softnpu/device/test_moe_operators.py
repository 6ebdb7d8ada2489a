"""The sweep on the device: with Opwright's wrappers in front of the entry points, and with the released wheel's."""

import itertools
from collections.abc import Callable

import opwright
import pytest
import torch
import torch_npu  # noqa: F401  the device
from reference import REFERENCES, mismatch
from sweep.bad_calls import BAD_CALLS, BadCall
from sweep.calls import call, moved
from sweep.cases import CASES, SWEEPS, Case, Random


@pytest.fixture
def our_wrappers():
    with opwright.override(list(SWEEPS)):
        yield


def call_on(device, operator, arguments):
    """The results, on the host. What is `self` of swiglu in upstream's declarations is `input` in the wheel's."""
    names = [argument.name for argument in getattr(torch.ops.npu, operator).default._schema.arguments]
    renamed = {"input" if name == "self" and "input" in names else name: v for name, v in arguments.items()}
    return [None if result is None else result.cpu() for result in call(operator, moved(renamed, device))]


def problems(case: Case) -> list[str]:
    arguments = case.arguments()
    results = call_on("npu", case.operator, arguments)
    expected = REFERENCES[case.operator](**arguments)
    found = [mismatch(got, wanted) for got, wanted in zip(results, expected, strict=True)]
    return [f"result {i} {problem}" for i, problem in enumerate(found) if problem]


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_values(case: Case):
    assert problems(case) == []


def message_on(device, bad: BadCall) -> str:
    with pytest.raises(RuntimeError) as refused:
        call_on(device, bad.operator, bad.make())
    return str(refused.value).split("\nException raised from")[0]


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize("bad", BAD_CALLS, ids=str)
def test_refused_with_the_message_of_the_cpu(bad: BadCall):
    assert message_on("cpu", bad) in message_on("npu", bad)


DTYPES = [torch.float32, torch.float16, torch.bfloat16]


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize(
    "operator", [operator for operator in SWEEPS if "unpermute" in operator and "grad" in operator]
)
@pytest.mark.parametrize(("tokens", "probs"), [*itertools.product(DTYPES, DTYPES)], ids=str)
def test_grad_probs_has_the_dtype_of_probs(operator, tokens, probs):
    assert call_on("npu", operator, SWEEPS[operator].build(Random(0), D=tokens, P=probs))[1].dtype == probs


# The wheel as released

MOE_OF_THE_WHEEL = [case for case in CASES if hasattr(torch.ops.npu, case.operator)]

# What is wrong with the wheel's own wrappers, and in which cases it shows.
KNOWN: list[tuple[str, Callable[[Case], bool]]] = []


@pytest.mark.parametrize("case", MOE_OF_THE_WHEEL, ids=str)
def test_values_with_the_wrappers_of_the_wheel(case: Case, request):
    for reason, shows in KNOWN:
        if shows(case):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    assert problems(case) == []
