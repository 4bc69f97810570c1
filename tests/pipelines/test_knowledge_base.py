"""A knowledge base of Bedrock: what is sent and read; through boto3 itself against loopback where it is installed."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from ringtrue.errors import ConfigError, MissingExtraError, PipelineError
from ringtrue.pipelines import KnowledgeBase
from ringtrue.types import Response, Sample

PERU = Sample(id="peru", question="Capital of Peru?")
MODEL = "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku"
SOURCE = {"type": "S3", "s3Location": {"uri": "s3://docs/peru.txt"}}


def cited(text: str | None = "Lima is the capital of Peru.", **more: Any) -> dict[str, Any]:
    content = {"type": "TEXT", "text": text} if text else {"type": "IMAGE", "byteContent": "aGk="}
    return {"content": content, "location": SOURCE, "metadata": {"page": 3.0}, **more}


def reply(*references: dict[str, Any], answer: str = "It is Lima.", **more: Any) -> dict[str, Any]:
    part = {"textResponsePart": {"span": {"start": 0, "end": 10}, "text": answer}}
    citations = [{"generatedResponsePart": part, "retrievedReferences": list(references)}]
    return {"citations": citations, "output": {"text": answer}, "sessionId": "s-1", **more}


def base(**options: Any) -> KnowledgeBase:
    return KnowledgeBase("kb", **{"knowledge_base_id": "KB12345678", "model_arn": MODEL, **options})


def test_what_is_asked_is_what_was_configured() -> None:
    plain = base().request(PERU)
    assert plain == {
        "input": {"text": "Capital of Peru?"},
        "retrieveAndGenerateConfiguration": {
            "type": "KNOWLEDGE_BASE",
            "knowledgeBaseConfiguration": {"knowledgeBaseId": "KB12345678", "modelArn": MODEL},
        },
    }
    full = base(number_of_results=7, prompt_template="Use $search_results$").request(PERU)
    asked = full["retrieveAndGenerateConfiguration"]["knowledgeBaseConfiguration"]
    assert asked["retrievalConfiguration"] == {"vectorSearchConfiguration": {"numberOfResults": 7}}
    assert asked["generationConfiguration"] == {"promptTemplate": {"textPromptTemplate": "Use $search_results$"}}


def test_an_answer_comes_with_the_passages_that_it_cites_each_once() -> None:
    other = cited("Lima lies on the coast.", location={"type": "WEB", "webLocation": {"url": "https://peru.example"}})
    found = base().response(reply(cited(), other, cited(), guardrailAction="NONE"), 0.25)
    assert (found.answer, found.latency_s, found.model) == ("It is Lima.", 0.25, MODEL)
    assert found.contexts is not None
    assert [(one.id, one.text) for one in found.contexts] == [
        ("s3://docs/peru.txt", "Lima is the capital of Peru."),
        ("https://peru.example", "Lima lies on the coast."),
    ]
    assert found.contexts[0].metadata == {"page": 3.0, "location_type": "S3"}
    assert found.metadata == {"session_id": "s-1", "guardrail_action": "NONE"}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"type": "ROW", "row": [{"columnName": "city", "columnValue": "Lima", "type": "STRING"}]}, "city: Lima"),
        ({"type": "AUDIO", "audio": {"s3Uri": "s3://a", "transcription": "It is Lima."}}, "It is Lima."),
        ({"type": "VIDEO", "video": {"s3Uri": "s3://a", "summary": "A film of Lima."}}, "A film of Lima."),
        ({"type": "IMAGE", "byteContent": "aGk="}, None),
    ],
)
def test_passages_of_other_kinds_are_read_as_words_where_they_have_some(content: Any, text: str | None) -> None:
    (passage,) = base().response(reply(cited(content=content)), 0.1).contexts or ()
    assert (passage.text, passage.id) == (text, "s3://docs/peru.txt")


def test_no_citation_says_that_nothing_was_found_but_not_where_none_was_asked_for() -> None:
    assert base().response(reply(), 0.1).contexts == ()
    silent = base(prompt_template="Use $search_results$")
    assert silent.response(reply(), 0.1).contexts is None
    told = base(prompt_template="Use $search_results$ $output_format_instructions$")
    assert told.response(reply(), 0.1).contexts == ()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"knowledge_base_id": " "}, "knowledge_base_id"),
        ({"model_arn": ""}, "model_arn"),
        ({"endpoint_url": "vpce-1"}, "no web address"),
        ({"number_of_results": 0}, "number_of_results"),
        ({"prompt_template": "Answer!"}, "search_results"),
        ({"timeout": 0}, "timeout"),
        ({"retries": -1}, "retries"),
        ({"concurrency": 0}, "concurrency"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=r"pipeline 'kb'") as raised:
        base(**options)
    assert told in str(raised.value)


async def opened(pipeline: KnowledgeBase) -> None:
    async with pipeline.open():
        pass


def test_without_boto3_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(MissingExtraError, match=r"ringtrue\[bedrock\]"):
        asyncio.run(opened(base()))


def test_the_config_makes_one_with_or_without_its_type(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", [{"question": "Capital of Peru?", "reference": "Lima"}])
    lines = f"{{knowledge_base_id: KB12345678, model_arn: '{MODEL}', number_of_results: 3}}"
    write("ringtrue.yaml", f"dataset: golden.jsonl\nmetrics: [exact_match]\npipelines: {{kb: {lines}}}\n")
    # A plan reads and checks it, and asks nobody.
    assert ringtrue("run", "--plan").code == 0
    write("ringtrue.yaml", "dataset: golden.jsonl\npipelines: {kb: {type: bedrock_knowledge_base, model_arn: m}}\n")
    result = ringtrue("run")
    assert (result.code, "'knowledge_base_id' is missing" in result.err) == (2, True)


Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


def says(body: dict[str, Any], status: int = 200, **headers: str) -> Step:
    async def step(_: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status, headers=headers)

    return step


def refuses(status: int, code: str) -> Step:
    return says({"message": "told"}, status, **{"x-amzn-ErrorType": code})


@pytest.mark.slow
class TestWithBoto3:
    """boto3 checks, signs, sends, tries again and reads; the server on loopback stands for Bedrock."""

    @pytest.fixture(autouse=True)
    def _boto3(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("boto3", reason="Bedrock needs ringtrue[bedrock]")
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "HTTPS_PROXY"):
            monkeypatch.delenv(name, raising=False)
        for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
            monkeypatch.setenv(name, "/dev/null")
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")

    def test_a_question_goes_there_and_back(self, endpoint: Callable, ask: Callable) -> None:
        server = endpoint(says(reply(cited())))
        pipeline = base(
            region="us-east-1", endpoint_url=server.origin, number_of_results=3, prompt_template="$search_results$"
        )
        (found,) = ask(pipeline, PERU, server=server)
        assert isinstance(found, Response), found
        assert (found.answer, [one.text for one in found.contexts or ()]) == (
            "It is Lima.",
            ["Lima is the capital of Peru."],
        )
        assert found.latency_s is not None
        assert found.latency_s > 0
        (request,) = server.seen
        assert (request.method, request.path) == ("POST", "/retrieveAndGenerate")
        assert request.headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIATEST/")
        assert "/us-east-1/bedrock/aws4_request" in request.headers["Authorization"]
        assert json.loads(server.bodies[0]) == pipeline.request(PERU)

    def test_our_replies_are_shaped_as_its_own_model_says(self) -> None:
        # What the tests above read must be what Bedrock may say: held against botocore's description of the service.
        import botocore.session
        from botocore.validate import ParamValidator

        model = botocore.session.get_session().get_service_model("bedrock-agent-runtime")
        operation = model.operation_model("RetrieveAndGenerate")
        for said in (reply(), reply(cited(), cited(None), guardrailAction="INTERVENED")):
            report = ParamValidator().validate(said, operation.output_shape)
            assert not report.has_errors(), report.generate_report()
        asked = base(number_of_results=3, prompt_template="$search_results$").request(PERU)
        report = ParamValidator().validate(asked, operation.input_shape)
        assert not report.has_errors(), report.generate_report()
        # No kind of location is left out, and each has the one key that is read as the passage's id.
        location = model.shape_for("RetrievalResultLocation").members
        kinds = {name: list(shape.members) for name, shape in location.items() if name != "type"}
        assert set(map(len, kinds.values())) == {1}
        assert all(name.endswith("Location") for name in kinds)

    @pytest.mark.parametrize(
        ("status", "code", "told", "asked"),
        [
            (403, "AccessDeniedException", "bedrock:InvokeModel", 1),
            (403, "ExpiredTokenException", "expired", 1),
            (404, "ResourceNotFoundException", "are knowledge_base_id, model_arn and region right?", 1),
            (400, "ValidationException", "is model_arn right", 1),
            (429, "ThrottlingException", "(tried 2 times); lower `concurrency`", 2),
            (500, "InternalServerException", "(tried 2 times); ringtrue resume", 2),
        ],
    )
    def test_what_it_refuses_is_told_with_the_mend(
        self, status: int, code: str, told: str, asked: int, endpoint: Callable, ask: Callable
    ) -> None:
        server = endpoint(refuses(status, code))
        (found,) = ask(base(region="us-east-1", endpoint_url=server.origin, retries=1), PERU, server=server)
        assert isinstance(found, str)
        assert found.startswith(f"{code}: told")
        assert told in found
        assert len(server.seen) == asked

    def test_a_passing_fault_is_tried_again(self, endpoint: Callable, ask: Callable) -> None:
        server = endpoint(refuses(429, "ThrottlingException"), says(reply(cited())))
        (found,) = ask(base(region="us-east-1", endpoint_url=server.origin), PERU, server=server)
        assert isinstance(found, Response), found
        assert found.metadata["retries"] == 1

    def test_what_cannot_be_reached_or_is_late_is_told(self, endpoint: Callable, ask: Callable) -> None:
        (down,) = ask(base(region="us-east-1", endpoint_url="http://127.0.0.1:9", retries=0), PERU)
        assert "Could not connect" in down

        async def hang(_: web.Request) -> web.StreamResponse:
            await asyncio.sleep(5)
            return web.json_response(reply())

        server = endpoint(hang)
        late = base(region="us-east-1", endpoint_url=server.origin, retries=0, timeout=0.2)
        assert ask(late, PERU, server=server) == ["no reply from Bedrock within 0.2 s; ringtrue resume asks again"]

    def test_missing_settings_are_told_before_the_first_question(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(ConfigError, match="Bedrock has no region"):
            asyncio.run(opened(base()))
        monkeypatch.delenv("AWS_ACCESS_KEY_ID")
        monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
        with pytest.raises(PipelineError, match="no AWS credentials") as raised:
            asyncio.run(opened(base(region="us-east-1")))
        assert "AWS_PROFILE" in (raised.value.mend or "")

    def test_a_run_over_it_has_answers_and_passages(
        self, ringtrue: Callable, write: Callable, endpoint: Callable
    ) -> None:
        server = endpoint(says(reply(cited())))
        write("golden.jsonl", [{"id": "peru", "question": "Capital of Peru?", "reference": "It is Lima."}])
        lines = f"{{knowledge_base_id: KB1, model_arn: '{MODEL}', region: us-east-1, endpoint_url: '{server.origin}'}}"
        write("ringtrue.yaml", f"dataset: golden.jsonl\nmetrics: [exact_match]\npipelines: {{kb: {lines}}}\n")

        async def run() -> Any:
            async with server.serving():
                return await asyncio.to_thread(ringtrue, "run", "--json")

        result = asyncio.run(run())
        assert result.code == 0, result.err
        assert result.json["summary"]["kb"]["exact_match"]["mean"] == 1.0
