"""Reports made by hand: `make_report` from a table of values, `hostile` with texts that try to break out.

`judged` has the Scores of two judges, with all that judges leave behind.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ringtrue.catalogue import Explanation, Metric, metric
from ringtrue.data.facts import parse_facts
from ringtrue.report.report import Report, build_report
from ringtrue.report.thresholds import Threshold, check_thresholds, exit_code
from ringtrue.types import Answered, Dataset, Response, RunInfo, Sample, Score, UsedMetric

MakeReport = Callable[..., Report]

SCRIPT = "Write </script><img src=x onerror=\"document.title='owned'\"> then <!-- a note"
CONTROLS = "\x1b[31mERROR\x1b[0m code \x07 and vertical\x0btab, \u202eright to left"


def _words(text: str) -> list[str]:
    return text.lower().replace(".", "").split()


def _explain(sample: Sample, response: Response) -> Explanation:
    golden, given = _words(sample.reference[0]), _words(response.answer or "")
    return Explanation(
        matched=tuple(word for word in given if word in golden),
        extra=tuple(word for word in given if word not in golden),
        missing=tuple(word for word in golden if word not in given),
    )


def a_metric(name: str, **given: Any) -> Metric:
    """A metric that says what it is; the values of these reports come from the tests."""

    def function(sample: Sample, response: Response) -> float:
        raise AssertionError("a report computes nothing")

    function.__name__ = name
    function.__doc__ = f"What {name} means <b>here</b>."
    settings = {"needs": ("answer",), "range": (0, 1), "better": "higher", "source": "this test"} | given
    return metric(**settings)(function)


METRICS = {
    one.name: one.bind()
    for one in (
        a_metric("factual_knowledge"),
        a_metric("f1_over_words", explain=_explain),
        a_metric("latency_s", range=(0, None), better="lower", unit="s"),
        a_metric("tone", better=None),
        a_metric("faithfulness"),
        a_metric("coherence"),
    )
}

Cell = float | str | None | tuple[str, str] | Mapping[str, Any]


def _score(sample: Sample, pipeline: str, repeat: int, label: str, cell: Cell) -> Score:
    """A number, a label, None for a skipped score, ("failed", why), or the fields of a judge's Score."""
    base = Score(
        sample_id=sample.id,
        pipeline=pipeline,
        repeat=repeat,
        metric=label,
        status="scored",
        signature=METRICS[label].signature,
    )
    if cell is None:
        return replace(base, status="skipped", error="no reference")
    if isinstance(cell, Mapping):
        return replace(base, **{"source": "judge", **cell})
    if isinstance(cell, tuple):
        return replace(base, status="failed", error=cell[1])
    return replace(base, label=cell) if isinstance(cell, str) else replace(base, value=float(cell))


