"""From ratings as a file has them to labels: each metric's scale is found out, each person's word counts once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ringtrue.data.labels.label import Asked, Label, Rating
from ringtrue.data.labels.reading import kind_of, normal_label, read_at, read_label
from ringtrue.data.notes import Reading, places_text
from ringtrue.data.scalars import is_missing, to_number, to_text
from ringtrue.errors import DataError, UnknownNameError
from ringtrue.text.words import clip

__all__ = ["Known", "merge_ratings", "settle"]

# The labels of a metric, with what each is worth.
Known = Mapping[str, Mapping[str, float | None]]
Scale = Literal["yes or no", "numbers", "words"]
_SHOWN, _LONGEST_NAME = 5, 200


def settle(ratings: Sequence[Rating], asked: Asked, known: Known, reading: Reading) -> tuple[Label, ...]:
    """The labels of these ratings. `known` holds the labels of metrics where they are fixed.

    Raises DataError that names place and field for an unknown label, raters who use different scales, a rating without
    item or rater, and two ratings of one thing by one person that differ without dates.
    """
    ratings = _of_metric(ratings, asked, reading)
    said = [one for one in ratings if not _says_nothing(one, known)]
    for one in (one for one in ratings if _says_nothing(one, known)):
        reading.notes.add("missing ratings, which are no category", one.place)
    by_metric: dict[str | None, list[Rating]] = {}
    for one in said:
        by_metric.setdefault(_metric(one), []).append(one)
    scales = {name: _scale(name, listed, asked, reading) for name, listed in by_metric.items() if name not in known}
    labels = [_label(one, scales.get(_metric(one)), known.get(_metric(one) or ""), asked, reading) for one in said]
    return merge_ratings((one for one in labels if one is not None), reading)


def merge_ratings(labels: Iterable[Label], reading: Reading) -> tuple[Label, ...]:
    """One label for each person, item and metric: the same said twice is one, of different ones the latest counts.

    The outcome does not depend on the order. Raises DataError where it is not clear which is the latest.
    """
    groups: dict[tuple[Any, ...], list[Label]] = {}
    for one in labels:
        groups.setdefault((one.item, one.pipeline, one.repeat, one.metric, one.rater), []).append(one)
    return tuple(group[0] if len(group) == 1 else _latest(group, reading) for group in groups.values())


def _latest(group: Sequence[Label], reading: Reading) -> Label:
    ordered = sorted(group, key=lambda one: (one.at or "", one.rationale or "", -one.place), reverse=True)
    last = ordered[0]
    if all(_verdict(one) == _verdict(last) for one in ordered):
        reading.notes.add("the same rating by the same person again, counted once", max(one.place for one in group))
        return replace(last, rationale=next((one.rationale for one in ordered if one.rationale), None))
    rival = next(
        (one for one in ordered if _verdict(one) != _verdict(last) and (one.at is None or one.at == last.at)), None
    )
    if rival is not None:
        metric = f" ({last.metric})" if last.metric else ""
        told = " and ".join(
            f"{_shown(one)} ({places_text([one.place], reading.unit)})"
            for one in sorted((last, rival), key=lambda one: one.place)
        )
        raise reading.error(
            f"{last.rater} rates {last.item!r}{metric} twice and differently: {told}",
            place=max(last.place, rival.place),
            mend="leave one out, or say when each was given, in a column `at`: the latest counts",
        )
    reading.notes.add("people who changed their mind, the latest counts", last.place)
    return last


def _of_metric(ratings: Sequence[Rating], asked: Asked, reading: Reading) -> Sequence[Rating]:
    """The ratings of the metric that is asked for; one that has no name, or is the file's only one, is taken for it."""
    if asked.metric is None:
        return ratings
    names = Counter(name for one in ratings if (name := _metric(one)) is not None)
    if len(names) > 1 and asked.metric not in names:
        raise reading.error(
            f"no label is about {asked.metric!r}; the file's metrics: {', '.join(sorted(names))}",
            mend="name one of these with --metric, or leave --metric out to take them all",
        )
    if asked.metric in names:
        if others := {name: count for name, count in names.items() if name != asked.metric}:
            told = ", ".join(f"{name} {count}" for name, count in sorted(others.items()))
            reading.notes.add(f"ratings of other metrics left out: {told}")
        return [replace(one, metric=asked.metric) for one in ratings if _metric(one) in (asked.metric, None)]
    for name in names:
        reading.notes.add(f"what the file calls {name!r} is taken for {asked.metric!r}")
    return [replace(one, metric=asked.metric) for one in ratings]


def _metric(rating: Rating) -> str | None:
    text = to_text(rating.metric)
    return text.strip() if text else None


def _says_nothing(rating: Rating, known: Known) -> bool:
    """Whether a rating is missing. A judge may have a label such as "n/a", which then is one."""
    if kind_of(rating.given) != "missing":
        return False
    labels = known.get(_metric(rating) or "")
    return labels is None or is_missing(rating.given) or read_label(rating.given, labels) is None


