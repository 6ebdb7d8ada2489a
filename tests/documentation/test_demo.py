"""The demo shows what it claims, on three steps and on CPU tensors."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples/mixed_precision_moe"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The demo's module, its runs, and the exact gradient."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        import demo
        import operators
        import opwright
        import runs
        import torch

        patch.setattr(runs, "STEPS", 3)
        patch.setattr(demo, "is_built", lambda: False)
        plain = operators.plain()
        exact = runs.first_router_gradient(plain, torch.float64)
        yield demo, demo.train_all(plain, operators.with_historical_fault(opwright)), exact


def test_claims_are_met(shown):
    demo, runs, exact = shown
    assert demo.unmet_claims(runs, exact) == []


def test_claims_can_fail(shown):
    demo, runs, exact = shown
    swapped = {"float32": runs["float32"], "opwright": runs["fault"], "fault": runs["opwright"]}
    assert demo.unmet_claims(swapped, exact) == [
        "Opwright's operators, on CPU tensors: not finite",
        "historical fault, grad_probs float16: no harm done",
    ]


def test_picture(shown, tmp_path):
    demo, runs, exact = shown
    demo.draw(runs, demo.TITLES, exact, tmp_path / "out" / "picture.png")
    assert (tmp_path / "out" / "picture.png").read_bytes().startswith(b"\x89PNG")
