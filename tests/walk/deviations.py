"""Wrong servers, each with one deviation and the rules that the walk must report as broken."""

from typing import Final

from lms_tui.qa.walk.values import seconds
from tests.walk.changes import (
    allowed,
    always_asha,
    anothers_attempts_too,
    answers_lost,
    any_password,
    anyone,
    cannot_be_cleared,
    changed_by_others,
    completed,
    does_not_add_up,
    each,
    essay_on_one_line,
    first_answer_stays,
    forgets_in_between,
    frozen,
    gaps_are_lost,
    last_time_kept,
    late_answer_counts,
    later,
    lower_case_header_is_unknown,
    marked_again,
    more_watched_than_there_is,
    named_time_over,
    never_counts,
    never_over,
    no_last_page,
    no_reports,
    not_found,
    not_restarted,
    nothing_is_right,
    nothing_said,
    of_every_exam,
    one_more_later,
    one_of_several,
    pages_have_offsets,
    question,
    refused_with,
    refuses_the_same_again,
    row_twice,
    running,
    runs_again,
    score_off,
    second_section_runs,
    shown_to_others,
    spends_time_after_the_end,
    status,
    still_available,
    tells_the_key,
    text_is_cut,
    unfiltered,
    unsigned,
    without_the_running,
)
from tests.walk.wrong_server import Change, Deviation, Twist

ME = r"GET /api/v2\.2/me/$"
STATS = r"GET .*/me/stats/$"
EXAMS = r"GET /api/v2\.2/exams/$"
CREATE = r"POST .*/exams/sums/attempts/$"
OF_EXAM = r"GET .*/exams/[^/]+/attempts/$"
LIST = r"GET /api/v2\.2/attempts/$"
ONE = r"GET /api/v2\.2/attempts/\d+$"
ATTEMPT = (
    r"(GET|PUT) /api/v2\.2/attempts/(\d+(/(start|heartbeat|end)/)?)?$|POST .*/attempts/$|GET .*/exams/[^/]+/attempts/$"
)
START = r"PUT .*/start/$"
BEAT = r"PUT .*/heartbeat/$"
END = r"PUT .*/attempts/\d+/end/$"
QUESTIONS = r"GET .*/attempts/\d+/questions/$"
ANSWER = r"PUT .*/questions/\d+$"
REVIEW = r"GET .*/review/$"
SUBJECTS = r"GET .*/review/subjects/$"


def _broken(name: str, at: str, change: Change, *rules: str) -> Deviation:
    return Deviation(name, frozenset(rules), at, change)


def _real(name: str, at: str, change: Change, *rules: str) -> Deviation:
    """An answer that lets the walk go another way, so that the service has to stand behind it."""
    return Deviation(name, frozenset(rules), at, change, real=True)


def _live(name: str, at: str, twist: Twist, *rules: str) -> Deviation:
    return Deviation(name, frozenset(rules), at, live=twist, real=True)


