"""The receipt of an attempt holds every change in a chain of digests.

The file is a readable text with JSON below it. Each link of the chain holds the digest of the link before it. A change
that is altered, moved or left out in the middle breaks the chain. Links of the kind `heard` hold what the server said
about time, which binds the changes before them to that moment. A receipt holds no secret, so its chain does not prove
who wrote it. The server's signed acknowledgement proves which answers the server held, if the reply to the end told it.
"""

import hashlib
import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.rows import decode_answer, encode_answer
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Journal, JournalRecord, Kept, Reply
from lms_tui.attempt.values import Item
from lms_tui.common.base64url import decoded
from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import write_new
from lms_tui.wire.acknowledgement import ClaimedAnswer, GivenAnswer, Signed, digest_of
from lms_tui.wire.files import FileReference

FORMAT: Final = "lms-tui receipt 1"
FORMAT_WITH_END: Final = "lms-tui receipt 2"
"""The format of a receipt that tells the login, the end or the acknowledgement."""
_FORMAT_NAME: Final = "lms-tui receipt "
LOGIN: Final = "login"
OVER: Final = "over"
ACKNOWLEDGEMENT: Final = "acknowledgement"
"""Names of facts: who takes the attempt, whether it is over, and what the server signed at its end."""
UNSIGNED: Final = "unsigned"
"""Name of a fact: the server was asked for its signature, and gives none."""
EPOCH: Final = "epoch"
"""Name of a fact: the epoch of the server. Only a server that has one signs answers."""
_MARK: Final = "\n----- for machines, from here to the end -----\n"
_PAPER: Final = "paper"
_LARGEST: Final = 50_000_000
"""Characters of a receipt."""
Paper = Mapping[str, Sequence[int]]
"""Question id to its number and the ids of its options, in the order in which they were shown."""
Link = Mapping[str, Any]
"""A change or a reply of the server, as the file holds it."""


@frozen
class Report:
    """The result of `verify`.

    `problems` has a sentence for each problem, and is empty if the chain is whole. `legible` tells whether the file is
    a receipt.
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
    login: str = ""
    ended: bool = False
    """Whether the attempt was over when the receipt was made."""
    acknowledged_at: str = ""
    """The moment of the signed acknowledgement, or "". A signature that is not valid is a problem."""
    acknowledged_by: str = ""
    """The public key of the signature."""
    acknowledges: bool = False
    """Whether the server signed exactly the answers that the receipt has as delivered."""

    @property
    def whole(self) -> bool:
        return not self.problems


# Making.


def note_paper(journal: Journal, items: Iterable[Item]) -> None:
    """Keep the numbers of the questions and the order of their options, because a receipt names them as shown."""
    journal.remember({_PAPER: _text({str(item.question_id): [item.number, *item.options] for item in items})})


def receipt_of(journal: JournalRecord, made_at: float) -> str:
    """Return the receipt of a whole journal. `made_at` is in seconds since 1970."""
    told = {name: journal.recall(name) for name in (LOGIN, OVER, ACKNOWLEDGEMENT) if journal.recall(name)}
    head = {
        "format": FORMAT_WITH_END if told else FORMAT,
        "server": journal.recall("origin"),
        "user_id": int(journal.recall("user_id") or 0),
        "attempt_id": int(journal.recall("attempt_id") or 0),
        "title": journal.recall("title"),
        "made_at": _moment(made_at),
        "paper": paper_of(journal),
        **told,
    }
    changes, replies = map(_change, journal.history()), map(_reply, journal.replies())
    body = _chained(head, merge(replies, changes, key=itemgetter("boot")))
    return f"{_readable(body)}{_MARK}{_text(body, indent=1)}\n"


def write_receipt(path: Path, text: str) -> None:
    """Write a receipt to a new file that only its owner can read. Raise OSError, also when the file exists."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_new(path, text.encode())


def file_name(attempt_id: int, made_at: float) -> str:
    """Return a file name with the attempt and the time."""
    return f"receipt-{attempt_id}-{datetime.fromtimestamp(made_at, UTC):%Y%m%dT%H%M%SZ}.txt"


def _chained(head: Mapping[str, Any], links: Iterable[Link]) -> dict[str, Any]:
    """Return the part for machines."""
    chain, digest = [], _digest("", head)
    for link in links:
        digest = _digest(digest, link)
        chain.append({**link, "digest": digest})
    return {"head": head, "links": chain, "digest": digest}


def _reply(reply: Reply) -> Link:
    return {"kind": "heard", "boot": reply.boot, "told": dict(reply.told)}


