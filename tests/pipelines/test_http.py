"""An HTTP endpoint: what is sent, what is read from the reply, and every way in which it can go wrong."""

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from ringtrue.pipelines import Http
from ringtrue.types import Passage, Response, Sample

SAMPLE = Sample(id="q1", question="Where is the Louvre?", metadata={"n": 3, "area": "a/b?c=d&é %2F"})


def replies(value: Any, **options: Any) -> Callable[[web.Request], Any]:
    """A step that replies with a value as JSON."""
    return sends(json.dumps(value), "application/json", **options)


def sends(body: bytes | str = b"", kind: str = "text/plain", **options: Any) -> Callable[[web.Request], Any]:
    """A step that replies with this body, called by this content type."""
    headers = {"Content-Type": kind, **options.pop("headers", {})}

    async def step(_: web.Request) -> web.Response:
        return web.Response(body=body.encode() if isinstance(body, str) else body, headers=headers, **options)

    return step


async def stalls(request: web.Request) -> web.Response:
    while request.transport is not None:  # until the client has gone
        await asyncio.sleep(0.01)
    return web.Response()


async def drops(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


PARIS = replies({"answer": "Paris"})


def test_a_body_is_filled_posted_and_answered(endpoint: Any, ask: Any) -> None:
    server = endpoint(PARIS)
    body = {"q": "{{ question }}", "n": "{{ metadata.n }}", "k": 5}
    [response] = ask(Http("api", f"{server.origin}/ask", body=body), SAMPLE, server=server)
    assert response.answer == "Paris"
    assert response.error is None
    assert response.latency_s > 0
    assert response.metadata == {}
    assert server.seen[0].method == "POST"
    assert server.seen[0].content_type == "application/json"
    assert json.loads(server.bodies[0]) == {"q": "Where is the Louvre?", "n": 3, "k": 5}


def test_any_script_goes_there_and_back_and_placeholders_in_data_stay(endpoint: Any, ask: Any) -> None:
    question = '„Köln“ 退款 🎉 \u2028 "quoted" \\ {{ id }} {{ metadata.n }}'

    async def echo(request: web.Request) -> web.Response:
        return web.json_response({"answer": (await request.json())["q"]})

    server = endpoint(echo)
    pipeline = Http("api", server.origin, body={"q": "{{ question }}"})
    [response] = ask(pipeline, Sample(id="x", question=question), server=server)
    assert response.answer == question


def test_url_and_params_are_filled_and_encoded(endpoint: Any, ask: Any) -> None:
    server = endpoint(PARIS)
    pipeline = Http(
        "api",
        server.origin + "/v1/{{ metadata.area }}/ask?fixed=1&area={{ metadata.area }}",
        method="get",
        params={"q": "{{ question }} & more", "n": "{{ metadata.n }}", "tag": ["a", "b"], "off": None},
    )
    ask(pipeline, SAMPLE, server=server)
    request = server.seen[0]
    assert request.method == "GET"
    assert request.raw_path.startswith("/v1/a%2Fb%3F")  # what was filled in opens no folder and no query
    assert request.path == "/v1/a/b?c=d&é %2F/ask"
    assert list(request.query.items()) == [
        ("fixed", "1"),
        ("area", "a/b?c=d&é %2F"),
        ("q", "Where is the Louvre? & more"),
        ("n", "3"),
        ("tag", "a"),
        ("tag", "b"),
    ]
    assert server.bodies[0] == b""


def test_headers_are_sent(endpoint: Any, ask: Any) -> None:
    server = endpoint(PARIS)
    headers = {"Authorization": "Bearer secret\n", "content-type": "application/vnd.api+json"}
    ask(Http("api", server.origin, body={}, headers=headers), SAMPLE, server=server)
    sent = server.seen[0].headers
    assert sent["Authorization"] == "Bearer secret"
    assert sent.getall("Content-Type") == ["application/vnd.api+json"]


def test_fields_are_found_by_jmespath(endpoint: Any, ask: Any) -> None:
    reply = {
        "result": [{"text": "Paris"}],
        "docs": [{"id": "d1", "content": "In Paris.", "score": 0.9}, {"content": "On the Seine."}],
        "usage": {"in": 12, "out": "7", "usd": "n/a"},
        "m": "small-1",
    }
    server = endpoint(replies(reply))
    pipeline = Http(
        "api",
        server.origin,
        answer="result[0].text",
        contexts="docs",
        input_tokens="usage.in",
        output_tokens="usage.out",
        cost="usage.usd",
        model="m",
    )
    [response] = ask(pipeline, SAMPLE, server=server)
    assert response == Response(
        answer="Paris",
        contexts=(Passage(text="In Paris.", id="d1", score=0.9), Passage(text="On the Seine.")),
        input_tokens=12,
        output_tokens=7,
        cost=None,
        model="small-1",
        latency_s=response.latency_s,
    )


def test_contexts_may_be_a_projection_of_texts(endpoint: Any, ask: Any) -> None:
    server = endpoint(
        replies({"answer": "x", "docs": [{"text": "a"}, {"text": "b"}]}),
        replies({"answer": "x", "docs": []}),
    )
    pipeline = Http("api", server.origin, contexts="docs[].text", concurrency=1)
    several, none = ask(pipeline, SAMPLE, SAMPLE, server=server)
    assert several.contexts == (Passage(text="a"), Passage(text="b"))
    assert none.contexts == ()


def test_contexts_that_were_named_must_be_there(endpoint: Any, ask: Any) -> None:
    first, second = endpoint(replies({"answer": "x"})), endpoint(replies({"answer": "x"}))
    (unnamed,) = ask(Http("api", first.origin), SAMPLE, server=first)
    assert unnamed.contexts is None
    (named,) = ask(Http("api", second.origin, contexts="docs[].text"), SAMPLE, server=second)
    assert "contexts: 'docs[].text' matches nothing" in named


@pytest.mark.parametrize(
    "step",
    [
        sends("Paris"),
        sends("Paris".encode("utf-16"), "text/plain; charset=utf-16"),
        sends('"Paris"', "application/json"),
        sends('{"answer": "Paris"}', "text/html"),
        sends('\ufeff{"answer": "Paris"}', "application/octet-stream"),
        sends('{"answer": "Paris"}'.encode("utf-16"), "application/json; charset=utf-16"),
    ],
)
def test_plain_text_and_json_under_any_name_are_answers(step: Any, endpoint: Any, ask: Any) -> None:
    server = endpoint(step)
    assert [one.answer for one in ask(Http("api", server.origin), SAMPLE, server=server)] == ["Paris"]


def test_an_empty_answer_is_missing(endpoint: Any, ask: Any) -> None:
    server = endpoint(replies({"answer": ""}))
    [response] = ask(Http("api", server.origin), SAMPLE, server=server)
    assert response.answer is None
    assert response.error is None


def test_an_answer_of_five_megabytes_is_taken(endpoint: Any, ask: Any) -> None:
    answer = "wörd " * 1_000_000
    server = endpoint(replies({"answer": answer}))
    [response] = ask(Http("api", server.origin), SAMPLE, server=server)
    assert response.answer == answer


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (
            replies({"error": {"code": 7}}),
            "answer: 'answer' matches nothing (or null) in the reply, whose keys are: error {c",
        ),
        (replies(["Paris"]), "whose keys are: none (it is a list); it begins: ['Paris']"),
        (replies({"answer": None}), "whose keys are: answer; it begins"),
        (sends('{"answer": "Par', "application/json"), 'char 11)): {"answer": "Par (sent as application/json)'),
        (sends("<html>Log in</html>", "text/html"), "<html>Log in</html> (sent as text/html)"),
        (sends("data: Pa\n\ndata: ris", "text/event-stream"), "(sent as text/event-stream)"),
        (sends(b'{"answer": "caf\xe9"}', "application/json"), "the reply is not UTF-8: byte 0xe9 at offset 15"),
        (sends("{}", "text/plain; charset=utf-99"), "the reply is in an unknown encoding, 'utf-99'"),
        (sends(status=204), "sent an empty reply"),
        (sends(" "), "sent an empty reply"),
        (sends("no such path", status=404), "HTTP 404 Not Found: no such path"),
        (sends("x" * 1000, status=401), "HTTP 401 Unauthorized: " + "x" * 199 + "…"),
        (sends(status=304), "HTTP 304 Not Modified"),
    ],
)
def test_what_is_no_answer_is_told_once(step: Any, told: str, endpoint: Any, ask: Any) -> None:
    server = endpoint(step)
    [error] = ask(Http("api", server.origin), SAMPLE, server=server)
    assert told in error
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("result.txt", "answer: 'result.txt' matches nothing (or null) in the reply, whose keys are: result {text}, n"),
        ("join(',', n)", "answer: \"join(',', n)\" cannot be read from the reply: In function join()"),
    ],
)
def test_a_path_that_finds_nothing_is_told_with_the_keys(answer: str, told: str, endpoint: Any, ask: Any) -> None:
    server = endpoint(replies({"result": {"text": "Paris"}, "n": 1}))
    [error] = ask(Http("api", server.origin, answer=answer), SAMPLE, server=server)
    assert error.startswith(told)


