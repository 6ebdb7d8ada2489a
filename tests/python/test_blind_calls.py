"""Calls put together blindly: each is refused with a message or answered, never worse.

Sizes and dtypes are drawn without regard to the declaration, sizes from few numbers so that they often agree; index
values are drawn from a range that is often too wide. The CPU and Meta must agree wherever values do not matter.
"""

import random

import pytest
import torch
from sweep.calls import call, described, moved

DTYPES = [torch.float32] * 4 + [torch.bfloat16, torch.float64, torch.int32, torch.int64, torch.int8, torch.bool]
SIZES = [0, 1, 2, 2, 3, 4]
CALLS = 300


def blind_tensor(draw: random.Random, name: str) -> torch.Tensor:
    plausible = {"routing_map": torch.int8, "finished": torch.bool}
    integers = "ind" in name or name.endswith("_id")
    dtype = (
        plausible.get(name, torch.int32 if integers else torch.float32) if draw.random() < 0.9 else draw.choice(DTYPES)
    )
    rank = (1 if integers or name == "finished" else 2) if draw.random() < 0.9 else draw.randrange(4)
    sizes = [draw.choice(SIZES) for _ in range(rank)]
    values = torch.tensor([draw.choice([-1, 0, 1, 2, 3, 5, 2**20]) for _ in range(torch.Size(sizes).numel())])
    if dtype == torch.bool or name == "routing_map":
        values = values > 0
    return values.reshape(sizes).to(dtype)


def blind_argument(draw: random.Random, argument):
    if argument.has_default_value() and draw.random() < 0.5:
        return argument.default_value
    match str(argument.type):
        case "Tensor":
            return blind_tensor(draw, argument.name)
        case "Optional[Tensor]":
            return blind_tensor(draw, argument.name) if draw.random() < 0.5 else None
        case "bool":
            return draw.random() < 0.3
        case "int" | "Optional[int]" | "SymInt":
            if "dtype" in argument.name:
                return draw.choice(DTYPES)
            return draw.choice([-1, 0, 1, 2, 3, 4, 6, -(2**63), 2**62])
        case "List[int]" | "Optional[List[int]]":
            return [draw.choice(SIZES) for _ in range(draw.choice([2, 2, 2, 1, 3, 0]))]
    raise AssertionError(f"an argument of type {argument.type}")


def outcome(operator, arguments):
    """What inference decided, or the message."""
    try:
        return [described(result) for result in call(operator, arguments)]
    except RuntimeError as error:
        message = str(error).split("\n")[0]
        assert message.startswith(f"{operator}: "), message
        return message


@pytest.mark.parametrize("seed", range(4))
def test_refused_or_answered(declarations, seed):
    answered = set()
    for operator in declarations:
        draw = random.Random(f"{seed} {operator}")
        schema = getattr(torch.ops.npu, operator).default._schema
        for _ in range(CALLS):
            arguments = {argument.name: blind_argument(draw, argument) for argument in schema.arguments}
            real, meta = outcome(operator, arguments), outcome(operator, moved(arguments, "meta"))
            if isinstance(meta, str):
                assert real == meta
            elif isinstance(real, str):  # then a value must be at fault, and the message says which
                assert " is " in real or "selects" in real, real
            else:
                assert real == meta
                answered.add(operator)
    assert len(answered) > len(declarations) // 2  # blind, but not so blind that nothing was tried
