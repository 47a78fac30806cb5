from lms_tui.runtime.sessions.sign_in import SignedInUser
from lms_tui.runtime.web.browsers import Browsers

ASHA, RAVI = SignedInUser(1, "asha", "t1"), SignedInUser(2, "ravi", "t2")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Tab:
    closed = False

    def close(self) -> None:
        self.closed = True


def test_each_browser_has_a_key_of_its_own() -> None:
    browsers = Browsers(60.0)
    keys = [browsers.add(user) for user in (ASHA, ASHA, RAVI)]
    assert len(set(keys)) == 3
    assert [found.user.username for key in keys if (found := browsers.find(key))] == ["asha", "asha", "ravi"]


def test_a_browser_that_is_not_used_is_signed_out() -> None:
    clock = Clock()
    browsers = Browsers(60.0, clock)
    key = browsers.add(ASHA)
    clock.now = 59.0
    browser = browsers.find(key)
    assert browser is not None
    clock.now = 118.0
    browsers.touch(browser)
    clock.now = 177.0
    assert browsers.find(key) is not None
    clock.now = 237.0
    assert browsers.find(key) is None


def test_a_browser_has_to_sign_in_again_each_day() -> None:
    clock = Clock()
    browsers = Browsers(4 * 3600.0, clock)
    key = browsers.add(ASHA)
    for hour in range(3, 12, 3):
        clock.now = hour * 3600.0
        assert browsers.find(key) is not None
    clock.now = 12 * 3600.0
    assert browsers.find(key) is None


def test_a_user_has_few_browsers_and_the_least_used_gives_way() -> None:
    clock = Clock()
    browsers = Browsers(3600.0, clock)
    keys = [browsers.add(ASHA) for _ in range(8)]
    other = browsers.add(RAVI)
    clock.now = 1.0
    for key in keys[1:]:
        browsers.find(key)
    tab = Tab()
    clock.now = 0.5
    oldest = browsers.find(keys[0])
    assert oldest is not None
    oldest.tabs.add(tab)
    browsers.add(ASHA)
    assert browsers.find(keys[0]) is None
    assert tab.closed
    assert all(browsers.find(key) for key in (*keys[1:], other))


def test_signing_out_closes_the_tabs_of_one_browser() -> None:
    browsers = Browsers(60.0)
    key, other = browsers.add(ASHA), browsers.add(ASHA)
    tabs = [Tab(), Tab()]
    for each, tab in zip((key, other), tabs, strict=True):
        browser = browsers.find(each)
        assert browser is not None
        browser.tabs.add(tab)
    browsers.sign_out(key)
    browsers.sign_out("unknown")
    assert [tab.closed for tab in tabs] == [True, False]
    assert browsers.find(key) is None
