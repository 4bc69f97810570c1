"""Currency signs, codes and names before or after a number: "R$ 5", "5 US dollars", "EUR 5", "5 €", "50 cents".

A sign stands for every currency it can mean ("$" for all dollars and some pesos); two conflict where they share none.
"""

import unicodedata
from fractions import Fraction

import regex

from ringtrue.text.folding import SCRIPT_RUN, after_gap, key
from ringtrue.text.units import Unit

__all__ = ["GLUED", "money_after", "money_before"]

_DOLLARS = "USD CAD AUD NZD SGD HKD TWD"
# NTD stands for the Taiwan dollar as a yuan (元), so that 元 is no other dollar.
_SIGNS = {
    "$": f"{_DOLLARS} MXN ARS CLP COP UYU",
    "US$": "USD",
    "U.S.$": "USD",
    "A$": "AUD",
    "AU$": "AUD",
    "C$": "CAD",
    "CA$": "CAD",
    "NZ$": "NZD",
    "S$": "SGD",
    "HK$": "HKD",
    "NT$": "TWD NTD",
    "MX$": "MXN",
    "R$": "BRL",
    "€": "EUR",
    "£": "GBP EGP",
    "¥": "JPY CNY",
    "CN¥": "CNY",
    "JP¥": "JPY",
    "円": "JPY",
    "元": "CNY NTD",
    "人民币": "CNY",
    "원": "KRW",
    "₩": "KRW",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
    "₫": "VND",
    "₦": "NGN",
    "₱": "PHP",
    "฿": "THB",
    "₴": "UAH",
    "₿": "BTC",
    "zł": "PLN",
    "Kč": "CZK",
    "RM": "MYR",
    "S/": "PEN",
    "₡": "CRC",
    "₾": "GEL",
    "₸": "KZT",
    "₼": "AZN",
    "₵": "GHS",
    "₲": "PYG",
    "₭": "LAK",
    "₮": "MNT",
    "৳": "BDT",
    "៛": "KHR",
    "﷼": "IRR OMR YER SAR QAR",
}
# Every other currency sign is one of its own, so that it conflicts with those above.
_SIGNS |= {
    sign: sign
    for sign in map(chr, (0x58F, 0x60B, 0x9F2, 0xAF1, 0xBF9, *range(0x20A0, 0x20D0)))
    if unicodedata.category(sign) == "Sc" and sign not in _SIGNS
}
# Names in scripts without spaces, and the Korean ones, onto which particles are written.
_SIGNS_AFTER = {
    "美元 美金 米ドル": "USD",
    "ドル 달러 ดอลลาร์": _DOLLARS,
    "欧元 歐元 ユーロ 유로 ยูโร": "EUR",
    "日元 日圆 日圓 엔": "JPY",
    "英镑 英鎊 英ポンド": "GBP",
    "人民元 人民幣 위안": "CNY",
    "港元 港币 港幣 香港ドル": "HKD",
    "加元 カナダドル": "CAD",
    "澳元 豪ドル": "AUD",
    "新台币 新臺幣 台币": "TWD NTD",
    "韩元 韓元 ウォン": "KRW",
    "卢布 盧布 ルーブル 루블": "RUB",
    "卢比 盧比 ルピー 루피": "INR PKR LKR NPR IDR",
    "法郎 フラン 프랑": "CHF XOF XAF",
    "泰铢 泰銖 バーツ บาท": "THB",
}
CODES = frozenset(
    f"{_DOLLARS} EUR GBP JPY CNY INR BRL CHF SEK NOK DKK MXN ARS CLP COP UYU ZAR KRW RUB TRY PLN CZK HUF ILS AED SAR "
    "EGP THB IDR MYR PHP VND PKR NGN UAH RON BTC".split()
)
# The other codes of ISO 4217, and ETH; they are read in capitals only.
_MORE_CODES = """
AFN ALL AMD ANG AOA AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BSD BTN BWP BYN BZD CDF CRC CUP CVE DJF DOP
DZD ERN ETB ETH FJD FKP GEL GHS GIP GMD GNF GTQ GYD HNL HRK HTG IQD IRR ISK JMD JOD KES KGS KHR KMF KPW KWD
KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MZN NAD NIO NPR OMR PAB PEN PGK
PYG QAR RSD RWF SBD SCR SDG SHP SLE SOS SRD SSP STN SVC SYP SZL TJS TMT TND TOP TTD TZS UGX UZS VED VES VUV
WST XAF XCD XOF XPF YER ZMW ZWL
"""
# Of these what stands before a number is more often a word ("TOP 5").
_WORDS = frozenset(("ALL", "TOP", "CUP", "PEN", "BAM", "BOB", "GEL", "MOP", "LAK", "SOS", "ETH"))
# Codes that are words when not in capitals ("try 5 times").
_CAPITALS_ONLY = {"TRY", "COP", "RON", "SAR", "CAD"}
_NAMES = {
    "dollar dollars dólar dólares dollari доллар доллара долларов دولار डॉलर": _DOLLARS,
    "us_dollar us_dollars american_dollar american_dollars u.s._dollar u.s._dollars": "USD",
    "canadian_dollar canadian_dollars": "CAD",
    "australian_dollar australian_dollars": "AUD",
    "euro euros евро ευρώ يورو यूरो": "EUR",
    "pound pounds quid": "GBP EGP",
    "livres_libanaises livre_libanaise lebanese_pound lebanese_pounds": "LBP",
    "egyptian_pound egyptian_pounds": "EGP",
    "livre_sterling livres_sterling pound_sterling pounds_sterling british_pound british_pounds": "GBP",
    "yen japanese_yen": "JPY",
    "yuan renminbi rmb chinese_yuan": "CNY",
    "won korean_won": "KRW",
    "rupee rupees rs रुपये रुपया रुपए": "INR PKR LKR NPR",
    "indian_rupee indian_rupees": "INR",
    "reais brazilian_real brazilian_reais": "BRL",
    "franc francs franken fr": "CHF XOF XAF",
    "swiss_franc swiss_francs schweizer_franken": "CHF",
    "krona kronor krone kroner kr crown crowns couronne couronnes": "SEK NOK DKK ISK CZK",
    "peso pesos": "MXN ARS CLP COP UYU PHP DOP CUP",
    "mexican_peso mexican_pesos": "MXN",
    "ruble rubles rouble roubles рубль рубля рублей руб": "RUB",
    "lira liras tl": "TRY",
    "czech_crown czech_crowns czech_koruna koruna koruny korun kč": "CZK",
    "swedish_krona swedish_kronor": "SEK",
    "norwegian_krone norwegian_kroner": "NOK",
    "danish_krone danish_kroner": "DKK",
    "forint forints": "HUF",
    "lei": "RON MDL",
    "ringgit ringgits": "MYR",
    "rupiah rupiahs": "IDR",
    "taka": "BDT",
    "dinar dinars دينار": "KWD BHD JOD IQD DZD TND LYD RSD MKD",
    "shilling shillings": "KES TZS UGX SOS",
    "tenge": "KZT",
    "cedi cedis": "GHS",
    "birr": "ETB",
    "kwacha": "ZMW MWK",
    "leva": "BGN",
    "kuna": "HRK",
    "kyat kyats": "MMK",
    "riel riels": "KHR",
    "tugrik tugriks": "MNT",
    "colón colones": "CRC",
    "soles": "PEN",
    "quetzal quetzales": "GTQ",
    "lempira lempiras": "HNL",
    "guaraní guaraníes": "PYG",
    "bolívar bolívares": "VES",
    "ether": "ETH",
    "zloty zlotys złoty złotych zł": "PLN",
    "shekel shekels": "ILS",
    "dirham dirhams درهم": "AED MAD",
    "riyal riyals rial rials ريال": "SAR QAR IRR OMR YER",
    "rand": "ZAR",
    "baht": "THB",
    "dong": "VND",
    "naira": "NGN",
    "hryvnia hryvnias гривна гривны гривен гривень": "UAH",
    "bitcoin bitcoins": "BTC",
}
_HUNDREDTHS = {"cent cents centavo centavos": f"{_DOLLARS} EUR ZAR MXN BRL", "pence penny": "GBP"}
_PENCE = "p"  # only at the figures


