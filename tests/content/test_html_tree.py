from lms_tui.content.html import parse
from lms_tui.content.layout import layout


def shown(html: str, width: int = 60, **options: object) -> list[str]:
    return [line.text for line in layout(parse(html), width, **options)]  # type: ignore[arg-type]  # passed through


def test_entities_are_decoded_before_cleaning() -> None:
    assert shown("<p>a&#27;[31mb</p>") == ["a␛[31mb"]


def test_scripts_styles_and_comments_are_not_shown() -> None:
    assert shown("<style>p{}</style><script>x()</script><!-- c --><p>text</p>") == ["text"]
