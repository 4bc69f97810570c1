"""The tables of docs/diagnosis.md: readings, stages, signs and thresholds, as the code has them."""

import re

from ringtrue.report.diagnosis.stages import ORDER, SIGNS, STAGES
from ringtrue.report.diagnosis.thresholds import abouts
from ringtrue.report.readings.rules import ROLES, RULES, rule_text

__all__ = ["filled"]


def filled(page: str) -> str:
    """The page with its tables as they are now, each between ``<!-- NAME -->`` and ``<!-- /NAME -->``."""
    for name, lines in _TABLES.items():
        table = "\n".join(lines)
        page = re.sub(
            rf"<!-- {name} -->.*?<!-- /{name} -->",
            lambda _, name=name, table=table: f"<!-- {name} -->\n\n{table}\n\n<!-- /{name} -->",  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
    return page


def _readings() -> list[str]:
    lines = ["| reading | name in the config | rule | what it means | what to do |", "|---|---|---|---|---|"]
    for rule in RULES:
        cells = (rule.title, f"`{rule.name}`", rule_text(rule), rule.meaning, rule.remedy)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
        lines += [f"| … {_cell(one.title)} | | {one.when.text} | | {_cell(one.remedy)} |" for one in rule.outcomes]
    return lines


def _roles() -> list[str]:
    lines = ["| role | played by the first of these that the run has |", "|---|---|"]
    return [*lines, *(f"| {role} | {', '.join(f'`{name}`' for name in names)} |" for role, names in ROLES.items())]


def _stages() -> list[str]:
    lines = ["| stage | makes | what speaks against it | what usually helps |", "|---|---|---|---|"]
    for name in ORDER:
        stage = STAGES[name]
        signs = "; ".join(sign.title for sign in SIGNS.values() if sign.stage == name)
        lines.append(f"| {stage.title} | {stage.does} | {_cell(signs)} | {_cell('; '.join(stage.remedies))} |")
    return lines


def _thresholds() -> list[str]:
    lines = ["| threshold | default | what it is about |", "|---|--:|---|"]
    return [*lines, *(f"| `{name}` | {default:g} | {about} |" for name, (default, about) in abouts().items())]


def _cell(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "\\|")


_TABLES = {"readings": _readings(), "roles": _roles(), "stages": _stages(), "thresholds": _thresholds()}
