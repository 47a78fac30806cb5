"""A server that is not ours: `http.server` and `sqlite3`, written from the API document and its notes alone.

It has sign-in, `/me/`, exams and attempts. It has no statistics and no sections.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.walk.other_institute import EMPTY, Institute, RefusedError, Row, Views, moment

_PAGE = 20
_LOOKS_EVERY = 0.02


class Handler(BaseHTTPRequestHandler):
    """Finds the endpoint of a request by its path."""

    protocol_version = "HTTP/1.1"
    institute: ClassVar[Institute]

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass

    def _answer(self, method: str) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.institute.lock:
            try:
                status, tree = self._route(method, json.loads(content or b"{}"))
            except RefusedError as refused:
                status, tree = refused.status, refused.body
        body = json.dumps(tree).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _route(self, method: str, asked: Any) -> tuple[int, Any]:
        path = urlsplit(self.path).path
        if (method, path) in {("POST", f"/api/{version}/auth-token/") for version in ("v2.2", "v2.3", "v2.5")}:
            return 200, self.institute.sign_in(asked)
        user = self.institute.user_of(self.headers.get("Authorization", ""))
        views = Views(self.institute, f"http://{self.headers['Host']}", user)
        for verb, pattern, handle in _ROUTES:
            match = re.fullmatch(f"/api/v2.2/{pattern}", path)
            if match and verb == method:
                reply: tuple[int, Any] = handle(self, user, views, asked, *match.groups())
                return reply
        raise RefusedError(404, "Not found")

    def _page(self, rows: list[Any], show: Callable[[Any], Any], size: int = _PAGE) -> tuple[int, Any]:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        page = int(query.get("page", 1))
        base = f"http://{self.headers['Host']}{parts.path}?"

        def link(number: int) -> str | None:
            there = 1 <= number <= -(-len(rows) // size)
            return base + urlencode({**query, "page": number}) if there else None

        results = [show(row) for row in rows[(page - 1) * size : page * size]]
        links = {"next": link(page + 1), "previous": link(page - 1)}
        return 200, {"count": len(rows), "per_page": size, **links, "results": results}

    def _me(self, user: Row, views: Views, asked: Any) -> tuple[int, Any]:
        return 200, views.me()

    def _exams(self, user: Row, views: Views, asked: Any) -> tuple[int, Any]:
        query = parse_qs(urlsplit(self.path).query)
        state = query.get("state", [""])[0]
        rows = [views.listed(row) for row in self.institute.all("select * from exams order by id")]
        now = moment(self.institute.now())
        kept = {
            "upcoming": [row for row in rows if row["start_date"] > now],
            "available": [row for row in rows if row["start_date"] <= now and not row["attempts_count"]],
            "history": [row for row in rows if row["attempts_count"]],
        }
        return self._page(kept.get(state, rows), lambda row: row)

    def _attempts(self, user: Row, views: Views, asked: Any) -> tuple[int, Any]:
        query = parse_qs(urlsplit(self.path).query)
        sql = "select attempts.* from attempts join exams on exams.id = exam where user = ? and title like ?"
        values = [user["id"], f"%{query.get('q', [''])[0]}%"]
        if "course" in query:
            sql += " and course = ?"
            values.append(query["course"][0])
        rows = self.institute.all(f"{sql} order by attempts.id desc", *values)
        return self._page([self.institute.attempt(row["id"], user) for row in rows], views.attempt)

    def _of_exam(self, user: Row, views: Views, asked: Any, slug: str) -> tuple[int, Any]:
        sql = "select id from attempts where user = ? and exam = ? order by id desc"
        rows = self.institute.all(sql, user["id"], self.institute.exam(slug)["id"])
        found = [self.institute.attempt(row["id"], user) for row in rows]
        return self._page(found, lambda row: views.attempt(row, whole=True))

    def _create(self, user: Row, views: Views, asked: Any, slug: str) -> tuple[int, Any]:
        made = self.institute.create(user, self.institute.exam(slug))
        return 201, views.attempt(made, whole=True, new=True)

    def _read(self, user: Row, views: Views, asked: Any, found: str) -> tuple[int, Any]:
        return 200, views.attempt(self.institute.attempt(int(found), user))

    def _move(self, user: Row, views: Views, asked: Any, found: str, verb: str) -> tuple[int, Any]:
        row = self.institute.attempt(int(found), user)
        if verb == "end":
            self.institute.end(row)
        elif row["state"] != "Running":
            raise RefusedError(403, "The exam has already ended")
        elif verb == "start":
            now = self.institute.now()
            self.institute.run("update attempts set started = ?, ticked = ? where id = ?", now, now, row["id"])
        else:
            self.institute.tick(row)
        return 200, views.attempt(self.institute.attempt(int(found), user), whole=verb == "heartbeat")

    def _in_state(self, user: Row, found: str, state: str) -> Row:
        row = self.institute.attempt(int(found), user)
        if row["state"] != state:
            words = "The exam has already ended" if state == "Running" else "The attempt has not ended."
            raise RefusedError(403, words)
        return row

    def _questions(self, user: Row, views: Views, asked: Any, found: str) -> tuple[int, Any]:
        attempt = self._in_state(user, found, "Running")
        rows = self.institute.all("select * from questions where exam = ? order by id", attempt["exam"])
        return self._page(rows, lambda row: views.question(attempt, row))

    def _put(self, user: Row, views: Views, asked: Any, found: str, question: str) -> tuple[int, Any]:
        attempt = self._in_state(user, found, "Running")
        sql = "select * from questions where id = ? and exam = ?"
        row = self.institute.one(sql, int(question), attempt["exam"])
        known = {name: value for name, value in asked.items() if name in {*EMPTY, "review"}}
        body = {**self.institute.answer(attempt, row["id"]), **known}
        sql = "insert or replace into answers (attempt, question, body) values (?, ?, ?)"
        self.institute.run(sql, attempt["id"], row["id"], json.dumps(body))
        return 200, views.question(attempt, row)

    def _review(self, user: Row, views: Views, asked: Any, found: str) -> tuple[int, Any]:
        attempt = self._in_state(user, found, "Completed")
        rows = self.institute.all("select * from questions where exam = ? order by id", attempt["exam"])
        return self._page(
            list(enumerate(rows, start=1)), lambda numbered: views.reviewed(attempt, numbered[1], numbered[0])
        )

    def _subjects(self, user: Row, views: Views, asked: Any, found: str) -> tuple[int, Any]:
        rows = views.subjects(self._in_state(user, found, "Completed"))
        return self._page(rows, lambda row: row, 200)


_ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("GET", "me/", Handler._me),
    ("GET", "exams/", Handler._exams),
    ("GET", "attempts/", Handler._attempts),
    ("GET", "exams/([^/]+)/attempts/", Handler._of_exam),
    ("POST", "exams/([^/]+)/attempts/", Handler._create),
    ("GET", r"attempts/(\d+)", Handler._read),
    ("PUT", r"attempts/(\d+)/(start|heartbeat|end)/", Handler._move),
    ("GET", r"attempts/(\d+)/questions/", Handler._questions),
    ("PUT", r"attempts/(\d+)/questions/(\d+)", Handler._put),
    ("GET", r"attempts/(\d+)/review/", Handler._review),
    ("GET", r"attempts/(\d+)/review/subjects/", Handler._subjects),
)


@contextmanager
def serve() -> Iterator[tuple[str, Institute]]:
    """Run the server on a free port of this computer. Yields its address."""
    with closing(Institute()) as institute:
        handler = type("BoundHandler", (Handler,), {"institute": institute})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            # It looks so often whether it should end. The default is half a second, for which each test would wait.
            threading.Thread(target=server.serve_forever, args=(_LOOKS_EVERY,), daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}", institute
            finally:
                server.shutdown()