def test_text_is_no_answer_where_a_path_was_given(endpoint: Any, ask: Any) -> None:
    server = endpoint(sends("Paris"))
    [error] = ask(Http("api", server.origin, answer="answer"), SAMPLE, server=server)
    assert error.startswith("the reply is not JSON")


@pytest.mark.parametrize("fault", [sends(status=500), sends(status=429, headers={"Retry-After": "0"}), drops])
def test_a_fault_that_passes_is_tried_again_and_counted(fault: Any, endpoint: Any, ask: Any) -> None:
    server = endpoint(fault, fault, PARIS)
    [response] = ask(Http("api", server.origin), SAMPLE, server=server)
    assert response.answer == "Paris"
    assert response.metadata == {"retries": 2}
    assert len(server.seen) == 3


def test_a_fault_that_does_not_pass_is_told_with_the_number_of_tries(endpoint: Any, ask: Any) -> None:
    server = endpoint(sends("out of memory", status=503))
    [error] = ask(Http("api", server.origin, retries=1), SAMPLE, server=server)
    assert error == "HTTP 503 Service Unavailable: out of memory (tried 2 times)"
    assert len(server.seen) == 2


def test_without_retries_nothing_is_tried_again(endpoint: Any, ask: Any) -> None:
    server = endpoint(drops)
    [error] = ask(Http("api", server.origin + "/ask", retries=0), SAMPLE, server=server)
    assert error == f"the connection to {server.origin}/ask broke: Server disconnected"
    assert len(server.seen) == 1


