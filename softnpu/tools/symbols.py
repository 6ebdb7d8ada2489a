"""Symbol tables of ELF files, read with nm and readelf."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path


def _names(path: Path, *options: str) -> Iterable[tuple[str, str]]:
    listing = subprocess.run(["nm", *options, str(path)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) >= 2:
            yield fields[-1].split("@")[0], fields[-2]


def exported(path: Path) -> set[str]:
    """What a shared library provides."""
    return {name for name, _ in _names(path, "--dynamic", "--defined-only")}


def defined(path: Path) -> set[str]:
    """What an object file defines."""
    return {name for name, kind in _names(path, "--defined-only") if kind.isupper()}


def missing(path: Path) -> set[str]:
    """What a shared library cannot be loaded without; weak names do not count."""
    return {name for name, kind in _names(path, "--dynamic", "--undefined-only") if kind == "U"}


def needed(path: Path) -> set[str]:
    """The libraries that a shared library asks for."""
    listing = subprocess.run(["readelf", "--dynamic", str(path)], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", listing))


def libraries_of(wheel: Path) -> list[Path]:
    """All shared libraries of an installed wheel."""
    return sorted(path for path in wheel.rglob("*.so*") if path.is_file())
