"""Writes the judge for use without torch: ``judge.onnx``, its tokenizer, and ``judge.json`` with what callers need.

Beside it stands ``dev_probabilities.jsonl``, for measuring, and for whoever fits a model on top.

    python -m training.export --checkpoint WORK/checkpoint.pt --data DATA --base BASE --out OUT

Weights are stored as 16-bit numbers and widened when the file is loaded, which halves it and moves no probability by
more than `judge.json` says.
"""

import argparse
import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from ringtrue.models.local.inputs import (
    CLAIM_TOKENS,
    MOST_REFERENCES,
    MOST_TOKENS,
    PASSAGE_WORDS,
    QUESTION_TOKENS,
    SENTENCE_WORDS,
    Inputs,
)
from training.data import read_rows
from training.model import Judge
from training.scoring import Network, row_probabilities
from training.split import SALT
from training.train import as_network

__all__ = ["open_network"]

OPSET = 17
_SMALLEST_STORED_HALF = 4096  # numbers; small ones stay as they are


def open_network(path: Path, threads: int = 2) -> Network:
    """The exported file as a function of ids and parts."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(ids: NDArray[np.int64], parts: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        support, correct = session.run(["support", "correct"], {"ids": ids, "parts": parts})
        return support, correct

    return run


def write_onnx(judge: Judge, path: Path) -> None:
    """The network with both heads: inputs ``ids`` and ``parts`` (rows, length), outputs logits."""
    ids = torch.randint(1000, 30000, (2, 12))
    parts = torch.tensor([[1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0], [1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]])
    axes = {
        "ids": {0: "rows", 1: "length"},
        "parts": {0: "rows", 1: "length"},
        "support": {0: "rows"},
        "correct": {0: "rows"},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter announces its own successor
        torch.onnx.export(
            judge,
            (ids, parts),
            str(path),
            input_names=["ids", "parts"],
            output_names=["support", "correct"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load(path)
    _store_halves(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _store_halves(graph: Any) -> None:
    casts = []
    for place, tensor in enumerate(graph.initializer):
        values = numpy_helper.to_array(tensor)
        if tensor.data_type == TensorProto.FLOAT and values.size >= _SMALLEST_STORED_HALF:
            half = numpy_helper.from_array(values.astype(np.float16), f"{tensor.name}_half")
            casts.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
            graph.initializer[place].CopyFrom(half)
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def averaged(states: Sequence[dict[str, Any]]) -> Judge:
    """The mean of the weights of several trainings of one descent: steadier than the last of them alone."""
    weights = [state["judge"] | state["average"] for state in states]
    judge = Judge()
    judge.load_state_dict({name: sum(one[name] / len(weights) for one in weights) for name in weights[0]})
    return judge.eval()


def main() -> None:
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    states = [torch.load(path, weights_only=True) for path in options.checkpoint]
    judge = averaged(states)
    onnx_path, tokenizer_path = options.out / "judge.onnx", options.out / "tokenizer.json"
    write_onnx(judge, onnx_path)
    tokenizer_path.write_bytes((options.base / "tokenizer.json").read_bytes())
    inputs = Inputs(options.out)
    rows = [row for row in read_rows(options.data) if row.side == "dev"]
    few = rows[:: max(1, len(rows) // 200)]
    networks = (as_network(judge), open_network(onnx_path))
    torch_says, onnx_says = (row_probabilities(few, inputs, network) for network in networks)
    moved = np.abs(torch_says - onnx_says).max()
    description = {
        "version": 1,
        "steps": [state["step"] for state in states],
        "minutes": [round(state["seconds"] / 60, 1) for state in states],
        "split": SALT,
        "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (onnx_path, tokenizer_path)},
        "limits": {
            "tokens": MOST_TOKENS,
            "question_tokens": QUESTION_TOKENS,
            "claim_tokens": CLAIM_TOKENS,
            "passage_words": PASSAGE_WORDS,
            "sentence_words": SENTENCE_WORDS,
            "references": MOST_REFERENCES,
        },
        "outputs": {"support": ["supported", "neither", "contradicted"], "correct": ["correct"]},
        "torch_to_onnx_largest_difference": float(moved),
    }
    (options.out / "judge.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, meaning in (
        ("data", "folder of the rows that people labelled"),
        ("base", "folder with the tokenizer.json of MiniLM-L6"),
        ("out", "folder to write to"),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, help=meaning)
    told = "what training.train wrote; the mean of several"
    parser.add_argument("--checkpoint", type=Path, nargs="+", required=True, help=told)
    return parser.parse_args()


if __name__ == "__main__":
    main()
