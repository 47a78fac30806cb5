"""Administration from the command line, without an endpoint and without signing in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import ValidationError
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks.model import Exam as BankExam
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.audit import note, shell_user
from lms_tui.service.core.bodies import Body, Email, Line150, Password, Username, problem_of
from lms_tui.service.core.database.broadcasts import Post
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import (
    Accommodation,
    Batch,
    Course,
    Exam,
    Question,
    User,
    batch_members,
    exam_batches,
)
from lms_tui.service.core.errors import Failure, Invalid
from lms_tui.service.core.naming import find_user, rows_named, user_named
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.principal import Role
from lms_tui.service.core.text import storable
from lms_tui.service.core.token_times import revoked
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.exam_rows import exam_slug
from lms_tui.service.exams.exporter import exam_of
from lms_tui.service.exams.importer import assign_to_batches, batch_named, batches_named
from lms_tui.service.exams.statistics import statistics_of
from lms_tui.service.posts.handlers import NewPostBody, Posts
from lms_tui.service.users.emails import give_email

Row = dict[str, Any]
_MAX_SHOWN: Final = 10_000
_MINUTE: Final = timedelta(minutes=1)


class AdminError(AdvisedError):
    """A failed command. `str(error)` is the reason, `advice` the remedy."""


class NewPassword(Body):
    password: Password


class NewUser(Body):
    username: Username
    password: Password
    first_name: Line150 = ""
    last_name: Line150 = ""
    email: Email = ""
    batches: tuple[str, ...] = ()


@frozen
class Administration:
    """Commands of the administrator, in one transaction each. Rows are printed by `--json`. Raises AdminError."""

    database: Database
    passwords: Passwords
    now: datetime
    who: str = field(default_factory=shell_user)

    def add_user(self, role: Role, fields: Row) -> Row:
        with translate_errors():
            body = NewUser(**fields)
        password_hash = self._hashed(body.password)
        with translate_errors(), self.database.write() as session:
            if find_user(session, body.username) is not None:
                raise AdminError(f"The user name {body.username} is already taken.", "Choose another name.")
            user = User(
                username=body.username,
                role=role.value,
                password_hash=password_hash,
                tokens_valid_from=self.now,
                first_name=body.first_name,
                last_name=body.last_name,
                created=self.now,
                modified=self.now,
                batches=batches_named(session, body.batches, self.now),
            )
            give_email(session, user, body.email)
            session.add(user)
            session.flush()
            row = _user_row(user)
            self._note(session, "user.add", f"user {user.username}", after=row)
            return row

    def users(self, role: Role | None, batch: str | None) -> list[Row]:
        statement = (
            select(User)
            .order_by(User.username)
            .options(selectinload(User.batches), selectinload(User.accommodation))
            .limit(_MAX_SHOWN)
        )
        if role is not None:
            statement = statement.where(User.role == role.value)
        if batch is not None:
            statement = statement.where(User.batches.any(Batch.name == batch.strip()))
        with self.database.read() as session:
            return [_user_row(user) for user in session.scalars(statement)]

    def change_user(self, username: str, *, password: str | None = None, is_active: bool | None = None) -> Row:
        """Set a new password, or block or unblock a user. Both revoke the tokens of the user.

        The last active administrator cannot be blocked.
        """
        with translate_errors():
            password_hash = None if password is None else self._hashed(NewPassword(password=password).password)
        with self.database.write() as session:
            user = user_of(session, username) if is_active is not False else _other_than_last_admin(session, username)
            before = _user_row(user)
            if password_hash is not None:
                user.password_hash = password_hash
                self._note(session, "user.password", f"user {user.username}")
            if is_active is not None:
                user.is_active = is_active
            user.tokens_valid_from = revoked(self.now, user.tokens_valid_from)
            user.modified = self.now
            row = _user_row(user)
            self._note(session, "user.active", f"user {user.username}", before, row)
            return row

    def change_role(self, username: str, role: Role) -> Row:
        """Change the role of a user. The last active administrator keeps the role."""
        with self.database.write() as session:
            user = user_of(session, username) if role is Role.ADMIN else _other_than_last_admin(session, username)
            before = _user_row(user)
            user.role, user.modified = role.value, self.now
            row = _user_row(user)
            self._note(session, "user.role", f"user {user.username}", before, row)
            return row

    def add_batch(self, name: str) -> Row:
        with translate_errors(), self.database.write() as session:
            return _batch_row(batch_named(session, name, self.now), 0)

    def batches(self) -> list[Row]:
        statement = select(Batch).order_by(Batch.name)
        with self.database.read() as session:
            members = select(batch_members.c.batch_id, func.count()).group_by(batch_members.c.batch_id)
            counts = {batch_id: count for batch_id, count in session.execute(members)}  # noqa: C416  # dict() cannot take rows as the type checker sees them
            return [_batch_row(batch, counts.get(batch.id, 0)) for batch in session.scalars(statement)]

    def join_batch(self, name: str, usernames: Sequence[str]) -> list[Row]:
        with translate_errors(), self.database.write() as session:
            batch = batch_named(session, name, self.now)
            users = [user_of(session, username) for username in usernames]
            for user in users:
                before = _user_row(user)
                if batch not in user.batches:
                    user.batches.append(batch)
                self._note(session, "user.batches", f"user {user.username}", before, _user_row(user))
            session.flush()
            return [_user_row(user) for user in users]

    def exam_file(self, slug: str) -> BankExam:
        """Return an exam with its keys, for an exam file."""
        with self.database.read() as session:
            return exam_of(session, exam_named(session, slug))

    def number_of_questions(self, slug: str) -> int:
        with self.database.read() as session:
            questions = select(func.count()).where(Question.exam_id == exam_named(session, slug).id)
            return session.scalars(questions).one()

    def exam_statistics(self, slug: str) -> tuple[Row, list[Row]]:
        """Return the item analysis of an exam."""
        with self.database.read() as session:
            return statistics_of(session, exam_named(session, slug))

    def exams(self, *, archived: bool = False, banks: bool = False) -> list[Row]:
        """Return the exams, the newest first, or the question banks. `archived`: also those that are archived."""
        statement = select(Exam).where(Exam.is_bank.is_(banks))
        statement = statement.order_by(Exam.start_date.desc(), Exam.id).limit(_MAX_SHOWN)
        if not archived:
            statement = statement.where(~Exam.is_archived)
        with self.database.read() as session:
            return [exam_row(session, exam) for exam in session.scalars(statement)]

    def assign_exam(self, slug: str, batches: Sequence[str]) -> Row:
        with translate_errors(), self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            before = exam_row(session, exam)
            assign_to_batches(session, exam.id, batches_named(session, batches, self.now))
            return self._changed(session, "exam.batches", exam, before)

    def unassign_exam(self, slug: str, batches: Sequence[str]) -> Row:
        """Unassign an exam from batches. Their attempts stay."""
        with translate_errors(), self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            before = exam_row(session, exam)
            named: list[Batch] = rows_named(session, Batch.name, batches, "batch")
            of_exam = exam_batches.c.exam_id == exam.id
            session.execute(delete(exam_batches).where(of_exam, exam_batches.c.batch_id.in_([row.id for row in named])))
            return self._changed(session, "exam.batches", exam, before)

    def publish_exam(self, slug: str, changes: Row) -> Row:
        """Change the audience and the dates of an exam: `is_published`, `is_public`, `start_date`, `end_date`."""
        with self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            refuse_bank(exam)
            before = exam_row(session, exam)
            for name, value in changes.items():
                setattr(exam, name, value)
            if exam.is_published:
                refuse_end_before_start(exam)
            session.flush()
            return self._changed(session, "exam.publish", exam, before)

    def add_post(self, author: str, fields: Row) -> Row:
        with self.database.read() as session:
            author_id = user_of(session, author).id
        with translate_errors():
            made = Posts(self.database, Urls(""), self.now).create(NewPostBody(**fields), author_id)
        with self.database.read() as session:
            return _post_row(session.get_one(Post, made.id))

    def posts(self) -> list[Row]:
        with self.database.read() as session:
            statement = select(Post).order_by(Post.published_date.desc(), Post.id).limit(_MAX_SHOWN)
            return [_post_row(post) for post in session.scalars(statement)]

    def _changed(self, session: Session, what: str, exam: Exam, before: Row) -> Row:
        """Note the change of an exam, and return its row."""
        row = exam_row(session, exam)
        self._note(session, what, f"exam {exam.slug}", before, row)
        return row

    def _note(
        self, session: Session, what: str, about: str, before: Row | None = None, after: Row | None = None
    ) -> None:
        note(session, at=self.now, who=self.who, what=what, about=about, before=before, after=after)

    def _hashed(self, password: str) -> str:
        try:
            return self.passwords.hash(password)
        except ValueError:
            raise AdminError("The password is too long.", "Choose a shorter one.") from None

    def show_post(self, slug: str, *, is_active: bool) -> Row:
        with self.database.write() as session:
            post = session.scalar(select(Post).where(Post.slug == slug))
            if post is None:
                raise unknown("post", slug)
            post.is_active, post.modified = is_active, self.now
            return _post_row(post)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn errors of the API into AdminError."""
    try:
        yield
    except ValidationError as error:
        raise AdminError(problem_of(error), "Correct it and try again.") from None
    except Invalid as error:
        name, sentences = next(iter(error.fields.items()))
        raise AdminError(f"{name}: {sentences[0]}", "Correct it and try again.") from None
    except IntegrityError:
        raise AdminError(
            "Another command created the same at this moment.", "List what exists, and try again."
        ) from None
    except Failure as error:
        raise AdminError(error.detail, "Correct it and try again.") from None


