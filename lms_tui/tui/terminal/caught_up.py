"""The message of `NonBlockingDriver`, apart from it because the driver cannot be imported on Windows."""

from textual.message import Message


class TerminalCaughtUp(Message):
    """The terminal reads again after frames were dropped. The app has to paint the whole screen."""
