"""The one-line widgets of the exam: headline, sections, notice and last line."""

from collections.abc import Sequence

from textual import events
from textual.message import Message

from lms_tui.tui.screens.runner.key_hints import Hint
from lms_tui.tui.widgets.drawn import Drawn, Piece, cells
from lms_tui.views.rows import fitted
from lms_tui.views.runner import Notice, Severity, Tab

_BAR = {
    Severity.PLAIN: "bar-plain",
    Severity.GOOD: "bar-good",
    Severity.WARNING: "bar-warning",
    Severity.BAD: "bar-bad",
}
_SHARE = 3
"""A notice takes at most one row in so many of the window."""


class TitleLine(Drawn):
    """The title on the left, and the section or subject of the question on the right where there is room."""

    def __init__(self, title: str, badge: str) -> None:
        super().__init__(id="headline")
        self._title = title
        self._badge = badge
        self._group = ""

    def show(self, group: str) -> None:
        if group != self._group:
            self._group = group
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        if y:
            return ()
        looks, width = self.looks, self.size.width
        badge: list[Piece] = [(f" {self._badge} ", looks["highlight"]), (" ", looks["base"])] if self._badge else []
        room = width - cells(badge) - 2
        title = fitted(self._title, room)
        left: list[Piece] = [*badge, (title, looks["title"])]
        gap = width - cells(left) - cells([(self._group, looks["base"])]) - 2
        return [*left, (" " * gap + self._group, looks["base"])] if self._group and gap > 1 else left


