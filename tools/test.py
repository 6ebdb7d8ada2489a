#!/usr/bin/env python3
"""Run the project's checks, stage by stage, and close with a summary. All stages run even when one fails.

Called by `make test` after the build, with .venv/bin first on PATH.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FUZZING_SECONDS = 60
CLANG = shutil.which("clang++-19") or shutil.which("clang++")

# The closing lines of pytest and ctest.
CLOSING = re.compile(r"^=+ .*\b(passed|failed|error|skipped|no tests ran)\b.* in [\d.]+s.*=+$|^\d+% tests passed\b.*$")
COLOURS = re.compile(r"\x1b\[[\d;]*m")


class Stage:
    """One line of the summary: what ran, how it ended, how long it took."""

    def __init__(self, name):
        self.name = name
        self.failures = []
        self.closing = []
        self.left_out = ""
        self.seconds = 0.0

    def run(self, *command, **environment):
        """Run one command, show what it prints as it comes, remember how it ended."""
        words = [str(word) for word in command]
        process = subprocess.Popen(
            words,
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            plain = COLOURS.sub("", line).strip()
            if CLOSING.match(plain):
                self.closing.append(plain)
        if process.wait() != 0:
            self.failures.append(f"{pathlib.Path(words[0]).name} ended with status {process.returncode}")
        return process.returncode == 0

    def leave_out(self, reason):
        self.left_out = reason

    @property
    def verdict(self):
        return "failed" if self.failures else "left out" if self.left_out else "passed"


def lint(stage):
    """Formatting, Python lint, and which room may include which."""
    stage.run(sys.executable, "tools/format.py", "--check")
    stage.run("pytest", "-q", "tests/layers")


def cpp(stage):
    """The C++ tests of every room."""
    stage.run(*ctest("build/release"))


def python(stage):
    """The operators in torch, the software NPU, the examples in the documentation."""
    # A stale graph outlives a change of a derivative in C++: torch's cache key does not see it.
    with tempfile.TemporaryDirectory() as cache:
        stage.run("pytest", "tests", "--ignore=tests/layers", TORCHINDUCTOR_CACHE_DIR=cache)


def sanitize(stage):
    """The C++ tests of the rooms without torch, under AddressSanitizer and UBSan."""
    if build(stage, "build/sanitize", "-DOPWRIGHT_SANITIZE=ON"):
        stage.run(*ctest("build/sanitize"))


def fuzz(stage):
    """A minute of random input for the readers of declarations."""
    if CLANG is None:
        stage.leave_out("no clang on this machine")
        return
    c_compiler = CLANG.replace("clang++", "clang")
    compilers = [f"-DCMAKE_CXX_COMPILER={CLANG}", f"-DCMAKE_C_COMPILER={c_compiler}"]
    if not build(stage, "build/fuzz", "-DOPWRIGHT_FUZZ=ON", "-DOPWRIGHT_TESTS=OFF", *compilers):
        return
    targets = sorted((ROOT / "build/fuzz/tests/fuzz").glob("*_fuzz"))
    for target in targets:
        corpus = ROOT / "build/fuzz/corpus" / target.name
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = [path for path in [ROOT / "tests/fuzz/corpus" / target.name] if path.is_dir()]
        seconds = FUZZING_SECONDS // len(targets)
        limits = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]
        stage.run(target, *limits, f"-artifact_prefix={corpus}/", corpus, *seeds)


STAGES = {stage.__name__: stage for stage in (lint, cpp, python, sanitize, fuzz)}


def build(stage, folder, *options):
    configured = stage.run("cmake", "-S", ".", "-B", folder, "-G", "Ninja", "--log-level=WARNING", *options)
    return configured and stage.run("cmake", "--build", folder)


def ctest(folder):
    return ["ctest", "--test-dir", folder, "--output-on-failure", "--no-tests=error", "--parallel", str(os.cpu_count())]


def summarise(stages):
    print("\nsummary")
    for stage in stages:
        print(
            f"  {stage.name:9} {stage.verdict:8} {stage.seconds:5.0f} s  {stage.left_out or STAGES[stage.name].__doc__}"
        )
        for failure in stage.failures:
            print(f"  {'':9} {failure}")
    print()
    for stage in stages:
        for line in stage.closing:
            print(line)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="; ".join(f"{n}: {s.__doc__}" for n, s in STAGES.items())
    )
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}; all when none is named")
    names = parser.parse_args().stages or list(STAGES)
    if unknown := [name for name in names if name not in STAGES]:
        parser.error(f"no stage is called {', '.join(unknown)}; there are {', '.join(STAGES)}")

    stages = []
    for name in names:
        print(f"\n=== {name}: {STAGES[name].__doc__}", flush=True)
        stage = Stage(name)
        stages.append(stage)
        start = time.monotonic()
        STAGES[name](stage)
        stage.seconds = time.monotonic() - start
    summarise(stages)
    return 1 if any(stage.failures for stage in stages) else 0


if __name__ == "__main__":
    sys.exit(main())
