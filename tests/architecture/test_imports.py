"""The modules that start-up and each package import, checked in fresh interpreters."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from lms_tui.banks.exam_transfer import packed
from lms_tui.banks.reader import read_exam

HEAVY = (
    "textual",
    "rich",
    "httpx",
    "anyio",
    "pydantic",
    "sqlalchemy",
    "fastapi",
    "uvicorn",
    "argon2",
    "lms_tui.service",
)
"""Roots of what start-up must not pay for."""


def _imported_by(code: str, cwd: Path) -> frozenset[str]:
    """Run code in a fresh interpreter and return the names of all modules it brought in."""
    report = "\nimport sys; print('\\n'.join(['MODULES', *(name for name in sys.modules if sys.modules[name])]))"
    ended = subprocess.run(
        [sys.executable, "-c", code + report],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2]), "HOME": str(cwd)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return frozenset(ended.stdout.split("MODULES\n")[1].splitlines())


def _within(modules: frozenset[str], *roots: str) -> set[str]:
    return {name for name in modules for root in roots if name == root or name.startswith(f"{root}.")}


@pytest.mark.parametrize(
    "code",
    [
        "import lms_tui.cli",
        "import lms_tui.cli, contextlib\nwith contextlib.suppress(SystemExit): lms_tui.cli.main(['--help'])",
        "import lms_tui.cli, contextlib\nwith contextlib.suppress(SystemExit): lms_tui.cli.main(['serve', '--help'])",
        "import lms_tui.cli, contextlib\nwith contextlib.suppress(SystemExit): lms_tui.cli.main(['--version'])",
        "import lms_tui.cli, contextlib\nwith contextlib.suppress(SystemExit): lms_tui.cli.main(['nonsense'])",
    ],
)
def test_help_imports_the_standard_library_only(code: str, tmp_path: Path) -> None:
    assert not _within(_imported_by(code, tmp_path), *HEAVY, "lms_tui.tui", "lms_tui.client", "platformdirs", "asyncio")


def test_app_opens_without_http_models_and_database(tmp_path: Path) -> None:
    modules = _imported_by(
        "import lms_tui.runtime.front_end, lms_tui.tui.app, lms_tui.tui.screens.sign_in.screen", tmp_path
    )
    assert "lms_tui.tui.app" in modules
    costly = set(HEAVY) - {"textual", "rich"}
    assert not _within(modules, *costly, "sqlite3", "selectolax", "hashlib", "lms_tui.banks", "lms_tui.content")


def test_the_first_frame_and_the_service_start_without_any_library(tmp_path: Path) -> None:
    modules = _imported_by("import lms_tui.runtime.bootstrap", tmp_path)
    assert {"lms_tui.tui.terminal.first_frame", "lms_tui.runtime.service_process"} <= modules
    assert not _within(modules, *HEAVY, "asyncio", "ssl", "lms_tui.runtime.session_provider", "lms_tui.views")


def test_the_kept_home_screen_is_shown_without_models_and_the_tree_of_exam_html(tmp_path: Path) -> None:
    opening = "lms_tui.runtime.kept_lists, lms_tui.tui.app, lms_tui.tui.screens.opening.screen"
    modules = _imported_by(f"import lms_tui.runtime.front_end, {opening}", tmp_path)
    assert "lms_tui.content.lines" in modules
    costly = set(HEAVY) - {"textual", "rich"}
    assert not _within(modules, *costly, "lms_tui.content.model", "lms_tui.wire.attempts", "sqlite3")


def test_an_exam_brings_no_database_no_log_file_and_no_table_of_entities(tmp_path: Path) -> None:
    exam = "lms_tui.runtime.dry_run, lms_tui.attempt.journal.store, lms_tui.tui.screens.runner.screen"
    modules = _imported_by(f"import lms_tui.runtime.bootstrap, lms_tui.runtime.front_end, {exam}", tmp_path)
    assert "lms_tui.tui.screens.runner.exam_widgets" in modules
    assert not _within(modules, "sqlite3", "sqlalchemy", "logging.handlers", "html")


def test_settings_and_profiles_import_no_validator(tmp_path: Path) -> None:
    code = (
        "import lms_tui.common.settings as s, lms_tui.runtime.profiles, lms_tui.runtime.secrets\ns.load(s.find_paths())"
    )
    assert not _within(_imported_by(code, tmp_path), *HEAVY, "asyncio", "tomllib")


@pytest.mark.parametrize("module", ["session", "deadline", "outbox"])
def test_core_of_an_attempt_imports_the_standard_library_only(module: str, tmp_path: Path) -> None:
    before = _imported_by("pass", tmp_path)
    brought = _imported_by(f"import lms_tui.attempt.{module}", tmp_path) - before
    foreign = {name for name in brought if name.split(".")[0] not in sys.stdlib_module_names}
    plain = {f"lms_tui.wire.{name}" for name in ("attempt_states", "question_types", "server_memory")}
    named = {"lms_tui", "lms_tui.attempt", "lms_tui.common", "lms_tui.common.frozen", "lms_tui.wire", *plain}
    assert {name for name in foreign if not name.startswith("lms_tui.attempt.")} <= named
    assert not _within(frozenset(brought), "sqlite3", "asyncio", "threading", "random", "socket")


def test_service_runs_without_the_screen_and_the_client(tmp_path: Path) -> None:
    modules = _imported_by("import lms_tui.service.server.app", tmp_path)
    assert not _within(
        modules,
        "textual",
        "httpx",
        "lms_tui.tui",
        "lms_tui.client.api",
        "lms_tui.attempt",
        "lms_tui.runtime.session_provider",
    )


def test_commands_of_an_institute_import_nothing_of_requests(tmp_path: Path) -> None:
    modules = _imported_by("import lms_tui.service.admin.administration", tmp_path)
    assert not _within(modules, "fastapi", "starlette", "uvicorn", "jwt", "cryptography", "anyio", "alembic")


@pytest.mark.parametrize("words", ["demo --nonsense", "try --nonsense", "serve --nonsense", "settings --nonsense"])
def test_a_command_that_opens_the_app_reads_no_other_command(words: str, tmp_path: Path) -> None:
    modules = _read_by(words, tmp_path)
    assert modules <= {f"lms_tui.commands{name}" for name in ("", ".app", ".arguments", ".parser", ".serve")}


@pytest.mark.parametrize("words", ["exam", "user", "restore", "--data-dir=here user", "--theme dark deck"])
def test_a_command_reads_no_other_command(words: str, tmp_path: Path) -> None:
    groups = {f"lms_tui.commands.{name}" for name in ("exam", "deck", "user", "post", "backup", "walk", "doctor")}
    assert len(_read_by(f"{words} --nonsense", tmp_path) & groups) == 1


@pytest.mark.parametrize("words", ["--version", "--plain --theme", "--ascii --data-dir here --version"])
def test_the_app_reads_no_command(words: str, tmp_path: Path) -> None:
    assert not _read_by(words, tmp_path) & {"lms_tui.commands.exam", "lms_tui.commands.user", "lms_tui.commands.serve"}


def _read_by(words: str, folder: Path) -> set[str]:
    """Return the modules of commands that a command line brings in."""
    code = f"import contextlib, lms_tui.cli\nwith contextlib.suppress(SystemExit): lms_tui.cli.main({words.split()})"
    return _within(_imported_by(code, folder), "lms_tui.commands")


def _imported_for_the_first_replies(folder: Path, *options: str, slug: str, exam: bytes = b"") -> frozenset[str]:
    """Start a service of practice, ask for what the first screens show, and return the names of all its modules."""
    command = [sys.executable, "-X", "importtime", "-m", "lms_tui", "serve", "--end-with-stdin", *options]
    # Into a file, because the imports fill a pipe that nobody reads before the service listens.
    told = folder / "imports.txt"
    with (
        told.open("wb") as imports,
        subprocess.Popen(
            [*command, "--data-dir", str(folder)],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=imports,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(exam)
        process.stdin.flush()
        base_url = process.stdout.readline().decode().removeprefix("Listening on ").strip()
        with httpx.Client(base_url=base_url) as client:
            given = {"username": "asha", "password": "practice"}
            token = client.post("/api/v2.2/auth-token/", json=given).json()["token"]
            client.headers["Authorization"] = f"JWT {token}"
            page = f"exams/{slug}"
            for path in ("me/", "exams/?state=upcoming", "attempts/?page=1", page, f"{page}/attempts/"):
                client.get(f"/api/v2.2/{path}").raise_for_status()
            made = client.post(f"/api/v2.2/{page}/attempts/").raise_for_status().json()
            client.put(f"/api/v2.2/attempts/{made['id']}/start/").raise_for_status()
            client.get(f"/api/v2.2/attempts/{made['id']}/questions/").raise_for_status()
        process.communicate(timeout=60)
    return frozenset(line.rpartition("|")[2].strip() for line in told.read_text().splitlines())


def test_a_dry_run_answers_before_unneeded_modules_are_imported(tmp_path: Path) -> None:
    exam = read_exam(b"::One::How many are 1 and 1? {#2}", "sums.gift").exam
    modules = _imported_for_the_first_replies(tmp_path, "--exam-given", slug="sums", exam=packed(exam))
    assert "lms_tui.service.attempts.lists" in modules
    assert not _within(modules, "fastapi", "lms_tui.service.attempts.routes", "lms_tui.service.users.accounts")
    readers = {f"lms_tui.banks.{name}" for name in ("reader", "detect", "gift", "qti", "moodle_xml", "yaml_exam")}
    assert not _within(modules, *readers)
    assert not _within(modules, "lms_tui.content", "markdown_it", "yaml", "PIL", "typst", "segno")
    assert not _within(modules, "alembic", "sqlalchemy.dialects.postgresql", "httpx", "textual", "jwt", "cryptography")
    areas = ("demo.institute", "demo.template", "papers", "posts", "stats", "videos")
    assert not _within(modules, *(f"lms_tui.service.{area}" for area in areas))
    assert not _within(modules, *(f"lms_tui.service.core.database.{part}" for part in ("broadcasts", "playbacks")))


def test_the_format_of_a_file_is_found_without_the_libraries_of_other_formats(tmp_path: Path) -> None:
    file = tmp_path / "sums.gift"
    file.write_text("::One::How many are 1 and 1? {#2}")
    code = f"""
