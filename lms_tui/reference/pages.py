"""Every reference page that is made from the program."""

from lms_tui.cli import build_parser
from lms_tui.commands.api import service_schema
from lms_tui.qa.api_files import to_openapi
from lms_tui.reference import api_pages, command_pages, json_pages, key_pages, man_page


def made_pages() -> dict[str, str]:
    """Return the text of each made page by its path."""
    schema = service_schema()
    here = "http://127.0.0.1:8000"
    return {
        "docs/commands.md": command_pages.page(build_parser()),
        "docs/json.md": json_pages.page(),
        "docs/keys.md": key_pages.page(),
        "docs/api.md": api_pages.page(to_openapi(schema, here), to_openapi(schema, here, extensions=True)),
        "man/lms-tui.1": man_page.page(build_parser()),
    }
