from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Urls:
    """Every address that a response holds. `base`: scheme and host as the caller addressed them, no slash behind."""

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
        """`what`: questions, start or end."""
        return self._v2(f"attempts/{attempt_id}/sections/{section_id}/{what}/")

    def question(self, question_id: int) -> str:
        return self._v2(f"questions/{question_id}/")
