"""Which operators have a gradient: of which arguments, through which results, and by which operator."""

from dataclasses import dataclass

import torch

from .calls import call
from .cases import SWEEPS, Random


@dataclass(frozen=True)
class Differentiable:
    operator: str
    of: tuple[str, ...]  # arguments
    through: int = 1  # the first results, that are differentiable
    axes: tuple[tuple[str, object], ...] = ()

    def __str__(self):
        return ", ".join([self.operator, *(f"{k}={v}" for k, v in self.axes)])

    def arguments(self, **axes) -> dict:
        return SWEEPS[self.operator].build(Random(seed=2), **dict(self.axes), **axes)

    def results(self, arguments: dict) -> tuple[torch.Tensor, ...]:
        """The differentiable results that are present."""
        return tuple(result for result in call(self.operator, arguments)[: self.through] if result is not None)

    def gradients(self, arguments: dict, wanted=None, upstream=None) -> dict[str, torch.Tensor]:
        """The gradients of the `wanted` arguments, by default all, for upstream gradients of the results."""
        leaves = {name: arguments[name].detach().requires_grad_() for name in wanted or self.of}
        results = self.results(arguments | leaves)
        pairs = zip(results, upstream or self.upstream(results), strict=True)
        results, upstream = zip(*(pair for pair in pairs if pair[0].requires_grad), strict=True)
        return dict(zip(leaves, torch.autograd.grad(results, list(leaves.values()), upstream), strict=True))

    def upstream(self, results) -> list[torch.Tensor]:
        random = Random(seed=3)
        return [random.normal(*result.shape, dtype=result.dtype) for result in results]


DIFFERENTIABLE = [
    Differentiable("npu_moe_token_permute", ("tokens",)),
    Differentiable("npu_moe_token_permute", ("tokens",), axes=(("num_out_tokens", 7),)),
    Differentiable("npu_moe_token_unpermute", ("permuted_tokens", "probs")),
    Differentiable("npu_moe_token_unpermute", ("permuted_tokens", "probs"), axes=(("R", 7),)),
    Differentiable("_npu_moe_token_unpermute", ("permuted_tokens", "probs")),
    *(
        Differentiable(operator, of, through, axes=(("pad", pad),))
        for pad in (False, True)
        for operator, of, through in [
            ("npu_moe_token_permute_with_routing_map", ("tokens", "probs"), 2),
            ("npu_moe_token_unpermute_with_routing_map", ("permuted_tokens", "probs"), 1),
            ("_npu_moe_token_unpermute_with_routing_map", ("permuted_tokens", "probs"), 1),
        ]
    ),
    Differentiable("npu_swiglu", ("self",)),
    Differentiable("npu_swiglu", ("self",), axes=(("Z", (4, 6)), ("dim", 0))),
]
WITH_PROBS = [op for op in DIFFERENTIABLE if "probs" in op.of]
