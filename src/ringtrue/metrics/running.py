"""What an answer took: its length, time, money and tokens, read off the Response."""

from typing import cast

from ringtrue.catalogue import metric
from ringtrue.text.words import count_words
from ringtrue.types import Response, Sample

__all__ = ["answer_words", "cost", "input_tokens", "latency_s", "output_tokens"]


@metric(needs=("answer",), range=(0, None), better=None, source="Unicode UAX #24 (scripts)", unit="words")
def answer_words(_sample: Sample, response: Response) -> float:
    """Number of words of the answer.

    In scripts written without spaces between words (Chinese, Japanese, Thai …) each letter counts as one.
    """
    return float(count_words(cast(str, response.answer)))


@metric(needs=("latency_s",), range=(0, None), better="lower", source="the pipeline's clock", unit="s")
def latency_s(_sample: Sample, response: Response) -> float:
    """Seconds from the question to the whole answer."""
    return float(cast(float, response.latency_s))


@metric(needs=("cost",), range=(0, None), better="lower", source="the pipeline's record", unit="USD")
def cost(_sample: Sample, response: Response) -> float:
    """What the answer cost, in US dollars."""
    return float(cast(float, response.cost))


@metric(needs=("input_tokens",), range=(0, None), better=None, source="the pipeline's record", unit="tokens")
def input_tokens(_sample: Sample, response: Response) -> float:
    """Tokens that the application's model read for this answer."""
    return float(cast(int, response.input_tokens))


@metric(needs=("output_tokens",), range=(0, None), better=None, source="the pipeline's record", unit="tokens")
def output_tokens(_sample: Sample, response: Response) -> float:
    """Tokens that the application's model wrote for this answer."""
    return float(cast(int, response.output_tokens))
