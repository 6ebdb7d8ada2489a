"""torch.compile and torch.export: whole graphs, the same bits as eager, and one compilation for all sizes."""

import pytest
import torch
from sweep.calls import call
from sweep.cases import Random
from sweep.gradients import DIFFERENTIABLE, Differentiable
from torch._dynamo.testing import CompileCounterWithBackend

npu = torch.ops.npu


@pytest.fixture(autouse=True)
def forget_compiled_graphs():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(op: Differentiable, constants: dict, counter):
    """The operator with its numbers fixed and its tensors free, compiled whole, for sizes that may change."""

    def run(tensors):
        return op.results(constants | tensors)

    return torch.compile(run, backend=counter, fullgraph=True, dynamic=True)


def split(arguments: dict) -> tuple[dict, dict]:
    tensors = {k: v for k, v in arguments.items() if isinstance(v, torch.Tensor)}
    return tensors, {k: v for k, v in arguments.items() if k not in tensors}


def run_and_compare(op, run, arguments):
    """Results and gradients of the compiled operator, bit for bit those of eager."""
    tensors, _ = split(arguments)
    leaves = {name: arguments[name].detach().requires_grad_() for name in op.of if arguments[name] is not None}
    results = run(tensors | leaves)
    for got, wanted in zip(results, op.results(arguments), strict=True):
        assert (got.dtype, got.stride()) == (wanted.dtype, wanted.stride())
        assert torch.equal(got, wanted)
    gradients = torch.autograd.grad(results, list(leaves.values()), op.upstream(results))
    expected = op.gradients(arguments, wanted=list(leaves))
    for (name, wanted), got in zip(expected.items(), gradients, strict=True):
        assert got.dtype == wanted.dtype
        assert torch.equal(got, wanted), name


# Sizes that differ in every dim; 0 and 1 are apart, because torch compiles these by themselves.
SIZES = {
    "npu_moe_token_permute": [dict(T=5, K=2, H=6), dict(T=9, K=3, H=4), dict(T=2, K=7, H=31)],
    "npu_moe_token_unpermute": [dict(T=5, K=2, H=6), dict(T=9, K=3, H=4), dict(T=2, K=7, H=31)],
    "_npu_moe_token_unpermute": [dict(T=5, K=2, H=6), dict(T=9, K=3, H=4), dict(T=2, K=7, H=31)],
    "npu_swiglu": [dict(Z=(3, 8)), dict(Z=(5, 14)), dict(Z=(4, 6))],
}


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize(
    ("operator", "axes"),
    [
        (operator, axes)
        for operator in SIZES
        for axes in ([dict(P=torch.float32), dict(P=None)] if "unpermute" in operator else [{}])
    ],
    ids=str,
)
def test_one_graph_for_all_sizes(operator, backend, axes):
    op = next(op for op in DIFFERENTIABLE if op.operator == operator and not op.axes)
    counter = CompileCounterWithBackend(backend)
    run = None
    for sizes in SIZES[operator]:
        arguments = op.arguments(D=torch.bfloat16, **axes, **sizes)
        run = run or compiled(op, split(arguments)[1], counter)
        run_and_compare(op, run, arguments)
    assert counter.frame_count == 1


@pytest.mark.parametrize("pad", [False, True])
def test_one_graph_for_all_numbers_of_tokens_with_routing_map(pad):
    """num_out_tokens is an `int?` in upstream's schema, a constant of the graph: default, or a fixed capacity."""
    name, axes = "npu_moe_token_permute_with_routing_map", (("pad", pad),)
    op = next(op for op in DIFFERENTIABLE if (op.operator, op.axes) == (name, axes))
    counter = CompileCounterWithBackend("aot_eager")
    run = None
    for tokens in (4, 7, 12):
        arguments = op.arguments(T=tokens, K=1, E=3, C=2)
        run = run or compiled(op, split(arguments)[1], counter)
        run_and_compare(op, run, arguments)
    assert counter.frame_count == 1


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if "map" in op.operator], ids=str)
def test_routing_maps_compile_whole(op):
    """restore_shape is an `int[]` in upstream's schema, and so a constant of each graph."""
    arguments = op.arguments()
    run_and_compare(op, compiled(op, split(arguments)[1], "aot_eager"), arguments)


@pytest.mark.parametrize("frozen", ["permuted_tokens", "probs"])
def test_gradient_of_one_argument(frozen):
    op = next(op for op in DIFFERENTIABLE if op.operator == "npu_moe_token_unpermute")
    (wanted,) = set(op.of) - {frozen}
    arguments = op.arguments()
    run = compiled(op, split(arguments)[1], "aot_eager")
    leaf = arguments[wanted].detach().requires_grad_()
    results = run(split(arguments)[0] | {wanted: leaf})
    (got,) = torch.autograd.grad(results, leaf, op.upstream(results))
    assert torch.equal(got, op.gradients(arguments, [wanted])[wanted])


