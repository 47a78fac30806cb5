"""The dialogue over services in memory: lines in, lines out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.attempt.events import InstituteTold
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Journals
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer
from lms_tui.common.settings import Profile
from lms_tui.plain.announcements import Announcements
from lms_tui.plain.exam import ExamDialogue
from lms_tui.plain.line_io import InputEndedError
from lms_tui.plain.program import PlainProgram
from lms_tui.plain.review import Review
from lms_tui.views.ports import Opening
from lms_tui.wire.attempts import AttemptSection, ExamAids, ReviewQuestion, ReviewQuestionBody
from lms_tui.wire.base import Page
from lms_tui.wire.errors import Offline, ServerFault, SignInNeeded
from tests.fakes import institute
from tests.fakes.attempts import (
    AttemptInMemory,
    PassingClock,
    StillClock,
    a_keeper,
    a_paper,
    an_exam,
    question,
    two_sections,
)
from tests.fakes.lms import FakeLms
from tests.fakes.session_provider import FakeSessionProvider, dependencies


class Script:
    """Types these lines one after the other; a line that is None ends the input. What was said stands in `said`."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.said: list[str] = []
        self.prompts: list[str] = []

    def say(self, *lines: str) -> None:
        self.said += lines

    async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
        self.prompts.append(prompt)
        await asyncio.sleep(0)
        if not self.lines:
            raise InputEndedError
        line = self.lines.pop(0)
        return line if secret or indented else line.strip()

    @property
    def text(self) -> str:
        return "\n".join(self.said)


async def sat(service: AttemptInMemory, *lines: str, clock: StillClock | None = None) -> tuple[Script, bool]:
    script = Script(*lines)
    keeper = await a_keeper(service, clock=clock or StillClock())
    over = await ExamDialogue(script, keeper, FakeLms()).run()
    keeper.close()
    return script, over


