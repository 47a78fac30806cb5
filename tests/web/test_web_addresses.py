import pytest

from lms_tui.runtime.sessions.host import CannotHostError
from lms_tui.runtime.web.addresses import Proxies, origins_of

PROXIES = Proxies(["127.0.0.1", "10.0.0.0/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1", "203.0.113.7, 10.0.0.5"], "203.0.113.7"),
        ("127.0.0.1", ["2001:db8::1"], "2001:db8::1"),
        ("127.0.0.1", ["\x1b]0;owned"], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7, nonsense"], "127.0.0.1"),
        ("127.0.0.2", ["203.0.113.7"], "127.0.0.2"),
        ("192.0.2.1", ["203.0.113.7"], "192.0.2.1"),
        ("", ["203.0.113.7"], ""),
    ],
)
def test_only_the_word_of_a_proxy_is_believed(peer: str, forwarded: list[str], client: str) -> None:
    assert PROXIES.client_of(peer, forwarded) == client


@pytest.mark.parametrize(
    ("address", "may"), [("127.0.0.1", True), ("::1", True), ("10.1.2.3", True), ("192.0.2.1", False), ("", False)]
)
def test_only_this_computer_and_proxies_connect(address: str, may: bool) -> None:
    assert PROXIES.may_connect(address) is may


def test_a_proxy_is_an_address_or_a_network() -> None:
    with pytest.raises(CannotHostError, match=r"--trust-proxy: 'proxy\.example'"):
        Proxies(["proxy.example"])


def test_pages_have_the_address_of_this_computer_or_of_a_proxy() -> None:
    own = origins_of("127.0.0.1", 8080, [])
    assert own.first == "http://127.0.0.1:8080"
    assert own.of("127.0.0.1:8080") == own.first
    assert own.of("LocalHost:8080") == "http://localhost:8080"
    assert own.of("127.0.0.1") is None
    assert own.of("evil.example:8080") is None
    public = origins_of("0.0.0.0", 8080, ["https://exam.example.edu", "https://exam.example.edu:8443"])  # noqa: S104 - behind a proxy
    assert public.of("exam.example.edu") == "https://exam.example.edu"
    assert public.of("exam.example.edu:8443") == "https://exam.example.edu:8443"
    assert public.of("127.0.0.1:8080") is None
    usual = origins_of("127.0.0.1", 8080, ["https://exam.example.edu:443"])
    assert usual.of("exam.example.edu") == "https://exam.example.edu"


@pytest.mark.parametrize(
    ("host", "public", "words"),
    [
        ("0.0.0.0", [], "unprotected"),  # noqa: S104 - it is refused
        ("192.0.2.1", [], "unprotected"),
        ("127.0.0.1", ["http://exam.example.edu"], "cannot use"),
        ("127.0.0.1", ["https://*.example.edu"], "cannot use"),
    ],
)
def test_passwords_do_not_cross_a_network_without_tls(host: str, public: list[str], words: str) -> None:
    with pytest.raises(CannotHostError, match=words):
        origins_of(host, 8080, public)
