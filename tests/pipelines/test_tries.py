"""How long to wait before a request is tried again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ringtrue.pipelines import tries
from ringtrue.pipelines.tries import Fault, pause, retry_after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("86400", 60.0),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 60.0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_at_most_a_minute(header: str | None, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_a_date_soon_is_the_time_until_then() -> None:
    at = datetime.now(UTC) + timedelta(seconds=30)
    seconds = retry_after(format_datetime(at, usegmt=True))
    assert seconds is not None
    assert 20 < seconds <= 30


def test_the_pause_doubles_within_its_spread_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tries, "_FIRST_S", 0.5)
    for number, longest in [(1, 0.5), (2, 1.0), (3, 2.0), (50, 30.0)]:
        waits = {pause(Fault("busy", may_pass=True), number) for _ in range(50)}
        assert longest / 2 <= min(waits) < max(waits) <= longest


def test_the_server_has_the_say() -> None:
    assert pause(Fault("busy", may_pass=True, wait_s=7.0), 1) == 7.0
