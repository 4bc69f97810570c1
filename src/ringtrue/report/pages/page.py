"""How an HTML page is put together: templates that escape, data that a script may read, and a policy for both.

Whatever comes from the data is escaped where it stands. The content security policy of a page names its own blocks of
style and script by their hashes, so that nothing else is run, and nothing is asked of any host.
"""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ringtrue.report.json_report import dumps
from ringtrue.report.plain import one_line, visible

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment", "island", "markup", "policy", "template_text"]

_TEMPLATES = Path(__file__).parent.parent / "templates"
# What could end the block, open a comment in it, or end a line for an old reader of JavaScript.
_ISLAND = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


@cache
def environment() -> "Environment":
    """The templates of `report/templates/`; text is escaped, its control characters are shown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    found.filters["line"] = one_line
    found.filters["breakable"] = _breakable
    return found


def template_text(name: str) -> str:
    """A style or script of `report/templates/`."""
    return (_TEMPLATES / name).read_text("utf-8")


def markup(text: str) -> Any:
    """Our own style and script, and JSON that was escaped for its place: what must not be escaped again."""
    from markupsafe import Markup

    return Markup(text)


def island(value: Any) -> str:
    """JSON that may stand inside a script element, and reads back equal."""
    return dumps(value).decode().translate(_ISLAND)


def policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """The content security policy of a page with these blocks, each exactly as it stands in its element."""
    return (
        f"default-src 'none'; style-src {_hashes(styles)}; script-src {_hashes(scripts)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: Sequence[str]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)


def _breakable(name: str) -> Any:
    """A name that may be broken after its underscores."""
    from markupsafe import escape

    return markup(str(escape(visible(name))).replace("_", "_<wbr>"))
