"""The sweep: every operator with many valid arguments, as data.

A builder makes the arguments of one operator from sizes, dtypes and options; its defaults are the ordinary case. SWEEPS
says which of them vary, each group of axes in every combination and the rest as by default. Mixed dtypes, one choice
instead of two, nothing at all and prime sizes are ordinary values of an axis.
"""

# ruff: noqa: E741 (I is what the declarations call the dtype of indices)

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from .layouts import LAYOUTS, contiguous

FLOATS = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
INTEGERS = [torch.int32, torch.int64]
MAPS = [torch.bool, torch.int8]
PROBS = [None, *FLOATS]  # None: absent


class Random:
    """Repeatable values. Products and sums of a few dozen of them stay far inside float16."""

    def __init__(self, seed: int):
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *sizes, dtype):
        return torch.randn(sizes, generator=self.generator, dtype=torch.float64).to(dtype)

    def uniform(self, *sizes, dtype):
        return torch.rand(sizes, generator=self.generator, dtype=torch.float64).to(dtype)

    def below(self, limit, *sizes, dtype):
        return torch.randint(max(limit, 1), sizes, generator=self.generator).to(dtype)

    def permutation(self, n, dtype):
        return torch.randperm(n, generator=self.generator).to(dtype)

    def map(self, tokens, experts, choices, dtype, uneven=False):
        """`choices` experts for each token; uneven: the first token gives one of its choices to the last."""
        selected = torch.zeros(tokens, experts, dtype=torch.int8)
        for token in range(tokens):
            n = choices + (uneven and token == tokens - 1) - (uneven and token == 0)
            selected[token, torch.randperm(experts, generator=self.generator)[:n]] = 1
        return selected.to(dtype)

    def tokens_of_experts(self, tokens, experts, capacity, dtype):
        """`capacity` different tokens for each expert."""
        chosen = [torch.randperm(tokens, generator=self.generator)[:capacity] for _ in range(experts)]
        return torch.cat([torch.zeros(0, dtype=torch.int64), *chosen]).to(dtype)


# Builders: one for each operator, from a source of random values and the axes of the sweep.


def npu_moe_token_permute(random, T=5, K=2, H=6, E=4, D=torch.float32, I=torch.int32, num_out_tokens=None):
    sizes = (T,) if K is None else (T, K)
    return dict(
        tokens=random.normal(T, H, dtype=D), indices=random.below(E, *sizes, dtype=I), num_out_tokens=num_out_tokens
    )


def npu_moe_token_permute_grad(random, T=5, K=2, H=6, E=4, D=torch.float32, I=torch.int32, J=torch.int32, N=None):
    slots = T if K is None else T * K
    return dict(
        tokens=random.normal(T, H, dtype=D),
        grad_permuted_tokens=random.normal(slots if N is None else N, H, dtype=D),
        indices=random.below(E, *((T,) if K is None else (T, K)), dtype=I),
        sorted_indices=random.permutation(slots, J),
    )


def npu_moe_token_permute_grad_v2(random, T=5, K=2, H=6, D=torch.float32, J=torch.int32, N=None):
    return dict(
        grad_permuted_tokens=random.normal(T * K if N is None else N, H, dtype=D),
        sorted_indices=random.permutation(T * K, J),
        tokens_size_0=T,
        tokens_dtype=D,
        num_topK=K,
    )


def _unpermute(random, T, K, H, D, P, I, R, repeated):
    slots = T * K if P is not None else T
    rows = slots if R is None else R
    return dict(
        permuted_tokens=random.normal(rows, H, dtype=D),
        sorted_indices=random.below(rows, slots, dtype=I) if repeated else random.permutation(slots, I),
        probs=None if P is None else random.uniform(T, K, dtype=P),
    )


def npu_moe_token_unpermute(
    random, T=5, K=2, H=6, D=torch.float32, P=torch.float32, I=torch.int32, R=None, repeated=False, restore_shape=None
):
    return dict(_unpermute(random, T, K, H, D, P, I, R, repeated), restore_shape=restore_shape)


