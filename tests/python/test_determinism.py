"""The same bits for every number of threads, every time."""

import pytest
import torch
from sweep.calls import call
from sweep.cases import SWEEPS, Random

# Enough work for several threads to share, in odd pieces.
LARGE = dict(T=257, K=8, H=192)
MAPPED = LARGE | dict(E=31)
CASES = {
    "npu_moe_token_permute": LARGE | dict(E=31),
    "npu_moe_token_permute_grad": LARGE,
    "npu_moe_token_permute_grad_v2": LARGE,
    "npu_moe_token_unpermute": LARGE | dict(repeated=True),
    "_npu_moe_token_unpermute": LARGE,
    "npu_moe_token_unpermute_grad": LARGE | dict(repeated=True),
    "npu_moe_token_unpermute_grad_v2": LARGE,
    "npu_moe_token_permute_with_routing_map": MAPPED,
    "npu_moe_token_permute_with_routing_map_grad": MAPPED,
    "npu_moe_token_unpermute_with_routing_map": MAPPED | dict(pad=True, C=66),
    "_npu_moe_token_unpermute_with_routing_map": MAPPED,
    "npu_moe_token_unpermute_with_routing_map_grad": MAPPED | dict(pad=True, C=66),
    "npu_moe_gating_top_k_softmax": dict(B=(1031,), E=257, k=8),
    "npu_swiglu": dict(Z=(257, 2 * 1031)),
    "npu_swiglu_backward": dict(Z=(257, 2 * 1031)),
}


def bits(result):
    if result is None or not result.dtype.is_floating_point:
        return result
    return result.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[result.element_size()])


@pytest.fixture
def restored_threads():
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def test_every_operator_is_repeated(declarations):
    assert set(CASES) == set(declarations)


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("operator", CASES)
def test_same_bits(operator, dtype):
    arguments = SWEEPS[operator].build(Random(0), D=dtype, **CASES[operator])
    torch.set_num_threads(1)
    expected = [bits(result) for result in call(operator, arguments)]
    for threads in (1, 2, 3, 4):
        torch.set_num_threads(threads)
        for _ in range(5):
            for got, wanted in zip(call(operator, arguments), expected, strict=True):
                assert (got is None) == (wanted is None)
                assert got is None or torch.equal(bits(got), wanted), f"with {threads} threads"
