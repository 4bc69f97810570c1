"""Agreements to draw: `measured` with everything there is to see, `hostile_agreement` with texts that break out."""

import pytest

from ringtrue.report.agreement.agreement import build_agreement
from ringtrue.report.agreement.found import Agreement, Settings
from tests.report.agreement.made import BINARY, HOSTILE, judge, rows, rule


@pytest.fixture(scope="session")
def measured() -> Agreement:
    """Two judges over 80 rows, 40 more to fit cuts on; the first judged three times; by topic."""
    dev, test = rows(40), rows(80, start=40)
    return build_agreement(
        test,
        [judge(dev + test, lambda place: place % 11 == 0, runs=3), rule(dev + test)],
        BINARY,
        name="golden",
        fingerprint="0123456789abcdef" * 2,
        metric="answer_correctness",
        dev=dev,
        settings=Settings(draws=200, by="topic"),
        notes=["columns guessed: frage → question"],
    )


@pytest.fixture(scope="session")
def hostile_agreement() -> Agreement:
    """The same with markup wherever the data can hold text."""
    people = rows(40, text=HOSTILE)
    return build_agreement(
        people,
        [judge(people, lambda place: place % 5 == 0, text=HOSTILE), rule(people, text=HOSTILE)],
        BINARY,
        name=f"golden {HOSTILE}",
        fingerprint="0123456789abcdef" * 2,
        metric="answer_correctness",
        settings=Settings(draws=50, by="topic"),
        notes=[f"a note {HOSTILE}"],
    )
