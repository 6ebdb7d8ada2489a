"""What the documentation shows is true: its examples run, and print what stands there.

A ```python block runs after the blocks above it on its page. In a ```console block each line behind `$ ` is run from
the root of the repository, and the lines below it are its whole output; a line `...` stands for any lines. Blocks that
are only to be read have another language: ```sh for commands that install or take minutes.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if path.exists())
BLOCK = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```\s*$", re.M | re.S)


def blocks(text, language):
    """(line, code) of each block of a page in one language."""
    for match in BLOCK.finditer(text):
        if match[2] == language:
            lines = [line.removeprefix(match[1]) for line in match[3].splitlines()]
            yield text.count("\n", 0, match.start()) + 2, "\n".join(lines) + "\n"


def commands(block):
    """(command, output that should follow) of a console block."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run(command, **options):
    scripts = str(pathlib.Path(sys.executable).parent)
    environment = os.environ | {"PATH": scripts + os.pathsep + os.environ["PATH"]}
    return subprocess.run(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        check=False, **options,
    )  # fmt: skip


def matches(wanted, got):
    """Equal, but for `...` lines and spaces at the ends of lines."""
    lines = [".*" if line.strip() == "..." else re.escape(line.rstrip()) for line in wanted.strip().splitlines()]
    return (
        re.fullmatch("\n".join(lines), "\n".join(line.rstrip() for line in got.strip().splitlines()), re.S) is not None
    )


def with_blocks(language):
    pages = [page for page in PAGES if any(blocks(page.read_text(), language))]
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@with_blocks("python")
def test_python(page):
    program = ""
    for line, code in blocks(page.read_text(), "python"):
        # Empty lines before a block give its errors the line numbers of the page.
        program += "\n" * (line - 1 - program.count("\n")) + code
    result = run([sys.executable, "-"], input=program)
    assert result.returncode == 0, result.stdout


@with_blocks("console")
def test_console(page):
    for line, block in blocks(page.read_text(), "console"):
        for command, output in commands(block):
            result = run(["bash", "-c", command])
            assert matches(output, result.stdout), f"{page.name}:{line}: $ {command}\n{result.stdout}"


@pytest.mark.parametrize(
    ("wanted", "got", "same"),
    [
        ("a\nb\n", "a\nb", True),
        ("a\n...\nc\n", "a\nb1\nb2\nc\n", True),
        ("a\n...\n", "a\nb\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a.c\n", "abc\n", False),
        ("", "unexpected\n", False),
    ],
)
def test_the_comparison_itself(wanted, got, same):
    assert matches(wanted, got) is same


def test_the_reader_itself():
    page = "text\n\n```console\n$ echo one\none\n$ true\n```\n\n  ```python\n  x = 1\n  ```\n"
    assert list(blocks(page, "console")) == [(4, "$ echo one\none\n$ true\n")]
    assert list(commands("$ echo one\none\n$ true\n")) == [("echo one", "one\n"), ("true", "")]
    assert list(blocks(page, "python")) == [(10, "x = 1\n")]
