"""Gradients as users of torch meet them: right, of the right dtype, for all arguments and upstream gradients."""

import itertools
import threading

import pytest
import torch
from reference import mismatch
from sweep.calls import call
from sweep.cases import FLOATS
from sweep.gradients import DIFFERENTIABLE, WITH_PROBS
from sweep.layouts import LAYOUTS
from torch.utils.checkpoint import checkpoint

each_differentiable = pytest.mark.parametrize("op", DIFFERENTIABLE, ids=str)
each_with_probs = pytest.mark.parametrize("op", WITH_PROBS, ids=str)


def assert_same(got: dict, wanted: dict):
    assert got.keys() == wanted.keys()
    for name in got:
        assert torch.equal(got[name], wanted[name]), name


def test_every_declared_gradient_is_tested(declarations):
    declared = {name for name, d in declarations.items() if "none" not in d.text.get("gradient", {"none": ""})}
    assert declared == {op.operator for op in DIFFERENTIABLE}


@each_differentiable
def test_numerical_gradient(op, declarations):
    types = declarations[op.operator].types
    arguments = op.arguments(**{name: torch.float64 for name, members in types.items() if "float64" in members})
    leaves = {name: arguments[name].requires_grad_() for name in op.of}
    assert torch.autograd.gradcheck(
        lambda *values: op.results(arguments | dict(zip(leaves, values, strict=True))), tuple(leaves.values())
    )


@each_differentiable
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_gradient_within_one_rounding_of_the_reference(op, dtype):
    arguments = op.arguments(D=dtype)
    upstream = op.upstream(op.results(arguments))
    got = op.gradients(arguments, upstream=upstream)
    expected = op.reference(arguments, upstream)
    assert {name: mismatch(got[name], expected[name]) for name in op.of} == dict.fromkeys(op.of)


@each_with_probs
@pytest.mark.parametrize(("tokens", "probs"), [*itertools.product(FLOATS, FLOATS)], ids=str)
def test_each_gradient_looks_like_its_input(op, tokens, probs):
    arguments = op.arguments(D=tokens, P=probs)
    for name, gradient in op.gradients(arguments).items():
        assert (gradient.dtype, gradient.shape) == (arguments[name].dtype, arguments[name].shape)


@each_with_probs
def test_gradient_of_one_argument_is_that_of_all(op):
    arguments = op.arguments(D=torch.bfloat16)
    every = op.gradients(arguments)
    for name in op.of:
        assert_same(op.gradients(arguments, [name]), {name: every[name]})


@each_with_probs
def test_absent_probs(op):
    arguments = op.arguments(P=None)
    (gradient,) = op.gradients(arguments, wanted=op.of[:1]).values()
    upstream = op.upstream(op.results(arguments))
    assert mismatch(gradient, op.reference(arguments, [*upstream, None])[op.of[0]]) is None


@pytest.mark.parametrize("pad", [False, True])
def test_loss_that_uses_only_one_result(pad):
    op = next(op for op in WITH_PROBS if op.through == 2 and dict(op.axes)["pad"] == pad)
    arguments = op.arguments()
    upstream = op.upstream(op.results(arguments))
    expected = op.reference(arguments, upstream)
    for used, name in enumerate(op.of):
        leaves = {name: arguments[name].detach().requires_grad_() for name in op.of}
        op.results(arguments | leaves)[used].backward(upstream[used])
        assert mismatch(leaves[name].grad, expected[name]) is None
        unused = leaves[op.of[1 - used]].grad
        assert unused is None or not unused.any()


@each_differentiable
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_upstream_gradients_in_any_memory(op, layout):
    arguments = op.arguments(D=torch.bfloat16)
    strided = [layout(gradient) for gradient in op.upstream(op.results(arguments))]
    contiguous = [gradient.contiguous() for gradient in strided]
    assert_same(op.gradients(arguments, upstream=strided), op.gradients(arguments, upstream=contiguous))


@each_differentiable
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_arguments_in_any_memory(op, layout):
    arguments = op.arguments(D=torch.bfloat16)
    strided = {k: layout(v) if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}
    contiguous = {k: v.contiguous() if isinstance(v, torch.Tensor) else v for k, v in strided.items()}
    assert_same(op.gradients(strided), op.gradients(contiguous))


