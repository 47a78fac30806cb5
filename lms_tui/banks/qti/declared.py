"""Read the response declarations and the response processing of a QTI 2 or 3 item."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from decimal import Decimal
from typing import Final

from lms_tui.banks.texts import number, ratio
from lms_tui.banks.xml_tree import Node
from lms_tui.common.frozen import frozen

_WHOLE: Final = Decimal(1)
_SCORES: Final = frozenset({"SCORE", "score", "RAW_SCORE"})
_LIMITS: Final = frozenset({"MAXSCORE", "MINSCORE", "PENALTY"})


@frozen
class MapEntry:
    value: Decimal
    case_sensitive: bool = True


@frozen
class Declaration:
    """One response. `mapping` is empty if the item marks only the whole key."""

    cardinality: str = "single"
    base: str = "identifier"
    correct: tuple[str, ...] = ()
    mapping: dict[str, MapEntry] = field(default_factory=dict)
    default: Decimal = Decimal(0)
    upper: Decimal | None = None

    @property
    def several(self) -> bool:
        return self.cardinality in {"multiple", "ordered"}

    @property
    def numeric(self) -> bool:
        return self.base in {"float", "integer", "duration"}

    @property
    def scale(self) -> Decimal:
        """The score of the whole key in the mapping."""
        positive = [entry.value for entry in self.mapping.values() if entry.value > 0]
        top = (sum(positive, Decimal(0)) if self.several else max(positive, default=Decimal(0))) or _WHOLE
        return self.upper if self.upper is not None and self.upper > 0 else top

    def share(self, key: str) -> Decimal | None:
        """Return the share for choosing `key`, or None without a mapping."""
        if not self.mapping:
            return None
        entry = self.mapping.get(key)
        return ratio(entry.value if entry else self.default, self.scale)

    @property
    def keys(self) -> tuple[str, ...]:
        """The correct answers. If none are declared, those with the best score (one answer) or any score (several)."""
        if self.correct or not self.mapping:
            return self.correct
        if self.several:
            return tuple(key for key, entry in self.mapping.items() if entry.value > 0)
        best = max(entry.value for entry in self.mapping.values())
        return tuple(key for key, entry in self.mapping.items() if entry.value == best and best > 0)


@frozen
class Scored:
    """A condition that sets the score for a text or a span of numbers in one response."""

    response: str
    score: Decimal
    text: str = ""
    case_sensitive: bool = True
    low: Decimal | None = None
    high: Decimal | None = None
    around: bool = False
    """If true, `low` and `high` are distances from the declared correct number."""
    relative: bool = False


def declarations(item: Node) -> dict[str, Declaration]:
    processing = item.find("responseProcessing")
    template = processing.get("template") if processing else ""
    mapped = not template.rstrip("/").endswith("match_correct")
    return {node.get("identifier"): _declaration(node, mapped=mapped) for node in item.all("responseDeclaration")}


def _declaration(node: Node, *, mapped: bool) -> Declaration:
    correct, mapping = node.find("correctResponse"), node.find("mapping")
    entries: dict[str, MapEntry] = {}
    default, upper = Decimal(0), None
    if mapping and mapped:
        default = number(mapping.get("defaultValue", "0")) or default
        upper = number(mapping.get("upperBound", ""))
        for entry in mapping.all("mapEntry"):
            value = number(entry.get("mappedValue"))
            if value is not None:
                sensitive = entry.get("caseSensitive", "true").lower() != "false"
                entries[_folded(entry.get("mapKey"))] = MapEntry(value, sensitive)
    values = tuple(_folded(value.text) for value in correct.all("value")) if correct else ()
    return Declaration(
        node.get("cardinality", "single"), node.get("baseType", "identifier"), values, entries, default, upper
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


def maximum(item: Node) -> Decimal | None:
    """Return the maximum score that the item declares."""
    for node in item.all("outcomeDeclaration"):
        if node.get("identifier") == "SCORE" and (value := number(node.get("normalMaximum"))) is not None:
            return value
    for node in item.all("outcomeDeclaration"):
        if node.get("identifier") == "MAXSCORE":
            return number(node.text_of("defaultValue", "value"))
    return None


def default_of(item: Node, name: str) -> str:
    """Return the default value of an outcome."""
    found = next((node for node in item.all("outcomeDeclaration") if node.get("identifier") == name), None)
    return found.text_of("defaultValue", "value") if found else ""


def scored(item: Node) -> list[Scored]:
    """Return conditions that compare a response with a value and set a positive score.

    Spans of numbers may also set an outcome that the item adds to the score later. If no condition sets the score,
    the item has a score of another name, such as `QUE_SCORE` in exports that were converted from QTI 1.2.
    """
    processing = item.find("responseProcessing")
    if processing is None:
        return []
    conditions = list(processing.walk("responseIf", "responseElseIf"))
    responses = {node.get("identifier") for node in item.all("responseDeclaration")}
    parts = _numeric_outcomes(item) - _SCORES - _LIMITS
    found = _compared(conditions, _SCORES, parts)
    if not any(part.response in responses for part in found):
        named = {name for name in parts if "SCORE" in name.upper()}
        return _compared(conditions, named or (parts if len(parts) == 1 else set()), set())
    return found


def _compared(conditions: Sequence[Node], scores: Collection[str], parts: Collection[str]) -> list[Scored]:
    """Return the comparisons that set one of the scores, and the spans that set a part of it."""
    found: list[Scored] = []
    for node in conditions:
        whole = _score(node, scores)
        score = _score(node, parts) if whole is None else whole
        if score is not None and score > 0:
            compared = [part for child in node for part in _comparisons(child, score)]
            found += compared if whole is not None else filter(_is_span, compared)
    return found


def _numeric_outcomes(item: Node) -> set[str]:
    outcomes = item.all("outcomeDeclaration")
    return {node.get("identifier") for node in outcomes if node.get("baseType") in {"float", "integer"}}


def _is_span(part: Scored) -> bool:
    return part.low is not None


def _score(node: Node, names: Collection[str]) -> Decimal | None:
    for outcome in node.all("setOutcomeValue"):
        if outcome.get("identifier") in names:
            value = outcome.first("baseValue")
            return number(value.text) if value else _WHOLE
    return None


def _comparisons(node: Node, score: Decimal) -> Iterator[Scored]:
    variable, value = node.find("variable"), node.find("baseValue")
    match node.name:
        case "and":
            yield from _spans(node, score)
            for child in node:
                yield from (part for part in _comparisons(child, score) if child.name == "member" or _is_span(part))
        case "or":
            for child in node:
                yield from _comparisons(child, score)
        case "equal" | "equalRounded" if variable:
            yield from _equal(node, variable.get("identifier"), score)
        case "match" | "stringMatch" | "member" if variable and value:
            sensitive = node.get("caseSensitive", "true").lower() != "false"
            yield Scored(variable.get("identifier"), score, _folded(value.text), sensitive)
        case "match" | "stringMatch" if variable and (node.name == "stringMatch" or node.find("correct")):
            sensitive = node.get("caseSensitive", "true").lower() != "false"
            yield Scored(variable.get("identifier"), score, "", sensitive)
        case _:
            pass


def _spans(node: Node, score: Decimal) -> Iterator[Scored]:
    """Yield the pairs of bounds in one condition, by response."""
    lows: dict[str, Decimal | None] = {}
    highs: dict[str, Decimal | None] = {}
    for child in node:
        variable, value = child.find("variable"), child.find("baseValue")
        if not variable or not value:
            continue
        if child.name in {"gte", "gt"}:
            lows[variable.get("identifier")] = number(value.text)
        elif child.name in {"lte", "lt"}:
            highs[variable.get("identifier")] = number(value.text)
    for response, low in lows.items():
        if low is not None and (high := highs.get(response)) is not None:
            yield Scored(response, score, low=low, high=high)


def _equal(node: Node, response: str, score: Decimal) -> Iterator[Scored]:
    """Yield a number with its tolerance. Without a value, the number is the declared correct one."""
    value = node.find("baseValue")
    centre = number(value.text) if value else None
    reaches = [number(part) for part in node.get("tolerance").replace(",", " ").split()]
    below, above = ([*reaches, *reaches, None, None])[:2] if reaches else (Decimal(0), Decimal(0))
    if node.name == "equalRounded" and node.get("figures").isdigit() and len(node.get("figures")) < 3:
        below = above = Decimal(1).scaleb(-int(node.get("figures"))) / 2
    if below is None or above is None:
        return
    relative = node.get("toleranceMode") == "relative"
    if value is None or centre is None:
        yield Scored(response, score, low=-abs(below), high=abs(above), around=True, relative=relative)
        return
    unit = abs(centre) / 100 if relative else Decimal(1)
    yield Scored(response, score, text=value.text, low=centre - abs(below) * unit, high=centre + abs(above) * unit)
