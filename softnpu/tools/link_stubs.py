#!/usr/bin/env python3
"""Write link stubs: a function for every name that the torch-npu wheel is linked against and that nobody provides.

The loader wants every name before it runs a line of the wheel, although most of them are never called. Read are only
the symbol tables of the installed wheel, of torch, of the C and C++ runtime, and of the hand-written part of the
software NPU. A stub that is called fails with its name: C functions by an error code or null, C++ functions by an
exception.
"""

import argparse
import re
from pathlib import Path

import symbols

# The libraries that a process has anyway.
RUNTIME_LIBRARIES = ["libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"]
RUNTIME_FOLDERS = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"]

# Functions of the data channel that return a handle, for which null means failure.
RETURNS_HANDLE = re.compile("acltdt(Create|Get)")

HEADER = '#include "softnpu/runtime/unsupported.h"\n\n'


def runtime_libraries() -> list[Path]:
    found = []
    for name in RUNTIME_LIBRARIES:
        path = next((Path(folder, name) for folder in RUNTIME_FOLDERS if Path(folder, name).exists()), None)
        if path is None:
            raise SystemExit(f"link_stubs: no {name} in {', '.join(RUNTIME_FOLDERS)}")
        found.append(path)
    return found


def unprovided(wheel: Path, torch: Path, objects: list[Path]) -> list[str]:
    wheel_libraries = symbols.libraries_of(wheel)
    provided = set()
    for library in [*wheel_libraries, *symbols.libraries_of(torch / "lib"), *runtime_libraries()]:
        provided |= symbols.exported(library)
    for file in objects:
        provided |= symbols.defined(file)
    wanted = set()
    for library in wheel_libraries:
        wanted |= symbols.missing(library)
    return sorted(name for name in wanted - provided if not name.startswith(("Py", "_Py")))


def kind_of(name: str) -> str:
    if name.startswith("_Z"):
        return "THROWING"
    return "NULL" if RETURNS_HANDLE.match(name) else "FAILING"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, help="site-packages/torch_npu")
    parser.add_argument("--torch", type=Path, required=True, help="site-packages/torch")
    parser.add_argument("--out", type=Path, required=True, help="the C++ file to write")
    parser.add_argument("objects", type=Path, nargs="+", help="object files of the hand-written part")
    arguments = parser.parse_args()
    text = HEADER
    for name in unprovided(arguments.wheel, arguments.torch, arguments.objects):
        text += f"OPWRIGHT_{kind_of(name)}_STUB({name})\n"
    arguments.out.write_text(text)


if __name__ == "__main__":
    main()
