"""Tests of the software NPU. Those in `device` need a process of their own, in which it was loaded before torch
(`pytest -p opwright.softnpu`); test_device.py starts it."""

import os

import pytest
from opwright import softnpu

collect_ignore = [] if os.environ.get("OPWRIGHT_NPU_TRACE") == "1" else ["device"]

if not softnpu.is_built():
    collect_ignore.append("device")


def pytest_collection_modifyitems(items):
    if softnpu.is_built():
        return
    reason = "the software NPU is not built: it needs the torch-npu wheel (x86-64, Python 3.11)"
    for item in items:
        if "tests/softnpu/" in item.path.as_posix():
            item.add_marker(pytest.mark.skip(reason=reason))
