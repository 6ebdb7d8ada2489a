"""Reference of npu_moe_gating_top_k_softmax."""

import math

import torch

from .expected import FLOAT32_UNIT, Expected, copied, gamma


def npu_moe_gating_top_k_softmax(x, finished=None, k=1):
    """Rows that contain NaN have no reference: their y is NaN here, and any k different experts are right."""
    experts = x.size(-1)
    rows = math.prod(x.shape[:-1])
    logits = x.double().reshape(rows, experts)

    y = torch.zeros(rows, k, dtype=torch.float64)
    error = torch.zeros(rows, k, dtype=torch.float64)
    expert_idx = torch.zeros(rows, k, dtype=torch.int64)
    for row in range(rows):
        if experts == 0:
            continue
        softmax = torch.softmax(logits[row], dim=0)
        by_probability = sorted(range(experts), key=lambda expert: (-logits[row, expert].item(), expert))[:k]
        expert_idx[row] = torch.tensor(by_probability, dtype=torch.int64)
        y[row] = softmax[expert_idx[row]]
        # The difference d to the largest logit is rounded once, which moves exp(-d) by d units. In the sum of E of them
        # that weighs d * exp(-d) < 1, so E units, and E more for adding; 10 are for two exponentials and the quotient.
        # Exponentials below the normal range of float32 are good to its smallest number.
        difference = (logits[row].max() - logits[row, expert_idx[row]]).nan_to_num(posinf=0.0)
        error[row] = gamma(difference + 2 * experts + 10, FLOAT32_UNIT) * y[row] + 2.0**-126

    row_idx = torch.arange(rows).unsqueeze(1) + rows * torch.arange(k).unsqueeze(0)
    if finished is not None:
        expert_idx[finished.reshape(-1)] = experts
    sizes = (*x.shape[:-1], k)
    return (
        Expected(y.reshape(sizes), x.dtype, error.reshape(sizes)),
        copied(expert_idx.reshape(sizes), torch.int32),
        copied(row_idx.reshape(sizes), torch.int32),
    )
