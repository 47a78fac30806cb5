"""The JSON of the commands about this computer: practice, profiles, keys, backups and checks."""

from typing import Literal

from pydantic import Field

from lms_tui.commands.json_shapes.base import Moment, Shape


class Card(Shape):
    """A card of the deck. `due`: when it comes again, also if it rests."""

    card: int
    subject: str
    words: str
    exam: str
    due: Moment
    suspended: bool


class CertainAnswers(Shape):
    """The answers of one certainty."""

    certainty: Literal["sure", "think so", "guess"]
    answers: int
    correct: int


class Topic(Shape):
    name: str
    answers: int
    correct: int


class DeckFacts(Shape):
    """`due`, `week`: cards that are due today, and within a week. `streak`: days with practice in a row."""

    due: int
    cards: int
    resting: int
    week: int
    streak: int
    certain: list[CertainAnswers]
    topics: list[Topic]


class TunedDeck(Shape):
    """`parameters`: what the deck uses now; empty for the default ones. The others are null with `--defaults`.

    A repetition is an answer a day or more after the one before. `tested`: the newest ones. `log_loss_before`,
    `log_loss_after`: how well the old and the new parameters predict them, lower is better.
    """

    repetitions: int | None
    tested: int | None
    log_loss_before: float | None
    log_loss_after: float | None
    changed: bool
    parameters: list[float]


class Profile(Shape):
    """A saved server and user. The first one opens at the start. `ca_file`: its certificates, or null."""

    name: str
    server: str
    username: str
    signed_in: bool
    ca_file: str | None


class SshKey(Shape):
    fingerprint: str
    name: str
    created: Moment | None


class Check(Shape):
    """A check of this computer. `advice`: empty if there is nothing to do."""

    health: Literal["ok", "hint", "problem"]
    subject: str
    finding: str
    advice: str


class Backup(Shape):
    """`files`, `bytes`: of the backup. `removed`: older backups that `--keep` has removed."""

    backup: str
    created: Moment
    files: int
    bytes: int
    removed: list[str] = Field(default=[])
