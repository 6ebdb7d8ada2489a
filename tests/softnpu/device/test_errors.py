"""What goes wrong is said with the same words as elsewhere, and the process lives on."""

import pytest
import torch
import torch_npu


def finish(call, *arguments):
    """Calls, and waits for the device, which is where some errors come to light."""
    result = call(*arguments)
    torch.npu.synchronize()
    return result


def works():
    return (torch.ones(3, device="npu") + 1).cpu().tolist() == [2, 2, 2]


def test_missing_operator_is_named():
    with pytest.raises(RuntimeError, match="the software NPU does not implement aclnnHardshrink"):
        finish(torch.nn.functional.hardshrink, torch.ones(3, device="npu"))
    assert works()


def test_operator_of_the_older_interface_is_named():
    image, weight = torch.ones(1, 1, 4, 4, device="npu"), torch.ones(1, 1, 3, 3, device="npu")
    with pytest.raises(RuntimeError, match="the software NPU has no aclop operators, and Conv2D is one"):
        finish(torch_npu.npu_conv2d, image, weight, None, [1, 1], [0, 0], [1, 1], 1)
    assert works()


def test_error_of_aten_keeps_its_text():
    indices = torch.tensor([7]).npu()
    with pytest.raises(RuntimeError, match="index out of range in self"):
        finish(torch.index_select, torch.ones(3, device="npu"), 0, indices)


def test_out_of_memory():
    _, total = torch.npu.mem_get_info()
    with pytest.raises(RuntimeError, match="NPU out of memory"):
        torch.empty(total + 1, dtype=torch.uint8, device="npu")
    assert works()


def test_device_that_does_not_exist():
    with pytest.raises(RuntimeError):
        torch.zeros(2, device="npu:1")
    assert works()
