"""How a bug is planted: an object is patched, or a parsed function is changed, for as long as a check runs.

Nothing here quotes the source of the program, so its words and its layout can change without planting a bug anew.
"""

import ast
import contextlib
import inspect
import linecache
import textwrap
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

Check = Callable[[], object]
Simple = str | int | bool | None
Plant = Callable[[], AbstractContextManager[object]]
Change = Callable[[ast.AST], int]
"""Changes a parsed function in place and returns in how many places."""
TESTS = Path(__file__).parents[1]
LIBRARY = {"planting.py"}


@dataclass(frozen=True)
class Bug:
    """`check` raises while the bug is planted, and does not without it.

    `expected`: words of the assertion that must fail, as `ast.unparse` writes it, or of what the check raises.
    """

    name: str
    plant: Plant
    check: Check
    expected: str

    @property
    def guard(self) -> str:
        return getattr(self.check, "__name__", "a check")


class NotPlantedError(LookupError):
    """The program has changed, and this bug no longer fits it: plant it anew."""


# Patched objects.


def swap(owner: object, name: str, value: object) -> Plant:
    """Give a constant, a method or a whole function another value."""

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        sound = vars(owner)[name]
        setattr(owner, name, value)
        try:
            yield
        finally:
            setattr(owner, name, sound)

    return planted


def around(function: Any, make: Callable[[Any], Callable[..., object]]) -> Plant:
    """Call `make(sound)` in the place of a function, method or property, also where it was imported by name."""

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        target = _function(function)
        sound = FunctionType(
            target.__code__, target.__globals__, target.__name__, target.__defaults__, target.__closure__
        )
        sound.__kwdefaults__ = target.__kwdefaults__
        with _code(target, _calling(make(sound))):
            yield

    return planted


def both(*plants: Plant) -> Plant:
    """Several changes that are one bug."""

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for plant in plants:
                stack.enter_context(plant())
            yield

    return planted


def _calling(replacement: Callable[..., object]) -> CodeType:
    """The code of a function that calls another one, which travels as a constant of the code."""
    code = compile("lambda *args, **kwargs: 'here'.__call__(*args, **kwargs)", "<planted>", "eval", dont_inherit=True)
    made = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
    constants = tuple(replacement if constant == "here" else constant for constant in made.co_consts)
    return made.replace(co_consts=constants)


# Parsed code.


def altered(where: Any, *changes: Change) -> Plant:
    """Change the parsed code of a function, or of every function of a class or a module that a change fits."""

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        counts = [0] * len(changes)
        with contextlib.ExitStack() as stack:
            for target in _functions(where):
                tree, found = _parsed(target), [0] * len(changes)
                for number, change in enumerate(changes):
                    found[number] = change(tree)
                if any(found):
                    counts = [a + b for a, b in zip(counts, found, strict=True)]
                    stack.enter_context(_code(target, _compiled(target, tree)))
            if not all(counts):
                raise NotPlantedError(f"{where!r} has nothing that change {counts.index(0) + 1} fits")
            yield

    return planted


def constant(old: Simple, new: Simple) -> Change:
    """Put one constant in the place of another; of a text also a part of it."""

    def value(node: ast.AST) -> ast.expr | None:
        if not isinstance(node, ast.Constant):
            return None
        if isinstance(old, str) and isinstance(node.value, str) and old in node.value:
            return ast.Constant(node.value.replace(old, str(new)))
        return ast.Constant(new) if type(node.value) is type(old) and node.value == old else None

    return lambda tree: _replaced(tree, value)


def keyword(name: str, value: Simple) -> Change:
    """Give a keyword argument of every call that has it another value."""

    def argument(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.keyword) and node.arg == name:
            return ast.keyword(name, ast.Constant(value))
        return None

    return lambda tree: _replaced(tree, argument)


def call(function: Any, instead: str) -> Change:
    """Put an expression in the place of every call of a function; of a method by its name."""
    name = function if isinstance(function, str) else _function(function).__name__

    def other(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Call) and _name(node.func) == name:
            return ast.parse(instead, mode="eval").body
        return None

    return lambda tree: _replaced(tree, other)


