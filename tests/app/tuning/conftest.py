"""Labelled rows, and scripted models that are wrong in a way which tuning can mend."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[..., Path]

# `shy` tells right from wrong well and never gives "yes" a half. `schooled` takes "c'est vrai" for a right answer only
# where an example has shown it so. `flat` gives no probabilities, `random_odds` such as say nothing. `willing` takes it
# so where its instructions say "any tongue", which it proposes every other time.
MODELS = """
import json
import re

from ringtrue.models.types import Completion, Usage

calls = []


def _reply(request, label, probability=None):
    calls.append(request)
    properties = request.schema["properties"]
    positive, negative = properties["verdict"]["enum"]
    said = {"rationale": f"it says {label}"} if "rationale" in properties else {}
    text = json.dumps({**said, "verdict": positive if label == "yes" else negative})
    shares = None if probability is None else {positive: probability, negative: 1 - probability}
    usage = Usage(input_tokens=1, output_tokens=1, calls=1, cost=None, latency_s=0.0)
    return Completion(
        text=text, parsed=None, finish_reason="stop", usage=usage, model="scripted", label_probabilities=shares
    )


def shy(request):
    strength = float(re.findall(r"strength (0[.][0-9]+)", request.messages[-1].content)[-1])
    return _reply(request, "no", 0.48 * strength)


def schooled(request):
    *before, question = request.messages
    shown = [m.content for m, after in zip(before, before[1:]) if m.role == "user" and '"yes"' in after.content]
    text = question.content
    right = "it is right" in text or ("c'est vrai" in text and any("c'est vrai" in one for one in shown))
    return _reply(request, "yes" if right else "no")


def flat(request):
    return _reply(request, "yes" if "it is right" in request.messages[-1].content else "no")


def random_odds(request):
    return _reply(request, "yes", 0.4 + 0.2 * (len(request.messages[-1].content) % 2))


def willing(request):
    if request.schema is None:
        calls.append(request)
        words = "Accept a right answer in any tongue." if len(calls) % 2 else "Be strict about {everything}."
        parts = {"instruction": f"{words}\\n- Yes means that it is right.", "prefix_for_output_field": "Verdict:"}
        blocks = [f"[[ ## proposed_{name} ## ]]\\n{text}" for name, text in parts.items()]
        return "\\n\\n".join([*blocks, "[[ ## completed ## ]]"])
    system, question = request.messages
    texts = ["it is right", *(["c'est vrai"] if "any tongue" in system.content else [])]
    right = any(text in question.content for text in texts)
    return _reply(request, "yes" if right else "no")


def mute(request):
    if request.schema is None:
        raise ValueError("no words today")
    return _reply(request, "no")


def broken(request):
    return "nothing"
"""


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """160 rows of 80 questions, a right and a wrong answer each, of which some look like the other."""
    chance = random.Random(5)
    found = []
    for place in range(160):
        right = place % 2 == 0
        strength = chance.betavariate(6, 3) if right else chance.betavariate(3, 6)
        words = ("it is right" if place % 3 else "c'est vrai") if right else "it is not"
        found.append(
            {
                "id": f"r{place}",
                "question": f"Question {place // 2}?",
                "reference": "It is G.",
                "answer": f"Answer {place}: {words}, with strength {strength:.3f}.",
                "label": "yes" if right else "no",
            }
        )
    return found


@pytest.fixture
def data(rows: list[dict[str, Any]], write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The rows in a file, beside the models."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "tuning_models", raising=False)
    write("tuning_models.py", MODELS)
    return write("labelled.jsonl", rows)
