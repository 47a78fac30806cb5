"""The command `lms-tui video`, which manages the videos of courses."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands import arguments
from lms_tui.commands.administration import Rows, add_action, print_notes, service_settings
from lms_tui.commands.parser import Subcommands, add_command, add_group

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.admin.videos import VideoLibrary


def register(commands: Subcommands) -> None:
    actions = add_group(add_command(commands, "video", "manage the videos of courses"))
    add = add_action(actions, "add", "add a WebM or MP4 file to a course", _add, creates=True)
    add.add_argument("file", type=Path, metavar="FILE")
    add.add_argument("--course", required=True, metavar="NAME")
    add.add_argument("--chapter", default="", metavar="NAME")
    add.add_argument("--title", required=True, metavar="TEXT")
    words = "when students can see it, such as 2026-01-31T09:30+05:30 (default: now)"
    add.add_argument("--start", type=arguments.moment, metavar="WHEN", help=words)
    words = "give this batch the whole course"
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches", help=words)
    add.add_argument("--public", action="store_true", help="give every student the whole course")
    listed = add_action(actions, "list", "list videos", _list, quiet="")
    listed.add_argument("--course", metavar="NAME")
    words = "delete a video with its file and its playback tokens"
    remove = add_action(actions, "remove", words, lambda admin, given: [_videos(admin, given).remove(given.uuid)])
    remove.add_argument("uuid", metavar="UUID")
    for action in (add, listed, remove):
        words = "the folder given to `serve --media-dir` (default: media in the data directory)"
        action.add_argument("--media-dir", type=arguments.folder, metavar="DIR", help=words)


def _list(admin: "Administration", options: argparse.Namespace) -> Rows:
    return _videos(admin, options).listed(options.course)


def _videos(admin: "Administration", options: argparse.Namespace) -> "VideoLibrary":
    from lms_tui.service.admin.videos import VideoLibrary
    from lms_tui.service.core.media import Media

    return VideoLibrary(admin.database, Media(service_settings(options).media), admin.now)


def _add(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.admin.videos import NewVideo

    names = ("file", "title", "course", "chapter", "batches", "start")
    wanted = NewVideo(**{name: getattr(options, name) for name in names}, is_public=options.public)
    row, notes = _videos(admin, options).add(wanted)
    print_notes(notes)
    return [row]
