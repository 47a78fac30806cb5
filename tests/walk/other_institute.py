"""The institute of the server that is not ours, in a database in memory, and the objects of the API document."""

import base64
import binascii
import hashlib
import hmac
import json
import sqlite3
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

_TABLES = """
create table users (id integer primary key, username text unique, password text, first text, last text);
create table exams (id integer primary key, slug text unique, title text, course text, duration integer,
    retakes integer, opens real);
create table questions (id integer primary key, exam integer, type text, html text, subject text);
create table options (id integer primary key, question integer, html text, correct integer);
create table attempts (id integer primary key, exam integer, user integer, date real, started real, ticked real,
    remaining real, taken real, state text);
create table answers (attempt integer, question integer, body text, primary key (attempt, question));
"""
_GRACE = 60.0
"""Seconds after the end of the time in which an answer on its way still arrives."""
EMPTY: dict[str, Any] = {
    "selected_answers": [],
    "short_text": None,
    "essay_text": "",
    "essay_topic": None,
    "gap_fill_responses": [],
}
_IMAGES = ("photo", "large_image", "medium_image", "medium_small_image", "small_image", "x_small_image", "mini_image")
Row = sqlite3.Row


class RefusedError(Exception):
    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status)
        self.status = status
        self.body = body if isinstance(body, dict) else {"detail": body}


