"""Setting of the Python suite: the CPU operators of this tree, without torch_npu, with a compile cache of its own."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # the package `reference`

# An installed torch_npu would load itself with torch and bring its own operators; tests/softnpu is where it is wanted.
os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"


@pytest.fixture(scope="session", autouse=True)
def fresh_compile_cache(tmp_path_factory):
    """The cache's key does not see our C++: a graph compiled before a gradient changed would be used after it."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(tmp_path_factory.mktemp("inductor"))


@pytest.fixture(autouse=True)
def poisoned_memory():
    """torch fills memory that it hands out with NaN, or the largest integer, so that unwritten results show."""
    import torch

    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


@pytest.fixture(scope="session")
def declarations():
    from sweep.declarations import DECLARATIONS

    return DECLARATIONS
