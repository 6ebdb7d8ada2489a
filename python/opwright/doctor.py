"""`opwright doctor`: what is installed, which versions, and what is missing."""

import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

import opwright

HERE = Path(__file__).parent


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _missing_symbols(library: Path) -> list[str]:
    """Symbols that no library gives; found by the dynamic linker in a process of its own."""
    check = f"import torch, ctypes; ctypes.CDLL({str(library)!r}, mode=2)"  # RTLD_NOW: all symbols at once
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=environment)
    return [] if done.returncode == 0 else [done.stderr.strip().splitlines()[-1]]


def main() -> int:
    problems = []
    print(f"opwright   {opwright.__version__} in {HERE}")
    print(f"python     {platform.python_version()} on {platform.machine()}")
    for package in ("torch", "torch-npu"):
        print(f"{package:10} {_version(package)}")
    program = HERE / "bin" / "opwright"
    if not program.exists():
        problems.append(f"{program} is not built; run `make build`")
    library = HERE / "lib" / "libopwright.so"
    if library.exists():
        stamp = (HERE / "lib" / "torch_version").read_text().strip()
        print(f"library    {library}, for torch {stamp}")
        problems += [f"{library} does not load: {line}" for line in _missing_symbols(library)]
    else:
        problems.append(f"{library} is not built; run `make build`")
    if importlib.util.find_spec("opwright.softnpu"):
        from opwright import softnpu

        print(f"software NPU {'built' if softnpu.is_built() else 'not built'}")
        if cann := softnpu.find_cann():
            print(f"CANN       {cann}")
    if not problems:
        from opwright import _library

        os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
        for name, operator in _library.coverage().items():
            print(f"  {name:50} {operator.state}{': ' + operator.reason if operator.reason else ''}")
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0
