# `make check` is what a change must pass; the other targets are parts of it, for while it is being made.
.PHONY: check test lint format demo fuzz-content

check:
	.ci/run

test:
	uv run pytest

lint:
	uv run ruff check
	uv run ruff format --check
	uv run mypy
	uv run lint-imports

format:
	uv run ruff check --fix
	uv run ruff format

demo:
	uv run lms-tui demo

# About six minutes on two cores; it says how long.
fuzz-content:
	uv run python -m tests.content.fuzz_content 1000000
