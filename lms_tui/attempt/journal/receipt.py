"""The receipt of an attempt holds every change in a chain of digests.

The file is a readable text with JSON below it. Each link of the chain holds the digest of the link before it. A change
that is altered, moved or left out in the middle breaks the chain. Links of the kind `heard` hold what the server said
about time, which binds the changes before them to that moment. A receipt holds no secret and no signature, so it does
not prove who wrote it.
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

from lms_tui.attempt.journal.rows import decode_answer
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalRecord, Kept, Reply
from lms_tui.attempt.values import Item

FORMAT: Final = "lms-tui receipt 1"
_MARK: Final = "\n----- for machines, from here to the end -----\n"
_PAPER: Final = "paper"
_LARGEST: Final = 50_000_000
Paper = Mapping[str, Sequence[int]]
"""Question id to its number and the ids of its options, in the order in which they were shown."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `verify`.

    `problems` has a sentence for each problem, and none if the chain is whole. `legible` is false if the file is not a
    receipt.
    """

    problems: tuple[str, ...] = ()
    legible: bool = True
    key: AttemptKey | None = None
    title: str = ""
    changes: int = 0
    undelivered: int = 0
    last_heard: Mapping[str, str] | None = None
    after_last_heard: int = 0
    """Changes after the last reply of the server. Only this computer's clock tells their time."""
    digest: str = ""

    @property
    def whole(self) -> bool:
        return not self.problems


# Making.


def note_paper(journal: Journal, items: Iterable[Item]) -> None:
    """Keep the numbers of the questions and the order of their options, because a receipt names them as shown."""
    journal.remember({_PAPER: _text({str(item.question_id): [item.number, *item.options] for item in items})})


def receipt_of_journal(journal: JournalRecord, made_at: float) -> str:
    """Return the receipt of a whole journal. `made_at` is in seconds since 1970."""
    key = AttemptKey(
        journal.recall("origin"), int(journal.recall("user_id") or 0), int(journal.recall("attempt_id") or 0)
    )
    paper = _paper(journal)
    return receipt_of(key, journal.recall("title"), journal.history(), journal.replies(), made_at=made_at, paper=paper)


def receipt_of(
    key: AttemptKey,
    title: str,
    history: Sequence[Kept],
    replies: Sequence[Reply] = (),
    *,
    made_at: float,
    paper: Paper | None = None,
) -> str:
    """Return the text of a receipt. `history` has every change, oldest first. `made_at` is in seconds since 1970."""
    head = {
        "format": FORMAT,
        "server": key.origin,
        "user_id": key.user_id,
        "attempt_id": key.attempt_id,
        "title": title,
        "made_at": _moment(made_at),
        "paper": {question: list(shown) for question, shown in (paper or {}).items()},
    }
    body = _chained(head, history, replies)
    return f"{_readable(head, history, replies, body['digest'])}{_MARK}{_text(body, indent=1)}\n"


