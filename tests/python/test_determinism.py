"""The same bits for every number of threads, every time."""

import pytest
import torch
from sweep.calls import call
from sweep.cases import SWEEPS, Random


def bits(result):
    if result is None or not result.dtype.is_floating_point:
        return result
    return result.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[result.element_size()])


@pytest.fixture
def restored_threads():
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("operator", SWEEPS)
def test_same_bits(operator, dtype):
    sweep = SWEEPS[operator]
    arguments = sweep.build(Random(0), D=dtype, **sweep.large)
    torch.set_num_threads(1)
    expected = [bits(result) for result in call(operator, arguments)]
    for threads in (1, 2, 3, 4):
        torch.set_num_threads(threads)
        for _ in range(5):
            for got, wanted in zip(call(operator, arguments), expected, strict=True):
                assert (got is None) == (wanted is None)
                assert got is None or torch.equal(bits(got), wanted), f"with {threads} threads"
