"""Every type of question of an exam file, answered over the wire in the service of a dry run, and scored."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.banks.exam_transfer import packed
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers import Target, write
from lms_tui.common.settings import Network, Paths, Settings
from lms_tui.runtime.dry_run import SLUG, Request, opened
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import HttpSessionProvider
from lms_tui.wire.attempts import AnswerInput, AttemptQuestion, GapFill
from tests.waiting import PATIENCE

EXAM = r"""
title: All types
duration: 1:00:00
marks: 2
negative marks: 0.5
questions:
  - {question: R, options: [{right: yes}, no]}
  - {question: C, options: [{right: one}, two, {right: three}]}
  - {question: S, answer: [joule, {text: J, weight: 50 %}]}
  - {question: N, number: 9.81 ± 0.02}
  - {question: E, essay: yes}
  - question: Ice of [[1]] g/cm³ [[2]] on [[3]]
    gaps: [{number: 0.92 ± 0.01}, {choices: [floats, sinks], answer: floats}, water]
  - {question: M, match: [{C: 0*}, {K: 273}, [100]]}
"""


@pytest.fixture(params=["yaml", "zip"])
async def provider(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[HttpSessionProvider]:
    file = tmp_path / f"types.{request.param}"
    exam = read_exam(EXAM.encode(), "types.yaml").exam
    file.write_bytes(EXAM.encode() if request.param == "yaml" else write(exam, Target.QTI).data)
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    with opened(Request(file, speed=60, left=timedelta(minutes=20)), paths.data, request.param) as run:
        service = ServiceProcess(("--data-dir", str(run.folder), *run.service_arguments()), paths.service_log)
        service.launch()
        service.give(packed(read_exam(file.read_bytes(), file.name).exam))
        provider = HttpSessionProvider(
            Settings(paths, network=Network(timeout=PATIENCE)), ProfileList(paths.profiles), service
        )
        try:
            yield provider
        finally:
            await provider.close()


TEXTS = {"G": ("0.915", "floats", "Water"), "M": ("0*", "273")}


def right(question: AttemptQuestion) -> AnswerInput:
    ids = [answer.id for answer in question.question.answers]
    match question.question.type:
        case "R":
            return AnswerInput(selected_answers=(ids[0],))
        case "C":
            return AnswerInput(selected_answers=(ids[0], ids[2]))
        case "S":
            return AnswerInput(short_text=" Joule")
        case "N":
            return AnswerInput(short_text="9,8")
        case "E":
            return AnswerInput(essay_text="Because.")
        case kind:
            fills = (GapFill(order=str(at), answer=text) for at, text in enumerate(TEXTS[kind], 1))
            return AnswerInput(gap_fill_responses=tuple(fills))


async def test_every_type_is_answered_and_scored_in_a_dry_run_at_its_own_time(
    provider: HttpSessionProvider,
) -> None:
    lms = (await provider.practice()).lms
    attempt = await lms.attempts.create(SLUG)
    assert attempt.remaining_time is not None
    assert timedelta(minutes=15) < attempt.remaining_time <= timedelta(minutes=20)
    questions = await lms.attempts.questions(attempt.id)
    assert [question.question.type for question in questions] == list("RCSNEGM")
    for question in questions:
        answer = right(question)
        echo = await lms.attempts.save(attempt.id, question.id, answer)
        assert tuple(echo.gap_fill_responses or ()) == (answer.gap_fill_responses or ())
    beat = await lms.attempts.heartbeat(attempt.id)
    assert beat.remaining_time is not None
    assert beat.remaining_time < attempt.remaining_time
    ended = await lms.attempts.end(attempt.id)
    assert (ended.correct_count, ended.incorrect_count) == (6, 0)
    assert float(ended.score or 0) == 12.0
