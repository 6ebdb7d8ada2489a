"""Calls that must be refused, made from the declarations and from ordinary calls of the sweep.

For every tensor argument: each wrong number of dimensions, dtypes that it does not take, a dtype unlike that of another
argument of the same type, and one more along every dim that something else depends on. What no declaration says by
itself, which values are out of range, stands in the table at the end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch

from .cases import SWEEPS, Random
from .declarations import DECLARATIONS, Declaration

Spoil = Callable[[dict], dict]  # from the good arguments to those that are replaced


@dataclass(frozen=True)
class Fault:
    argument: str
    text: str
    spoil: Spoil
    axes: dict = field(default_factory=dict)  # of the good call
    by_value: bool = False  # only a device that has the values can see it


@dataclass(frozen=True)
class BadCall:
    """A call with one fault."""

    operator: str
    fault: "Fault"

    @property
    def argument(self) -> str:
        return self.fault.argument

    @property
    def by_value(self) -> bool:
        return self.fault.by_value

    def make(self) -> dict:
        arguments = ordinary(self.operator, **self.fault.axes)
        return arguments | self.fault.spoil(arguments)

    def __str__(self):
        return f"{self.operator}({self.argument}: {self.fault.text})"


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


def faults_of_tensors(declaration: Declaration) -> Iterator[Fault]:
    arguments = ordinary(declaration.name)
    for name in declaration.patterns:
        spoilers = [
            *wrong_ranks(declaration, name),
            *wrong_dtypes(declaration, name, arguments[name]),
            *wrong_sizes(declaration, name, arguments[name]),
        ]
        for text, spoil in spoilers:
            yield Fault(name, text, lambda good, name=name, spoil=spoil: {name: spoil(good[name])})


def replaced(**arguments) -> Spoil:
    return lambda good: arguments


def element(name: str, position, value) -> Spoil:
    """One element, or one slice, of a tensor set to a value."""

    def spoil(good):
        tensor = good[name].clone()
        tensor[position] = value
        return {name: tensor}

    return spoil


def bad_indices(name: str, *values: int) -> list[Fault]:
    """Each of the values as the first and as the last index."""
    return [
        Fault(name, f"{value} at {position}", element(name, position, value), by_value=True)
        for value in values
        for position in (0, -1)
    ]


def bad_indices_of_capacity(name: str, *values: int) -> list[Fault]:
    return [
        Fault(name, f"{value} with drop_and_pad", element(name, 3, value), dict(pad=True), by_value=True)
        for value in values
    ]


def wrong_selection(text: str, position, value: int) -> Fault:
    return Fault("routing_map", text, element("routing_map", position, value), by_value=True)


EVERYWHERE = (slice(None), slice(None))
NEGATIVE = (-1, -(2**31))
NO_ROW = (-1, 8, 2**31 - 1)  # of 8 rows
NO_TOKEN = (-1, 4, 2**31 - 1)  # of 4 tokens

PADDED = Fault("padded_mode", "true", replaced(padded_mode=True))
NO_MAP = Fault("routing_map", "absent though probs is given", replaced(routing_map=None))
NO_PERMUTED_TOKENS = Fault("permuted_tokens", "absent though probs is given", replaced(permuted_tokens=None))
SHAPES = [
    Fault("restore_shape", str(shape), replaced(restore_shape=shape))
    for shape in ([], [4], [4, 5, 1], [-4, 5], [4, 6], [3, 5], [0, 5])
]
SELECTIONS = [wrong_selection("selects none", EVERYWHERE, 0), wrong_selection("selects all", EVERYWHERE, 1)]
WITHOUT_PROBS = dict(P=None, given=False)

# What no pattern of a declaration says by itself: rules, and values out of range.
FAULTS_OF_VALUES: dict[str, list[Fault]] = {
    "npu_moe_token_permute": [
        PADDED,
        Fault("num_out_tokens", "drops 11 of 10", replaced(num_out_tokens=-11)),
        Fault("num_out_tokens", "the least number", replaced(num_out_tokens=-(2**63))),
        *bad_indices("indices", *NEGATIVE),
    ],
    "npu_moe_token_permute_grad": [PADDED, *bad_indices("sorted_indices", *NEGATIVE)],
    "npu_moe_token_permute_grad_v2": [
        PADDED,
        Fault("num_topK", "0", replaced(num_topK=0)),
        Fault("num_topK", "not that of the slots", replaced(num_topK=3)),
        Fault("tokens_size_0", "negative", replaced(tokens_size_0=-5)),
        Fault("tokens_size_0", "too many slots for 64 bits", replaced(tokens_size_0=2**62, num_topK=4)),
        Fault("tokens_dtype", "unlike the gradient", replaced(tokens_dtype=torch.float16)),
        Fault("tokens_dtype", "an integer", replaced(tokens_dtype=torch.int32)),
        *bad_indices("sorted_indices", *NEGATIVE),
    ],
    "npu_moe_token_unpermute": [PADDED, *bad_indices("sorted_indices", *NEGATIVE)],
    "_npu_moe_token_unpermute": [PADDED, *bad_indices("sorted_indices", *NEGATIVE)],
    "npu_moe_token_unpermute_grad": [PADDED, *bad_indices("sorted_indices", *NEGATIVE)],
    "npu_moe_token_unpermute_grad_v2": [
        PADDED,
        NO_PERMUTED_TOKENS,
        Fault("permuted_tokens_size_0", "negative", replaced(permuted_tokens_size_0=-1), WITHOUT_PROBS),
        Fault(
            "permuted_tokens_dtype", "unlike the gradient", replaced(permuted_tokens_dtype=torch.half), WITHOUT_PROBS
        ),
        *bad_indices("sorted_indices", *NEGATIVE),
    ],
    "npu_moe_token_permute_with_routing_map": [
        Fault("num_out_tokens", "negative", replaced(num_out_tokens=-4)),
        Fault("num_out_tokens", "8 rows an expert, 4 tokens", replaced(num_out_tokens=24), dict(pad=True)),
        *SELECTIONS,
    ],
    "npu_moe_token_permute_with_routing_map_grad": [
        Fault("tokens_num", "negative", replaced(tokens_num=-4)),
        Fault("experts_num", "4 of 3", replaced(experts_num=4)),
        *SELECTIONS,
        *bad_indices("sorted_indices", *NO_ROW),
        *bad_indices_of_capacity("sorted_indices", *NO_TOKEN),
    ],
    "npu_moe_token_unpermute_with_routing_map": [
        NO_MAP,
        *SHAPES,
        *SELECTIONS,
        *bad_indices("sorted_indices", *NO_ROW),
        *bad_indices_of_capacity("sorted_indices", *NO_TOKEN),
    ],
    "_npu_moe_token_unpermute_with_routing_map": [
        NO_MAP,
        *SHAPES,
        *SELECTIONS,
        *bad_indices("sorted_indices", *NO_ROW),
        *bad_indices_of_capacity("sorted_indices", *NO_TOKEN),
    ],
    "npu_moe_token_unpermute_with_routing_map_grad": [
        NO_MAP,
        NO_PERMUTED_TOKENS,
        *SHAPES,
        *SELECTIONS,
        *bad_indices("out_index", *NO_ROW),
        *bad_indices_of_capacity("out_index", -1, 6, 2**31 - 1),
        *bad_indices_of_capacity("permuted_token_id", *NO_TOKEN),
    ],
    "npu_moe_gating_top_k_softmax": [
        Fault("k", "8 of 7 experts", replaced(k=8)),
        Fault("k", "negative", replaced(k=-1)),
        Fault("x", "4 dimensions", replaced(), dict(B=(2, 3, 4))),
        Fault("x", "1 dimension", replaced(), dict(B=())),
        Fault("finished", "one row more", replaced(finished=torch.zeros(6, dtype=torch.bool))),
        Fault("finished", "one dimension more", replaced(finished=torch.zeros(5, 1, dtype=torch.bool))),
    ],
    "npu_swiglu": [
        *(Fault("dim", str(dim), replaced(dim=dim)) for dim in (2, -3, 2**40, -(2**63))),
        Fault("self", "an odd size", replaced(self=torch.zeros(3, 7))),
        Fault("self", "no dimensions", replaced(self=torch.zeros(()))),
    ],
    "npu_swiglu_backward": [
        *(Fault("dim", str(dim), replaced(dim=dim)) for dim in (2, -3, 2**40, -(2**63))),
        Fault("self", "an odd size", replaced(self=torch.zeros(3, 9))),
        Fault("grad_output", "another size", replaced(grad_output=torch.zeros(3, 5))),
        Fault("grad_output", "another number of dimensions", replaced(grad_output=torch.zeros(12))),
    ],
}

BAD_CALLS = [
    BadCall(name, fault)
    for name, declaration in DECLARATIONS.items()
    for fault in [*faults_of_tensors(declaration), *FAULTS_OF_VALUES.get(name, [])]
]
