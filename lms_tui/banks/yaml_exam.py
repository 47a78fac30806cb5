"""Read the YAML format of this program (docs/exam-files.md)."""

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from lms_tui.banks.markup import Markup
from lms_tui.banks.model import BankDraw, Criterion, NumericKey, Option, Pair, Question, Reading, Section, TextKey
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.yaml_tree import BadYaml, Mapping, Scalar, Sequence, Tree, parse_yaml, second_document, without_item
from lms_tui.banks.yaml_values import AFTER_CLOSING, NO, YES, Values, nearest, span_of
from lms_tui.common.calculator import Scope
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

KINDS: Final[Table[str, QuestionType]] = {
    "single": QuestionType.SINGLE,
    "multiple": QuestionType.MULTIPLE,
    "short": QuestionType.SHORT,
    "number": QuestionType.NUMERIC,
    "essay": QuestionType.ESSAY,
    "files": QuestionType.FILES,
    "gaps": QuestionType.GAPS,
    "match": QuestionType.MATCH,
}
EXAM_NAMES: Final = frozenset(
    {
        "title", "slug", "description", "format", "language", "duration", "marks", "negative marks", "retakes",
        "calculator", "reference sheet",
        "show answers", "ranks", "immediate feedback", "end sections early", "passages", "sections", "questions",
    }
)  # fmt: skip
SECTION_NAMES: Final = frozenset({"name", "duration", "cut off", "instructions", "questions"})
QUESTION_NAMES: Final = frozenset(
    {
        "question", "type", "title", "options", "answer", "true or false", "number", "gaps", "match", "essay", "topics",
        "rubric", "files", "passage", "explanation", "subject", "marks", "negative marks", "language", "id", "tags",
        "difficulty", "format",
    }
)  # fmt: skip
PICK_NAMES: Final = frozenset({"pick", "questions"})
BANK_NAMES: Final = frozenset({"pick", "bank", "subject", "difficulty", "tags", "marks"})
OPTION_NAMES: Final = frozenset({"right", "wrong", "weight", "feedback", "fixed"})
FILE_NAMES: Final = frozenset({"types", "most"})
KEY_NAMES: Final = frozenset({"text", "number", "weight", "feedback", "case"})
_LONGEST_NAME: Final = 60
"""Characters of a passage that may be meant as a name."""
_MOST_REPAIRS: Final = 50


def read_yaml(text: str, title: str) -> Reading:
    """Read a YAML text into an exam.

    `title` is used if the text has none. A broken question is reported and left out.
    """
    reader = _Reader()
    tree: Tree = Mapping((), 1)
    for _ in range(_MOST_REPAIRS):
        try:
            tree = parse_yaml(text)
            if "\n---" in text and (line := second_document(text)):
                reader.collector.error(
                    "A second exam begins here and was left out. Write it into a file of its own.", line
                )
            break
        except BadYaml as error:
            reader.collector.error(f"{error} The question around it was left out.", error.line)
            mended = without_item(text, error.line)
            if mended == text:
                break
            text = mended
    if not isinstance(tree, Mapping):
        reader.collector.error("The file does not consist of names and values, such as title and questions.", tree.line)
        tree = Mapping((), 1)
    return reader.exam(tree, title)


