"""Posts: lines of the list, facts about one, and what is sent when one was written (pure)."""

from datetime import datetime
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldKind, FieldSpec, Values
from lms_tui.views.listing import Column, heading_row, line_row
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.wire.posts import AdminPost, Category, ListedPost, Post, PostInput, Product
from lms_tui.wire.users import BatchName

_COLUMNS: Final = (Column("category", 14, 70), Column("for", 18, 60), Column("published", 12, 40, right=True))


def slug_of(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]


def heading(room: int) -> Row:
    return heading_row("Post", _COLUMNS, room)


def line(post: ListedPost, room: int) -> Row:
    category = post.category.name if post.category else ""
    return line_row(post.title, (category, audience(post), say.day(post.published_date)), _COLUMNS, room)


def audience(post: AdminPost | Post) -> str:
    """For whom it is, in words."""
    names = [batch.name for batch in post.batches] + [product.title for product in post.products]
    return "everyone" if post.is_public else ", ".join(clean_line(name) for name in names) or "nobody yet"


def details(post: ListedPost, room: int) -> list[Row]:
    return [row(strong(clean_line(post.title))), EMPTY, *facts(post, room)]


def facts(post: AdminPost | Post, room: int) -> list[Row]:
    author = post.created_by
    rows = pairs(
        [
            ("name", clean_line(slug_of(post.url))),
            ("category", clean_line(post.category.name) if post.category else ""),
            ("for", audience(post)),
            ("published", say.day(post.published_date) if post.published_date else ""),
            ("by", clean_line(author.display_name or author.username)),
        ],
        room,
    )
    return [*wrapped(clean_line(post.summary), room), EMPTY, *rows] if post.summary.strip() else rows


def post_form(post: Post | None, now: datetime) -> tuple[FieldSpec, ...]:
    """The fields of a new post, or of one that is there."""
    known = post or Post()
    moment = "%Y-%m-%dT%H:%M:%S%z"
    return (
        FieldSpec("title", "Title", known.title, check=forms.at_most(300), required=True),
        FieldSpec("summary", "Summary", known.summary, check=forms.at_most(500_000)),
        FieldSpec("content_html", "Text, as HTML", known.content_html, FieldKind.TEXT, check=forms.at_most(500_000)),
        FieldSpec("category", "Category", known.category.name if known.category else "", check=forms.at_most(200)),
        FieldSpec("batches", "Batches", ", ".join(batch.name for batch in known.batches), hint="names, with commas"),
        FieldSpec("products", "Products", ", ".join(p.title for p in known.products), hint="titles, with commas"),
        FieldSpec("is_public", "Everyone may read it", forms.TICKED if known.is_public else "", FieldKind.TICK),
        FieldSpec("url", "Name", slug_of(known.url), check=forms.slug, hint="made of the title where it is empty"),
        FieldSpec(
            "published_date",
            "Published",
            f"{known.published_date.astimezone():{moment}}" if known.published_date else "",
            check=forms.moment,
            hint=f"now, or {now.astimezone():{moment}}",
            required=post is not None,
        ),
    )


def drawn(values: Values) -> Post:
    """A post as it would be, to be looked at before it is saved."""
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
    """What of these values is sent; an empty name or moment is left to the service."""
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