def user_of(session: Session, username: str) -> User:
    user = session.scalar(user_named(username).options(selectinload(User.batches), selectinload(User.accommodation)))
    if user is None:
        raise unknown("user", username)
    return user


def _other_than_last_admin(session: Session, username: str) -> User:
    """Return a user. Raises AdminError for the last administrator who can sign in."""
    # The lock keeps two administrators from giving up the role at the same time.
    heads = select(User.id).where(User.role == Role.ADMIN.value, User.is_active).order_by(User.id)
    there = set(session.scalars(heads.with_for_update()))
    user = user_of(session, username)
    if there == {user.id}:
        raise AdminError(
            f"{username} is the last administrator who can sign in.",
            "Make another user an administrator first: `lms-tui user role NAME admin`.",
        )
    return user


def exam_named(session: Session, slug: str, *, lock: bool = False) -> Exam:
    """Return an exam. `lock`: lock its row, which PostgreSQL refuses in a transaction that only reads."""
    statement = select(Exam).where(Exam.slug == storable(slug))
    exam = session.scalar(statement.with_for_update() if lock else statement)
    if exam is None:
        raise unknown("exam", slug)
    return exam


def unknown(kind: str, name: str) -> AdminError:
    """Return the error for a name that no user, exam or post has. A script may give an empty one."""
    named = name if name.strip() else "with an empty name"
    return AdminError(f"There is no {kind} {named}.", f"See `lms-tui {kind} list`.")


