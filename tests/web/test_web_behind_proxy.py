"""The app in Chromium over TLS, behind haproxy and nginx with the configurations of docs/operations.md."""

import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.ports import reserved_ports
from tests.service.browser import chromium, find_chromium
from tests.waiting import wait_until
from tests.web.web_world import PATIENCE, Page, WebHost, running

pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
EXECUTABLE = find_chromium()
DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
PASSWORD = "a long password of head"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for localhost that nobody else trusts, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed here (apt-get install openssl)")
    key, cert, both = (tmp_path / name for name in ("key.pem", "cert.pem", "both.pem"))
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    names = [
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        str(key),
        "-out",
        str(cert),
    ]
    subprocess.run([*command, *names], check=True, capture_output=True)
    both.write_bytes(cert.read_bytes() + key.read_bytes())
    return both


class Proxy(NamedTuple):
    """A program, its configuration in the document, and what surrounds it here. `usual`: what each test replaces."""

    name: str
    block: str
    around: str
    arguments: tuple[str, ...]
    usual: tuple[str, str, str]
    here: tuple[str, str, str]


PROXIES = (
    Proxy(
        "haproxy",
        r"```\n(frontend pages\n.*?)```",
        "global\n  maxconn 100\n{block}",
        ("-db", "-f"),
        (":443 ssl", "/etc/haproxy/exam.pem", "127.0.0.1:8080"),
        ("127.0.0.1:{port} ssl", "{certificate}", "127.0.0.1:{pages}"),
    ),
    Proxy(
        "nginx",
        r"```nginx\n(map .*?)```",
        "daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events {{}}\nhttp {{\naccess_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        "fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{block}}}\n",
        ("-c",),
        ("443 ssl", "/etc/nginx/exam.pem", "127.0.0.1:8080"),
        ("127.0.0.1:{port} ssl", "{certificate}", "127.0.0.1:{pages}"),
    ),
)


@pytest.fixture(params=PROXIES, ids=[proxy.name for proxy in PROXIES])
def served(request: pytest.FixtureRequest, tmp_path: Path, certificate: Path) -> Iterator[WebHost]:
    """A host of an institute of its own behind a proxy. `origin`: of the proxy."""
    proxy: Proxy = request.param
    program = shutil.which(proxy.name, path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip(f"{proxy.name} is not installed here (apt-get install {proxy.name})")
    with reserved_ports(2) as (port, pages):
        yield from serve(proxy, program, tmp_path, certificate, port=port, pages=pages)


def serve(proxy: Proxy, program: str, folder: Path, certificate: Path, *, port: int, pages: int) -> Iterator[WebHost]:
    data = folder / "data"
    add = [sys.executable, "-m", "lms_tui", "user", "add", "head", "--role", "student", "--password-stdin"]
    subprocess.run(
        [*add, "--data-dir", str(data)], input=PASSWORD, text=True, check=True, capture_output=True, timeout=PATIENCE
    )
    options = ("--web", str(pages), "--web-origin", f"https://localhost:{port}")
    with running(data, *options, institute="--no-video-embedding") as host:
        assert host.origin == f"https://localhost:{port}"
        found = re.search(proxy.block, DOCUMENT.read_text(), re.DOTALL)
        assert found
        block = found[1]
        for usual, here in zip(proxy.usual, proxy.here, strict=True):
            assert usual in block
            block = block.replace(usual, here.format(port=port, certificate=certificate, pages=pages))
        file = folder / "proxy.conf"
        file.write_text(proxy.around.format(folder=folder, block=block))
        process = subprocess.Popen([program, *proxy.arguments, str(file)])
        try:
            yield host
        finally:
            process.terminate()
            process.wait(PATIENCE)


@pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium is installed (Debian: apt install chromium)")
def test_the_app_works_over_tls_behind_a_proxy(served: WebHost, tmp_path: Path) -> None:
    assert EXECUTABLE is not None
    with chromium(EXECUTABLE, tmp_path / "profile") as tab:
        tab.call("Security.setIgnoreCertificateErrors", ignore=True)
        wait_until_listening(int(served.origin.rpartition(":")[2]))
        page = Page(tab, served.origin)
        page.sign_in("head", PASSWORD)
        page.wait(r"lms-tui  Home")
        (cookie,) = tab.call("Network.getCookies")["cookies"]
        assert (cookie["name"], cookie["secure"], cookie["httpOnly"]) == ("__Host-lms-tui", True, True)
        assert cookie["sameSite"] == "Strict"
        assert cookie["value"] not in served.log
        assert not [text for text in tab.complaints if "Content Security Policy" in text]


def wait_until_listening(port: int) -> None:
    """Connect until the proxy answers."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE

    def listens() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain, context.wrap_socket(plain):
                return True
        except OSError:
            return False

    wait_until(listens)
