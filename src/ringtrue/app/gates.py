"""Gates in one line: ``facts_matched >= 0.8``, ``base: f1_over_words(mode=squad) >= 0.5``.

Instead of a metric's name its label may stand there, such as ``faithfulness[openai:gpt-4o-mini]``, or a judge's name.
"""

import re

from ringtrue.errors import UsageError

__all__ = ["threshold_of"]

_GATE = re.compile(
    r"\s*(?:(?P<pipeline>[^:<>=≤≥()]+):\s+)?"
    r"(?P<metric>[\w.:-]+(?: [\w.:-]+)*(?:\([^()]*\))?(?:\[.*\])?)\s*"
    r"(?P<require>[<>=≤≥].*)"
)


def threshold_of(written: str) -> dict[str, str]:
    """Read a gate such as ``facts_matched >= 0.8`` or ``base: f1_over_words >= 0.5``."""
    shape = _GATE.fullmatch(written)
    if shape is None:
        raise UsageError(f"{written!r} is no threshold", mend="write for example: --threshold 'facts_matched >= 0.8'")
    return {key: value.strip() for key, value in shape.groupdict().items() if value}
