"""Judges of a run: which models judge which metric, opened on one scheduler, with the run's budget and reply cache."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ringtrue.app.config import JudgeConfig, ModelConfig, RunConfig
from ringtrue.catalogue import MetricUse
from ringtrue.data.database.replies import Replies
from ringtrue.errors import ConfigError
from ringtrue.judges.catalogue import judge_metric, with_models
from ringtrue.judges.loading import load_rubric
from ringtrue.models.budget import Budget
from ringtrue.models.opening import capabilities_of, open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Limits
from ringtrue.models.types import ChatModel

__all__ = ["Judging", "open_judging"]


class _LateCache:
    """The reply cache of a store that is opened after the models are."""

    def __init__(self) -> None:
        self.replies: Replies | None = None

    def get(self, key: bytes) -> bytes | None:
        return self.replies.get(key) if self.replies else None

    def put(self, key: bytes, value: bytes) -> None:
        if self.replies:
            self.replies.put(key, value)


@dataclass(frozen=True, slots=True)
class Judging:
    """The scheduler, budget and cache that all models of a run share."""

    config: RunConfig
    folder: Path
    scheduler: Scheduler = field(default_factory=Scheduler)
    budget: Budget = field(default_factory=Budget)
    cache: _LateCache = field(default_factory=_LateCache)

    def bind(self, uses: Sequence[MetricUse]) -> list[MetricUse]:
        """Give each judge among the metrics its models, and add the judges that the config makes of rubrics."""
        named = {use.metric.name for use in uses}
        bound = [self._bound(use) if use.metric.kind == "judge" else use for use in uses]
        for judge in self.config.judges:
            if judge.rubric is not None:
                bound.append(self._of_rubric(judge, judge.rubric))
            elif judge.metric is not None and judge.metric not in named:
                raise ConfigError(
                    f"judge for {judge.metric!r}, which is not among the metrics of this run",
                    where="judges",
                    mend=f"add it: metrics: [{judge.metric}]",
                )
        return bound

    def use(self, replies: Replies) -> None:
        """Keep replies in this store, unless the run wants none kept."""
        self.cache.replies = replies if self.config.run.cache else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was learnt of the models' endpoints."""
        return tuple(capabilities_of(self.scheduler).notes)

    def close(self) -> None:
        self.scheduler.close()

    def _bound(self, use: MetricUse) -> MetricUse:
        judge = self._judge_of(use.metric.name)
        if judge is None:
            return use
        return with_models(
            use,
            self._models(judge),
            repeats=judge.repeats,
            combine=judge.combine,
            params=judge.params,
            least_label_mass=judge.least_label_mass,
        )

    def _of_rubric(self, judge: JudgeConfig, path: str) -> MetricUse:
        judge = judge if judge.model else _with_models(judge, self._default_models())
        return judge_metric(
            load_rubric(self.folder / path),
            self._models(judge),
            repeats=judge.repeats,
            combine=judge.combine,
            params=judge.params,
            least_label_mass=judge.least_label_mass,
        ).bind()

    def _judge_of(self, metric: str) -> JudgeConfig | None:
        """The judge named for the metric, else the one for all, else the only model there is."""
        listed = [one for one in self.config.judges if one.rubric is None]
        own = next((one for one in listed if one.metric == metric), None)
        for_all = next((one for one in listed if one.metric is None), None)
        found = own or for_all
        default = (for_all.model if for_all else []) or self._default_models()
        if found is None:
            return JudgeConfig(model=default) if default else None
        return found if found.model else _with_models(found, default)

    def _default_models(self) -> list[str]:
        return list(self.config.models) if len(self.config.models) == 1 else []

    def _models(self, judge: JudgeConfig) -> list[ChatModel]:
        return [self._open(name) for name in judge.model]

    def _open(self, name: str) -> ChatModel:
        config = self.config.models.get(name) or ModelConfig(model=name)
        return open_model(
            config.model,
            scheduler=self.scheduler,
            environ=os.environ,
            base_url=config.base_url,
            params=config.params,
            limits=Limits(
                concurrency=config.concurrency,
                requests_per_minute=config.requests_per_minute,
                tokens_per_minute=config.tokens_per_minute,
                timeout_s=config.timeout,
                deadline_s=config.deadline,
            ),
            prices=self.config.prices,
            budget=self.budget,
            cache=self.cache,
        )


def open_judging(config: RunConfig, folder: Path) -> Judging:
    """What the judges of this configuration share; nothing is started before the first question."""
    budget = Budget(max_calls=config.run.max_calls, max_cost=config.run.max_cost)
    return Judging(config, folder, budget=budget)


def _with_models(judge: JudgeConfig, models: Sequence[str]) -> JudgeConfig:
    return judge.model_copy(update={"model": list(models)})
