"""The slow, obvious answer of every operator, in double precision, sharing no code with the kernels.

`REFERENCES[operator](**arguments)` returns an `Expected` for each result, and None for an absent one.
"""

from . import (
    gating_top_k_softmax,
    swiglu,
    token_permute,
    token_permute_with_routing_map,
    token_unpermute,
    token_unpermute_with_routing_map,
)
from .expected import Expected, mismatch

_MODULES = (
    gating_top_k_softmax,
    swiglu,
    token_permute,
    token_permute_with_routing_map,
    token_unpermute,
    token_unpermute_with_routing_map,
)


def _results(reference):
    def call(**arguments) -> tuple[Expected | None, ...]:
        results = reference(**arguments)
        return results if isinstance(results, tuple) else (results,)

    return call


REFERENCES = {
    name: _results(reference)
    for module in _MODULES
    for name, reference in vars(module).items()
    if name.lstrip("_").startswith("npu_")
}

__all__ = ["REFERENCES", "Expected", "mismatch"]