def _money(codes: str, factor: Fraction = Fraction(1)) -> Unit:
    return Unit("money", factor, codes=frozenset(codes.split()))


_LOWER_CODES = {code.lower(): _money(code) for code in CODES - _CAPITALS_ONLY}
_BY_SIGN = {sign: _money(codes) for sign, codes in _SIGNS.items()} | {"¢": _money(f"{_DOLLARS} EUR", Fraction(1, 100))}
_BY_NAME = {
    key(name.replace("_", " ")): _money(codes, factor)
    for table, factor in ((_NAMES, Fraction(1)), (_HUNDREDTHS, Fraction(1, 100)))
    for names, codes in table.items()
    for name in names.split()
} | _LOWER_CODES
_BY_CODE = {code: _money(code) for code in CODES.union(_MORE_CODES.split())}
_BY_CODE |= {"TWD": _BY_SIGN["NT$"], "Ft": _money("HUF")}  # "ft" are feet
_AFTER = _BY_SIGN | {name: _money(codes) for names, codes in _SIGNS_AFTER.items() for name in names.split()}
_LATIN_SIGNS = frozenset(("RM", "zł", "Kč"))
_ANY_SIGN = "|".join(regex.escape(sign) for sign in sorted(_BY_SIGN, key=len, reverse=True))
_LETTER_BEFORE = r"(?<![\p{L}\p{M}\p{N}])"
_BEFORE = regex.compile(
    rf"(?:(?:{_LETTER_BEFORE}|(?!\p{{Latin}}))(?P<sign>{_ANY_SIGN})"
    rf"|{_LETTER_BEFORE}(?P<name>R(?= )|[A-Za-z]{{2,3}})\.?) {{0,2}}\Z"
)
_SIGN_STARTS = frozenset(sign[0] for sign in _BY_SIGN)
_SIGN_ENDS = frozenset(sign[-1] for sign in _BY_SIGN)
_LONG_WORD = regex.compile(r"(?:[a-z]{4}|[^\p{L}.]|^)\Z")
_BEFORE_NAMES = {name: _BY_NAME[name] for name in ("rs", "rmb", "fr", "kr", "lei", "tl", *_LOWER_CODES)} | {
    "r": _money("ZAR")
}
# What stands before another number belongs to that one ("5 USD 10").
_NEXT = regex.compile(r"\.? {0,2}[\p{N}]")
# "R 500" are rands, "R 4.3" is a version.
_RAND = regex.compile(r" \d{1,3}(?:[ ,]\d{3})*+(?:[.,]\d\d)?(?![.,]?\d)(?<=\d\d)")
_SIGN_AFTER = regex.compile(
    "|".join(
        regex.escape(sign) + (r"(?![\p{L}\p{N}])" if sign in _LATIN_SIGNS else "")
        for sign in sorted(_AFTER, key=len, reverse=True)
    )
)
_AFTER_STARTS = frozenset(sign[0] for sign in _AFTER)
# What may stand directly before figures although it ends in a letter, for use in a look-behind.
GLUED = rf"(?<![\p{{L}}\p{{N}}])(?:{'|'.join(sorted(CODES))}|RMB|Rs|{'|'.join(sorted(_LATIN_SIGNS))})"
_NAME_AFTER = regex.compile(rf"(?P<first>(?:U\.S\.|{SCRIPT_RUN}))(?:[ -](?P<second>{SCRIPT_RUN}))?", regex.V1)
_OF = regex.compile(r"d'|(?:of|de|di) ")


