"""Who may do what: each route with each kind of caller, and with each state of an attempt where that decides.

The tests are made from `TABLE`, and fail when the service has a route that is not in it. `{…}` in paths, bodies and
queries are filled in by `authorisation_world`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class Who(StrEnum):
    """`OWNER`: the student whose attempt, profile and batch it is. `REVOKED`: a disabled user with a live token."""

    NOBODY = "nobody"
    FORGED = "forged"
    REVOKED = "revoked"
    OTHER = "other student"
    MENTOR = "mentor"
    MODERATOR = "moderator"
    ADMIN = "admin"
    OWNER = "owner"


class Rule(StrEnum):
    """Who is let in."""

    EVERYONE = "everyone"
    SIGNED_IN = "everyone who is signed in"
    OWN = "the owner alone"
    REACHED = "the owner, and staff"
    STAFF = "staff"
    WATCH = "mentors and staff"
    ADMIN = "administrators"


_NOT_SIGNED_IN: Final = frozenset({Who.NOBODY, Who.FORGED, Who.REVOKED})
_LET_IN: Final[Mapping[Rule, frozenset[Who]]] = {
    Rule.EVERYONE: frozenset(Who),
    Rule.SIGNED_IN: frozenset(Who) - _NOT_SIGNED_IN,
    Rule.OWN: frozenset({Who.OWNER}),
    Rule.REACHED: frozenset({Who.OWNER, Who.MODERATOR, Who.ADMIN}),
    Rule.STAFF: frozenset({Who.MODERATOR, Who.ADMIN}),
    Rule.WATCH: frozenset({Who.MENTOR, Who.MODERATOR, Who.ADMIN}),
    Rule.ADMIN: frozenset({Who.ADMIN}),
}


@dataclass(frozen=True)
class Row:
    """`status`: for those who are let in. `states`: for the owner, by the state of the attempt."""

    method: str
    path: str
    rule: Rule
    status: int = 200
    body: Any = None
    query: str = ""
    states: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def key(self) -> tuple[str, str]:
        """What a route is told apart by: every path answers with and without its last slash."""
        return self.method, self.path.rstrip("/")

    def status_for(self, who: Who) -> int:
        if who in _LET_IN[self.rule]:
            return self.status
        return 401 if who in _NOT_SIGNED_IN else 403


def _states(running: int, completed: int, time_over: int) -> dict[str, int]:
    return {"running": running, "completed": completed, "time over": time_over}


_WHILE_RUNNING: Final = _states(200, 403, 403)
_WHEN_ENDED: Final = _states(403, 200, 200)
_ALWAYS: Final = _states(200, 200, 200)
_ATTEMPT: Final = "/api/v2.2/attempts/{attempt_id}"
_TOKENS: Final = "/api/v2.5/admin/videos/{video_id}/access-tokens/"
_SIGN_IN: Final = {"username": "asha", "password": "practice"}
SSH_KEY: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop"
_SSH_SIGN_IN: Final = {"username": "asha", "fingerprint": "SHA256:none", "at": 1, "proof": "none"}
_NEW: Final = {"username": "somebody", "password": "a long secret"}
_NAMES: Final = {"students_username": ["asha"]}


def _attempt(method: str, path: str, states: Mapping[str, int], body: Any = None, query: str = "") -> Row:
    return Row(method, _ATTEMPT + path, Rule.OWN, states["running"], body, query, states)


TABLE: Final = (
    *(Row("POST", f"/api/{version}/auth-token/", Rule.EVERYONE, 200, _SIGN_IN) for version in ("v2.2", "v2.3", "v2.5")),
    Row("POST", "/api/v2.5/auth-token/ssh-key/", Rule.EVERYONE, 400, _SSH_SIGN_IN),
    Row("GET", "/api/v2.5/me/ssh-keys/", Rule.SIGNED_IN),
    Row("POST", "/api/v2.5/me/ssh-keys/", Rule.SIGNED_IN, 201, {"key": SSH_KEY}),
    Row("DELETE", "/api/v2.5/me/ssh-keys/", Rule.SIGNED_IN, 404, query="?fingerprint=SHA256:none"),
    # Posts
    Row("GET", "/api/v2.2/admin/posts/", Rule.ADMIN),
    Row("POST", "/api/v2.2/admin/posts/", Rule.ADMIN, 201, {"title": "News"}),
    Row("PUT", "/api/v2.2/admin/posts/{slug}/", Rule.ADMIN, 200, {"title": "News"}),
    Row("DELETE", "/api/v2.2/admin/posts/{slug}/", Rule.ADMIN, 204),
    Row("GET", "/api/v2.2/posts/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/posts/{slug}", Rule.REACHED),
    # Courses and videos
    Row("GET", "/api/v2.5/me/courses/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.5/me/contents/", Rule.SIGNED_IN, query="?type=video"),
    Row("GET", "/api/v3/courses/{course_id}/contents/", Rule.REACHED, query="?type=video"),
    Row("GET", "/api/v2.4/contents/{content_id}/", Rule.REACHED),
    Row("POST", _TOKENS, Rule.STAFF, 201, {"time_to_live": 600}),
    Row("GET", _TOKENS, Rule.STAFF),
    Row("GET", _TOKENS + "{code}/", Rule.STAFF),
    Row("PUT", _TOKENS + "{code}/", Rule.STAFF, 200, {"time_to_live": 600}),
    Row("GET", "/embed/{video_id}/", Rule.EVERYONE, query="?access_token={code}"),
    Row("GET", "/embed/{video_id}/playback/{name}", Rule.EVERYONE),
    # Accounts, profiles and their pictures
    Row("POST", "/api/v2.5/admin/users/", Rule.ADMIN, 201, _NEW),
    Row("GET", "/api/v2.5/admin/users/{user_id}", Rule.ADMIN),
    Row("PUT", "/api/v2.5/admin/users/{user_id}", Rule.ADMIN, 200, {"city": "Salem"}),
    Row("DELETE", "/api/v2.2/admin/users/{user_id}", Rule.ADMIN, 204),
    Row("GET", "/api/v2.2/admin/users/", Rule.ADMIN, query="?email=asha@lms.test"),
    Row("GET", "/api/v2.5/admin/users/{user_id}/batches/", Rule.ADMIN),
    Row("GET", "/api/v2.2/me/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/users/{user_id}", Rule.SIGNED_IN),
    Row("PUT", "/api/v2.2/users/{user_id}", Rule.OWN, 200, {"city": "Salem"}),
    Row("GET", "/media/photos/{folder}/{file}", Rule.EVERYONE),
    # Mentors and batches
    Row("POST", "/api/v2.5/admin/mentors/", Rule.ADMIN, 201, _NEW),
    Row("POST", "/api/v2.2/admin/mentors/", Rule.ADMIN, 201, _NEW),
    Row("GET", "/api/v2.3/admin/mentors/", Rule.ADMIN),
    Row("GET", "/api/v2.2/admin/mentors/", Rule.ADMIN),
    Row("GET", "/api/v2.3/admin/mentors/{mentor_id}/students/", Rule.ADMIN),
    Row("POST", "/api/v2.3/admin/mentors/{mentor_id}/students", Rule.ADMIN, 200, _NAMES),
    Row("DELETE", "/api/v2.3/admin/mentors/{mentor_id}/students", Rule.ADMIN, 204, _NAMES),
    Row("GET", "/api/v2.5/admin/batches/", Rule.ADMIN),
    Row("GET", "/api/v2.5/admin/batches/{batch_id}", Rule.ADMIN),
    Row("POST", "/api/v2.5/admin/batches/", Rule.ADMIN, 201, {"name": "Morning"}),
    # Results of exams
    Row("GET", "/api/v2.5/admin/exams/{exam_slug}/results/", Rule.STAFF),
    Row("GET", "/api/v2.5/admin/exams/{exam_slug}/results/file/", Rule.STAFF, query="?kind=csv"),
    Row("GET", "/api/v2.5/admin/gradebook/file/", Rule.STAFF, query="?kind=csv"),
    Row("GET", "/api/v2.5/admin/exams/{exam_slug}/statistics/", Rule.STAFF),
    Row("GET", "/api/v2.5/admin/attempts/{ended_id}/review/", Rule.STAFF),
    Row("GET", "/api/v2.5/admin/attempts/{ended_id}/review/pdf/", Rule.STAFF),
    Row("GET", "/api/v2.5/admin/attempts/{ended_id}/files/{digest}", Rule.STAFF, 404),
    # Marks by hand
    Row("GET", "/api/v2.5/admin/exams/{exam_slug}/answers-to-mark/", Rule.STAFF),
    Row("PUT", "/api/v2.5/admin/exams/{exam_slug}/marks/", Rule.STAFF, 400, {"question": 1, "attempt": 1, "marks": 1}),
    Row("POST", "/api/v2.5/admin/exams/{exam_slug}/marks/release/", Rule.STAFF),
    # The exams of the institute, and the board of a running one
    Row("GET", "/api/v2.5/admin/exams/", Rule.WATCH),
    Row("GET", "/api/v2.5/admin/exams/{exam_slug}/board/", Rule.WATCH),
    Row("POST", "/api/v2.5/admin/exams/{exam_slug}/grants/", Rule.STAFF, 200, {"kind": "message", "text": "Hello"}),
    # Exams, attempts and statistics
    Row("GET", "/api/v2.5/me/stats/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/exams/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/exams/available/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/exams/upcoming/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/exams/history/", Rule.SIGNED_IN),
    Row("GET", "/api/v2.2/exams/{exam_slug}", Rule.OWN),
    Row("GET", "/api/v2.2/exams/{exam_slug}/attempts/", Rule.OWN),
    Row("POST", "/api/v2.2/exams/{exam_slug}/attempts/", Rule.OWN),
    Row("GET", "/api/v2.2/attempts/", Rule.SIGNED_IN),
    _attempt("GET", "", _ALWAYS),
    _attempt("PUT", "/start/", _WHILE_RUNNING),
    _attempt("PUT", "/heartbeat/", _WHILE_RUNNING),
    _attempt("PUT", "/end/", _WHILE_RUNNING),
    _attempt("GET", "/questions/", _WHILE_RUNNING),
    _attempt("GET", "/aids/", _WHILE_RUNNING),
    _attempt("GET", "/files/", _ALWAYS),
    _attempt("PUT", "/files/{digest}", _WHILE_RUNNING, query="?size=2&offset=1"),
    _attempt("GET", "/files/{digest}", _states(404, 404, 404)),
    _attempt("GET", "/notices/", _ALWAYS),
    _attempt("GET", "/acknowledgement/", _ALWAYS),
    _attempt("PUT", "/notices/{notice_id}/seen/", _states(204, 204, 204)),
    _attempt("PUT", "/questions/{question_id}", _WHILE_RUNNING, {"review": True}),
    _attempt("GET", "/review/", _WHEN_ENDED),
    _attempt("GET", "/review/subjects/", _WHEN_ENDED),
    _attempt("GET", "/review/pdf/", _WHEN_ENDED),
    _attempt("GET", "/sections/{section_id}/questions/", _WHILE_RUNNING),
    _attempt("PUT", "/sections/{section_id}/start/", _WHILE_RUNNING),
    _attempt("PUT", "/sections/{section_id}/end/", _WHILE_RUNNING),
)
