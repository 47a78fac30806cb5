# `make check` is what a change must pass; the other targets are parts of it, for while it is being made.
.PHONY: check test lint format fuzz demo screenshots bench simulate crash proxy fuzz-content fuzz-banks

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

# Every operation of the service under 1,000 examples, as a student and as an administrator: an hour and a half.
fuzz:
	uv run python -m tests.service.fuzz 1000

demo:
	uv run lms-tui demo

screenshots:
	uv run python screenshots/make.py

# Some minutes; wants a quiet machine.
bench:
	uv run python -m benchmarks.startup
	uv run python -m benchmarks.keys
	uv run python -m benchmarks.screens
	uv run python -m benchmarks.content
	uv run python -m benchmarks.service
	uv run --with pygiftparser python -m benchmarks.banks

# A million exams: some hours on two cores.
simulate:
	uv run python -m tests.simulation --exams 1000000 --seed 1 --jobs 2

# Every kill point and every power cut: some ten minutes.
crash:
	uv run python -m tests.crash

# The program in a terminal, the service, and a spoilt line between them: what CI does, with ten times the schedules.
proxy:
	uv run python -m tests.proxy --schedules 500 --seed 1

# Damaged exam files of every format; some ten minutes.
fuzz-banks:
	uv run python -m tests.banks.fuzz_banks 500000

# About four minutes on two cores; it says how long.
fuzz-content:
	uv run python -m tests.content.fuzz_content 1000000
