"""Messages by which screens ask the app for another screen."""

import asyncio
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from lms_tui.practice.run import PracticeRun
    from lms_tui.views.attempts import ExamLists
    from lms_tui.views.kept_list import SeenList
    from lms_tui.views.more import Destination
    from lms_tui.views.ports import UserSession
    from lms_tui.wire.attempts import Attempt


class SignedIn(Message):
    """`seen`: the kept home screen that is shown."""

    def __init__(self, session: "UserSession", seen: "SeenList | None" = None) -> None:
        super().__init__()
        self.session = session
        self.seen = seen


class SignInAsked(Message):
    """Show the sign-in screen, because a saved sign-in cannot be used."""


class KeysSettled(Message):
    """Set `settled` when every key that was delivered has had its effect."""

    def __init__(self) -> None:
        super().__init__()
        self.settled = asyncio.Event()


class KeysWanted(Message):
    """Deliver the keys that waited. `dropped`: the sentence to say if some waited and are dropped instead."""

    def __init__(self, dropped: str = "") -> None:
        super().__init__()
        self.dropped = dropped


class SignOut(Message):
    pass


class HomeAsked(Message):
    """Show the home screen when no other screen is open. `seen`: the kept one that is on the screen."""

    def __init__(self, seen: "SeenList | None" = None) -> None:
        super().__init__()
        self.seen = seen


class PushedScreenAsked(Message):
    """Push the screen that this message asks for."""


class ExamsAsked(PushedScreenAsked):
    """Show the list of all exams. `known`: the lists to show until the server has answered."""

    def __init__(self, known: "ExamLists | None" = None) -> None:
        super().__init__()
        self.known = known


class ExamAsked(PushedScreenAsked):
    """Show the instructions of this exam."""

    def __init__(self, slug: str) -> None:
        super().__init__()
        self.slug = slug


class AttemptAsked(Message):
    """Open a running attempt."""

    def __init__(self, attempt_id: int, title: str) -> None:
        super().__init__()
        self.attempt_id = attempt_id
        self.title = title


class ResultAsked(Message):
    def __init__(self, attempt_id: int) -> None:
        super().__init__()
        self.attempt_id = attempt_id


class AttemptNotShown(Message):
    """The attempt that was asked for is not over, and not on the screen any more."""


class ReviewAsked(PushedScreenAsked):
    """`question_id`: the question to begin with, 0 for the first."""

    def __init__(self, attempt: "Attempt", question_id: int = 0) -> None:
        super().__init__()
        self.attempt = attempt
        self.question_id = question_id


class ReplayAsked(PushedScreenAsked):
    """`question_id`: the question to select, 0 for the first one."""

    def __init__(self, attempt: "Attempt", question_id: int = 0) -> None:
        super().__init__()
        self.attempt = attempt
        self.question_id = question_id


class PracticeAsked(PushedScreenAsked):
    """Show this session of practice."""

    def __init__(self, run: "PracticeRun") -> None:
        super().__init__()
        self.run = run


class StatisticsAsked(PushedScreenAsked):
    pass


class DestinationAsked(Message):
    """Show a screen beyond the exams. `number`, `name`, `about`: which user, post, course, mentor or video."""

    def __init__(self, place: "Destination", *, number: int = 0, name: str = "", about: object = None) -> None:
        super().__init__()
        self.place = place
        self.number = number
        self.name = name
        self.about = about


ScreenAsked = HomeAsked | ExamsAsked | ExamAsked | ResultAsked | ReviewAsked | ReplayAsked | StatisticsAsked