@pytest.fixture(scope="session")
def make_report() -> MakeReport:
    """Build a Report: `scores` is by pipeline and metric a list with a cell for each sample."""

    def make(
        scores: Mapping[str, Mapping[str, Sequence[Cell]]],
        *,
        samples: Sequence[Sample] | None = None,
        answers: Mapping[tuple[str, int], Response] | None = None,
        repeats: int = 1,
        thresholds: Sequence[Threshold] = (),
        max_failed: float = 0.05,
        **run: Any,
    ) -> Report:
        labels = list(dict.fromkeys(label for by_label in scores.values() for label in by_label))
        longest = max((len(cells) for by_label in scores.values() for cells in by_label.values()), default=0)
        rows = samples or [
            Sample(id=f"s{n}", question=f"Question {n}?", reference=(f"Answer {n}.",), facts=parse_facts(f"fact {n}"))
            for n in range(1, longest // repeats + 1)
        ]
        dataset = Dataset(name="golden", samples=tuple(rows), hashes=(), fingerprint="0123456789abcdef" * 2)
        info = RunInfo(
            **{
                "id": "20261130-120000-abcd",
                "status": "finished",
                "started": "2026-11-30T12:00:00+00:00",
                "finished": "2026-11-30T12:00:05+00:00",
                "dataset_name": dataset.name,
                "dataset_fingerprint": dataset.fingerprint,
                "dataset_version": None,
                "pipelines": tuple(scores),
                "metrics": tuple(
                    UsedMetric(label=label, written=label, signature=METRICS[label].signature) for label in labels
                ),
                "repeats": repeats,
                "config": {"dataset": "golden.jsonl"},
                "environment": {"ringtrue": "0.1.0"},
                **run,
            }
        )
        given = answers or {
            (pipeline, n): Response(answer=f"Answer {n + 1}, says {pipeline}.", latency_s=0.5)
            for pipeline in scores
            for n in range(len(rows) * repeats)
        }
        report = build_report(
            info,
            dataset,
            {label: METRICS[label] for label in labels},
            [
                Answered(pipeline=pipeline, sample_id=rows[n // repeats].id, repeat=n % repeats, response=response)
                for (pipeline, n), response in given.items()
            ],
            [
                _score(rows[n // repeats], pipeline, n % repeats, label, cell)
                for pipeline, by_label in scores.items()
                for label, cells in by_label.items()
                for n, cell in enumerate(cells)
            ],
        )
        gates = check_thresholds(report, thresholds)
        return replace(report, thresholds=gates, exit_code=exit_code(report, gates, max_failed))

    return make


@pytest.fixture
def hostile(make_report: MakeReport) -> Report:
    """Two pipelines over four samples whose texts hold markup, control characters, formulas, other scripts."""
    samples = [
        Sample(
            id="h1<b>",
            question="How do I | close `a` script </title><script>alert(1)</script>?",
            reference=("Write </script>",),
            facts=parse_facts("</script>"),
            metadata={"lang": "en", "note": "</script>", "odd": float("nan")},
        ),
        Sample(id="h2", question="Show the red \x1b[1m prompt", reference=("ERROR\x07",), facts=parse_facts("ERROR")),
        Sample(
            id="h3",
            question="Which formula?",
            reference=("=SUM(A1:A3)", "['=SUM(A1:A3)']"),
            facts=parse_facts("SUM<OR>sum"),
        ),
        Sample(id="h4", question="退款多久到账？", reference=("七个工作日",), facts=parse_facts("七个工作日")),
    ]
    answers = {
        ("plain", 0): Response(answer=SCRIPT, latency_s=0.5),
        ("plain", 1): Response(answer=CONTROLS, latency_s=0.5),
        ("plain", 2): Response(answer='=HYPERLINK("http://example.invalid","click")', latency_s=0.5),
        ("plain", 3): Response(answer="七个工作日 ✓ @someone", latency_s=0.5),
        ('<img src=x onerror="alert(2)">', 0): Response(answer="half a pair: \ud83d", latency_s=1.5),
        ('<img src=x onerror="alert(2)">', 1): Response(error="timed out\x1b[2J after 60 s </script>"),
        ('<img src=x onerror="alert(2)">', 2): Response(answer="-41.27%", latency_s=1.5),
        ('<img src=x onerror="alert(2)">', 3): Response(answer="[link](http://example.invalid) **bold**", latency_s=2),
    }
    broken = ("failed", "no answer: timed out\x1b[2J </script>")
    scores: dict[str, dict[str, list[Cell]]] = {
        "plain": {
            "factual_knowledge": [1, 1, 0, 1],
            "f1_over_words": [0.25, 0.5, None, 1],
            "latency_s": [0.5, 0.5, 0.5, 0.5],
            "tone": ["civil", "<i>curt</i>", "civil", "civil"],
        },
        '<img src=x onerror="alert(2)">': {
            "factual_knowledge": [0, broken, 0, 0],
            "f1_over_words": [0, broken, None, 0],
            "latency_s": [1.5, broken, 1.5, 2],
            "tone": ["civil", broken, "curt", "curt"],
        },
    }
    return make_report(
        scores,
        samples=samples,
        answers=answers,
        thresholds=[Threshold("factual_knowledge", ">= 0.5"), Threshold("f1_over_words", "> 0", "plain", "id == 'h4'")],
        max_failed=0.5,
        notes=("columns guessed: <b>Frage</b> → question",),
    )


def used(calls: int = 1, cost: float | None = 0.01, latency_s: float = 0.5, **more: Any) -> dict[str, Any]:
    """What a reply took."""
    usage = {"input_tokens": 100, "output_tokens": 10, "calls": calls, "cost": cost, "latency_s": latency_s}
    return usage | {"cached": False} | more


KEPT = used(calls=0, cost=0.0, latency_s=0.0, input_tokens=0, output_tokens=0, cached=True)
SYSTEM = f"You judge. Instructions that are long. {SCRIPT}"


def exchange(reply: str | None, usage: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """One question with its reply, as a judge records it."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"Is it so? {SCRIPT}"}]
    asked = {"about": "faithfulness", "model": "python:small", "repeat": 0, "messages": messages, "reply": reply}
    return asked | ({"usage": usage} if usage else {}) | more


@pytest.fixture
def judged(make_report: MakeReport) -> Report:
    """Four rows: claims and a jury that lost a vote; a failure; a kept reply; a judge that is held against another."""
    claims = (
        {
            "kind": "claim",
            "id": "c1",
            "text": f"Claim one. {SCRIPT}",
            "source": "words of the answer",
            "in_source": False,
            "verdict": "supported",
            "value": 1.0,
            "probability": 0.75,
            "reason": f"Because. {CONTROLS}",
            "evidence": f"quoted {SCRIPT}",
            "quoted": True,
            "found_in": "p2",
            "votes": {"supported": 2, "missing": 1},
        },
        {
            "kind": "claim",
            "id": "c2",
            "text": "Claim two.",
            "verdict": "missing",
            "value": 0.0,
            "evidence": "made up",
            "quoted": False,
            "required": False,
            "whose": "reference",
            "group": 2,
        },
        {
            "kind": "jury",
            "voters": [
                {"voter": "python:small", "label": "yes", "value": 1.0},
                {"voter": f"python:large {SCRIPT}", "label": "no", "value": 0.0},
                {"voter": "python:other", "failed": "rate_limited", "message": "slow down </script>"},
            ],
            "flip_rate": 0.25,
            "spread": 1.0,
        },
    )
    jury: Cell = {
        "value": 0.5,
        "label": "factual",
        "probability": 0.5,
        "rationale": f"1 of 2 {SCRIPT}",
        "parts": claims,
        "usage": used(calls=3, cost=None, latency_s=1.5),
        "exchanges": (
            exchange('{"verdict": "yes"}', used(latency_s=0.2), replied_by="small-2", finish_reason="length"),
            exchange(f"no {SCRIPT}", used(latency_s=1.0, cost=None), model="python:large", label_mass=0.9),
            exchange(None, failure="rate_limited", message="slow down </script>", model="python:other"),
        ),
    }
    broken: Cell = {
        "status": "failed",
        "error": "bad label: python:small: 'maybe'",
        "usage": used(),
        "exchanges": (exchange("maybe", used(latency_s=0.4)),),
    }
    kept: Cell = {"value": 1.0, "usage": KEPT, "exchanges": (exchange("yes", KEPT),)}
    held: Cell = {
        "value": 0.0,
        "parts": ({"kind": "right", "judge": "context_sufficiency", "verdict": "no", "right": True}, {"kind": "own"}),
        "usage": used(cost=0.00012),
        "exchanges": (exchange("no", used(cost=0.00012)),),
    }
    idle: Cell = {"status": "skipped", "error": "no contexts"}
    return make_report(
        {"base": {"faithfulness": [jury, broken, kept, idle], "coherence": [held] * 4, "tone": ["civil"] * 4}},
        max_failed=1,
    )
