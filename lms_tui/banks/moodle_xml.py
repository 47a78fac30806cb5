"""Read Moodle XML (https://docs.moodle.org/en/Moodle_XML_format). A broken question does not affect the others."""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final
from urllib.parse import unquote

from lms_tui.banks.cloze import read_cloze
from lms_tui.banks.collect import Collector
from lms_tui.banks.file_types import MOST_FILES, named_types, not_known
from lms_tui.banks.gift.build import category_path
from lms_tui.banks.markup import Markup, to_html
from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.pictures import Budget, Missing, Pictures, from_base64
from lms_tui.banks.texts import GAP, literal, number, plain, share
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Malformed, Node, Unsafe, XmlText, elements, outline, parse_xml, pieces
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_MARKUPS: Final = {
    "html": Markup.HTML, "moodle_auto_format": Markup.MOODLE, "plain_text": Markup.PLAIN, "markdown": Markup.MARKDOWN,
    "0": Markup.MOODLE, "1": Markup.HTML, "2": Markup.PLAIN, "4": Markup.MARKDOWN,
}  # fmt: skip
_PLUGIN_FILE: Final = "@@PLUGINFILE@@/"
_OF_WHOLE: Final = ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback")
_USUAL: Final = re.compile(r"your answer is (?:partially )?(?:in)?correct\.?", re.IGNORECASE)


def read_moodle_xml(text: XmlText, title: str) -> Reading:
    """Read a Moodle XML text into an exam named `title`. Raises Unsafe.

    Categories and descriptions are read as in GIFT. If the XML is broken, complete questions are read one by one.
    """
    collector, budget = Collector(), Budget()
    try:
        random = _take_all(text, collector, budget)
    except Unsafe:
        raise
    except Malformed as error:
        collector = Collector()
        collector.error(f"{error} The questions were read one by one.", error.line)
        _salvage(str(text), collector, Budget())
        return collector.reading(title)
    for (category, below), nodes in random.items():
        _draw(collector, category, nodes, below=below)
    return collector.reading(title)


def _take_all(text: XmlText, collector: Collector, budget: Budget) -> dict[tuple[tuple[str, ...], bool], list[Node]]:
    """Read all questions, and return the random ones by their categories. Raises Malformed."""
    text = outline(text, "question", lambda _: None)[0]
    random: dict[tuple[tuple[str, ...], bool], list[Node]] = defaultdict(list)
    for node in elements(text, "question"):
        if node.get("type").strip().lower() == "random":
            random[collector.subject, node.text_of("questiontext", "text").strip() == "1"].append(node)
        else:
            _take(node, collector, budget)
    return random


def _draw(collector: Collector, category: tuple[str, ...], nodes: Sequence[Node], *, below: bool) -> None:
    """Draw one question of a category for each random question in `nodes`. `below`: draw from subcategories too."""
    drawn = [
        at
        for at, each in enumerate(collector.questions)
        if (each.subject[: len(category)] if below else each.subject) == category
    ]
    collector.pick(len(nodes), drawn, nodes[0].line, " / ".join(category))


def _salvage(text: str, collector: Collector, budget: Budget) -> None:
    for piece in pieces(text, "question"):
        if not piece.text:
            collector.error("This question was left out. It is not closed with </question>.", piece.line)
            continue
        try:
            node = parse_xml(piece.text, piece.line)
        except Malformed as error:
            collector.error(f"This question was left out. {error}", error.line)
        else:
            _take(node, collector, budget)


def _take(node: Node, collector: Collector, budget: Budget) -> None:
    kind = node.get("type").strip().lower()
    if kind == "category":
        collector.end_passage()
        collector.subject = category_path(node.text_of("category", "text"))
        return
    files = _Files(list(node.walk("file")))
    question = _Question(node, collector, Pictures(files.fetch, budget))
    try:
        if kind == "description":
            collector.describe(question.formatted("questiontext"), node.line)
            question.tell_files(files)
            return
        built = _READERS.get(kind, _unknown)(question)
    except Unreadable as error:
        question.pictures.told()
        collector.error(f"{question.named} was left out. {error}", node.line)
        return
    question.tell_files(files)
    collector.add(built)


