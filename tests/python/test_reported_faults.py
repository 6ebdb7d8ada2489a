"""Faults that people reported of operators of this kind elsewhere, with inputs that would show them and right answers.

Each test names the public report. The inputs and answers are our own.
"""

import pytest
import torch

npu = torch.ops.npu
bf16 = torch.bfloat16


def test_weights_are_not_rounded_to_the_dtype_of_the_tokens():
    """NVIDIA/Megatron-LM#1421: routing probabilities in low precision make ranks differ."""
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randn(128, 64, generator=generator).to(bf16)
    rows, probs = torch.randperm(128, generator=generator), torch.rand(16, 8, generator=generator)

    def unpermuted(probs):
        exact = (tokens.double()[rows].view(16, 8, 64) * probs.double().unsqueeze(-1)).sum(1)
        got = npu.npu_moe_token_unpermute(tokens, rows, probs)
        torch.testing.assert_close(got.double(), exact, rtol=2**-8, atol=2**-20)
        return got

    assert not torch.equal(unpermuted(probs), unpermuted(probs.to(bf16).float()))


def test_float32_weights_of_bfloat16_tokens():
    """huggingface/transformers#41418: 'Expected self.dtype to be equal to src.dtype'."""
    result = npu.npu_moe_token_unpermute(torch.ones(4, 3, dtype=bf16), torch.arange(4), torch.full((2, 2), 0.25))
    assert result.dtype == bf16
    assert result.unique().tolist() == [0.5]


@pytest.mark.parametrize("order", [range(8), reversed(range(8))], ids=["largest first", "largest last"])
def test_choices_are_summed_in_float32(order):
    """NVIDIA/TransformerEngine#1336: a gradient error that grows with the number of choices."""
    gradient = torch.tensor([[1.0]] + [[2.0**-9]] * 7, dtype=bf16)
    rows = torch.tensor(list(order), dtype=torch.int32)
    # 1 + 7 * 2^-9 = 1.0137; its neighbours in bfloat16 are 1.0078 and 1.0156. Summed in bfloat16 it would stay 1.
    assert npu.npu_moe_token_permute_grad_v2(gradient, rows, 1, bf16, 8).item() == 1.015625
    assert npu.npu_moe_token_unpermute(gradient, rows, torch.ones(1, 8)).item() == 1.015625


def test_experts_are_selected_by_float32_values():
    """sgl-project/sglang#33764: bfloat16 logits gave 5 % of the tokens another set of experts."""
    logits = torch.tensor([[1.0, 1.0 + 2**-10, 0.0, 0.0]])
    assert npu.npu_moe_gating_top_k_softmax(logits, None, 1)[1].tolist() == [[1]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, bf16], ids=str)
def test_nearly_equal_and_vanishing_probabilities_keep_the_order_of_the_logits(dtype):
    """Probabilities that are equal, or 0, after rounding do not make the lower expert win."""
    y, experts, _ = npu.npu_moe_gating_top_k_softmax(
        torch.tensor([[0.0, -400.0, -300.0, -200.0]], dtype=dtype), None, 3
    )
    assert experts.tolist() == [[0, 3, 2]]
    assert y.tolist() == [[1.0, 0.0, 0.0]]


def test_a_row_of_nan_selects_different_experts():
    """vllm-project/vllm#39391: NaN logits picked expert 0 for every choice, and the next kernel crashed."""
    logits = torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
    _, expected, _ = npu.npu_moe_gating_top_k_softmax(logits, None, 3)
    logits[1] = torch.nan
    _, experts, _ = npu.npu_moe_gating_top_k_softmax(logits, None, 3)
    assert len(set(experts[1].tolist())) == 3
    assert all(0 <= expert < 6 for expert in experts[1].tolist())
    others = [0, 2, 3]
    assert torch.equal(experts[others], expected[others])


def test_strides_of_gradients_of_a_transposed_argument():
    """Ascend/op-plugin: Meta kept the strides of a transposed input, the device did not."""
    permuted = torch.randn(8, 10).t()
    arguments = [permuted, torch.randn(10, 8), torch.arange(10)]
    real, absent = npu.npu_moe_token_unpermute_grad(*arguments)
    meta, _ = npu.npu_moe_token_unpermute_grad(*(x.to("meta") for x in arguments))
    assert absent is None
    assert real.stride() == meta.stride() == (8, 1)


def test_no_rows():
    """sgl-project/sglang#23609: silu_and_mul of no rows left an error behind."""
    result = npu.npu_swiglu(torch.zeros(0, 16, dtype=bf16))
    assert (result.shape, result.dtype) == ((0, 8), bf16)


def test_no_hidden_dimension_still_gives_the_row_map():
    """PaddlePaddle/Paddle#79470: an early return left the row map unwritten."""
    indices = torch.tensor([[1, 0], [0, 2], [1, 1], [2, 0], [0, 1]])
    permuted, rows = npu.npu_moe_token_permute(torch.zeros(5, 0, dtype=bf16), indices)
    assert permuted.shape == (10, 0)
    # ids 1 0 0 2 1 1 2 0 0 1: slots 1 2 7 8 of expert 0, then 0 4 5 9 of 1, then 3 6 of 2
    assert rows.tolist() == [4, 0, 1, 8, 5, 6, 9, 2, 3, 7]