from pathlib import Path
from lms_tui.banks.reader import read_exam
assert len(read_exam(Path({str(file)!r}).read_bytes(), 'sums.gift').exam.questions) == 1
"""
    modules = _imported_by(code, tmp_path)
    assert not _within(modules, "markdown_it", "yaml", "lxml", "docx", "zipfile")


@pytest.mark.parametrize("made_by", ["demo.template", "admin.dry_run, lms_tui.banks.exam_transfer"])
def test_the_first_stage_of_practice_imports_neither_the_sql_toolkit_nor_the_web_framework(
    made_by: str, tmp_path: Path
) -> None:
    stage = "lms_tui.service.server.process, lms_tui.service.server.home.opening, lms_tui.service.core.passwords"
    modules = _imported_by(f"import {stage}, lms_tui.service.{made_by}", tmp_path)
    assert {"starlette", "uvicorn", "pydantic", "sqlite3"} <= modules
    assert not _within(modules, "sqlalchemy", "fastapi", "alembic", "httpx", "textual")


def test_lines_of_text_import_no_screen(tmp_path: Path) -> None:
    told = tmp_path / "imports.txt"
    command = [sys.executable, "-X", "importtime", "-m", "lms_tui", "--plain", "--data-dir", str(tmp_path), "demo"]
    with told.open("wb") as imports:
        given = subprocess.run(command, input="quit\n", stdout=subprocess.PIPE, stderr=imports, text=True, check=True)
    assert "Scholarship Mock" in given.stdout
    modules = frozenset(line.rpartition("|")[2].strip() for line in told.read_text().splitlines())
    assert "lms_tui.plain.program" in modules
    assert not _within(modules, "textual", "lms_tui.tui.app", "lms_tui.tui.screens")


def test_the_first_start_of_the_demo_imports_nothing_that_builds_an_institute(tmp_path: Path) -> None:
    modules = _imported_for_the_first_replies(tmp_path, "--demo", slug="scholarship-mock")
    assert "lms_tui.service.demo.template" in modules
    assert not _within(modules, "fastapi", "alembic", "markdown_it", "yaml", "lms_tui.banks.yaml_exam")
    assert not _within(modules, *(f"lms_tui.service.demo.{name}" for name in ("institute", "data", "history")))


def test_the_client_imports_no_other_package_of_the_program(tmp_path: Path) -> None:
    modules = _imported_by("import lms_tui.client.auth", tmp_path)
    own = {name for name in _within(modules, "lms_tui") if name.count(".") == 1}
    assert own <= {"lms_tui.client", "lms_tui.wire", "lms_tui.common"}


def test_the_live_home_screen_is_imported_without_formulas_staff_and_the_command_line_of_httpx(tmp_path: Path) -> None:
    home = "lms_tui.tui.screens.home.screen, lms_tui.tui.pictures, lms_tui.tui.router"
    modules = _imported_by(f"import lms_tui.client.auth, {home}", tmp_path)
    assert {"httpx", "lms_tui.content.layout"} <= modules
    assert not _within(modules, "lms_tui.content.maths", "lms_tui.wire.grading", "click", "pygments")
