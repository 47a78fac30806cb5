"""Entities of HTML. Python's table of their names takes half a MiB, and few texts need it."""


def unescape(text: str) -> str:
    """Replace entities such as `&lt;` by their characters, as `html.unescape` does."""
    if "&" not in text:
        return text
    from html import unescape as of_html  # noqa: PLC0415 - see above

    return of_html(text)
