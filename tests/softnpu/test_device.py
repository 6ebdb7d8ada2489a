"""Starts the tests of `device`, in a process in which the software NPU was loaded before torch."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_device():
    environment = {**os.environ, "OPWRIGHT_NPU_TRACE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "opwright.softnpu", str(HERE / "device")]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
