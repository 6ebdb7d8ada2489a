"""A small character-level transformer whose feed-forward blocks are mixtures of experts in mixed precision."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True)
class Size:
    """How large the model is."""

    context: int = 64
    hidden: int = 128
    heads: int = 4
    experts: int = 8
    chosen: int = 2
    expert_hidden: int = 128


class Experts(nn.Module):
    """Feed-forward networks with a gate; each works on its own consecutive rows of tokens."""

    def __init__(self, size: Size, operators: Any):
        super().__init__()
        self.operators = operators
        self.up = nn.Parameter(torch.randn(size.experts, size.hidden, 2 * size.expert_hidden) / math.sqrt(size.hidden))
        self.down = nn.Parameter(
            torch.randn(size.experts, size.expert_hidden, size.hidden) / math.sqrt(size.expert_hidden)
        )

    def forward(self, tokens: torch.Tensor, rows_of_expert: list[int]) -> torch.Tensor:
        up = rounded(self.up, tokens.dtype).unbind()
        down = rounded(self.down, tokens.dtype).unbind()
        outputs = [
            multiply(self.operators.npu_swiglu(multiply(rows, up[expert])), down[expert])
            for expert, rows in enumerate(tokens.split(rows_of_expert))
        ]
        return torch.cat(outputs)


def rounded(weight: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """`weight` with the values that `dtype` can store. Its gradient, a sum over many tokens, stays in float32."""
    return weight + (weight.to(dtype).to(weight.dtype) - weight).detach()


def multiply(rows: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """The product as a matrix unit makes it: operands and result in the dtype of `rows`, sums in that of `weight`."""
    return (rows.to(weight.dtype) @ weight).to(rows.dtype)


class MixtureOfExperts(nn.Module):
    """Each token goes to the experts that the router finds most probable, and gets their weighted sum back.

    Tokens are in `token_dtype` between the permutation and its inverse; the router stays in the dtype of the model.
    """

    def __init__(self, size: Size, operators: Any, token_dtype: torch.dtype):
        super().__init__()
        self.size = size
        self.operators = operators
        self.token_dtype = token_dtype
        self.router = nn.Linear(size.hidden, size.experts, bias=False)
        self.experts = Experts(size, operators)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        probs, chosen = self.router(hidden).softmax(-1).topk(self.size.chosen)
        rows_of_expert = torch.bincount(chosen.flatten().cpu(), minlength=self.size.experts).tolist()

        tokens = hidden.to(self.token_dtype)
        permuted_tokens, sorted_indices = self.operators.npu_moe_token_permute(tokens, chosen)
        expert_outputs = self.experts(permuted_tokens, rows_of_expert)
        outputs = self.operators.npu_moe_token_unpermute(expert_outputs, sorted_indices, probs)
        return outputs.to(hidden.dtype)


class Attention(nn.Module):
    """Causal self-attention."""

    def __init__(self, size: Size):
        super().__init__()
        self.heads = size.heads
        self.query_key_value = nn.Linear(size.hidden, 3 * size.hidden, bias=False)
        self.output = nn.Linear(size.hidden, size.hidden, bias=False)
        future = torch.ones(size.context, size.context).triu(1)
        self.register_buffer("mask", future * -1e9)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        batch, length, width = hidden.shape
        query, key, value = (
            part.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.query_key_value(hidden).chunk(3, dim=-1)
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(width // self.heads)
        mixed = (scores + self.mask).softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """Attention, then a feed-forward network, each added to what comes in."""

    def __init__(self, size: Size, feed_forward: nn.Module):
        super().__init__()
        self.attention_norm = nn.LayerNorm(size.hidden)
        self.attention = Attention(size)
        self.feed_forward_norm = nn.LayerNorm(size.hidden)
        self.feed_forward = feed_forward

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        hidden = hidden + self.attention(self.attention_norm(hidden))
        tokens = self.feed_forward_norm(hidden).flatten(0, 1)
        return hidden + self.feed_forward(tokens).view_as(hidden)


def dense_feed_forward(size: Size) -> nn.Module:
    return nn.Sequential(
        nn.Linear(size.hidden, 2 * size.hidden), nn.SiLU(), nn.Linear(2 * size.hidden, size.hidden, bias=False)
    )


class LanguageModel(nn.Module):
    """Scores for the next character at every place. As in many such models, the first feed-forward network is dense."""

    def __init__(self, alphabet_size: int, size: Size, operators: Any, token_dtype: torch.dtype):
        super().__init__()
        self.size = size
        self.characters = nn.Embedding(alphabet_size, size.hidden)
        nn.init.normal_(self.characters.weight, std=0.5)
        self.places = nn.Parameter(torch.randn(size.context, size.hidden) * 0.05)
        self.moe = MixtureOfExperts(size, operators, token_dtype)
        self.blocks = nn.Sequential(Block(size, dense_feed_forward(size)), Block(size, self.moe))
        self.norm = nn.LayerNorm(size.hidden)
        self.scores = nn.Linear(size.hidden, alphabet_size, bias=False)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        hidden = self.characters(characters) + self.places
        return self.scores(self.norm(self.blocks(hidden)))
