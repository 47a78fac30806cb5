"""The app for the one user who is signed in already, as over ssh and in a browser."""

from textual import on

from lms_tui.tui.app import LmsApp
from lms_tui.tui.messages import SignInAsked, SignOut


class OneUserApp(LmsApp):
    """Ends where the app would ask who signs in."""

    @on(SignOut)
    @on(SignInAsked)
    def _end_session(self, message: SignOut | SignInAsked) -> None:
        message.prevent_default()
        self.exit(message="This session has ended.")