@dataclass(slots=True)
class _Files:
    """The files in a question, which are found by path and name."""

    nodes: list[Node]
    used: set[int] = field(default_factory=set)

    def idle(self, question: Node) -> Iterator[Node]:
        """Yield the files that no text of the question names."""
        texts = unquote("".join(node.text for node in question.walk("text")))
        for node in self.nodes:
            if id(node) not in self.used and node.get("name") not in texts:
                yield node

    def fetch(self, reference: str) -> bytes:
        wanted = _path(reference)
        for node in self.nodes:
            if wanted in {_path(node.get("path", "/") + node.get("name")), _path(node.get("name"))}:
                self.used.add(id(node))
                if node.get("encoding", "base64").lower() != "base64":
                    raise Missing("is not in base64 and was left out")
                return from_base64(node.text)
        raise Missing("is not in the file")


def _path(reference: str) -> str:
    return unquote(reference.partition("?")[0]).strip().strip("/")


@dataclass(slots=True)
class _Question:
    """Reads one `<question>`."""

    node: Node
    collector: Collector
    pictures: Pictures

    @property
    def named(self) -> str:
        name = clean_line(self.node.text_of("name", "text"))[:60]
        return f"The question “{name}”" if name else "A question"

    def tell_files(self, files: _Files) -> None:
        """Report pictures that cannot be shown, and files that no text names."""
        for problem in self.pictures.told():
            self.collector.warn(problem, self.node.line, self.collector.next_number)
        for node in files.idle(self.node):
            self.warn(f"The attached file “{clean_line(node.get('name'))[:60]}” was left out.", node.line)

    def warn(self, message: str, line: int = 0) -> None:
        self.collector.warn(message, line or self.node.line, self.collector.next_number)

    def formatted(self, *path: str) -> str:
        found = self.node.find(*path)
        return self.markup(found) if found else ""

    def markup(self, node: Node, usual: Markup = Markup.HTML) -> str:
        """Return the HTML of an element with a format and a text."""
        inner = node.find("text")
        written = (inner or node).text
        if inner is None:
            written = "".join(child for child in node.children if isinstance(child, str))
        chosen = _MARKUPS.get(node.get("format").strip().lower(), usual)
        written = to_html(written.strip(), chosen)
        return self.pictures.embed(written.replace(_PLUGIN_FILE, "")) if "<" in written else written

    def stem(self) -> str:
        written = self.formatted("questiontext")
        data, name = self.node.text_of("image_base64"), self.node.text_of("image")
        if data:
            try:
                self.pictures.fetch = lambda _reference: from_base64(data)
                uri = self.pictures.uri(f"image_base64 {name}")
            except Missing as problem:
                self.pictures.problems.append(f"The picture “{clean_line(name)[:60]}” {problem}.")
            else:
                return f'{written}<p><img src="{uri}" alt=""></p>'
        elif name:
            self.pictures.problems.append(f"The picture “{clean_line(name)[:60]}” is not in the file.")
            return f'{written}<p><img src="{html.escape(name)}" alt="{html.escape(clean_line(name))}"></p>'
        return written

    def build(self, kind: QuestionType, **parts: object) -> Question:
        """Build a question from its parts and from the elements that all types have."""
        node = self.node
        self._account()
        marks = number(node.text_of("defaultgrade"))
        tags = node.find("tags")
        question = Question(
            kind,
            self.stem(),
            title=clean_line(node.text_of("name", "text")),
            explanation_html=self.formatted("generalfeedback"),
            marks=marks if marks is not None and marks >= 0 else None,
            identifier=clean_line(node.text_of("idnumber")),
            tags=tuple(clean_line(tag.text) for tag in tags.all("tag")) if tags else (),
            line=node.line,
        )
        return replace(question, **parts)  # type: ignore[arg-type] # the names of the parts are field names

    def _account(self) -> None:
        """Record the parts that an exam cannot keep."""
        for name in _OF_WHOLE:
            told = plain(self.formatted(name))
            if told and not _USUAL.fullmatch(told):
                self.collector.left_out("general feedback to correct or incorrect answers", line=self.node.line)
        if any(hint.text_of("text") for hint in self.node.all("hint")):
            self.collector.left_out("hints", line=self.node.line)
        if self.node.text_of("hidden") == "1":
            self.warn("The question is hidden in Moodle. It was imported anyway.")

    # --- answers

    def answers(self) -> list[Node]:
        return self.node.all("answer")

    def option(self, node: Node, *, correct: bool, weight: Decimal | None) -> Option:
        return Option(self.markup(node), correct, weight, self.feedback(node))

    def feedback(self, node: Node) -> str:
        found = node.find("feedback")
        return self.markup(found) if found else ""

    def weight(self, node: Node) -> Decimal:
        written = node.get("fraction", "0")
        value = share(written)
        if value is None:
            self.warn(
                f"The fraction “{clean_line(written)[:20]}” of an answer is not a number. It counts as 0.", node.line
            )
        return value or Decimal(0)

    def flag(self, name: str, *, usual: bool = False) -> bool:
        written = self.node.text_of(name).lower()
        return usual if not written else written in {"1", "true", "yes"}


