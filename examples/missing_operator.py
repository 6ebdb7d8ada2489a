"""An operator that the software NPU does not have, and life after it."""

import torch
import torch_npu

x = torch.ones(2, 4, dtype=torch.float16).npu()
try:
    torch_npu.npu_geglu(x)
except RuntimeError as error:
    print(str(error).splitlines()[-1])
print((x + 1).sum().item())
