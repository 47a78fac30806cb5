"""The app in Chromium: the sign-in, one short exam from the list to the review, and 20 tabs of several people."""

import re
import sqlite3
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.service.browser import Tab, chromium, find_chromium
from tests.web.web_world import PATIENCE, Page, WebHost, running

pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
EXECUTABLE = find_chromium()
pytestmark = pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium is installed (Debian: apt install chromium)")
PEOPLE = {"asha": "Asha Nair", "ravi": "Ravi", "gurpreet": "Gurpreet", "meera": "Meera", "vikram": "Vikram"}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[WebHost]:
    with running(tmp_path / "data") as started:
        yield started


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    assert EXECUTABLE is not None
    with chromium(EXECUTABLE, tmp_path / "profile") as opened:
        yield opened


def test_a_short_exam_is_taken_in_a_browser(host: WebHost, tab: Tab) -> None:
    page = Page(tab, host.origin)
    page.sign_in("asha", "wrong")
    assert "Wrong user name or password." in page.words()
    page.type_into("password", "practice")
    tab.events.clear()
    page.press("enter")
    tab.wait_for_page()
    page.open_exam("Number")
    page.wait(r"Question 1 of 8")
    page.press("b", "n", "a", "n", "c")
    page.wait(r"saved 3 · sent 3")
    page.press("ctrl+e")
    page.wait(r"(?i)end the exam")
    page.press("tab", "enter")
    page.wait(r"(?s)rank.*enter review")
    page.press("enter")
    page.wait(r"(?i)explanation")
    assert not [text for text in tab.complaints if "Content Security Policy" in text]
    page.press("ctrl+q")
    page.wait_for_end()
    for words in ("the connection was lost", "The time of an exam goes on.", "Open again"):
        assert words in page.words()
    assert tab.evaluate("document.activeElement.innerText") == "Open again"
    tab.open(host.origin)
    assert "User name" in page.words()
    database = sqlite3.connect(f"file:{next(host.data.rglob('service.sqlite3'))}?mode=ro", uri=True)
    newest = "SELECT max(attempt_id) FROM attempt_questions"
    given = f"SELECT count(*) FROM attempt_questions WHERE selected_answers != '[]' AND attempt_id = ({newest})"  # noqa: S608 - no text of a stranger
    assert database.execute(given).fetchone() == (3,)
    database.close()


def test_20_tabs_of_several_people_at_once(host: WebHost, tab: Tab) -> None:
    """Each signs in and sees its own screen only. An answer stays when its tab is closed."""
    browser = tab.browser
    people = [(name, browser.new_person()) for name, _ in product(PEOPLE, range(4))]
    pages = {f"{name}{number}": Page(browser.new_tab(of), host.origin) for number, (name, of) in enumerate(people)}
    for (name, _), page in zip(people, pages.values(), strict=True):
        page.sign_in(name)
    for (name, _), page in zip(people, pages.values(), strict=True):
        page.wait(rf"(?s){PEOPLE[name]}.*All exams")
    assert len(host.sessions()) == 20
    for own, page in pages.items():
        page.press("e", "/")
        page.wait(r"Part of a title")
        page.press(*own)
    for own, page in pages.items():
        page.wait(rf"\b{own}\b")
    for own, page in pages.items():
        others = {other for other in pages if re.search(rf"\b{other}\b", page.text())} - {own}
        strangers = {name for name, shown in PEOPLE.items() if shown in page.text() and not own.startswith(name)}
        assert (others, strangers) == (set(), set())
    fifth = Page(browser.new_tab(people[0][1]), host.origin)
    fifth.wait(r"You have too many sessions\. End one of them, and try again\.")

    first, person = next(iter(pages.values())), people[0][1]
    first.press("ctrl+u", *"Every", "enter")
    first.wait(r"“Every”")
    first.press("enter")
    first.wait(r"(?i)press enter to start")
    first.press("enter")
    first.wait(r"Question 1 of 8")
    first.press("n", "b")
    first.wait(r"Question 2 of 8(?s:.*)saved 1 · sent 1|saved 1 · sent 1(?s:.*)Question 2 of 8")
    first.tab.close()
    end = time.monotonic() + PATIENCE
    while len(host.sessions()) == 20:
        assert time.monotonic() < end
        tab.evaluate("new Promise(done => setTimeout(done, 50))")
    again = Page(browser.new_tab(person), host.origin)
    again.wait(r"Press enter to resume")
    again.press("enter")
    again.wait(r"Question 2 of 8")
    again.wait(r"saved 1")
    assert len(host.sessions()) == 20