def _multichoice(question: _Question) -> Question:
    single = question.flag("single", usual=True)
    options: list[Option] = []
    for node in question.answers():
        weight = question.weight(node)
        correct = weight >= 1 if single else weight > 0
        kept = weight if weight and not (single and correct) else None
        options.append(question.option(node, correct=correct, weight=kept))
    return question.build(QuestionType.SINGLE if single else QuestionType.MULTIPLE, options=tuple(options))


def _ou_multiple(question: _Question) -> Question:
    """Read a choice of the Open University, in which every right answer counts the same."""
    options = tuple(
        question.option(node, correct=question.weight(node) > 0, weight=None) for node in question.answers()
    )
    return question.build(QuestionType.MULTIPLE, options=options)


def _true_false(question: _Question) -> Question:
    options: list[Option] = []
    for node in question.answers():
        option = question.option(node, correct=question.weight(node) >= 1, weight=None)
        options.append(replace(option, html=plain(option.html).capitalize()))
    return question.build(QuestionType.SINGLE, options=tuple(options))


def _short_answer(question: _Question) -> Question:
    sensitive = question.flag("usecase")
    keys: list[TextKey] = []
    for node in question.answers():
        text, weight = clean_line((node.find("text") or node).text), question.weight(node)
        if text == "*" and weight <= 0:
            question.collector.left_out("feedback to all other answers", line=question.node.line)
            continue
        keys.append(TextKey(text, 0, sensitive, weight, question.feedback(node)))
    return question.build(QuestionType.SHORT, texts=tuple(keys))


def _numerical(question: _Question) -> Question:
    keys: list[NumericKey] = []
    for node in question.answers():
        written, weight = (node.find("text") or node).text.strip(), question.weight(node)
        if written == "*":
            if weight <= 0:
                question.collector.left_out("feedback to all other answers", line=question.node.line)
            else:
                question.warn("A key that accepts any number was left out.", node.line)
            continue
        value, reach = number(written), number(node.text_of("tolerance") or "0")
        if value is None or reach is None:
            raise Unreadable(f"“{clean_line(written)[:40]}” is not a number.")
        keys.append(NumericKey(value - abs(reach), value + abs(reach), weight, question.feedback(node)))
    if any(unit.text_of("unit_name") for unit in question.node.walk("unit")):
        question.collector.left_out("units of a number", line=question.node.line)
    return question.build(QuestionType.NUMERIC, numbers=tuple(keys))


