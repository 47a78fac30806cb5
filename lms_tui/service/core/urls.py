from uuid import UUID

from lms_tui.common.frozen import frozen


@frozen
class Urls:
    """The addresses in responses. `base`: scheme and host of the request, without a slash at the end."""

    base: str

    def _v2(self, path: str) -> str:
        return f"{self.base}/api/v2.2/{path}"

    def user(self, user_id: int) -> str:
        return self._v2(f"users/{user_id}")

    def exam(self, slug: str) -> str:
        return self._v2(f"exams/{slug}")

    def exam_attempts(self, slug: str) -> str:
        return self._v2(f"exams/{slug}/attempts/")

    def attempt(self, attempt_id: int) -> str:
        return self._v2(f"attempts/{attempt_id}")

    def attempt_questions(self, attempt_id: int) -> str:
        return self._v2(f"attempts/{attempt_id}/questions/")

    def attempt_question(self, attempt_id: int, question_id: int) -> str:
        return self._v2(f"attempts/{attempt_id}/questions/{question_id}")

    def review(self, attempt_id: int) -> str:
        return self._v2(f"attempts/{attempt_id}/review/")

    def review_pdf(self, attempt_id: int) -> str:
        return self._v2(f"attempts/{attempt_id}/review/pdf/")

    def section(self, attempt_id: int, section_id: int, what: str) -> str:
        """`what`: `questions`, `start` or `end`."""
        return self._v2(f"attempts/{attempt_id}/sections/{section_id}/{what}/")

    def question(self, question_id: int) -> str:
        return self._v2(f"questions/{question_id}/")

    def admin_user(self, user_id: int) -> str:
        return f"{self.base}/api/v2.5/admin/users/{user_id}"

    def user_batches(self, user_id: int) -> str:
        return f"{self.base}/api/v2.5/admin/users/{user_id}/batches/"

    def batch(self, batch_id: int) -> str:
        return f"{self.base}/api/v2.5/admin/batches/{batch_id}"

    def mentor_students(self, mentor_id: int) -> str:
        return f"{self.base}/api/v2.3/admin/mentors/{mentor_id}/students/"

    def admin_post(self, slug: str) -> str:
        return self._v2(f"admin/posts/{slug}")

    def post(self, slug: str) -> str:
        return self._v2(f"posts/{slug}")

    def product(self, slug: str) -> str:
        return self._v2(f"products/{slug}")

    def course_contents(self, course_id: int) -> str:
        return f"{self.base}/api/v3/courses/{course_id}/contents/"

    def photo(self, name: str, size: str) -> str:
        """`name`: the photo of the user's row, a folder name and a file suffix."""
        folder, _, ending = name.partition(".")
        return f"{self.base}/media/photos/{folder}/{size}.{ending}"

    def playback(self, uuid: UUID, code: str) -> str:
        """Return the playback address. It grants the right to play and must not be logged."""
        return f"{self.base}/embed/{uuid}/?access_token={code}"
