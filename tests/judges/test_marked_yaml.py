"""YAML with the line of every key."""

import pytest

from ringtrue.errors import ConfigError
from ringtrue.judges.marked_yaml import line_of, read_marked


def test_yes_and_no_are_texts_and_numbers_are_numbers() -> None:
    content, _ = read_marked("labels: {yes: 1, no: 0.5, on: null, 12:30: 'x'}\nflag: true\nlist: [off, 010]\n", "f")
    assert content == {"labels": {"yes": 1, "no": 0.5, "on": None, "12:30": "x"}, "flag": True, "list": ["off", 10]}


def test_a_base_60_number_of_yaml_1_1_stays_a_text() -> None:
    assert read_marked("time: 12:30:45", "f")[0] == {"time": "12:30:45"}


def test_lines_are_known_of_keys_and_items() -> None:
    _, marks = read_marked("name: x\nsteps:\n  - one\n  - two\ncases:\n  - when: a\n    then: b\n", "f")
    assert marks[("steps", 1)] == 4
    assert line_of(("cases", 0, "then"), marks) == 7
    assert line_of(("cases", 0, "unknown"), marks) == 6
    assert line_of(("nowhere",), marks) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3: the key 'a' stands twice, first in line 1"),
        ("a: [1\nb: 2\n", "f:2: is no YAML"),
        ("- a\n", "f: holds no keys"),
        ("", "f: holds no keys"),
        ("? [a, b]\n: 1\n", "f:1: a key that is no text"),
        ("a: &x [*x]\n", "f: is nested too deeply"),
        ("a: \x00", "f: is no YAML"),
    ],
)
def test_what_is_no_rubric_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read_marked(text, "f")
    assert str(raised.value).startswith(told)
