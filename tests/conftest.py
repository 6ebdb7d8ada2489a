"""`import torch` must not start torch-npu by itself here: the software NPU's tests do that in programs of their own."""

import os

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