def npu_moe_token_unpermute_grad(random, T=5, D=torch.float32, H=6, **axes):
    return dict(
        npu_moe_token_unpermute(random, T=T, D=D, H=H, **axes), grad_unpermuted_tokens=random.normal(T, H, dtype=D)
    )


def npu_moe_token_unpermute_grad_v2(random, given=True, **axes):
    """given: whether permuted_tokens is passed although probs does not need it."""
    arguments = npu_moe_token_unpermute_grad(random, **axes)
    permuted_tokens = arguments.pop("permuted_tokens")
    return dict(
        arguments,
        permuted_tokens_size_0=permuted_tokens.size(0),
        permuted_tokens_dtype=permuted_tokens.dtype,
        permuted_tokens=permuted_tokens if given or arguments["probs"] is not None else None,
    )


def npu_moe_token_permute_with_routing_map(
    random, T=4, K=2, E=3, H=5, D=torch.float32, P=torch.float32, M=torch.int8, pad=False, C=2, surplus=0, uneven=False
):
    """C: rows of each expert where `pad`, None for the default; surplus: by how much num_out_tokens exceeds them."""
    rows = (None if C is None else E * C) if pad else (None if K == 1 else T * K)
    return dict(
        tokens=random.normal(T, H, dtype=D),
        routing_map=random.map(T, E, K, M, uneven),
        probs=None if P is None else random.uniform(T, E, dtype=P),
        num_out_tokens=None if rows is None else rows + surplus,
        drop_and_pad=pad,
    )


def npu_moe_token_permute_with_routing_map_grad(
    random,
    T=4,
    K=2,
    E=3,
    H=5,
    D=torch.float32,
    P=torch.float32,
    I=torch.int32,
    M=torch.int8,
    pad=False,
    C=2,
    uneven=False,
):
    rows = E * C if pad else T * K
    return dict(
        permuted_token_out_grad=random.normal(rows, H, dtype=D),
        probs_grad=None if P is None else random.normal(rows, dtype=P),
        sorted_indices=random.tokens_of_experts(T, E, C, I) if pad else random.permutation(rows, I),
        routing_map=random.map(T, E, K, M, uneven),
        experts_num=E,
        tokens_num=T,
        drop_and_pad=pad,
    )


def npu_moe_token_unpermute_with_routing_map(
    random, T=4, K=2, E=3, H=5, D=torch.float32, P=torch.float32, I=torch.int32, M=torch.int8, pad=False, C=2
):
    """M: None where the map is absent, which takes drop_and_pad or absent probs."""
    rows = E * C if pad else T * K
    return dict(
        permuted_tokens=random.normal(rows, H, dtype=D),
        sorted_indices=random.tokens_of_experts(T, E, C, I) if pad else random.permutation(rows, I),
        restore_shape=[T, H],
        probs=None if P is None else random.uniform(T, E, dtype=P),
        routing_map=None if M is None else random.map(T, E, K, M),
        drop_and_pad=pad,
    )


def npu_moe_token_unpermute_with_routing_map_grad(
    random, T=4, K=2, H=5, D=torch.float32, J=None, pad=False, ids="tokens", given=True, **axes
):
    """J: dtype of permuted_token_id, by default that of out_index. ids: upstream passes the sorted_indices for both
    where not drop_and_pad, and no value of permuted_token_id is read."""
    forward = npu_moe_token_unpermute_with_routing_map(random, T=T, K=K, H=H, D=D, pad=pad, **axes)
    sorted_indices = forward["sorted_indices"]
    if pad:
        token_ids, out_index = sorted_indices.sort(stable=True)
        out_index = out_index.to(sorted_indices.dtype)
    else:
        out_index = sorted_indices
        token_ids = torch.arange(T).repeat_interleave(K).to(out_index.dtype) if ids == "tokens" else sorted_indices
    return dict(
        unpermuted_tokens_grad=random.normal(T, H, dtype=D),
        out_index=out_index,
        permuted_token_id=token_ids.to(J or token_ids.dtype),
        routing_map=forward["routing_map"],
        permuted_tokens=forward["permuted_tokens"] if given or forward["probs"] is not None else None,
        probs=forward["probs"],
        drop_and_pad=pad,
        restore_shape=[T, H],
    )


