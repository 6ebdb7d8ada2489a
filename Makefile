# `make demo` and `make test` need nothing but Python 3.11, g++, git and make; they set up the rest themselves.
PYTHON ?= python3
CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL
# Clones share what ccache knows.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: setup libraries build demo test format lint clean

setup:
	@$(PYTHON) tools/bootstrap.py

# What users get, in build/release and from there in the Python package of this source tree.
libraries: setup
	@cmake -S . -B build/release -G Ninja -DPython3_EXECUTABLE=$(CURDIR)/.venv/bin/python --log-level=WARNING
	@cmake --build build/release --target opwright_libraries
	@cmake --install build/release --prefix python/opwright >build/release/install.log

# And the C++ tests.
build: libraries
	@cmake --build build/release

# A mixed-precision mixture of experts, trained four ways.
demo: libraries
	@python examples/mixed_precision_moe/demo.py

# Everything that CI checks. `make test STAGES="lint python"` runs only these stages (tools/test.py --help lists them).
test: build
	@python tools/test.py $(STAGES)

format: setup
	@python tools/format.py

lint: setup
	@python tools/test.py lint

clean:
	rm -rf build .venv python/opwright/bin python/opwright/lib
