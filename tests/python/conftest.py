"""Setting of the Python suite: the CPU operators of this tree, with a compile cache of their own."""

import os

import opwright  # noqa: F401  defines torch.ops.npu.* when torch is imported
import pytest


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
