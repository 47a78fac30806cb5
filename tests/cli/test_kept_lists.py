"""Kept exam lists on the disk: private, clean, and gone with the sign-in."""

import json
import stat
from pathlib import Path

import pytest

from lms_tui.common.settings import Profile
from lms_tui.content.lines import Mark
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.runtime.secrets import FileTokens
from lms_tui.views.kept_list import KeptEntry, KeptList, read, written
from lms_tui.views.rows import Span

ASHA = Profile("asha at school", "https://lms.example.org", "asha")
KEPT = KeptList(
    "Asha · school",
    (
        KeptEntry("", "", (Span("Available", "title", Mark.BOLD),)),
        KeptEntry("exam-one", "one", (Span("○ ", "good"), Span("One   two"))),
    ),
    ((Span("details"),),),
)


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(written(KEPT)), **fields}).encode()


def test_a_kept_list_is_read_as_it_was_written_and_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    lists = KeptLists(tmp_path / "secrets")
    assert lists.read(ASHA) is None
    lists.keep(ASHA, KEPT)
    assert lists.read(ASHA) == KEPT
    (file,) = (tmp_path / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert lists.read(ASHA) is None


def test_each_user_and_server_has_a_list(tmp_path: Path) -> None:
    lists = KeptLists(tmp_path)
    lists.keep(ASHA, KEPT)
    assert lists.read(Profile("", ASHA.base_url, "ravi")) is None
    assert lists.read(Profile("", "https://other.example.org", "asha")) is None


def test_forgetting_the_token_deletes_the_list(tmp_path: Path) -> None:
    lists, tokens = KeptLists(tmp_path), FileTokens(tmp_path)
    tokens.keep(ASHA, "secret")
    lists.keep(ASHA, KEPT)
    assert b"secret" not in b"".join(file.read_bytes() for file in tmp_path.glob("*.list"))
    tokens.forget(ASHA)
    assert list(tmp_path.iterdir()) == []


def test_hostile_texts_of_a_kept_list_are_cleaned() -> None:
    hostile = KeptList("a\x1b[2J", (KeptEntry("exam-\u202eone", "", (Span("one\x1b]0;title\x07\ntwo"),)),))
    found = read(written(hostile))
    assert found is not None
    assert not set("\x1b\x07\n\u202e") & set(str(found) + found.who + found.entries[0].key)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        written(KeptList("nobody", ())),
        changed(version=99),
        changed(entries=[["exam-one", "one", [["text", "base", "x"]]]]),
        changed(entries=[["exam-one", "one", [["text", "base", -(10**9)]]]]),
        changed(entries=[["exam-one", "one", [["text"]]]]),
        changed(entries=[[1, "one", []]]),
        changed(details=None),
    ],
)
def test_a_damaged_list_is_none(data: bytes) -> None:
    assert read(data) is None
