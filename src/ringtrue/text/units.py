"""Units of measure after a number, in their usual spellings: "km/h", "square miles", "°C", "per cent", "Stunden".

What is more often a word is left out: "in", "a", "A", "C".
Symbols keep their case where it tells two units apart ("MW" and "mW", "Mb" and "MB").
"""

from dataclasses import dataclass
from fractions import Fraction

import regex

from ringtrue.text.folding import LETTER, SCRIPT_RUN, after_gap, key

__all__ = ["Unit", "convert", "read_units"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: `factor` and `offset` lead to the base unit of its dimension (base = number × factor + offset).

    Money has the dimension "money" and the currencies that its sign can mean in `codes`.
    """

    dimension: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    codes: frozenset[str] = frozenset()


# dimension · factor to its base unit · symbols, as written · names, in any case (an English plural s is understood)
_TABLE = """
length      1e-9            nm              | nanometer nanometre
length      1e-6            µm μm           | micrometer micrometre micron
length      1e-3            mm              | millimeter millimetre millimètre milímetro millimetro
length      1e-2            cm              | centimeter centimetre zentimeter centimètre centímetro centimetro
length      1e-1            dm              | decimeter decimetre
length      1               m               | meter metre mètre metro metri
length      1000            km              | kilometer kilometre kilomètre kilómetro quilómetro quilômetro
length      1000            .               | chilometro chilometri
length      0.0254          inch            | inch inches
length      0.3048          ft              | foot feet
length      0.9144          yd              | yard
length      1609.344        mi              | mile meile meilen milla miglia
length      1852            nmi             | nautical_mile
length2     10000           ha              | hectare hektar
length2     4046.8564224    ac              | acre
length3     1e-6            ml mL           | milliliter millilitre
length3     1e-5            cl cL           | centiliter centilitre
length3     1e-4            dl dL           | deciliter decilitre
length3     1e-3            l L ℓ           | liter litre litro litri
length3     0.1             hl hL           | hectoliter hectolitre
mass        1e-9            µg μg mcg       | microgram microgramme
mass        1e-6            mg              | milligram milligramme milligramm
mass        1e-3            g               | gram gramme gramm gramo grama grammo grammi
mass        1               kg              | kilo kilogram kilogramme kilogramm kilogramo quilograma
mass        1               .               | chilogrammo chilogrammi
mass        1               kgs             | .
mass        1000            t               | tonne metric_ton tonelada
mass        1e9             Mt              | megaton megatonne
mass        1e12            Gt              | gigaton gigatonne
mass        0.45359237      lb lbs          | pound
mass        0.028349523125  oz              | ounce
short_ton   1               .               | ton
gallon      1               gal             | gallon
pint        1               pt              | pint
quart       1               qt              | quart
cup         1               .               | cup
spoon       1               tsp             | teaspoon
spoon       3               tbsp tbs        | tablespoon
length/gallon 1609.344      mpg             | .
time        1e-9            ns              | nanosecond
time        1e-6            µs μs           | microsecond
time        1e-3            ms              | millisecond millisekunde millisekunden
time        1               s sec secs      | second sekunde sekunden seconde segundo secondo secondi
time        60              min mins        | minute minuten minuto minuti minuut
time        3600            h hr hrs Std    | hour stunde stunden heure hora ora ore uur
time        86400           .               | day tag tage tagen jour día dia giorno giorni dag dagen
time        604800          wk wks          | week woche wochen semaine semana settimana settimane weken
months      1               .               | month monat monate monaten mois mes meses mês mese mesi maand maanden
months      12              yr yrs          | year jahr jahre jahren année ans año ano anno anni jaar jaren
months      120             .               | decade jahrzehnt jahrzehnte jahrzehnten
months      1200            .               | century centuries jahrhundert jahrhunderte jahrhunderten
energy      1               J               | joule
energy      1000            kJ              | kilojoule
energy      1e6             MJ              | megajoule
energy      1e9             GJ              | gigajoule
energy      3600            Wh              | watt_hour
energy      3.6e6           kWh             | kilowatt_hour kilowattstunde kilowattstunden
energy      3.6e9           MWh             | megawatt_hour megawattstunde megawattstunden
energy      3.6e12          GWh             | gigawatt_hour gigawattstunde gigawattstunden
energy      3.6e15          TWh             | terawatt_hour terawattstunde terawattstunden
energy      4184            kcal            | kilocalorie kilokalorie kilokalorien
power       1e-3            mW              | milliwatt
power       1               W               | watt
power       1e3             kW              | kilowatt
power       1e6             MW              | megawatt
power       1e9             GW              | gigawatt
power       1e12            TW              | terawatt
horsepower  1               hp PS bhp       | horsepower
pressure    1               Pa              | pascal
pressure    100             hPa mbar        | hectopascal millibar
pressure    1e3             kPa             | kilopascal
pressure    1e6             MPa             | megapascal
pressure    1e5             bar             | .
psi         1               psi             | .
mmhg        1               mmHg            | mm_hg
frequency   1               Hz              | hertz
frequency   1e3             kHz             | kilohertz
frequency   1e6             MHz             | megahertz
frequency   1e9             GHz             | gigahertz
frequency   1e12            THz             | terahertz
rotation    1               rpm             | .
data        1               bit bits        | .
data        1e3             kb kbit Kbit    | kilobit
data        1e6             Mb Mbit         | megabit
data        1e9             Gb Gbit         | gigabit
data        8               byte            | byte
data        8e3             kB KB           | kilobyte
data        8e6             MB mb           | megabyte
data        8e9             GB gb           | gigabyte
data        8e12            TB              | terabyte
data        8e15            PB              | petabyte
data        8192            KiB             | kibibyte
data        8388608         MiB             | mebibyte
data        8589934592      GiB             | gibibyte
data        8796093022208   TiB             | tebibyte
data/time   1e3             kbps Kbps       | .
data/time   1e6             Mbps            | .
data/time   1e9             Gbps            | .
voltage     1e-3            mV              | millivolt
voltage     1               V               | volt
voltage     1e3             kV              | kilovolt
current     1e-3            mA              | milliamp milliampere
current     1               .               | amp ampere
charge      1               mAh             | .
resistance  1               Ω Ω             | ohm
sound       1               dB              | decibel
length/time 1852/3600       kn kt           | knot
length/time 0.44704         mph             | .
length/time 1000/3600       kph kmh         | .
share       1/100           %               | percent per_cent pct prozent pourcent pour_cent
share       1/100           .               | por_ciento por_cento percento per_cento procent
share       1/1000          ‰               | permille promille per_mille
parts       1               ppm             | parts_per_million
parts       1/1000          ppb             | parts_per_billion
points      1               pp ppts              | percentage_point prozentpunkt prozentpunkte prozentpunkten
points      1/100           bp bps          | basis_point basispunkt basispunkte basispunkten
degree      1               °               | degree grad degré grado grau
"""

_KELVIN = Unit("kelvin")
_CELSIUS = Unit("kelvin", offset=Fraction("273.15"))
_FAHRENHEIT = Unit("kelvin", Fraction(5, 9), Fraction("459.67") * Fraction(5, 9))


def _read_table() -> tuple[dict[str, Unit], dict[str, Unit]]:
    """The units by symbol and by name."""
    symbols: dict[str, Unit] = {"℃": _CELSIUS, "℉": _FAHRENHEIT}
    names: dict[str, Unit] = {"kelvin": _KELVIN, "kelvins": _KELVIN}
    for row in _TABLE.strip().splitlines():
        left, right = row.split("|")
        dimension, factor, *written = left.split()
        over, _, under = factor.partition("/")
        unit = Unit(dimension, Fraction(over) / Fraction(under or 1))
        symbols |= dict.fromkeys(written, unit)
        for name in right.split():
            spelt = key(name.replace("_", " "))
            names |= {spelt: unit, spelt + "s": unit}
    return symbols, names


def _fold_symbols(symbols: dict[str, Unit]) -> dict[str, Unit]:
    """Symbols of two letters and more in lower case, where that names one unit only."""
    meanings: dict[str, set[Unit]] = {}
    for symbol, unit in symbols.items():
        meanings.setdefault(key(symbol), set()).add(unit)
    return {symbol: units.pop() for symbol, units in meanings.items() if len(symbol) > 1 and len(units) == 1}


_SYMBOLS, _NAMES = _read_table()
_FOLDED = _fold_symbols(_SYMBOLS)
_TEMPERATURE = regex.compile(
    r"(?i)(?:(?P<degree>[°º]|deg(?:rees?)?|grad|degrés?|grados?|graus?|gradi)\s{0,2})?"
    rf"(?P<scale>c(?:elsius|entigrade)?|f(?:ahrenheit)?)(?!{LETTER})",
    regex.V1,
)
_POWER_BEFORE = regex.compile(r"(?i)(?:(?P<two>square|sq\.?|quadrat)|(?:cubic|cu\.?|kubik))[ -]?")
_POWER_AFTER = regex.compile(rf"(?:\^?\{{?(?:([2²])|[3³])\}}?| (?:(squared)|cubed))(?!{LETTER})", regex.V1)
_TOKEN = regex.compile(
    rf"(?P<first>parts per [mb]illion\b|{SCRIPT_RUN})(?:[ -](?P<second>{SCRIPT_RUN}))?|[%‰°℃℉]", regex.V1
)
# A raised figure after these leads to a footnote.
_NO_POWERS = frozenset(("share", "points", "degree", "kelvin"))
_MARKS = frozenset("%‰°º℃℉")
_PER = regex.compile(r" ?/ ?| (?:per|pro) | an? (?=(?:second|minute|hour|day|week|month|year)\b)")


def read_units(text: str, index: int) -> tuple[tuple[Unit, int], ...]:
    """The unit after a number that ends at `index`, with the offset after it; empty where none follows.

    A rate that people also state without its time ("20 days per year", "5% a year") comes with a second reading.
    """
    start = after_gap(text, index)
    first = text[start : start + 1]
    if not first.isalpha() and first not in _MARKS:
        return ()
    if (base := _powered(text, start)) is None:
        return ()
    unit, end = base
    per = _PER.match(text, end)
    below = _powered(text, per.end()) if per else None
    if below is None:
        return (base,)
    over, under = unit.dimension, below[0].dimension
    rate = Unit(f"{over}/{under}", unit.factor / below[0].factor), below[1]
    loose = under in ("time", "months") and over not in ("length", "data")
    return (rate, base) if loose else (rate,)


def convert(value: Fraction, old: Unit, new: Unit) -> Fraction:
    """`value` in another unit of the same dimension."""
    return (value * old.factor + old.offset - new.offset) / new.factor


def _powered(text: str, index: int) -> tuple[Unit, int] | None:
    """A unit, perhaps squared or cubed: "m²", "km^2", "square miles", "cu ft"."""
    before = _POWER_BEFORE.match(text, index)
    if before and (base := _base(text, before.end())) and base[0].dimension == "length":
        return _power(base[0], 2 if before["two"] else 3), base[1]
    if (base := _base(text, index)) is None:
        return None
    after = _POWER_AFTER.match(text, base[1])
    if (
        after
        and base[0].dimension not in _NO_POWERS
        and (base[0].dimension == "length" or after[0].strip() not in "23")
    ):
        return _power(base[0], 2 if after[1] or after[2] else 3), after.end()
    return None if text[base[1] : base[1] + 1].isdecimal() else base


def _power(unit: Unit, power: int) -> Unit:
    return Unit(f"{unit.dimension}{power}", unit.factor**power)


def _base(text: str, index: int) -> tuple[Unit, int] | None:
    if (degrees := _TEMPERATURE.match(text, index)) and (degrees["degree"] or len(degrees["scale"]) > 1):
        return (_CELSIUS if degrees["scale"][0] in "cC" else _FAHRENHEIT), degrees.end()
    if (token := _TOKEN.match(text, index)) is None:
        return None
    first, second = token["first"], token["second"]
    if first is None:
        return _SYMBOLS[token[0]], token.end()
    if second and (unit := _NAMES.get(key(f"{first} {second}"))):
        return unit, token.end()
    unit = _SYMBOLS.get(first) or _NAMES.get(key(first)) or _FOLDED.get(key(first))
    return (unit, token.end("first")) if unit else None