def _scale(metric: str | None, ratings: Sequence[Rating], asked: Asked, reading: Reading) -> Scale:
    """How a metric is rated. 0 and 1 may be yes and no or numbers; numbers beside words cannot be one scale."""
    numbers: dict[str, Rating] = {}
    words: dict[str, Rating] = {}
    kinds = set()
    for one in ratings:
        kind, rater = kind_of(one.given), clip(to_text(one.rater) or asked.rater or "?", _LONGEST_NAME)
        kinds.add(kind)
        if kind in ("number", "switch"):
            numbers.setdefault(rater, one)
            if kind == "number" and kind_of(numbers[rater].given) == "switch":
                numbers[rater] = one
        else:
            words.setdefault(rater, one)
            if kind == "word" and kind_of(words[rater].given) == "flag":
                words[rater] = one
    if (words and "number" in kinds) or (numbers and "word" in kinds):
        raise _two_scales(metric, words, numbers, reading)
    return "words" if "word" in kinds else "numbers" if "number" in kinds else "yes or no"


def _two_scales(
    metric: str | None, words: Mapping[str, Rating], numbers: Mapping[str, Rating], reading: Reading
) -> DataError:
    def told(who: Mapping[str, Rating]) -> str:
        listed = [
            f"{rater} ({to_text(one.given)!r}, {places_text([one.place], reading.unit)})" for rater, one in who.items()
        ]
        return ", ".join(listed[:_SHOWN]) + (" …" if len(listed) > _SHOWN else "")

    last = max((*words.values(), *numbers.values()), key=lambda one: one.place)
    return reading.error(
        f"{metric or 'what is rated'} has no one set of labels: words by {told(words)}; numbers by {told(numbers)}",
        place=last.place,
        field=last.field,
        mend="rate with one set of labels: yes and no, words, or numbers; or import what is rated otherwise "
        "as another metric",
    )


def _label(
    one: Rating, scale: Scale | None, labels: Mapping[str, float | None] | None, asked: Asked, reading: Reading
) -> Label | None:
    """The label of one rating; None where its row is bad and left out."""
    try:
        label, value = _read(one, scale, labels)
    except UnknownNameError as error:
        message = f"field {one.field!r}: unknown label {to_text(one.given)!r} of {one.metric}"
        mend = f"{error.mend}; --skip-bad-rows leaves such rows out"
        reading.bad_row("unknown label", one.place, message, mend=mend)
        return None
    ids = list(dict.fromkeys(text.strip() for given in one.ids if (text := to_text(given))))
    rater = clip(to_text(one.rater) or asked.rater or "", _LONGEST_NAME)  # one line, nothing that a terminal would obey
    if not ids:
        reading.bad_row(
            "no item", one.place, "no id says which item is rated", mend="name its column: --map COLUMN=item"
        )
        return None
    if not rater:
        reading.bad_row("no rater", one.place, "no column says who rated", mend="say who: --rater NAME")
        return None
    if one.number is not None and not is_missing(one.number):
        value = _number(one, reading)
    return Label(
        item=ids[0],
        others=tuple(ids[1:]),
        rater=rater,
        place=one.place,
        pipeline=to_text(one.pipeline) or asked.pipeline,
        repeat=_repeat(one, reading),
        metric=_metric(one),
        label=label,
        value=value,
        rationale=to_text(one.rationale),
        at=_at(one, reading),
    )


def _read(
    one: Rating, scale: Scale | None, labels: Mapping[str, float | None] | None
) -> tuple[str | None, float | None]:
    if labels is not None:
        label = read_label(one.given, labels)
        return label, labels.get(label or "")
    if scale == "numbers":
        return None, to_number(to_text(one.given))
    label = normal_label(one.given)
    return label, (float(label == "yes") if scale == "yes or no" else None)


def _number(one: Rating, reading: Reading) -> float:
    number = to_number(to_text(one.number))
    if number is None:
        raise reading.error(
            f"no number: {to_text(one.number)!r}", place=one.place, field="value", mend="write a number"
        )
    return number


def _repeat(one: Rating, reading: Reading) -> int:
    if is_missing(one.repeat):
        return 0
    number = to_number(to_text(one.repeat))
    if number is None or number < 0 or number != int(number):
        message = f"no repeat: {to_text(one.repeat)!r}"
        raise reading.error(message, place=one.place, field="repeat", mend="repeats are counted from 0")
    return int(number)


def _at(one: Rating, reading: Reading) -> str | None:
    try:
        return read_at(one.at)
    except ValueError as error:
        raise reading.error(
            f"no date or time: {to_text(one.at)!r}",
            place=one.place,
            field="at",
            mend="write ISO 8601, such as 2026-05-01 or 2026-05-01T14:30:00Z",
        ) from error


def _verdict(one: Label) -> tuple[str | None, float | None]:
    return one.label, one.value


def _shown(one: Label) -> str:
    return repr(one.label) if one.label is not None else f"{one.value:g}"
