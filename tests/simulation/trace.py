"""What chance did in one exam, as numbered events, each of which can be left out when the exam is run again."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Trace:
    """`without`: labels of events that do not happen this time, though the seed asks for them; `only`: all that do."""

    without: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    events: dict[str, str] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    def happens(self, kind: str, moment: float, what: str) -> bool:
        """Whether an event that the seed asks for takes place; `moment`: seconds of true time."""
        self.asked[kind] += 1
        label = f"{kind}-{self.asked[kind]}"
        if label in self.without or (self.only is not None and label not in self.only):
            return False
        self.events[label] = f"{moment:12.2f} s  {label:12} {what}"
        return True
