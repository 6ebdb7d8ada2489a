"""Three tokens, two experts each, brought back into token order on an NPU; and the gradients' dtypes."""

import torch
import torch_npu

permuted_tokens = torch.arange(6.0).half().unsqueeze(1).npu().requires_grad_()
sorted_indices = torch.tensor([0, 3, 1, 4, 2, 5], dtype=torch.int32).npu()
probs = torch.tensor([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]).npu().requires_grad_()

tokens = torch_npu.npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs)
tokens.sum().backward()

print(torch.npu.get_device_name())
print(tokens.flatten().tolist(), tokens.dtype)
print(probs.grad.tolist(), probs.grad.dtype)
