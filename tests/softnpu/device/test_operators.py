"""Every operator of the bridge to ATen: it computes what the CPU computes, and it is what computes it."""

import re

import pytest
import torch
import torch_npu  # noqa: F401
from softnpu.device.calls import CALLED_ELSEWHERE, CALLS, DECLARED, Recipe


def make(argument, dtype, generator):
    if isinstance(argument, Recipe):
        return argument.make(dtype, generator)
    if isinstance(argument, list):
        return [make(element, dtype, generator) for element in argument]
    return argument


def move(argument, device):
    if isinstance(argument, torch.Tensor):
        return argument.to(device)
    if isinstance(argument, list | tuple):
        return type(argument)(move(element, device) for element in argument)
    return argument


CASES = [
    pytest.param(name, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")
    for name, call in CALLS.items()
    for dtype in call.dtypes
    if call.soc == torch.npu.get_device_name()
]


def test_every_line_is_called():
    assert set(CALLS) == DECLARED - CALLED_ELSEWHERE


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_operator(name, dtype, capfd):
    call = CALLS[name]
    generator = torch.Generator().manual_seed(7)
    arguments = [make(argument, dtype, generator) for argument in call.arguments]
    expected = call.function(*arguments, **call.options)
    on_device = [move(argument, "npu") for argument in arguments]
    torch.npu.synchronize()
    capfd.readouterr()
    result = call.function(*on_device, **call.options)
    torch.npu.synchronize()
    entry_points = re.findall(r"^\[npu\] aclnn(\w+)$", capfd.readouterr().err, re.MULTILINE)
    torch.testing.assert_close(move(result, "cpu"), expected)
    assert name in entry_points, f"computed by {entry_points}"
