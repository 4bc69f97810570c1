"""A knowledge base of Amazon Bedrock, asked by RetrieveAndGenerate through boto3, which signs the requests.

The passages of an answer are those that it cites: Bedrock tells of no others. boto3 itself waits and tries again where
Bedrock is busy. Each question is a session of its own.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

from ringtrue.errors import ConfigError, MissingExtraError, PipelineError
from ringtrue.pipelines.checks import place, require_at_least, require_seconds, require_url
from ringtrue.pipelines.replies import response_from
from ringtrue.pipelines.threads import Threads
from ringtrue.text.words import clip
from ringtrue.types import Answer, Response, Sample

__all__ = ["KnowledgeBase"]

_SHOWN = 300
_RESULTS, _CITING = "$search_results$", "$output_format_instructions$"  # Bedrock's own placeholders
_CONNECT_S = 10.0
_CONNECTIONS = 50
# What to do about an error, by its code.
_KEYS = "are the AWS keys right and not expired?"
_MENDS = {
    "AccessDeniedException": "may these credentials bedrock:RetrieveAndGenerate and bedrock:Retrieve on the knowledge "
    "base, and bedrock:InvokeModel on the model?",
    "UnrecognizedClientException": _KEYS,
    "InvalidSignatureException": _KEYS,
    "ExpiredTokenException": _KEYS,
    "ResourceNotFoundException": "are knowledge_base_id, model_arn and region right?",
    "ValidationException": "is model_arn right, and the question no longer than Bedrock takes?",
    "ThrottlingException": "lower `concurrency`, or raise `retries`",
    "ServiceQuotaExceededException": "ask AWS for a larger quota, or lower `concurrency`",
}
_LATER = "ringtrue resume asks again"


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A knowledge base, the model that answers from it, and the limits of asking it.

    `model_arn` may be the ARN of a model or of an inference profile, or a model's id. Without `region`, credentials and
    region are what boto3 finds (environment, profile, role). `number_of_results` are the passages retrieved, 5 where it
    is not said; `prompt_template` takes the place of Bedrock's own. `timeout` is in seconds for one try; `retries` are
    the tries after the first; `concurrency` limits the questions under way here.
    """

    name: str
    knowledge_base_id: str
    model_arn: str
    region: str | None = None
    endpoint_url: str | None = None
    number_of_results: int | None = None
    prompt_template: str | None = None
    timeout: float = 60.0
    retries: int = 4
    concurrency: int | None = None
    live: ClassVar[bool] = True

    def __post_init__(self) -> None:
        where = partial(place, self.name)
        for key in ("knowledge_base_id", "model_arn"):
            if not getattr(self, key).strip():
                raise ConfigError("this is empty", where=where(key), mend=f"give the {key} that AWS shows you")
        if self.endpoint_url is not None:
            require_url(self.endpoint_url, where("endpoint_url"))
        if self.number_of_results is not None:
            require_at_least(self.number_of_results, 1, where("number_of_results"))
        if self.prompt_template is not None and _RESULTS not in self.prompt_template:
            raise ConfigError(
                f"the template does not say where the passages go ({_RESULTS})",
                where=where("prompt_template"),
                mend=f"write {_RESULTS} in it, and {_CITING}, without which Bedrock cites no passage",
            )
        require_seconds(self.timeout, where("timeout"))
        require_at_least(self.retries, 0, where("retries"))
        if self.concurrency is not None:
            require_at_least(self.concurrency, 1, where("concurrency"))

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answer]:
        """Give a function that asks the knowledge base; the error at once where region or credentials are missing."""
        threads = Threads()
        try:
            client = await threads.call(self._client)
            limit = asyncio.Semaphore(self.concurrency) if self.concurrency else nullcontext()

            async def answer(sample: Sample, _: int) -> Response:
                async with limit:
                    began = perf_counter()
                    reply = await threads.call(partial(_ask, client, self.request(sample), self.timeout))
                    return self.response(reply, perf_counter() - began)

            try:
                yield answer
            finally:
                client.close()
        finally:
            threads.close()

    def _client(self) -> Any:
        try:
            import boto3
            import botocore.exceptions as broken
            from botocore.config import Config
        except ImportError as error:
            raise MissingExtraError(f"pipeline {self.name!r}, a knowledge base of Bedrock,", "bedrock") from error
        settings = Config(
            retries={"mode": "standard", "total_max_attempts": self.retries + 1},
            read_timeout=self.timeout,
            connect_timeout=min(self.timeout, _CONNECT_S),
            max_pool_connections=self.concurrency or _CONNECTIONS,
            user_agent_extra="ringtrue",
        )
        try:
            session = boto3.Session(region_name=self.region)
            if session.get_credentials() is None:
                raise PipelineError(
                    f"pipeline {self.name!r}: no AWS credentials are found",
                    mend="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
                )
            return session.client("bedrock-agent-runtime", endpoint_url=self.endpoint_url, config=settings)
        except broken.NoRegionError as error:
            raise ConfigError(
                "Bedrock has no region",
                where=place(self.name, "region"),
                mend="write it, such as us-east-1, or set the environment variable AWS_REGION",
            ) from error
        except broken.BotoCoreError as error:
            raise PipelineError(f"pipeline {self.name!r}: {clip(str(error), _SHOWN)}") from error

    def request(self, sample: Sample) -> dict[str, Any]:
        """The keyword arguments of ``retrieve_and_generate``."""
        base: dict[str, Any] = {"knowledgeBaseId": self.knowledge_base_id, "modelArn": self.model_arn}
        if self.number_of_results is not None:
            search = {"numberOfResults": self.number_of_results}
            base["retrievalConfiguration"] = {"vectorSearchConfiguration": search}
        if self.prompt_template is not None:
            template = {"textPromptTemplate": self.prompt_template}
            base["generationConfiguration"] = {"promptTemplate": template}
        return {
            "input": {"text": sample.question},
            "retrieveAndGenerateConfiguration": {"type": "KNOWLEDGE_BASE", "knowledgeBaseConfiguration": base},
        }

    def response(self, reply: Mapping[str, Any], latency_s: float) -> Response:
        """The answer with what it cites; where the template has no citations asked for, its passages are not known."""
        told = {
            "session_id": reply.get("sessionId"),
            "guardrail_action": reply.get("guardrailAction"),
            "retries": reply.get("ResponseMetadata", {}).get("RetryAttempts"),
        }
        cites = self.prompt_template is None or _CITING in self.prompt_template
        passages = _passages(reply.get("citations") or ())
        return response_from(
            {
                "answer": (reply.get("output") or {}).get("text"),
                "contexts": passages if passages or cites else None,
                "latency_s": latency_s,
                "model": self.model_arn,
                "metadata": {key: value for key, value in told.items() if value},
            }
        )


