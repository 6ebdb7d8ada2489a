"""The rooms keep to their layers, and the check that says so notices when one does not."""

import pathlib
import subprocess

import pytest
from layers.layers import violations

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_tree_keeps_to_its_layers():
    assert "\n".join(violations(ROOT)) == ""


SLASH = "/"  # so that the paths below are not found in this file
FAULTS = {
    "decl knows no operator": (
        "decl/document.cpp", '#include "model/operator.h"', ":1: decl must not include model: model/operator.h"),
    "model has no torch": (
        "model/load.cpp", "#include <ATen/core/Tensor.h>",
        ":1: model must not include the torch library: ATen/core/Tensor.h"),
    "model takes single headers of runtime": (
        "model/load.cpp", '#include "runtime/dtype.h"\n#include "runtime/views.h"',
        ":2: model must not include runtime: runtime/views.h"),
    "a kernel has no torch": (
        "ops/moe/kernel.cpp", "#  include <c10/util/BFloat16.h>",
        ":1: ops must not include the torch library: c10/util/BFloat16.h"),
    "a family keeps to itself": (
        "ops/moe/kernel.cpp", '#include "ops/activation/helpers.h"',
        ":1: moe must not include another family: ops/activation/helpers.h"),
    "a family keeps to its own declarations": (
        "ops/moe/kernel.cpp", '#include "moe/token_permute.h"\n#include "activation/swiglu.h"',
        ":2: ops must not include generated code of activation: activation/swiglu.h"),
    "a reference is a second opinion": (
        "ops/moe/kernel_ref.cpp", '#include "kernels/rows.h"',
        ":1: a reference shares no code with the kernels: kernels/rows.h"),
    "runtime knows no operator": (
        "runtime/views.cpp", '#include "moe/token_permute.h"',
        ":1: runtime must not include generated code of moe: moe/token_permute.h"),
    "tests alone include the test library": (
        "decl/document.cpp", "#include <gtest/gtest.h>", ":1: decl must not include the test library: gtest/gtest.h"),
    "slow headers": (
        "emit/wrappers.cpp", f'text += "#include <torch{SLASH}extension.h>";',
        ":1: torch/extension.h is never included; take the header of what is used"),
    "paths of one machine": (
        "docs/page.md", f"Look into {SLASH}work/main.", f":1: path of one machine: Look into {SLASH}work/main."),
    "hosts of registries": (
        "tools/setup.sh", "pip --index-url https://pypi" + ".org/simple",
        ":1: host of a package registry: pip --index-url https://pypi" + ".org/simple"),
    "built files": ("python/opwright/lib/libopwright.so", "", ": built files do not belong into git"),
    "lazy Python": (
        "python/opwright/cli.py", "try:\n    import torch\nexcept ImportError:\n    pass\n",
        ":2: imports torch when it is imported; the command line must start fast"),
}  # fmt: skip


@pytest.fixture
def tree(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


@pytest.mark.parametrize("fault", FAULTS)
def test_seeded_fault_is_found(tree, fault):
    path, text, message = FAULTS[fault]
    (tree / path).parent.mkdir(parents=True)
    (tree / path).write_text(text)
    assert violations(tree) == [path + message]


def test_what_is_allowed_is_not_found(tree):
    allowed = {
        "ops/moe/kernel.cpp": '#include <sys/mman.h>\n#include "moe/token_permute.h"\n#include "kernels/parallel.h"\n',
        "ops/moe/kernel_test.cpp": '#include <gtest/gtest.h>\n#include "ops/testing.h"\n',
        "emit/wrappers.cpp": 'auto text = R"cpp(\n#include <ATen/ATen.h>\n)cpp";\n',
        "decl/document_test.cpp": '#include <gtest/gtest.h>\n#include "decl/document.h"\n',
        "python/opwright/cli.py": "def run():\n    import torch\n",
    }
    for path, text in allowed.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    assert violations(tree) == []
