"""Every row of the API document with what it answers: well, to who may not, to what is not there, to wrong input.

`{…}` in paths stands for what `furnished` has made; `NOWHERE` for the same where nothing is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.service.authorisation import Who

NOWHERE: Final[Mapping[str, str]] = {
    "slug": "nothing",
    "exam_slug": "nothing",
    "course_id": "999999",
    "content_id": "999999",
    "video_id": "00000000-0000-4000-8000-000000000000",
    "user_id": "999999",
    "mentor_id": "999999",
    "batch_id": "999999",
    "attempt_id": "999999",
    "question_id": "999999",
}


@dataclass(frozen=True)
class Wrong:
    """A body that is refused with 400, and the fields that say why."""

    body: Any
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Described:
    """A row of the document. `absent`: what is answered where nothing is at the path; 0 where it names nothing.

    `refused`: who is named as refused, and with what. `state`: of the attempt it works on, `other`: of the one it
    does not work on. `query`: what a right one looks like, `wrong_query`: one that is refused, and with what.
    """

    method: str
    path: str
    who: Who
    status: int = 200
    body: Any = None
    absent: int = 0
    refused: tuple[tuple[Who, int], ...] = ((Who.NOBODY, 401),)
    state: str = "running"
    other: str = ""
    query: str = ""
    wrong_query: tuple[tuple[str, int], ...] = ()
    wrong: tuple[Wrong, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


_BY_ADMINS: Final = ((Who.NOBODY, 401), (Who.FORGED, 401), (Who.OWNER, 403), (Who.MODERATOR, 403), (Who.MENTOR, 403))
_BY_OWNERS: Final = ((Who.NOBODY, 401), (Who.REVOKED, 401), (Who.OTHER, 403), (Who.ADMIN, 403))
_PAGED: Final = (("?page=0", 404), ("?page=99999", 404), ("?page=x", 404))
_ACCOUNT: Final = {"username": "somebody", "password": "a good one"}
_NOT_ACCOUNTS: Final = (
    Wrong({}, ("username", "password")),
    Wrong([], ("non_field_errors",)),
    Wrong(_ACCOUNT | {"username": "two words"}, ("username",)),
    Wrong(_ACCOUNT | {"username": "asha"}, ("username",)),
    Wrong(_ACCOUNT | {"password": 5}, ("password",)),
    Wrong(_ACCOUNT | {"email": "nowhere"}, ("email",)),
    Wrong(_ACCOUNT | {"birth_date": "2001-02-03"}, ("birth_date",)),
    Wrong(_ACCOUNT | {"gender_code": "Female"}, ("gender_code",)),
    Wrong(_ACCOUNT | {"state_code": "IN-XX"}, ("state_code",)),
)
_NOT_CHANGES: Final = (
    Wrong([], ("non_field_errors",)),
    Wrong({"username": "two words"}, ("username",)),
    Wrong({"email": "nowhere", "zip": 5}, ("email", "zip")),
    Wrong({"birth_date": "03/13/2001"}, ("birth_date",)),
)
_NOT_POSTS: Final = (
    Wrong({"title": 5}, ("title",)),
    Wrong({"title": "News", "batches": "Evening"}, ("batches",)),
    Wrong({"title": "News", "batches": ["Nobody's"]}, ("batches",)),
    Wrong({"title": "News", "products": ["Nothing"]}, ("products",)),
    Wrong({"title": "News", "is_public": "perhaps"}, ("is_public",)),
)
_NAMES: Final = {"students_username": ["asha"]}
_NOT_NAMES: Final = (
    Wrong({}, ("students_username",)),
    Wrong({"students_username": "asha"}, ("students_username",)),
    Wrong({"students_username": [5]}, ("students_username",)),
)
_ATTEMPT: Final = "/api/v2.2/attempts/{attempt_id}"
_STUDENTS: Final = "/api/v2.3/admin/mentors/{mentor_id}/students"


def _admin(method: str, path: str, status: int = 200, **fields: Any) -> Described:
    return Described(method, path, Who.ADMIN, status, refused=_BY_ADMINS, **fields)


def _attempt(method: str, path: str, **fields: Any) -> Described:
    return Described(method, _ATTEMPT + path, Who.OWNER, absent=403, refused=_BY_OWNERS, **fields)


ROWS: Final = (
    # Posts
    _admin("GET", "/api/v2.2/admin/posts/", wrong_query=_PAGED),
    Described("GET", "/api/v2.2/posts/{slug}", Who.OWNER, absent=403, refused=((Who.NOBODY, 401), (Who.OTHER, 403))),
    _admin(
        "POST",
        "/api/v2.2/admin/posts/",
        201,
        body={"title": "More news"},
        wrong=(
            Wrong({}, ("title",)),
            Wrong({"title": "News", "published_date": "soon"}, ("published_date",)),
            *_NOT_POSTS,
        ),
    ),
    _admin("PUT", "/api/v2.2/admin/posts/{slug}/", body={"summary": "Short"}, absent=404, wrong=_NOT_POSTS),
    _admin("DELETE", "/api/v2.2/admin/posts/{slug}/", 204, absent=404),
    # Video embedding
    Described(
        "GET",
        "/api/v3/courses/{course_id}/contents/",
        Who.OWNER,
        absent=403,
        refused=((Who.NOBODY, 401), (Who.OTHER, 403)),
        query="?type=video",
        wrong_query=(("?type=nonsense", 400), ("?page=0", 404)),
    ),
    Described(
        "GET",
        "/api/v2.4/contents/{content_id}/",
        Who.OWNER,
        absent=403,
        refused=((Who.NOBODY, 401), (Who.OTHER, 403)),
    ),
    Described(
        "POST",
        "/api/v2.5/admin/videos/{video_id}/access-tokens/",
        Who.MODERATOR,
        201,
        body={"time_to_live": 600, "expires_after_first_usage": True},
        absent=404,
        refused=((Who.NOBODY, 401), (Who.OWNER, 403), (Who.MENTOR, 403)),
        wrong=(
            Wrong({"time_to_live": "long"}, ("time_to_live",)),
            Wrong({"time_to_live": 0}, ("time_to_live",)),
            Wrong({"expires_after_first_usage": "once"}, ("expires_after_first_usage",)),
            Wrong([], ("non_field_errors",)),
        ),
    ),
    # Admin users
    _admin("POST", "/api/v2.5/admin/users/", 201, body=_ACCOUNT, wrong=_NOT_ACCOUNTS),
    _admin("GET", "/api/v2.5/admin/users/{user_id}", absent=404),
    _admin("PUT", "/api/v2.5/admin/users/{user_id}", body={"city": "Salem"}, absent=404, wrong=_NOT_CHANGES),
    _admin("DELETE", "/api/v2.2/admin/users/{user_id}", 204, absent=404),
    _admin(
        "GET",
        "/api/v2.2/admin/users/",
        query="?email=asha@lms.test",
        wrong_query=(("", 400), ("?email=nobody@lms.test", 404)),
    ),
    # Current user and public users
    Described("GET", "/api/v2.2/me/", Who.OWNER),
    Described("GET", "/api/v2.2/users/{user_id}", Who.OTHER, absent=404),
    Described(
        "PUT",
        "/api/v2.2/users/{user_id}",
        Who.OWNER,
        body={"city": "Salem"},
        absent=403,
        refused=((Who.NOBODY, 401), (Who.OTHER, 403), (Who.ADMIN, 403)),
        wrong=(
            Wrong([], ("non_field_errors",)),
            Wrong({"email": "nowhere"}, ("email",)),
            Wrong({"birth_date": "13/2001"}, ("birth_date",)),
            Wrong({"gender": "somebody"}, ("gender",)),
            Wrong({"photo": "data:image/png;base64,AAAA"}, ("photo",)),
            Wrong({"crop_height": -1}, ("crop_height",)),
        ),
    ),
    # Mentors
    _admin("POST", "/api/v2.5/admin/mentors/", 201, body=_ACCOUNT | {"username": "noor"}, wrong=_NOT_ACCOUNTS),
    _admin("POST", "/api/v2.2/admin/mentors/", 201, body=_ACCOUNT | {"username": "omar"}, wrong=_NOT_ACCOUNTS),
    _admin("GET", "/api/v2.3/admin/mentors/"),
    _admin("GET", "/api/v2.2/admin/mentors/"),
    _admin("GET", f"{_STUDENTS}/", absent=404),
    _admin(
        "POST",
        _STUDENTS,
        body=_NAMES,
        absent=404,
        wrong=(*_NOT_NAMES, Wrong({"students_username": ["noone"]}, ("students_username",))),
    ),
    _admin("DELETE", _STUDENTS, 204, body=_NAMES, absent=404, wrong=_NOT_NAMES),
    # Batches
    _admin("GET", "/api/v2.5/admin/batches/", query="?search=even", wrong_query=_PAGED),
    _admin("GET", "/api/v2.5/admin/batches/{batch_id}", absent=404),
    _admin(
        "POST",
        "/api/v2.5/admin/batches/",
        201,
        body={"name": "Morning"},
        wrong=(
            Wrong({}, ("name",)),
            Wrong({"name": ""}, ("name",)),
            Wrong({"name": 5}, ("name",)),
            Wrong({"name": "Evening"}, ("name",)),
            Wrong([], ("non_field_errors",)),
        ),
    ),
    # Stats
    Described("GET", "/api/v2.5/me/stats/", Who.OWNER),
    # Exam attempts
    Described("GET", "/api/v2.2/attempts/", Who.OWNER, query="?course=Maths&q=run", wrong_query=_PAGED),
    Described(
        "GET",
        "/api/v2.2/exams/{exam_slug}/attempts/",
        Who.OWNER,
        absent=404,
        refused=((Who.NOBODY, 401), (Who.OTHER, 403)),
        wrong_query=_PAGED,
    ),
    _attempt("GET", ""),
    Described(
        "POST",
        "/api/v2.2/exams/{exam_slug}/attempts/",
        Who.OWNER,
        absent=404,
        refused=((Who.NOBODY, 401), (Who.OTHER, 403)),
    ),
    _attempt("PUT", "/start/", other="completed"),
    _attempt("PUT", "/heartbeat/", other="completed"),
    _attempt("PUT", "/end/", other="completed"),
    _attempt("GET", "/questions/", other="completed", wrong_query=_PAGED),
    _attempt(
        "PUT",
        "/questions/{question_id}",
        other="completed",
        body={"selected_answers": [], "review": True},
        wrong=(
            Wrong([], ("non_field_errors",)),
            Wrong({"selected_answers": "a"}, ("selected_answers",)),
            Wrong({"selected_answers": [10**15]}, ("selected_answers",)),
            Wrong({"selected_answers": ["1"]}, ("selected_answers",)),
            Wrong({"review": "yes"}, ("review",)),
            Wrong({"short_text": "words"}, ("short_text",)),
        ),
    ),
    _attempt("GET", "/review/", state="completed", other="running", wrong_query=_PAGED),
    _attempt("GET", "/review/subjects/", state="completed", other="running", wrong_query=_PAGED),
)
