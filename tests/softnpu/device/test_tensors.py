"""Tensors on the device: made, moved, viewed, counted, random."""

import pytest
import torch
import torch_npu


def test_device_says_that_it_is_simulated_hardware():
    assert torch.npu.device_count() == 1
    assert torch.npu.get_device_name(0) == "Ascend910B1"
    assert torch.zeros(2, device="npu").device == torch.device("npu", 0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8,
                                   torch.int32, torch.int64, torch.bool, torch.complex64])  # fmt: skip
def test_round_trip(dtype):
    values = torch.arange(24).reshape(2, 3, 4).to(dtype)
    torch.testing.assert_close(values.npu().cpu(), values)


@pytest.mark.parametrize("view", [
    lambda x: x.transpose(0, 2),
    lambda x: x[:, 1:, ::2],
    lambda x: x[1],
    lambda x: x[:, :1].expand(2, 5, 4),
    lambda x: x[:0],
    lambda x: x.sum(),
    lambda x: x.as_strided((2, 2), (5, 7), 3),
])  # fmt: skip
def test_views_keep_strides_and_offset(view):
    values = torch.randn(2, 3, 4)
    torch.testing.assert_close((view(values.npu()) * 2 + 1).cpu(), view(values) * 2 + 1)
    torch.testing.assert_close(view(values.npu()).clone().cpu(), view(values).clone())


def test_writes_through_views():
    values = torch.zeros(3, 4)
    on_device = values.npu()
    on_device[:, 1] = 5
    on_device.t()[2] += 3
    values[:, 1] = 5
    values.t()[2] += 3
    torch.testing.assert_close(on_device.cpu(), values)


def test_empty_indices_are_not_absent_ones():
    values = torch.arange(12).reshape(3, 4).npu()
    nothing = torch.zeros(0, dtype=torch.int64).npu()
    assert values[nothing].shape == (0, 4)
    values[nothing] = 99
    assert values.max().item() == 11
    assert values[:, torch.tensor([2, 0]).npu()].cpu().tolist() == [[2, 0], [6, 4], [10, 8]]


def test_memory_is_counted():
    torch.npu.empty_cache()
    before, total = torch.npu.mem_get_info()
    held = torch.empty(64 << 20, dtype=torch.uint8, device="npu")
    after, _ = torch.npu.mem_get_info()
    assert before - after >= held.numel()
    del held
    torch.npu.empty_cache()
    assert torch.npu.mem_get_info() == (before, total)


@pytest.mark.parametrize("draw", [
    lambda: torch.rand(1000, device="npu"),
    lambda: torch.randn(1000, device="npu"),
    lambda: torch.randint(0, 100, (1000,), device="npu"),
    lambda: torch.randperm(1000, device="npu"),
    lambda: torch.empty(1000, device="npu").bernoulli_(0.3),
    lambda: torch.bernoulli(torch.full((1000,), 0.3, device="npu")),
    lambda: torch.nn.functional.dropout(torch.ones(1000, device="npu"), 0.3),
    lambda: torch.multinomial(torch.ones(1000, device="npu"), 500, replacement=True),
    lambda: torch.normal(torch.zeros(1000, device="npu"), 2.0),
    lambda: torch.normal(0.0, torch.ones(1000, device="npu")),
    lambda: torch.normal(torch.zeros(1000, device="npu"), torch.ones(1000, device="npu")),
    lambda: torch.normal(1.0, 2.0, (1000,), device="npu"),
    lambda: torch.empty(1000, dtype=torch.int64, device="npu").random_(),
])  # fmt: skip
def test_random_numbers_follow_the_seed(draw):
    torch.npu.manual_seed(11)
    first, second = draw().cpu(), draw().cpu()
    torch.npu.manual_seed(11)
    again = draw().cpu()
    assert torch.equal(first, again)
    assert not torch.equal(first, second)


def test_random_numbers_are_distributed_as_asked():
    torch.npu.manual_seed(12)
    assert abs(torch.rand(100_000, device="npu").mean().item() - 0.5) < 0.01
    assert abs(torch.randn(100_000, device="npu").std().item() - 1) < 0.01
    assert sorted(torch.randperm(100, device="npu").cpu().tolist()) == list(range(100))
    kept = torch.nn.functional.dropout(torch.ones(100_000, device="npu"), 0.2)
    assert abs((kept == 0).float().mean().item() - 0.2) < 0.01
    torch.testing.assert_close(kept.max().item(), 1.25)


def test_dropout_gradient_uses_the_same_mask():
    values = torch.ones(1000, device="npu", requires_grad=True)
    dropped = torch.nn.functional.dropout(values, 0.4)
    dropped.sum().backward()
    torch.testing.assert_close(values.grad.cpu(), dropped.detach().cpu())


def test_events_and_streams():
    begin, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    stream = torch.npu.Stream()
    with torch.npu.stream(stream):
        begin.record()
        result = torch.ones(64, 64, device="npu") @ torch.ones(64, 64, device="npu")
        end.record()
    torch.npu.current_stream().wait_stream(stream)
    torch.npu.synchronize()
    assert begin.elapsed_time(end) > 0
    assert (result.cpu() == 64).all()


def test_pinned_memory():
    values = torch.arange(10.0).pin_memory()
    assert values.is_pinned()
    torch.testing.assert_close(values.to("npu", non_blocking=True).cpu(), values)


def test_fused_layers_of_torch_npu():
    x, gamma = torch.randn(3, 8), torch.rand(8)
    result, rstd = torch_npu.npu_rms_norm(x.npu(), gamma.npu(), 1e-6)
    expected_rstd = torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)
    torch.testing.assert_close(rstd.cpu(), expected_rstd)
    torch.testing.assert_close(result.cpu(), x * expected_rstd * gamma)
    y = torch.randn(3, 8)
    result, rstd, added = torch_npu.npu_add_rms_norm(x.npu(), y.npu(), gamma.npu(), 1e-6)
    torch.testing.assert_close(added.cpu(), x + y)
    torch.testing.assert_close(result.cpu(), torch.nn.functional.rms_norm(x + y, (8,), gamma, 1e-6))


def test_rms_norm_gradient():
    x, gamma = torch.randn(3, 8, requires_grad=True), torch.rand(8, requires_grad=True)
    torch.nn.functional.rms_norm(x, (8,), gamma, 1e-6).square().sum().backward()
    twin, twin_gamma = x.detach().npu().requires_grad_(), gamma.detach().npu().requires_grad_()
    torch_npu.npu_rms_norm(twin, twin_gamma, 1e-6)[0].square().sum().backward()
    torch.testing.assert_close(twin.grad.cpu(), x.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(twin_gamma.grad.cpu(), gamma.grad, rtol=1e-4, atol=1e-5)
