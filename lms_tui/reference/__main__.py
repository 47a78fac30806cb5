"""Write the reference pages of `docs/`, and the manual page for `man`."""

from pathlib import Path

from lms_tui.commands import settings_page
from lms_tui.reference.pages import made_pages


def main() -> None:
    for name, text in {**made_pages(), "docs/settings.md": settings_page.page()}.items():
        Path(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
