"""For each line of ops/aten, a call of torch that reaches its entry point.

A call is made twice, with equal arguments: on the CPU and on the device. Arguments are written as recipes, so that
every test makes its own.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
import torch_npu


@dataclass(frozen=True)
class Recipe:
    """How to make a tensor. `kind` says what is in it; floating-point ones take the dtype of the test."""

    kind: str
    sizes: tuple[int, ...]
    below: int = 0

    def make(self, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
        if self.kind == "integers":
            return torch.randint(0, self.below, self.sizes, generator=generator)
        if self.kind == "booleans":
            return torch.rand(self.sizes, generator=generator) < 0.5
        values = torch.randn(self.sizes, generator=generator)
        if self.kind == "positive":
            values = values.abs() + 0.5
        if self.kind == "unit":
            values = torch.rand(self.sizes, generator=generator) * 0.9 + 0.05
        return values.to(dtype)


def normal(*sizes: int) -> Recipe:
    return Recipe("normal", sizes)


def positive(*sizes: int) -> Recipe:
    return Recipe("positive", sizes)


def unit(*sizes: int) -> Recipe:
    return Recipe("unit", sizes)


def integers(below: int, *sizes: int) -> Recipe:
    return Recipe("integers", sizes, below)


def booleans(*sizes: int) -> Recipe:
    return Recipe("booleans", sizes)


@dataclass(frozen=True)
class Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    dtypes: tuple[torch.dtype, ...] = (torch.float32, torch.float16, torch.bfloat16)
    soc: str = "Ascend910B1"  # for which torch_npu calls the entry point


def call(function: str | Callable[..., Any], *arguments: Any, only: Any = None, **options: Any) -> Call:
    """A function of torch by name, or any other; `only` names the dtypes for which the operator exists."""
    resolved = getattr(torch, function) if isinstance(function, str) else function
    return Call(resolved, arguments, options, **({"dtypes": only} if only else {}))


def in_place(method: str, *arguments: Any, only: Any = None, **options: Any) -> Call:
    """The method `method_`, on a copy of the first argument."""

    def apply(self: torch.Tensor, *rest: Any, **options: Any) -> torch.Tensor:
        return getattr(self.clone(), method + "_")(*rest, **options)

    return call(apply, *arguments, only=only, **options)


FLOAT = (torch.float32,)
X = normal(3, 4)
Y = normal(3, 4)
POSITIVE = positive(3, 4)
UNIT = unit(3, 4)
INTEGERS = integers(100, 3, 4)
MASK = booleans(3, 4)

LINE = re.compile(r"^(\w+)(?:, (\w+))?: \(", re.MULTILINE)
DECLARATIONS = Path(__file__).resolve().parents[3] / "ops" / "aten"
DECLARED = {name for file in DECLARATIONS.glob("*.yaml") for names in LINE.findall(file.read_text()) for name in names}
DECLARED -= {""}

# By the tests of random numbers, layers and optimizers (test_tensors.py, test_training.py).
CALLED_ELSEWHERE = {
    *("InplaceUniform", "InplaceNormal", "InplaceRandom", "InplaceRandomWithoutFromTo", "InplaceBernoulli"),
    *("InplaceBernoulliTensor", "NormalFloatFloat", "NormalTensorFloat", "NormalFloatTensor", "NormalTensorTensor"),
    *("Randperm", "Multinomial", "DropoutGenMaskV2", "DropoutDoMask"),
    *("RmsNorm", "RmsNormGrad", "AddRmsNorm", "ApplyAdamWV2", "FlashAttentionScore", "FlashAttentionScoreGrad"),
}

# Functions of one tensor, with their in-place twins where ops/aten declares one.
UNARY = {
    "Abs": ("abs", X),
    "Neg": ("neg", X),
    "Sign": ("sign", X),
    "Signbit": ("signbit", X),
    "Exp": ("exp", X),
    "Exp2": ("exp2", X),
    "Expm1": ("expm1", X),
    "Log": ("log", POSITIVE),
    "Log10": ("log10", POSITIVE),
    "Log1p": ("log1p", POSITIVE),
    "Log2": ("log2", POSITIVE),
    "Sqrt": ("sqrt", POSITIVE),
    "Rsqrt": ("rsqrt", POSITIVE),
    "Reciprocal": ("reciprocal", POSITIVE),
    "Ceil": ("ceil", X),
    "Floor": ("floor", X),
    "Round": ("round", X),
    "Trunc": ("trunc", X),
    "Frac": ("frac", X),
    "Sin": ("sin", X),
    "Cos": ("cos", X),
    "Tan": ("tan", UNIT),
    "Asin": ("asin", UNIT),
    "Acos": ("acos", UNIT),
    "Atan": ("atan", X),
    "Sinh": ("sinh", X),
    "Cosh": ("cosh", X),
    "Tanh": ("tanh", X),
    "Erf": ("erf", X),
    "Erfc": ("erfc", X),
    "Erfinv": ("erfinv", UNIT),
    "BitwiseNot": ("bitwise_not", INTEGERS),
    "LogicalNot": ("logical_not", MASK),
    "IsFinite": ("isfinite", X),
    "IsPosInf": ("isposinf", X),
    "IsNegInf": ("isneginf", X),
    "Relu": ("relu", X),
    "Sigmoid": ("sigmoid", X),
}

# Functions of two tensors, and of a tensor and a scalar (in brackets: the scalar).
BINARY = {
    "FloorDivide": ("floor_divide", X, POSITIVE),
    "FloorDivides": ("floor_divide", X, 2),
    "RemainderTensorTensor": ("remainder", X, POSITIVE),
    "RemainderTensorScalar": ("remainder", X, 2),
    "FmodTensor": ("fmod", X, POSITIVE),
    "FmodScalar": ("fmod", X, 2),
    "PowTensorTensor": ("pow", POSITIVE, X),
    "PowTensorScalar": ("pow", POSITIVE, 3),
    "Atan2": ("atan2", X, Y),
    "LogicalAnd": ("logical_and", MASK, MASK),
    "LogicalOr": ("logical_or", MASK, MASK),
    "BitwiseAndTensor": ("bitwise_and", INTEGERS, INTEGERS),
    "BitwiseAndScalar": ("bitwise_and", INTEGERS, 5),
    "BitwiseXorTensor": ("bitwise_xor", INTEGERS, INTEGERS),
    "BitwiseXorScalar": ("bitwise_xor", INTEGERS, 5),
    "Mul": ("mul", X, Y),
    "Muls": ("mul", X, 3),
    "Div": ("div", X, POSITIVE),
    "Divs": ("div", X, 3),
    **{f"{name}Tensor": (name.lower(), X, Y) for name in ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")},
    **{f"{name}Scalar": (name.lower(), X, 0.5) for name in ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")},
    "Lerp": ("lerp", X, Y, UNIT),
    "Lerps": ("lerp", X, Y, 0.25),
    "Tril": ("tril", X, 1),
    "Triu": ("triu", X, -1),
    "ClampMax": ("clamp_max", X, 0.5),
    "ClampMaxTensor": ("clamp_max", X, Y),
    "ClampMinTensor": ("clamp_min", X, Y),
}


def convert(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.int32) if x.device.type == "cpu" else torch_npu.npu_dtype_cast(x, torch.int32)


def gradient_of(loss: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The gradient of a function, or of the sum of what it returns, by its first argument."""

    def gradient(x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        x = x.detach().requires_grad_()
        return torch.autograd.grad(loss(x, *rest).sum(), x)[0]

    return gradient


CALLS: dict[str, Call] = {
    **{name: call(*arguments) for name, arguments in (UNARY | BINARY).items()},
    **{
        f"Inplace{name}": in_place(*arguments)
        for name, arguments in (UNARY | BINARY).items()
        if f"Inplace{name}" in DECLARED
    },
    # Elements.
    "Add": call("add", X, Y, alpha=2),
    "InplaceAdd": in_place("add", X, Y, alpha=2),
    "Adds": call("add", X, 2, alpha=3),
    "AddV3": call(lambda x: torch.tensor(2.0) + x, X),
    "InplaceAdds": in_place("add", X, 2, alpha=3),
    "Sub": call("sub", X, Y, alpha=2),
    "InplaceSub": in_place("sub", X, Y, alpha=2),
    "Subs": call("sub", X, 2, alpha=3),
    "InplaceSubs": in_place("sub", X, 2, alpha=3),
    "Rsub": call("rsub", X, Y, alpha=2),
    "Rsubs": call("rsub", X, 2, alpha=3),
    "DivMod": call("div", X, POSITIVE, rounding_mode="floor"),
    "DivMods": call("div", X, 2, rounding_mode="trunc"),
    "InplaceDivMod": in_place("div", X, POSITIVE, rounding_mode="trunc"),
    "InplaceDivMods": in_place("div", X, 2, rounding_mode="floor"),
    "RemainderScalarTensor": call("remainder", 5, POSITIVE),
    "PowScalarTensor": call("pow", 2, X),
    "RoundDecimals": call("round", X, decimals=1, only=FLOAT),
    "InplaceRoundDecimals": in_place("round", X, decimals=1, only=FLOAT),
    "LogAddExp": call("logaddexp", X, Y, only=FLOAT),
    "LogAddExp2": call("logaddexp2", X, Y, only=FLOAT),
    "LogicalXor": call("logical_xor", MASK, MASK),
    "XLogYTensor": call("xlogy", POSITIVE, POSITIVE),
    "Maximum": call("maximum", X, Y),
    "Minimum": call("minimum", X, Y),
    "BitwiseOrTensor": call("bitwise_or", INTEGERS, INTEGERS),
    "BitwiseOrScalar": call("bitwise_or", INTEGERS, 5),
    "IsClose": call("isclose", X, X),
    "Equal": call("equal", X, X),
    "NanToNum": call("nan_to_num", X),
    "InplaceNanToNum": in_place("nan_to_num", X),
    "Addcmul": call("addcmul", X, Y, POSITIVE, value=0.5),
    "InplaceAddcmul": in_place("addcmul", X, Y, POSITIVE, value=0.5),
    "Addcdiv": call("addcdiv", X, Y, POSITIVE, value=0.5),
    "InplaceAddcdiv": in_place("addcdiv", X, Y, POSITIVE, value=0.5),
    "Clamp": call("clamp", X, -0.5, 0.5),
    "ClampTensor": call("clamp", X, Y, POSITIVE),
    "ClampMin": call("clamp_min", X, 0.5),
    "SWhere": call("where", MASK, X, Y),
    "InplaceMaskedFillScalar": in_place("masked_fill", X, MASK, 2.0),
    "InplaceMaskedFillTensor": in_place("masked_fill", X, MASK, normal()),
    "InplaceMaskedScatter": in_place("masked_scatter", X, MASK, Y),
    # Activations.
    "SigmoidBackward": call(torch.ops.aten.sigmoid_backward, X, UNIT),
    "TanhBackward": call(torch.ops.aten.tanh_backward, X, UNIT),
    "Silu": call(F.silu, X),
    "SiluBackward": call(torch.ops.aten.silu_backward, X, Y),
    "Gelu": call(F.gelu, X),
    "GeluV2": call(F.gelu, X),
    "GeluBackward": call(torch.ops.aten.gelu_backward, X, Y),
    "GeluBackwardV2": call(torch.ops.aten.gelu_backward, X, Y),
    "Mish": call(F.mish, X),
    "InplaceMish": call(lambda x: F.mish(x.clone(), inplace=True), X),
    "MishBackward": call(torch.ops.aten.mish_backward, X, Y),
    "Elu": call(F.elu, X, 1.5),
    "InplaceElu": call(lambda x: F.elu(x.clone(), 1.5, inplace=True), X),
    "EluBackward": call(torch.ops.aten.elu_backward, X, 1.5, 1.0, 1.0, False, Y),
    "LeakyRelu": call(F.leaky_relu, X, 0.1),
    "InplaceLeakyRelu": call(lambda x: F.leaky_relu(x.clone(), 0.1, inplace=True), X),
    "LeakyReluBackward": call(torch.ops.aten.leaky_relu_backward, X, Y, 0.1, False),
    "Softplus": call(F.softplus, X),
    "SoftplusBackward": call(torch.ops.aten.softplus_backward, X, Y, 1, 20),
    "Hardtanh": call(F.hardtanh, X),
    "HardtanhBackward": call(torch.ops.aten.hardtanh_backward, X, Y, -1, 1),
    "Hardsigmoid": call(F.hardsigmoid, X),
    "HardsigmoidBackward": call(torch.ops.aten.hardsigmoid_backward, X, Y),
    "Hardswish": call(F.hardswish, X),
    "InplaceHardswish": call(lambda x: F.hardswish(x.clone(), inplace=True), X),
    "InplaceHardsigmoid": call(lambda x: F.hardsigmoid(x.clone(), inplace=True), X),
    "Threshold": call(F.threshold, X, 0.1, 20),
    "InplaceThreshold": call(lambda x: F.threshold(x.clone(), 0.1, 20, inplace=True), X),
    "ThresholdBackward": call(torch.ops.aten.threshold_backward, X, Y, 0),
    "Glu": call(F.glu, X),
    "GluBackward": call(torch.ops.aten.glu_backward, normal(3, 2), X, 1),
    "LogSigmoidForward": call(F.logsigmoid, X),
    "LogSigmoidBackward": call(gradient_of(F.logsigmoid), X),
    "Softmax": call("softmax", X, -1),
    "SoftmaxBackward": call(lambda g, y: torch.ops.aten._softmax_backward_data(g, y, 1, y.dtype), X, UNIT),
    "LogSoftmax": call("log_softmax", X, -1),
    "LogSoftmaxBackward": call(lambda g, y: torch.ops.aten._log_softmax_backward_data(g, y, 1, y.dtype), X, Y),
    # Products of matrices.
    "Matmul": call("matmul", normal(2, 3, 4), normal(4, 5)),
    "Mm": call("mm", X, normal(4, 5)),
    "BatchMatMul": call("bmm", normal(2, 3, 4), normal(2, 4, 5)),
    "Mv": call("mv", X, normal(4)),
    "Dot": call("dot", normal(4), normal(4)),
    "Addmm": call("addmm", normal(3, 5), X, normal(4, 5), beta=2, alpha=3),
    "InplaceAddmm": in_place("addmm", normal(3, 5), X, normal(4, 5)),
    "Addmv": call("addmv", normal(3), X, normal(4), beta=2, alpha=3),
    "Addr": call("addr", X, normal(3), normal(4), beta=2, alpha=3),
    "InplaceAddr": in_place("addr", X, normal(3), normal(4)),
    "Addbmm": call("addbmm", normal(3, 5), normal(2, 3, 4), normal(2, 4, 5), beta=2, alpha=3),
    "Baddbmm": call("baddbmm", normal(2, 3, 5), normal(2, 3, 4), normal(2, 4, 5), beta=2, alpha=3),
    # Making and filling. The values of `empty_like` are overwritten.
    "InplaceZero": in_place("zero", X),
    "InplaceOne": call(lambda like: torch.ones(3, 4, device=like.device), X),
    "InplaceFillScalar": in_place("fill", X, 3),
    "InplaceFillTensor": in_place("fill", X, normal()),
    "InplaceFillDiagonal": in_place("fill_diagonal", X, 3),
    "InplaceCopy": call(lambda x: torch.empty_like(x.t()).copy_(x.t()), X),
    "Cast": call(convert, X),
    "Arange": call(lambda like: torch.arange(2, 20, 3, device=like.device), X),
    "Range": call(lambda like: torch.range(2, 20, 3, device=like.device), X),
    "Linspace": call(lambda like: torch.linspace(0, 1, 7, device=like.device), X),
    "Eye": call(lambda like: torch.eye(3, 4, device=like.device), X),
    "OneHot": call(lambda index: F.one_hot(index, 7), integers(7, 3, 4)),
    "Complex": call("complex", X, Y, only=FLOAT),
    # Joining, cutting, reordering.
    "Cat": call(lambda x, y: torch.cat([x, y], 1), X, Y),
    "Stack": call(lambda x, y: torch.stack([x, y], 1), X, Y),
    "Repeat": call(lambda x: x.repeat(2, 1, 3), X),
    "ConstantPadNd": call(F.pad, X, (1, 2), value=3.0),
    "RepeatInterleave": call("repeat_interleave", normal(3), integers(4, 3)),
    "RepeatInterleaveWithDim": call("repeat_interleave", X, integers(4, 3), dim=0),
    "RepeatInterleaveInt": call("repeat_interleave", X, 2),
    "RepeatInterleaveIntWithDim": call("repeat_interleave", X, 2, dim=1),
    "Flip": call("flip", X, (0, 1)),
    "Roll": call("roll", X, 2, 1),
    # Reductions.
    "ReduceSum": call("sum", X, 1),
    "ReduceNansum": call("nansum", X, 1),
    "Mean": call("mean", X, 1),
    "Prod": call("prod", X),
    "ProdDim": call("prod", X, 1),
    "Std": call("std", X, 1),
    "VarCorrection": call("var", X, 1),
    "VarMean": call("var_mean", X, 1),
    "StdMeanCorrection": call("std_mean", X, 1),
    "Amax": call("amax", X, 1),
    "Amin": call("amin", X, (0, 1)),
    "Aminmax": call("aminmax", X, dim=1),
    "Max": call("max", X),
    "Min": call("min", X),
    "MaxDim": call("max", X, 1),
    "MinDim": call("min", X, 1),
    "Median": call("median", X),
    "MedianDim": call("median", X, 1),
    "ArgMax": call("argmax", X, 1),
    "ArgMin": call("argmin", X, 1),
    "All": call("all", MASK, 1),
    "Any": call("any", MASK, 1),
    "LogSumExp": call("logsumexp", X, 1),
    "LinalgVectorNorm": call(torch.linalg.vector_norm, X, 2, 1),
    "Norm": call(torch.ops.aten.norm.ScalarOpt_dim, X, 2, [1], False),
    "Renorm": call("renorm", X, 2, 0, 1),
    "InplaceRenorm": in_place("renorm", X, 2, 0, 1),
    "Trace": call("trace", X, only=FLOAT),
    "Cumsum": call("cumsum", X, 1),
    "Cumprod": call("cumprod", X, 1),
    "Cummax": call("cummax", X, 1),
    "Cummin": call("cummin", X, 1),
    "Bincount": call("bincount", integers(7, 20)),
    # Indices.
    "IndexSelect": call("index_select", X, 1, integers(4, 6)),
    "Gather": call("gather", X, 1, integers(4, 3, 6)),
    "Take": call("take", X, integers(12, 5)),
    "Index": call(lambda x, i, j: x[i, j], X, integers(3, 5), integers(4, 5)),
    "IndexPutImpl": call(lambda x, i, y: x.index_put((i,), y, accumulate=True), X, integers(3, 2), normal(2, 4)),
    "IndexAdd": call("index_add", X, 0, integers(3, 2), normal(2, 4)),
    "IndexCopy": call("index_copy", X, 0, integers(3, 1), normal(1, 4)),
    "InplaceIndexCopy": in_place("index_copy", X, 0, integers(3, 1), normal(1, 4)),
    "IndexFill": call("index_fill", X, 0, integers(3, 2), 2.0),
    "InplaceIndexFill": in_place("index_fill", X, 0, integers(3, 2), 2.0),
    "IndexFillTensor": call("index_fill", X, 0, integers(3, 2), 2.0),
    "Scatter": call("scatter", X, 1, integers(4, 3, 1), normal(3, 1)),
    "InplaceScatter": in_place("scatter", X, 1, integers(4, 3, 1), normal(3, 1)),
    "ScatterValue": call("scatter", X, 1, integers(4, 3, 2), 5.0),
    "InplaceScatterValue": in_place("scatter", X, 1, integers(4, 3, 2), 5.0),
    "ScatterAdd": call("scatter_add", X, 1, integers(4, 3, 2), normal(3, 2)),
    "InplacePut": in_place("put", X, integers(12, 3), normal(3), accumulate=True),
    "Embedding": call(lambda weight, index: F.embedding(index, weight), X, integers(3, 5)),
    "EmbeddingDenseBackward": call(
        lambda g, index: torch.ops.aten.embedding_dense_backward(g, index, 3, -1, False), normal(5, 4), integers(3, 5)
    ),
    "Sort": call("sort", X, dim=1, stable=True),
    "Topk": call("topk", X, 2, dim=1),
    "Kthvalue": call("kthvalue", X, 2, dim=1),
    "SearchSorted": call(lambda s, x: torch.searchsorted(s.sort().values, x), normal(5), X, only=FLOAT),
    "Bucketize": call(lambda x, s: torch.bucketize(x, s.sort().values), X, normal(5), only=FLOAT),
    "Nonzero": call("nonzero", MASK),
    "MaskedSelect": call("masked_select", X, MASK),
    "Unique2": call(lambda x: torch.unique(x, return_inverse=True, return_counts=True), integers(5, 20)),
    # Losses.
    "NLLLoss": call(F.nll_loss, X, integers(4, 3)),
    "NLLLossBackward": call(
        lambda g, x, t, total: torch.ops.aten.nll_loss_backward(g, x, t, None, 1, -100, total),
        normal(), X, integers(4, 3), positive(),
    ),
    "NLLLoss2d": call(F.nll_loss, normal(2, 4, 3, 3), integers(4, 2, 3, 3)),
    "NLLLoss2dBackward": call(
        lambda g, x, t, total: torch.ops.aten.nll_loss2d_backward(g, x, t, None, 1, -100, total),
        normal(), normal(2, 4, 3, 3), integers(4, 2, 3, 3), positive(), only=FLOAT,
    ),
    "MseLoss": call(F.mse_loss, X, Y),
    "MseLossBackward": call(torch.ops.aten.mse_loss_backward, normal(), X, Y, 1),
    "L1Loss": call(F.l1_loss, X, Y),
    "SmoothL1Loss": call(F.smooth_l1_loss, X, Y),
    "SmoothL1LossBackward": call(torch.ops.aten.smooth_l1_loss_backward, normal(), X, Y, 1, 1.0),
    "BinaryCrossEntropy": call(F.binary_cross_entropy, UNIT, UNIT),
    "BinaryCrossEntropyBackward": call(torch.ops.aten.binary_cross_entropy_backward, normal(), UNIT, UNIT),
    "BinaryCrossEntropyWithLogits": call(F.binary_cross_entropy_with_logits, X, UNIT),
    "KlDiv": call(F.kl_div, X, UNIT, reduction="sum"),
    "KlDivBackward": call(gradient_of(lambda x, y: F.kl_div(x, y, reduction="batchmean")), X, UNIT),
    "L1LossBackward": call(gradient_of(F.l1_loss), X, Y),
    # Normalisation.
    "LayerNorm": call(torch.ops.aten.native_layer_norm, X, [4], normal(4), normal(4), 1e-5, only=FLOAT),
    "LayerNormBackward": call(
        lambda g, x, w, b: torch.ops.aten.native_layer_norm_backward(
            g, x, [4], x.mean(1, True), x.std(1, keepdim=True).reciprocal(), w, b, [True, True, True]
        ),
        X, Y, normal(4), normal(4), only=FLOAT,
    ),
}  # fmt: skip


def foreach(name: str, *arguments: Any, only: Any = None) -> Call:
    """Lists of two tensors for each recipe in a list."""
    return call(getattr(torch, "_foreach_" + name), *arguments, only=only)


XS = [normal(3, 4), normal(5)]
YS = [normal(3, 4), normal(5)]
POSITIVES = [positive(3, 4), positive(5)]
UNITS = [unit(3, 4), unit(5)]

FOREACH_UNARY = {
    "Log": POSITIVES,
    "Log10": POSITIVES,
    "Log1p": POSITIVES,
    "Log2": POSITIVES,
    "Sqrt": POSITIVES,
    "Reciprocal": POSITIVES,
    "Acos": UNITS,
    "Asin": UNITS,
    "Tan": UNITS,
    **dict.fromkeys(
        (
            *("Abs", "Atan", "Cos", "Cosh", "Erf", "Erfc", "Exp", "Expm1", "Neg", "Sigmoid"),
            *("Sign", "Sin", "Sinh", "Tanh"),
        ),
        XS,
    ),
}


def copy_list(targets: list[torch.Tensor], sources: list[torch.Tensor]) -> list[torch.Tensor]:
    copies = [target.clone() for target in targets]
    torch._foreach_copy_(copies, sources)
    return copies


def zero_list(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    copies = [tensor.clone() for tensor in tensors]
    torch._foreach_zero_(copies)
    return copies


def unscale(gradients: list[torch.Tensor], scale: torch.Tensor) -> list[torch.Tensor]:
    copies = [gradient.clone() for gradient in gradients]
    found = torch.zeros(1, device=scale.device)
    torch._amp_foreach_non_finite_check_and_unscale_(copies, found, scale)
    return [*copies, found]


CALLS |= {
    **{f"Foreach{name}": foreach(name.lower(), tensors) for name, tensors in FOREACH_UNARY.items()},
    **{
        f"Foreach{name}ScalarV2": foreach(name.lower(), XS, 0.5)
        for name in ("Add", "Sub", "Mul", "Div", "Maximum", "Minimum")
    },
    **{
        f"Foreach{name}ScalarList": foreach(name.lower(), XS, [0.5, 2.0])
        for name in ("Add", "Sub", "Mul", "Div", "Maximum", "Minimum")
    },
    **{f"Foreach{name}List": foreach(name.lower(), XS, POSITIVES) for name in ("Mul", "Div", "Maximum", "Minimum")},
    "ForeachPowScalarV2": foreach("pow", POSITIVES, 2.0),
    "ForeachPowScalarList": foreach("pow", POSITIVES, [2.0, 3.0]),
    "ForeachPowList": foreach("pow", POSITIVES, XS),
    "ForeachPowScalarAndTensor": call(lambda exponents: torch._foreach_pow(2.0, exponents), XS),
    "ForeachAddListV2": call(lambda x, y: torch._foreach_add(x, y, alpha=2), XS, YS),
    "ForeachSubListV2": call(lambda x, y: torch._foreach_sub(x, y, alpha=2), XS, YS),
    "ForeachLerpScalar": foreach("lerp", XS, YS, 0.25),
    "ForeachLerpList": foreach("lerp", XS, YS, UNITS),
    "ForeachAddcmulScalarV2": foreach("addcmul", XS, YS, POSITIVES, 0.5),
    "ForeachAddcdivScalarV2": foreach("addcdiv", XS, YS, POSITIVES, 0.5),
    "ForeachNorm": foreach("norm", XS, 2),
    "ForeachCopy": call(copy_list, XS, YS),
    "ForeachZeroInplace": call(zero_list, XS),
    "ForeachNonFiniteCheckAndUnscale": call(unscale, XS, positive(1), only=FLOAT),
}

for name in ("GeluV2", "GeluBackwardV2", "IndexFillTensor", "Bucketize"):
    CALLS[name] = replace(CALLS[name], soc="Ascend950PR_9589")
