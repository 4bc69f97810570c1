"""Files of other tools: one converter a tool says what differs there and what cannot be carried over.

After it, the reading is the same as for our own files.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ringtrue.data.aliases import plain_name
from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import read_rows
from ringtrue.data.importers.fmeval import fmeval_rows
from ringtrue.data.importers.peers import azure, deepeval, inspect_ai, mlflow, ragas, ragchecker
from ringtrue.data.importers.promptfoo import promptfoo_rows
from ringtrue.data.load import Loaded, dataset_from_rows, name_of
from ringtrue.errors import UnknownNameError

__all__ = ["PEERS", "import_dataset"]

# How each tool's file becomes raw rows, and its columns (by plain name) whose meaning there is not what they seem.
_CONVERTERS: Mapping[str, tuple[Callable[[str | Path], RawRows], Mapping[str, str]]] = {
    "fmeval": (fmeval_rows, {"answers": "reference,facts"}),
    "ragas": (lambda path: ragas(read_rows(path)), {}),
    "deepeval": (
        lambda path: deepeval(read_rows(path)),
        {"input": "question", "context": "reference_contexts", "retrievalcontext": "contexts"},
    ),
    "mlflow": (lambda path: mlflow(read_rows(path)), {"datasetrecordid": "id"}),
    "promptfoo": (promptfoo_rows, {}),
    "inspect": (lambda path: inspect_ai(read_rows(path)), {"input": "question", "epoch": "repeat"}),
    "ragchecker": (lambda path: ragchecker(read_rows(path)), {}),
    "azure": (lambda path: azure(read_rows(path)), {}),
}
PEERS = tuple(_CONVERTERS)


def import_dataset(path: str | Path, source: str) -> Loaded:
    """Read a file of another tool, one of `PEERS`. What could not be carried over is in the notes.

    Raises DataError as `load_dataset` does, and UnknownNameError for a tool that is not known.
    """
    if source not in _CONVERTERS:
        raise UnknownNameError("source", source, _CONVERTERS)
    read, names = _CONVERTERS[source]
    raw = replace(read(path), head={})
    mapping = {name: names[plain] for name in columns_of(raw.rows) if (plain := plain_name(name)) in names}
    return dataset_from_rows(raw, name=name_of(path), mapping=mapping)
