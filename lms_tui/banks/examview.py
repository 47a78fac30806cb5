"""Read the XML of ExamView, which publishers of textbooks use for their question banks."""

import html
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.texts import literal, number, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Malformed, Node, Unsafe, XmlText, inner_html, parse_xml
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_TWO: Final = {"tf": ("True", "False"), "yn": ("Yes", "No")}
_ESSAYS: Final = frozenset({"es", "pr", "ca", "ot"})
_FREE: Final = frozenset({"sa", "co"})
_KNOWN: Final = frozenset({"answer-space", "difficulty", "topic", "points"})
_PICTURES: Final = ("pict", "picture", "image")


def read_examview(text: XmlText, title: str) -> Reading:
    """Read an ExamView text into an exam. `title` is used if the text has none. Raises Unsafe."""
    collector = Collector()
    try:
        root = parse_xml(str(text))
    except Unsafe:
        raise
    except Malformed as error:
        collector.error(str(error), error.line)
        return collector.reading(title)
    _Test(collector).read(root)
    return collector.reading(clean_line(root.text_of("header", "title")) or title)


@dataclass(slots=True)
class _Test:
    """`groups` holds the matching groups by name, and `narratives` the passages."""

    collector: Collector
    groups: dict[str, Node] = field(default_factory=dict)
    narratives: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[Node]] = field(default_factory=dict)

    def read(self, root: Node) -> None:
        self.groups = {node.get("name"): node for node in root.walk("matching-group")}
        self.narratives = {node.get("name"): self._html(node.find("text")) for node in root.walk("narrative")}
        for node in root.walk("question"):
            if node.get("type") == "ma":
                self.rows.setdefault(node.get("group"), []).append(node)
        for node in root.walk("question"):
            try:
                self._take(node)
            except Unreadable as error:
                named = plain(self._html(node.find("text")))[:60]
                self.collector.error(f"The question “{named}” was left out. {error}", node.line)

    def _take(self, node: Node) -> None:
        kind, answer = node.get("type").lower(), clean_line(node.text_of("answer"))
        if kind == "ma":
            rows = self.rows.pop(node.get("group"), [])
            if rows:
                self._add(rows[0], self._match(rows))
            return
        self._add(node, self._question(node, kind, answer))

    def _question(self, node: Node, kind: str, answer: str) -> Question:
        base = Question(QuestionType.ESSAY, self._html(node.find("text")))
        if kind in _TWO:
            options = tuple(Option(word, correct=answer.upper() == word[0]) for word in _TWO[kind])
            return replace(base, kind=QuestionType.SINGLE, options=options)
        if kind == "mc":
            options = tuple(self._options(node, answer))
            several = sum(option.correct for option in options) > 1
            return replace(base, kind=QuestionType.MULTIPLE if several else QuestionType.SINGLE, options=options)
        if kind == "nr" and (value := number(answer)) is not None:
            return replace(base, kind=QuestionType.NUMERIC, numbers=(NumericKey(value, value),))
        if kind in _FREE or kind == "nr":
            return replace(base, kind=QuestionType.SHORT, texts=tuple(_texts(node)))
        if kind not in _ESSAYS:
            raise Unreadable(f"Its type is “{clean_line(kind)[:20]}”, which is not supported.")
        if answer:
            self.collector.left_out("notes for markers", line=node.line)
        return base

    def _add(self, node: Node, question: Question) -> None:
        info = node.find("info") or Node("", {}, 0)
        for child in info:
            if child.name not in _KNOWN and child.text.strip():
                self.collector.left_out(f"the ExamView field {clean_line(child.name)[:30]}", line=child.line)
        difficulty, topic = clean_line(info.text_of("difficulty")), clean_line(info.text_of("topic"))
        filled = replace(
            question,
            direction_html=self.narratives.get(node.get("narrative"), ""),
            explanation_html=self._html(node.find("rationale")),
            marks=number(info.text_of("points")),
            subject=(topic,) if topic else (),
            tags=(difficulty,) if difficulty else (),
            line=node.line,
        )
        self.collector.add(filled)

    def _options(self, node: Node, answer: str) -> Iterator[Option]:
        for letter, choice in self._choices(node):
            yield Option(self._html(choice), correct=letter in answer.lower())

    def _choices(self, node: Node) -> Iterator[tuple[str, Node]]:
        for child in node.find("choices") or ():
            if child.name.startswith("choice-"):
                yield child.name.removeprefix("choice-").lower(), child

    def _match(self, rows: list[Node]) -> Question:
        group = self.groups.get(rows[0].get("group"))
        if group is None:
            raise Unreadable("Its matching group is not in the file.")
        rights = {letter: plain(self._html(choice)) for letter, choice in self._choices(group)}
        answers = [(self._html(row.find("text")), rights.get(row.text_of("answer").lower(), "")) for row in rows]
        if not all(right for _, right in answers):
            raise Unreadable("A row has no right side.")
        pairs = [Pair(left, right) for left, right in answers]
        used = {pair.right for pair in pairs}
        pairs += [Pair("", right) for right in rights.values() if right and right not in used]
        return Question(QuestionType.MATCH, self._html(group.find("text")), pairs=tuple(pairs))

    def _html(self, node: Node | None) -> str:
        """Return a text as HTML. ExamView ends lines with a newline."""
        if node is None:
            return ""
        if (picture := node.first(*_PICTURES)) is not None:
            self.collector.left_out("pictures", line=picture.line)
        return inner_html(node, _rewritten).replace("\n", "<br>")


def _rewritten(node: Node) -> str | None:
    if node.name in _PICTURES:
        return ""
    if node.name == "para":
        return f"<p>{inner_html(node, _rewritten)}</p>"
    return inner_html(node, _rewritten) if node.name in {"font", "field"} else None


def _texts(node: Node) -> Iterator[TextKey]:
    """Yield the accepted texts, which stand in a line each."""
    answer = node.find("answer")
    for line in html.unescape(answer.text if answer else "").splitlines():
        if text := clean_line(line):
            yield TextKey(literal(text))
