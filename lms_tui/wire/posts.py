from lms_tui.wire.base import Count, DecimalString, Flag, Input, Instant, Many, OffsetInstant, Text, Wire
from lms_tui.wire.users import BatchName, UserSummary


class Author(UserSummary):
    """The author in the list of posts."""

    state: Text = ""
    state_code: Text = ""
    gender: Text = ""
    gender_code: Text = ""


class Category(Wire):
    """A category of posts. `color` has hexadecimal digits without a leading #."""

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
    """A product of the institute inside a post."""

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
    """A post for administrators. Lists leave out its content (API document, Posts)."""

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
    """A post in the list for administrators, with more fields of its author."""

    created_by: Author = Author()


class WholePost(AdminPost):
    """The post in the reply to its creation or change."""

    content_html: Text = ""


class PostSummary(Wire):
    """A post in the list for readers. `active` is the field `is_active` of administrators."""

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
    batches: Many[BatchName] = ()
    products: Many[Product] = ()
    is_public: Flag = False


class Post(PostSummary):
    """A post for readers, with its content."""

    content_html: Text = ""
    institute: Count = 0


class PostInput(Input):
    """The fields of a new post, or the changes of a post.

    `batches` holds names, `products` holds titles, `category` is a name, `published_date` is ISO 8601 with an offset.
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
