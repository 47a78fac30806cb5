"""The JSON of the commands about people, batches, posts, videos and the audit."""

from typing import Any, Literal

from lms_tui.commands.json_shapes.base import Moment, Shape

Role = Literal["student", "mentor", "moderator", "admin"]


class User(Shape):
    """A user. `accommodation`: what the student has more than others, in words."""

    id: int
    username: str
    name: str
    role: Role
    active: bool
    batches: list[str]
    accommodation: list[str]


class ImportedUser(Shape):
    """A user of a list. `password`: the first one of a new user, else empty. It is missing with `--passwords`."""

    outcome: Literal["added", "changed", "unchanged"]
    username: str
    name: str
    first_name: str
    last_name: str
    email: str
    role: Role
    batches: list[str]
    password: str = ""


class Allowance(Shape):
    """How much more time a student has. `minutes`, `closes_later`: in minutes."""

    username: str
    name: str
    factor: float
    minutes: int
    closes_later: int
    no_limit: bool


class Batch(Shape):
    id: int
    name: str
    members: int


class Post(Shape):
    id: int
    slug: str
    title: str
    active: bool
    public: bool
    published: Moment
    batches: list[str]


class Video(Shape):
    """A video. `file`, `size` in bytes: null where the file is missing."""

    uuid: str
    content: int
    title: str
    course: str
    chapter: str
    start: Moment | None
    file: str | None
    size: int | None


class Change(Shape):
    """A line of the audit. `before`, `after`: the values that have changed, by their names."""

    id: int
    at: Moment
    who: str
    what: str
    about: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
