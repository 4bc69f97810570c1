"""JSON over HTTP: one POST a call, over the scheduler's session."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

import orjson

from ringtrue.models.faults import Fault, fault_of_status
from ringtrue.models.scheduler import Scheduler
from ringtrue.text.words import clip

if TYPE_CHECKING:
    import aiohttp
    import yarl

__all__ = ["HttpTransport", "proxy_for"]

_SHOWN = 200


class HttpTransport:
    """Posts JSON to one URL. `headers` hold the key; no message ever shows it."""

    def __init__(
        self,
        scheduler: Scheduler,
        url: str,
        headers: Mapping[str, str],
        *,
        secret: str | None = None,
        proxy: str | None = None,
    ) -> None:
        parts = urlsplit(url)
        self._shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._scheduler = scheduler
        self._url = url
        self._parsed: yarl.URL | None = None
        self._timeout: aiohttp.ClientTimeout | None = None
        self._headers = {"Content-Type": "application/json", "User-Agent": "ringtrue", **headers}
        self._secret = secret
        self._proxy = proxy

    async def send(self, body: Mapping[str, Any], timeout_s: float) -> Mapping[str, Any] | Fault:
        """The object that the endpoint answers, or why there is none."""
        import aiohttp

        try:
            status, headers, answer = await self._post(body, timeout_s)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return self._no_answer(error, timeout_s)
        if 200 <= status < 300:
            return self._object(answer)
        if 300 <= status < 400:
            message = f"{self._shown} redirects to {headers.get('Location', 'elsewhere')}"
            return Fault(kind="bad_request", message=message, status=status, stops=True)
        fault = fault_of_status(status, headers, answer)
        return replace(fault, message=self._hidden(fault.message), body=self._hidden(fault.body))

    async def _post(self, body: Mapping[str, Any], timeout_s: float) -> tuple[int, Mapping[str, str], bytes]:
        import aiohttp
        import yarl

        if self._parsed is None:
            self._parsed = yarl.URL(self._url, encoded=True)
        if self._timeout is None or self._timeout.total != timeout_s:
            self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        async with self._scheduler.session().post(
            self._parsed,
            data=_json(body),
            headers=self._headers,
            proxy=self._proxy,
            allow_redirects=False,
            timeout=self._timeout,
        ) as response:
            return response.status, response.headers, await response.read()

    def _no_answer(self, error: Exception, timeout_s: float) -> Fault:
        import aiohttp

        if isinstance(error, TimeoutError):
            message = f"no reply from {self._shown} within {timeout_s:.4g} s"
            return Fault(kind="timed_out", message=message, passing=True, congested=True)
        if isinstance(error, aiohttp.InvalidURL | aiohttp.ClientSSLError | ValueError):
            return Fault(kind="transport", message=f"cannot ask {self._shown}: {_cause(error)}", stops=True)
        if isinstance(error, aiohttp.ClientConnectorError):
            message = f"cannot reach {self._shown}: {_cause(error)}"
            return Fault(kind="transport", message=message, passing=True)
        return Fault(kind="transport", message=f"the connection to {self._shown} broke: {_cause(error)}", passing=True)

    def _hidden(self, text: str) -> str:
        """`text` without the key, which some servers repeat."""
        return text.replace(self._secret, "…") if self._secret else text

    def _object(self, answer: bytes) -> Mapping[str, Any] | Fault:
        try:
            found = orjson.loads(answer)
        except orjson.JSONDecodeError:
            found = None
        if isinstance(found, dict):
            return found
        began = clip(answer[: 4 * _SHOWN].decode("utf-8", "replace"), _SHOWN)
        return Fault(
            kind="transport", message=f"{self._shown} sent no JSON object: {began!r}", passing=True, body=began
        )


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for this URL (``HTTPS_PROXY``, ``NO_PROXY``, in any case)."""
    proxies = {key.lower().removesuffix("_proxy"): value for key, value in environ.items() if _is_proxy(key) and value}
    parts = urlsplit(url)
    if proxy_bypass_environment(parts.netloc.rpartition("@")[2], proxies):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")


def _is_proxy(key: str) -> bool:
    return key.lower().endswith("_proxy")


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # half of a surrogate pair in the text, which no UTF-8 can hold
        return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _cause(error: Exception) -> str:
    """What went wrong beneath, on one line and without the URL, which may hold a secret."""
    beneath = getattr(error, "os_error", error)
    if isinstance(beneath, OSError) and beneath.errno and beneath.errno > 0:
        return os.strerror(beneath.errno)
    told = getattr(beneath, "message", None) or getattr(beneath, "strerror", None)
    return clip(str(told or ("" if hasattr(beneath, "request_info") else beneath)), _SHOWN) or type(error).__name__
