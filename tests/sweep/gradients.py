"""Which operators have a gradient: of which arguments, through which results, and by which call of which operator."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from reference import REFERENCES

from .calls import call
from .cases import SWEEPS, Random

# The gradient of a call as the mathematics of the operator demands it: the gradient operator and its arguments, from
# the arguments of the call and the upstream gradients of its results.
GradientCall = tuple[str, dict]


def gradient_of_permute(arguments, upstream) -> GradientCall:
    return "npu_moe_token_permute_grad", dict(
        tokens=arguments["tokens"],
        grad_permuted_tokens=upstream[0],
        indices=arguments["indices"],
        sorted_indices=call("npu_moe_token_permute", arguments)[1],
    )


def gradient_of_unpermute(arguments, upstream) -> GradientCall:
    return "npu_moe_token_unpermute_grad", dict(arguments, grad_unpermuted_tokens=upstream[0])


def gradient_of_permute_with_routing_map(arguments, upstream) -> GradientCall:
    tokens_num, experts_num = arguments["routing_map"].shape
    return "npu_moe_token_permute_with_routing_map_grad", dict(
        permuted_token_out_grad=upstream[0],
        probs_grad=upstream[1],
        sorted_indices=call("npu_moe_token_permute_with_routing_map", arguments)[2],
        routing_map=arguments["routing_map"],
        experts_num=experts_num,
        tokens_num=tokens_num,
        drop_and_pad=arguments["drop_and_pad"],
    )


def gradient_of_unpermute_with_routing_map(arguments, upstream) -> GradientCall:
    _, out_index, permuted_token_id, _ = REFERENCES["_npu_moe_token_unpermute_with_routing_map"](**arguments)
    return "npu_moe_token_unpermute_with_routing_map_grad", dict(
        {name: value for name, value in arguments.items() if name != "sorted_indices"},
        unpermuted_tokens_grad=upstream[0],
        out_index=out_index.values,
        permuted_token_id=permuted_token_id.values,
    )


def gradient_of_swiglu(arguments, upstream) -> GradientCall:
    return "npu_swiglu_backward", dict(arguments, grad_output=upstream[0])


@dataclass(frozen=True)
class Differentiable:
    operator: str
    of: tuple[str, ...]  # arguments
    by: Callable[[dict, list], GradientCall]
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

    def reference(self, arguments: dict, upstream) -> dict:
        """The gradients that are expected."""
        operator, gradient_arguments = self.by(arguments, upstream)
        return dict(zip(self.of, REFERENCES[operator](**gradient_arguments), strict=True))

    def upstream(self, results) -> list[torch.Tensor]:
        random = Random(seed=3)
        return [random.normal(*result.shape, dtype=result.dtype) for result in results]


UNPERMUTE_WITH_ROUTING_MAP = (("permuted_tokens", "probs"), gradient_of_unpermute_with_routing_map, 1)

DIFFERENTIABLE = [
    Differentiable("npu_moe_token_permute", ("tokens",), gradient_of_permute),
    Differentiable("npu_moe_token_permute", ("tokens",), gradient_of_permute, axes=(("num_out_tokens", 7),)),
    Differentiable("npu_moe_token_unpermute", ("permuted_tokens", "probs"), gradient_of_unpermute),
    Differentiable("npu_moe_token_unpermute", ("permuted_tokens", "probs"), gradient_of_unpermute, axes=(("R", 7),)),
    Differentiable("_npu_moe_token_unpermute", ("permuted_tokens", "probs"), gradient_of_unpermute),
    *(
        Differentiable(operator, of, by, through, axes=(("pad", pad),))
        for pad in (False, True)
        for operator, of, by, through in [
            ("npu_moe_token_permute_with_routing_map", ("tokens", "probs"), gradient_of_permute_with_routing_map, 2),
            ("npu_moe_token_unpermute_with_routing_map", *UNPERMUTE_WITH_ROUTING_MAP),
            ("_npu_moe_token_unpermute_with_routing_map", *UNPERMUTE_WITH_ROUTING_MAP),
        ]
    ),
    Differentiable("npu_swiglu", ("self",), gradient_of_swiglu),
    Differentiable("npu_swiglu", ("self",), gradient_of_swiglu, axes=(("Z", (4, 6)), ("dim", 0))),
]
WITH_PROBS = [op for op in DIFFERENTIABLE if "probs" in op.of]
