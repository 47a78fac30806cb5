"""Run one session in a separate process: the app or the lines, on the terminal of one connection."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import in_words
from lms_tui.runtime.bootstrap import first_frame, prepare
from lms_tui.runtime.front_end import run_front_end
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.runtime.sessions.messages import Start
from lms_tui.runtime.sessions.one_user import OneUser
from lms_tui.tui.crash import report_crash
from lms_tui.tui.one_user_app import OneUserApp
from lms_tui.views.ports import Opening

if TYPE_CHECKING:
    from lms_tui.common.settings import Settings


def set_environment(start: Start, folder: Path) -> None:
    """Replace the environment of the host by that of the session."""
    os.environ.clear()
    os.environ.update({"HOME": str(folder), "LMS_TUI_CONFIG_DIR": str(folder / "config"), "PATH": os.defpath})
    told = {"TERM": start.term, "LANG": start.lang, "COLORTERM": start.colorterm}
    os.environ.update({name: value for name, value in told.items() if value})


def run_session(start: Start, folder: Path, base_url: str) -> int:
    """Run the app until the person leaves or the line is cut. Return the exit code."""
    settings: Settings | None = None
    try:
        look: dict[str, object] = {"plain": start.plain}
        with first_frame(look, "Timed exams in the terminal") as frame:
            settings = replace(prepare(folder, look), local=False)
            lists = KeptLists(settings.paths.secrets)
            user = OneUser(base_url, start, settings.network.timeout, lists)
            kept = lists.read(user.profile)
            opening = Opening(user.enter, title=clean_line(start.username), kept=kept)
            journals = settings.paths.journals
            return run_front_end(settings, user, opening, journals, frame, plain=start.plain, app_type=OneUserApp)
    except Exception as error:  # noqa: BLE001 - the last handler: a person never sees a traceback
        words = in_words(error)
        if words is None and settings is not None:
            words = report_crash(error, settings.paths)
        print(words or "lms-tui: The program has failed.", file=sys.stderr)  # noqa: T201 - for the person
        return 1