@pytest.mark.parametrize("tokens", [0, 1])
def test_no_token_and_one_token(tokens):
    for op in DIFFERENTIABLE[:3]:
        arguments = op.arguments(T=tokens) if not op.axes else op.arguments(T=tokens, K=8)
        run_and_compare(op, compiled(op, split(arguments)[1], "aot_eager"), arguments)


def moe_layer(tokens, weights, logits, k=2):
    """A mixture of experts from router to combine; each expert scales its rows."""
    probs, experts, _ = npu.npu_moe_gating_top_k_softmax(logits, None, k)
    permuted, sorted_indices = npu.npu_moe_token_permute(tokens, experts)
    hidden = npu.npu_swiglu(torch.cat([permuted, permuted], -1))
    probs = torch.softmax(logits, -1).gather(-1, experts.long())
    return npu.npu_moe_token_unpermute(hidden * weights, sorted_indices, probs)


def test_a_layer_under_inductor():
    counter = CompileCounterWithBackend("inductor")
    layer = torch.compile(moe_layer, backend=counter, fullgraph=True, dynamic=True)
    random = Random(0)
    weights = random.normal(16, dtype=torch.float32).requires_grad_()
    for tokens in (6, 11, 20):
        x, logits = random.normal(tokens, 16, dtype=torch.float32), random.normal(tokens, 5, dtype=torch.float32)
        leaves = [x.requires_grad_(), weights, logits.requires_grad_()]
        got, wanted = layer(*leaves), moe_layer(*leaves)
        torch.testing.assert_close(got, wanted)
        upstream = random.normal(*got.shape, dtype=got.dtype)
        torch.testing.assert_close(
            torch.autograd.grad(got, leaves, upstream), torch.autograd.grad(wanted, leaves, upstream)
        )
    assert counter.frame_count == 1


def test_export_with_dynamic_sizes():
    class Layer(torch.nn.Module):
        def forward(self, tokens, indices, probs):
            permuted, sorted_indices = npu.npu_moe_token_permute(tokens, indices)
            return npu.npu_moe_token_unpermute(permuted, sorted_indices, probs)

    def inputs(tokens, hidden):
        random = Random(0)
        return (
            random.normal(tokens, hidden, dtype=torch.bfloat16),
            random.below(4, tokens, 2, dtype=torch.int32),
            random.uniform(tokens, 2, dtype=torch.float32),
        )

    tokens, hidden = torch.export.Dim("tokens", max=2**20), torch.export.Dim("hidden")
    program = torch.export.export(
        Layer(), inputs(5, 6), dynamic_shapes=({0: tokens, 1: hidden}, {0: tokens}, {0: tokens}), strict=False
    )
    names = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    assert "npu.npu_moe_token_permute.default" in names
    assert "npu.npu_moe_token_unpermute.default" in names
    for sizes in [(5, 6), (9, 4), (2, 31)]:
        assert torch.equal(program.module()(*inputs(*sizes)), Layer()(*inputs(*sizes)))


def test_export_keeps_size_relations():
    """The size of permuted_tokens is T * K in the exported program, not a number."""

    class Permute(torch.nn.Module):
        def forward(self, tokens, indices):
            return npu.npu_moe_token_permute(tokens, indices)

    tokens, choices = torch.export.Dim("tokens", max=2**20), torch.export.Dim("choices", max=64)
    program = torch.export.export(
        Permute(),
        (torch.zeros(5, 6), torch.zeros(5, 2, dtype=torch.int32)),
        dynamic_shapes=({0: tokens}, {0: tokens, 1: choices}),
        strict=False,
    )
    (output,) = [node for node in program.graph.nodes if node.op == "output"]
    rows = output.args[0][0].meta["val"].size(0)
    assert isinstance(rows, torch.SymInt)


def test_wrong_inputs_are_refused_while_compiling():
    """By the operator itself and with its own message, not by one further on."""
    op = DIFFERENTIABLE[0]
    arguments = op.arguments()
    tensors, constants = split(arguments)
    tensors["indices"] = tensors["indices"].float()
    try:
        call(op.operator, constants | tensors)
    except RuntimeError as error:
        message = str(error).split("\n")[0]
    with pytest.raises(RuntimeError) as refused:
        compiled(op, constants, "aot_eager")(tensors)
    assert message in str(refused.value)


def test_autocast_inside_a_compiled_graph():
    op = next(op for op in DIFFERENTIABLE if op.operator == "npu_moe_token_unpermute")
    arguments = op.arguments(P=torch.float16)
    tensors, constants = split(arguments)
    run = compiled(op, constants, "aot_eager")
    with torch.autocast("cpu", torch.bfloat16):
        (result,) = run(tensors)
    assert result.dtype == torch.float32
