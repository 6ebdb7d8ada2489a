"""What happens when torch and torch_npu are imported after opwright."""

import contextlib
import importlib.machinery
import sys
import warnings


@contextlib.contextmanager
def _importing_torch():
    yield
    from opwright import _library

    try:
        _library.library()
    except ImportError as error:  # torch is not to blame; whoever uses opwright gets the error itself
        warnings.warn(f"opwright is not available: {error}", stacklevel=2)


@contextlib.contextmanager
def _importing_torch_npu():
    """The operators are torch_npu's: our definitions make room, and our CPU kernels attach to its own afterwards."""
    from opwright import _library

    if not _library.is_loaded():
        yield
        return
    _library.detach()
    try:
        yield
    finally:
        _library.attach()


_AROUND = {"torch": _importing_torch, "torch_npu": _importing_torch_npu}


class _Loader:
    """The module's own loader, with something around the execution of the module."""

    def __init__(self, loader, around):
        self._loader = loader
        self._around = around

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        with self._around():
            self._loader.exec_module(module)


class _Finder:
    def find_spec(self, name, path=None, target=None):
        around = _AROUND.get(name)
        if around is None:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if isinstance(spec, importlib.machinery.ModuleSpec) and spec.loader is not None:
                    spec.loader = _Loader(spec.loader, around)
                return spec
        return None


def install():
    if not any(type(finder).__name__ == _Finder.__name__ and type(finder).__module__ == __name__ for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
