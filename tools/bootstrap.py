#!/usr/bin/env python3
"""Make .venv and everything else that building, testing and the demo need. Quick when nothing is missing.

Runs on the system's Python with nothing installed. Does, in this order: Debian packages (as root; otherwise it prints
the line to type and stops), a virtual environment, the CPU build of torch, torch-npu where its wheel exists, the pinned
packages of requirements.txt, and the names `import opwright` and .venv/bin/opwright, which lead to this source tree.
"""

import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS = ROOT / "tools" / "requirements.txt"
STAMP = VENV / ".opwright-setup"
TORCH = TORCH_NPU = "2.13.0"

# A file of each package, so that asking what is missing needs no package manager.
PACKAGES = {
    "g++": "/usr/bin/c++",
    "git": "/usr/bin/git",
    "pkg-config": "/usr/bin/pkg-config",
    "libyaml-dev": "/usr/include/yaml.h",
    "libhwy-dev": "/usr/include/hwy/highway.h",
    "libgtest-dev": "/usr/include/gtest/gtest.h",
    "libgmock-dev": "/usr/include/gmock/gmock.h",
    "libfmt-dev": "/usr/include/fmt/format.h",
    "libcli11-dev": "/usr/include/CLI/CLI.hpp",
    "nlohmann-json3-dev": "/usr/include/nlohmann/json.hpp",
}
# Only fuzzing needs them.
CLANG_PACKAGES = ["clang-19", "libclang-rt-19-dev"]


def main():
    if sys.version_info < (3, 11):  # noqa: UP036 -- the first program that an older Python meets
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}. Try: make PYTHON=python3.11 ...")
    wanted = hashlib.sha256(b"".join(p.read_bytes() for p in (pathlib.Path(__file__), REQUIREMENTS))).hexdigest()
    wanted += f" {ROOT} {sys.version}\n"
    if STAMP.exists() and STAMP.read_text() == wanted and not missing_packages():
        return
    step("Debian packages", install_packages)
    step("virtual environment", make_environment)
    step(f"torch {TORCH}, CPU build", install_torch)
    step(f"torch-npu {TORCH_NPU}", install_torch_npu)
    step("pinned packages", lambda: pip("install", "-r", REQUIREMENTS))
    step("opwright in .venv", link_opwright)
    STAMP.write_text(wanted)


def step(title, action):
    print(f"setup: {title} ...", flush=True)
    start = time.monotonic()
    action()
    print(f"setup: {title}: {time.monotonic() - start:.0f} s", flush=True)


def missing_packages():
    missing = [package for package, file in PACKAGES.items() if not os.path.exists(file)]
    if importlib.util.find_spec("ensurepip") is None:
        missing.append("python3-venv")
    return missing


def install_packages():
    missing = missing_packages()
    without_clang = shutil.which("clang++-19") is None and shutil.which("clang++") is None
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        if missing:
            sys.exit(
                f"Some packages are missing. Type:\n  sudo apt-get install -y {' '.join(missing)}\nand start again."
            )
        if without_clang:
            print(
                f"setup: no clang: `make test` leaves fuzzing out (sudo apt-get install -y {' '.join(CLANG_PACKAGES)})"
            )
        return
    if not missing and not without_clang:
        return
    apt_get("update")
    if missing and apt_get("install", *missing).returncode != 0:
        sys.exit("apt-get could not install what is missing: " + " ".join(missing))
    if without_clang and apt_get("install", *CLANG_PACKAGES).returncode != 0:
        print("setup: no clang to be had: `make test` leaves fuzzing out")


def apt_get(*arguments):
    options = ["-y", "-qq", "--no-install-recommends"]
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    return subprocess.run(["apt-get", *options, *arguments], env=environment, stdout=subprocess.DEVNULL)


def make_environment():
    if not (VENV / "bin" / "pip").exists():  # the last file that venv makes
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)


def pip(*arguments, check=True, **options):
    command = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run([str(word) for word in command], check=check, **options)


def installed(package):
    """The version of a package in .venv, or None."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True).stdout.strip() or None


def install_torch():
    """The pinned torch, never its CUDA build, which would bring gigabytes of libraries that nothing here uses."""
    if (installed("torch") or "").split("+")[0] == TORCH:
        return
    pinned = f"torch=={TORCH}"
    if index := os.environ.get("OPWRIGHT_TORCH_INDEX"):
        pip("install", pinned, "--index-url", index)
        return
    # Package indexes carry a version with a local label only where somebody put PyTorch's CPU wheels.
    if pip("install", f"{pinned}+cpu", "-c", REQUIREMENTS, check=False, stderr=subprocess.DEVNULL).returncode == 0:
        return
    report = pip("install", pinned, "--dry-run", "--report", "-", check=False, stdout=subprocess.PIPE, text=True)
    names = [entry["metadata"]["name"] for entry in json.loads(report.stdout or "{}").get("install", [])]
    if not names or any(name.startswith(("nvidia", "cuda", "triton")) for name in names):
        sys.exit(
            f"pip finds no CPU build of torch {TORCH}. Set OPWRIGHT_TORCH_INDEX to the index of CPU wheels that "
            "PyTorch's installation page names for pip, and start again."
        )
    pip("install", pinned, "-c", REQUIREMENTS)


def install_torch_npu():
    """The released wheel that the software NPU runs. Without dependencies: it must not bring another torch."""
    if installed("torch-npu") == TORCH_NPU:
        return
    wheel = pip("install", f"torch-npu=={TORCH_NPU}", "--no-deps", "--only-binary", ":all:", check=False)
    if wheel.returncode != 0:
        print(f"setup: no torch-npu {TORCH_NPU} for this machine and Python: the software NPU is left out")


def link_opwright():
    """`import opwright` and .venv/bin/opwright from the source tree, where the build puts the libraries."""
    site_packages = next((VENV / "lib").glob("python3.*")) / "site-packages"
    (site_packages / "opwright.pth").write_text(f"{ROOT / 'python'}\n")
    command = VENV / "bin" / "opwright"
    command.write_text(f"#!{PYTHON}\nimport sys\n\nfrom opwright.cli import main\n\nsys.exit(main())\n")
    command.chmod(0o755)


if __name__ == "__main__":
    main()