class HeldKeeper:
    """A keeper of a session that a test replaces."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def time_left(self) -> float:
        return 3000.0

    def silence(self) -> float:
        return 0.0


async def test_each_notice_of_the_institute_is_said_once() -> None:
    script, keeper = Script(), await a_keeper(AttemptInMemory(an_exam(2)))
    held = HeldKeeper(keeper.session)
    keeper.close()
    announcements = Announcements(script, held)  # type: ignore[arg-type]  # only what announcements read
    for told in (("Use 9.81.",), ("Use 9.81.", "Be quiet."), ("Be quiet.",), ()):
        held.session = replace(held.session, told=tuple(InstituteTold(text, 0.0) for text in told))
        for _ in range(2):
            announcements.tick()
    assert script.said == ["Use 9.81.", "Be quiet."]


async def test_a_choice_is_confirmed_when_it_is_saved() -> None:
    service = AttemptInMemory(an_exam(3))
    script, over = await sat(service, "b", "quit")
    assert "Question 1. Chosen: B. Saved." in script.said
    assert not over


async def test_the_end_counts_the_sections_that_are_not_open() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections())
    script, _ = await sat(service, "b", "end", "no", "quit")
    assert "1 answered; 3 unanswered: 2, 3, 4; 0 marked for review; " in script.text
    assert "; 1 section never opened: Chemistry." in script.text


async def test_the_end_names_an_open_section_that_was_not_seen() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(timed=False))
    script, _ = await sat(service, "b", "end", "no", "quit")
    assert "; 1 section not seen: Chemistry." in script.text


async def test_the_calculator_answers_lines_and_its_result_can_be_the_answer() -> None:
    service = AttemptInMemory([question(1, "<p>6 × 7?</p>", kind="N"), *an_exam(2)[1:]])
    script, _ = await sat(service, "calc 6*7", "calc *0.1", "calc 1/0", "CALC rad", "calc", "calc answer", "quit")
    assert "6*7 = 42" in script.said
    assert "ans*0.1 = 4.2" in script.said
    assert "Division by zero has no result." in script.said
    assert "Angles are in radians." in script.said
    assert any(line.startswith("Type calc and an expression with + - * / ^ ! % pi e and sqrt") for line in script.said)
    assert "Question 1. Your answer: 4.2. Saved." in script.said


async def test_a_result_is_not_put_into_a_choice() -> None:
    script, _ = await sat(AttemptInMemory(an_exam(2)), "calc answer", "calc 2", "calc answer", "quit")
    assert "The calculator has no result yet. Type calc and an expression first." in script.said
    assert "Only an answer of one line takes the result." in script.text


async def test_the_aids_of_the_exam_are_obeyed_and_read() -> None:
    lms = FakeLms()
    lms.attempts.told_aids = ExamAids(calculator="no", reference_sheet="<h3>Laws</h3><p>F = ma</p>")
    script = Script("calc 1+1", "sheet", "quit")
    keeper = await a_keeper(AttemptInMemory(an_exam(2)))
    await ExamDialogue(script, keeper, lms).run()
    keeper.close()
    assert "This exam does not allow a calculator." in script.said
    at = script.said.index("Reference sheet:")
    assert script.said[at + 1 : at + 4] == ["Heading: Laws", "F = ma", "End of the reference sheet."]


async def test_lines_of_an_essay_keep_the_blanks_at_their_start() -> None:
    service = AttemptInMemory((question(1, "<p>Write a function.</p>", kind="E"),))
    await sat(service, "=", "def f(x):", "    return x", " .", "quit")
    assert service.asked[1].essay_text == "def f(x):\n    return x"


async def test_letters_toggle_options_of_a_multiple_choice() -> None:
    service = AttemptInMemory(a_paper())
    script, _ = await sat(service, "go 2", "a c", "c", "quit")
    assert "Question 2. Chosen: A and C. Saved." in script.said
    assert "Question 2. Chosen: A. Saved." in script.said


async def test_short_text_gaps_and_an_essay_are_written() -> None:
    paper = (
        question(1, "<p>Who?</p>", kind="S"),
        question(2, "<p>The [[1]] is [[2]].</p>", kind="G"),
        question(3, "<p>Tell.</p>", kind="E"),
    )
    service = AttemptInMemory(paper)
    script, _ = await sat(service, "= Asha", "n", "1 = sky", "2 = blue", "n", "=", "One.", "Two.", ".", "end", "yes")
    assert service.asked[1].short_text == "Asha"
    assert {gap.order: gap.answer for gap in service.asked[2].gap_fill_responses} == {"1": "sky", "2": "blue"}
    assert service.asked[3].essay_text == "One.\nTwo."
    assert "The exam has ended. Every answer is on the server." in script.said


MATCH = (
    "<p>What measures what?</p><table><tr><td>Ammeter</td><td>[[1]]</td></tr>"
    "<tr><td>Barometer</td><td>[[2]]</td></tr></table>"
)


async def test_the_choices_of_a_match_are_listed_and_sent_by_letter() -> None:
    paper = (question(1, MATCH, ["electric current", "pressure &lt; 2 bar"], kind="M"),)
    service = AttemptInMemory(paper)
    script, _ = await sat(service, "1 = b", "2 = tides", "3 = a", "end", "yes")
    assert "Choices:" in script.said
    assert "B: pressure < 2 bar" in script.said
    assert "Unanswered. Type a number, = and the letter of what belongs to it, such as 1 = B." in script.said
    assert "There is no number 3. The numbers are 1, 2." in script.said
    sent = {gap.order: gap.answer for gap in service.asked[1].gap_fill_responses}
    assert sent == {"1": "pressure < 2 bar", "2": "tides"}


async def test_text_instead_of_a_number_is_saved_with_a_warning() -> None:
    service = AttemptInMemory((question(1, "<p>How many?</p>", kind="N"), question(2, "<p>Who?</p>", kind="S")))
    script, _ = await sat(service, "= sixty", "r", "= 60", "n", "= sixty", "end", "yes")
    assert "Question 1. Your answer: sixty. Saved. This is not a number (12.5, -3, 1e6)." in script.said
    assert "Your answer: sixty. This is not a number (12.5, -3, 1e6)." in script.said
    assert "Question 1. Your answer: 60. Saved." in script.said
    assert "Question 2. Your answer: sixty. Saved." in script.said
    assert (service.asked[1].short_text, service.asked[2].short_text) == ("60", "sixty")


async def test_an_unknown_text_of_a_match_is_saved_with_a_warning() -> None:
    paper = (question(1, MATCH, ["electric current", "pressure"], kind="M"),)
    service = AttemptInMemory(paper)
    script, _ = await sat(service, "1 = Z", "2 = tides", "1 = a", "2 = Pressure", "1 = z", "end", "yes")
    no_letter = "There is no Z to choose for 1: the letters are A to B."
    not_offered = "“tides” is not offered for 2: type a letter from A to B."
    assert f"Question 1. Your answer: 1: Z. Saved. {no_letter}" in script.said
    assert f"Question 1. Your answer: 1: Z; 2: tides. Saved. {no_letter} {not_offered}" in script.said
    assert f"Question 1. Your answer: 1: electric current; 2: tides. Saved. {not_offered}" in script.said
    assert "Question 1. Your answer: 1: electric current; 2: Pressure. Saved." in script.said
    assert {gap.order: gap.answer for gap in service.asked[1].gap_fill_responses} == {"1": "z", "2": "Pressure"}


async def test_the_topics_of_an_essay_are_listed_and_chosen_by_letter() -> None:
    essay = question(1, "<p>Write.</p>", kind="E")
    body = essay.question.model_copy(update={"essay_topics": ("The monsoon", "My school"), "answers": ()})
    service = AttemptInMemory((essay.model_copy(update={"question": body}),))
    script, _ = await sat(service, "b", "=", "Rain.", ".", "o", "end", "yes")
    assert "A: The monsoon" in script.said
    assert any("Type a letter from A to B for a topic, then = alone to write" in line for line in script.said)
    assert "Question 1. Your answer: My school. Saved." in script.said
    assert (service.asked[1].essay_topic, service.asked[1].essay_text) == ("My school", "Rain.")


async def test_an_unsupported_question_keeps_its_answer() -> None:
    paper = (question(1, "<p>No gap here.</p>", kind="G", gap_fill_responses=[{"order": 1, "answer": "old"}]),)
    service = AttemptInMemory(paper)
    script, _ = await sat(service, "1 = new", "end", "yes")
    assert any("has no fields for its answer. An earlier answer is kept." in line for line in script.said)
    assert [gap.answer for gap in service.asked[1].gap_fill_responses] == ["old"]


async def test_commands_show_move_and_change() -> None:
    service = AttemptInMemory(an_exam(4))
    script, _ = await sat(
        service, "a", "m", "p", "n", "w", "go 4", "n", "go 9", "t", "s", "l", "o", "r", "?", "u", "u", "u", "x", "q"
    )
    for line in (
        "Question 1. Chosen: A. Marked for review. Saved.",
        "This is the first question.",
        "This is the last question.",
        "There is no question 9. The questions are 1 to 4.",
        "3 hours left.",
        "Answered: 1. 1",
        "Unanswered: 3. 2 to 4",
        "There is nothing to undo.",
        "end: end the exam.",
    ):
        assert line in script.said, line


async def test_the_end_asks_for_confirmation() -> None:
    service = AttemptInMemory(an_exam(2))
    script, over = await sat(service, "a", "end", "no", "end", "yes")
    assert over
    assert "The exam continues." in script.said
    assert service.calls["end"] == 1
    assert service.asked[1].selected_answers


async def test_time_over_interrupts_the_open_question_and_ends_the_exam() -> None:
    class Patient(Script):
        async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
            if self.lines:
                return await super().ask(prompt, secret=secret)
            clock.now += 4000 * 3
            keeper.tick()
            await asyncio.Event().wait()
            raise AssertionError

    clock = StillClock()
    service = AttemptInMemory(an_exam(2))
    keeper = await a_keeper(service, clock=clock)
    script = Patient("c")
    assert await ExamDialogue(script, keeper, FakeLms()).run()
    assert service.calls["end"] == 1
    assert service.asked[1].selected_answers
    keeper.close()


async def test_questions_of_a_section_that_is_not_open_are_not_denied() -> None:
    script, _ = await sat(AttemptInMemory(an_exam(4), sections=two_sections()), "go 3", "a", "n", "a", "w", "quit")
    assert "Question 3 is in a section that is not open yet. The questions are 1 to 2." in script.said
    assert "Every question of this section has an answer." in script.said


async def test_sections_under_one_clock_stay_open() -> None:
    script, _ = await sat(AttemptInMemory(an_exam(4), sections=two_sections(timed=False)), "section", "quit")
    assert "All sections are open until the end of the exam." in script.text


async def test_sections_run_in_order() -> None:
    sections = [
        AttemptSection(id=1, attempt_section_id=1, name="One", order=1, state="Running", duration="0:10:00"),
        AttemptSection(id=2, attempt_section_id=2, name="Two", order=2, state="Not Started", duration="0:10:00"),
    ]
    service = AttemptInMemory(an_exam(4), sections=sections)
    script, _ = await sat(service, "a", "section", "yes", "b", "quit")
    assert "The next section has started." in script.said
    assert any(line.startswith("Question 3. Chosen: B.") for line in script.said)


async def test_answering_continues_while_an_expired_sign_in_is_renewed() -> None:
    service = AttemptInMemory(an_exam(2))
    service.coming["save"] = [SignInNeeded("The sign-in has expired.", status=401)]

    class Waiting(Script):
        async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
            for _ in range(20):
                await asyncio.sleep(0)
            return await super().ask(prompt, secret=secret)

    script = Waiting("a", "b", "sign in", "wrong", "sign in", "practice", "end", "yes")
    keeper = await a_keeper(service, clock=StillClock())
    assert await ExamDialogue(script, keeper, FakeLms()).run()
    keeper.close()
    assert "Wrong user name or password. Correct the user name or the password." in script.said
    assert "Signed in. Sending continues." in script.said
    assert service.asked[1].selected_answers == (12,)


def started(
    folder: Path, script: Script, lms: FakeLms, *, slug: str = "", profiles: Sequence[Profile] = ()
) -> PlainProgram:
    provider = FakeSessionProvider(lms, *profiles)
    opening = Opening(provider.practice, slug) if not profiles and "Server" not in script.lines else Opening()
    return PlainProgram(script, dependencies(provider, folder, journals=MemoryJournals()), opening)


async def test_a_busy_server_is_told_while_the_sign_in_waits(tmp_path: Path) -> None:
    provider = FakeSessionProvider()
    provider.busy = asyncio.Event()
    provider.busy.set()
    script = Script("https://lms.example.org", "asha", "practice", "q")
    await PlainProgram(script, dependencies(provider, tmp_path), Opening()).run()
    assert "The server is busy. Your sign-in is tried again in 12 seconds." in script.said
    assert "Goodbye. All saved answers are kept." in script.said


async def test_a_student_goes_from_the_list_to_the_review(tmp_path: Path) -> None:
    lms = FakeLms()
    script = Script("2", "start", "b", "end", "yes", "v", "i", "n", "1", "99", "back", "u", "", "s", "r", "q")
    await started(tmp_path, script, lms).run()
    text = script.text
    assert "2. Available: Five quick ones, 5 questions, 5 min." in text
    assert "The clock starts when you type start." in text
    assert "Result of Five quick ones." in text
    assert "Explanation:" in text
    assert "exams attempted." in text
    assert text.endswith("Goodbye. All saved answers are kept.")


async def test_an_exam_with_an_access_code_asks_for_it(tmp_path: Path) -> None:
    script = Script("start", "lion", "start", "tiger", "b", "quit")
    await started(tmp_path, script, FakeLms.with_access_code(), slug="five-minutes").run()
    assert script.prompts.count("Type the access code of the exam: ") == 2
    assert "Wrong access code. Correct it and try again." in script.said
    assert "Question 1. Chosen: B. Saved." in script.said


async def test_the_instructions_name_the_commands_that_open_the_aids(tmp_path: Path) -> None:
    script = Script("back", "q")
    await started(tmp_path, script, FakeLms.with_aids(), slug="five-minutes").run()
    calculator, sheet = "A scientific calculator: type calc in the exam", "A reference sheet: type sheet in the exam"
    assert f"Aids: {calculator}. {sheet}." in script.said


async def test_every_unknown_choice_of_a_menu_has_a_reply(tmp_path: Path) -> None:
    script = Script("hello", "0", "999", "-1", "", "q")
    await started(tmp_path, script, FakeLms()).run()
    assert script.said.count("Unknown choice.") == 5


async def test_a_service_error_is_shown_and_the_request_can_be_repeated(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.page", Offline("The server cannot be reached."))
    script = Script("", "q")
    await started(tmp_path, script, lms).run()
    assert "The server cannot be reached. Check the network and the server's address." in script.said
    assert any(line.startswith("1. To resume") for line in script.said)


AWAY = Offline("The server cannot be reached.")
HERE = Profile("asha at lms.example.org", "https://lms.example.org", "asha", user_id=institute.ASHA.id)


async def offline(folder: Path, *lines: str, journals: Journals, lms: FakeLms, back_at: str = "") -> Script:
    """Start with a saved sign-in while the server is away, until the line `back_at` is typed."""
    provider = FakeSessionProvider(lms, HERE, kept=True)
    provider.unreachable = AWAY
    for name in ("attempts.start", "attempts.page", "attempts.save"):
        lms.faults.fail(name, *[AWAY] * 1000)

    class Returning(Script):
        async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
            line = await super().ask(prompt, secret=secret)
            if line == back_at:
                lms.faults.coming.clear()
            return line

    script = Returning(*lines)
    await PlainProgram(script, dependencies(provider, folder, journals=journals), Opening()).run()
    return script


async def test_an_exam_that_was_begun_is_resumed_without_the_server_and_sent_when_it_is_back(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    provider = FakeSessionProvider(lms)
    given = dependencies(provider, tmp_path, journals=journals)
    await PlainProgram(Script("1", "b", "quit", "q"), given, Opening(provider.practice)).run()
    script = await offline(
        tmp_path, "1", "continue", "n", "a", "end", "yes", "", "", "q", journals=journals, lms=lms, back_at="yes"
    )
    title = institute.RESUMABLE.exam.title
    assert "Not connected yet: asha at lms.example.org." in script.said
    assert script.said.count("The server cannot be reached. Check the network and the server's address.") == 2
    assert any(line.startswith("Exams that were begun on this computer can be resumed") for line in script.said)
    assert any(line.startswith(f"1. To resume: {title}.") for line in script.said)
    assert any("1 answered" in line for line in script.said)
    assert "The exam has ended. Every answer is on the server." in script.said
    saved = {question.id: question.selected_answers for question in lms.attempts.asked[institute.RESUMABLE.id]}
    assert (saved[1], saved[2]) == ((11,), (20,))


async def test_an_exam_opens_when_the_other_window_closes(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    key = AttemptKey(lms.origin, institute.ASHA.id, institute.RESUMABLE.id)
    held = journals.open(key, "Trial")
    provider = FakeSessionProvider(lms)
    given = dependencies(provider, tmp_path, journals=journals)
    given = replace(given, clock=PassingClock(meanwhile=lambda _: held.close()))
    script = Script("1", "quit", "q")
    await PlainProgram(script, given, Opening(provider.practice)).run()
    assert "This attempt is open in another window. Waiting for it to close …" in script.said
    assert "Type ? at any time for the commands." in script.said


async def test_an_exam_of_a_window_that_stays_open_is_refused(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    journals.open(AttemptKey(lms.origin, institute.ASHA.id, institute.RESUMABLE.id), "Trial")
    provider = FakeSessionProvider(lms)
    given = replace(dependencies(provider, tmp_path, journals=journals), clock=PassingClock())
    script = Script("1", "q")
    await PlainProgram(script, given, Opening(provider.practice)).run()
    assert any("Continue in the other window, or close it and try again." in line for line in script.said)
    assert "Type ? at any time for the commands." not in script.said


async def test_going_back_from_an_exam_without_the_server_opens_nothing(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    provider = FakeSessionProvider(lms)
    given = dependencies(provider, tmp_path, journals=journals)
    await PlainProgram(Script("1", "b", "quit", "q"), given, Opening(provider.practice)).run()
    script = await offline(tmp_path, "1", "", "q", journals=journals, lms=lms)
    assert "Type ? at any time for the commands." not in script.said


async def test_answers_of_a_journal_without_questions_are_read_out_without_the_server(tmp_path: Path) -> None:
    journals = MemoryJournals()
    journal = journals.open(AttemptKey("https://lms.example.org", institute.ASHA.id, 9180), "Left behind")
    journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
    journal.close()
    script = await offline(tmp_path, "1", "q", journals=journals, lms=FakeLms())
    assert "1. To resume: Left behind. 1 answer not sent yet." in script.said
    assert "question 3: option 31" in script.text


async def test_exams_of_another_user_are_never_offered_without_the_server(tmp_path: Path) -> None:
    journals = MemoryJournals()
    journal = journals.open(AttemptKey("https://lms.example.org", 8, 1), "Somebody else's")
    journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
    journal.close()
    script = await offline(tmp_path, "", "q", journals=journals, lms=FakeLms())
    assert "Somebody else's" not in script.text
    assert "The server cannot be reached. Check the network and the server's address." in script.said


async def test_a_lost_start_is_looked_up_before_it_is_repeated(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.create", ServerFault("The service had a fault.", status=500))
    script = Script("2", "start", "start", "quit", "q")
    await started(tmp_path, script, lms).run()
    assert lms.faults.calls["attempts.create"] == 2
    assert (
        sum(attempt.exam.slug == "five-minutes" and attempt.state == "Running" for attempt in lms.attempts.known) == 1
    )


async def test_the_replay_is_read_out_after_the_exam(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    provider = FakeSessionProvider(lms)
    script = Script("2", "start", "b", "c", "n", "a", "end", "yes", "replay", "", "h", "q")
    await PlainProgram(script, dependencies(provider, tmp_path, journals=journals), Opening(provider.practice)).run()
    assert "You changed 1 answer: 1 from " in script.text
    assert any(line.startswith("Question 1: ") and "changed from B to C (from " in line for line in script.said)
    assert any(line.startswith("Mechanics: 80 %, then 80 % correct. ") for line in script.said)


async def test_the_review_tells_the_notes_and_highlights_of_the_student(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    provider = FakeSessionProvider(lms)
    script = Script("2", "start", "note count again", "end", "yes", "v", "b", "", "q")
    await PlainProgram(script, dependencies(provider, tmp_path, journals=journals), Opening(provider.practice)).run()
    told = script.said[script.said.index("Your note:") :]
    assert told[1] == "count again"


async def with_a_result(folder: Path, *, retake: bool) -> tuple[FakeLms, str]:
    """A server whose exams can be taken again or not, and the number of one that is done in the list."""
    lms = FakeLms()
    lms.attempts.known = [each.model_copy(update={"allow_retake": retake}) for each in lms.attempts.known]
    done = next(line for line in await listed(folder, lms) if ". Done: " in line)
    return lms, done.partition(".")[0]


async def test_an_exam_is_taken_again_from_its_result(tmp_path: Path) -> None:
    lms, done = await with_a_result(tmp_path, retake=True)
    script = Script(done, "t", "back", "q")
    await started(tmp_path, script, lms).run()
    assert any(prompt.startswith("Type start to") for prompt in script.prompts)


async def test_an_exam_without_retakes_does_not_offer_one(tmp_path: Path) -> None:
    lms, done = await with_a_result(tmp_path, retake=False)
    script = Script(done, "t", "", "q")
    await started(tmp_path, script, lms).run()
    assert "Unknown choice." in script.said


async def test_a_computer_without_the_journal_says_why_there_is_no_replay(tmp_path: Path) -> None:
    lms = FakeLms()
    place = next(
        number for number, line in enumerate(await listed(tmp_path, lms), 1) if line.startswith(f"{number}. Done: ")
    )
    script = Script(str(place), "replay", "", "q")
    await started(tmp_path, script, lms).run()
    assert "This computer holds no journal of this attempt" in script.text


async def listed(folder: Path, lms: FakeLms) -> list[str]:
    """The entries of the list of exams."""
    script = Script("q")
    await started(folder, script, lms).run()
    return [line for line in script.said if line[:1].isdecimal() and ". " in line]


async def test_an_exam_with_several_attempts_counts_once_in_the_list(tmp_path: Path) -> None:
    lms = FakeLms()
    slugs = {exam.slug for exams in lms.exams.lists.values() for exam in exams}
    script = Script("q")
    await started(tmp_path, script, lms).run()
    entries = [line for line in script.said if line[:1].isdecimal() and ". " in line]
    assert f"{len(slugs)} exams in {len(entries)} entries." in script.said


async def test_a_wrong_password_is_reported_and_asked_again(tmp_path: Path) -> None:
    lms = FakeLms()
    provider = FakeSessionProvider(lms)
    script = Script("https://lms.example.org", "asha", "wrong", "https://lms.example.org", "asha", "practice", "q")
    await PlainProgram(script, dependencies(provider, tmp_path, journals=MemoryJournals()), Opening()).run()
    assert "Unable to sign in with these credentials. Correct the user name or the password." in script.said
    assert script.text.endswith("kept.")


@pytest.mark.parametrize("upto", range(1, 7))
async def test_the_end_of_the_input_ends_every_dialogue(tmp_path: Path, upto: int) -> None:
    lines = ("2", "start", "b", "end", "yes", "v")[:upto]
    script = Script(*lines)
    await started(tmp_path, script, FakeLms()).run()
    assert script.said[-1] == "Goodbye. All saved answers are kept."


async def test_a_note_and_the_scratchpad_are_written_read_replaced_and_removed() -> None:
    service = AttemptInMemory(an_exam(3))
    script, _ = await sat(
        service,
        *("note", "note look again", "NOTE x = 2", "note", "n", "scratch 2 + 2", "overview", "p"),
        *("note = new", "note", "note =", "scratch", "note", "quit"),
    )
    assert script.text.count("Note: empty. To write: note and your words.") == 2
    assert "Note. Saved on this computer." in script.said
    assert script.said[script.said.index("Note:") :][:3] == ["Note:", "look again", "x = 2"]
    assert "With a note: 1. 1" in script.said
    assert "You have a note: type note." in script.said
    assert script.text.count("Note:\nnew") == 1
    assert "Note removed. Saved on this computer." in script.said
    assert "Scratchpad:\n2 + 2" in script.text
    assert not any(each.short_text or each.essay_text for each in service.asked.values())


async def test_the_overview_names_what_is_not_seen_not_sent_and_closed() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections())
    script, _ = await sat(service, "b", "overview", "quit")
    assert "Not seen: 1. 2" in script.said
    assert "Not sent: 1. 1" in script.said
    assert "Physics, 1 of 2 answered." in script.said
    assert "Chemistry, not open yet." in script.said


async def test_the_time_is_told_with_the_pace() -> None:
    script, _ = await sat(AttemptInMemory(an_exam(2)), "b", "time", "quit")
    assert "Pace: time used 0 %, answered 50 %, 1:30:00 ahead." in script.said


SAME = "The passage is the same as above. Type read to read it again."


async def test_a_shared_passage_is_read_at_its_first_question_and_on_request() -> None:
    texts = {1: "<p>Rain falls.</p>", 2: "<p>Rain falls.</p>", 4: "<p>Rain falls.</p>", 5: "<p>Snow melts.</p>"}
    service = AttemptInMemory([question(n, f"<p>Asked {n}?</p>", direction=texts.get(n)) for n in range(1, 6)])
    script, _ = await sat(service, "n", "read", "n", "n", "n", "p", "quit")
    heard = [line for line in script.said if line in {"Rain falls.", "Snow melts.", SAME} or line.startswith("Asked")]
    assert heard == [
        *("Rain falls.", "Asked 1?", SAME, "Asked 2?", "Rain falls.", "Asked 2?", "Asked 3?", SAME, "Asked 4?"),
        *("Snow melts.", "Asked 5?", "Rain falls.", "Asked 4?"),
    ]


async def test_the_review_reads_a_shared_passage_once_and_on_request() -> None:
    bodies = [ReviewQuestionBody(question_html=f"<p>Asked {n}?</p>", direction="<p>Rain falls.</p>") for n in (1, 2)]

    async def pages() -> AsyncIterator[Page[ReviewQuestion]]:
        yield Page[ReviewQuestion](results=[ReviewQuestion(id=n, order=n, question=b) for n, b in enumerate(bodies, 1)])

    script = Script("n", "read", "back")
    await Review(script, pages()).run()
    heard = [line for line in script.said if line in {"Rain falls.", SAME} or line.startswith("Asked")]
    assert heard == ["Rain falls.", "Asked 1?", SAME, "Asked 2?", "Rain falls.", "Asked 2?"]


async def test_typed_words_are_highlighted_listed_and_removed() -> None:
    text = "<p>The monsoon brings rain. The <b>monsoon</b> ends.</p>"
    service = AttemptInMemory([question(1, "<p>When does the monsoon end?</p>", direction=text), *an_exam(2)[1:]])
    script, _ = await sat(
        service,
        *("highlight", "highlight the Monsoon", "highlight “rain”", "highlight winter", "n", "p"),
        *("highlight the monsoon", "highlight", "quit"),
    )
    assert "Nothing is highlighted. To highlight: highlight and the words." in script.said
    assert "Highlighted in the passage, 2 places." in script.said
    assert "Highlighted in the question, 1 place." in script.said
    assert "The words “winter” are not in this question." in script.said
    assert "Highlighted in the passage: The monsoon" in script.said
    assert "No longer highlighted in the passage, 2 places." in script.said
    assert script.said.count("Highlighted in the passage: rain.") == 1


async def test_equal_highlights_are_read_once_with_their_number() -> None:
    service = AttemptInMemory([question(1, "<p>Rain is water. Snow is water. The ice melts.</p>"), *an_exam(2)[1:]])
    script, _ = await sat(service, "highlight water", "highlight ice", "highlight", "quit")
    listed = [line for line in script.said if line.startswith("Highlighted in the question") and ": " in line]
    assert listed == ["Highlighted in the question, 2 places: water.", "Highlighted in the question: ice"]
