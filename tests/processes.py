"""Programs in processes of their own, for tests of what happens once in a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOFTWARE_NPU = Path(__file__).resolve().parents[1] / "python/opwright/lib/softnpu"
needs_torch_npu = pytest.mark.skipif(
    not (SOFTWARE_NPU / "libascendcl.so").exists(), reason="torch_npu loads only where the software NPU is built"
)


def run(program: str, autoload: str = "0") -> str:
    """What a program prints. `autoload`: whether torch loads torch_npu by itself."""
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": autoload, "LD_LIBRARY_PATH": str(SOFTWARE_NPU)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overriding a previously registered kernel" not in done.stderr
    return done.stdout
