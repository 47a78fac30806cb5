"""Textual's style sheets, parsed once for all apps of a test process."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from textual.css import stylesheet
from textual.css.model import RuleSet
from textual.css.parse import parse
from textual.css.tokenize import tokenize_values
from textual.css.tokenizer import Token

Variables = dict[str, list[Token]]


class _Variables(Variables):
    """The tokens of a theme's variables, as one key for everything that was parsed with them."""

    __hash__ = object.__hash__  # type: ignore[assignment] # compared by identity: each theme is kept once

    def __eq__(self, other: object) -> bool:
        return self is other


@cache
def _tokens(values: tuple[tuple[str, str], ...]) -> _Variables:
    return _Variables(tokenize_values(dict(values)))


def _tokens_once(values: dict[str, str]) -> Variables:
    return _tokens(tuple(values.items()))


@cache
def _rules(scope: str, css: str, read_from: Any, variables: _Variables, default: bool, order: int) -> list[RuleSet]:
    parsed = parse(scope, css, read_from, variable_tokens=variables, is_default_rules=default, tie_breaker=order)
    return list(parsed)


def _parse_once(
    scope: str, css: str, read_from: Any, *, variable_tokens: Variables, is_default_rules: bool, tie_breaker: int
) -> list[RuleSet]:
    assert isinstance(variable_tokens, _Variables)
    return _rules(scope, css, read_from, variable_tokens, is_default_rules, tie_breaker)


@pytest.fixture(scope="session", autouse=True)
def parse_once() -> Iterator[None]:
    """Let Textual parse a style sheet once for each theme: it keeps nothing from one app to the next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stylesheet, "tokenize_values", _tokens_once)
        patch.setattr(stylesheet, "parse", _parse_once)
        yield
