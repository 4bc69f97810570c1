"""Converse: what is sent and read; through boto3 itself against the fault server where it is installed."""

from typing import Any

import pytest

from ringtrue.errors import ConfigError
from ringtrue.models.faults import Fault
from ringtrue.models.providers.bedrock import Converse
from ringtrue.models.providers.wire import How, Reply
from ringtrue.models.throttle import Limits
from ringtrue.models.types import Message, Request

YES = '{"rationale": "r", "verdict": "yes"}'
AWS = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secret"}


def converse(content: list[dict[str, Any]], stop: str = "end_turn") -> dict[str, Any]:
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": stop,
        "usage": {"inputTokens": 40, "outputTokens": 10, "totalTokens": 50},
        "metrics": {"latencyMs": 5},
    }


def test_parameters_go_where_converse_has_them(verdict_schema: Any) -> None:
    params = {"max_tokens": 9, "temperature": 0, "top_p": 1, "stop": "END", "top_k": 4}
    messages = (Message("system", "Be fair."), Message("user", "So?"))
    body = Converse("m").body(Request(messages=messages, params=params, schema=verdict_schema), How(form="schema"))
    assert body["inferenceConfig"] == {"maxTokens": 9, "temperature": 0, "topP": 1, "stopSequences": ["END"]}
    assert body["additionalModelRequestFields"] == {"top_k": 4}
    assert body["system"] == [{"text": "Be fair."}]
    assert body["messages"] == [{"role": "user", "content": [{"text": "So?"}]}]
    assert body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"].startswith('{"type": "object"')
    bare = Converse("m").body(Request(messages=messages[1:]), How(form="text"))
    assert bare.keys() == {"modelId", "messages"}


@pytest.mark.parametrize(
    ("stop", "ending"),
    [("end_turn", "stop"), ("max_tokens", "length"), ("guardrail_intervened", "filtered"), ("new_reason", "stop")],
)
def test_why_a_reply_ends(stop: str, ending: str) -> None:
    reply = Converse("m").read(
        converse([{"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": "yes"}], stop)
    )
    assert isinstance(reply, Reply)
    assert (reply.ending, reply.finish_reason, reply.text, reply.reasoning) == (ending, stop, "yes", "hm")
    assert (reply.input_tokens, reply.output_tokens) == (40, 10)


def test_what_holds_no_message_is_a_fault() -> None:
    for answer in ({}, {"output": None}, {"output": {"message": {"content": None}}}):
        assert isinstance(Converse("m").read(answer), Fault)


@pytest.mark.slow
class TestWithBoto3:
    """boto3 signs, sends and reads; the server on loopback stands for Bedrock."""

    @pytest.fixture(autouse=True)
    def _boto3(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("boto3", reason="Bedrock needs ringtrue[bedrock]")
        for name in ("AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_BEARER_TOKEN_BEDROCK"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"):
            monkeypatch.delenv(name, raising=False)

    def test_a_verdict_through_the_ladder(self, server: Any, opened: Any, ask: Any, verdict_schema: Any) -> None:
        def old(request: Any, body: dict[str, Any]) -> Any:
            if "outputConfig" in body:
                text = "This model doesn't support the outputConfig.textFormat field."
                return 400, {"x-amzn-ErrorType": "ValidationException"}, {"message": text}
            return converse(
                [{"toolUse": {"toolUseId": "t", "name": "reply", "input": {"rationale": "r", "verdict": "Yes"}}}]
            )

        server.script(old)
        model = opened("bedrock:anthropic.claude-x-v1:0", environ=AWS)
        found = ask(model, schema=verdict_schema)
        assert (found.parsed["verdict"], found.usage.calls, found.usage.input_tokens) == ("yes", 2, 40)
        assert ask(model, schema=verdict_schema).usage.calls == 1
        assert server.paths[0] == "/model/anthropic.claude-x-v1%3A0/converse"
        assert server.headers[0]["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIATEST/")
        assert "ResponseMetadata" not in found.raw

    @pytest.mark.parametrize(
        ("status", "code", "kind", "calls"),
        [
            (429, "ThrottlingException", "rate_limited", 2),
            (503, "ServiceUnavailableException", "transport", 2),
            (403, "AccessDeniedException", "auth", 1),
            (400, "ValidationException", "bad_request", 1),
        ],
    )
    def test_its_faults(
        self, status: int, code: str, kind: str, calls: int, server: Any, opened: Any, failing: Any
    ) -> None:
        server.script((status, {"x-amzn-ErrorType": code}, {"message": "told"}))
        failure = failing(opened("bedrock:m", environ=AWS, limits=Limits(tries=2)))
        assert (failure.kind, len(server.bodies)) == (kind, calls)
        assert f"{code}: told" in failure.message

    def test_an_endpoint_that_is_down_or_late(self, server: Any, opened: Any, failing: Any) -> None:
        down = failing(opened("bedrock:m", environ=AWS, base_url="http://127.0.0.1:9", limits=Limits(tries=1)))
        assert (down.kind, "Could not connect" in down.message) == ("transport", True)

    def test_a_missing_region_is_told(self, opened: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
        with pytest.raises(ConfigError, match="Bedrock has no region"):
            ask(opened("bedrock:m", environ={}, base_url=None))