@dataclass(slots=True)
class _Reader(Values):
    markup: Markup = Markup.MARKDOWN
    passages: dict[str, str] = field(default_factory=dict)

    # --- the exam and its sections

    def exam(self, tree: Mapping, title: str) -> Reading:
        self.known(tree, EXAM_NAMES)
        self.markup = self.format(tree.get("format"), self.markup)
        self._passages(tree.get("passages"))
        for node in self.listed(tree.get("sections")):
            self._section(node)
        questions = tree.get("questions")
        if questions is not None:
            if self.collector.questions:
                self.collector.begin_section(Section("", ()))
            self._questions(questions)
        name = self.line(tree.get("title")) or title
        self.collector.begun = self.collector.begun or [(Section("", ()), 0)]
        return self.collector.reading(name, **self._settings(tree))

    def _settings(self, tree: Mapping) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "slug": self.line(tree.get("slug")),
            "description_html": self.html(tree.get("description"), self.markup),
            "language": self.line(tree.get("language")),
            "duration": self.duration(tree.get("duration")),
            "mark_per_question": self.marks(tree.get("marks")),
            "negative_marks": self.decimal(tree.get("negative marks")),
            "enable_ranks": self.flag(tree.get("ranks")),
            "immediate_feedback": self.flag(tree.get("immediate feedback")),
            "allow_preemptive_section_ending": self.flag(tree.get("end sections early")),
        }
        settings["reference_html"] = self.html(tree.get("reference sheet"), self.markup)
        settings["calculator"] = self._calculator(tree.get("calculator"))
        if self.line(tree.get("show answers")).lower() == AFTER_CLOSING:
            settings["answers_after_closing"] = True
        else:
            settings["show_answers"] = self._shown(tree.get("show answers"))
        retakes = self.line(tree.get("retakes")).lower()
        if retakes in NO | {"none"}:
            settings["allow_retake"] = False
        elif retakes.lstrip("-").isdigit() and len(retakes) < 6:
            settings["max_retakes"] = int(retakes)
        elif retakes in YES | {"unlimited"}:
            settings["max_retakes"] = -1
        elif retakes:
            self.warn(
                tree.get("retakes"), f"“{retakes[:40]}” is not a value for retakes. Write no, a number or unlimited."
            )
        given = {name: value for name, value in settings.items() if value is not None}
        untimed = {"duration"} if self.is_untimed(tree.get("duration")) else set()
        return {**given, "said": frozenset(given) | untimed}

    def _shown(self, tree: Tree | None) -> bool | None:
        written = self.line(tree).lower()
        if written in {*NO, *YES, ""}:
            return self.flag(tree)
        self.warn(tree, f"“{written[:40]}” does not say when answers are shown. Write yes, no or after closing.")
        return None

    def _calculator(self, tree: Tree | None) -> Scope | None:
        written = self.line(tree).lower()
        if written in {*NO, *YES, *Scope}:
            return Scope.NONE if written in NO else Scope.SCIENTIFIC if written in YES else Scope(written)
        if written:
            self.warn(tree, f"“{written[:40]}” is not a calculator. Write no, basic or scientific.")
        return None

    def _passages(self, tree: Tree | None) -> None:
        if isinstance(tree, Mapping):
            self.passages = {clean_line(key.text): self.html(value, self.markup) for key, value in tree.entries}
        elif tree is not None:
            self.warn(tree, "The passages were left out. Write each as a name and a text.")

    def _section(self, node: Tree) -> None:
        if not isinstance(node, Mapping):
            self.collector.error("A section was left out. It has no name and no questions.", node.line)
            return
        self.known(node, SECTION_NAMES)
        cut_off = self.decimal(node.get("cut off"))
        self.collector.begin_section(
            Section(
                self.line(node.get("name")),
                (),
                self.duration(node.get("duration")),
                int(cut_off or 0),
                self.html(node.get("instructions"), self.markup),
            )
        )
        self._questions(node.get("questions"))

    def _questions(self, tree: Tree | None) -> None:
        for node in self.listed(tree):
            try:
                if isinstance(node, Mapping) and node.get("pick") is not None:
                    self._pick(node)
                else:
                    self.collector.add(self._question(node))
            except Unreadable as error:
                self.collector.error(f"A question was left out. {error}", node.line)

    def _pick(self, node: Mapping) -> None:
        """Read how many questions are drawn for each attempt, from questions of the file or from a bank."""
        written = self.line(node.get("pick"))
        if not written.isdecimal() or not 0 < int(written[:6]) < 100_000:
            raise Unreadable(f"“{written[:40]}” is not a number of questions to pick.")
        if node.get("bank") is None:
            self.known(node, PICK_NAMES)
            start = len(self.collector.questions)
            self._questions(node.get("questions"))
            self.collector.pick(int(written), self.collector.since(start), node.line)
            return
        self.known(node, BANK_NAMES)
        subject, tags, marks = self._subject(node.get("subject")), self._tags(node), self.marks(node.get("marks"))
        self.collector.draw(BankDraw(self.line(node.get("bank")), int(written), subject, tags, marks))

    # --- one question

    def _question(self, node: Tree) -> Question:
        if isinstance(node, Scalar) and node.text.strip():
            return Question(QuestionType.ESSAY, self.html(node, self.markup), line=node.line)
        if not isinstance(node, Mapping):
            raise Unreadable("It does not consist of names and values, such as question and options.")
        self.known(node, QUESTION_NAMES)
        markup = self.format(node.get("format"), self.markup)
        base = Question(
            QuestionType.ESSAY,
            self.html(node.get("question"), markup),
            title=self.line(node.get("title")),
            direction_html=self._passage(node.get("passage"), markup),
            explanation_html=self.html(node.get("explanation"), markup),
            subject=self._subject(node.get("subject")),
            marks=self.marks(node.get("marks")),
            negative_marks=self.decimal(node.get("negative marks")),
            language=self.line(node.get("language")),
            identifier=self.line(node.get("id")),
            tags=self._tags(node),
            rubric=self._rubric(node.get("rubric")),
            line=node.line,
        )
        return self._with_answers(node, base, markup)

    def _with_answers(self, node: Mapping, base: Question, markup: Markup) -> Question:
        written = self.line(node.get("type")).lower()
        if written and written not in KINDS:
            raise Unreadable(f"“{written[:40]}” is not a question type. Write one of {', '.join(KINDS)}.")
        found = [name for name in _ANSWERS if node.get(name) is not None]
        if len(found) > 1:
            raise Unreadable(f"It has several kinds of answers: {', '.join(found)}.")
        kind = KINDS.get(written)
        if found:
            question = _ANSWERS[found[0]](self, node, base, markup)
        elif kind is not None:
            question = self.essay(node, base, markup)
        else:
            raise Unreadable("It has no answers. Write options, answer, number, gaps, match, essay or files.")
        return replace(question, kind=kind) if kind else question

    def options(self, node: Mapping, base: Question, markup: Markup) -> Question:
        options = tuple(self._option(item, markup) for item in self.listed(node.get("options")))
        kind = QuestionType.MULTIPLE if sum(option.correct for option in options) > 1 else QuestionType.SINGLE
        return replace(base, kind=kind, options=options)

    def _option(self, node: Tree, markup: Markup) -> Option:
        if isinstance(node, Scalar):
            return Option(self.html(node, markup))
        if not isinstance(node, Mapping):
            raise Unreadable("An option is a list. Write its text.")
        self.known(node, OPTION_NAMES)
        right, wrong = node.get("right"), node.get("wrong")
        if (right is None) == (wrong is None):
            raise Unreadable("An option is neither right nor wrong. Begin it with “right:” or “wrong:”.")
        return Option(
            self.html(right or wrong, markup),
            right is not None,
            self.weight(node.get("weight")),
            self.html(node.get("feedback"), markup),
            self.flag(node.get("fixed")) or False,
        )

    def true_or_false(self, node: Mapping, base: Question, _markup: Markup) -> Question:
        right = self.flag(node.get("true or false"))
        if right is None:
            raise Unreadable("The value of “true or false” is not true or false.")
        return replace(base, kind=QuestionType.SINGLE, options=(Option("True", right), Option("False", not right)))

    def answer(self, node: Mapping, base: Question, markup: Markup) -> Question:
        return replace(base, kind=QuestionType.SHORT, texts=tuple(self._texts(node.get("answer"), 0, markup)))

    def _texts(self, tree: Tree | None, gap: int, markup: Markup) -> Iterator[TextKey]:
        for item in self.listed(tree):
            if isinstance(item, Mapping):
                self.known(item, KEY_NAMES)
                yield TextKey(
                    self.text(item.get("text")),
                    gap,
                    self.line(item.get("case")).lower() in YES | {"sensitive"},
                    self.weight(item.get("weight"), Decimal(1)) or Decimal(0),
                    self.html(item.get("feedback"), markup),
                )
            else:
                yield TextKey(self.text(item), gap)

    def number(self, node: Mapping, base: Question, markup: Markup) -> Question:
        return replace(base, kind=QuestionType.NUMERIC, numbers=tuple(self._numbers(node.get("number"), 0, markup)))

    def _numbers(self, tree: Tree | None, gap: int, markup: Markup) -> Iterator[NumericKey]:
        for item in self.listed(tree):
            if isinstance(item, Mapping):
                self.known(item, KEY_NAMES)
                low, high = span_of(self.line(item.get("number")))
                weight = self.weight(item.get("weight"), Decimal(1)) or Decimal(0)
                yield NumericKey(low, high, weight, self.html(item.get("feedback"), markup), gap)
            else:
                low, high = span_of(self.line(item))
                yield NumericKey(low, high, gap=gap)

    def gaps(self, node: Mapping, base: Question, markup: Markup) -> Question:
        keys: list[TextKey] = []
        numbers: list[NumericKey] = []
        choices: list[tuple[str, ...]] = []
        for gap, item in enumerate(self.listed(node.get("gaps")), 1):
            offered: tuple[str, ...] = ()
            answers: Tree | None = item
            if isinstance(item, Mapping) and item.get("number") is not None:
                self.known(item, frozenset({"number"}))
                numbers += self._numbers(item.get("number"), gap, markup)
                choices.append(())
                continue
            if isinstance(item, Mapping) and item.get("text") is None:
                self.known(item, frozenset({"answer", "choices"}))
                offered = tuple(self.text(choice) for choice in self.listed(item.get("choices")))
                answers = item.get("answer")
            keys += self._texts(answers, gap, markup)
            choices.append(offered)
        offers = tuple(choices) if any(choices) else ()
        return replace(base, kind=QuestionType.GAPS, numbers=tuple(numbers), texts=tuple(keys), gap_choices=offers)

    def match(self, node: Mapping, base: Question, markup: Markup) -> Question:
        tree = node.get("match")
        pairs: list[Pair] = []
        if isinstance(tree, Mapping):
            pairs = [Pair(self.html(key, markup), self.text(value)) for key, value in tree.entries]
        else:
            for item in self.listed(tree):
                if isinstance(item, Mapping) and item.get("right") is not None:
                    self.known(item, frozenset({"left", "right"}))
                    pairs.append(Pair(self.html(item.get("left"), markup), self.text(item.get("right"))))
                elif isinstance(item, Mapping):
                    pairs += [Pair(self.html(key, markup), self.text(value)) for key, value in item.entries]
                else:
                    pairs.append(Pair("", self.text(item)))
        return replace(base, kind=QuestionType.MATCH, pairs=tuple(pairs))

    def essay(self, node: Mapping, base: Question, _markup: Markup) -> Question:
        return replace(base, essay_topics=tuple(self.lines(node.get("topics"))))

    def files(self, node: Mapping, base: Question, _markup: Markup) -> Question:
        question, tree = replace(base, kind=QuestionType.FILES), node.get("files")
        if not isinstance(tree, Mapping):
            return question
        self.known(tree, FILE_NAMES)
        types, most = self.file_types(tree.get("types")), self.most_files(tree.get("most"))
        return replace(question, file_types=types, most_files=most)

    def _passage(self, tree: Tree | None, markup: Markup) -> str:
        """Return the passage with that name, or the text itself."""
        name = self.line(tree)
        if name in self.passages:
            return self.passages[name]
        if self.passages and 0 < len(name) <= _LONGEST_NAME:
            hint = nearest(name, self.passages)
            if hint or " " not in name:
                self.warn(tree, f"No passage has the name “{name}”. The name is shown as the text.{hint}")
        return self.html(tree, markup)

    def _tags(self, node: Mapping) -> tuple[str, ...]:
        """Return the tags. The difficulty is one of them."""
        return tuple(dict.fromkeys([*self.lines(node.get("tags")), *self.lines(node.get("difficulty"))]))

    def _rubric(self, tree: Tree | None) -> tuple[Criterion, ...]:
        """Return the criteria with their points."""
        if tree is None:
            return ()
        entries = tree.entries if isinstance(tree, Mapping) else ()
        found = tuple(Criterion(clean_line(key.text), self.decimal(value) or Decimal(0)) for key, value in entries)
        if not found or any(not each.name or each.points <= 0 for each in found):
            raise Unreadable("Its rubric does not consist of names and points above 0, such as {Argument: 3}.")
        return found

    def _subject(self, tree: Tree | None) -> tuple[str, ...]:
        if isinstance(tree, Sequence):
            return tuple(self.lines(tree))
        return tuple(part for written in self.line(tree).split("/") if (part := written.strip()))


_Answers = Callable[[_Reader, Mapping, Question, Markup], Question]
_ANSWERS: Final[Table[str, _Answers]] = {
    "options": _Reader.options,
    "true or false": _Reader.true_or_false,
    "answer": _Reader.answer,
    "number": _Reader.number,
    "gaps": _Reader.gaps,
    "match": _Reader.match,
    "essay": _Reader.essay,
    "files": _Reader.files,
}