@each_differentiable
def test_upstream_gradient_of_a_sum(op):
    """What `.sum().backward()` sends back has stride 0 everywhere."""
    arguments = op.arguments()
    ones = [torch.ones_like(result) for result in op.results(arguments)]
    leaves = {name: arguments[name].detach().requires_grad_() for name in op.of}
    sum(result.sum() for result in op.results(arguments | leaves)).backward()
    assert_same({name: leaf.grad for name, leaf in leaves.items()}, op.gradients(arguments, upstream=ones))


@each_differentiable
def test_zero_tokens(op):
    if op.operator == "npu_swiglu":
        arguments = dict(self=torch.zeros(0, 6))
    elif "pad" in dict(op.axes):
        arguments = op.arguments(T=0, C=0)
    else:
        arguments = op.arguments(T=0)
    for name, gradient in op.gradients(arguments).items():
        assert gradient.shape == arguments[name].shape


@each_differentiable
def test_inside_a_larger_graph(op):
    """Tensors that are no leaves, results used twice, and a graph that is gone through twice."""
    arguments = op.arguments()
    every = op.gradients(arguments, upstream=[torch.ones_like(result) for result in op.results(arguments)])
    leaves = {name: arguments[name].detach().requires_grad_() for name in op.of}
    results = op.results(arguments | {name: leaf * 1.0 for name, leaf in leaves.items()})
    loss = sum((result + result).sum() for result in results)
    loss.backward(retain_graph=True)
    loss.backward()
    for name, leaf in leaves.items():
        torch.testing.assert_close(leaf.grad, 4 * every[name])


@each_differentiable
def test_second_backward_without_retain_graph_is_an_error(op):
    arguments = op.arguments()
    leaves = {name: arguments[name].requires_grad_() for name in op.of}
    loss = sum(result.sum() for result in op.results(arguments | leaves))
    loss.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()


@each_differentiable
def test_input_changed_in_place_before_backward_is_an_error_or_harmless(op):
    """torch's version counter must see a saved tensor that was overwritten."""
    arguments = op.arguments()
    wanted = op.gradients(arguments)
    for name in op.of:
        leaves = {other: arguments[other].detach().clone().requires_grad_() for other in op.of}
        results = op.results(arguments | leaves)
        with torch.no_grad():
            leaves[name].fill_(7.0)
        try:
            got = torch.autograd.grad(results, list(leaves.values()), op.upstream(results))
        except RuntimeError as error:
            assert "modified by an inplace operation" in str(error)  # noqa: PT017
        else:
            assert_same(dict(zip(op.of, got, strict=True)), wanted)


@each_differentiable
def test_second_derivative_is_a_clear_error(op):
    arguments = op.arguments()
    leaves = {name: arguments[name].requires_grad_() for name in op.of}
    results = op.results(arguments | leaves)
    upstream = [gradient.requires_grad_() for gradient in op.upstream(results)]
    gradients = torch.autograd.grad(results, list(leaves.values()), upstream, create_graph=True)
    with pytest.raises(RuntimeError, match=r"derivative for npu::\w+_(grad|grad_v2|backward) is not implemented"):
        sum(gradient.sum() for gradient in gradients).backward()


# What is kept for the backward


def saved_storages(run) -> set[int]:
    """The storages that a graph keeps for its backward."""
    saved = set()

    def pack(tensor):
        saved.add(tensor.untyped_storage().data_ptr())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        run()
    return saved


@pytest.mark.parametrize("op", [op for op in WITH_PROBS if "unpermute" in op.operator], ids=str)
@pytest.mark.parametrize(
    ("probs", "needed"), [("needs a gradient", True), ("frozen", False), ("absent", False)], ids=str
)
def test_permuted_tokens_are_kept_only_for_the_gradient_of_probs(op, probs, needed):
    arguments = op.arguments(P=None if probs == "absent" else torch.float32)
    arguments["permuted_tokens"].requires_grad_()
    if probs == "needs a gradient":
        arguments["probs"].requires_grad_()
    saved = saved_storages(lambda: op.results(arguments))
    assert saved  # sorted_indices are kept in any case
    assert (arguments["permuted_tokens"].data_ptr() in saved) == needed


