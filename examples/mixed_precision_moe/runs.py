"""One training run: a model, its text, a static loss scale, and what is measured on the way."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from data import Text
from torch.nn import functional

from model import LanguageModel, Size

SEED = 0
STEPS = 120
BATCH = 16
LEARNING_RATE = 3e-3
WARM_UP = 10

# The loss is the sum over the characters of a batch; gradients are divided by their number after the backward pass.
# A static loss scale is chosen as large as the float16 gradients of the right program allow: with this one, they stay
# below half of 65504, the largest float16 number.
LOSS_SCALE = 65536.0


@dataclass
class Run:
    """What a run has shown."""

    losses: list[float]  # up to the first that is not finite: nothing follows from there
    router_gradient: list[float]  # of the first step
    seconds: float

    @property
    def final_loss(self) -> float:
        """The mean of the last ten steps, because one batch is noisy."""
        last = self.losses[-10:]
        return sum(last) / len(last)

    @property
    def finite(self) -> bool:
        return math.isfinite(self.losses[-1]) and all(map(math.isfinite, self.router_gradient))


def train(operators: Any, token_dtype: torch.dtype, device: str, on_step: Callable[[int, float], None]) -> Run:
    """Trains from the same seed on the same batches whatever the operators, the tokens' dtype and the device."""
    text = Text.load()
    model = initial_model(text, operators, token_dtype).to(device)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95), weight_decay=0, foreach=False
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, 1) * (1 + math.cos(math.pi * step / STEPS)) / 2
    )
    generator = torch.Generator().manual_seed(SEED)
    started = time.perf_counter()
    losses = []
    for step in range(STEPS):
        characters, following = (part.to(device) for part in text.batch(generator, BATCH, model.size.context))
        optimizer.zero_grad()
        loss = backward(model, characters, following)
        if step == 0:
            router_gradient = gradient_of_router(model)
        losses.append(loss)
        on_step(step + 1, loss)
        if not math.isfinite(loss):
            break
        optimizer.step()
        schedule.step()
    return Run(losses, router_gradient, time.perf_counter() - started)


def first_router_gradient(operators: Any, token_dtype: torch.dtype) -> list[float]:
    """The router's gradient of the first step; with float64 tokens, the whole model is float64."""
    text = Text.load()
    model = initial_model(text, operators, token_dtype)
    backward(model, *text.batch(torch.Generator().manual_seed(SEED), BATCH, model.size.context))
    return gradient_of_router(model)


def initial_model(text: Text, operators: Any, token_dtype: torch.dtype) -> LanguageModel:
    torch.manual_seed(SEED)
    model = LanguageModel(text.alphabet_size, Size(), operators, token_dtype)
    return model.to(torch.promote_types(token_dtype, torch.float32))


def backward(model: LanguageModel, characters: torch.Tensor, following: torch.Tensor) -> float:
    """Leaves the gradient of the mean loss in the parameters, and returns that loss."""
    loss = functional.cross_entropy(model(characters).flatten(0, 1), following.flatten(), reduction="sum")
    (loss * LOSS_SCALE).backward()
    for parameter in model.parameters():
        parameter.grad /= LOSS_SCALE * following.numel()
    return loss.item() / following.numel()


def gradient_of_router(model: LanguageModel) -> list[float]:
    return model.moe.router.weight.grad.flatten().tolist()


def distance(gradient: list[float], exact: list[float]) -> float:
    """The length of the difference, relative to that of `exact`; infinite where a number is missing."""
    if not all(map(math.isfinite, gradient)):
        return math.inf
    return math.dist(gradient, exact) / math.hypot(*exact)
