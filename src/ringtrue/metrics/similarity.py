"""Likeness in meaning to the golden answer, by a sentence encoder on this machine. English only.

The encoder reads texts of any length; the rows under way share its batches. Its values are alike on every machine up to
rounding, and rounded to five places here.
"""

from dataclasses import replace
from typing import Literal, TypeAlias, cast

from ringtrue.catalogue import Metric, metric
from ringtrue.errors import MissingExtraError, Skip
from ringtrue.metrics.matching import matched
from ringtrue.models.local.embedding import SIGNATURE, Encoded, embedder
from ringtrue.models.local.tokens import skip_other_scripts
from ringtrue.models.local.weights import MissingWeightsError
from ringtrue.types import Response, Sample

__all__ = ["answer_similarity", "bertscore"]

Measure: TypeAlias = Literal["f1", "recall", "precision"]

_NEEDS = ("answer", "reference")
_PLACES = 5


@metric(needs=_NEEDS, range=(0, 1), better="higher", source="BAAI bge-small-en-v1.5, arXiv:2309.07597; ragas, RAGAS")
async def answer_similarity(sample: Sample, response: Response) -> float:
    """Whether the answer is about what the golden answer is about: the cosine of their embeddings.

    Of several golden answers the likest counts. It cannot tell a right answer from one that contradicts the golden
    answer in a number, a name or a "not": both are about the same. Two unrelated sentences get .39 on average, not 0.
    A cosine below 0 counts as 0.
    """
    answer, *golden = await _encoded(sample, response)
    return round(min(1.0, max(0.0, *(float(answer.vector @ one.vector) for one in golden))), _PLACES)


@metric(needs=_NEEDS, range=(-1, 1), better="higher", source="Zhang et al. 2020, arXiv:1904.09675; bert_score 0.3.13")
async def bertscore(
    sample: Sample, response: Response, *, measure: Measure = "f1", idf: bool = False, rescale: bool = False
) -> float:
    """How well the words of answer and golden answer match in meaning, each with its likest counterpart (BERTScore).

    Precision is the mean over the answer's word pieces of the greatest cosine with a piece of the golden answer, recall
    the same the other way round, F1 their harmonic mean; of several golden answers the best counts, for each measure by
    itself. `idf` gives rare word pieces more weight, by a fixed count of English sentences, so that a row's value does
    not hang on the other rows. Two unrelated sentences get .34 on average; `rescale` sets that to 0. Like
    answer_similarity it cannot tell a contradiction.
    """
    answer, *golden = await _encoded(sample, response)
    each = [matched(answer, one, idf=idf, rescale=rescale) for one in golden]
    values = [float(getattr(one, measure)) for one in each if one is not None]
    if not values:
        raise Skip("answer or golden answer has no word piece")
    return round(min(1.0, max(values)), _PLACES)


def _made_by_encoder(of: Metric, **more: str) -> Metric:
    return replace(of, made_by=(("encoder", SIGNATURE), *more.items()))


answer_similarity = _made_by_encoder(answer_similarity)
bertscore = _made_by_encoder(bertscore, layer="12")


async def _encoded(sample: Sample, response: Response) -> list[Encoded]:
    """The answer and the golden answers. Raises Skip where they are not English or the encoder is not here."""
    answer = cast(str, response.answer)  # `needs` holds it
    skip_other_scripts(answer=answer, golden_answer=" ".join(sample.reference))
    try:
        return await embedder().encode([answer, *sample.reference])
    except (MissingExtraError, MissingWeightsError) as error:
        raise Skip(f"{error.message}; {error.mend}") from error
