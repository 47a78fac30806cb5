"""Read the interactions of a QTI 2.x or 3.0 item as questions."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from lms_tui.banks.file_types import named_types, not_known
from lms_tui.banks.model import NumericKey, Option, Pair, Question, TextKey
from lms_tui.banks.qti.body2 import INLINE, Body
from lms_tui.banks.qti.declared import Declaration, maximum
from lms_tui.banks.qti.item2 import Item2, Stem
from lms_tui.banks.qti.numbers import best, numeric_keys
from lms_tui.banks.texts import counted, literal, plain, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType


def questions(item: Item2) -> list[Question]:
    """Read the item as one question, or as one for each of its interactions. Raises Unreadable."""
    if item.body.first("printedVariable", "templateInline") or item.node.find("templateProcessing"):
        raise Unreadable("It generates a different text for each student, which is not supported.")
    found = item.interactions
    if not found:
        raise Unreadable("It has no answer field.")
    inline = [node for node in found if node.name in INLINE]
    blocks = [node for node in found if node.name not in INLINE]
    if inline and not blocks:
        return [_inline(item, inline)]
    if len(blocks) == 1 and not inline:
        return [_block(item, blocks[0], Stem(item.text()))]
    return _several(item, inline, blocks)


def _several(item: Item2, inline: list[Node], blocks: list[Node]) -> list[Question]:
    count = len(blocks) + bool(inline)
    item.warn(f"The item asks for {count} answers. Each became a separate question.")
    found = [_inline(item, inline)] if inline else []
    shared = "" if inline else item.html(item.body)
    for node in blocks:
        suffix = f"-{len(found) + 1}" if found else ""
        found.append(_block(item, node, Stem(item.source.embed(Body(item.source).prompt(node)), suffix, shared)))
    return found


# --- one interaction


def _block(item: Item2, node: Node, stem: Stem) -> Question:
    read = _READERS.get(node.name)
    if read is None:
        name = node.name if node.name != "customInteraction" else f"customInteraction {node.get('class')}"
        raise Unreadable(f"The interaction “{clean_line(name)[:60]}” is not supported.")
    return read(item, node, stem)


def _choice(item: Item2, node: Node, stem: Stem) -> Question:
    declared = item.declaration(node)
    several = declared.several or (node.get("maxChoices") not in {"", "1"} and not declared.correct)
    options = tuple(_option(item, choice, declared, several=several) for choice in node.walk("simpleChoice", "hottext"))
    if not options:
        raise Unreadable("It has no answers to choose from.")
    return item.build(QuestionType.MULTIPLE if several else QuestionType.SINGLE, stem, declared, options=options)


def _option(item: Item2, node: Node, declared: Declaration, *, several: bool) -> Option:
    name = node.get("identifier")
    correct = name in declared.keys
    weight = declared.share(name)
    if not weight or (correct and not several and weight >= 1):
        weight = None
    inside = next((child for child in node.walk("feedbackInline") if child.get("identifier") in {name, ""}), None)
    feedback = inside or item.modal_feedback(name)
    kept = [child for child in node.children if isinstance(child, str) or child.name != "feedbackInline"]
    text = item.html(Node(node.name, {}, node.line, kept))
    fixed = node.get("fixed").lower() == "true"
    return Option(text, correct, weight, item.html(feedback) if feedback else "", fixed)


def _order(item: Item2, node: Node, stem: Stem) -> Question:
    texts = {choice.get("identifier"): plain(item.html(choice)) for choice in node.walk("simpleChoice")}
    keys = item.declaration(node).keys
    order = [texts[name] for name in keys if name in texts]
    if len(order) < 2:
        raise Unreadable("Its correct order is missing.")
    item.warn("The ordering question was imported as a match of positions and items.")
    rest = [text for name, text in texts.items() if name not in keys]
    pairs = [*(Pair(f"{at}.", text) for at, text in enumerate(order, 1)), *(Pair("", text) for text in rest)]
    return item.build(QuestionType.MATCH, stem, None, pairs=tuple(pairs))


def _match(item: Item2, node: Node, stem: Stem) -> Question:
    sets = node.all("simpleMatchSet")
    if len(sets) != 2:
        raise Unreadable("It does not have two sides.")
    lefts, rights = ({each.get("identifier"): each for each in side.all("simpleAssociableChoice")} for side in sets)
    pairs = [pair for pair in _pairs(item, node) if pair[0] in lefts and pair[1] in rights]
    if len({left for left, _ in pairs}) < len(pairs):
        if len({right for _, right in pairs}) < len(pairs):
            raise Unreadable("A row matches several others, which is not supported.")
        lefts, rights, pairs = rights, lefts, [(right, left) for left, right in pairs]
    return _matched(item, node, stem, pairs, lefts, rights)


def _associate(item: Item2, node: Node, stem: Stem) -> Question:
    choices = {each.get("identifier"): each for each in node.walk("simpleAssociableChoice")}
    pairs = [pair for pair in _pairs(item, node) if pair[0] in choices and pair[1] in choices]
    named = [name for pair in pairs for name in pair]
    if len(set(named)) < len(named):
        raise Unreadable("An item is associated with several others, which is not supported.")
    lefts = {left: choices[left] for left, _ in pairs}
    rights = {name: each for name, each in choices.items() if name not in lefts}
    return _matched(item, node, stem, pairs, lefts, rights)


def _pairs(item: Item2, node: Node) -> list[tuple[str, str]]:
    """Return the keys that name two choices."""
    keys = [key.split() for key in item.declaration(node).keys]
    return [(key[0], key[1]) for key in keys if len(key) == 2]


def _matched(
    item: Item2,
    node: Node,
    stem: Stem,
    pairs: list[tuple[str, str]],
    lefts: Mapping[str, Node],
    rights: Mapping[str, Node],
) -> Question:
    if not pairs:
        raise Unreadable("Its matching pairs are missing.")
    alone = len(lefts.keys() - {left for left, _ in pairs})
    if alone:
        item.warn(f"{counted(alone, 'row')} without a match left out.")
    order = {name: at for at, name in enumerate(lefts)}
    rows = [
        Pair(item.html(lefts[left]), plain(item.html(rights[right])))
        for left, right in sorted(pairs, key=lambda pair: order[pair[0]])
    ]
    used = {right for _, right in pairs}
    rows += [Pair("", plain(item.html(each))) for name, each in rights.items() if name not in used]
    return item.build(QuestionType.MATCH, stem, item.declaration(node), pairs=tuple(rows))


def _gap_match(item: Item2, node: Node, stem: Stem) -> Question:
    texts = {each.get("identifier"): plain(_gap_text(item, each)) for each in node.walk("gapText", "gapImg")}
    gaps = list(node.walk("gap"))
    places = {gap.get("identifier"): at for at, gap in enumerate(gaps, 1)}
    pairs = [pair for pair in _pairs(item, node) if pair[0] in texts and pair[1] in places]
    if not pairs:
        raise Unreadable("The correct choices for its gaps are missing.")
    keys = sorted((TextKey(literal(texts[text]), places[gap]) for text, gap in pairs), key=lambda key: key.gap)
    numbered = Body(item.source, {id(gap): at for at, gap in enumerate(gaps, 1)}, prompts=True)
    text = f"{stem.text}{numbered.html(node)}" if stem.direction else numbered.html(item.body)
    return item.build(
        QuestionType.GAPS,
        Stem(text, stem.suffix, stem.direction),
        item.declaration(node),
        texts=tuple(keys),
        gap_choices=(tuple(texts.values()),) * len(gaps),
    )


def _gap_text(item: Item2, node: Node) -> str:
    if node.name == "gapText":
        return item.html(node)
    picture = node.first("object", "img")
    return node.get("objectLabel") or (picture.get("alt") or picture.text if picture else "")


def _slider(item: Item2, node: Node, stem: Stem) -> Question:
    declared = item.declaration(node)
    return item.build(QuestionType.NUMERIC, stem, declared, numbers=tuple(_numbers(item, node, declared)))


# --- interactions inside a text


def _inline(item: Item2, nodes: list[Node]) -> Question:
    gaps = {id(node): at for at, node in enumerate(nodes, 1)}
    if len(nodes) > 1:
        return _gaps(item, nodes, Stem(Body(item.source, gaps).html(item.body)))
    node = nodes[0]
    declared = item.declaration(node)
    stem = Stem(Body(item.source, gaps, blank=True).html(item.body))
    if node.name == "inlineChoiceInteraction":
        options = tuple(_option(item, choice, declared, several=False) for choice in node.walk("inlineChoice"))
        return item.build(QuestionType.SINGLE, stem, declared, options=options)
    if declared.numeric:
        return _slider(item, node, stem)
    keys = tuple(_texts(item, node, declared, 0))
    if not keys:
        _refuse_lost_key(item, node)
    return item.build(QuestionType.SHORT if keys else QuestionType.ESSAY, stem, declared, texts=keys)


def _gaps(item: Item2, nodes: list[Node], stem: Stem) -> Question:
    keys: list[TextKey] = []
    numbers: list[NumericKey] = []
    choices: list[tuple[str, ...]] = []
    for gap, node in enumerate(nodes, 1):
        declared = item.declaration(node)
        offered: tuple[str, ...] = ()
        if node.name == "inlineChoiceInteraction":
            texts = {each.get("identifier"): plain(item.html(each)) for each in node.walk("inlineChoice")}
            keys += [TextKey(literal(texts[key]), gap) for key in declared.keys if key in texts]
            offered = tuple(texts.values())
        elif declared.numeric:
            numbers += _numbers(item, node, declared, gap)
        elif found := list(_texts(item, node, declared, gap)):
            keys += found
        else:
            _refuse_lost_key(item, node)
        choices.append(offered)
    parts = {"numbers": tuple(numbers), "texts": tuple(keys), "gap_choices": tuple(choices) if any(choices) else ()}
    return item.build(QuestionType.GAPS, stem, None, **parts)


def _refuse_lost_key(item: Item2, node: Node) -> None:
    """Raise Unreadable if the item marks a field whose right answer was not found."""
    processing = item.node.find("responseProcessing")
    name = node.get("responseIdentifier")
    marks = processing is not None and (
        bool(processing.get("template"))
        or any(each.get("identifier") == name for each in processing.walk("variable", "mapResponse"))
    )
    if marks:
        raise Unreadable(f"The right answer of its field “{clean_line(name)[:40]}” was not found.")


def _texts(item: Item2, node: Node, declared: Declaration, gap: int) -> Iterator[TextKey]:
    weights: dict[str, tuple[Decimal, bool]] = {}
    scored = [part for part in item.scored if part.response == node.get("responseIdentifier")]
    lenient = any(not part.case_sensitive for part in scored)
    top = max((part.score for part in item.scored if part.low is None), default=Decimal(1))
    if not declared.mapping:
        weights = {part.text: (ratio(part.score, top), part.case_sensitive) for part in scored if part.text}
    for value in declared.correct:
        weights.setdefault(value, (Decimal(1), not lenient and not declared.numeric))
    for key, entry in declared.mapping.items():
        weights[key] = (ratio(entry.value, declared.scale), entry.case_sensitive)
    for text, (weight, sensitive) in weights.items():
        if weight > 0:
            yield TextKey(literal(text), gap, sensitive, weight)


def _numbers(item: Item2, node: Node, declared: Declaration, gap: int = 0) -> Iterator[NumericKey]:
    """Yield number keys. A gap is worth its best score, but our own writer writes shares."""
    name = node.get("responseIdentifier")
    conditions = [part for part in item.scored if part.response == name and part.low is not None]
    whole = (Decimal(1) if item.is_ours else None) if gap else maximum(item.node)
    return numeric_keys(declared, conditions, whole or best(conditions), gap)


def _upload(item: Item2, node: Node, stem: Stem) -> Question:
    types, unknown = named_types(node.get("type").replace(",", " ").split())
    for name in unknown:
        item.warn(not_known(name))
    return item.build(QuestionType.FILES, stem, None, file_types=types)


_Reader = Callable[[Item2, Node, Stem], Question]
_READERS: Final[Mapping[str, _Reader]] = {
    "choiceInteraction": _choice,
    "hottextInteraction": _choice,
    "orderInteraction": _order,
    "matchInteraction": _match,
    "associateInteraction": _associate,
    "gapMatchInteraction": _gap_match,
    "extendedTextInteraction": lambda item, _node, stem: item.build(QuestionType.ESSAY, stem, None),
    "uploadInteraction": _upload,
    "sliderInteraction": _slider,
}