def test_dropped_slots_add_exactly_nothing():
    """PrimeIntellect-ai/prime-rl#2035, ROCm/aiter#575: positions that were never written carried garbage."""
    indices = torch.tensor([[0, 1], [0, 1], [1, 0], [1, 1], [0, 0], [1, 0]])
    permuted, rows = npu.npu_moe_token_permute(torch.ones(6, 4), indices, 5)
    assert permuted.shape == (5, 4)
    result = npu.npu_moe_token_unpermute(permuted, rows, torch.ones(6, 2))
    # Of the six slots of expert 0 in order (0,0) (1,0) (2,1) (4,0) (4,1) (5,1), the first five have rows.
    assert result[:, 0].tolist() == [1, 1, 1, 0, 2, 0]


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64], ids=str)
def test_indices_of_both_widths(dtype):
    """vllm-project/vllm#40862: int32 and int64 index tensors in one operator."""
    indices = torch.tensor([[0, 4], [4, 3], [4, 2], [1, 1]], dtype=dtype)
    permuted, rows = npu.npu_moe_token_permute(torch.tensor([[1.0], [2.0], [3.0], [0.0]]), indices)
    assert rows.dtype == torch.int32
    # Ascend/op-plugin's example passes argsort(indices) on, where this, its inverse, is needed.
    assert rows.tolist() == [0, 5, 6, 4, 7, 3, 1, 2]
    back = npu.npu_moe_token_unpermute(permuted, rows.to(dtype), torch.full((4, 2), 0.5))
    assert back.flatten().tolist() == [1, 2, 3, 0]


def test_sizes_that_are_no_powers_of_two():
    """vllm-project/vllm#14568: permute failed only at 2,048 tokens, 6 choices of 64 experts, hidden size 7,168."""
    tokens = torch.arange(2048, dtype=torch.int32).unsqueeze(1).expand(2048, 7168).to(bf16)
    indices = torch.randint(64, (2048, 6), generator=torch.Generator().manual_seed(0))
    permuted, rows = npu.npu_moe_token_permute(tokens, indices)
    order = indices.flatten().argsort(stable=True)
    assert torch.equal(rows[order], torch.arange(2048 * 6, dtype=torch.int32))
    for column in (0, 7167):
        assert torch.equal(permuted[:, column], tokens[order // 6, 0])


def test_all_tokens_to_one_expert():
    """vllm-project/vllm-xpu-kernels#453: every token but the first was dropped."""
    _, rows = npu.npu_moe_token_permute(torch.ones(4, 2), torch.zeros(4, 1, dtype=torch.int32))
    assert rows.tolist() == [0, 1, 2, 3]


def test_negative_ids_are_refused():
    """NVIDIA/TransformerEngine#2908: ids of -1 were sorted to the front and taken for real rows."""
    with pytest.raises(RuntimeError, match=r"npu_moe_token_permute: indices\[0, 0\] is -1"):
        npu.npu_moe_token_permute(torch.ones(2, 2), torch.tensor([[-1, 0], [1, -1]]))


def test_capacity_is_kept():
    """deepspeedai/DeepSpeed#1658: five tokens on one expert overflowed its capacity of four."""
    routing_map = torch.zeros(5, 4, dtype=torch.bool)
    routing_map[:, 0] = True
    permuted, _, tokens = npu.npu_moe_token_permute_with_routing_map(
        torch.arange(5.0).unsqueeze(1), routing_map, num_out_tokens=16, drop_and_pad=True
    )
    # Experts without tokens are padded with the first ones.
    assert tokens.tolist() == [0, 1, 2, 3] * 4
    assert permuted.flatten().tolist() == [0, 1, 2, 3] * 4


def test_capacity_above_the_number_of_tokens():
    """deepspeedai/DeepSpeed#5353: 'selected index k out of range', from a kernel further on."""
    with pytest.raises(RuntimeError, match="num_out_tokens / E may not exceed the number of tokens"):
        npu.npu_moe_token_permute_with_routing_map(
            torch.ones(3, 2), torch.ones(3, 4, dtype=torch.bool), num_out_tokens=24, drop_and_pad=True
        )


@pytest.mark.parametrize("beyond", [4, 2**30])
def test_rows_beyond_the_end_touch_no_memory(beyond):
    """vllm-project/vllm#45492: a sentinel one past the end wrote out of bounds."""
    rows = torch.tensor([0, 1, beyond, 3], dtype=torch.int32)
    assert npu.npu_moe_token_unpermute(torch.ones(4, 1), rows).flatten().tolist() == [1, 1, 0, 1]
    gradient, _ = npu.npu_moe_token_unpermute_grad(torch.ones(4, 1), torch.ones(4, 1), rows)
    assert gradient.flatten().tolist() == [1, 1, 0, 1]


def test_gradient_of_probs_by_routing_map():
    """Ascend/op-plugin: probs_grad in the dtype of the tokens' gradient, in the wrapper and in Meta alike."""
    routing_map = torch.tensor([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    _, grad_probs = npu.npu_moe_token_unpermute_with_routing_map_grad(
        torch.ones(6, 96, dtype=bf16),
        torch.arange(12),
        torch.arange(6).repeat_interleave(2),
        routing_map.bool(),
        torch.ones(12, 96, dtype=bf16),
        torch.rand(6, 4),
        False,
        [6, 96],
    )
    assert grad_probs.dtype == torch.float32
    assert torch.equal(grad_probs, routing_map * 96.0)
