"""An HTTP endpoint asked with a request a question; where in its JSON reply the answer stands is told by JMESPath.

A fault that may pass (408, 409, 425, 429, 5xx, a broken connection, a timeout) is tried again, after a growing and
randomised wait or as long as the server asks. No cookies are kept, so that no question sees another's session.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

from jmespath.parser import ParsedResult

from ringtrue.data.scalars import is_missing, to_text
from ringtrue.errors import PipelineError
from ringtrue.pipelines.checks import (
    place,
    require_at_least,
    require_headers,
    require_method,
    require_object,
    require_seconds,
    require_url,
)
from ringtrue.pipelines.paths import PATHS, compile_paths, find_fields
from ringtrue.pipelines.replies import MAX_REPLY_BYTES, decode, parse_json, response_from
from ringtrue.pipelines.templates import check_template, fill_json, fill_text
from ringtrue.pipelines.tries import PASSING, Fault, pause, retry_after
from ringtrue.text.words import clip
from ringtrue.types import Answer, Response, Sample

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Http"]

_CHUNK, _SHOWN = 65536, 200


@dataclass(frozen=True, slots=True)
class Http:
    """An endpoint: the request's templates, the JMESPath of each field of the reply, and its limits.

    Placeholders may stand in `url`, `params` and any string of `body`. `answer` and the other paths default to the
    field's own name; without `answer`, a reply that is a JSON string or plain text is the answer itself. `timeout` is
    in seconds for one try; `retries` are the tries after the first; `concurrency` limits the questions under way here.
    """

    name: str
    url: str
    method: str = "POST"
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    answer: str | None = None
    contexts: str | None = None
    input_tokens: str | None = None
    output_tokens: str | None = None
    cost: str | None = None
    model: str | None = None
    timeout: float = 60.0
    retries: int = 2
    concurrency: int | None = None
    live: ClassVar[bool] = True

    def __post_init__(self) -> None:
        where = partial(place, self.name)
        require_url(self.url, where("url"))
        require_method(self.method, where("method"))
        require_object(self.body, where("body"))
        require_headers(self.headers, where("headers"))
        require_seconds(self.timeout, where("timeout"))
        require_at_least(self.retries, 0, where("retries"))
        if self.concurrency is not None:
            require_at_least(self.concurrency, 1, where("concurrency"))
        for key in ("url", "params", "body"):
            check_template(getattr(self, key), where(key))
        self._paths()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answer]:
        """Give a function that asks the endpoint, over one session that is closed at the end."""
        import aiohttp  # 0.3 CPU seconds: only a run that asks over HTTP pays for it

        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),  # the engine limits, and `concurrency` does
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self.timeout),
            headers={"Accept": "application/json, text/plain;q=0.9", "User-Agent": "ringtrue"},
        ) as session:
            client = _Client(self, session)
            limit = asyncio.Semaphore(self.concurrency) if self.concurrency else nullcontext()

            async def answer(sample: Sample, _: int) -> Response:
                async with limit:
                    return await client.ask(sample)

            yield answer

    def _paths(self) -> dict[str, ParsedResult]:
        return compile_paths({key: getattr(self, key) for key in PATHS}, self.name)


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply with a good status. `charset` is what the server says, `kind` the media type."""

    body: bytes
    kind: str
    charset: str


