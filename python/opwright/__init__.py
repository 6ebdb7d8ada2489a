"""Opwright: declare a PyTorch operator once; get its wrappers, gradient, checks, documentation and NPU bindings.

`import opwright` brings the operators of this build to torch as `torch.ops.npu.npu_…`, on CPU and as Meta functions; at
once if torch is imported already, otherwise when it is. Each is also a function here, with a signature and a docstring:

    import torch, opwright
    opwright.npu_moe_token_unpermute(permuted_tokens, sorted_indices, probs)

torch itself is imported only when an attribute is asked for, so that the command line starts fast.
"""

import sys

__version__ = "0.1.0"

# Found in _library, which imports torch.
_API = ("coverage", "override")


def __getattr__(name: str):
    # Other names may be submodules, which Python looks for here before it imports them.
    if name not in _API and not name.lstrip("_").startswith("npu_"):
        raise AttributeError(f"module 'opwright' has no attribute '{name}'")
    from opwright import _library

    if name in _API:
        return getattr(_library, name)
    function = _library.function(name)
    if function is None:
        raise AttributeError(f"module 'opwright' has no attribute '{name}'{_library.did_you_mean(name)}")
    globals()[name] = function
    return function


def __dir__():
    from opwright import _library

    return sorted({*globals(), *_API, *_library.names()})


def _start() -> None:
    from opwright import _hooks, _library

    _hooks.install()
    torch = sys.modules.get("torch")
    # Within torch's own import, which a plug-in of it may be, operators come with the first use of an attribute.
    if torch is not None and not torch.__spec__._initializing:
        _library.attach()


_start()
