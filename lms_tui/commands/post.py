"""The command `lms-tui post`, which manages posts."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands.administration import Rows, add_action
from lms_tui.commands.parser import Subcommands, add_command, add_group
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration


def register(commands: Subcommands) -> None:
    actions = add_group(add_command(commands, "post", "publish posts to batches or to everyone"))
    add = add_action(actions, "add", "publish a post", _add)
    add.add_argument("title")
    add.add_argument("--by", required=True, metavar="USERNAME", help="author of the post")
    add.add_argument("--summary", default="", metavar="TEXT")
    add.add_argument("--html", type=Path, metavar="FILE", help="file with the content of the post")
    add.add_argument("--category", default="", metavar="NAME")
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches")
    add.add_argument("--public", action="store_true", help="show it to everyone, not only to its batches")
    add_action(actions, "list", "list posts", lambda admin, _: admin.posts(), quiet="")
    hide = add_action(actions, "hide", "hide a post", partial(_set_active, active=False))
    show = add_action(actions, "show", "show a hidden post again", partial(_set_active, active=True))
    for action in (hide, show):
        action.add_argument("slug")


def _add(admin: "Administration", options: argparse.Namespace) -> Rows:
    try:
        html = "" if options.html is None else options.html.read_text("utf-8")
    except (OSError, UnicodeError):
        raise UsageError(f"{options.html} cannot be read as UTF-8.", "Give an HTML file in UTF-8.") from None
    names = ("title", "summary", "category", "batches")
    fields = {name: getattr(options, name) for name in names} | {"content_html": html, "is_public": options.public}
    return [admin.add_post(options.by, fields)]


def _set_active(admin: "Administration", options: argparse.Namespace, *, active: bool) -> Rows:
    return [admin.show_post(options.slug, is_active=active)]
