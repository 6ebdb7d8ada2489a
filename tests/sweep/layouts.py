"""The same values in other memory: what strides and offsets a tensor may arrive with."""

import torch


def contiguous(tensor):
    return tensor.contiguous()


def transposed(tensor):
    """The last dimension outermost; of a vector, every second element from the end of a longer one."""
    if tensor.dim() < 2:
        return sliced(tensor)
    return tensor.mT.contiguous().mT


def sliced(tensor):
    """Every second element of the last dimension, and every third of the first, of a larger tensor of other values."""
    if tensor.dim() == 0:
        return tensor
    sizes = list(tensor.shape)
    sizes[-1] *= 2
    if tensor.dim() > 1:
        sizes[0] *= 3
    larger = torch.ones(sizes, dtype=tensor.dtype)
    view = larger[..., ::2] if tensor.dim() == 1 else larger[::3, ..., ::2]
    return view.copy_(tensor)


def offset(tensor):
    """Contiguous, but beginning at an odd offset: aligned to nothing but its elements."""
    storage = torch.ones(tensor.numel() + 3, dtype=tensor.dtype)
    return storage[3:].view(tensor.shape).copy_(tensor)


def expanded(tensor):
    """The first row everywhere, with a stride of 0. Changes the values; floating-point tensors only."""
    if tensor.dim() == 0 or tensor.size(0) == 0 or not tensor.dtype.is_floating_point:
        return tensor
    return tensor[:1].expand(tensor.shape)


LAYOUTS = {layout.__name__: layout for layout in (contiguous, transposed, sliced, offset, expanded)}


def on_device(tensor: torch.Tensor, device: str) -> torch.Tensor:
    """The tensor on a device, with its strides and its offset: `Tensor.to` would make most of these contiguous."""
    if device == "cpu":
        return tensor
    if device == "meta":
        return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta")
    storage = tensor.as_strided((tensor.untyped_storage().nbytes() // tensor.element_size(),), (1,), 0)
    return storage.to(device).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
