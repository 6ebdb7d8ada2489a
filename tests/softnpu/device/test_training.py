"""Programs trained on the device take the CPU's path, step by step."""

import copy

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
import torch_npu
from torch import nn

OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
    "adam": lambda parameters: torch.optim.Adam(parameters, lr=0.01),
    "adamw": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, weight_decay=0.1),
    "adamw foreach": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, foreach=True),
    "adamw fused": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, fused=True),
    "adamw amsgrad": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, amsgrad=True),
}


def losses(model, optimizer, inputs, targets, steps=6):
    result = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        result.append(loss.item())
    return torch.tensor(result)


def on_both(model, make_optimizer, inputs, targets):
    twin = copy.deepcopy(model).npu()
    on_cpu = losses(model, make_optimizer(model.parameters()), inputs, targets)
    on_npu = losses(twin, make_optimizer(twin.parameters()), inputs.npu(), targets.npu())
    return on_cpu, on_npu


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_mlp(optimizer):
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4))
    inputs, targets = torch.randn(12, 6), torch.randint(0, 4, (12,))
    on_cpu, on_npu = on_both(model, OPTIMIZERS[optimizer], inputs, targets)
    assert on_cpu[-1] < on_cpu[0]
    torch.testing.assert_close(on_npu, on_cpu, rtol=1e-5, atol=1e-6)


class Block(nn.Module):
    """Attention and a mixture of two experts, each token to the better one."""

    def __init__(self, vocabulary=11, width=8):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.project = nn.Linear(width, 3 * width)
        self.norm = nn.LayerNorm(width)
        self.router = nn.Linear(width, 2)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embedding(tokens)
        query, key, value = self.project(x).chunk(3, -1)
        mask = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool, device=tokens.device).tril()
        scores = (query @ key.transpose(-1, -2)).masked_fill(~mask, float("-inf"))
        x = self.norm(x + scores.softmax(-1) @ value)
        weight, choice = self.router(x).softmax(-1).topk(1, -1)
        outputs = torch.stack([expert(x) for expert in self.experts], -2)
        picked = outputs.gather(-2, choice.unsqueeze(-1).expand(*choice.shape, x.shape[-1])).squeeze(-2)
        return self.head(x + weight * F.silu(picked)).flatten(0, 1)


def test_transformer_block():
    torch.manual_seed(4)
    tokens = torch.randint(0, 11, (3, 5))
    on_cpu, on_npu = on_both(Block(), OPTIMIZERS["adam"], tokens, tokens.roll(1, 1).flatten())
    assert on_cpu[-1] < on_cpu[0]
    torch.testing.assert_close(on_npu, on_cpu, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("masking", ["none", "causal", "mask", "bias"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_scaled_dot_product_attention(masking, dtype):
    torch.manual_seed(5)
    inputs = [torch.randn(2, 3, 5, 8).to(dtype) for _ in range(3)]
    masks = {"mask": torch.ones(5, 5, dtype=torch.bool).tril(), "bias": torch.randn(5, 5).to(dtype)}

    def attend(device):
        tensors = [tensor.to(device).requires_grad_() for tensor in inputs]
        mask = masks[masking].to(device) if masking in masks else None
        result = F.scaled_dot_product_attention(*tensors, attn_mask=mask, is_causal=masking == "causal")
        result.float().square().sum().backward()
        return [result, *(tensor.grad for tensor in tensors)]

    for on_npu, on_cpu in zip(attend("npu"), attend("cpu"), strict=True):
        tolerance = 1e-4 if dtype == torch.float32 else 1e-2
        torch.testing.assert_close(on_npu.cpu(), on_cpu, rtol=tolerance, atol=tolerance)


def test_loss_scaling_skips_overflowing_steps():
    model = nn.Linear(4, 1).npu()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch_npu.npu.amp.GradScaler(init_scale=2.0**10)
    inputs = torch.randn(8, 4).npu()

    def step(factor):
        optimizer.zero_grad()
        scaler.scale(model(inputs).square().mean() * factor).backward()
        scaler.step(optimizer)
        scaler.update()

    before = model.weight.detach().cpu().clone()
    step(float("inf"))
    torch.testing.assert_close(model.weight.detach().cpu(), before)
    assert scaler.get_scale() == 2.0**9
    step(1.0)
    assert (model.weight.detach().cpu() != before).any()
    assert scaler.get_scale() == 2.0**9


def test_autocast():
    model = nn.Linear(8, 8).npu()
    with torch.autocast("npu", dtype=torch.float16):
        result = model(torch.randn(2, 8).npu())
    assert result.dtype == torch.float16
    result.float().sum().backward()
    assert model.weight.grad.dtype == torch.float32
