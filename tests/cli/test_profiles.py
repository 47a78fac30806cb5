"""`lms-tui login`, `logout`, `profiles` and `completion` against a real service."""

import io
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn

from lms_tui.cli import main
from lms_tui.common.settings import Paths, Profile, Settings
from lms_tui.plain.program import PlainProgram
from lms_tui.runtime import session_provider
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens, find_tokens
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import HttpSessionProvider
from lms_tui.views.ports import Opening, UserSession
from lms_tui.wire.errors import Offline, TimedOut
from tests.fakes.program import program
from tests.fakes.session_provider import FakeSessionProvider, dependencies
from tests.plain.test_dialogue import Script
from tests.service.service_world import PASSWORD, World

ROOT = Path(__file__).parents[2]
Do = Callable[..., tuple[int, str, str]]


@contextmanager
def listening(world: World, **options: str) -> Iterator[str]:
    """Serve the world on a free port of this computer. Yield host and port."""
    server = uvicorn.Server(uvicorn.Config(world.app, port=0, log_config=None, **options))  # type: ignore[arg-type]  # names of files
    running = threading.Thread(target=server.run)
    running.start()
    try:
        while not server.started:
            assert running.is_alive()
            running.join(0.01)
        yield f"127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        running.join()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World.at(tmp_path / "service")
    world.add_user("asha")
    world.add_user("ravi")
    yield world
    world.database.close()


@pytest.fixture
def do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Do:
    """Return a function that runs a command with standard input and returns its exit code and output."""
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path / "config"))

    def run(*words: str, said: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(said))
        status = main([*words, "--data-dir", str(tmp_path / "data")])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "data" / "secrets").glob("*.token"))


def test_a_sign_in_is_saved_listed_and_deleted(world: World, tmp_path: Path, do: Do) -> None:
    with listening(world) as place:
        status, told, _ = do("login", f"http://{place}", "--user", "asha", said=f"{PASSWORD}\n")
        assert (status, told.count(PASSWORD)) == (0, 0)
        assert f"Signed in to http://{place} as asha. The token is saved in a file that only you can read." in told
        (file,) = kept(tmp_path)
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.read_text() not in told
        _, told, _ = do("profiles")
        assert told == f"1  asha  http://{place}  (signed in, opens at start)\n"
        do("login", "--user", "ravi", said=f"{PASSWORD}\n")
        do("profiles", "use", "asha")
        _, told, _ = do("profiles", "list")
        assert [line.split()[1] for line in told.splitlines()] == ["asha", "ravi"]
        assert do("logout", "ravi")[:2] == (0, f"Signed out: ravi at {place}.\n")
        assert kept(tmp_path) == [file]
        assert "signed out" in do("profiles")[1].splitlines()[1]
        assert [profile.user_id > 0 for profile in ProfileList(tmp_path / "data" / "profiles.json").all()] == [
            True,
            False,
        ]
        do("profiles", "remove", "1")
        assert kept(tmp_path) == []
        assert "asha" not in do("profiles")[1]


def test_an_added_profile_keeps_what_a_sign_in_has_learned(world: World, tmp_path: Path, do: Do) -> None:
    with listening(world) as place:
        do("login", f"http://{place}", "--user", "asha", said=f"{PASSWORD}\n")
        file = ProfileList(tmp_path / "data" / "profiles.json")
        (before,) = file.all()
        assert before.device
        assert before.user_id
        assert do("profiles", "add", f"http://{place}", "asha")[0] == 0
        assert file.all() == (before,)