def money_before(text: str, index: int) -> tuple[Unit, int, str] | None:
    """The currency written directly before `index`, the offset where it begins, and its sign or code."""
    start = max(0, index - 9)
    near = text[start:index].rstrip(" ")
    if near[-1:] not in _SIGN_ENDS and _LONG_WORD.search(near):  # most numbers: no need to look closer
        return None
    if (found := _BEFORE.search(text[start:index])) is None:
        return None
    if found["sign"]:
        return _BY_SIGN[found["sign"]], start + found.start(), found["sign"]
    name = found["name"]
    if name == "R" and not _RAND.match(text, start + found.end("name")):
        return None
    unit = None if name in _WORDS else _BY_CODE.get(name) or _BEFORE_NAMES.get(name.lower())
    return (unit, start + found.start(), name) if unit else None


def money_after(text: str, index: int, *, scaled: bool = False) -> tuple[Unit, int] | None:
    """The currency after a number that ends at `index`; after a scale word also with "of" ("5 millions d'euros")."""
    start = after_gap(text, index)
    first = text[start : start + 1]
    if not first.isalpha() and first not in _AFTER_STARTS:
        return None
    if scaled and (of := _OF.match(text, start)):
        start = of.end()
    if sign := _SIGN_AFTER.match(text, start):
        return None if _NEXT.match(text, sign.end()) else (_AFTER[sign[0]], sign.end())
    if (name := _NAME_AFTER.match(text, start)) is None:
        return None
    if name["first"] == _PENCE and start == index:
        return _money("GBP", Fraction(1, 100)), name.end("first")
    first, second = name["first"], name["second"]
    if second and (unit := _BY_NAME.get(key(f"{first} {second}"))):
        return unit, name.end()
    unit = _BY_CODE.get(first) or _BY_NAME.get(key(first))
    taken = (first in _BY_CODE or key(first) in _BEFORE_NAMES) and _NEXT.match(text, name.end("first"))
    return (unit, name.end("first")) if unit and not taken else None
