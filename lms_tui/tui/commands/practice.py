"""The commands of practice and of the deck."""

from functools import partial
from typing import Final

from lms_tui.tui.commands.command import Command, Group, Where

_answer = partial(Command, group=Group.ANSWER, where=(Where.PRACTICE,))

_deck = partial(Command, group=Group.LIST, where=(Where.DECK,))

PRACTICE: Final[tuple[Command, ...]] = (
    _answer(
        "check",
        "enter,n",
        "check",
        "Judge the answer, show the correct one after a miss, ask the next question, or finish after the last one",
    ),
    _answer("reveal", "r", "show the key", "Show the correct answer and the explanation"),
    _answer("sure", "s", "sure", "You are sure of your answer (before or after it)"),
    _answer("think_so", "t", "think so", "You think that your answer is correct"),
    _answer("guess", "g", "guess", "Your answer is a guess, so the question comes back"),
    _answer("choose_highlighted", "space", "choose", "Choose the highlighted option", footer=False, palette=False),
    _deck("practise_due", "enter,p", "practise", "Practise everything that is due today"),
    _deck("choose_drill", "d", "drills", "Choose a drill: weakest topic, this week, 10 minutes"),
    _deck("find_cards", "/", "find", "Show cards with these words"),
    _deck("rest_card", "x", "rest", "Let the selected card rest, or let it come back"),
    _deck("reset_card", "u", "reset", "Forget when the selected card was known, so that it is due now"),
    _deck("remove_card", "delete", "remove", "Remove the selected card from the deck"),
)