class _Client:
    """An open endpoint."""

    def __init__(self, http: Http, session: "aiohttp.ClientSession") -> None:
        self._http, self._session = http, session
        self._paths = http._paths()
        self._proxy = _proxy(http.url)
        self._shown = _without_secrets(http.url)
        self._headers = {key: value.strip() for key, value in http.headers.items()}
        if http.body is not None and not any(key.lower() == "content-type" for key in self._headers):
            self._headers["Content-Type"] = "application/json"

    async def ask(self, sample: Sample) -> Response:
        """One answer, with the latency of the try that gave it; PipelineError where none did."""
        request = self._request(sample)
        tries = 0
        while True:
            tries += 1
            began = perf_counter()
            outcome = await self._send(request)
            if isinstance(outcome, _Reply):
                response = replace(self._read(outcome), latency_s=perf_counter() - began)
                return response if tries == 1 else replace(response, metadata={"retries": tries - 1})
            if not outcome.may_pass or tries > self._http.retries:
                raise PipelineError(outcome.message + (f" (tried {tries} times)" if tries > 1 else ""))
            await asyncio.sleep(pause(outcome, tries))

    def _request(self, sample: Sample) -> dict[str, Any]:
        http = self._http
        filled = {key: fill_json(value, sample) for key, value in http.params.items()}
        pairs = [(key, one) for key, value in filled.items() for one in (value if isinstance(value, list) else [value])]
        body = None if http.body is None else json.dumps(fill_json(http.body, sample), ensure_ascii=False)
        return {
            "method": http.method.upper(),
            "url": fill_text(http.url, sample, partial(quote, safe="")),
            "params": [(key, to_text(value)) for key, value in pairs if not is_missing(value)],
            "data": None if body is None else body.encode("utf-8", "replace"),
            "headers": self._headers,
            "proxy": self._proxy,
        }

    async def _send(self, request: Mapping[str, Any]) -> _Reply | Fault:
        import aiohttp

        try:
            async with self._session.request(**request) as response:
                body = await _body(response)
                status, headers = response.status, response.headers
                reply = _Reply(body, response.content_type, response.charset or "utf-8")
        except TimeoutError:
            return Fault(f"no reply from {self._shown} within {self._http.timeout:g} s", may_pass=True)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return Fault(f"{self._shown}, filled in or redirected, is no web address")
        except (aiohttp.TooManyRedirects, aiohttp.ClientSSLError, ValueError) as error:
            return Fault(f"cannot ask {self._shown}: {_cause(error)}")
        except aiohttp.ClientConnectorError as error:
            return Fault(f"cannot reach {self._shown}: {_cause(error)}", may_pass=True)
        except (aiohttp.ClientError, OSError) as error:
            return Fault(f"the connection to {self._shown} broke: {_cause(error)}", may_pass=True)
        if status >= 300:
            began = clip(body.decode("utf-8", "replace"), _SHOWN)
            message = f"HTTP {status} {response.reason or ''}".rstrip() + (f": {began}" if began else "")
            return Fault(message, status in PASSING, retry_after(headers.get("Retry-After")))
        return reply

    def _read(self, reply: _Reply) -> Response:
        """The Response in a reply; PipelineError where it is no JSON, too long, or holds no answer."""
        if len(reply.body) > MAX_REPLY_BYTES:
            raise PipelineError(f"{self._shown} sent more than {MAX_REPLY_BYTES >> 20} MB")
        text = decode(reply.body, reply.charset)
        if not text or text.isspace():
            raise PipelineError(f"{self._shown} sent an empty reply")
        is_json = "json" in reply.kind or text.lstrip()[:1] in ("{", "[")
        if self._http.answer is None and not is_json and reply.kind in ("text/plain", "text/markdown"):
            return response_from(text)
        try:
            found = parse_json(text)
        except PipelineError as error:
            raise PipelineError(f"{error.message} (sent as {reply.kind})") from error
        if self._http.answer is None and isinstance(found, str):
            return response_from(found)
        return response_from(find_fields(found, self._paths))


async def _body(response: "aiohttp.ClientResponse") -> bytes:
    """The body, or somewhat more than what is allowed of one."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            break
    return bytes(body)


def _cause(error: Exception) -> str:
    """What went wrong beneath, on one line and without the URL, which may hold a secret."""
    beneath = getattr(error, "os_error", error)
    if isinstance(beneath, ConnectionError) and beneath.errno:
        return os.strerror(beneath.errno)
    told = getattr(beneath, "message", None) or getattr(beneath, "strerror", None)
    return clip(str(told or ("" if hasattr(beneath, "request_info") else beneath)), _SHOWN) or type(error).__name__


def _without_secrets(url: str) -> str:
    """The URL as messages may show it: no user, no password, no query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _proxy(url: str) -> str | None:
    """The proxy that the machine names for this URL; aiohttp's own look-up would read passwords from netrc too."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return None if proxy_bypass(host) else getproxies().get(parts.scheme)
