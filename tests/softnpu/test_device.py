"""Starts the tests of `device`, in a process in which the software NPU was loaded before torch."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(tests, **machine):
    environment = {**os.environ, "OPWRIGHT_NPU_TRACE": "1", **machine}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "opwright.softnpu", str(HERE / "device" / tests)]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_device():
    run("")


def test_newer_device():
    """For which torch_npu calls other entry points."""
    run("test_operators.py", OPWRIGHT_NPU_SOC="Ascend950PR_9589", TORCH_NPU_USE_COMPATIBLE_IMPL="1")
