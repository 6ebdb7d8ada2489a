"""Calls that must be refused, made from the declarations and from ordinary calls of the sweep.

For every tensor argument: each wrong number of dimensions, dtypes that it does not take, a dtype unlike that of another
argument of the same type, and one more along every dim that something else depends on. What no declaration says by
itself, which values are out of range, stands in the table at the end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from .cases import SWEEPS, Random
from .declarations import DECLARATIONS, Declaration


@dataclass(frozen=True)
class BadCall:
    """A call with one fault, in `argument`."""

    operator: str
    argument: str
    fault: str
    make: Callable[[], dict]
    by_value: bool = False  # only a device that has the values can see it

    def __str__(self):
        return f"{self.operator}({self.argument}: {self.fault})"


def ordinary(operator: str, **axes) -> dict:
    """A good call with every optional tensor present."""
    if operator == "npu_moe_gating_top_k_softmax":
        axes = dict(finished=True) | axes
    return SWEEPS[operator].build(Random(seed=1), **axes)


def dtype_named(name: str) -> torch.dtype:
    return getattr(torch, name)


def resized(tensor: torch.Tensor, sizes) -> torch.Tensor:
    return torch.zeros(sizes, dtype=tensor.dtype)


def wrong_ranks(declaration: Declaration, name: str) -> Iterator[tuple[str, Callable]]:
    pattern = declaration.patterns[name]
    # With a pack of dims, only too few of them are wrong by the pattern itself.
    wrong = range(len(pattern.dims) - 1) if pattern.has_pack else set(range(5)) - pattern.ranks
    for rank in wrong:
        yield f"{rank} dimensions", lambda good, rank=rank: resized(good, [2] * rank)


def wrong_dtypes(declaration: Declaration, name: str, good: torch.Tensor) -> Iterator[tuple[str, Callable]]:
    taken = {dtype_named(dtype) for dtype in declaration.dtypes(name)}
    for dtype in (torch.float32, torch.float64, torch.int64, torch.int16, torch.uint8, torch.bool, torch.complex64):
        if dtype not in taken:
            yield f"dtype {dtype}", lambda good, dtype=dtype: good.to(dtype)
    # The same type elsewhere, or a ScalarType argument, decides which of the dtypes it must be.
    pattern = declaration.patterns[name]
    if (
        pattern.dtype not in declaration.types
        or sum(p.dtype == pattern.dtype for p in declaration.patterns.values()) > 1
    ):
        for other in taken - {good.dtype}:
            yield f"dtype {other} unlike the rest", lambda good, other=other: good.to(other)


def wrong_sizes(declaration: Declaration, name: str, good: torch.Tensor) -> Iterator[tuple[str, Callable]]:
    pattern = declaration.patterns[name]
    if pattern.has_pack:
        return
    for dim, size_name in enumerate(pattern.dims[: good.dim()]):
        if declaration.mentions(size_name.rstrip("?")) > 1:
            sizes = list(good.shape)
            sizes[dim] += 1
            yield f"one more along {dim}, {size_name}", lambda good, sizes=sizes: resized(good, sizes)


def bad_tensors(declaration: Declaration) -> Iterator[BadCall]:
    arguments = ordinary(declaration.name)
    for name in declaration.patterns:
        good = arguments[name]
        faults = [
            *wrong_ranks(declaration, name),
            *wrong_dtypes(declaration, name, good),
            *wrong_sizes(declaration, name, good),
        ]
        for fault, spoil in faults:

            def make(spoil=spoil, name=name):
                arguments = ordinary(declaration.name)
                return arguments | {name: spoil(arguments[name])}

            yield BadCall(declaration.name, name, fault, make)


def with_value(name, position, value):
    """Spoil one element of an argument."""

    def spoil(arguments):
        tensor = arguments[name].clone()
        tensor[position] = value
        return {name: tensor}

    return spoil


def with_argument(**replaced):
    return lambda arguments: replaced


# operator, argument that is at fault, the fault, axes of the ordinary call, how to spoil it; seen without values?
_BY_HAND = [
    ("npu_moe_token_permute", "num_out_tokens", "drops 11 of 10", {}, with_argument(num_out_tokens=-11), False),
    ("npu_moe_token_permute", "padded_mode", "true", {}, with_argument(padded_mode=True), False),
    ("npu_moe_token_permute_grad", "padded_mode", "true", {}, with_argument(padded_mode=True), False),
    ("npu_moe_token_permute_grad_v2", "padded_mode", "true", {}, with_argument(padded_mode=True), False),
    ("npu_moe_token_permute_grad_v2", "num_topK", "0", {}, with_argument(num_topK=0), False),
    ("npu_moe_token_permute_grad_v2", "num_topK", "not that of the slots", {}, with_argument(num_topK=3), False),
    ("npu_moe_token_permute_grad_v2", "tokens_size_0", "negative", {}, with_argument(tokens_size_0=-5), False),
    (
        "npu_moe_token_permute_grad_v2",
        "tokens_size_0",
        "product overflows int64",
        {},
        with_argument(tokens_size_0=2**62, num_topK=4),
        False,
    ),
    (
        "npu_moe_token_permute_grad_v2",
        "tokens_dtype",
        "unlike the gradient",
        {},
        with_argument(tokens_dtype=torch.float16),
        False,
    ),
    *[
        (operator, "padded_mode", "true", {}, with_argument(padded_mode=True), False)
        for operator in SWEEPS
        if operator.lstrip("_").startswith("npu_moe_token_unpermute") and "map" not in operator
    ],
    (
        "npu_moe_token_unpermute_grad_v2",
        "permuted_tokens_size_0",
        "negative",
        dict(P=None, given=False),
        with_argument(permuted_tokens_size_0=-1),
        False,
    ),
    (
        "npu_moe_token_unpermute_grad_v2",
        "permuted_tokens_dtype",
        "unlike the gradient",
        dict(P=None, given=False),
        with_argument(permuted_tokens_dtype=torch.float16),
        False,
    ),
    (
        "npu_moe_token_unpermute_grad_v2",
        "permuted_tokens",
        "absent though probs is given",
        {},
        with_argument(permuted_tokens=None),
        False,
    ),
    (
        "npu_moe_token_permute_with_routing_map",
        "num_out_tokens",
        "negative",
        {},
        with_argument(num_out_tokens=-4),
        False,
    ),
    (
        "npu_moe_token_permute_with_routing_map",
        "num_out_tokens",
        "more rows an expert than tokens",
        dict(T=3, E=4, pad=True),
        with_argument(num_out_tokens=24),
        False,
    ),
    (
        "npu_moe_token_permute_with_routing_map",
        "routing_map",
        "selects fewer slots than num_out_tokens",
        {},
        with_value("routing_map", (slice(None), slice(None)), 0),
        True,
    ),
    (
        "npu_moe_token_permute_with_routing_map",
        "routing_map",
        "selects more slots than num_out_tokens",
        {},
        with_value("routing_map", (slice(None), slice(None)), 1),
        True,
    ),
    (
        "npu_moe_token_permute_with_routing_map_grad",
        "routing_map",
        "selects fewer slots than there are rows",
        {},
        with_value("routing_map", (slice(None), slice(None)), 0),
        True,
    ),
    (
        "npu_moe_token_permute_with_routing_map_grad",
        "routing_map",
        "selects more slots than there are rows",
        {},
        with_value("routing_map", (slice(None), slice(None)), 1),
        True,
    ),
    ("npu_moe_token_permute_with_routing_map_grad", "tokens_num", "negative", {}, with_argument(tokens_num=-4), False),
    ("npu_moe_token_permute_with_routing_map_grad", "experts_num", "4 of 3", {}, with_argument(experts_num=4), False),
    *[
        (operator, "restore_shape", f"{shape}", {}, with_argument(restore_shape=shape), False)
        for operator in SWEEPS
        if "unpermute_with_routing_map" in operator
        for shape in ([], [4], [4, 5, 1], [-4, 5], [4, 6], [3, 5], [0, 5])
    ],
    *[
        (operator, "routing_map", "absent though probs is given", {}, with_argument(routing_map=None), False)
        for operator in SWEEPS
        if "unpermute_with_routing_map" in operator
    ],
    *[
        (operator, "routing_map", f"first row all {n}", {}, with_value("routing_map", (0, slice(None)), n), True)
        for operator in SWEEPS
        if "unpermute_with_routing_map" in operator
        for n in (0, 1)
    ],
    (
        "npu_moe_token_unpermute_with_routing_map_grad",
        "permuted_tokens",
        "absent though probs is given",
        {},
        with_argument(permuted_tokens=None),
        False,
    ),
    ("npu_moe_gating_top_k_softmax", "k", "8 of 7 experts", {}, with_argument(k=8), False),
    ("npu_moe_gating_top_k_softmax", "k", "negative", {}, with_argument(k=-1), False),
    ("npu_moe_gating_top_k_softmax", "x", "4 dimensions", dict(B=(2, 3, 4)), with_argument(), False),
    ("npu_moe_gating_top_k_softmax", "x", "1 dimension", dict(B=()), with_argument(), False),
    (
        "npu_moe_gating_top_k_softmax",
        "finished",
        "another size",
        {},
        with_argument(finished=torch.zeros(6, dtype=torch.bool)),
        False,
    ),
    *[("npu_swiglu", "dim", f"{dim}", {}, with_argument(dim=dim), False) for dim in (2, -3, 2**40)],
    ("npu_swiglu", "self", "odd size", {}, with_argument(self=torch.zeros(3, 7)), False),
    ("npu_swiglu", "self", "no dimension", {}, with_argument(self=torch.zeros(())), False),
    *[("npu_swiglu_backward", "dim", f"{dim}", {}, with_argument(dim=dim), False) for dim in (2, -3)],
    ("npu_swiglu_backward", "self", "odd size", {}, with_argument(self=torch.zeros(3, 9)), False),
    ("npu_swiglu_backward", "grad_output", "another size", {}, with_argument(grad_output=torch.zeros(3, 5)), False),
    ("npu_swiglu_backward", "grad_output", "another rank", {}, with_argument(grad_output=torch.zeros(12)), False),
]


def out_of_range() -> Iterator[BadCall]:
    """A negative id or row, first and last; and, where there are as many rows as slots, a row beyond the last."""
    for operator, name, bad in [
        ("npu_moe_token_permute", "indices", (-1, -(2**31))),
        ("npu_moe_token_permute_grad", "sorted_indices", (-1, -(2**31))),
        ("npu_moe_token_permute_grad_v2", "sorted_indices", (-1, -(2**31))),
        ("npu_moe_token_unpermute", "sorted_indices", (-1, -(2**31))),
        ("_npu_moe_token_unpermute", "sorted_indices", (-1, -(2**31))),
        ("npu_moe_token_unpermute_grad", "sorted_indices", (-1, -(2**31))),
        ("npu_moe_token_unpermute_grad_v2", "sorted_indices", (-1, -(2**31))),
        ("npu_moe_token_permute_with_routing_map_grad", "sorted_indices", (-1, 8, 2**31 - 1)),
        ("npu_moe_token_unpermute_with_routing_map", "sorted_indices", (-1, 8, 2**31 - 1)),
        ("_npu_moe_token_unpermute_with_routing_map", "sorted_indices", (-1, 8, 2**31 - 1)),
        ("npu_moe_token_unpermute_with_routing_map_grad", "out_index", (-1, 8, 2**31 - 1)),
    ]:
        for value in bad:
            for position in (0, -1):
                yield _by_hand(operator, name, f"{value} at {position}", {}, with_value(name, position, value), True)
    # With drop_and_pad the indices are tokens, of which there are 4.
    for operator, name in [
        ("npu_moe_token_permute_with_routing_map_grad", "sorted_indices"),
        ("npu_moe_token_unpermute_with_routing_map", "sorted_indices"),
        ("_npu_moe_token_unpermute_with_routing_map", "sorted_indices"),
        ("npu_moe_token_unpermute_with_routing_map_grad", "permuted_token_id"),
    ]:
        for value in (-1, 4, 2**31 - 1):
            fault = f"token {value} where drop_and_pad"
            yield _by_hand(operator, name, fault, dict(pad=True), with_value(name, 3, value), True)
    fault = "row 6 where drop_and_pad"
    operator = "npu_moe_token_unpermute_with_routing_map_grad"
    yield _by_hand(operator, "out_index", fault, dict(pad=True), with_value("out_index", 3, 6), True)


def _by_hand(operator, argument, fault, axes, spoil, by_value) -> BadCall:
    def make():
        arguments = ordinary(operator, **axes)
        return arguments | spoil(arguments)

    return BadCall(operator, argument, fault, make, by_value)


BAD_CALLS = [
    *(bad for declaration in DECLARATIONS.values() for bad in bad_tensors(declaration)),
    *(_by_hand(*row) for row in _BY_HAND),
    *out_of_range(),
]