def write_new(path: Path, text: str) -> None:
    """Write a receipt to a new file that only its owner can read. Raise OSError, also when the file exists."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())


def file_name(attempt_id: int, made_at: float) -> str:
    """Return a file name with the attempt and the time."""
    return f"receipt-{attempt_id}-{datetime.fromtimestamp(made_at, UTC):%Y%m%dT%H%M%SZ}.txt"


def _chained(head: Mapping[str, Any], history: Sequence[Kept], replies: Sequence[Reply]) -> dict[str, Any]:
    """The part for machines. Replies stand between the changes by the boot clock."""
    links: list[dict[str, Any]] = []
    digest, waiting = _digest("", head), list(replies)

    def add(link: dict[str, Any]) -> None:
        nonlocal digest
        digest = _digest(digest, link)
        links.append({**link, "digest": digest})

    for kept in history:
        while waiting and waiting[0].boot <= kept.entry.boot:
            add(_reply_link(waiting.pop(0)))
        add(_change_link(kept))
    for reply in waiting:
        add(_reply_link(reply))
    return {"head": head, "links": links, "digest": digest}


def _reply_link(reply: Reply) -> dict[str, Any]:
    return {"kind": "heard", "boot": reply.boot, "told": dict(reply.told)}


def _change_link(kept: Kept) -> dict[str, Any]:
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


def _digest(before: str, content: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{before}\n{_text(content)}".encode()).hexdigest()


def _text(value: object, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=separators, indent=indent)


def _moment(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")


# Checking.


def verify(path: Path) -> Report:
    """Check a receipt without a network. A file that is no receipt is a problem in the report, not an error."""
    try:
        if path.stat().st_size > _LARGEST:
            return Report(("This file is too large to be a receipt.",), legible=False)
        return verify_text(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        return Report((f"The file cannot be read ({reason}).",), legible=False)


def verify_text(text: str) -> Report:
    """Compute the chain again from the contents of the receipt, and compare."""
    readable, mark, machine = text.partition(_MARK)
    if not mark:
        return Report(("This is not a receipt of this program.",), legible=False)
    try:
        return _checked(readable, json.loads(machine))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OverflowError):
        return Report(("The part for machines is damaged and cannot be read.",))


def _checked(readable: str, body: dict[str, Any]) -> Report:
    head, links = body["head"], body["links"]
    history = [_kept(link) for link in links if link["kind"] != "heard"]
    replies = [Reply(link["boot"], link["told"]) for link in links if link["kind"] == "heard"]
    expected = json.loads(_text(_chained(head, history, replies)))
    pairs = zip(links, expected["links"], strict=True)
    broken = next((number for number, (link, wanted) in enumerate(pairs, 1) if link != wanted), 0)
    problems = [] if head["format"] == FORMAT else [f"The format {str(head['format'])[:40]!r} is not known."]
    if broken:
        problems.append(f"The chain is broken at link {broken}: it or one before it was changed.")
    elif body != expected:
        problems.append("The end of the chain is missing or was changed.")
    elif readable != _readable(head, history, replies, body["digest"]):
        problems.append("The readable part is not what the part for machines says.")
    last = max((place for place, link in enumerate(links) if link["kind"] == "heard"), default=-1)
    return Report(
        tuple(problems),
        key=AttemptKey(str(head["server"]), int(head["user_id"]), int(head["attempt_id"])),
        title=str(head["title"]),
        changes=len(history),
        undelivered=sum(1 for kept in _newest(history).values() if not kept.acknowledged),
        last_heard=replies[-1].told if replies else None,
        after_last_heard=len(links) - 1 - last,
        digest=expected["digest"],
    )


def _kept(link: Mapping[str, Any]) -> Kept:
    wall = datetime.fromisoformat(link["at"]).timestamp()
    entry = Entry(link["sequence"], link["question_id"], decode_answer(link["answer"]), link["boot"], wall)
    return Kept(entry, link["delivered"], link["refused"])


def _newest(history: Sequence[Kept]) -> dict[int, Kept]:
    return {kept.entry.question_id: kept for kept in history}


# Words.


def undelivered_lines(journal: JournalRecord) -> list[str]:
    """One line for each answer that the server has not taken, with its time and the reason of a refusal."""
    paper = _paper(journal)
    return [_line(kept, paper, fate=True) for kept in _sorted(undelivered(journal.history()), paper)]


def answer_lines(journal: JournalRecord) -> list[str]:
    """One line for the newest answer to each question."""
    paper = _paper(journal)
    return [_line(kept, paper) for kept in _sorted(journal.newest().values(), paper)]


def _readable(head: Mapping[str, Any], history: Sequence[Kept], replies: Sequence[Reply], digest: str) -> str:
    newest, paper = _newest(history), head["paper"]
    waiting = [kept for kept in newest.values() if not kept.acknowledged]
    lines = [
        "Receipt of an exam attempt",
        "",
        f"Exam      {_printable(head['title'])}",
        f"Server    {_printable(head['server'])}",
        f"User      {head['user_id']}",
        f"Attempt   {head['attempt_id']}",
        f"Made at   {head['made_at']}",
        f"Changes   {len(history)} to {len(newest)} questions; {len(waiting)} not delivered",
        f"Digest    {digest}",
    ]
    if replies:
        told = ", ".join(f"{name} {_printable(value)}" for name, value in sorted(replies[-1].told.items()))
        lines.append(f"Server    last heard: {told}")
    if waiting:
        lines += ["", "Not delivered:", *(f"  {_line(kept, paper, fate=True)}" for kept in waiting)]
    lines += ["", "Answers:", *(f"  {_line(kept, paper)}" for kept in _sorted(newest.values(), paper))]
    return "\n".join(lines)


def _paper(journal: JournalRecord) -> Paper:
    paper: Paper = json.loads(journal.recall(_PAPER) or "{}")
    return paper


def _sorted(history: Iterable[Kept], paper: Paper) -> list[Kept]:
    numbers = {question: shown[0] for question, shown in paper.items()}
    return sorted(history, key=lambda kept: (numbers.get(str(kept.entry.question_id), 0), kept.entry.question_id))


def _line(kept: Kept, paper: Paper, *, fate: bool = False) -> str:
    """Return an answer and its time. With `fate`, add the reason why the server did not accept it."""
    answer, question = kept.entry.answer, kept.entry.question_id
    number, *options = paper.get(str(question), [0])
    letters = dict(zip(options, string.ascii_uppercase, strict=False))
    chosen = [f"{letters[o]} (option {o})" if o in letters else f"option {o}" for o in answer.selected]
    texts = [_printable(text) for text in (answer.short_text, answer.essay_topic, answer.essay_text) if text]
    gaps = [f"gap {_printable(order)}: {_printable(text)}" for order, text in answer.gaps if text]
    said = "; ".join([", ".join(chosen), *texts, *gaps] if chosen else [*texts, *gaps]) or "no answer"
    name = f"question {question}" if not number else f"question {number} (id {question})"
    reason = f"; the server did not take it: {_printable(kept.refused)}" if fate and kept.refused else ""
    return f"{name}: {said} ({_moment(kept.entry.wall)}{reason})"


def _printable(text: object) -> str:
    """Replace each character that is not printable by an escape. A line break cannot start a new line."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))
