from typing import Any, Final

from lms_tui.service.batches.views import batch_names
from lms_tui.service.core.database.broadcasts import Category, Post, Product
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.views import GENDERS, summary_fields
from lms_tui.wire import posts as wire
from lms_tui.wire.states import state_name
from lms_tui.wire.users import UserSummary

INSTITUTE: Final = 1
"""The ID of the institute. A service has only one."""


def listed_view(post: Post, urls: Urls) -> wire.ListedPost:
    return wire.ListedPost(**_fields(post, urls), created_by=_author(post.created_by, urls))


def whole_view(post: Post, urls: Urls) -> wire.WholePost:
    return wire.WholePost(
        **_fields(post, urls), created_by=_summary(post.created_by, urls), content_html=post.content_html
    )


def summary_view(post: Post, urls: Urls) -> wire.PostSummary:
    return wire.PostSummary(**_reader_fields(post, urls))


def read_view(post: Post, urls: Urls) -> wire.Post:
    return wire.Post(**_reader_fields(post, urls), content_html=post.content_html, institute=INSTITUTE)


def _reader_fields(post: Post, urls: Urls) -> dict[str, Any]:
    category = post.category
    return _fields(post, urls) | {
        "url": urls.post(post.slug),
        "category": None if category is None else wire.Category(**_category_fields(category)),
        "created_by": _summary(post.created_by, urls),
        "active": post.is_active,
    }


def _fields(post: Post, urls: Urls) -> dict[str, Any]:
    category = post.category
    return {
        "url": urls.admin_post(post.slug),
        "id": post.id,
        "category": None
        if category is None
        else wire.StarredCategory(**_category_fields(category), is_starred=category.is_starred),
        "created": post.created,
        "modified": post.modified,
        "published_date": post.published_date,
        "is_active": post.is_active,
        "title": post.title,
        "summary": post.summary,
        "batches": batch_names(post.batches, urls),
        "products": [_product(product, urls) for product in post.products],
        "is_public": post.is_public,
    }


def _category_fields(category: Category) -> dict[str, Any]:
    return {"id": category.id, "name": category.name, "color": category.color, "slug": category.slug}


def _summary(user: User | None, urls: Urls) -> UserSummary:
    """Return an empty summary for an author whose account was deleted."""
    return UserSummary() if user is None else UserSummary(**summary_fields(user, urls))


def _author(user: User | None, urls: Urls) -> wire.Author:
    if user is None:
        return wire.Author()
    return wire.Author(
        **summary_fields(user, urls),
        state=state_name(user.state_code),
        state_code=user.state_code or "",
        gender=GENDERS.get(user.gender_code or "", ""),
        gender_code=user.gender_code or "",
    )


def _product(product: Product, urls: Urls) -> wire.Product:
    return wire.Product(
        id=product.id,
        url=urls.product(product.slug),
        title=product.title,
        slug=product.slug,
        image=product.image,
        images=[wire.ProductImages(**images) for images in product.images],
        start_date=product.start_date,
        end_date=product.end_date,
        categories=list(product.categories),
        types=list(product.types),
        exams_count=product.exams_count,
        notes_count=product.notes_count,
        price=product.price,
    )
