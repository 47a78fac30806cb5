"""The screen with which the program opens."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen

    from lms_tui.tui.screens.settings.screen import Configured
    from lms_tui.views.ports import Dependencies, Opening


def first_screen(program: "Configured", dependencies: "Dependencies", opening: "Opening") -> "Screen[None]":
    """Return the settings, a session of practice, the sign-in screen, or the opening of a session."""
    if opening.settings:
        from lms_tui.tui.screens.settings.screen import SettingsScreen  # noqa: PLC0415 - only where it opens

        return SettingsScreen(program)
    if opening.practice is not None:
        from lms_tui.tui.screens.practice.screen import PracticeScreen  # noqa: PLC0415 - only where it opens

        return PracticeScreen(opening.practice, badge=opening.badge)
    if opening.enter is None:
        from lms_tui.tui.screens.sign_in.screen import SignInScreen  # noqa: PLC0415 - only where it opens

        return SignInScreen(dependencies.session_provider)
    from lms_tui.tui.screens.opening.screen import OpeningScreen  # noqa: PLC0415 - only where it opens

    return OpeningScreen(opening)
