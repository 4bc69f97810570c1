"""Where in a JSON reply the fields of a Response stand: one JMESPath expression a field."""

from collections.abc import Mapping
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines.checks import place
from ringtrue.pipelines.replies import outline
from ringtrue.text.words import clip

__all__ = ["PATHS", "compile_paths", "find_fields"]

PATHS = ("answer", "contexts", "input_tokens", "output_tokens", "cost", "model")
_SHOWN = 200


def compile_paths(written: Mapping[str, str | None], pipeline: str) -> dict[str, ParsedResult]:
    """Compile the expression of each field, by default the field's own name; ConfigError where one is broken."""
    return {key: _compile(key, key if path is None else path, pipeline) for key, path in written.items()}


def find_fields(reply: Any, paths: Mapping[str, ParsedResult]) -> dict[str, Any]:
    """What stands at each path. PipelineError where there is no answer, or no passages at a path that was named.

    Tokens, cost and model may be missing.
    """
    found = {key: _search(key, path, reply) for key, path in paths.items()}
    for key in ("answer", "contexts"):
        expression = paths[key].expression
        if found[key] is None and (key == "answer" or expression != key):
            raise PipelineError(
                f"{key}: {expression!r} matches nothing (or null) in the reply, whose keys are: {outline(reply)}; "
                f"it begins: {clip(str(reply), _SHOWN)}"
            )
    return found


def _compile(key: str, path: str, pipeline: str) -> ParsedResult:
    try:
        return jmespath.compile(path)
    except (JMESPathError, TypeError) as error:
        raise ConfigError(
            f"{path!r} is no JMESPath expression: {clip(str(error), _SHOWN)}",
            where=place(pipeline, key),
            mend="write the way to the field, such as 'result.text' or 'docs[].text'",
        ) from error


def _search(key: str, path: ParsedResult, reply: Any) -> Any:
    try:
        return path.search(reply)
    except JMESPathError as error:
        raise PipelineError(
            f"{key}: {path.expression!r} cannot be read from the reply: {clip(str(error), _SHOWN)}"
        ) from error
