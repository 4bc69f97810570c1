"""Units of measure: spellings, and conversions pinned to the definitions of the units."""

from fractions import Fraction

import pytest

from ringtrue.text.units import convert, read_units


@pytest.mark.parametrize(
    ("text", "dimension", "factor"),
    [
        ("5 km", "length", "1000"),
        ("5 KM", "length", "1000"),
        ("5 kilometres", "length", "1000"),
        ("5 feet", "length", "0.3048"),
        ("5 m²", "length2", "1"),
        ("5 km^2", "length2", "1000000"),
        ("5 square miles", "length2", "2589988.110336"),
        ("5 sq. ft", "length2", "0.09290304"),
        ("5 cubic metres", "length3", "1"),
        ("5 L", "length3", "0.001"),
        ("5 hectares", "length2", "10000"),
        ("5 kg", "mass", "1"),
        ("5 metric tons", "mass", "1000"),
        ("5 hours", "time", "3600"),
        ("5 Stunden", "time", "3600"),
        ("5 years", "months", "12"),
        ("5 km/h", "length/time", "5/18"),
        ("5 km per hour", "length/time", "5/18"),
        ("5 mph", "length/time", "0.44704"),
        ("5 miles an hour", "length/time", "0.44704"),
        ("5 µg/mL", "mass/length3", "0.001"),
        ("5 kWh", "energy", "3600000"),
        ("5 MW", "power", "1000000"),
        ("5 mW", "power", "0.001"),
        ("5 MB", "data", "8000000"),
        ("5 Mb", "data", "1000000"),
        ("5%", "share", "0.01"),
        ("5 \\%", "share", "0.01"),
        ("5 per cent", "share", "0.01"),
        ("5 percentage points", "points", "1"),
        ("5 bps", "points", "0.01"),
        ("5 °C", "kelvin", "1"),
        ("5 degrees Fahrenheit", "kelvin", "5/9"),
        ("5 degrees", "degree", "1"),
    ],
)
def test_units_are_read_to_their_end(text: str, dimension: str, factor: str) -> None:
    [(unit, end)] = read_units(text, 1)
    assert (unit.dimension, unit.factor, end) == (dimension, Fraction(factor), len(text))


@pytest.mark.parametrize(
    "text", ["5", "5 in Paris", "5 a day", "5 A students", "5 C", "5 people", "5 g2", "5\nKm", "5. km"]
)
def test_what_may_be_a_word_is_no_unit(text: str) -> None:
    assert read_units(text, 1) == ()


def test_a_rate_that_is_stated_without_its_time_too_has_two_readings() -> None:
    assert [(unit.dimension, end) for unit, end in read_units("5 days per year", 1)] == [
        ("time/months", 15),
        ("time", 6),
    ]
    assert [unit.dimension for unit, _ in read_units("5 km per day", 1)] == ["length/time"]


@pytest.mark.parametrize(
    ("value", "old", "new", "expected"),
    [
        ("100", "°C", "°F", "212"),
        ("98.6", "°F", "°C", "37"),
        ("-40", "°C", "°F", "-40"),
        ("5", "miles", "km", "8.04672"),
        ("1", "lb", "kg", "0.45359237"),
        ("100", "km/h", "m/s", "250/9"),
        ("90", "minutes", "hours", "1.5"),
    ],
)
def test_conversions_are_exact(value: str, old: str, new: str, expected: str) -> None:
    [(here, _)], [(there, _)] = read_units(f"5 {old}", 1), read_units(f"5 {new}", 1)
    assert convert(Fraction(value), here, there) == Fraction(expected)