class Institute:
    """Users, exams and attempts in a database in memory. `moved` seconds are added to its clock."""

    def __init__(self) -> None:
        self.moved = 0.0
        self.lock = threading.Lock()
        self.secret = b"another secret"
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(_TABLES)
        for name, first, last in (("meena", "Meena", "Iyer"), ("karan", "", "")):
            self.run("insert into users (username, password, first, last) values (?, ?, ?, ?)",
                     name, self._digest("open sesame"), first, last)  # fmt: skip
        self._add_exam("algebra", "Algebra", "Mathematics", 1800, -1, "RRCRRCRRCRRCRRCRRCRRCRR")
        self._add_exam("words", "Words", "Languages", 0, 2, "RSNEG")
        self._add_exam("once-only", "Once only", "Mathematics", 600, 0, "RR")
        self._add_exam("tomorrow", "Tomorrow", "Mathematics", 600, 0, "R", opens=self.now() + 86_400)
        meena, once = self.one("select * from users where id = 1"), self.exam("once-only")
        self.end(self.attempt(self.create(meena, once)["id"], meena))

    def close(self) -> None:
        with self.lock:
            self.db.close()

    def now(self) -> float:
        return time.time() + self.moved

    def run(self, sql: str, *values: Any) -> int:
        return int(self.db.execute(sql, values).lastrowid or 0)

    def all(self, sql: str, *values: Any) -> list[Row]:
        return self.db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> Row:
        row: Row | None = self.db.execute(sql, values).fetchone()
        if row is None:
            raise RefusedError(404, "Not found")
        return row

    def _add_exam(self, *values: Any, opens: float = 0.0) -> None:
        *exam, types = values
        columns = "(slug, title, course, duration, retakes, opens)"
        made = self.run(f"insert into exams {columns} values (?, ?, ?, ?, ?, ?)", *exam, opens)  # noqa: S608 - constants
        for number, kind in enumerate(types):
            subject = "Even" if number % 2 else "Odd"
            html = f"<p>{number} + 1 = ?</p>"
            sql = "insert into questions (exam, type, html, subject) values (?, ?, ?, ?)"
            question = self.run(sql, made, kind, html, subject)
            for option in range(4 if kind in "RC" else 0):
                right = option == 1 or (kind == "C" and option == 2)
                sql = "insert into options (question, html, correct) values (?, ?, ?)"
                self.run(sql, question, f"<p>{number + option}</p>", right)

    def _digest(self, password: str) -> str:
        return hashlib.sha256(self.secret + password.encode()).hexdigest()

    def sign_in(self, asked: Any) -> Any:
        name, password = asked.get("username", ""), self._digest(str(asked.get("password", "")))
        rows = self.all("select * from users where username = ? and password = ?", name, password)
        if not rows:
            raise RefusedError(400, {"non_field_errors": ["Unable to log in with provided credentials."]})
        claims = {"user_id": rows[0]["id"], "username": name, "email": "", "exp": int(self.now()) + 86_400 * 7}
        unsigned = ".".join(_b64(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        return {"token": f"{unsigned}.{self._signature(unsigned)}"}

    def _signature(self, unsigned: str) -> str:
        return _b64(hmac.digest(self.secret, unsigned.encode(), "sha256"))

    def user_of(self, header: str) -> Row:
        scheme, _, token = header.partition(" ")
        unsigned, _, signature = token.rpartition(".")
        try:
            claims = json.loads(base64.urlsafe_b64decode(unsigned.partition(".")[2] + "=="))
            expired = claims["exp"] < self.now()
        except (ValueError, KeyError, TypeError, binascii.Error):
            raise RefusedError(401, "Authentication credentials were not provided.") from None
        if scheme != "JWT" or expired or not hmac.compare_digest(signature, self._signature(unsigned)):
            raise RefusedError(401, "Invalid token.")
        return self.one("select * from users where id = ?", claims["user_id"])

    def exam(self, slug: str) -> Row:
        return self.one("select * from exams where slug = ?", slug)

    def create(self, user: Row, exam: Row) -> Row:
        made = self.all("select * from attempts where user = ? and exam = ?", user["id"], exam["id"])
        if exam["opens"] > self.now() or (exam["retakes"] >= 0 and len(made) > exam["retakes"]):
            raise RefusedError(403, "This exam is not available.")
        now, remaining = self.now(), exam["duration"] or None
        sql = (
            "insert into attempts (exam, user, date, started, ticked, remaining, taken, state) values (?,?,?,?,?,?,?,?)"
        )
        values = exam["id"], user["id"], now, now, now, remaining, 0.0, "Running"
        return self.attempt(self.run(sql, *values), user)

    def attempt(self, found: int, user: Row) -> Row:
        """Return an attempt of a user. An attempt that used up its time has ended."""
        row = self.one("select * from attempts where id = ?", found)
        if row["user"] != user["id"]:
            raise RefusedError(403, "You do not have permission to perform this action.")
        remaining, passed = row["remaining"], self.now() - row["ticked"]
        if row["state"] == "Running" and remaining is not None and passed > remaining + _GRACE:
            sql = "update attempts set state = 'Completed', taken = taken + remaining, remaining = 0 where id = ?"
            self.run(sql, found)
            return self.one("select * from attempts where id = ?", found)
        return row

    def tick(self, row: Row) -> None:
        passed = self.now() - row["ticked"]
        remaining = None if row["remaining"] is None else max(row["remaining"] - passed, 0.0)
        sql = "update attempts set remaining = ?, taken = taken + ?, ticked = ? where id = ?"
        self.run(sql, remaining, passed, self.now(), row["id"])

    def end(self, row: Row) -> None:
        if row["state"] == "Running":
            self.tick(row)
            self.run("update attempts set state = 'Completed' where id = ?", row["id"])

    def answer(self, attempt: Row, question: int) -> dict[str, Any]:
        sql = "select body from answers where attempt = ? and question = ?"
        rows = self.all(sql, attempt["id"], question)
        return {**EMPTY, "review": None, **(json.loads(rows[0]["body"]) if rows else {})}

    def marked(self, attempt: Row) -> list[tuple[Row, str]]:
        """Return each question with its outcome: correct, incorrect or unanswered."""
        found = []
        for question in self.all("select * from questions where exam = ? order by id", attempt["exam"]):
            answer = self.answer(attempt, question["id"])
            sql = "select id from options where question = ? and correct"
            right = {row["id"] for row in self.all(sql, question["id"])}
            given = bool(answer["selected_answers"] or answer["short_text"] or answer["essay_text"])
            given = given or bool(answer["gap_fill_responses"])
            correct = bool(right) and set(answer["selected_answers"]) == right
            found.append((question, "correct" if correct else "incorrect" if given else "unanswered"))
        return found


def _b64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def moment(stamp: float) -> str:
    return datetime.fromtimestamp(stamp, UTC).isoformat(timespec="microseconds")


def _span(seconds: float | None) -> str | None:
    return None if seconds is None else str(timedelta(seconds=seconds))


def _score(outcomes: Sequence[str]) -> float:
    return 2.0 * outcomes.count("correct") - 0.5 * outcomes.count("incorrect")


class Views:
    """The objects of the document, as its tables describe them."""

    def __init__(self, institute: Institute, base: str, user: Row) -> None:
        self._institute = institute
        self._api = f"{base}/api/v2.2"
        self._user = user

    def user(self) -> dict[str, Any]:
        user = self._user
        whole = f"{user['first']} {user['last']}".strip() or user["username"]
        names = {"first_name": user["first"], "last_name": user["last"], "display_name": whole}
        address = f"{self._api}/users/{user['id']}"
        return {"id": user["id"], "url": address, "username": user["username"], **names, **dict.fromkeys(_IMAGES, "")}

    def me(self) -> dict[str, Any]:
        empty = dict.fromkeys(("email", "address1", "address2", "city", "zip", "state", "phone"), "")
        return {**self.user(), **empty, "batches": [], "birth_date": None, "gender": None}

    def exam(self, exam: Row) -> dict[str, Any]:
        no: tuple[str, ...] = ("enable_ranks", "allow_pdf", "allow_question_pdf", "variable_mark_per_question")
        no += ("allow_preemptive_section_ending", "immediate_feedback")
        found = self._institute.all("select id from questions where exam = ?", exam["id"])
        return {
            **dict.fromkeys(no, False),
            **{name: exam[name] for name in ("id", "slug", "title", "course")},
            "url": f"{self._api}/exams/{exam['slug']}",
            "description": "",
            "start_date": moment(exam["opens"]),
            "end_date": None,
            "duration": _span(exam["duration"] or None),
            "number_of_questions": len(found),
            "negative_marks": "0.50",
            "mark_per_question": "2.00",
            "template_type": 2,
            "show_answers": True,
            "allow_retake": exam["retakes"] != 0,
            "max_retakes": exam["retakes"],
            "rank_publishing_date": None,
            "created": moment(exam["opens"]),
            "sections": [],
            "categories": [],
        }

    def listed(self, exam: Row) -> dict[str, Any]:
        sql = "select state from attempts where exam = ? and user = ?"
        states = [row["state"] for row in self._institute.all(sql, exam["id"], self._user["id"])]
        counts = {"attempts_count": len(states), "paused_attempts_count": states.count("Running"), "comments_count": 0}
        return {**self.exam(exam), **counts, "attempts_url": f"{self._api}/exams/{exam['slug']}/attempts/"}

    def attempt(self, row: Row, *, whole: bool = False, new: bool = False) -> dict[str, Any]:
        outcomes = [outcome for _, outcome in self._institute.marked(row)] if row["state"] == "Completed" else []
        exam = self._institute.one("select * from exams where id = ?", row["exam"])
        address, score = f"{self._api}/attempts/{row['id']}", _score(outcomes)
        tree = self.exam(exam)
        most = 2.0 * tree["number_of_questions"]
        more = {"exam_url": tree["url"]} if whole else {}
        counts = {f"{name}_count": outcomes.count(name) for name in ("correct", "incorrect", "unanswered")}
        counts["commented_questions_count"] = counts["comments_count"] = 0
        right = counts["correct_count"] / max(counts["correct_count"] + counts["incorrect_count"], 1)
        links = {"review_url": f"{address}/review/", "questions_url": f"{address}/questions/", "review_pdf_url": ""}
        return {
            "id": row["id"],
            "url": address,
            "exam": tree,
            "date": moment(row["date"]),
            "state": row["state"],
            "user": self.user() if whole else self._user["username"],
            "total_questions": tree["number_of_questions"],
            "score": 0 if new else f"{score:.2f}",
            "percentile": 100.0 if outcomes else 0,
            **counts,
            **links,
            **more,
            "last_started_time": moment(row["started"]),
            "remaining_time": _span(row["remaining"]),
            "time_taken": _span(row["taken"]),
            "rank": "NA",
            "max_rank": "NA",
            "percentage": f"{50 * score / most:.2f}",
            "allow_retake": tree["allow_retake"],
            "remaining_attempts": None,
            "total_bonus": 0,
            "rank_enabled": False,
            "sections": [],
            "speed": 0,
            "accuracy": 100 * right,
            "institute_attempt_id": None,
        }

    def question(self, attempt: Row, question: Row) -> dict[str, Any]:
        sql = "select id, html from options where question = ? order by id"
        options = [
            {"id": option["id"], "text_html": option["html"]} for option in self._institute.all(sql, question["id"])
        ]
        shown = {"question_html": question["html"], "direction": None, "answers": options, "essay_topics": []}
        return {
            "id": question["id"],
            "url": f"{self._api}/attempts/{attempt['id']}/questions/{question['id']}",
            "question": {**shown, "subject": question["subject"], "type": question["type"]},
            "duration": None,
            **self._institute.answer(attempt, question["id"]),
        }

    def reviewed(self, attempt: Row, question: Row, order: int) -> dict[str, Any]:
        tree = self.question(attempt, question)
        sql = "select correct from options where question = ? order by id"
        for option, row in zip(tree["question"]["answers"], self._institute.all(sql, question["id"]), strict=True):
            option["is_correct"] = bool(row["correct"])
        more = {"id": question["id"], "url": tree["url"], "comments_url": f"{tree['url']}/comments/"}
        tree["question"] |= {**more, "explanation_html": "", "marks": "2.00", "negative_marks": "0.50"}
        figures = {"best_duration": 0, "average_duration": 0, "correct_percentage": 0, "comments_count": 0}
        return {**tree, **figures, "order": order}

    def subjects(self, attempt: Row) -> list[dict[str, Any]]:
        marked, rows = self._institute.marked(attempt), []
        for number, name in enumerate(sorted({question["subject"] for question, _ in marked}), start=1):
            outcomes = [outcome for question, outcome in marked if question["subject"] == name]
            counts = {outcome: outcomes.count(outcome) for outcome in ("correct", "incorrect", "unanswered")}
            more = {"parent": None, "leaf": True, "score": f"{_score(outcomes):.2f}", "total": len(outcomes)}
            rows.append({"id": number, "name": name, **counts, **more})
        return rows
