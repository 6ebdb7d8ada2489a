"""What the documentation shows is true: its examples run, and print what stands there.

A ```python block runs after the blocks above it on its page. In a ```console block each line behind `$ ` is run from
the root of the repository, and the lines below it are its whole output; a line `...` stands for any lines. A block
```console software-npu is left out where the software NPU is not built. Blocks that are only to be read have another
language: ```sh for commands that install or take minutes.

A page may write files: a block ```cpp ops/example/scale.cpp is that file. They go to a folder of their own, where the
blocks ```console scratch of the page run, one after the other.
"""

import os
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest
from opwright.softnpu import is_built

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if path.exists())
BLOCK = re.compile(r"^( *)```(\w+) ?([^\n]*)\n(.*?)^\1```\s*$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A block of code: `line` is the first of its text, `label` what follows the language."""

    line: int
    label: str
    text: str


def blocks(page, language):
    """The blocks of a page in one language."""
    for match in BLOCK.finditer(page):
        if match[2] == language:
            lines = [line.removeprefix(match[1]) for line in match[4].splitlines()]
            yield Block(page.count("\n", 0, match.start()) + 2, match[3], "\n".join(lines) + "\n")


def commands(block):
    """(command, output that should follow) of a console block."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run(command, folder=ROOT, **options):
    scripts = str(pathlib.Path(sys.executable).parent)
    environment = os.environ | {"PATH": scripts + os.pathsep + os.environ["PATH"]}
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        check=False, **options,
    )  # fmt: skip


def matches(wanted, got):
    """Equal, but for `...` lines and spaces at the ends of lines."""
    lines = [".*" if line.strip() == "..." else re.escape(line.rstrip()) for line in wanted.strip().splitlines()]
    return (
        re.fullmatch("\n".join(lines), "\n".join(line.rstrip() for line in got.strip().splitlines()), re.S) is not None
    )


def named(page):
    return str(page.relative_to(ROOT))


def all_blocks(language, *labels):
    """Blocks of all pages by place, "README.md:41"."""
    return {
        f"{named(page)}:{block.line}": block
        for page in PAGES
        for block in blocks(page.read_text(), language)
        if block.label in labels
    }


def write_files(page, folder):
    """Writes the files of a page; returns their paths."""
    paths = []
    for language in ("yaml", "cpp", "py"):
        for block in blocks(page.read_text(), language):
            if block.label:
                paths.append(folder / block.label)
                paths[-1].parent.mkdir(parents=True, exist_ok=True)
                paths[-1].write_text(block.text)
    return paths


def check_console(block, folder):
    for command, output in commands(block.text):
        result = run(["bash", "-c", command], folder)
        assert matches(output, result.stdout), f"$ {command}\n{result.stdout}"


PAGES_WITH_PYTHON = [page for page in PAGES if any(blocks(page.read_text(), "python"))]
PAGES_WITH_FILES = [page for page in PAGES if "```console scratch" in page.read_text()]
CONSOLES = all_blocks("console", "", "software-npu")


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=named)
def test_python(page):
    program = ""
    for block in blocks(page.read_text(), "python"):
        # Empty lines before a block give its errors the line numbers of the page.
        program += "\n" * (block.line - 1 - program.count("\n")) + block.text
    result = run([sys.executable, "-"], input=program)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("block", CONSOLES.values(), ids=CONSOLES.keys())
def test_console(block):
    if block.label == "software-npu" and not is_built():
        pytest.skip("the software NPU is not built")
    check_console(block, ROOT)


@pytest.mark.parametrize("page", PAGES_WITH_FILES, ids=named)
def test_scratch(page, tmp_path):
    write_files(page, tmp_path)
    for block in blocks(page.read_text(), "console"):
        if block.label == "scratch":
            check_console(block, tmp_path)


@pytest.mark.parametrize("page", PAGES_WITH_FILES, ids=named)
def test_kernels_of_a_page_compile(page, tmp_path):
    paths = write_files(page, tmp_path)
    assert run(["opwright", "generate", "ops", "--out", "generated"], tmp_path).returncode == 0
    for path in paths:
        if path.suffix == ".cpp":
            options = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT}", "-Igenerated"]
            result = run(["c++", *options, path], tmp_path)
            assert result.returncode == 0, result.stdout


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
    page = "text\n\n```console some label\n$ echo one\none\n$ true\n```\n\n  ```python\n  x = 1\n  ```\n"
    assert list(blocks(page, "console")) == [Block(4, "some label", "$ echo one\none\n$ true\n")]
    assert list(commands("$ echo one\none\n$ true\n")) == [("echo one", "one\n"), ("true", "")]
    assert list(blocks(page, "python")) == [Block(10, "", "x = 1\n")]
