"""An endpoint that can never work is refused when it is made, and no message shows a secret."""

from collections.abc import Mapping
from typing import Any

import pytest

from ringtrue.errors import ConfigError
from ringtrue.pipelines import Http


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"url": "ftp://host/"}, "pipeline 'api': url: this is no web address"),
        ({"url": "localhost:8000/ask"}, "pipeline 'api': url: this is no web address"),
        ({"url": "http://host:port/"}, "pipeline 'api': url: this is no web address"),
        ({"url": "http://h/{{ query }}"}, "pipeline 'api': url: unknown placeholder {{ query }}"),
        ({"params": {"q": "{{ q }}"}}, "pipeline 'api': params.q: unknown placeholder {{ q }}"),
        ({"body": {"m": [{"t": "{{ Question }}"}]}}, "pipeline 'api': body.m[0].t: unknown placeholder {{ Question }}"),
        ({"body": '{"q": "{{ question }}"}'}, "pipeline 'api': body: this is a string"),
        ({"method": "GET /"}, "pipeline 'api': method: 'GET /' is no HTTP method"),
        ({"answer": "result.[text"}, "pipeline 'api': answer: 'result.[text' is no JMESPath expression"),
        ({"contexts": ""}, "pipeline 'api': contexts: '' is no JMESPath expression"),
        ({"headers": {"X Key": "1"}}, "pipeline 'api': headers: 'X Key' is no name of a header"),
        ({"headers": {"Key": "secret\r\nX: 1"}}, "pipeline 'api': headers.Key: the value is not one line of text"),
        ({"headers": {"Key": None}}, "pipeline 'api': headers.Key: the value is not one line of text"),
        ({"timeout": 0}, "pipeline 'api': timeout: 0 is no time"),
        ({"retries": -1}, "pipeline 'api': retries: -1 is no whole number of 0 or more"),
        ({"concurrency": 0}, "pipeline 'api': concurrency: 0 is no whole number of 1 or more"),
    ],
)
def test_what_can_never_work_is_refused_when_it_is_made(options: Mapping[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Http("api", **{"url": "http://127.0.0.1/", **options})
    assert caught.value.message.startswith(told)
    assert "secret" not in str(caught.value)
