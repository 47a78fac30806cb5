"""The planted bugs. Most of them are bugs that exam clients really had; each names the check that catches it."""

from tests.mutants.bugs.border import AT_THE_BORDER
from tests.mutants.bugs.clock import IN_THE_CLOCK
from tests.mutants.bugs.drawn import DRAWN
from tests.mutants.bugs.forgetting import FORGETTING
from tests.mutants.bugs.journal import IN_THE_JOURNAL
from tests.mutants.bugs.line import ON_THE_LINE, WITH_ANOTHER_DEVICE
from tests.mutants.bugs.receipt import IN_THE_RECEIPT
from tests.mutants.bugs.survivors import SURVIVED

BUGS = (
    *IN_THE_JOURNAL,
    *ON_THE_LINE,
    *WITH_ANOTHER_DEVICE,
    *IN_THE_CLOCK,
    *AT_THE_BORDER,
    *IN_THE_RECEIPT,
    *FORGETTING,
    *SURVIVED,
    *DRAWN,
)
