"""Posts: the list, the details of one, and the form for writing one (pure)."""

from datetime import datetime
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldKind, FieldSpec, Values
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, title_rows, wrapped
from lms_tui.wire.posts import AdminPost, Category, ListedPost, Post, PostInput, PostSummary, Product
from lms_tui.wire.users import BatchName


def slug_of(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]


def audience(post: AdminPost | PostSummary) -> str:
    names = [batch.name for batch in post.batches] + [product.title for product in post.products]
    return "everyone" if post.is_public else ", ".join(clean_line(name) for name in names) or "no one yet"


LISTING: Final[Listing[ListedPost]] = Listing(
    "Post",
    (Column("category", 14, 70), Column("for", 18, 60), Column("published", 12, 40, right=True)),
    lambda post: (
        post.title,
        post.category.name if post.category else "",
        audience(post),
        say.day(post.published_date),
    ),
)


NOTICES: Final[Listing[PostSummary]] = Listing(
    "Notice",
    (Column("category", 14, 56), Column("published", 12, 36, right=True)),
    lambda post: (post.title, post.category.name if post.category else "", say.day(post.published_date)),
)


def notice_words(post: PostSummary) -> str:
    """Return the text in which the filter of the notices searches."""
    return " ".join((*NOTICES.cells(post), post.summary))


def details(post: AdminPost | PostSummary, room: int, now: datetime) -> list[Row]:
    return [*title_rows(clean_line(post.title), room), EMPTY, *facts(post, room, now)]


def facts(post: AdminPost | PostSummary, room: int, now: datetime) -> list[Row]:
    """The summary and the facts of a post. Staff see posts that students do not see yet."""
    author, date = post.created_by, post.published_date
    waits = date is not None and date > now
    rows = [*wrapped(clean_line(post.summary), room), EMPTY] if post.summary.strip() else []
    rows += pairs(
        [
            ("link name", clean_line(slug_of(post.url))),
            ("category", clean_line(post.category.name) if post.category else ""),
            ("for", audience(post)),
            ("appears" if waits else "published", say.day(date) if date else ""),
            ("by", clean_line(author.display_name or author.username)),
        ],
        room,
    )
    if waits:
        rows += [EMPTY, *wrapped("Students do not see it yet.", room, "warning")]
    return rows


def post_form(post: Post | None, now: datetime) -> tuple[FieldSpec, ...]:
    """The form of a new post, or of `post`."""
    known = post or Post()
    moment = "%Y-%m-%dT%H:%M:%S%z"
    return (
        FieldSpec("title", "Title", known.title, check=forms.at_most(300), required=True),
        FieldSpec("summary", "Summary", known.summary, check=forms.at_most(500_000)),
        FieldSpec("content_html", "Text, as HTML", known.content_html, FieldKind.TEXT, check=forms.at_most(500_000)),
        FieldSpec("category", "Category", known.category.name if known.category else "", check=forms.at_most(200)),
        FieldSpec("batches", "Batches", ", ".join(batch.name for batch in known.batches), hint="names, with commas"),
        FieldSpec("products", "Products", ", ".join(p.title for p in known.products), hint="titles, with commas"),
        FieldSpec("is_public", "Everyone can read it", forms.TICKED if known.is_public else "", FieldKind.TICK),
        FieldSpec("url", "Link name", slug_of(known.url), check=forms.slug, hint="empty: made from the title"),
        FieldSpec(
            "published_date",
            "Published",
            f"{known.published_date.astimezone():{moment}}" if known.published_date else "",
            check=forms.moment,
            hint=f"now, or {now.astimezone():{moment}}",
            required=post is not None,
        ),
    )


def preview(values: Values) -> Post:
    """The post that the form would save."""
    return Post(
        title=values["title"],
        summary=values["summary"],
        content_html=values["content_html"],
        url=values["url"],
        is_public=values["is_public"] == forms.TICKED,
        category=Category(name=values["category"]) if values["category"].strip() else None,
        batches=tuple(BatchName(name=name) for name in forms.names(values["batches"])),
        products=tuple(Product(title=title) for title in forms.names(values["products"])),
    )


def post_input(values: Values) -> PostInput:
    """The request for these values. The server fills in an empty link name or date."""
    sent: dict[str, object] = {}
    for name, text in values.items():
        match name:
            case "batches" | "products":
                sent[name] = forms.names(text)
            case "is_public":
                sent[name] = text == forms.TICKED
            case "url" | "published_date":
                sent |= {name: text} if text else {}
            case _:
                sent[name] = text
    return PostInput.model_validate(sent)
