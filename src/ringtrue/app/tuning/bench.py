"""Where rubrics are tried: each judges labelled rows through an ordinary run, and all runs share one budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ringtrue.app.agreeing.chosen import Chosen
from ringtrue.app.agreeing.judged import of_scores
from ringtrue.app.agreeing.service import OWN, config_of, kept_rows, scored
from ringtrue.app.config import ModelConfig, RunConfig
from ringtrue.app.judging import Judging, open_judging
from ringtrue.data.labelled import Labelled
from ringtrue.data.store import Store
from ringtrue.engine.runner import OnProgress
from ringtrue.errors import RingtrueError
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.rubric import Rubric
from ringtrue.models.budget import Budget
from ringtrue.report.agreement.candidates import Candidate, Labels, Person
from ringtrue.stats.agreement import Verdicts, measure

__all__ = ["Bench", "TuningStopped", "kappa_on", "verdicts_on"]


class TuningStopped(RingtrueError):
    """A budget ended the tuning before anything could be measured."""

    exit_code = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The labelled rows (labels ``no`` and ``yes``), the model that judges them, and the store that keeps verdicts."""

    labelled: Labelled
    labels: Labels
    model: ModelConfig
    store: Store
    on_progress: OnProgress | None = None
    run_options: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)

    async def tried(self, rubrics: Mapping[str, Rubric], rows: Sequence[Person]) -> dict[str, Candidate]:
        """What each rubric says of the rows, by its name. What was judged before is not judged again.

        Raises TuningStopped where the budget does not reach.
        """
        labelled = kept_rows(self.labelled, {row.id for row in rows})
        judging = self.judging()
        try:
            models = [judging.model(OWN)]
            uses = {name: judge_metric(rubric, models).bind() for name, rubric in rubrics.items()}
            named = {name: [use] for name, use in uses.items()}
            scores, stopped = await scored(labelled, self._config(), judging, named, self.store, self.on_progress)
        finally:
            judging.close()
        if stopped:
            raise self.stopped()
        return {
            name: of_scores(Chosen(name=name, rubric=rubrics[name]), use, [scores[use.signature]], self.labels)
            for name, use in uses.items()
        }

    def stopped(self) -> TuningStopped:
        """What to raise where the tuning cannot go on."""
        return TuningStopped(
            f"the tuning ended early: {self.budget.spent or 'it was interrupted'}",
            mend="what was judged is kept; the same command with a larger budget goes on from there",
        )

    def judging(self) -> Judging:
        """The model made ready, on this bench's budget. Close it after use."""
        return replace(open_judging(self._config(), Path()), budget=self.budget)

    def _config(self) -> RunConfig:
        return config_of(self.labelled.dataset.name, self.model, self.run_options)


def verdicts_on(candidate: Candidate, rows: Sequence[Person], labels: Labels) -> list[str | None]:
    """The candidate's labels in the order of the rows, ``None`` where it gave none."""
    (said,) = candidate.runs
    known = (said.get(row.id) for row in rows)
    return [one.label if one is not None and one.label in labels.names else None for one in known]


def kappa_on(candidate: Candidate, rows: Sequence[Person], labels: Labels) -> float:
    """Cohen's kappa on the rows, to choose by: a row without a verdict counts as a wrong one, undefined as 0.

    So no candidate gains by failing on the hard rows.
    """
    wrong = dict(zip(labels.names, reversed(labels.names), strict=True))
    people = [row.label for row in rows]
    said = [
        wrong[str(label)] if one is None else one
        for label, one in zip(people, verdicts_on(candidate, rows, labels), strict=True)
    ]
    found = measure(people, {"": Verdicts(runs=[said])}, labels.names, draws=0)
    return found[""].figures["kappa"].value or 0.0
