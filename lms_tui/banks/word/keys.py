"""Read the key at the end of a paper: lines such as `3. B`, rows such as `1-5 ABCDA`, or a table."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from lms_tui.banks.collect import Collector
from lms_tui.banks.word.drafts import Draft
from lms_tui.banks.word.numbering import Label
from lms_tui.banks.word.patterns import ANSWER, EXPLANATION, KEY_PAIR, KEY_RUN, NUMBER
from lms_tui.banks.word.runs import Run, Runs
from lms_tui.common.cleaning import clean_line

_SIGNS = re.compile(r"[\s.,;:：、|()\[\]–—-]*")
_LETTERS = re.compile(r"[(\[]?[A-Ja-j](?:\s*[,&/+]?\s*[A-J])*[)\].]?|true|false|T|F", re.IGNORECASE)


@dataclass(slots=True)
class Keys:
    """The keys by the numbers of questions, in their order. A number can come again in another section."""

    found: list[tuple[int, str, int]] = field(default_factory=list)
    told: dict[int, list[Runs]] = field(default_factory=lambda: defaultdict(list))
    """The explanations, by the places in `found`."""
    written: set[int] = field(default_factory=set)
    """The places in `found` of keys that are texts, whatever they look like."""
    other: list[tuple[str, int]] = field(default_factory=list)

    def line(self, runs: Runs, line: int, label: Label | None) -> None:
        """Read a line below the heading of the key."""
        text = runs.text.strip()
        if self.found and (told := EXPLANATION.match(runs.text)):
            self.explain(runs.cut(told.end()))
            return
        if label is not None and label.kind == "number":
            self._one(label.value, text, line)
            return
        rest = self._runs(text, line)
        pairs = list(KEY_PAIR.finditer(rest))
        alone = NUMBER.match(rest)
        if pairs and not _SIGNS.sub("", KEY_PAIR.sub("", rest)):
            self.found += [(int(pair["number"]), pair["letters"], line) for pair in pairs]
        elif alone and alone["bare"]:
            self._one(int(alone["bare"]), rest[alone.end() :], line)
        elif pairs and pairs[0].start() == 0:
            self._one(int(pairs[0]["number"]), rest[pairs[0].start("letters") :], line)
        elif _SIGNS.sub("", rest):
            self.other.append((rest, line))

    def _runs(self, text: str, line: int) -> str:
        """Read rows such as `1-5 ABCDA`, and return the text without them."""
        rest = text
        for run in KEY_RUN.finditer(text):
            letters = re.findall("[A-Ja-j]", run[3])
            first, last = int(run[1]), int(run[2])
            if len(letters) == last - first + 1:
                self.found += [(first + at, letter, line) for at, letter in enumerate(letters)]
                rest = rest.replace(run[0], " ")
        return rest

    def _one(self, number: int, text: str, line: int) -> None:
        """Read the key of one question, with an explanation after it."""
        answer = ANSWER.match(text)
        key = (answer["key"] if answer else text).strip()
        letters = re.match(r"[(\[]?([A-Ja-j](?:\s*[,&]\s*[A-Ja-j])*)[)\]]?(?:\s*[.):–—-]+\s*|\s*$)(.*)", key, re.DOTALL)
        if answer and answer["text"]:
            self.add(number, key, line, is_text=True)
            return
        self.found.append((number, letters[1] if letters else key, line))
        if letters and letters[2].strip():
            self.explain(Runs((Run(letters[2]),)))

    def add(self, number: int, key: str, line: int, is_text: bool) -> None:
        """Take the key of one question unchanged."""
        if is_text:
            self.written.add(len(self.found))
        self.found.append((number, key, line))

    def explain(self, runs: Runs) -> None:
        """Take the explanation of the last key."""
        self.told[len(self.found) - 1].append(runs)

    def table(self, rows: Sequence[Sequence[str]], line: int) -> None:
        """Read a table of numbers beside or above their letters."""
        cells = {(at, column): cell.strip() for at, row in enumerate(rows) for column, cell in enumerate(row)}
        used: set[tuple[int, int]] = set()
        for (at, column), cell in cells.items():
            written = _number_of(cell)
            if written and len(written) <= 4:
                for place in ((at, column + 1), (at + 1, column)):
                    key = cells.get(place, "")
                    if _is_key(key, anything=len(rows[at]) == 2):
                        self.found.append((int(written), key, line))
                        used |= {(at, column), place}
                        break
            elif KEY_PAIR.fullmatch(cell):
                self.line(Runs((Run(cell),)), line, None)
                used.add((at, column))
        left = [cell for place, cell in cells.items() if place not in used and any(char.isalnum() for char in cell)]
        if left:
            self.other.append((" ".join(left), line))

    def give(self, drafts: Sequence[Draft], collector: Collector) -> None:
        """Give the keys to the questions with their numbers."""
        waiting: dict[int, list[Draft]] = defaultdict(list)
        for at, draft in enumerate(drafts, 1):
            waiting[draft.number or at].append(draft)
        for at, (number, key, line) in enumerate(self.found):
            if not waiting[number]:
                collector.error(f"The key names question {number} (“{key[:20]}”), which is not there.", line)
                continue
            draft = waiting[number].pop(0) if len(waiting[number]) > 1 else waiting[number][0]
            draft.answer = clean_line(key) or draft.answer
            draft.is_text = draft.is_text or at in self.written
            draft.explanation += self.told[at]
        for text, line in self.other:
            collector.warn(f"The text “{clean_line(text)}” in the key was left out.", line)


def _is_key(cell: str, *, anything: bool) -> bool:
    """Return whether a cell beside a number is its key: letters, or `anything` that is no number."""
    return bool(cell and (anything or _LETTERS.fullmatch(cell))) and not _number_of(cell)


def _number_of(cell: str) -> str:
    """Return the number that fills a cell, or ""."""
    written = cell.strip(" .)")
    return written if written.isdecimal() else ""
