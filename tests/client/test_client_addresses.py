import pytest

from lms_tui.client.address import follow, is_loopback, origin_of, parse_base_url
from lms_tui.wire.errors import Defect, Invalid

PLAIN = "http://plain.example.edu"


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("learn.example.edu", "https://learn.example.edu"),
        (" https://Learn.Example.edu:443/ ", "https://learn.example.edu"),
        ("https://learn.example.edu/lms/", "https://learn.example.edu/lms"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://bücher.example", "https://bücher.example"),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, understood: str) -> None:
    assert parse_base_url(typed) == understood


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "https://",
        "ftp://learn.example.edu",
        "https://learn.example.edu:99999",
        "https://a b.example",
        "https://x?y=1",
        "https://x#y",
        "javascript:alert(1)",
        "https://[::1",
        "https://x\x1b[2J.example",
        "/api/",
    ],
)
def test_an_invalid_address_is_an_error_of_its_field(typed: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_base_url(typed)
    assert refused.value.fields["base_url"]


def test_user_name_in_an_address_is_refused() -> None:
    with pytest.raises(Invalid, match="user name or password"):
        parse_base_url("https://asha:practice@learn.example.edu")


def test_plain_http_goes_to_this_computer_only_unless_allowed() -> None:
    with pytest.raises(Invalid, match="not encrypted"):
        parse_base_url(PLAIN)
    assert parse_base_url(PLAIN, allow_plain_http=True) == PLAIN


@pytest.mark.parametrize("host", ["127.0.0.1.example.edu", "localhost.example.edu", "1270.0.0.1", "10.0.0.1"])
def test_a_name_similar_to_localhost_is_not_this_computer(host: str) -> None:
    assert not is_loopback(f"http://{host}")


def test_origin_has_no_path() -> None:
    assert origin_of("https://learn.example.edu:8443/lms") == "https://learn.example.edu:8443"


HERE = "https://learn.example.edu/api/v2.2/attempts/?page=1"


@pytest.mark.parametrize(
    ("link", "followed"),
    [
        ("https://learn.example.edu/api/v2.2/attempts/?page=2", "https://learn.example.edu/api/v2.2/attempts/?page=2"),
        ("/api/v2.2/attempts/?page=2", "https://learn.example.edu/api/v2.2/attempts/?page=2"),
        ("?page=2", "https://learn.example.edu/api/v2.2/attempts/?page=2"),
        ("https://learn.example.edu:443/x", "https://learn.example.edu/x"),
        ("https://LEARN.example.edu/x", "https://learn.example.edu/x"),
    ],
)
def test_link_within_the_server_is_followed(link: str, followed: str) -> None:
    assert follow(HERE, link) == followed


def test_an_http_link_is_followed_with_the_scheme_of_the_server() -> None:
    assert follow(HERE, "http://learn.example.edu/api/?page=2") == "https://learn.example.edu/api/?page=2"


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/x",
        "//evil.example/x",
        "https://learn.example.edu@evil.example/",
        "https://learn.example.edu:8443/x",
        "https://asha:pw@learn.example.edu/x",
        "https://learn.example.edu.evil.example/",
        r"https://learn.example.edu\@evil.example",
        "ftp://learn.example.edu/x",
        "file:///etc/passwd",
        "https://learn.example.edu:99999/",
        "https://[",
        "x" * 5000,
        "http://learn.example.edu:8080/x",
    ],
)
def test_link_to_another_server_is_refused(link: str) -> None:
    with pytest.raises(Defect):
        follow(HERE, link)
