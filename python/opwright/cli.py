"""The command `opwright`. Declarations are the business of a C++ program; torch is never imported for them."""

import os
import subprocess
import sys
from pathlib import Path

import opwright

PROGRAM = Path(__file__).parent / "bin" / "opwright"

IN_PYTHON = """
  run                         Run a program of torch_npu on the NPU in software.
  doctor                      Show what is installed, which versions, and what is missing.
"""


def _program(arguments: list[str]) -> int:
    if not PROGRAM.exists():
        print(f"opwright: {PROGRAM} is not built; run `make build`", file=sys.stderr)
        return 2
    sys.stdout.flush()
    return os.execv(PROGRAM, [str(PROGRAM), *arguments])


def _help() -> int:
    if not PROGRAM.exists():
        return _program([])
    text = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True).stdout
    print(text.rstrip() + IN_PYTHON)
    return 0


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    command = arguments[0] if arguments else "--help"
    if command in ("-h", "--help"):
        return _help()
    if command == "--version":
        print(f"opwright {opwright.__version__}")
        return 0
    if command == "run":
        from opwright import softnpu

        return softnpu.main(arguments[1:])
    if command == "doctor":
        from opwright import doctor

        return doctor.main()
    return _program(arguments)


if __name__ == "__main__":
    sys.exit(main())