def refuse_bank(exam: Exam) -> None:
    """Raise AdminError for a question bank, which no student may see."""
    if exam.is_bank:
        raise AdminError(
            f"{exam.slug} is a question bank, and not an exam.", "Import an exam that draws from it with `pick`."
        )


def refuse_end_before_start(exam: Exam) -> None:
    """Refuse an exam that would end before it starts. Raises AdminError."""
    if exam.end_date is not None and exam.end_date <= exam.start_date:
        raise AdminError(
            f"The exam {exam.slug} would end at {exam.end_date.isoformat(timespec='seconds')}, before it starts at "
            f"{exam.start_date.isoformat(timespec='seconds')}.",
            "Give an --end that is after its start, or another --start.",
        )


def refuse_no_slug(name: str, of: str) -> None:
    """Refuse a name that cannot be the link name of an exam or a bank. Raises AdminError."""
    if name != exam_slug(name):
        raise AdminError(f"{name} is not a link name of {of}.", f"Write it like {exam_slug(name)}.")


def _user_row(user: User) -> Row:
    return {
        "id": user.id,
        "username": user.username,
        "name": user.display_name,
        "role": user.role,
        "active": user.is_active,
        "batches": [batch.name for batch in user.batches],
        "accommodation": _accommodation(user.accommodation),
    }


def _accommodation(given: Accommodation | None) -> list[str]:
    """Return what a student has more than others, in words."""
    if given is None:
        return []
    words = {
        f"{given.factor.normalize():f} × time": given.factor != 1 and not given.no_limit,
        f"{given.extra // _MINUTE} min more": bool(given.extra) and not given.no_limit,
        "no time limit": given.no_limit,
        f"closes {given.closes_later // _MINUTE} min later": bool(given.closes_later),
    }
    return [word for word, applies in words.items() if applies]


def _batch_row(batch: Batch, members: int) -> Row:
    return {"id": batch.id, "name": batch.name, "members": members}


def exam_row(session: Session, exam: Exam) -> Row:
    names = select(Batch.name).join(exam_batches).where(exam_batches.c.exam_id == exam.id).order_by(Batch.name)
    return {
        "id": exam.id,
        "slug": exam.slug,
        "title": exam.title,
        "course": session.get_one(Course, exam.course_id).name,
        "questions": exam.number_of_questions,
        "duration": None if exam.duration is None else str(exam.duration),
        "published": exam.is_published,
        "public": exam.is_public,
        "start": exam.start_date.isoformat(timespec="seconds"),
        "end": None if exam.end_date is None else exam.end_date.isoformat(timespec="seconds"),
        "batches": list(session.scalars(names)),
    }


def _post_row(post: Post) -> Row:
    return {
        "id": post.id,
        "slug": post.slug,
        "title": post.title,
        "active": post.is_active,
        "public": post.is_public,
        "published": post.published_date.isoformat(timespec="seconds"),
        "batches": [batch.name for batch in post.batches],
    }
