"""Escape sequences that Textual cannot write."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App


def write_escape(app: "App[Any]", text: str) -> None:
    """Write to the terminal of the app, if it has one."""
    driver = app._driver  # noqa: SLF001 - Textual has no other way to the terminal
    if driver is not None:
        driver.write(text)
        driver.flush()
