"""The files that the package carries are those that the card speaks of."""

import asyncio
import hashlib
import json
import re
from pathlib import Path

import pytest

from ringtrue.judges.local.correctness import answer_correctness
from ringtrue.judges.local.grounding import faithfulness
from ringtrue.judges.local.weighing import weighing
from ringtrue.models.local.network import signature
from ringtrue.models.local.weights import find
from ringtrue.types import Passage, Response, Sample

ROOT = Path(__file__).parents[2]
CARD = (ROOT / "training/MODEL_CARD.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["judge.onnx", "tokenizer.json"])
def test_the_sum_of_each_file_is_on_the_card(name: str) -> None:
    told = re.search(rf"sha256 of {re.escape(name)} \| `(\w+)`", CARD)
    assert told is not None
    assert hashlib.sha256((find("judge") / name).read_bytes()).hexdigest() == told[1]


def test_the_file_is_no_larger_than_it_may_be() -> None:
    assert (find("judge") / "judge.onnx").stat().st_size <= 50_000_000


def test_the_weighing_was_fitted_for_this_network() -> None:
    path = ROOT / "src/ringtrue/judges/local/weighing.json"
    assert json.loads(path.read_text(encoding="utf-8"))["network"] == signature(find("judge"))
    assert weighing("correct").weights["network"] > 0


def test_each_look_at_the_test_side_is_counted() -> None:
    looks = json.loads((ROOT / "training/looks.json").read_text(encoding="utf-8"))
    assert f"looks at the test side | {len(looks)} |" in CARD


def test_what_the_file_says_of_two_rows() -> None:
    # Measured with the shipped file on the day it was made; another machine may differ in the third place.
    sample = Sample(id="1", question="Who wrote Emma?", reference=("Jane Austen",))
    right = asyncio.run(answer_correctness(sample, Response(answer="Emma was written by Jane Austen.")))
    wrong = asyncio.run(answer_correctness(sample, Response(answer="Emma was written by Charlotte Brontë.")))
    passage = (Passage(text="The museum opens at 9:30 every day. It is closed in January."),)
    held = asyncio.run(faithfulness(sample, Response(answer="The museum is closed in January.", contexts=passage)))
    assert [one.probability for one in (right, wrong, held)] == pytest.approx([0.9546, 0.0326, 0.7753], abs=0.005)
