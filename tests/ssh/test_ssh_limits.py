from lms_tui.runtime.ssh.limits import Admission, SshLimits


def test_an_address_has_a_share_of_the_connections() -> None:
    admission = Admission(SshLimits(of_address=2, connections=3))
    assert [admission.connect("192.0.2.1") for _ in range(3)] == ["", "", "too many connections of one address"]
    assert admission.connect("192.0.2.2") == ""
    assert admission.connect("192.0.2.3") == "too many connections"
    admission.disconnect("192.0.2.1")
    assert admission.connect("192.0.2.1") == ""


def test_all_addresses_of_a_subscriber_count_as_one() -> None:
    admission = Admission(SshLimits(of_address=1))
    assert admission.connect("2001:db8::1") == ""
    assert admission.connect("2001:db8::2") == "too many connections of one address"


def test_connections_that_do_not_sign_in_are_few() -> None:
    admission = Admission(SshLimits(waiting=1))
    assert admission.connect("192.0.2.1") == ""
    assert admission.connect("192.0.2.2") == "too many connections that have not signed in"
    admission.signed_in()
    assert admission.connect("192.0.2.2") == ""


def test_a_user_has_a_share_of_the_sessions() -> None:
    admission = Admission(SshLimits(of_user=1, sessions=2))
    assert [admission.begin(user).partition(".")[0] for user in (1, 1, 2, 3)] == [
        "",
        "You have too many sessions",
        "",
        "This computer has too many sessions",
    ]
    admission.end(1)
    assert admission.begin(3) == ""
