from functools import partial

from lms_tui.runtime.sessions.limits import Admission, Limits, Place


def test_an_address_has_a_share_of_the_connections() -> None:
    admission = Admission(Limits(of_address=2, connections=3))
    first = Place("192.0.2.1")
    told = [admission.connect(place) for place in (first, Place("192.0.2.1"), Place("192.0.2.1"))]
    assert told == ["", "", "too many connections of one address"]
    assert admission.connect(Place("192.0.2.2")) == ""
    assert admission.connect(Place("192.0.2.3")) == "too many connections"
    admission.disconnect(first)
    assert admission.connect(Place("192.0.2.1")) == ""


def test_all_addresses_of_a_subscriber_count_as_one() -> None:
    admission = Admission(Limits(of_address=1))
    assert admission.connect(Place("2001:db8::1")) == ""
    assert admission.connect(Place("2001:db8::2")) == "too many connections of one address"


def test_connections_that_do_not_sign_in_are_few() -> None:
    admission = Admission(Limits(waiting=1))
    first = Place("192.0.2.1")
    assert admission.connect(first) == ""
    assert admission.connect(Place("192.0.2.2")) == "too many connections that have not signed in"
    admission.signed_in(first)
    assert admission.connect(Place("192.0.2.2")) == ""


def test_a_new_address_replaces_the_oldest_of_the_address_with_most() -> None:
    admission = Admission(Limits(waiting=4))
    cut: list[int] = []
    for number in range(4):
        assert admission.connect(Place("192.0.2.1", partial(cut.append, number))) == ""
    assert admission.connect(Place("192.0.2.1")) == "too many connections that have not signed in"
    assert [admission.connect(Place("192.0.2.2")) for _ in range(3)] == [
        "",
        "",
        "too many connections that have not signed in",
    ]
    assert cut == [0, 1]


def test_a_user_has_a_share_of_the_sessions() -> None:
    admission = Admission(Limits(of_user=1, sessions=2))
    assert [admission.begin(user).partition(".")[0] for user in (1, 1, 2, 3)] == [
        "",
        "You have too many sessions",
        "",
        "This computer has too many sessions",
    ]
    admission.end(1)
    assert admission.begin(3) == ""
