"""The NPU in software: run programs of torch_npu on a machine without a device.

    opwright run train.py --epochs 3        # any program
    pytest -p opwright.softnpu tests        # a test suite
    opwright.softnpu.load()                 # this process, before torch is imported

torch_npu finds the software NPU because it looks its libraries up by name (SONAME): a library that is loaded under that
name already, or that lies in a folder of LD_LIBRARY_PATH, is taken. Child processes inherit the environment and with it
the software NPU.
"""

import argparse
import ctypes
import importlib.util
import os
import sys
from pathlib import Path

LIBRARIES = Path(__file__).parent / "lib" / "softnpu"

# In the order in which they need one another. libaclnn_math, the bridge to ATen, needs libtorch_cpu as well.
BEFORE_TORCH = ["ascendcl", "hccl", "acl_op_compiler", "ge_runner", "graph", "acl_tdt_channel", "ascend_protobuf",
                "fmk_parser", "atb", "opapi", "aclnn_rand"]  # fmt: skip
WITH_TORCH = ["aclnn_math"]

CANN_HOMES = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"]
CANN_FOLDERS = ["/usr/local/Ascend/ascend-toolkit/latest/lib64", "/usr/lib64", "/usr/lib", "/usr/local/lib"]


class SoftwareNpuError(RuntimeError):
    """The software NPU cannot be used here; the message says why and what to do."""


def is_built() -> bool:
    return (LIBRARIES / "libascendcl.so").exists()


def find_cann() -> str | None:
    """The runtime library of a real CANN, if there is one where it installs itself or where the loader would look."""
    folders = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    folders += [f"{os.environ[name]}/lib64" for name in CANN_HOMES if name in os.environ]
    for folder in [*folders, *CANN_FOLDERS]:
        library = Path(folder, "libascendcl.so")
        if library.exists() and library.parent.resolve() != LIBRARIES.resolve():
            return str(library)
    return None


def _check(force: bool) -> None:
    if not is_built():
        raise SoftwareNpuError(
            "the software NPU is not built: it needs the torch-npu wheel (x86-64, Python 3.11); run `make setup`"
        )
    if importlib.util.find_spec("torch_npu") is None:
        raise SoftwareNpuError("torch_npu is not installed; run `pip install torch-npu==2.13.0`")
    cann = find_cann()
    if cann and not force and os.environ.get("OPWRIGHT_NPU_SOFTWARE") != "1":
        raise SoftwareNpuError(
            f"there is a real CANN ({cann}), which is left alone; to use the software NPU all the same, "
            "pass --software or set OPWRIGHT_NPU_SOFTWARE=1"
        )


def environment(inherited: dict[str, str]) -> dict[str, str]:
    """The environment in which a process, and its children, find the software NPU."""
    path = inherited.get("LD_LIBRARY_PATH", "")
    folders = [str(LIBRARIES), *(folder for folder in path.split(":") if folder and folder != str(LIBRARIES))]
    return {**inherited, "LD_LIBRARY_PATH": ":".join(folders)}


def load(*, force: bool = False) -> None:
    """Makes this process use the software NPU. To be called before torch is imported."""
    _check(force)
    if "torch_npu" in sys.modules:
        raise SoftwareNpuError("torch_npu is loaded already; use `opwright run`, or load the software NPU first")
    os.environ.update(environment(dict(os.environ)))
    for name in BEFORE_TORCH:
        ctypes.CDLL(str(LIBRARIES / f"lib{name}.so"))
    # The bridge must be there before torch_npu looks for operators, which it may do while torch is imported.
    torch = importlib.util.find_spec("torch")
    ctypes.CDLL(str(Path(torch.origin).parent / "lib" / "libtorch_cpu.so"))
    for name in WITH_TORCH:
        ctypes.CDLL(str(LIBRARIES / f"lib{name}.so"))


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="opwright run", description="Run a program of torch_npu on the software NPU.")
    parser.add_argument("--devices", type=int, metavar="N", help="how many devices there are (1)")
    parser.add_argument("--memory", metavar="SIZE", help="memory of each device, such as 64GiB (that of this machine)")
    parser.add_argument("--soc", metavar="NAME", help="which NPU is simulated (Ascend910B1)")
    parser.add_argument("--dry", action="store_true", help="check every operator's arguments, but compute nothing")
    parser.add_argument("--trace", action="store_true", help="print every call of the device's interface")
    parser.add_argument("--software", action="store_true", help="do so even where there is a real device")
    parser.add_argument("-m", dest="module", action="store_true", help="run a module, as `python -m` does")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="script.py [arguments]")
    parsed = parser.parse_args(arguments)
    if not parsed.program:
        parser.error("there is no program to run")
    return parsed


def main(arguments: list[str]) -> int:
    """`opwright run`: replaces this process by the program's. Returns only where that cannot be done."""
    parsed = _parse(arguments)
    try:
        _check(parsed.software)
    except SoftwareNpuError as reason:
        print(f"opwright run: {reason}", file=sys.stderr)
        return 2
    settings = {
        "OPWRIGHT_NPU_DEVICES": parsed.devices,
        "OPWRIGHT_NPU_MEMORY": parsed.memory,
        "OPWRIGHT_NPU_SOC": parsed.soc,
        "OPWRIGHT_NPU_DRY": 1 if parsed.dry else None,
        "OPWRIGHT_NPU_TRACE": 1 if parsed.trace else None,
        "OPWRIGHT_NPU_SOFTWARE": 1 if parsed.software else None,
    }
    chosen = {name: str(value) for name, value in settings.items() if value is not None}
    command = [sys.executable, *(["-m"] if parsed.module else []), *parsed.program]
    sys.stdout.flush()
    return os.execve(sys.executable, command, environment({**os.environ, **chosen}))


def pytest_load_initial_conftests() -> None:
    """`pytest -p opwright.softnpu`: before the first conftest can import torch."""
    load()
