"""The profile of a user, and the part that other users see."""

from datetime import date, datetime
from typing import Annotated, Final, Literal

from pydantic import Field
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from lms_tui.common.frozen import frozen
from lms_tui.service.core.bodies import YearFirst
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.playbacks import Photo
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.media import PHOTOS
from lms_tui.service.core.principal import Principal
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.emails import choose_email, taken_meanwhile
from lms_tui.service.users.personal_data import PersonalData, write_personal_data
from lms_tui.service.users.views import GENDERS, NUMBERED_GENDERS, current_view, profile_view, summary_view
from lms_tui.wire import users as wire
from lms_tui.wire.states import state_numbered

_CROP: Final = frozenset({"x_offset", "y_offset", "crop_height", "crop_width"})
_MAX_PIXELS: Final = 100_000

GenderNumber = Annotated[int, Field(strict=True, ge=0, lt=len(NUMBERED_GENDERS))]
GenderName = Literal["", "Male", "Female", "Transgender"]
Pixels = Annotated[int, Field(strict=True, ge=0, le=_MAX_PIXELS)]


class ProfileBody(PersonalData):
    """An omitted field keeps its value, null clears it.

    `gender`, `state`: also accepted in the form that `/me/` returns.
    `photo`: a base64 image (a `data:` URL), "" to remove the photo, or its current address for no change.
    """

    photo: Annotated[str, Field(strict=True)] | None = None
    x_offset: Pixels | None = None
    y_offset: Pixels | None = None
    crop_height: Pixels | None = None
    crop_width: Pixels | None = None
    birth_date: YearFirst = None
    gender: GenderNumber | GenderName | None = None
    state_choices: Annotated[int, Field(strict=True, ge=0, le=_MAX_PIXELS)] | None = None


@frozen
class NewPhoto:
    """The result of an update. `name` is for the row of the user, and `crop` has fields of `Photo`.

    `files` are stored by name.
    """

    name: str
    crop: dict[str, int]
    files: dict[str, bytes]


@frozen
class Profiles:
    """Profiles as one user sees them."""

    service: Service
    urls: Urls
    caller: Principal
    now: datetime

    def read(self, user_id: int) -> wire.UserSummary | wire.CurrentUser:
        """Return the public part of a user, or everything for the caller."""
        with self.service.database.read() as session:
            user = session.get(User, user_id, options=[selectinload(User.batches)])
            if user is None:
                raise NotFound
            return current_view(user, self.urls) if user.id == self.caller.id else summary_view(user, self.urls)

    def update(self, user_id: int, body: ProfileBody) -> wire.OwnProfile:
        """Update the profile of the caller. Raises Invalid, and Forbidden for any other ID."""
        if user_id != self.caller.id:
            raise Forbidden("You can change only your own profile.")
        _check(body, self.now.date())
        new_photo = self._new_photo(body)
        if new_photo is not None and new_photo.files:
            self.service.media.write_folder(PHOTOS, _folder(new_photo.name), new_photo.files)
        replaced = ""
        try:
            with self.service.database.write() as session:
                user = session.get_one(User, user_id, with_for_update=True)
                _describe(session, user, body)
                if new_photo is not None:
                    replaced, user.photo = user.photo, new_photo.name
                    _keep_crop(session, user_id, new_photo)
                user.modified = self.now
                session.flush()
                view = profile_view(user, session.get(Photo, user_id), self.urls)
        except BaseException as error:
            if new_photo is not None:
                self.service.media.remove_folder(PHOTOS, _folder(new_photo.name))
            taken = taken_meanwhile(error) if isinstance(error, IntegrityError) else None
            if taken is not None:
                raise taken from None
            raise
        self.service.media.remove_folder(PHOTOS, _folder(replaced))
        return view

    def _new_photo(self, body: ProfileBody) -> NewPhoto | None:
        """Render a new photo or a new crop. Return None where neither changes."""
        with self.service.database.read() as session:
            user = session.get_one(User, self.caller.id)
            present, shown = user.photo, session.get(Photo, self.caller.id)
            unchanged = body.photo is not None and body.photo == profile_view(user, shown, self.urls).photo
        given = {name: getattr(body, name) or 0 for name in _CROP & body.model_fields_set}
        whole = dict.fromkeys(_CROP, 0)
        if "photo" in body.model_fields_set and not unchanged:
            if not body.photo:
                return NewPhoto("", whole, {}) if present else None
            return self._rendered(body.photo, present, whole | given)
        kept = whole if shown is None else {name: getattr(shown, name) for name in _CROP}
        if not present or kept == kept | given:
            return None
        return self._rendered(None, present, kept | given)

    def _rendered(self, fresh: str | None, present: str, crop: dict[str, int]) -> NewPhoto | None:
        from lms_tui.service.users import photos  # noqa: PLC0415  # the image library is slow to import and rarely needed

        part = photos.Crop(crop["x_offset"], crop["y_offset"], crop["crop_width"], crop["crop_height"])
        try:
            with self.service.heavy_work:
                image = photos.read_photo(fresh) if fresh is not None else photos.decode(self._original(present))
                name, files = photos.render(image, part)
        except photos.BadPhoto as error:
            raise Invalid({"photo": [str(error)]}) from None
        return NewPhoto(name, crop, files)

    def _original(self, name: str) -> bytes:
        folder, _, ending = name.partition(".")
        path = self.service.media.find(PHOTOS, folder, f"original.{ending}")
        return b"" if path is None else path.read_bytes()


def _folder(name: str) -> str:
    return name.partition(".")[0]


def _keep_crop(session: Session, user_id: int, new_photo: NewPhoto) -> None:
    row = session.get(Photo, user_id)
    if row is None:
        session.add(Photo(user_id=user_id, **new_photo.crop))
        return
    for name, value in new_photo.crop.items():
        setattr(row, name, value)


def _check(body: ProfileBody, today: date) -> None:
    problems = {}
    if body.birth_date is not None and body.birth_date > today:
        problems["birth_date"] = ["The date of birth is in the future."]
    try:
        state_numbered(body.state_choices or 0)
    except IndexError:
        problems["state_choices"] = ["No state has this number."]
    if problems:
        raise Invalid(problems)


def _gender_code(gender: int | str | None) -> str | None:
    if isinstance(gender, int):
        return NUMBERED_GENDERS[gender] or None
    return next((code for code, name in GENDERS.items() if name == gender), None)


def _describe(session: Session, user: User, body: ProfileBody) -> None:
    write_personal_data(user, body)
    given = body.model_fields_set
    if "email" in given:
        choose_email(session, user, body.email or "")
    if "birth_date" in given:
        user.birth_date = body.birth_date
    if "gender" in given:
        user.gender_code = _gender_code(body.gender)
    if "state_choices" in given:
        user.state_code = state_numbered(body.state_choices or 0)
