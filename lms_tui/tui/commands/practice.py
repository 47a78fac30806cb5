"""The commands of practice."""

from functools import partial
from typing import Final

from lms_tui.tui.commands.command import Command, Group, Where

_answer = partial(Command, group=Group.ANSWER, where=(Where.PRACTICE,))

PRACTICE: Final[tuple[Command, ...]] = (
    _answer("check", "enter,n", "check or next", "Judge the answer, or ask the next question"),
    _answer("reveal", "r", "show the key", "Show the correct answer and the explanation"),
    _answer("sure", "s", "sure", "You are sure of your answer (before or after it)"),
    _answer("think_so", "t", "think so", "You think that your answer is correct"),
    _answer("guess", "g", "guess", "Your answer is a guess, so the question comes back"),
    _answer("choose_highlighted", "space", "choose", "Choose the highlighted option", footer=False, palette=False),
)
