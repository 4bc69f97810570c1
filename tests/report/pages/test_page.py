"""What pages share: what is escaped, and what may run."""

import json
from base64 import b64encode
from hashlib import sha256

from markupsafe import Markup

from ringtrue.report.pages.page import environment, island, markup, policy


def rendered(template: str, **values: object) -> str:
    return environment().from_string(template).render(**values)


def test_text_is_escaped_and_its_control_characters_are_shown() -> None:
    assert rendered("{{ text }}", text="<b>\x1b[2J") == "&lt;b&gt;␛[2J"
    assert rendered('<a title="{{ text }}">', text='"><script>') == '<a title="&#34;&gt;&lt;script&gt;">'
    assert rendered("{{ text }}", text=markup("<b>")) == "<b>"


def test_a_name_may_be_broken_after_its_underscores_and_is_still_escaped() -> None:
    assert rendered("{{ name|breakable }}", name="a_<b>_c") == "a_<wbr>&lt;b&gt;_<wbr>c"


def test_data_reads_back_equal_and_cannot_end_its_element() -> None:
    value = {"text": "</script><!-- & \u2028"}
    told = island(value)
    assert json.loads(told) == value
    assert not set("<>&\u2028") & set(told)
    assert not isinstance(told, Markup)


def test_the_policy_names_each_block_by_its_hash() -> None:
    one, two = (b64encode(sha256(text).digest()).decode() for text in (b"one", b"two"))
    told = policy(["one"], ["one", "two"])
    assert f"style-src 'sha256-{one}';" in told
    assert f"script-src 'sha256-{one}' 'sha256-{two}';" in told
    assert told.startswith("default-src 'none';")
