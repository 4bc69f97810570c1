"""YAML to raw rows whose scalars keep their written text: ``no``, ``007``, ``3.10``, ``12:30`` stay what they are."""

from collections.abc import Mapping
from typing import Any

import yaml

from ringtrue.data.formats.jsontext import rows_in
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading
from ringtrue.data.scalars import Written
from ringtrue.errors import DataError

__all__ = ["read_yaml", "yaml_value"]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, where PyYAML was built with it
_CORE = "tag:yaml.org,2002:"
_PLAIN = frozenset(_CORE + name for name in ("null", "str", "seq", "map", "timestamp", "merge", "value"))
_TYPED = (_CORE + "int", _CORE + "float", _CORE + "bool")
_NOT_A_NUMBER = (".nan", ".NaN", ".NAN")
_DEEPEST = 200
_EXPANSION = 100  # values made a character of the file, at most: aliases of aliases can make billions


class _Line(dict[str, Any]):
    """A mapping that knows the line where it starts."""

    line = 0


def read_yaml(text: str, reading: Reading) -> RawRows:
    """A list of mappings, a mapping that holds one, columns, or one document a row."""
    documents = _values(text, reading)
    document = documents[0] if len(documents) == 1 else documents
    found = rows_in(document, reading)
    places = [
        row.line if isinstance(row, _Line) else place for row, place in zip(found.rows, found.places, strict=True)
    ]
    return RawRows(rows=found.rows, places=places, reading=reading, head=found.head)


def yaml_value(text: str, reading: Reading) -> Any:
    """The first document as dicts, lists, text and None."""
    return next(iter(_values(text, reading)), None)


def _values(text: str, reading: Reading) -> list[Any]:
    builder = _Builder(reading, budget=1000 + _EXPANSION * len(text))
    try:
        return [builder.build(node, 0) for node in yaml.compose_all(text, Loader=_Loader)]
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise DataError(f"not YAML: {error.problem}", file=reading.name, line=line, mend="mend the file") from error
    except yaml.YAMLError as error:
        raise DataError(f"not YAML: {' '.join(str(error).split())}", file=reading.name, mend="mend the file") from error
    except RecursionError as error:
        raise DataError("not read: it is nested too deeply", file=reading.name) from error


class _Builder:
    """Values from nodes. A builder counts what it makes, so that aliases of aliases cannot fill the memory."""

    def __init__(self, reading: Reading, budget: int) -> None:
        self.reading, self.budget = reading, budget

    def build(self, node: yaml.Node, depth: int) -> Any:
        self.budget -= 1
        if self.budget < 0 or depth > _DEEPEST:
            raise self._error(node, "anchors that repeat too much, or nesting that is too deep")
        if node.tag not in _PLAIN and node.tag not in _TYPED:
            raise self._error(node, f"the tag {node.tag!r} is not read")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _scalar(self, node: yaml.ScalarNode) -> str | None:
        if node.tag == _CORE + "null" or (node.tag == _CORE + "float" and node.value in _NOT_A_NUMBER):
            return None
        return Written(node.value) if node.tag in _TYPED else str(node.value)

    def _mapping(self, node: yaml.Node, depth: int) -> Mapping[str, Any]:
        values, merged = _Line(), _Line()
        values.line = node.start_mark.line + 1
        for key_node, value_node in node.value:
            value = self.build(value_node, depth + 1)
            if key_node.tag == _CORE + "merge":
                for one in value if isinstance(value, list) else [value]:
                    merged = _Line(one | merged)
                continue
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else None
            if key is None or key in values:
                raise self._error(key_node, "a key that is no text" if key is None else f"the key {key!r} stands twice")
            values[key] = value
        for key, value in merged.items():
            values.setdefault(key, value)
        return values

    def _error(self, node: yaml.Node, message: str) -> DataError:
        return DataError(message, file=self.reading.name, line=node.start_mark.line + 1, mend="mend the file")
