"""Read the pairs of a QTI 1.2 item that asks for matches."""

from collections.abc import Callable, Iterable, Sequence

from lms_tui.banks.model import Pair
from lms_tui.banks.qti.body12 import Body12
from lms_tui.banks.qti.rules12 import Rule, earning
from lms_tui.banks.texts import plain
from lms_tui.banks.unreadable import Unreadable

Warn = Callable[[str, int], None]
"""Takes a message and its line."""


def rows(body: Body12, rules: Sequence[Rule], warn: Warn) -> tuple[Pair, ...]:
    """Return a pair for each row, and the right sides without a row. Raises Unreadable."""
    earned = list(earning(rules))
    alone = {test.response: test.value for rule, test in earned if len(rule.wanted) == 1}
    keys = alone or {test.response: test.value for _, test in earned}
    pairs: list[Pair] = []
    offered: dict[str, str] = {}
    for response in body.responses:
        texts = body.offered(response)
        offered |= texts
        left = body.materials(response)
        right = texts.get(keys.get(response.get("ident"), ""))
        if right:
            pairs.append(Pair(left, right))
        else:
            warn(f"The row “{plain(left)[:40]}” has no right side and was left out.", response.line)
    if not pairs:
        raise Unreadable("No row of this match has a right side.")
    return _with_distractors(pairs, offered.values())


def rows_of_blackboard(body: Body12, rules: Sequence[Rule]) -> tuple[Pair, ...]:
    """Read a match whose labels are empty and stand for the right sides in their order. Raises Unreadable."""
    keys = {test.response: test.value for rule in rules if not rule.other for test in rule.wanted}
    rights = body.right_sides()
    pairs: list[Pair] = []
    for left, response in body.rows():
        names = [label.get("ident") for label in response.walk("response_label")]
        wanted = keys.get(response.get("ident"), "")
        at = names.index(wanted) if wanted in names else len(rights)
        if at >= len(rights):
            raise Unreadable(f"Its row “{plain(left)[:40]}” has no right side.")
        pairs.append(Pair(left, rights[at]))
    return _with_distractors(pairs, rights)


def categories(body: Body12, rules: Sequence[Rule], warn: Warn) -> tuple[Pair, ...]:
    """Read categories as a match of each thing to its category. Raises Unreadable."""
    homes: dict[str, list[str]] = {}
    things: dict[str, str] = {}
    for response in body.responses:
        things |= {label.get("ident"): body.materials(label) for label in response.walk("response_label")}
        category = plain(body.materials(response))
        for _, test in earning(rules):
            if test.response == response.get("ident"):
                homes.setdefault(test.value, []).append(category)
    if any(len(set(found)) > 1 for found in homes.values()):
        raise Unreadable("A thing belongs to several categories, which is not supported.")
    if not homes.keys() & things.keys():
        raise Unreadable("No thing belongs to a category.")
    for name, thing in things.items():
        if name not in homes:
            warn(f"“{plain(thing)[:40]}” belongs to no category and was left out.", 0)
    pairs = [Pair(thing, homes[name][0]) for name, thing in things.items() if name in homes]
    return _with_distractors(pairs, (plain(body.materials(response)) for response in body.responses))


def _with_distractors(pairs: Sequence[Pair], offered: Iterable[str]) -> tuple[Pair, ...]:
    """Add the offered right sides that no pair has."""
    used = {pair.right for pair in pairs}
    return (*pairs, *(Pair("", text) for text in dict.fromkeys(offered) if text and text not in used))
