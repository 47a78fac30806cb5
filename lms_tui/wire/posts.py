from lms_tui.wire.base import Count, DecimalString, Flag, Input, Instant, Many, OffsetInstant, Text, Wire
from lms_tui.wire.users import BatchName, UserSummary


class Author(UserSummary):
    """Who made a post, as the list of posts tells it."""

    state: Text = ""
    state_code: Text = ""
    gender: Text = ""
    gender_code: Text = ""


class Category(Wire):
    """`color`: hexadecimal digits without a leading #."""

    id: Count = 0
    name: Text = ""
    color: Text = ""
    slug: Text = ""


class StarredCategory(Category):
    is_starred: Flag = False


class ProductImages(Wire):
    original: Text = ""
    medium: Text = ""
    small: Text = ""


class Product(Wire):
    """What an institute sells, inside a post."""

    id: Count = 0
    url: Text = ""
    title: Text = ""
    slug: Text = ""
    image: Text = ""
    images: Many[ProductImages] = ()
    start_date: OffsetInstant = None
    end_date: OffsetInstant = None
    categories: Many[str] = ()
    types: Many[str] = ()
    exams_count: Count = 0
    notes_count: Count = 0
    price: DecimalString = None


class AdminPost(Wire):
    """A post as administrators have it; its content is told of one post, not in the list (API document, Posts)."""

    url: Text = ""
    id: Count = 0
    created_by: UserSummary = UserSummary()
    category: StarredCategory | None = None
    created: Instant = None
    modified: Instant = None
    published_date: Instant = None
    is_active: Flag = False
    title: Text = ""
    summary: Text = ""
    batches: Many[BatchName] = ()
    products: Many[Product] = ()
    is_public: Flag = False


class ListedPost(AdminPost):
    """A post in the administrators' list: with more of its author."""

    created_by: Author = Author()


class WholePost(AdminPost):
    """A post as making and changing it answer."""

    content_html: Text = ""


class Post(Wire):
    """A post as it is read. `active` is what administrators call `is_active`."""

    url: Text = ""
    id: Count = 0
    created_by: UserSummary = UserSummary()
    category: Category | None = None
    created: Instant = None
    modified: Instant = None
    published_date: Instant = None
    active: Flag = False
    title: Text = ""
    summary: Text = ""
    content_html: Text = ""
    batches: Many[BatchName] = ()
    products: Many[Product] = ()
    is_public: Flag = False
    institute: Count = 0


class PostInput(Input):
    """What a post is made of, or what of it is to change; a field that is None is left out.

    `batches`: names; `products`: titles; `category`: a name; `published_date`: ISO 8601 with offset.
    """

    url: str | None = None
    title: str | None = None
    summary: str | None = None
    content_html: str | None = None
    batches: tuple[str, ...] | None = None
    products: tuple[str, ...] | None = None
    is_public: bool | None = None
    category: str | None = None
    published_date: str | None = None
