#!/usr/bin/env python3
"""Write an entry point for every aclnn operator that the torch-npu wheel knows and the software NPU cannot compute.

Without one, torch_npu would fall back to an older interface, whose failure ends all work on the device for the rest of
the process. With one, the program gets an exception that names what is missing, and goes on.
"""

import argparse
import re
from pathlib import Path

import symbols

# torch_npu looks operators up by name, so the names stand in its libraries as C strings.
NAME = re.compile(rb"\0(aclnn[A-Za-z0-9_]+)GetWorkspaceSize\0")

HEADER = '#include "softnpu/opapi/missing.h"\n\n'


def known_to(wheel: Path) -> set[str]:
    names = set()
    for library in symbols.libraries_of(wheel):
        names |= {match.decode() for match in NAME.findall(library.read_bytes())}
    return names


def has_older_form(name: str, implemented: set[str]) -> bool:
    """Of a newer form that is not there, torch_npu calls the older one: aclnnTopk for aclnnTopkV2."""
    return re.sub(r"V\d+$", "", name) in implemented


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, help="site-packages/torch_npu")
    parser.add_argument("--out", type=Path, required=True, help="the C++ file to write")
    parser.add_argument("libraries", type=Path, nargs="+", help="the libraries with the operators that there are")
    arguments = parser.parse_args()
    implemented = set()
    for library in arguments.libraries:
        implemented |= symbols.exported(library)
    names = sorted(name for name in known_to(arguments.wheel) - implemented if not has_older_form(name, implemented))
    if not names:
        raise SystemExit(f"missing_entry_points: no aclnn operator is named in {arguments.wheel}")
    arguments.out.write_text(HEADER + "".join(f"OPWRIGHT_MISSING({name})\n" for name in names))


if __name__ == "__main__":
    main()
