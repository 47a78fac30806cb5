"""The body of a sign-in."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lms_tui.service.core.text import storable


class CredentialsBody(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    username: Annotated[str, Field(strict=True, min_length=1, max_length=150), AfterValidator(storable)]
    password: Annotated[str, Field(strict=True, min_length=1)]
