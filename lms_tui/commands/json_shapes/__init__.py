"""The form of what each command prints with `--json`. `docs/json.md` is made from it, and tests compare it."""

from typing import Any, Final

from pydantic import TypeAdapter

from lms_tui.commands.json_shapes import computer, exams, grading, people, testing
from lms_tui.commands.json_shapes.base import Shape

_EXAM, _TIME = list[exams.ListedExam], list[exams.ChangedTime]
_FAULTS = testing.Faults
SHAPES: Final[dict[str, Any]] = {
    "exam show": exams.CheckedFile,
    "exam check": exams.CheckedFile | list[exams.CheckedFile],
    "exam convert": exams.ConvertedFile,
    "exam paper": list[exams.WrittenFile],
    "exam import": list[exams.ImportedExam] | list[exams.ImportedBank],
    "exam set": list[exams.ExamSettings],
    "exam copy": list[exams.ExamSettings],
    "exam archive": list[exams.ExamSettings],
    "exam delete": list[exams.DeletedExam],
    "exam publish": _EXAM,
    "exam unpublish": _EXAM,
    "exam list": _EXAM,
    "exam export": list[exams.ExportedExam],
    "exam statistics": grading.Statistics,
    "exam results": grading.Results | list[grading.WrittenResults],
    "exam gradebook": grading.Gradebook | list[grading.WrittenGradebook],
    "exam rubric": list[grading.Criterion],
    "exam mark": list[grading.Paper] | list[grading.Released] | list[grading.AnswerFile],
    "exam correct": list[grading.MovedScore],
    "exam assign": _EXAM,
    "exam unassign": _EXAM,
    "exam time": _TIME,
    "exam end": _TIME,
    "exam reopen": _TIME,
    "exam board": list[exams.Sitting],
    "exam message": list[exams.ToldNotice],
    "deck list": list[computer.Card],
    "deck search": list[computer.Card],
    "deck stats": computer.DeckFacts,
    "deck tune": computer.TunedDeck,
    "receipt verify": grading.VerifiedReceipt,
    "receipt list": list[grading.KeptAttempt | grading.UnreadableAttempt],
    "receipt export": grading.ExportedReceipt,
    "receipt compare": list[grading.ComparedReceipt],
    "receipt key": list[grading.PublicKey],
    "profiles list": list[computer.Profile],
    "ssh-key list": list[computer.SshKey],
    "user add": list[people.User],
    "user list": list[people.User],
    "user password": list[people.User],
    "user role": list[people.User],
    "user disable": list[people.User],
    "user enable": list[people.User],
    "user allow": list[people.Allowance],
    "user import": list[people.ImportedUser],
    "batch add": list[people.Batch],
    "batch list": list[people.Batch],
    "batch join": list[people.User],
    "video add": list[people.Video],
    "video list": list[people.Video],
    "video remove": list[people.Video],
    "post add": list[people.Post],
    "post list": list[people.Post],
    "post hide": list[people.Post],
    "post show": list[people.Post],
    "audit": list[people.Change],
    "backup": list[computer.Backup],
    "restore": list[computer.Backup],
    "walk": testing.Walk | testing.Load,
    "walk run": testing.ScenarioRun,
    "walk rule": list[testing.Rule],
    "walk diff": testing.WalkDifference,
    "fault list": _FAULTS,
    "fault add": _FAULTS,
    "fault clear": _FAULTS,
    "fault clock": testing.ClockTime,
    "fault report": testing.FaultReport,
    "doctor": list[computer.Check],
}
"""By the words of the command after `lms-tui`."""


def check_output(command: str, text: str) -> None:
    """Compare what a command has printed with its form. Raises pydantic's ValidationError where it differs."""
    TypeAdapter(SHAPES[command]).validate_json(text)


__all__ = ["SHAPES", "Shape", "check_output"]