def _change(kept: Kept) -> Link:
    entry = kept.entry
    return {
        "kind": "change",
        "sequence": entry.sequence,
        "question_id": entry.question_id,
        "answer": encode_answer(entry.answer),
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


def lacks_signature(journal: JournalRecord) -> bool:
    """Return whether the attempt is over, and its server can still be asked for the signature of its answers."""
    asked = journal.recall(ACKNOWLEDGEMENT) or journal.recall(UNSIGNED)
    return bool(journal.recall(OVER) and journal.recall(EPOCH)) and not asked


# Checking.


def verify(path: Path) -> Report:
    """Check a receipt without a network. A file that is no receipt is a problem in the report, not an error."""
    try:
        with path.open(encoding="utf-8") as stream:
            text = stream.read(_LARGEST + 1)  # a device may have no end
        if len(text) > _LARGEST:
            return Report(("This file is too large to be a receipt.",), legible=False)
        return verify_text(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        return Report((f"The file cannot be read ({reason}).",), legible=False)


def verify_text(text: str) -> Report:
    """Compute the chain from the contents of a receipt, and compare it with the chain in the receipt."""
    readable, mark, machine = text.partition(_MARK)
    if not mark:
        return Report(("This is not a receipt of this program.",), legible=False)
    try:
        return _checked(readable, json.loads(machine))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OverflowError):
        return Report(("The part for machines is damaged and cannot be read.",))


def _checked(readable: str, body: dict[str, Any]) -> Report:
    head, links = body["head"], body["links"]
    if _is_newer(str(head["format"])):
        words = "A newer version of lms-tui has made this receipt. Check it with that version."
        return Report((words,), legible=False)
    expected = _chained(head, [{name: link[name] for name in link if name != "digest"} for link in links])
    changes = [link for link in links if link["kind"] != "heard"]
    last = max((number for number, link in enumerate(links, 1) if link["kind"] == "heard"), default=0)
    report = Report(
        tuple(_problems(readable, body, expected)),
        key=AttemptKey(str(head["server"]), int(head["user_id"]), int(head["attempt_id"])),
        title=str(head["title"]),
        changes=len(changes),
        undelivered=sum(not link["delivered"] for link in _newest(changes)),
        last_heard=links[last - 1]["told"] if last else None,
        after_last_heard=len(links) - last,
        digest=expected["digest"],
        login=str(head.get(LOGIN, "")),
        ended=bool(head.get(OVER)),
    )
    if (signed := _signed(head)) is None:
        return report
    return replace(
        report,
        acknowledged_at=str(signed.told.at),
        acknowledged_by=str(signed.told.key),
        acknowledges=signed.told.digest == digest_of(map(_given, _delivered(changes)))[1],
    )


def _problems(readable: str, body: dict[str, Any], expected: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each problem. `expected`: the part for machines, with the chain that its contents give."""
    head = body["head"]
    if head["format"] not in {FORMAT, FORMAT_WITH_END}:
        yield f"The format {str(head['format'])[:40]!r} is not known."
    pairs = zip(body["links"], expected["links"], strict=True)
    broken = next((number for number, (link, sound) in enumerate(pairs, 1) if link != sound), 0)
    if broken:
        yield f"The chain is broken at link {broken}. That link or one before it was changed."
    elif body != expected:
        yield "The end of the chain is missing or was changed."
    elif readable != _readable(body):
        yield "The readable part is not what the part for machines says."
    if (signed := _signed(head)) is not None and not _is_of(signed, head):
        yield "The signature of the server is not valid, or belongs to another attempt."


def _signed(head: Mapping[str, Any]) -> Signed | None:
    return Signed.read(str(head[ACKNOWLEDGEMENT])) if ACKNOWLEDGEMENT in head else None


def _is_newer(form: str) -> bool:
    number = form.removeprefix(_FORMAT_NAME)
    return number != form and number.isdecimal() and int(number) > int(FORMAT_WITH_END.removeprefix(_FORMAT_NAME))


def claims_of(path: Path) -> list[ClaimedAnswer]:
    """Return the newest answer to each question in a receipt that `verify` found whole. Raise ValueError for a time."""
    links = json.loads(path.read_text(encoding="utf-8").partition(_MARK)[2])["links"]
    newest = _newest(link for link in links if link["kind"] != "heard")
    return [ClaimedAnswer(_given(link), _time_of(link), bool(link["delivered"])) for link in newest]


def _time_of(link: Link) -> datetime:
    moment = datetime.fromisoformat(str(link["at"]))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _given(link: Link) -> GivenAnswer:
    answer = decode_answer(link["answer"])
    texts = (answer.short_text, answer.essay_text, answer.essay_topic)
    return GivenAnswer(int(link["question_id"]), answer.selected, *texts, answer.gaps)


def _delivered(changes: Iterable[Link]) -> list[Link]:
    return _newest(link for link in changes if link["delivered"])


def _is_of(signed: Signed, head: Mapping[str, Any]) -> bool:
    from lms_tui.common.signatures import is_signed  # noqa: PLC0415  # its library is slow to import

    told = signed.told
    same = (told.attempt_id, told.user_id) == (head["attempt_id"], head["user_id"])
    return same and is_signed(decoded(told.key), signed.payload, signed.signature)


def _newest(changes: Iterable[Link]) -> list[Link]:
    return list({link["question_id"]: link for link in changes}.values())


# Words.


def undelivered_lines(journal: JournalRecord) -> list[str]:
    """One line for each answer that the server has not taken, with its time and the reason of a refusal."""
    paper = paper_of(journal)
    return [_line(link, paper, fate=True) for link in _sorted(map(_change, undelivered(journal.history())), paper)]


def answer_lines(journal: JournalRecord) -> list[str]:
    """One line for the newest answer to each question."""
    paper = paper_of(journal)
    return [_line(link, paper) for link in _sorted(map(_change, journal.newest().values()), paper)]


def _readable(body: Mapping[str, Any]) -> str:
    head = body["head"]
    told = [link["told"] for link in body["links"] if link["kind"] == "heard"]
    changes = [link for link in body["links"] if link["kind"] != "heard"]
    newest, paper = _newest(changes), head["paper"]
    waiting = [link for link in newest if not link["delivered"]]
    lines = [
        "Receipt of an exam attempt",
        "",
        f"Exam      {_printable(head['title'])}",
        f"Server    {_printable(head['server'])}",
        f"User      {_user(head)}",
        f"Attempt   {head['attempt_id']}",
        f"Made at   {head['made_at']}{', after the end of the attempt' if head.get(OVER) else ''}",
        f"Changes   {len(changes)} to {len(newest)} questions; {len(waiting)} not delivered",
        f"Digest    {body['digest']}",
    ]
    if told:
        words = ", ".join(f"{name} {_printable(value)}" for name, value in sorted(told[-1].items()))
        lines.append(f"Server    last heard: {words}")
    if ACKNOWLEDGEMENT in head:
        lines.append(f"Signed    {_printable(head[ACKNOWLEDGEMENT])}")
    if waiting:
        lines += ["", "Not delivered:", *(f"  {_line(link, paper, fate=True)}" for link in waiting)]
    lines += ["", "Answers:", *(f"  {_line(link, paper)}" for link in _sorted(newest, paper))]
    return "\n".join(lines)


def _user(head: Mapping[str, Any]) -> str:
    return f"{head['user_id']} ({_printable(head[LOGIN])})" if LOGIN in head else str(head["user_id"])


def paper_of(journal: JournalRecord) -> Paper:
    """Return the numbers of the questions and the order of their options, as they were shown."""
    paper: Paper = json.loads(journal.recall(_PAPER) or "{}")
    return paper


def _sorted(changes: Iterable[Link], paper: Paper) -> list[Link]:
    """Order changes by the numbers of their questions."""
    return sorted(changes, key=lambda link: (paper.get(str(link["question_id"]), [0])[0], link["question_id"]))


def _line(link: Link, paper: Paper, *, fate: bool = False) -> str:
    """Return an answer and its time. `fate` adds the reason why the server refused it."""
    answer, question = link["answer"], link["question_id"]
    number, *options = paper.get(str(question), [0])
    letters = dict(zip(options, string.ascii_uppercase, strict=False))
    chosen = ", ".join(f"{letters[o]} (option {o})" if o in letters else f"option {o}" for o in answer["selected"])
    texts = [_printable(answer[name]) for name in ("short_text", "essay_topic", "essay_text") if answer[name]]
    gaps = [_gap(_printable(order), text) for order, text in answer["gaps"] if text]
    said = "; ".join([*([chosen] if chosen else []), *texts, *gaps]) or "no answer"
    name = f"question {number} (id {question})" if number else f"question {question}"
    reason = f"; the server did not take it: {_printable(link['refused'])}" if fate and link["refused"] else ""
    return f"{name}: {said} ({_printable(link['at'])}{reason})"


def _gap(order: str, text: str) -> str:
    file = FileReference.read(text)
    if file is None:
        return f"gap {order}: {_printable(text)}"
    return f"file {order}: {_printable(file.name)} ({file.size} bytes, SHA-256 {file.digest})"


def _printable(text: object) -> str:
    """Escape each character that is not printable, so a text cannot add a line to the receipt."""
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in shown)