def npu_moe_gating_top_k_softmax(random, B=(5,), E=7, k=3, D=torch.float32, finished=False, scale=1.0):
    return dict(
        x=random.normal(*B, E, dtype=D) * scale,
        finished=random.below(2, *B, dtype=torch.bool) if finished else None,
        k=k,
    )


def npu_swiglu(random, Z=(3, 8), dim=-1, D=torch.float32, scale=1.0):
    return dict(self=random.normal(*Z, dtype=D) * scale, dim=dim)


def npu_swiglu_backward(random, dim=-1, D=torch.float32, **axes):
    arguments = npu_swiglu(random, dim=dim, D=D, **axes)
    return dict(arguments, grad_output=random.normal(*arguments["self"].chunk(2, dim)[0].shape, dtype=D))


# What varies: groups of axes, each in every combination.

Axes = dict[str, list]

TOKEN_SIZES = dict(T=[0, 1, 7], K=[1, 3, 8], H=[0, 1, 37])
DROPPED_ROWS = dict(R=[0, 1, 7, 13], D=[torch.float32, torch.bfloat16], P=[None, torch.float32])
NO_CHOICE = dict(K=[0], T=[0, 3])

UNPERMUTE = [
    dict(D=FLOATS, P=PROBS, I=INTEGERS),
    dict(TOKEN_SIZES, P=[None, torch.float32]),
    DROPPED_ROWS,
    NO_CHOICE,
    dict(repeated=[True], D=[torch.float32, torch.bfloat16]),
    dict(restore_shape=[[], [5, 6], [-1]]),
    dict(T=[67], K=[5], H=[131], D=FLOATS, P=[torch.float32, torch.bfloat16]),
]
ROUTING_MAP = [
    dict(D=FLOATS, P=PROBS, pad=[False, True]),
    dict(M=MAPS, pad=[False, True]),
    dict(T=[1, 7], K=[1, 3], E=[3, 11], H=[0, 1, 37]),
    dict(T=[7], E=[1, 2, 11], C=[0, 1, 5, 7], pad=[True]),
    dict(T=[0], P=[None, torch.float32], pad=[False]),
    dict(T=[0], C=[0], P=[None, torch.float32], pad=[True]),
    dict(E=[0], K=[0], C=[0], pad=[False, True]),
    dict(T=[67], K=[5], E=[17], H=[131], C=[23], D=FLOATS, pad=[False, True]),
]
ROUTING_MAP_OR_NONE = [
    *ROUTING_MAP,
    dict(I=INTEGERS, pad=[False, True]),
    dict(M=[None], pad=[True]),
    dict(M=[None], P=[None], pad=[False, True]),
]
SWIGLU = [
    dict(D=FLOATS, scale=[1.0, 40.0]),
    dict(Z=[(6,), (4, 6), (2, 4, 6), (2, 2, 2, 6)], dim=[0, -1]),
    dict(Z=[(2, 4, 6)], dim=[-3, -2, 1, 2]),
    dict(Z=[(0, 8), (3, 0), (0,), (5, 2), (7, 74)]),
    dict(Z=[(67, 262)], D=FLOATS),
]


@dataclass(frozen=True)
class Sweep:
    """One operator."""

    build: Callable
    axes: list[Axes]
    strided: Axes  # under which the layouts of memory are tried
    large: dict  # arguments of the builder that make enough work for several threads to share, in odd pieces
    checked: Axes  # under which torch's own checks of operators run


LARGE = dict(T=257, K=8, H=192)
LARGE_MAP = LARGE | dict(E=31)
WIDE_ROWS = dict(H=[37], D=[torch.float32, torch.bfloat16])  # neither a vector register full nor less than one

