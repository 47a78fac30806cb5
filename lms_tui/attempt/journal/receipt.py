"""A receipt of an attempt: every change in a chain of digests, for answers that cannot be delivered and for keeping.

The file is JSON under a readable text. Each link holds the digest of the one before it, so that no change can be
altered, left out in the middle or moved without breaking the chain. Links of the kind `heard` hold what the server
said last (its time left and its own moment), so that the changes before them were made before that moment; whoever
has the service's log can compare. A receipt carries no secret and no signature: it proves order and wholeness, and
that the writer knew the server's replies, not who wrote it.
"""

import hashlib
import json
import os
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalRecord, Kept, Reply
from lms_tui.attempt.values import Answer, Item

FORMAT: Final = "lms-tui receipt 1"
_MARK: Final = "----- for machines, from here to the end -----"
PAPER: Final = "paper"
"""Name of the fact that tells how questions and options were shown: id to [number, *ids of its options]."""
_LARGEST: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` found. `problems`: one sentence each, none where the chain is whole; `legible`: it is a receipt."""

    problems: tuple[str, ...] = ()
    legible: bool = True
    key: AttemptKey | None = None
    title: str = ""
    changes: int = 0
    undelivered: int = 0
    last_heard: Mapping[str, str] | None = None
    after_last_heard: int = 0
    """Changes that were made after the server was last heard, whose time is this computer's word alone."""
    digest: str = ""

    @property
    def whole(self) -> bool:
        return not self.problems


def receipt_of(
    key: AttemptKey,
    title: str,
    history: Sequence[Kept],
    heard: Sequence[Reply] = (),
    *,
    made_at: float,
    paper: Mapping[str, Sequence[int]] | None = None,
) -> str:
    """Return the text of a receipt; `history`: every change, oldest first; `made_at`: seconds since 1970."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "server": key.origin,
        "user_id": key.user_id,
        "attempt_id": key.attempt_id,
        "title": title,
        "made_at": _moment(made_at),
        "paper": {question: list(shown) for question, shown in (paper or {}).items()},
    }
    links: list[dict[str, Any]] = []
    digest = _digest("", head)
    for link in _in_order(history, heard):
        digest = _digest(digest, link)
        links.append({**link, "digest": digest})
    body = {"head": head, "links": links, "digest": digest}
    return f"{_readable(head, history, heard, digest)}\n{_MARK}\n{_text(body, indent=1)}\n"


def receipt_of_journal(journal: JournalRecord, made_at: float) -> str:
    """The receipt of everything that a journal holds, also of an attempt that has ended."""
    key = AttemptKey(
        journal.recall("origin"), int(journal.recall("user_id") or 0), int(journal.recall("attempt_id") or 0)
    )
    heard = journal.replies()
    paper = json.loads(journal.recall(PAPER) or "{}")
    return receipt_of(key, journal.recall("title"), journal.history(), heard, made_at=made_at, paper=paper)


def note_paper(journal: Journal, items: Iterable[Item]) -> None:
    """Keep how the questions were numbered and their options ordered, so that a receipt names them as seen."""
    journal.remember({PAPER: _text({str(item.question_id): [item.number, *item.options] for item in items})})


def undelivered_lines(journal: JournalRecord) -> list[str]:
    """One line for each answer that the server has not taken: what it is, when it was given, why it was refused."""
    paper = _Paper(json.loads(journal.recall(PAPER) or "{}"))
    waiting = sorted(undelivered(journal.history()), key=lambda kept: paper.place(kept.entry.question_id))
    return [f"{_named(kept, paper)}: {_words(kept, paper)}{_fate(kept)}" for kept in waiting]


def put(path: Path, text: str) -> None:
    """Write a receipt to a new file that its owner alone can read; raises OSError, FileExistsError among others."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())


def name_of(attempt_id: int, made_at: float) -> str:
    """A file name that tells the attempt and the second."""
    return f"receipt-{attempt_id}-{datetime.fromtimestamp(made_at, UTC):%Y%m%dT%H%M%SZ}.txt"


def _in_order(history: Sequence[Kept], heard: Sequence[Reply]) -> list[dict[str, Any]]:
    """Changes in the order in which they were made, and replies between them by the boot clock, where it ran on."""
    links: list[dict[str, Any]] = []
    waiting = list(heard)
    for kept in history:
        while waiting and waiting[0].boot <= kept.entry.boot:
            links.append(_heard(waiting.pop(0)))
        links.append(_change(kept))
    return links + [_heard(reply) for reply in waiting]


def _heard(reply: Reply) -> dict[str, Any]:
    return {"kind": "heard", "boot": reply.boot, "told": dict(reply.told)}


def _change(kept: Kept) -> dict[str, Any]:
    entry = kept.entry
    return {
        "kind": "change",
        "sequence": entry.sequence,
        "question_id": entry.question_id,
        "answer": asdict(entry.answer),
        "boot": entry.boot,
        "at": _moment(entry.wall),
        "delivered": kept.acknowledged,
        "refused": kept.refused,
    }


def verify(path: Path) -> Report:
    """Check a receipt with no network; every way of being no receipt is a problem in the report, not an error."""
    try:
        if path.stat().st_size > _LARGEST:
            return _illegible("This file is too large to be a receipt.")
        return verify_text(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        return _illegible(f"The file cannot be read ({reason}).")


def _illegible(problem: str) -> Report:
    return Report((problem,), legible=False)


def verify_text(text: str) -> Report:
    readable, mark, machine = text.partition(f"\n{_MARK}\n")
    if not mark:
        return _illegible("This is not a receipt of this program.")
    try:
        body = json.loads(machine)
        return _checked(readable, body["head"], body["links"], body["digest"])
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        return Report(("The part for machines is damaged and cannot be read.",))


def _checked(readable: str, head: dict[str, Any], links: list[dict[str, Any]], final: str) -> Report:
    problems = [] if head["format"] == FORMAT else [f"The format {str(head['format'])[:40]!r} is not known."]
    digest, newest, last_heard, after = _digest("", head), dict[int, bool](), None, 0
    history, heard = list[Kept](), list[Reply]()
    for number, link in enumerate(links, 1):
        content = {name: value for name, value in link.items() if name != "digest"}
        digest = _digest(digest, content)
        if digest != link["digest"]:
            problems.append(f"The chain is broken at link {number}: it or one before it was changed.")
            break
        if link["kind"] == "heard":
            last_heard, after = link["told"], 0
            heard.append(Reply(link["boot"], link["told"]))
        else:
            newest[link["question_id"]] = link["delivered"]
            after += 1
            history.append(_kept(link))
    else:
        if digest != final:
            problems.append("The end of the chain is missing or was changed.")
        elif readable != _readable(head, history, heard, digest):
            problems.append("The readable part is not what the part for machines says.")
    return Report(
        tuple(problems),
        key=AttemptKey(str(head["server"]), int(head["user_id"]), int(head["attempt_id"])),
        title=str(head["title"]),
        changes=len(history),
        undelivered=sum(1 for delivered in newest.values() if not delivered),
        last_heard=last_heard,
        after_last_heard=after,
        digest=digest,
    )


def _kept(link: Mapping[str, Any]) -> Kept:
    given = link["answer"]
    answer = Answer(
        selected=tuple(given["selected"]),
        short_text=given["short_text"],
        essay_text=given["essay_text"],
        essay_topic=given["essay_topic"],
        gaps=tuple((order, text) for order, text in given["gaps"]),
        review=given["review"],
    )
    wall = datetime.fromisoformat(link["at"]).timestamp()
    entry = Entry(link["sequence"], link["question_id"], answer, link["boot"], wall)
    return Kept(entry, link["delivered"], link["refused"])


def _digest(before: str, content: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{before}\n{_text(content)}".encode()).hexdigest()


def _text(value: object, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=separators, indent=indent)


def _moment(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")


def _readable(head: Mapping[str, Any], history: Sequence[Kept], heard: Sequence[Reply], digest: str) -> str:
    newest = {kept.entry.question_id: kept for kept in history}
    owed = [kept for kept in newest.values() if not kept.acknowledged]
    paper = _Paper(head["paper"])
    lines = [
        "Receipt of an exam attempt",
        "",
        f"Exam      {_line(head['title'])}",
        f"Server    {_line(head['server'])}",
        f"User      {head['user_id']}",
        f"Attempt   {head['attempt_id']}",
        f"Made at   {head['made_at']}",
        f"Changes   {len(history)} to {len(newest)} questions; {len(owed)} not delivered",
        f"Digest    {digest}",
    ]
    if heard:
        told = ", ".join(f"{name} {_line(value)}" for name, value in sorted(heard[-1].told.items()))
        lines.append(f"Server    last heard: {told}")
    if owed:
        lines += ["", "Not delivered:"]
        lines += [f"  {_named(k, paper)}: {_words(k, paper)}{_fate(k)}" for k in owed]
    lines += ["", "Answers:"]
    shown = [newest[key] for key in sorted(newest, key=paper.place)]
    lines += [f"  {_named(kept, paper)}: {_words(kept, paper)} ({_moment(kept.entry.wall)})" for kept in shown]
    return "\n".join(lines)


@dataclass(frozen=True)
class _Paper:
    """How questions and options were shown; what is not known is named by its id."""

    shown: Mapping[str, Sequence[int]]

    def number(self, question: int) -> int | None:
        return self.shown[str(question)][0] if str(question) in self.shown else None

    def place(self, question: int) -> tuple[int, int]:
        return self.number(question) or 0, question

    def option(self, question: int, option: int) -> str:
        options = list(self.shown.get(str(question), ()))[1:]
        place = options.index(option) if option in options else len(string.ascii_uppercase)
        return f"{string.ascii_uppercase[place]} (option {option})" if place < 26 else f"option {option}"


def _named(kept: Kept, paper: _Paper) -> str:
    question = kept.entry.question_id
    number = paper.number(question)
    return f"question {question}" if number is None else f"question {number} (id {question})"


def _fate(kept: Kept) -> str:
    reason = f"; the server did not take it: {_line(kept.refused)}" if kept.refused else ""
    return f" ({_moment(kept.entry.wall)}{reason})"


def _words(kept: Kept, paper: _Paper) -> str:
    answer, question = kept.entry.answer, kept.entry.question_id
    parts = [", ".join(paper.option(question, option) for option in answer.selected)] if answer.selected else []
    texts = (answer.short_text, answer.essay_topic, answer.essay_text)
    parts += [_line(text) for text in texts if text]
    parts += [f"gap {_line(order)}: {_line(text)}" for order, text in answer.gaps if text]
    return "; ".join(parts) or "no answer"


def _line(text: object) -> str:
    """One line that no text can break out of: what is not printable stands as an escape."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))