def _ask(client: Any, request: Mapping[str, Any], timeout_s: float) -> Any:
    """Bedrock's reply; PipelineError with its kind and the mend, since a failed answer keeps only its message."""
    import botocore.exceptions as broken

    try:
        return client.retrieve_and_generate(**request)
    except broken.ClientError as error:
        told = error.response.get("Error", {})
        code, tries = told.get("Code", "error"), error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0) + 1
        shown = f"{code}: {clip(str(told.get('Message', '')), _SHOWN)}" + (
            f" (tried {tries} times)" if tries > 1 else ""
        )
        raise PipelineError(f"{shown}; {_MENDS.get(code, _LATER)}") from error
    except (broken.ReadTimeoutError, broken.ConnectTimeoutError) as error:
        raise PipelineError(f"no reply from Bedrock within {timeout_s:g} s; {_LATER}") from error
    except broken.ParamValidationError as error:
        raise PipelineError(
            f"boto3 does not take the request: {clip(str(error), _SHOWN)}; is it up to date?"
        ) from error
    except broken.NoCredentialsError as error:
        raise PipelineError(f"no AWS credentials are found; {_KEYS}") from error
    except broken.BotoCoreError as error:
        raise PipelineError(f"Bedrock cannot be asked: {clip(str(error), _SHOWN)}") from error


def _passages(citations: Any) -> list[dict[str, Any]]:
    """The passages that are cited, each once, in the order in which the answer comes to them."""
    found: list[dict[str, Any]] = []
    for citation in citations:
        for reference in citation.get("retrievedReferences") or ():
            location = reference.get("location") or {}
            kind = {"location_type": location["type"]} if location.get("type") else {}
            passage = {
                "id": _place(location),
                "text": _text(reference.get("content") or {}),
                "metadata": {**(reference.get("metadata") or {}), **kind},
            }
            if passage not in found:
                found.append(passage)
    return found


def _text(content: Mapping[str, Any]) -> str | None:
    """The words of a passage: its text, a table's row, what is heard or seen; an image has none."""
    if content.get("row"):
        return "\n".join(f"{cell.get('columnName')}: {cell.get('columnValue')}" for cell in content["row"])
    heard, seen = content.get("audio") or {}, content.get("video") or {}
    return content.get("text") or heard.get("transcription") or seen.get("summary")


def _place(location: Mapping[str, Any]) -> str | None:
    """Where a passage comes from: the address, id or query of whichever source it has."""
    for key, source in location.items():
        if key.endswith("Location") and isinstance(source, Mapping):
            return next((str(value) for value in source.values() if value), None)
    return None
