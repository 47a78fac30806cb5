# `make quick` while you work, `make check` before you submit.
.PHONY: quick check test slow lint format fuzz demo screenshots bench simulate crash proxy failover attack fuzz-content fuzz-banks fuzz-keys reference docs

# Checks and the tests that start no process, no service and no screen. The first run of mypy takes longest.
quick:
	uv run ruff check
	uv run ruff format --check
	uv run lint-imports
	uv run dmypy run
	uv run pytest -n 2 -m "not slow" tests/attempt tests/banks tests/content

check:
	.ci/run

test:
	uv run pytest -n 2

# The tests that start programs, browsers and servers, and the short forms of the proofs.
slow:
	uv run pytest -n 2 -m slow

lint:
	uv run ruff check
	uv run ruff format --check
	uv run mypy
	uv run lint-imports

format:
	uv run ruff check --fix
	uv run ruff format

# 1,000 examples of every operation of the service, as a student and as an administrator: an hour and a half.
fuzz:
	uv run python -m tests.service.fuzz 1000

demo:
	uv run lms-tui demo

# The pages of docs/ and the manual page that are made from the program.
reference:
	uv run python -m lms_tui.reference

# The site of docs/, in build/site.
docs:
	uv run --group docs python scripts/site.py

screenshots:
	uv run python screenshots/make.py
	uv run python -m screenshots.film

# Some minutes on a quiet machine.
bench:
	uv run python -m benchmarks.startup
	uv run python -m benchmarks.keys
	uv run python -m benchmarks.screens
	uv run python -m benchmarks.deck
	uv run python -m benchmarks.content
	uv run python -m benchmarks.service
	uv run --with pygiftparser python -m benchmarks.banks

# A million exams: six to seven hours of two cores.
simulate:
	uv run python -m tests.simulation --exams 1000000 --seed 1 --jobs 2

# Every kill point and every power cut: about ten minutes.
crash:
	uv run python -m tests.crash

# The program in a terminal and the service with a faulty network between them: ten times the schedules of CI.
proxy:
	uv run python -m tests.proxy --schedules 500 --seed 1

# PostgreSQL on three machines that fail, as root on Linux: about three minutes.
failover:
	uv run python -m tests.failover

# Attacks on the SSH host, ten times as many as in CI: about five minutes.
attack:
	uv run python -m tests.ssh 10

# Damaged exam files of every format, and more of those that are zip files: about fifteen minutes.
fuzz-banks:
	uv run python -m tests.banks.fuzz_banks 500000
	uv run python -m tests.banks.fuzz_banks 100000 1 Word,H5P

# About four minutes on two cores.
fuzz-content:
	uv run python -m tests.content.fuzz_content 1000000

# About an hour.
fuzz-keys:
	uv run python -m tests.tui.random_keys 1000 700

.PHONY: lowest pythons debian release bundle deb

# The quick tests with the oldest libraries that pyproject.toml allows.
lowest:
	uv run python scripts/environments.py lowest

# The quick tests with the newest libraries on each Python of this computer.
pythons:
	uv run python scripts/environments.py pythons

# All quick tests on the Python of Debian's testing release, which debootstrap installs into a folder: about ten minutes,
# as root on Debian.
debian:
	uv run python scripts/environments.py debian

# Version, changelog, wheel, source archive, SBOM, checksums, commit and tag. Publishes nothing: make release VERSION=0.2.0
release:
	uv run python scripts/release.py $(VERSION)

# One archive with the program and its own Python, which then takes an exam: about two minutes on two cores.
bundle:
	uv run python scripts/bundle.py
	uv run pytest -m slow tests/packaging/test_bundle.py

# The newest bundle as a Debian package, after `make bundle`. DEBFULLNAME and DEBEMAIL name its maintainer.
deb:
	uv run python scripts/deb.py
	uv run pytest -m slow tests/packaging/test_deb.py