def test_retry_after_is_what_is_waited(endpoint: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("ringtrue.pipelines.http.asyncio.sleep", sleep)
    server = endpoint(sends(status=429, headers={"Retry-After": "17"}), PARIS)
    ask(Http("api", server.origin), SAMPLE, server=server)
    assert 17.0 in waits


def test_a_server_that_stalls_is_told_with_the_time(endpoint: Any, ask: Any) -> None:
    server = endpoint(stalls)
    [error] = ask(Http("api", server.origin + "/ask", timeout=0.2, retries=1), SAMPLE, server=server)
    assert error == f"no reply from {server.origin}/ask within 0.2 s (tried 2 times)"


def test_a_reply_that_never_ends_is_cut(endpoint: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringtrue.pipelines.http.MAX_REPLY_BYTES", 1 << 20)

    async def floods(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 65536)

    server = endpoint(floods)
    [error] = ask(Http("api", server.origin), SAMPLE, server=server)
    assert error == f"{server.origin} sent more than 1 MB"


def test_an_endpoint_that_is_not_there_is_told_without_secrets(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    pipeline = Http("api", f"http://user:secret@127.0.0.1:{port}/ask?key=secret", params={"token": "secret"})
    [error] = ask(pipeline, SAMPLE)
    assert error == f"cannot reach http://127.0.0.1:{port}/ask: Connection refused (tried 3 times)"


def test_questions_under_way_are_limited(endpoint: Any, ask: Any) -> None:
    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(0.02)
        return web.json_response({"answer": "Paris"})

    samples = [Sample(id=str(n), question="?") for n in range(8)]
    limited, free = endpoint(slow), endpoint(slow)
    assert len(ask(Http("api", limited.origin, concurrency=2), *samples, server=limited)) == 8
    ask(Http("api", free.origin), *samples, server=free)
    assert limited.most_in_flight == 2
    assert free.most_in_flight > 2


def test_no_cookie_carries_one_question_into_the_next(endpoint: Any, ask: Any) -> None:
    server = endpoint(replies({"answer": "x"}, headers={"Set-Cookie": "session=1"}))
    ask(Http("api", server.origin, concurrency=1), SAMPLE, SAMPLE, server=server)
    assert len(server.seen) == 2
    assert not any("Cookie" in request.headers for request in server.seen)


def test_redirects_are_followed(endpoint: Any, ask: Any) -> None:
    server = endpoint(sends(status=307, headers={"Location": "/moved"}), PARIS)
    [response] = ask(Http("api", server.origin, body={"q": "{{ question }}"}), SAMPLE, server=server)
    assert response.answer == "Paris"
    assert server.seen[1].path == "/moved"
    assert server.bodies[0] == server.bodies[1] != b""


def test_the_proxy_of_the_machine_is_used(endpoint: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server = endpoint(PARIS)
    monkeypatch.setenv("http_proxy", server.origin)
    [response] = ask(Http("api", "http://app.invalid/ask"), SAMPLE, server=server)
    assert response.answer == "Paris"
    assert server.seen[0].host == "app.invalid"


def test_redirects_that_lead_nowhere_are_told(endpoint: Any, ask: Any) -> None:
    in_circles = endpoint(sends(status=302, headers={"Location": "/ask?key=secret"}))
    [error] = ask(Http("api", in_circles.origin + "/ask"), SAMPLE, server=in_circles)
    assert error == f"cannot ask {in_circles.origin}/ask: TooManyRedirects"
    elsewhere = endpoint(sends(status=302, headers={"Location": "ftp://host/secret"}))
    [error] = ask(Http("api", elsewhere.origin + "/ask"), SAMPLE, server=elsewhere)
    assert error == f"{elsewhere.origin}/ask, filled in or redirected, is no web address"


def test_a_server_without_tls_is_told_and_not_asked_again(endpoint: Any, ask: Any) -> None:
    server = endpoint(PARIS)
    [error] = ask(Http("api", server.origin.replace("http:", "https:")), SAMPLE, server=server)
    assert error.startswith("cannot ask https://127.0.0.1:")
    assert "SSL" in error
    assert "tried" not in error


def test_a_reply_that_breaks_off_is_told(endpoint: Any, ask: Any) -> None:
    async def breaks_off(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100", "Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(b'{"answer": "Paris"}')
        assert request.transport is not None
        request.transport.close()
        return response

    server = endpoint(breaks_off)
    [error] = ask(Http("api", server.origin, retries=0), SAMPLE, server=server)
    assert error.startswith(f"the connection to {server.origin} broke: ")


def test_a_sample_that_cannot_fill_the_request_fails_alone(endpoint: Any, ask: Any) -> None:
    server = endpoint(PARIS)
    pipeline = Http("api", server.origin, body={"n": "{{ metadata.n }}"})
    good, bad = ask(pipeline, SAMPLE, Sample(id="q2", question="?"), server=server)
    assert good.answer == "Paris"
    assert bad == "sample 'q2' has no metadata 'n' for the request; it has: none"
