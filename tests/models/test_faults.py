"""What an error status, its headers and its body say."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ringtrue.models.faults import Fault, fault_of_status


def fault(status: int, body: object = "", headers: dict[str, str] | None = None) -> Fault:
    text = body if isinstance(body, str) else json.dumps(body)
    return fault_of_status(status, headers or {}, text.encode())


@pytest.mark.parametrize(
    ("status", "kind", "passing", "congested", "stops"),
    [
        (400, "bad_request", False, False, False),
        (401, "auth", False, False, True),
        (403, "auth", False, False, True),
        (404, "bad_request", False, False, True),
        (408, "timed_out", True, True, False),
        (409, "transport", True, False, False),
        (425, "transport", True, False, False),
        (429, "rate_limited", True, True, False),
        (500, "transport", True, False, False),
        (501, "transport", False, False, False),
        (503, "transport", True, True, False),
        (504, "timed_out", True, True, False),
        (529, "transport", True, True, False),
    ],
)
def test_a_status_has_a_kind(status: int, kind: str, passing: bool, congested: bool, stops: bool) -> None:
    found = fault(status)
    assert (found.kind, found.passing, found.congested, found.stops) == (kind, passing, congested, stops)
    assert found.message == f"HTTP {status}"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "No such model", "code": "model_not_found"}}, "No such model"),
        ({"type": "error", "error": {"type": "api_error", "message": "Overloaded"}}, "Overloaded"),
        ([{"error": {"code": 400, "message": "Bad value"}}], "Bad value"),
        ({"error": "model 'x' not found"}, "model 'x' not found"),
        (
            {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
            "Extra inputs are not permitted",
        ),
        ({"error_code": "X", "message": "Endpoint is down"}, "Endpoint is down"),
        ("<html>Bad gateway</html>", "<html>Bad gateway</html>"),
        ({"object": "error"}, '{"object": "error"}'),
    ],
)
def test_the_message_is_found_wherever_endpoints_put_it(body: object, message: str) -> None:
    assert fault(400, body).message == f"HTTP 400: {message}"


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"Retry-After": "7"}, "", 7.0),
        ({"retry-after": "0.5"}, "", 0.5),
        ({"Retry-After-Ms": "1500", "Retry-After": "2"}, "", 1.5),
        ({"Retry-After": "soon"}, "", None),
        ({}, {"error": {"message": "Rate limit reached. Please try again in 1.5s."}}, 1.5),
        ({}, {"error": {"message": "Please try again in 20ms."}}, 0.02),
        ({}, {"error": {"message": "Please try again in 1m30s"}}, 90.0),
        ({}, "Retry after 30 seconds", 30.0),
        ({}, [{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "12s"}]}}], 12.0),
        ({"Retry-After": "3"}, "try again in 9s", 3.0),
        ({}, "try again later", None),
    ],
)
def test_the_asked_wait_is_read_from_header_or_body(headers: dict[str, str], body: object, wait: float | None) -> None:
    assert fault(429, body, headers).wait_s == wait


def test_a_date_to_wait_for_is_seconds_from_now() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert fault(503, headers={"Retry-After": later}).wait_s == pytest.approx(60, abs=3)
    earlier = format_datetime(datetime.now(UTC) - timedelta(seconds=60), usegmt=True)
    assert fault(503, headers={"Retry-After": earlier}).wait_s == 0


def test_a_quota_that_is_used_up_stops_and_one_that_comes_back_does_not() -> None:
    used_up = {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota."}}
    assert (fault(429, used_up).stops, fault(429, used_up).passing) == (True, False)
    assert fault(400, {"error": {"message": "Your credit balance is too low"}}).stops
    a_minute = {"error": {"message": "You exceeded your current quota, check your plan. Please retry in 12.3s."}}
    assert (fault(429, a_minute).stops, fault(429, a_minute).wait_s) == (False, 12.3)


def test_a_prompt_that_the_filter_stops_is_filtered() -> None:
    assert fault(400, {"error": {"code": "content_filter", "message": "The response was filtered"}}).kind == "filtered"


def test_a_named_field_is_kept() -> None:
    assert fault(400, {"error": {"message": "Unsupported", "param": "seed"}}).param == "seed"