DEVIATIONS: Final = (
    _live("the header's name has to be written one way", ME, lower_case_header_is_unknown, "auth.header"),
    _broken("signatures are not looked at", ME, unsigned, "auth.identity", "auth.refused"),
    _broken("everyone is asha", ME, always_asha, "auth.identity"),
    _broken("no token is answered 403", ME, lambda r, m: r.refuse(403) if r.status == 401 else None, "auth.refused"),
    _broken("a wrong password is answered 401", r"POST .*/auth-token/$",
            lambda r, m: r.refuse(401) if r.status == 400 else None, "auth.wrong-password"),
    _broken("a wrong password gets a token", r"POST .*/auth-token/$", any_password,
            "auth.password", "auth.wrong-password"),
    _broken("display_name is the user name", ME, each("display_name", "someone"), "me.fields"),
    _broken("the phone is missing", ME, each("phone", None), "me.fields"),
    _broken("count is a string", LIST, lambda r, m: r.tree.update(count=str(r.tree["count"])), "list.envelope"),
    _broken("per_page is missing", REVIEW,
            lambda r, m: r.tree.pop("per_page", None) if r.status == 200 else None, "list.envelope"),
    _live("next has an offset", QUESTIONS, pages_have_offsets, "list.next"),
    _broken("pages say that they hold 25", LIST, lambda r, m: r.tree.update(per_page=25), "list.page-size"),
    _broken("moments have no offset", ATTEMPT, each("date", lambda text: str(text).rstrip("Z")), "format.datetime"),
    _broken("time is a number of seconds", ATTEMPT, each("time_taken", seconds), "format.duration"),
    _broken("the score is a number after the end", ATTEMPT, completed("score", float), "format.decimal", "end.score"),
    _broken("a count is missing from the statistics", STATS, each("videos_watched", None), "stats.fields"),
    _broken("reports are null", STATS, no_reports, "stats.report"),
    _broken("more videos are watched than there are", STATS, more_watched_than_there_is, "stats.totals"),
    _broken("a running attempt is counted", STATS, one_more_later("exams_attempted"), "stats.running"),
    _broken("an attempt makes a new exam", STATS, one_more_later("total_exams"), "stats.totals"),
    _broken("an ended attempt is not counted", STATS, never_counts, "stats.completed"),
    _broken("exams do not tell how often", EXAMS, each("attempts_count", None), "exams.list"),
    _broken("an attempted exam is still available", EXAMS, still_available, "exams.state"),
    _broken("a new attempt is Started", CREATE, each("state", "Started"), "create.running"),
    _broken("a new attempt is of another exam", CREATE,
            lambda r, m: r.tree["exam"].update(slug="another"), "create.running", "attempt.same"),
    _broken("a new attempt has rank 0", CREATE, each("rank", 0), "create.timer"),
    _broken("a new attempt has no time", CREATE, each("remaining_time", "0:00:00"), "create.timer"),
    _broken("a new attempt has its score as a string", CREATE, each("score", str), "create.score"),
    _broken("an exam of the future can be started", r"POST .*/exams/later/", later, "create.available"),
    _broken("an exam that does not exist can be started", r"POST .*/exams/lms-tui-walk.*/",
            lambda r, m: setattr(r, "status", 200), "create.available"),
    _broken("one retake too many", r"POST .*/exams/once/", later, "create.retakes"),
    _broken("attempts have no speed", ATTEMPT, each("speed", None), "attempt.fields"),
    _broken("the rank is null", ATTEMPT, running("rank", None), "attempt.fields", "create.timer"),
    _broken("the exam has no template", ATTEMPT, lambda r, m: [row["exam"].pop("template_type") for row in r.rows
            if "exam" in row], "attempt.exam"),
    _broken("marks are numbers", ATTEMPT, lambda r, m: [row["exam"].update(negative_marks=1.0) for row in r.rows
            if "exam" in row], "attempt.exam"),
    _broken("a heartbeat has no exam_url", BEAT, each("exam_url", None), "attempt.exam-url"),
    _broken("lists have users as objects", LIST, each("user", {"username": "asha"}), "attempt.user"),
    _broken("a heartbeat has its user as a string", BEAT, each("user", "asha"), "attempt.user"),
    _broken("a heartbeat is of another exam", BEAT,
            lambda r, m: r.tree["exam"].update(slug="another") if r.status == 200 else None, "attempt.same"),
    _broken("another attempt is read", ONE, running("id", 4711), "attempt.get", "attempt.same"),
    _broken("running attempts are not listed", LIST, without_the_running,
            "attempts.list", "attempts.course", "attempts.title"),
    _broken("attempts of others are listed", LIST, anothers_attempts_too, "attempts.list", "attempt.user"),
    _broken("all attempts are listed for an exam", OF_EXAM, of_every_exam, "attempts.of-exam", "attempt.same"),
    _broken("the filter by course does nothing", LIST, unfiltered("course"), "attempts.course"),
    _broken("the filter by title does nothing", LIST, unfiltered("q"), "attempts.title"),
    _broken("start says nothing new", f"{START}|{ONE}", frozen("last_started_time"), "start.running"),
    _broken("start ends a pause without forgiving it", START, not_restarted, "start.pause"),
    _broken("the time that is left stands still", BEAT, frozen("remaining_time"), "heartbeat.remaining"),
    _broken("the time that was taken stands still", BEAT, frozen("time_taken"), "heartbeat.taken"),
    _broken("a heartbeat fails", BEAT, status(500), "heartbeat.running"),
    _broken("time is never over", ONE, never_over, "time.over"),
    _broken("time over has a name of its own", ONE, named_time_over, "time.completed"),
    _broken("what was answered before the time was over is lost", REVIEW, last_time_kept, "time.kept"),
    _real("questions have no type", QUESTIONS, question("type", 5), "questions.fields"),
    _broken("questions tell their key", QUESTIONS, tells_the_key, "questions.key", "answer.echo"),
    _real("the last page of questions is missing", QUESTIONS, no_last_page, "questions.pages"),
    _broken("a question is on the pages twice", QUESTIONS, row_twice, "questions.pages"),
    _broken("new questions count as visited", QUESTIONS,
            lambda r, m: [row.update(review=False) for row in r.rows if row["review"] is None], "questions.fresh"),
    _broken("the first answer stays", ANSWER, first_answer_stays, "answer.single", "answer.flag"),
    _broken("one of several answers is kept", ANSWER, one_of_several, "answer.several"),
    _broken("an answer cannot be taken back", ANSWER, cannot_be_cleared, "answer.cleared"),
    _broken("the same answer again is a conflict", ANSWER, refuses_the_same_again, "answer.again", "answer.echo"),
    _broken("flags are not kept", ANSWER, each("review", False), "answer.flag"),
    _broken("an answer is not echoed", ANSWER, nothing_said, "answer.echo", "answer.single",
            "answer.several", "answer.cleared", "answer.flag", "answer.text", "answer.essay", "answer.gaps"),
    _broken("answers are forgotten", QUESTIONS, forgets_in_between, "answer.kept", "other.untouched"),
    _broken("texts are cut", ANSWER, text_is_cut, "answer.text"),
    _broken("essays lose their lines", ANSWER, essay_on_one_line, "answer.essay"),
    _broken("gaps are not kept", ANSWER, gaps_are_lost, "answer.gaps"),
    _broken("someone else's attempt is not found", ONE, not_found, "other.read"),
    _broken("someone else's attempt is shown", ONE, shown_to_others, "other.read"),
    _broken("someone else's questions are shown", QUESTIONS, shown_to_others, "other.questions"),
    _broken("someone else's attempts are listed", LIST, shown_to_others, "other.lists"),
    _live("anyone may end an attempt", "", anyone(END), "other.moves", "other.untouched", "review.early",
          "end.completed"),
    _live("anyone may answer", "", anyone(ANSWER), "other.moves", "other.untouched", "end.late"),
    _broken("answers change when others come by", QUESTIONS, changed_by_others, "other.untouched"),
    _broken("a running attempt can be reviewed", REVIEW, allowed(), "review.early", "other.questions"),
    _broken("an ended attempt is Finished", f"{END}|{ONE}|{LIST}|{OF_EXAM}", completed("state", "Finished"),
            "end.completed", "end.start", "time.completed"),
    _broken("one question too few is unanswered", END, each("unanswered_count", lambda n: n - 1), "end.counts"),
    _broken("the score is not what the marks add up to", f"{END}|{ONE}", score_off, "end.score"),
    _broken("the percentile is 250", f"{END}|{ONE}", completed("percentile", 250.0), "end.score"),
    _broken("a second end marks again", ONE, marked_again, "end.twice"),
    _broken("an ended attempt starts again", START, allowed({"state": "Running"}), "end.start", "other.moves"),
    _broken("an ended attempt runs after start", ONE, runs_again, "end.start"),
    _broken("an ended attempt shows its questions", QUESTIONS, allowed(), "end.questions", "other.questions"),
    _broken("an ended attempt takes answers", ANSWER, allowed({}), "end.questions", "other.moves", "time.over"),
    _broken("a heartbeat spends time after the end", ONE, spends_time_after_the_end, "end.heartbeat"),
    _broken("a late answer counts", REVIEW, late_answer_counts, "end.late", "review.counts", "end.score"),
    _broken("what has ended is a conflict", f"{START}|{QUESTIONS}|{ANSWER}", refused_with(409), "end.status"),
    _broken("the review has no explanations", REVIEW,
            lambda r, m: [row["question"].pop("explanation_html") for row in r.rows], "review.fields"),
    _broken("the review has its order as strings", REVIEW, each("order", str), "review.fields"),
    _broken("the last page of the review is missing", REVIEW, no_last_page, "review.pages"),
    _broken("the review has lost answers", REVIEW, answers_lost, "review.answers",
            "review.counts", "end.score"),
    _broken("no answer of the review is right", REVIEW, nothing_is_right, "review.key", "review.counts", "end.score"),
    _broken("the counts are swapped", f"{END}|{ONE}",
            lambda r, m: r.tree.update(correct_count=r.tree.get("incorrect_count"),
                                       incorrect_count=r.tree.get("correct_count")) if r.status == 200 else None,
            "review.counts"),
    _broken("subjects have no score", SUBJECTS, each("score", None), "subjects.fields"),
    _broken("subjects do not add up", SUBJECTS, does_not_add_up, "subjects.sums"),
    _broken("the parents of subjects are missing", SUBJECTS, each("parent", 4711), "subjects.sums"),
    _broken("sections have no state", r"POST .*/attempts/$",
            lambda r, m: [one.pop("state") for one in r.tree.get("sections", [])], "sections.fields", "sections.lock"),
    _broken("every section runs at once", r"POST .*/exams/parts/", second_section_runs, "sections.lock"),
)  # fmt: skip
