"""What a configuration can say of readings and of the diagnosis, made from the tables that hold their thresholds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from ringtrue.report.diagnosis.thresholds import Thresholds, abouts
from ringtrue.report.readings.rules import RULES, Rule, rule_text, with_settings

__all__ = ["DiagnosisConfig", "ReadingsConfig", "rules_of", "thresholds_of"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _reading(rule: Rule) -> tuple[Any, Any]:
    conditions = [*rule.when, *(one.when for one in rule.outcomes)]
    cuts: dict[str, Any] = {
        one.role: (float, Field(default=one.cut, description=f"{one.role} {one.operator} this"))
        for one in conditions
        if one.operator != "="
    }
    about = f"{rule.title}: {rule_text(rule)}"
    made = create_model(f"Reading_{rule.name}", __base__=_Model, __doc__=about, on=(bool, True), **cuts)
    return made, Field(default=made(), description=about)


def _full(given: Any) -> Any:
    """The long form of ``true`` and ``false`` for a reading."""
    if not isinstance(given, Mapping):
        return given
    return {name: {"on": one} if isinstance(one, bool) else one for name, one in given.items()}


if TYPE_CHECKING:

    class ReadingsConfig(_Model): ...

    class DiagnosisConfig(_Model):
        failed_if: list[str] = []

else:
    ReadingsConfig = create_model(
        "ReadingsConfig",
        __base__=_Model,
        __doc__="Readings: cuts by role, or false to switch one off.",
        __validators__={"full": model_validator(mode="before")(_full)},
        **{rule.name: _reading(rule) for rule in RULES},
    )
    DiagnosisConfig = create_model(
        "DiagnosisConfig",
        __base__=_Model,
        __doc__="The diagnosis: what counts as a failed answer, and every threshold.",
        failed_if=(
            list[str],
            Field(default=[], description="such as 'f1_over_words < 0.5'; instead of the usual rules"),
        ),
        **{
            name: (float, Field(default=default, ge=0, description=about))
            for name, (default, about) in abouts().items()
        },
    )


def rules_of(config: ReadingsConfig) -> tuple[Rule, ...]:
    """The rules as the configuration has them."""
    said: dict[str, dict[str, Any]] = config.model_dump()
    return with_settings({name: one if one.pop("on") else False for name, one in said.items()})


def thresholds_of(config: DiagnosisConfig) -> Thresholds:
    """The thresholds as the configuration has them."""
    said = config.model_dump()
    return Thresholds(**{name: said[name] for name in abouts()})
