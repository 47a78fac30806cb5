"""Write one question as an item of QTI 2.1."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from lms_tui.banks.file_types import media_types
from lms_tui.banks.model import NumericKey, Option, Question, TextKey
from lms_tui.banks.texts import BLANK, GAP, digits, unescaped
from lms_tui.banks.writers.xhtml import Files, escape, xhtml
from lms_tui.wire.question_types import QuestionType

NAMESPACE: Final = "http://www.imsglobal.org/xsd/imsqti_v2p1"
TOOL: Final = "lms-tui"
_FIXED: Final = ' fixed="true"'
_TEMPLATES: Final = "http://www.imsglobal.org/question/qti_v2p1/rptemplates"


def item_xml(question: Question, identifier: str, files: Files) -> str:
    """Write the item. Its pictures are in `../pictures`."""
    return _Item(question, identifier, files).xml()


class _Item:
    def __init__(self, question: Question, identifier: str, files: Files) -> None:
        self.question = question
        self.identifier = identifier
        self.files = files
        self.scale = question.marks if question.marks is not None and question.marks > 0 else Decimal(1)

    def xml(self) -> str:
        question = self.question
        declared, body, processing = self._parts()
        language = f' xml:lang="{escape(question.language)}"' if question.language else ""
        passage = f'<div class="stimulus">{self.html(question.direction_html)}</div>' if question.direction_html else ""
        explanation = (
            '<modalFeedback outcomeIdentifier="FEEDBACK" identifier="explanation" showHide="show">'
            f"{self.html(question.explanation_html)}</modalFeedback>"
            if question.explanation_html
            else ""
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<assessmentItem xmlns="{NAMESPACE}" identifier="{self.identifier}" title="{escape(question.title)}"'
            f' label="{escape(question.identifier)}" adaptive="false" timeDependent="false"'
            f' toolName="{TOOL}"{language}>\n'
            f"{declared}\n{self._outcomes()}\n<itemBody>{passage}{body}</itemBody>\n{processing}\n{explanation}"
            "</assessmentItem>\n"
        )

    def html(self, markup: str) -> str:
        return xhtml(self.files.take_out(markup, lambda name: f"../pictures/{name}"))

    def _outcomes(self) -> str:
        question = self.question
        marks = f' normalMaximum="{digits(question.marks)}"' if question.marks is not None else ""
        outcomes = f'<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"{marks}/>'
        if question.negative_marks is not None:
            value = f"<defaultValue><value>{digits(question.negative_marks)}</value></defaultValue>"
            opener = '<outcomeDeclaration identifier="PENALTY" cardinality="single" baseType="float">'
            outcomes += f"{opener}{value}</outcomeDeclaration>"
        return f'{outcomes}<outcomeDeclaration identifier="FEEDBACK" cardinality="multiple" baseType="identifier"/>'

    def _parts(self) -> tuple[str, str, str]:
        """Return the declarations, the body and the response processing."""
        match self.question.kind:
            case QuestionType.SINGLE | QuestionType.MULTIPLE:
                return self._choice()
            case QuestionType.NUMERIC:
                return self._numeric()
            case QuestionType.GAPS:
                return self._gaps()
            case QuestionType.MATCH:
                return self._match()
            case _:
                return self._written()

    def _written(self) -> tuple[str, str, str]:
        """Write a short text, an essay or a file upload."""
        if self.question.kind is QuestionType.SHORT:
            declared = _declaration("RESPONSE", "single", "string", *_text_keys(self.question.texts, self.scale))
            return declared, self._with_field(self.question.html), _template("map_response")
        if self.question.kind is QuestionType.FILES:
            media = media_types(self.question.file_types)
            types = f' type="{" ".join(media)}"' if media else ""
            return _declaration("RESPONSE", "single", "file"), self._followed("uploadInteraction", types), ""
        return _declaration("RESPONSE", "single", "string"), self._followed("extendedTextInteraction"), ""

    def _followed(self, name: str, attributes: str = "") -> str:
        return f'{self.html(self.question.html)}<{name} responseIdentifier="RESPONSE"{attributes}/>'

    def _with_field(self, stem: str) -> str:
        """Put the field in place of the blank, or in a paragraph after the text."""
        field = '<textEntryInteraction responseIdentifier="RESPONSE"/>'
        written = self.html(stem)
        return written.replace(BLANK, field, 1) if BLANK in written else f"{written}<p>{field}</p>"

    def _choice(self) -> tuple[str, str, str]:
        single = self.question.kind is QuestionType.SINGLE
        options = {f"c{at}": option for at, option in enumerate(self.question.options, 1)}
        keys = [name for name, option in options.items() if option.correct]
        one_of_several = single and len(keys) > 1  # each of them earns all marks, and no key can say so
        shared = one_of_several or any(option.weight for option in options.values())
        if one_of_several:
            keys = []
        weights = {name: _weight(option, single=single) * self.scale for name, option in options.items()}
        mapped = [(name, weight, "") for name, weight in weights.items() if shared and weight]
        cardinality, most = ("single", 1) if single else ("multiple", 0)
        declared = _declaration("RESPONSE", cardinality, "identifier", keys, _mapping(mapped, self.scale))
        choices = "".join(
            f'<simpleChoice identifier="{name}"{_FIXED if option.fixed else ""}>{self.html(option.html)}'
            f"{self._feedback(name, option)}</simpleChoice>"
            for name, option in options.items()
        )
        body = (
            f'{self.html(self.question.html)}<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" '
            f'maxChoices="{most}">{choices}</choiceInteraction>'
        )
        return declared, body, _template("map_response" if shared else "match_correct")

    def _feedback(self, name: str, option: Option) -> str:
        if not option.feedback_html:
            return ""
        text = self.html(option.feedback_html)
        return (
            f'<feedbackInline outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">{text}</feedbackInline>'
        )

    def _numeric(self) -> tuple[str, str, str]:
        keys = self.question.numbers
        declared = _declaration("RESPONSE", "single", "float", [digits((key.low + key.high) / 2) for key in keys[:1]])
        scored = [_set_score(_float(key.weight * self.scale)) for key in keys]
        processing = f"<responseProcessing>{_within('RESPONSE', keys, scored)}</responseProcessing>"
        return declared, self._with_field(self.question.html), processing if keys else ""

    def _gaps(self) -> tuple[str, str, str]:
        declared: list[str] = []
        conditions: list[str] = []
        share = self.scale / (len(GAP.findall(self.question.html)) or 1)

        def field(found: "re.Match[str]") -> str:
            gap = int(found[1])
            name = f"RESPONSE_{len(declared) + 1}"
            keys, offered = self.question.texts_of(gap), self.question.choices_of(gap)
            if numbers := self.question.numbers_of(gap):
                middle = (numbers[0].low + numbers[0].high) / 2
                declared.append(_declaration(name, "single", "float", [digits(middle)]))
                conditions.append(_within(name, numbers, [_add_share(_float(key.weight), share) for key in numbers]))
                return f'<textEntryInteraction responseIdentifier="{name}"/>'
            if keys:
                conditions.append(_mapped(name, share))
            if not offered:
                declared.append(_declaration(name, "single", "string", *_text_keys(keys, Decimal(1))))
                return f'<textEntryInteraction responseIdentifier="{name}"/>'
            named = {f"c{at}": text for at, text in enumerate(offered, 1)}
            texts = {unescaped(key.text): key.weight for key in keys}
            right = [choice for choice, text in named.items() if text in texts]
            mapped = _mapping([(choice, texts[named[choice]], "") for choice in right], Decimal(1))
            correct = right if len(right) == 1 else []
            declared.append(_declaration(name, "single", "identifier", correct, mapped))
            choices = "".join(
                f'<inlineChoice identifier="{choice}">{escape(text)}</inlineChoice>' for choice, text in named.items()
            )
            return f'<inlineChoiceInteraction responseIdentifier="{name}">{choices}</inlineChoiceInteraction>'

        body = GAP.sub(field, self.html(self.question.html))
        return "".join(declared), body, f"<responseProcessing>{''.join(conditions)}</responseProcessing>"

    def _match(self) -> tuple[str, str, str]:
        pairs = self.question.pairs
        rows = [(f"l{at}", f"r{at}") for at, pair in enumerate(pairs, 1) if pair.left_html]
        lefts = "".join(
            _associable(f"l{at}", 1, self.html(pair.left_html)) for at, pair in enumerate(pairs, 1) if pair.left_html
        )
        rights = "".join(_associable(f"r{at}", 0, escape(pair.right)) for at, pair in enumerate(pairs, 1))
        declared = _declaration("RESPONSE", "multiple", "directedPair", [f"{left} {right}" for left, right in rows])
        body = (
            f'{self.html(self.question.html)}<matchInteraction responseIdentifier="RESPONSE" shuffle="false" '
            f'maxAssociations="{len(rows)}"><simpleMatchSet>{lefts}</simpleMatchSet>'
            f"<simpleMatchSet>{rights}</simpleMatchSet></matchInteraction>"
        )
        return declared, body, _template("match_correct")


def _associable(name: str, most: int, text: str) -> str:
    return f'<simpleAssociableChoice identifier="{name}" matchMax="{most}">{text}</simpleAssociableChoice>'


def _weight(option: Option, *, single: bool) -> Decimal:
    if option.weight is not None:
        return option.weight
    return Decimal(1) if option.correct and single else Decimal(0)


def _within(variable: str, keys: Sequence[NumericKey], scored: Sequence[str]) -> str:
    """Write the score of the first key that contains the number."""
    conditions = ""
    for key, score in zip(keys, scored, strict=True):
        name = "responseElseIf" if conditions else "responseIf"
        bounds = "".join(
            f'<{test}><variable identifier="{variable}"/>{_float(bound)}</{test}>'
            for test, bound in (("gte", key.low), ("lte", key.high))
        )
        conditions += f"<{name}><and>{bounds}</and>{score}</{name}>"
    return f"<responseCondition>{conditions}</responseCondition>"


def _mapped(variable: str, share: Decimal) -> str:
    """Write the score of a gap by its mapping, unless the gap is empty."""
    given = f'<not><isNull><variable identifier="{variable}"/></isNull></not>'
    score = _add_share(f'<mapResponse identifier="{variable}"/>', share)
    return f"<responseCondition><responseIf>{given}{score}</responseIf></responseCondition>"


def _add_share(weight: str, share: Decimal) -> str:
    """Write the addition of a gap's score to the total."""
    return _set_score(f'<sum><variable identifier="SCORE"/><product>{weight}{_float(share)}</product></sum>')


