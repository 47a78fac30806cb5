"""The newest snapshot of an attempt, shared by the keeper, which takes what a person does, and by the sender."""

from collections.abc import Callable, Iterable

from lms_tui.attempt.events import Event
from lms_tui.attempt.session import Session, apply
from lms_tui.wire.attempts import AttemptQuestion


class LiveSession:
    """`questions`: as the server sent them, by id."""

    def __init__(self, session: Session, questions: Iterable[AttemptQuestion]) -> None:
        self.now = session
        self.questions = {question.id: question for question in questions}
        self._listen: Callable[[Session], None] = lambda _: None

    def listen(self, listener: Callable[[Session], None]) -> None:
        self._listen = listener

    def apply(self, event: Event) -> None:
        self.show(apply(self.now, event))

    def show(self, session: Session) -> None:
        """Make this the newest snapshot, and hand it to the listener where it differs."""
        if session is not self.now:
            self.now = session
            self._listen(session)
