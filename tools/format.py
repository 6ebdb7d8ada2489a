#!/usr/bin/env python3
"""Format every C++ and Python file that git knows; with --check, say which differ and exit with status 1."""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sources(*patterns):
    """Files of the work tree, committed or new, that match; git-ignored ones are not there."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [path for path in listing.stdout.splitlines() if (ROOT / path).exists()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check
    # Goldens are what the generator writes, to the letter.
    cpp = sources("*.cpp", "*.h", ":!emit/golden")
    commands = [
        ["clang-format", *(["--dry-run", "-Werror"] if check else ["-i"]), *cpp],
        ["ruff", "format", *(["--check"] if check else [])],
        ["ruff", "check", *([] if check else ["--fix"])],
    ]
    return max(subprocess.run(command, cwd=ROOT).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main())