def _set_score(value: str) -> str:
    return f'<setOutcomeValue identifier="SCORE">{value}</setOutcomeValue>'


def _float(value: Decimal) -> str:
    return f'<baseValue baseType="float">{digits(value)}</baseValue>'


def _declaration(name: str, cardinality: str, base: str, correct: list[str] | None = None, mapping: str = "") -> str:
    values = "".join(f"<value>{escape(value)}</value>" for value in correct or [])
    inside = f"<correctResponse>{values}</correctResponse>{mapping}" if values else mapping
    opener = f'<responseDeclaration identifier="{name}" cardinality="{cardinality}" baseType="{base}">'
    return f"{opener}{inside}</responseDeclaration>"


def _text_keys(keys: Sequence[TextKey], scale: Decimal) -> tuple[list[str], str]:
    """Write the correct response and the mapping of texts. QTI cannot express a star that matches any text."""
    texts = [(unescaped(key.text), key.weight * scale, _case(key)) for key in keys]
    correct = [text for (text, _, _), key in zip(texts, keys, strict=True) if key.weight == 1]
    return correct[:1], _mapping(texts, scale)


def _case(key: TextKey) -> str:
    return f' caseSensitive="{"true" if key.case_sensitive else "false"}"'


def _mapping(entries: list[tuple[str, Decimal, str]], upper: Decimal) -> str:
    if not entries:
        return ""
    listed: Iterator[str] = (
        f'<mapEntry mapKey="{escape(key)}" mappedValue="{digits(value)}"{more}/>' for key, value, more in entries
    )
    return f'<mapping defaultValue="0" lowerBound="0" upperBound="{digits(upper)}">{"".join(listed)}</mapping>'


def _template(name: str) -> str:
    return f'<responseProcessing template="{_TEMPLATES}/{name}"/>'
