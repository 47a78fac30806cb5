"""Turn the rows of a sheet into questions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.markup import Markup, to_html
from lms_tui.banks.model import NumericKey, Option, Question, Section, TextKey
from lms_tui.banks.sheets.headings import Columns
from lms_tui.banks.texts import literal, number
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.yaml_values import span_of
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_KINDS: Final = {
    QuestionType.MULTIPLE: "multiple(?: response| answers?| select)?|multi.?select|check ?box(?:es)?|select all.*"
    r"|mehrfach\w*|casillas.*|cases a cocher|多选题?",
    QuestionType.SINGLE: "multiple.?choice|mcq?|single.*|one answer|radio|quiz|true.?(?:or|/).?false|t/?f|choice"
    r"|dropdown|einfach\w*|单选题?|判断题?|boolean",
    QuestionType.NUMERIC: r"num(?:ber|eric|erical)?(?: answer)?|zahl|numero",
    QuestionType.SHORT: r"short.*|fill.*|text|open.?ended short|blank|identification|lucken\w*|kurz\w*",
    QuestionType.ESSAY: "essay|long.*|paragraph|open.*|free.?text|draw|aufsatz|freitext|dissertation|问答题?",
}
"""Words for types of questions, the first that fits."""
_TRUE: Final = frozenset(
    {"true", "t", "yes", "wahr", "richtig", "ja", "vrai", "oui", "verdadero", "vero", "verdadeiro", "waar", "sant",
     "doğru", "правда", "верно", "正确", "对", "참", "सही"}
)  # fmt: skip
_FALSE: Final = frozenset(
    {"false", "f", "no", "falsch", "nein", "faux", "non", "falso", "onwaar", "falskt", "yanlış", "ложь", "неверно",
     "错误", "错", "거짓", "गलत"}
)  # fmt: skip
_PARTS: Final = re.compile(r"\s*[,;|/&+\n]\s*|\s+and\s+")
_LISTED: Final = re.compile(r"\s*[|\n]\s*|;\s+")
_SEVERAL: Final = re.compile(r"\s*[|;\n]\s*")
_NAME: Final = re.compile(
    r"(?:option|answer|choice|antwort|opcion|respuesta|reponse)?[ #.:(]*([a-j]|10|[1-9])[.)]?", re.IGNORECASE
)
_MARKED: Final = re.compile(
    r"\s*\*\s*(.+)|(.+?)\s*(?:\((?:correct|right|richtig|x)\)|✓|✔)\s*", re.IGNORECASE | re.DOTALL
)
_ESCAPED: Final = re.compile(r"\A'(?='*[=+\-@\t])")
"""The mark of a text that begins like a formula."""
_BLOCK: Final = re.compile(r"<(?:br|/p|/div|/ul|/ol|/table|/pre|/h[1-6])\b", re.IGNORECASE)


@dataclass(slots=True)
class Rows:
    """Reads the rows below one row of headings."""

    columns: Columns
    collector: Collector
    section: str = ""
    meaning: str = ""

    def read(self, rows: Sequence[tuple[int, list[str]]], heading: int) -> None:
        for at in self.columns.unknown:
            if any(at < len(row) and row[at].strip() for _, row in rows):
                named = clean_line(self.columns.headings[at])[:60]
                self.collector.warn(f"The column “{named}” was left out.", heading)
        self.meaning = self._meaning([row for _, row in rows])
        for line, row in rows:
            if not self._cell(row, "question") and not self._cell(row, "answer") and not any(self._options(row)):
                continue  # a template numbers its empty rows
            try:
                question = self._question(row, line)
            except Unreadable as error:
                self.collector.error(f"The question was left out. {error}", line)
            else:
                section = clean_line(self._cell(row, "section"))
                if section and section != self.section:
                    self.section = section
                    self.collector.begin_section(Section(section, ()))
                self.collector.add(question)

    def _cell(self, row: Sequence[str], role: str) -> str:
        at = self.columns.named.get(role, len(row))
        return _text(row[at]) if at < len(row) else ""

    def _options(self, row: Sequence[str]) -> list[str]:
        texts = [_text(row[at]) for at in self.columns.options if at < len(row)]
        while texts and not texts[-1]:
            texts.pop()
        if not texts and (listed := self._cell(row, "options")):
            texts = [text for text in _LISTED.split(listed) if text]
        return texts

    def _meaning(self, rows: Sequence[Sequence[str]]) -> str:
        """Return whether the answers of the sheet are `places` of options or `texts` of them, or an empty string."""
        places = texts = 0
        for row in rows:
            options, key = self._options(row), self._cell(row, "answer")
            if options and key:
                counted, named = options_by_place(key, len(options)), options_by_text(key, options)
                places += bool(counted) and not named
                texts += bool(named) and not counted
        return "places" if places and not texts else "texts" if texts and not places else ""

    def _with_wrong(self, row: Sequence[str], key: str, line: int) -> list[str]:
        """Return the key among the wrong answers of a row, or nothing without both."""
        wrong = [row[at].strip() for at in self.columns.wrong if at < len(row) and row[at].strip()]
        at = line % (len(wrong) + 1)
        return [*wrong[:at], key, *wrong[at:]] if wrong and key else []

    def _marks(self, row: Sequence[str], role: str, line: int) -> Decimal | None:
        written = self._cell(row, role)
        marks = number(written)
        if written and marks is None:
            self._warn(f"“{clean_line(written)[:20]}” is not a number of marks.", line)
        return marks

    def _question(self, row: Sequence[str], line: int) -> Question:
        text = self._cell(row, "question")
        if not text:
            raise Unreadable("It has no text.")
        key = self._cell(row, "answer")
        options = self._with_wrong(row, key, line) or self._options(row)
        if not key and not any(options):
            self._refuse_pairs(row)
        kind = self._kind(row, line)
        parts = self._choice(options, key, kind) if any(options) else answered(self._around(row, key, line), kind)
        marks, negative = (self._marks(row, role, line) for role in ("points", "negative"))
        return Question(
            parts.pop("kind"),  # type: ignore[arg-type] # the parts are fields of a question
            cell_html(text),
            title=clean_line(self._cell(row, "title")),
            direction_html=cell_html(self._cell(row, "passage")),
            explanation_html=cell_html(self._cell(row, "explanation")),
            subject=tuple(filter(None, map(clean_line, self._cell(row, "subject").split(" / ")))),
            marks=marks if marks is not None and marks >= 0 else None,
            negative_marks=abs(negative) if negative is not None else None,
            language=clean_line(self._cell(row, "language")),
            identifier=clean_line(self._cell(row, "id")),
            tags=tuple(filter(None, map(clean_line, re.split(r"[,;|]", self._cell(row, "tags"))))),
            line=line,
            **parts,  # type: ignore[arg-type] # as above
        )

    def _refuse_pairs(self, row: Sequence[str]) -> None:
        """Raise Unreadable if a column that is not read holds the pairs of a match."""
        for at in self.columns.unknown:
            heading = clean_line(self.columns.headings[at])[:40]
            if "pairs" in heading.casefold() and at < len(row) and row[at].strip():
                raise Unreadable(f"The pairs in its column “{heading}” cannot be read. Write matches in YAML or GIFT.")

    def _around(self, row: Sequence[str], key: str, line: int) -> str:
        """Return a number with its tolerance, as `10 ± 0.2`, and every other key unchanged."""
        written = self._cell(row, "tolerance")
        tolerance = number(written)
        if written and tolerance is None:
            self._warn(f"“{clean_line(written)[:20]}” is not a tolerance.", line)
        return f"{key} ± {abs(tolerance)}" if tolerance and number(key) is not None else key

    def _warn(self, message: str, line: int) -> None:
        self.collector.warn(message, line, self.collector.next_number)

    def _kind(self, row: Sequence[str], line: int) -> QuestionType | None:
        written = self._cell(row, "type").casefold().replace("_", " ")
        found = next((kind for kind, pattern in _KINDS.items() if written and re.fullmatch(pattern, written)), None)
        if written and found is None:
            self._warn(f"The type “{clean_line(written)[:40]}” is not known. The answers tell the type.", line)
        return found

    def _choice(self, options: list[str], key: str, kind: QuestionType | None) -> dict[str, object]:
        marks = [_MARKED.fullmatch(option) for option in options]
        if key:
            right = set(self._right(options, key))
        elif any(marks):
            right = {at for at, mark in enumerate(marks) if mark}
            options = [(mark[1] or mark[2]) if mark else text for mark, text in zip(marks, options, strict=True)]
        else:
            raise Unreadable("It has no correct answer.")
        several = kind is QuestionType.MULTIPLE or (len(right) > 1 and kind is not QuestionType.SINGLE)
        kept = tuple(Option(cell_html(text), at in right) for at, text in enumerate(options) if text or at in right)
        return {"kind": QuestionType.MULTIPLE if several else QuestionType.SINGLE, "options": kept}

    def _right(self, options: list[str], key: str) -> list[int]:
        """Return the places of the right options. A key is their text, letter or number."""
        counted, named = options_by_place(key, len(options)), options_by_text(key, options)
        if counted and named and counted != named and not self.meaning:
            raise Unreadable(f"“{clean_line(key)[:40]}” may be an answer or the place of one. Write its letter.")
        first, second = (counted, named) if self.meaning == "places" else (named, counted)
        if not first and not second:
            raise Unreadable(f"The correct answer “{clean_line(key)[:40]}” is none of its options.")
        return first or second


def answered(key: str, kind: QuestionType | None) -> dict[str, object]:
    """Return the type and the keys of a question without options. Raises Unreadable."""
    if kind is QuestionType.ESSAY:
        return {"kind": kind}
    if not key:
        raise Unreadable("It has no correct answer.")
    word = key.casefold()
    if word in _TRUE | _FALSE and kind in {QuestionType.SINGLE, None}:
        options = (Option("True", word in _TRUE), Option("False", word in _FALSE))
        return {"kind": QuestionType.SINGLE, "options": options}
    texts = [text for text in _SEVERAL.split(key) if text]
    if kind is not QuestionType.SHORT and (spans := _spans(texts)):
        return {"kind": QuestionType.NUMERIC, "numbers": spans}
    return {"kind": QuestionType.SHORT, "texts": tuple(TextKey(literal(text)) for text in texts)}


def _spans(texts: Sequence[str]) -> tuple[NumericKey, ...]:
    """Return the keys if every text is a number, else nothing."""
    try:
        return tuple(NumericKey(*span_of(text)) for text in texts)
    except Unreadable:
        return ()


def options_by_text(key: str, options: Sequence[str]) -> list[int]:
    """Return the places of the options whose texts are the key, or an empty list."""
    folded = [" ".join(option.casefold().split()) for option in options]
    whole = " ".join(key.casefold().split())
    for pieces in ([whole], _SEVERAL.split(key.casefold()), re.split(r"\s*,\s*", whole)):
        found = [" ".join(piece.split()) for piece in pieces if piece.strip()]
        if found and all(piece in folded for piece in found):
            return [folded.index(piece) for piece in found]
    return []


def options_by_place(key: str, options: int) -> list[int]:
    """Return the places that letters, numbers or names such as “Option 2” mean, or an empty list."""
    for pieces in (_PARTS.split(key), key.split(), [*key] if key.isupper() else []):
        names = [found[1].casefold() for piece in pieces if (found := _NAME.fullmatch(piece))]
        places = [int(name) - 1 if name.isdecimal() else ord(name) - ord("a") for name in names]
        if len(places) == len([piece for piece in pieces if piece]) > 0 and max(places) < options:
            return places
    return []


def _text(cell: str) -> str:
    """Return a cell without blanks around it, and without the mark of a text that begins like a formula."""
    text = cell.strip()
    return _ESCAPED.sub("", text) if text.startswith("'") else text


def cell_html(text: str) -> str:
    """Return the text of a cell as HTML. It is HTML already if it has paragraphs or line breaks of HTML."""
    return to_html(text, Markup.HTML if _BLOCK.search(text) else Markup.MOODLE)