def condition(*names: str, becomes: bool) -> Change:
    """Make the smallest condition that mentions all names always or never true."""

    def changed(tree: ast.AST) -> int:
        fits = [node for node in _conditions(tree) if set(names) <= _names(node)]
        smallest = [node for node in fits if not any(node is not other and other in ast.walk(node) for other in fits)]
        return _replaced(tree, lambda node: ast.Constant(becomes) if node in smallest else None)

    return changed


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                yield test
            case ast.BoolOp(values=values):
                yield from values
            case ast.comprehension(ifs=ifs):
                yield from ifs
            case ast.match_case(guard=ast.expr() as guard):
                yield guard
            case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp() as value):
                yield value
            case _:
                pass


def _names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str() as name):
                found.add(name)
            case ast.Constant(value=str() as name):
                found.add(name)
            case _:
                pass
    return found


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _replaced(tree: ast.AST, other: Callable[[ast.AST], ast.AST | None]) -> int:
    """Put `other(node)` in the place of each node for which it gives one; return for how many."""
    count = 0

    class Replacing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            nonlocal count
            made = other(node)
            if made is None:
                return self.generic_visit(node)
            count += 1
            return made

    Replacing().visit(tree)
    return count


def _parsed(target: FunctionType) -> ast.Module:
    """The function without its decorators, whose work is on the object and not in the code."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(target)))
    found = tree.body[0]
    if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
        found.decorator_list = []
    return tree


def _compiled(target: FunctionType, tree: ast.Module) -> CodeType:
    """The code of the changed function, with the free names of the sound one."""
    import __future__  # noqa: PLC0415 - only its flag is of interest

    free = target.__code__.co_freevars
    if free:
        holder = ast.parse("def holder():\n" + "".join(f"    {name} = None\n" for name in free))
        outer = holder.body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.body += tree.body
        tree = holder
    flags = target.__code__.co_flags & __future__.annotations.compiler_flag
    code = compile(ast.fix_missing_locations(tree), "<planted>", "exec", flags=flags, dont_inherit=True)
    return next(found for found in _codes(code) if found.co_name == target.__code__.co_name)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


@contextlib.contextmanager
def _code(target: FunctionType, code: CodeType) -> Iterator[None]:
    sound = target.__code__
    if sound.co_freevars != code.co_freevars:
        code = code.replace(co_freevars=sound.co_freevars)
    target.__code__ = code
    try:
        yield
    finally:
        target.__code__ = sound


def _function(found: Any) -> FunctionType:
    target = inspect.unwrap(getattr(found, "fget", None) or getattr(found, "__func__", found))
    assert isinstance(target, FunctionType)
    return target


def _functions(where: Any) -> Iterator[FunctionType]:
    if isinstance(where, ModuleType):
        own = [value for value in vars(where).values() if getattr(value, "__module__", "") == where.__name__]
        yield from (function for value in own for function in _functions(value))
    elif isinstance(where, type):
        for value in vars(where).values():
            with contextlib.suppress(AssertionError):
                if (target := _function(value)).__module__ == where.__module__ and target.__code__.co_filename[
                    0
                ] != "<":
                    yield target
    elif callable(where) or isinstance(where, property):
        yield _function(where)


# Evidence of a bug.


def evidence(bug: Bug) -> str:
    """Plant the bug and run its check; return the assertion that failed, "" where none did."""
    with bug.plant():
        try:
            bug.check()
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a check raises is looked at
            return f"{_statement(error)} | {type(error).__name__}: {error}"
    return ""


def caught(bug: Bug) -> bool:
    return bug.expected in (evidence(bug) or "nothing")


def _statement(error: BaseException) -> str:
    """The innermost statement of the tests that the error passed, or the `with` around it, on one line."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if TESTS in Path(frame.filename).parents and Path(frame.filename).name not in LIBRARY
    ]
    if not frames:
        return ""
    frame = frames[-1]
    tree = ast.parse("".join(linecache.getlines(frame.filename)))
    inside = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= (frame.lineno or 0) <= (node.end_lineno or 0)
    ]
    promised: list[ast.stmt] = [node for node in inside if isinstance(node, ast.With)]
    last = promised or sorted(inside, key=lambda node: node.lineno)
    return " ".join(ast.unparse(_head(last[-1])).split()) if last else ""


def _head(statement: ast.stmt) -> ast.stmt:
    """A statement without the statements inside it."""
    if isinstance(statement, ast.With):
        return ast.fix_missing_locations(ast.With(statement.items, [ast.Pass()], lineno=0))
    return statement