class SectionsLine(Drawn):
    """The sections in order. The current one is highlighted, and a closed one is dim and says why.

    `plain`: brackets mark the current one too, for a terminal that may draw no highlight.
    """

    class Clicked(Message):
        """`place`: the place of the section."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, plain: bool = False) -> None:
        super().__init__(id="sections")
        self._plain = plain
        self._tabs: tuple[Tab, ...] = ()
        self._ends: list[tuple[int, int]] = []
        """The cell behind each section that is shown, with its place."""

    def show(self, tabs: tuple[Tab, ...]) -> None:
        if tabs != self._tabs:
            self._tabs = tabs
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        if y or not self._tabs:
            return ()
        looks = self.looks
        at = next((place for place, tab in enumerate(self._tabs) if tab.current), 0)
        shown: list[Piece] = []
        self._ends = []
        first = max(0, at - 1) if self._too_wide() else 0
        for place, tab in enumerate(self._tabs[first:], first):
            look = "current" if tab.current else "dim" if tab.locked else "base"
            text = f"[{tab.text}]" if self._plain and tab.current else f" {tab.text} "
            shown += [(text, looks[look]), (" ", looks["base"])]
            self._ends.append((cells(shown), place))
        return shown

    def on_click(self, event: events.Click) -> None:
        event.stop()
        place = next((place for end, place in self._ends if event.x < end), None)
        if place is not None:
            self.post_message(self.Clicked(place))

    def _too_wide(self) -> bool:
        return sum(len(tab.text) + 3 for tab in self._tabs) > self.size.width


class NoticeLine(Drawn):
    """The most important notice, as high as it needs, up to a limit. Empty without one."""

    def __init__(self) -> None:
        super().__init__(id="notice")
        self._notice: Notice | None = None
        self._height = 1

    @property
    def rows(self) -> int:
        return self._height

    def show(self, notice: Notice | None) -> None:
        if notice == self._notice:
            return
        self._notice = notice
        needed = len(_wrapped(notice.text, self.size.width - 2)) if notice is not None and self.size.width else 1
        height = min(needed, self.app.size.height // _SHARE)
        if height != self._height:
            self._height = self.styles.height = height
        self.redraw()

    def draw(self, y: int) -> Sequence[Piece]:
        notice = self._notice
        if notice is None:
            return ()
        look, width = self.looks[_BAR[notice.severity]], self.size.width
        lines = _fitting(notice, width - 2, self.size.height)
        text = fitted(lines[y], width - 2) if y < len(lines) else ""
        return ((f" {text}" + " " * max(0, width - 1 - cells([(text, look)])), look),)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(BottomLine.Clicked(None))


def _fitting(notice: Notice, width: int, height: int) -> list[str]:
    """Return the lines of a notice. One of several lines loses the first of these where there is no room."""
    text = notice.text
    while len(lines := _wrapped(text, width)) > height:
        _, parted, text = text.partition("\n")
        if not parted:
            return _wrapped(notice.short, width)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        row = ""
        for word in line.split():
            if row and len(row) + 1 + len(word) > width:
                lines.append(row)
                row = ""
            row = f"{row} {word}" if row else word
        lines.append(row)
    return lines


class BottomLine(Drawn):
    """The last line: a message, the number being typed, or the keys. Each key is a button."""

    class Clicked(Message):
        """`hint` is the entry, or None for a message."""

        def __init__(self, hint: Hint | None) -> None:
            super().__init__()
            self.hint = hint

    def __init__(self, keys: Sequence[Hint], always: Sequence[Hint]) -> None:
        super().__init__(id="bottom")
        self._keys = keys
        self._always = always
        self._places: list[tuple[range, Hint]] = []
        self._said: Notice | None = None
        self._lasting: Notice | None = None
        self._shown_for, self._page_for = 0, 1
        self._prompt: str | None = None

    def use(self, keys: Sequence[Hint], always: Sequence[Hint]) -> None:
        """Show other keys from now on."""
        if (keys, always) != (self._keys, self._always):
            self._keys, self._always = keys, always
            self.redraw(0)

    def lasting(self, notice: Notice | None) -> None:
        """Show a notice instead of the keys, in a window without a line for notices."""
        if notice != self._lasting:
            self._lasting = notice
            self._shown_for = 0
            self.redraw(0)

    def tick(self, page_for: int) -> None:
        """Count a tick. A lasting notice shows its next page after `page_for` of them."""
        self._shown_for += 1
        self._page_for = page_for
        if self._lasting is not None and self._shown_for % page_for == 0:
            self.redraw(0)

    def say(self, notice: Notice | None) -> None:
        if notice != self._said:
            self._said = notice
            self.redraw(0)

    def ask(self, prompt: str | None) -> None:
        if prompt != self._prompt:
            self._prompt = prompt
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        looks, width = self.looks, self.size.width
        if y:
            return ()
        self._places = []
        if self._prompt is not None:
            return ((f" {self._prompt}", looks["title"]), ("▏", looks["accent"]))
        if (said := self._said or self._lasting) is not None:
            pages = _pages(said, width - 2)
            text = fitted(pages[0 if self._said else self._shown_for // self._page_for % len(pages)], width - 2)
            look = looks[_BAR[said.severity]]
            return ((f" {text} ".ljust(width), look),)
        return self._key_row(width)

    def _key_row(self, width: int) -> Sequence[Piece]:
        """As many keys as fit, and always those of `_always`."""
        shown = [*_fitting_keys(self._keys, width - sum(map(_needs, self._always))), *self._always]
        at = 0
        for hint in shown:
            self._places.append((range(at, at + _needs(hint)), hint))
            at += _needs(hint)
        looks = self.looks
        entries = (((f" {hint.key}", looks["title"]), (f" {hint.label} ", looks["dim"])) for hint in shown)
        return [piece for entry in entries for piece in entry]

    def on_click(self, event: events.Click) -> None:
        event.stop()
        hint = next((hint for place, hint in self._places if event.x in place), None)
        if hint is not None or not self._places:
            self.post_message(self.Clicked(hint))


def _fitting_keys(keys: Sequence[Hint], room: int) -> list[Hint]:
    """Return the first entries, as many as fit. The brief forms come first where one of theirs would be missing."""
    shown: list[Hint] = []
    left = room
    for hint in keys:
        if _needs(hint) > left:
            break
        left -= _needs(hint)
        shown.append(hint)
    kept = {place: hint.brief for place, hint in enumerate(keys) if hint.brief is not None}
    if all(place < len(shown) for place in kept):
        return shown
    left = room - sum(map(_needs, kept.values()))
    for place, hint in enumerate(keys):
        if place not in kept and _needs(hint) <= left:
            left -= _needs(hint)
            kept[place] = hint
    return [kept[place] for place in sorted(kept)]


def _pages(notice: Notice, width: int) -> list[str]:
    """Return what one row shows of a notice, one text after the other. A notice with a short text has one page."""
    if "\n" in notice.text or notice.short == notice.text:
        return _wrapped(notice.text, width)
    return [notice.text if fitted(notice.text, width) == notice.text else notice.short]


def _needs(hint: Hint) -> int:
    """Cells of an entry of the last line."""
    return len(hint.key) + len(hint.label) + 3


class TooSmall(Drawn):
    """Shown instead of the exam in a window below the smallest size. Keys still work."""

    def draw(self, y: int) -> Sequence[Piece]:
        lines = _wrapped(
            "This window is too small. It needs 40×12. Keys still work and answers are saved.", self.size.width
        )
        start = max(0, (self.size.height - len(lines)) // 2)
        return ((lines[y - start], self.looks["warning"]),) if 0 <= y - start < len(lines) else ()
