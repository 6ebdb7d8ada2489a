"""The slow, obvious answer of every operator, in double precision, sharing no code with the kernels.

`REFERENCES[operator](**arguments)` returns an `Expected` for each result, and None for an absent one.
"""

import importlib
import pkgutil

from .expected import Expected, mismatch

# A module for each declaration; adding one edits no list.
_MODULES = [importlib.import_module(f".{module.name}", __name__) for module in pkgutil.iter_modules(__path__)]


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