SWEEPS = {
    "npu_moe_token_permute": Sweep(
        npu_moe_token_permute,
        [
            dict(D=FLOATS, I=INTEGERS),
            dict(TOKEN_SIZES, K=[None, 1, 3, 8]),
            dict(num_out_tokens=[0, 1, 9, 10, 11, 2**40, -1, -9, -10]),
            dict(num_out_tokens=[1, -1], K=[None]),
            dict(E=[1, 2, 2**31 - 1], I=INTEGERS),
            dict(E=[2**62], I=[torch.int64]),
            NO_CHOICE,
            dict(T=[67], K=[5], E=[17], H=[131], D=FLOATS),
        ],
        strided=WIDE_ROWS,
        large=LARGE | dict(E=31),
        checked=dict(K=[None, 2], num_out_tokens=[None, 3]),
    ),
    "npu_moe_token_permute_grad": Sweep(
        npu_moe_token_permute_grad,
        [
            dict(D=FLOATS, I=INTEGERS, J=INTEGERS),
            dict(TOKEN_SIZES, K=[None, 1, 3, 8]),
            dict(N=[0, 1, 9, 13], D=[torch.float32, torch.bfloat16]),
            NO_CHOICE,
            dict(T=[67], K=[5], E=[17], H=[131], D=FLOATS),
        ],
        strided=WIDE_ROWS,
        large=LARGE,
        checked=dict(K=[None, 2], N=[None, 3]),
    ),
    "npu_moe_token_permute_grad_v2": Sweep(
        npu_moe_token_permute_grad_v2,
        [
            dict(D=FLOATS, J=INTEGERS),
            TOKEN_SIZES,
            dict(N=[0, 1, 9, 13], D=[torch.float32, torch.bfloat16]),
        ],
        strided=WIDE_ROWS,
        large=LARGE,
        checked=dict(N=[None, 3]),
    ),
    "npu_moe_token_unpermute": Sweep(
        npu_moe_token_unpermute,
        UNPERMUTE,
        strided=WIDE_ROWS,
        large=LARGE | dict(repeated=True),
        checked=dict(P=[None, torch.float32, torch.float64], D=[torch.float32, torch.bfloat16]),
    ),
    "_npu_moe_token_unpermute": Sweep(
        npu_moe_token_unpermute,
        UNPERMUTE,
        strided=WIDE_ROWS,
        large=LARGE,
        checked=dict(P=[None, torch.float32], D=[torch.float32, torch.bfloat16]),
    ),
    "npu_moe_token_unpermute_grad": Sweep(
        npu_moe_token_unpermute_grad,
        UNPERMUTE,
        strided=WIDE_ROWS,
        large=LARGE | dict(repeated=True),
        checked=dict(P=[None, torch.float32], D=[torch.float32, torch.bfloat16]),
    ),
    "npu_moe_token_unpermute_grad_v2": Sweep(
        npu_moe_token_unpermute_grad_v2,
        [*UNPERMUTE, dict(given=[False], P=PROBS)],
        strided=WIDE_ROWS,
        large=LARGE,
        checked=dict(P=[None, torch.float32], given=[False, True]),
    ),
    "npu_moe_token_permute_with_routing_map": Sweep(
        npu_moe_token_permute_with_routing_map,
        [
            *ROUTING_MAP,
            dict(surplus=[1, 2], pad=[False, True]),
            dict(C=[None], T=[4, 2], pad=[True]),
            dict(uneven=[True], P=[None, torch.float32]),
        ],
        strided=dict(WIDE_ROWS, pad=[False, True]),
        large=LARGE_MAP,
        checked=dict(P=[None, torch.float32], pad=[False, True]),
    ),
    "npu_moe_token_permute_with_routing_map_grad": Sweep(
        npu_moe_token_permute_with_routing_map_grad,
        [
            *ROUTING_MAP,
            dict(I=INTEGERS, pad=[False, True]),
            dict(uneven=[True], P=[None, torch.float32]),
        ],
        strided=dict(WIDE_ROWS, pad=[False, True]),
        large=LARGE_MAP,
        checked=dict(P=[None, torch.float32], pad=[False, True]),
    ),
    "npu_moe_token_unpermute_with_routing_map": Sweep(
        npu_moe_token_unpermute_with_routing_map,
        ROUTING_MAP_OR_NONE,
        strided=dict(WIDE_ROWS, pad=[False, True]),
        large=LARGE_MAP | dict(pad=True, C=66),
        checked=dict(P=[None, torch.float32], pad=[False, True]),
    ),
    "_npu_moe_token_unpermute_with_routing_map": Sweep(
        npu_moe_token_unpermute_with_routing_map,
        ROUTING_MAP_OR_NONE,
        strided=dict(WIDE_ROWS, pad=[False, True]),
        large=LARGE_MAP,
        checked=dict(P=[None, torch.float32], pad=[False, True]),
    ),
    "npu_moe_token_unpermute_with_routing_map_grad": Sweep(
        npu_moe_token_unpermute_with_routing_map_grad,
        [
            *ROUTING_MAP_OR_NONE,
            dict(I=INTEGERS, J=INTEGERS, pad=[False, True]),
            dict(ids=["sorted_indices"], P=[None, torch.float32]),
            dict(given=[False], P=PROBS),
        ],
        strided=dict(WIDE_ROWS, pad=[False, True]),
        large=LARGE_MAP | dict(pad=True, C=66),
        checked=dict(P=[None, torch.float32], pad=[False, True]),
    ),
    "npu_moe_gating_top_k_softmax": Sweep(
        npu_moe_gating_top_k_softmax,
        [
            dict(D=FLOATS[:3], finished=[False, True]),
            dict(B=[(0,), (1,), (2, 3), (0, 3)], E=[1, 8, 257], k=[0, 1], finished=[False, True]),
            dict(k=[7, 5], scale=[0.0, 30.0], D=FLOATS[:3]),
            dict(B=[(3,)], E=[0], k=[0]),
            dict(B=[(67,)], E=[131], k=[8], D=FLOATS[:3]),
        ],
        strided=dict(E=[37], D=[torch.float32, torch.bfloat16], finished=[True]),
        large=dict(B=(1031,), E=257, k=8),
        checked=dict(finished=[False, True], k=[0, 3]),
    ),
    "npu_swiglu": Sweep(
        npu_swiglu,
        SWIGLU,
        strided=dict(Z=[(4, 74)], dim=[0, -1], D=[torch.float32, torch.bfloat16]),
        large=dict(Z=(257, 2 * 1031)),
        checked=dict(dim=[-1], D=[torch.float32, torch.bfloat16]),
    ),
    "npu_swiglu_backward": Sweep(
        npu_swiglu_backward,
        SWIGLU,
        strided=dict(Z=[(4, 74)], dim=[0, -1], D=[torch.float32, torch.bfloat16]),
        large=dict(Z=(257, 2 * 1031)),
        checked=dict(dim=[-1], D=[torch.float32, torch.bfloat16]),
    ),
}


@dataclass(frozen=True)
class Case:
    """One valid call."""

    operator: str
    axes: dict = field(hash=False)
    layout: Callable = contiguous

    def arguments(self) -> dict:
        """The arguments by name, on the CPU, the same ones every time."""
        arguments = SWEEPS[self.operator].build(Random(zlib.crc32(str(self).encode())), **self.axes)
        return {k: self.layout(v) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}

    def __str__(self):
        shown = [f"{k}={str(v).removeprefix('torch.')}" for k, v in self.axes.items()]
        if self.layout is not contiguous:
            shown.append(self.layout.__name__)
        return f"{self.operator}({', '.join(shown)})"


def combinations(axes: Axes) -> list[dict]:
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def cases_of(operator: str) -> list[Case]:
    sweep = SWEEPS[operator]
    ordinary = [Case(operator, axes) for group in sweep.axes for axes in combinations(group)]
    strided = [
        Case(operator, axes, layout)
        for axes in combinations(sweep.strided)
        for layout in LAYOUTS.values()
        if layout is not contiguous
    ]
    return list({str(case): case for case in ordinary + strided}.values())


CASES = [case for operator in SWEEPS for case in cases_of(operator)]
