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


# Declarations without an `npu:` binding: on the device these operators stay the wheel's.
OF_THE_WHEEL = {"_npu_moe_token_unpermute", "npu_moe_token_unpermute_with_routing_map"}


def no_choices(case: Case) -> bool:
    """A token without choices: the entry point has num_topK alone to tell the number of tokens by, and refuses 0."""
    return case.operator == "npu_moe_token_permute_grad" and "K=0" in str(case)


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize("case", [c for c in CASES if c.operator not in OF_THE_WHEEL and not no_choices(c)], ids=str)
def test_values(case: Case):
    assert problems(case) == []


def message_on(device, bad: BadCall) -> str:
    with pytest.raises(RuntimeError) as refused:
        call_on(device, bad.operator, bad.make())
    return str(refused.value).split("\nException raised from")[0]


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize("bad", [b for b in BAD_CALLS if b.operator not in OF_THE_WHEEL], ids=str)
def test_refused_with_the_message_of_the_cpu(bad: BadCall, capfd):
    """What depends on values is found when the kernel runs: the wheel then warns with the message, and raises.

    That message begins with the name of one of the operators that the entry point serves.
    """
    wanted = message_on("cpu", bad)
    got = message_on("npu", bad)
    if got.startswith("ACL stream synchronize failed"):
        assert wanted.partition(": ")[2] in capfd.readouterr().err
    else:
        assert wanted in got


DTYPES = [torch.float32, torch.float16, torch.bfloat16]


@pytest.mark.usefixtures("our_wrappers")
@pytest.mark.parametrize(
    "operator", [operator for operator in SWEEPS if "unpermute" in operator and "grad" in operator]
)
@pytest.mark.parametrize(("tokens", "probs"), [*itertools.product(DTYPES, DTYPES)], ids=str)
def test_grad_probs_has_the_dtype_of_probs(operator, tokens, probs):
    assert call_on("npu", operator, SWEEPS[operator].build(Random(0), D=tokens, P=probs))[1].dtype == probs


# The wheel as released


def divides_by_zero_tokens(case: Case) -> bool:
    """The wheel's wrapper of npu_moe_token_permute_with_routing_map divides by the number of tokens: SIGFPE."""
    return case.operator == "npu_moe_token_permute_with_routing_map" and 0 in case.arguments()["routing_map"].shape


def without_probs(*operators: str) -> Callable[[Case], bool]:
    return lambda case: case.operator in operators and case.arguments().get("probs") is None


def mixed_dtypes_in_the_routing_map_gradient(case: Case) -> bool:
    if case.operator != "npu_moe_token_unpermute_with_routing_map_grad":
        return False
    arguments = case.arguments()
    return arguments["probs"] is not None and arguments["probs"].dtype != arguments["unpermuted_tokens_grad"].dtype


# What is wrong with the wheel's own wrappers, and in which cases it shows.
KNOWN: list[tuple[str, Callable[[Case], bool]]] = [
    (
        "an absent grad_probs is a tensor without dimensions",
        without_probs("npu_moe_token_unpermute_grad", "npu_moe_token_unpermute_grad_v2"),
    ),
    ("without probs, nothing is returned for the gradient", without_probs("_npu_moe_token_unpermute")),
    ("grad_probs has the dtype of the tokens", mixed_dtypes_in_the_routing_map_gradient),
    ("a token without choices is refused", lambda case: "K=0" in str(case) and case.operator.endswith("unpermute")),
    ("a token without choices is refused", no_choices),
]

CASES_OF_THE_WHEEL = [c for c in CASES if hasattr(torch.ops.npu, c.operator) and not divides_by_zero_tokens(c)]


@pytest.mark.parametrize("case", CASES_OF_THE_WHEEL, ids=str)
def test_values_with_the_wrappers_of_the_wheel(case: Case, request):
    for reason, shows in KNOWN:
        if shows(case):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
            break
    assert problems(case) == []
