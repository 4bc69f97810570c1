"""The looks at the test side, each written down before it is taken."""

import json
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["LOOKS", "note_look"]

LOOKS = Path(__file__).parent / "looks.json"


def note_look(why: str) -> int:
    """Writes down that the test side is looked at, and how often it has been."""
    looks = json.loads(LOOKS.read_text(encoding="utf-8")) if LOOKS.exists() else []
    looks.append({"at": datetime.now(UTC).isoformat(timespec="minutes"), "why": why})
    LOOKS.write_text(json.dumps(looks, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return len(looks)