def test_tokens_are_not_kept_for_the_gradient_of_permute():
    op = DIFFERENTIABLE[0]
    arguments = op.arguments()
    arguments["tokens"].requires_grad_()
    saved = saved_storages(lambda: op.results(arguments))
    assert saved
    assert arguments["tokens"].data_ptr() not in saved


@each_differentiable
def test_nothing_is_kept_where_no_gradient_is_wanted(op):
    arguments = op.arguments()
    assert saved_storages(lambda: op.results(arguments)) == set()
    for name in op.of:
        arguments[name].requires_grad_()
    with torch.no_grad():
        assert saved_storages(lambda: op.results(arguments)) == set()
        assert not any(result.requires_grad for result in op.results(arguments))


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op.through < 2], ids=str)
def test_results_without_a_gradient_say_so(op):
    arguments = op.arguments()
    leaves = {name: arguments[name].requires_grad_() for name in op.of}
    results = call(op.operator, arguments | leaves)
    assert [result.requires_grad for result in results] == [i < op.through for i in range(len(results))]


# Modes and transforms


@each_differentiable
def test_inference_mode(op):
    arguments = op.arguments()
    expected = op.results(arguments)
    with torch.inference_mode():
        results = op.results(arguments)
    assert all(result.is_inference() for result in results)
    assert all(torch.equal(got, wanted) for got, wanted in zip(results, expected, strict=True))


@each_differentiable
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_autocast_leaves_dtypes_alone(op, dtype):
    """The results have the dtypes of the arguments, inside autocast as outside, and so have the gradients."""
    arguments = op.arguments(D=dtype)
    with torch.autocast("cpu", torch.bfloat16):
        results = op.results(arguments)
        gradients = op.gradients(arguments)
    assert [result.dtype for result in results] == [result.dtype for result in op.results(arguments)]
    assert_same(gradients, op.gradients(arguments))


@each_differentiable
@pytest.mark.parametrize("use_reentrant", [False, True])
def test_checkpoint(op, use_reentrant):
    arguments = op.arguments()
    leaves = {name: arguments[name].detach().requires_grad_() for name in op.of}

    def run(*values):
        return op.results(arguments | dict(zip(op.of, values, strict=True)))

    results = checkpoint(run, *leaves.values(), use_reentrant=use_reentrant)
    torch.autograd.backward(results, op.upstream(results))
    assert_same({name: leaf.grad for name, leaf in leaves.items()}, op.gradients(arguments))


@each_differentiable
def test_torch_func_grad(op):
    arguments = op.arguments()

    def loss(*values):
        results = op.results(arguments | dict(zip(op.of, values, strict=True)))
        return sum(result.sum() for result in results)

    values = tuple(arguments[name] for name in op.of)
    gradients = torch.func.grad(loss, argnums=tuple(range(len(values))))(*values)
    ones = [torch.ones_like(result) for result in op.results(arguments)]
    assert_same(dict(zip(op.of, gradients, strict=True)), op.gradients(arguments, upstream=ones))


@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_vmap():
    """One call for each element of the batch."""
    op = next(op for op in DIFFERENTIABLE if op.operator == "npu_moe_token_unpermute")
    arguments = op.arguments()
    batch = torch.stack([arguments["permuted_tokens"], 2 * arguments["permuted_tokens"]])
    results = torch.func.vmap(lambda tokens: op.results(arguments | dict(permuted_tokens=tokens))[0])(batch)
    (single,) = op.results(arguments)
    assert torch.equal(results, torch.stack([single, 2 * single]))


@each_differentiable
def test_calls_from_several_threads(op):
    arguments = op.arguments()
    expected = op.gradients(arguments)
    wrong = []

    def work():
        for _ in range(20):
            got = op.gradients(arguments)
            wrong.extend(name for name in op.of if not torch.equal(got[name], expected[name]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
