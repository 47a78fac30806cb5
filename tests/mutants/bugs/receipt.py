"""Bugs of the receipt: the record of an attempt that can be handed in."""

from collections.abc import Callable, Mapping

from lms_tui.attempt.journal import receipt
from tests.attempt import test_receipt
from tests.mutants.checks import passes, with_folder
from tests.mutants.planting import Bug, around


def _of_the_place_alone(sound: Callable[[str, Mapping[str, object]], str]) -> Callable[..., str]:
    return lambda before, _content: sound(before, {})


def _without_replies(sound: Callable[..., object]) -> Callable[..., object]:
    return lambda head, links: sound(head, [link for link in links if link["kind"] != "heard"])


def _of_the_newest(sound: Callable[..., object]) -> Callable[..., object]:
    return lambda head, links: sound(
        head, {link.get("question_id", f"reply {number}"): link for number, link in enumerate(links)}.values()
    )


def _refused_as_delivered(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda body: sound({**body, "links": [{**link, "delivered": True} for link in body["links"]]})


IN_THE_RECEIPT = (
    Bug(
        "the digests of a receipt do not cover what it says",
        around(receipt._digest, _of_the_place_alone),
        passes(test_receipt.test_every_changed_character_is_found),
        "assert not verify_text(changed).whole",
    ),
    Bug(
        "a receipt is not bound to what the server said",
        around(receipt._chained, _without_replies),
        passes(test_receipt.test_after_a_normal_end_the_receipt_of_the_whole_attempt_is_kept),
        "heard",
    ),
    Bug(
        "a receipt keeps the newest answers only",
        around(receipt._chained, _of_the_newest),
        with_folder(test_receipt.test_the_receipt_beside_the_journal_is_readable_by_its_owner_only),
        "changes",
    ),
    Bug(
        "a refused answer is not listed as undelivered",
        around(receipt._readable, _refused_as_delivered),
        passes(test_receipt.test_the_readable_part_names_every_answer_and_holds_no_control_character),
        "in readable",
    ),
)