def _essay(question: _Question) -> Question:
    no_text = question.node.text_of("responseformat") == "noinline"
    attachments = question.node.text_of("attachments") not in {"", "0"}
    for name, what in (("graderinfo", "notes for markers"), ("responsetemplate", "templates of answers")):
        if plain(question.formatted(name)):
            question.collector.left_out(what, line=question.node.line)
    if attachments and not no_text:
        question.collector.left_out("attachments to an essay", line=question.node.line)
    return _files(question) if no_text and attachments else question.build(QuestionType.ESSAY)


def _files(question: _Question) -> Question:
    """Read an essay without a text, which asks for files. Moodle writes -1 for any number of files."""
    listed = re.split(r"[\s,;]+", question.node.text_of("filetypeslist"))
    types, unknown = named_types(name for name in listed if name not in {"", "*"})
    for name in unknown:
        question.warn(not_known(name))
    written = question.node.text_of("attachments")
    most = int(written) if written.isdecimal() and 1 <= int(written[:6]) <= MOST_FILES else MOST_FILES
    return question.build(QuestionType.FILES, file_types=types, most_files=most)


def _matching(question: _Question) -> Question:
    pairs = []
    for node in question.node.all("subquestion"):
        right = clean_line(node.text_of("answer", "text") or node.text_of("answer"))
        if right:
            pairs.append(Pair(question.markup(node), right))
        else:
            question.warn("A row without a right side was left out.", node.line)
    if not any(pair.left_html for pair in pairs):
        raise Unreadable("It has no rows to match.")
    return question.build(QuestionType.MATCH, pairs=tuple(pairs))


def _ordering(question: _Question) -> Question:
    """Read an ordering as a match of positions to items, which can be answered and marked."""
    things = [plain(question.markup(node)) for node in question.answers()]
    if len(things) < 2:
        raise Unreadable("It has no items to order.")
    question.warn("The ordering question was imported as a match of positions and items.")
    return question.build(QuestionType.MATCH, pairs=tuple(Pair(f"{at}.", thing) for at, thing in enumerate(things, 1)))


def _gap_select(question: _Question) -> Question:
    """Read gaps `[[n]]`, where n is the number of the right choice. A gap offers that choice's group."""
    choices = [
        (plain(question.markup(node)), node.text_of("group") or "1")
        for node in question.node.all("selectoption", "dragbox")
    ]
    stem = question.stem()
    named = [int(found[1]) for found in GAP.finditer(stem)]
    if not named:
        raise Unreadable("Its text has no gaps.")
    if any(not 1 <= at <= len(choices) for at in named):
        raise Unreadable("A gap refers to a choice that does not exist.")
    counter = iter(range(1, len(named) + 1))
    stem = GAP.sub(lambda _found: f"[[{next(counter)}]]", stem)
    keys = tuple(TextKey(literal(choices[at - 1][0]), gap=gap) for gap, at in enumerate(named, 1))
    offered = tuple(tuple(text for text, group in choices if group == choices[at - 1][1]) for at in named)
    return replace(question.build(QuestionType.GAPS, texts=keys, gap_choices=offered), html=stem)


def _cloze(question: _Question) -> Question:
    read = read_cloze(question.stem())
    for message in read.warnings:
        question.warn(message)
    built = question.build(
        read.kind, options=read.options, numbers=read.numbers, texts=read.texts, gap_choices=read.gap_choices
    )
    # Moodle adds up the marks of the parts and writes no defaultgrade.
    return replace(
        built, html=read.html, marks=read.marks if question.node.find("defaultgrade") is None else built.marks
    )


def _unknown(question: _Question) -> Question:
    named = clean_line(question.node.get("type"))[:40] or "none"
    raise Unreadable(f"The question type “{named}” is not supported.")


_READERS: Final[Mapping[str, Callable[[_Question], Question]]] = {
    "multichoice": _multichoice,
    "oumultiresponse": _ou_multiple,
    "truefalse": _true_false,
    "shortanswer": _short_answer,
    "numerical": _numerical,
    "essay": _essay,
    "matching": _matching,
    "match": _matching,
    "ordering": _ordering,
    "cloze": _cloze,
    "multianswer": _cloze,
    "gapselect": _gap_select,
    "ddwtos": _gap_select,
}
