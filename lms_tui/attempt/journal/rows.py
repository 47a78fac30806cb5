"""The rows of a journal as bytes: numbered lines of JSON, each under a checksum (pure)."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from lms_tui.attempt.values import Answer

Row = Mapping[str, Any]
FORMAT: Final = 1
"""The format of a journal. From the second one on, the first row of a journal names it as `format`."""
_DIGEST: Final = 16
"""Hexadecimal digits of a checksum."""


def checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST // 2).hexdigest().encode()


def encode_row(number: int, row: Row) -> bytes:
    """Return the line of a row.

    A line begins and ends with a newline. One damaged newline, or a line that was written in part, spoils no other row.
    """
    text = json.dumps({"row": number, **row}, ensure_ascii=False, separators=(",", ":"))
    content = text.encode("utf-8", "surrogatepass")
    return b"\n%b %b\n" % (checksum(content), content)


def decode_rows(data: bytes) -> dict[int, Row]:
    """Return the rows whose checksums hold, by their numbers."""
    rows = {}
    for line in data.split(b"\n"):
        digest, content = line[:_DIGEST], line[_DIGEST + 1 :]
        if content and checksum(content) == digest:
            row = json.loads(content.decode("utf-8", "surrogatepass"))
            rows[int(row["row"])] = row
    return rows


def encode_answer(answer: Answer) -> dict[str, Any]:
    return {
        "selected": answer.selected,
        "short_text": answer.short_text,
        "essay_text": answer.essay_text,
        "essay_topic": answer.essay_topic,
        "gaps": answer.gaps,
        "review": answer.review,
    }


def decode_answer(value: Mapping[str, Any]) -> Answer:
    """Raise KeyError, TypeError or ValueError where this is no answer."""
    return Answer(
        selected=tuple(value["selected"]),
        short_text=value["short_text"],
        essay_text=value["essay_text"],
        essay_topic=value["essay_topic"],
        gaps=tuple((str(order), str(text)) for order, text in value["gaps"]),
        review=value["review"],
    )