def test_a_busy_server_is_told_while_the_sign_in_waits(world: World, do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in = HttpSessionProvider.sign_in

    async def busy_first(*given: Any, on_wait: Callable[[float], None], **options: Any) -> UserSession:
        on_wait(11.5)
        return await sign_in(*given, **options)

    monkeypatch.setattr(HttpSessionProvider, "sign_in", busy_first)
    with listening(world) as place:
        status, _, told = do("login", f"http://{place}", "--user", "asha", said=f"{PASSWORD}\n")
    assert status == 0
    assert told == "The server is busy. Your sign-in is tried again in 12 seconds.\n"


def test_a_wrong_password_saves_nothing_and_has_two_sentences(world: World, tmp_path: Path, do: Do) -> None:
    with listening(world) as place:
        status, _, told = do("login", f"http://{place}", "--user", "asha", said="wrong\n")
        assert status == 1
        assert len(told.strip().splitlines()) == 2
        assert kept(tmp_path) == []


def test_a_token_can_replace_a_password(world: World, tmp_path: Path, do: Do) -> None:
    with listening(world) as place:
        status, told, _ = do("login", f"http://{place}", "--token", said=f"{world.token('ravi')}\n")
        assert status == 0
        assert "as ravi" in told
        assert kept(tmp_path)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate of a private server")
def test_a_ca_file_makes_a_private_server_trusted_and_is_saved_in_the_profile(
    world: World, tmp_path: Path, do: Do
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "ca.pem"
    subprocess.run(
        (
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=institute"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)),
        ),
        check=True,
        capture_output=True,
    )
    with listening(world, ssl_keyfile=str(key), ssl_certfile=str(certificate)) as place:
        base_url = f"https://{place}"
        status, _, told = do("login", base_url, "--user", "asha", said=f"{PASSWORD}\n")
        assert status == 1
        assert "The server's certificate is not valid" in told
        assert do("login", base_url, "--ca-file", "nowhere.pem", said="x\n")[0] == 1
        options = ("--user", "asha", "--ca-file", str(certificate))
        assert do("login", base_url, *options, said=f"{PASSWORD}\n")[0] == 0
        assert f"trusts {certificate}" in do("profiles")[1]
        # The profile knows it from now on.
        assert do("login", "--user", "asha", said=f"{PASSWORD}\n")[0] == 0
        assert f"trusts {certificate}" in do("profiles")[1]


def test_a_profile_can_be_added_before_its_server_runs(tmp_path: Path, do: Do) -> None:
    assert do("profiles", "add", "learn.example.edu", "asha")[0] == 0
    (profile,) = ProfileList(tmp_path / "data" / "profiles.json").all()
    assert (profile.base_url, profile.username) == ("https://learn.example.edu", "asha")


@pytest.mark.parametrize("words", [("logout",), ("profiles", "use", "asha"), ("profiles", "remove", "3")])
def test_the_error_for_a_missing_profile_says_what_to_do(words: tuple[str, ...], do: Do) -> None:
    status, _, told = do(*words)
    assert status == 1
    assert "lms-tui login SERVER" in told


async def test_signing_out_deletes_the_token_and_keeps_the_profile(world: World, tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    profiles = ProfileList(paths.profiles)
    provider = HttpSessionProvider(Settings(paths), profiles, ServiceProcess((), paths.service_log))
    with listening(world) as place:
        session = await provider.sign_in(f"http://{place}", "asha", PASSWORD, keep=True)
        (profile,) = profiles.all()
        assert session.profile == profile
        assert find_tokens(paths.secrets).read(profile)
        await provider.forget(session)
        assert FileTokens(paths.secrets).read(profile) is None
        assert profiles.all() == (profile.without_user(),)
        assert await provider.resume(profile) is None
        await provider.forget(session)
        await provider.close()


async def test_a_saved_sign_in_opens_without_the_server_for_the_user_that_it_belongs_to(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    profiles = ProfileList(paths.profiles)
    provider = HttpSessionProvider(Settings(paths), profiles, ServiceProcess((), paths.service_log))
    with listening(world) as place:
        signed_in = await provider.sign_in(f"http://{place}", "asha", PASSWORD, keep=True)
    (profile,) = profiles.all()
    token = find_tokens(paths.secrets).read(profile)
    assert token
    assert token not in paths.profiles.read_text()
    session = await provider.resume(profile)
    assert session is not None
    assert isinstance(session.unreachable, Offline)
    assert (session.user.id, session.user.username) == (signed_in.user.id, "asha")
    assert session.lms.origin == signed_in.lms.origin
    with pytest.raises(Offline):
        await session.lms.attempts.page()
    # Without its user, the profile of an earlier version asks for the server.
    with pytest.raises(Offline):
        await provider.resume(profile.without_user())
    await provider.forget(session)
    assert profiles.all() == (profile.without_user(),)
    assert await provider.resume(profile) is None
    await provider.close()
    assert token not in caplog.text


async def test_a_server_that_does_not_reply_is_not_waited_for_by_a_saved_sign_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_provider, "PATIENCE", 0.1)
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    profiles = ProfileList(paths.profiles)
    provider = HttpSessionProvider(Settings(paths), profiles, ServiceProcess((), paths.service_log))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        profile = Profile("asha", f"http://127.0.0.1:{silent.getsockname()[1]}", "asha", user_id=7)
        FileTokens(paths.secrets).keep(profile, "header.payload.signature")
        session = await provider.resume(profile)
        assert session is not None
        assert isinstance(session.unreachable, TimedOut)
        assert session.user.id == 7
        await provider.close()


async def test_each_sign_in_reads_the_user_once(world: World, tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    provider = HttpSessionProvider(Settings(paths), ProfileList(paths.profiles), ServiceProcess((), paths.service_log))

    def reads() -> int:
        return [exchange.path for exchange in provider.recording.exchanges].count("/api/v2.2/me/")

    with listening(world) as place:
        await provider.sign_in(f"http://{place}", "asha", PASSWORD, keep=True)
        assert reads() == 1
        # The screens and the dialogue of lines sign in with the saved token.
        session_provider = cast("FakeSessionProvider", provider)
        async with program(tmp_path, signed_in=False, provider=session_provider) as run:
            await run.until(lambda: run.screen == "HomeScreen")
        assert reads() == 2
        await PlainProgram(Script("q"), dependencies(session_provider, tmp_path), Opening()).run()
        assert reads() == 3
        await provider.close()


async def test_removing_a_profile_in_the_app_deletes_its_token(world: World, tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    profiles = ProfileList(paths.profiles)
    provider = HttpSessionProvider(Settings(paths), profiles, ServiceProcess((), paths.service_log))
    with listening(world) as place:
        await provider.sign_in(f"http://{place}", "asha", PASSWORD, keep=True)
        (profile,) = provider.profiles()
        await provider.remove(profile)
        assert provider.profiles() == ()
        assert FileTokens(paths.secrets).read(profile) is None
        await provider.close()


# Completion.


COMPLETION = ROOT / "completion"
"""The files that the wheel installs for the shells."""
BASH = (
    "source {files}/lms-tui.bash\n"
    "COMP_LINE='{line}' COMP_POINT={point} COMP_TYPE=9 COMP_KEY=9 COMP_WORDS=({line}) COMP_CWORD=1\n"
    '_python_argcomplete lms-tui\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
)
FISH = "source {files}/lms-tui.fish\ncomplete -C '{line}'\n"


def completed(shell: str, line: str, folder: Path) -> list[str]:
    """Return the proposals of a shell for this line."""
    script = (BASH if shell == "bash" else FISH).format(line=line, point=len(line), files=COMPLETION)
    folder.mkdir(exist_ok=True)
    program = folder / "lms-tui"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m lms_tui "$@"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    environment["LMS_TUI_DATA_DIR"] = str(folder / "data")
    ended = subprocess.run(
        [shutil.which(shell) or shell, "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [word.partition("\t")[0].strip() for word in ended.stdout.splitlines() if word.strip()]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_completes_commands_options_and_profiles(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    assert {"login", "logout"} <= set(completed(shell, "lms-tui log", tmp_path))
    assert "--reduced-motion" in completed(shell, "lms-tui demo --red", tmp_path)
    ProfileList(tmp_path / "data" / "profiles.json").remember(Profile("home", "https://learn.example.edu", "asha"))
    assert completed(shell, "lms-tui logout as", tmp_path) == ["asha"]


def test_zsh_finds_the_installed_completion(tmp_path: Path) -> None:
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("zsh is not installed here")
    script = f"fpath+=({COMPLETION}); autoload -Uz compinit; compinit -u -D; print $_comps[lms-tui]"
    ended = subprocess.run(
        [zsh, "-fc", script], env={"HOME": str(tmp_path)}, capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout.split() == ["_lms-tui"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_can_read_its_completion_script(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "lms-tui" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    file = tmp_path / "script"
    file.write_text(script)
    subprocess.run([shell, "-n", str(file)], check=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
