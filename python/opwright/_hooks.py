"""What happens when torch or torch_npu is imported after opwright.

torch: our library loads. torch_npu: our definitions make room for its own, and our CPU kernels attach to those. One may
be imported within the other: torch_npu imports torch, and torch loads torch_npu where it is installed as a back end. So
the library attaches when the outermost of them is there.
"""

import contextlib
import sys
import warnings

from opwright import _library

_importing = 0


@contextlib.contextmanager
def _around(name: str):
    global _importing
    _importing += 1
    if name == "torch_npu" and _library.is_loaded():
        _library.detach()
    try:
        yield
    except BaseException:
        _importing -= 1
        if _library.is_loaded():
            _library.attach()
        raise
    _importing -= 1
    if _importing > 0:
        return
    try:
        _library.attach()
    except ImportError as error:  # torch is not to blame; whoever uses opwright gets the error itself
        warnings.warn(f"opwright is not available: {error}", stacklevel=2)


class _Loader:
    """A module's own loader, with something around the execution of the module."""

    def __init__(self, name, loader):
        self._name = name
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        with _around(self._name):
            self._loader.exec_module(module)


class _Finder:
    """Finds torch and torch_npu as the other finders do."""

    def find_spec(self, name, path=None, target=None):
        if name not in ("torch", "torch_npu"):
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(name, spec.loader)
                return spec
        return None


def install() -> None:
    sys.meta_path.insert(0, _Finder())
