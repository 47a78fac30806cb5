"""Add users and batches from a CSV file, all or nothing."""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sqlalchemy.orm import Session

from lms_tui.service.admin.administration import AdminError, Administration, translate_errors
from lms_tui.service.admin.user_lists import Line, Person, read_people
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.naming import find_user
from lms_tui.service.core.principal import Role
from lms_tui.service.exams.importer import batches_named
from lms_tui.service.users.emails import give_email

Row = dict[str, Any]
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for another one."""
_HASHED_AT_ONCE: Final = 4


def import_users(
    admin: Administration, data: bytes, *, dry_run: bool, hand_out: Callable[[list[Row]], None]
) -> tuple[list[Row], list[str]]:
    """Add and change the users of a file, and return what was done and the errors. With an error nothing is done.

    `hand_out` gets the rows with the first passwords before anything is changed, and while nothing is locked, because a
    reader of the output may take its time. Where it raises, nothing is changed.
    """
    lines, errors = read_people(data)
    if errors:
        return [], errors
    secrets_ = {} if dry_run else _passwords(admin, lines)
    rows, errors = _change(admin, lines, secrets_)
    if errors or dry_run:
        return rows, errors
    hand_out(rows)
    _change(admin, lines, secrets_, handed_out=rows)
    return rows, []


def _change(
    admin: Administration,
    lines: Sequence[Line],
    made: dict[str, tuple[str, str]],
    handed_out: list[Row] | None = None,
) -> tuple[list[Row], list[str]]:
    """Return what the lines change and their errors. The changes are kept only if they are those `handed_out`.

    Raises AdminError if another program has changed the institute since then.
    """
    rows: list[Row] = []
    errors: list[str] = []
    with translate_errors(), admin.database.write() as session:
        for line in lines:
            try:
                rows.append(_imported(session, admin, line.person, made))
            except Invalid as error:
                errors.append(f"line {line.number}: {next(iter(error.fields.values()))[0]}")
        session.flush()
        if handed_out is None:
            session.rollback()
        elif errors or rows != handed_out:
            raise AdminError(
                "Another program changed users at this moment. Nothing was changed, and these passwords are not valid.",
                "Import the file again.",
            )
    return ([], errors) if errors else (rows, [])


def _passwords(admin: Administration, lines: Sequence[Line]) -> dict[str, tuple[str, str]]:
    """Return a password and its hash for each user who is new."""
    with admin.database.read() as session:
        names = [line.person.username for line in lines if find_user(session, line.person.username) is None]
    made = {name: "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3)) for name in names}
    with ThreadPoolExecutor(_HASHED_AT_ONCE) as pool:
        hashes = pool.map(admin.passwords.hash, made.values())
        return {name: (password, hashed) for (name, password), hashed in zip(made.items(), hashes, strict=True)}


def _imported(session: Session, admin: Administration, person: Person, made: dict[str, tuple[str, str]]) -> Row:
    user = find_user(session, person.username)
    before = None if user is None else _values(user)
    password = ""
    if user is None:
        password, hashed = made.get(person.username, ("", None))
        user = User(
            username=person.username,
            role=(person.role or Role.STUDENT).value,
            password_hash=hashed,
            tokens_valid_from=admin.now,
            created=admin.now,
            modified=admin.now,
        )
        session.add(user)
    elif person.role is not None and person.role != user.role:
        raise Invalid({"role": [f"{user.username} is {user.role}. Use `lms-tui user role` to change that."]})
    _write(session, user, person, admin)
    after = _values(user)
    if before != after:
        user.modified = admin.now
    what, about = "user.add" if before is None else "user.change", f"user {user.username}"
    note(session, at=admin.now, who=admin.who, what=what, about=about, before=before, after=after)
    outcome = "added" if before is None else "unchanged" if before == after else "changed"
    return {"username": user.username, "name": user.display_name, "outcome": outcome, **after, "password": password}


def _write(session: Session, user: User, person: Person, admin: Administration) -> None:
    """Write what the file tells. Batches are added, and none is taken away."""
    with session.no_autoflush:
        if person.first_name is not None:
            user.first_name = person.first_name
        if person.last_name is not None:
            user.last_name = person.last_name
        there = {batch.id for batch in user.batches}
    session.flush()
    if person.email is not None and person.email != user.email:
        give_email(session, user, person.email)
    user.batches += [batch for batch in batches_named(session, person.batches, admin.now) if batch.id not in there]
    session.flush()


def _values(user: User) -> Row:
    return {
        "role": user.role,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "batches": sorted(batch.name for batch in user.batches),
    }
