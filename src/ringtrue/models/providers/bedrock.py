"""Amazon Bedrock's Converse, through boto3, which signs the requests."""

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from ringtrue.errors import ConfigError, MissingExtraError
from ringtrue.models.faults import Fault, fault_of
from ringtrue.models.providers.wire import Ending, Form, How, Reply, text_or_none, whole_number
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.structured import REPLY_NAME, wire_schema, with_format
from ringtrue.models.types import Request
from ringtrue.text.words import clip

__all__ = ["Converse", "ConverseTransport"]

_ENDINGS: dict[str | None, Ending] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "content_filtered": "filtered",
    "guardrail_intervened": "filtered",
}
# Usual parameters under Converse's names; others are the model's own.
_INFERENCE = {"max_tokens": "maxTokens", "temperature": "temperature", "top_p": "topP", "stop": "stopSequences"}
# boto3's own arguments, where the environment names them; it reads profiles and roles by itself.
_CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "aws_access_key_id",
    "AWS_SECRET_ACCESS_KEY": "aws_secret_access_key",
    "AWS_SESSION_TOKEN": "aws_session_token",
}
_SHOWN = 300


class Converse:
    """``bedrock-runtime`` Converse, for models of every maker. It has no token probabilities."""

    forms: tuple[Form, ...] = ("schema", "tool", "prompt")
    top_logprobs = 0
    never = frozenset({"seed", "logprobs"})
    bounds = False

    def __init__(self, model: str) -> None:
        self._model = model

    def body(self, request: Request, how: How) -> dict[str, Any]:
        """The keyword arguments of ``converse``."""
        told = how.form == "prompt" and request.schema is not None
        messages = with_format(request.messages, request.schema or {}) if told else request.messages
        params = how.params(request)
        inference = {_INFERENCE[name]: params.pop(name) for name in list(params) if name in _INFERENCE}
        if isinstance(inference.get("stopSequences"), str):
            inference["stopSequences"] = [inference["stopSequences"]]
        body: dict[str, Any] = {
            "modelId": self._model,
            "messages": [
                {"role": one.role, "content": [{"text": one.content}]} for one in messages if one.role != "system"
            ],
        }
        if system := [{"text": one.content} for one in messages if one.role == "system"]:
            body["system"] = system
        if inference:
            body["inferenceConfig"] = inference
        if params:
            body["additionalModelRequestFields"] = params
        if request.schema is not None:
            body |= _shape(request.schema, how.form)
        return body

    def read(self, answer: Mapping[str, Any]) -> Reply | Fault:
        """What a reply says; a Fault where it holds no message."""
        message = (answer.get("output") or {}).get("message") or {}
        blocks = message.get("content")
        if not isinstance(blocks, list):
            return Fault(kind="transport", message="Bedrock sent no message", passing=True)
        texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
        tools = [block["toolUse"] for block in blocks if isinstance(block.get("toolUse"), Mapping)]
        ours = next((tool.get("input") for tool in tools if tool.get("name") == REPLY_NAME), None)
        thoughts = [
            ((block.get("reasoningContent") or {}).get("reasoningText") or {}).get("text", "") for block in blocks
        ]
        usage = answer.get("usage") or {}
        finish = text_or_none(answer.get("stopReason"))
        return Reply(
            text="".join(texts) or None,
            tool=ours if isinstance(ours, Mapping) else None,
            other_tool=str(tools[0].get("name")) if tools and ours is None else None,
            reasoning="".join(thoughts) or None,
            ending=_ENDINGS.get(finish, "stop"),
            finish_reason=finish,
            input_tokens=whole_number(usage.get("inputTokens")),
            output_tokens=whole_number(usage.get("outputTokens")),
            raw={key: value for key, value in answer.items() if key != "ResponseMetadata"},
        )


def _shape(schema: Mapping[str, Any], form: Form) -> dict[str, Any]:
    wired = wire_schema(schema)
    match form:
        case "schema":
            structure = {"jsonSchema": {"schema": json.dumps(wired), "name": REPLY_NAME}}
            return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": structure}}}
        case "tool":
            spec = {"name": REPLY_NAME, "description": "Give the reply.", "inputSchema": {"json": wired}}
            return {"toolConfig": {"tools": [{"toolSpec": spec}], "toolChoice": {"tool": {"name": REPLY_NAME}}}}
    return {}


class ConverseTransport:
    """boto3 in threads, since it waits for its replies."""

    def __init__(
        self, scheduler: Scheduler, environ: Mapping[str, str], base_url: str | None, concurrency: int
    ) -> None:
        self._scheduler, self._concurrency = scheduler, concurrency
        self._settings = {name: environ[key] for key, name in _CREDENTIALS.items() if environ.get(key)}
        self._region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
        self._profile = environ.get("AWS_PROFILE")
        self._base_url = base_url
        self._client: Any = None

    @property
    def place(self) -> str:
        """The endpoint, as the cache tells it apart."""
        return self._base_url or self._region or "the usual region"

    async def send(self, body: Mapping[str, Any], timeout_s: float) -> Any:
        """Bedrock's answer, or why there is none."""
        try:
            import botocore.exceptions as broken
        except ImportError as error:
            raise MissingExtraError("a model of bedrock:", "bedrock") from error
        loop, threads = asyncio.get_running_loop(), self._scheduler.threads("bedrock", self._concurrency)
        try:
            if self._client is None:
                self._client = await loop.run_in_executor(threads, partial(self._open, timeout_s))
                self._scheduler.on_close(self._close)
            return await asyncio.wait_for(
                loop.run_in_executor(threads, partial(self._client.converse, **body)), timeout_s
            )
        except (TimeoutError, broken.ReadTimeoutError, broken.ConnectTimeoutError):
            message = f"no reply from Bedrock within {timeout_s:.4g} s"
            return Fault(kind="timed_out", message=message, passing=True, congested=True)
        except broken.ClientError as error:
            return _refusal(error.response)
        except broken.ParamValidationError as error:  # an older boto3 does not know a field
            return fault_of(400, str(error))
        except (broken.NoCredentialsError, broken.PartialCredentialsError, broken.ProfileNotFound) as error:
            return Fault(
                kind="auth", message=f"{error}; set AWS_ACCESS_KEY_ID and its secret, or AWS_PROFILE", stops=True
            )
        except broken.EndpointConnectionError as error:
            return Fault(kind="transport", message=clip(str(error), _SHOWN), passing=True)
        except broken.BotoCoreError as error:
            return Fault(kind="transport", message=clip(str(error), _SHOWN), passing=True)

    def _open(self, timeout_s: float) -> Any:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import NoRegionError

        settings = Config(
            retries={"total_max_attempts": 1},  # the throttle tries again
            read_timeout=timeout_s,
            max_pool_connections=self._concurrency,
            user_agent_extra="ringtrue",
        )
        try:
            session = boto3.Session(region_name=self._region, profile_name=self._profile, **self._settings)
            return session.client("bedrock-runtime", endpoint_url=self._base_url, config=settings)
        except NoRegionError as error:
            raise ConfigError("Bedrock has no region", mend="set the environment variable AWS_REGION") from error

    async def _close(self) -> None:
        self._client.close()
        self._client = None


def _refusal(response: Mapping[str, Any]) -> Fault:
    error, metadata = response.get("Error", {}), response.get("ResponseMetadata", {})
    status = metadata.get("HTTPStatusCode", 500)
    return fault_of(status, {"message": f"{error.get('Code', '')}: {error.get('Message', '')}"})
