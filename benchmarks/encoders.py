"""`python -m benchmarks.encoders [--texts N]`: the local encoders, and what each way of batching is worth.

CPU seconds of this process, all of its threads; the ways of one table are measured in turn, three rounds, the median
counts. "As bert_score does it": batches of 64 in the order of the texts, every pair encoded anew.
"""

import argparse
import asyncio
import random
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time

from benchmarks.rows import make_rows
from ringtrue.metrics.matching import matched
from ringtrue.models.local.batches import Batcher
from ringtrue.models.local.crossing import Crosser, crosser
from ringtrue.models.local.embedding import Embedder, embedder

ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=240, help="texts a measurement")
    count = parser.parse_args().texts
    encoder, pairs_of = embedder(), crosser()
    texts = some_texts(count)
    encoder.encode_now(texts[:2])  # opens the network
    pairs_of.relevance_now([(texts[0], texts[1])])
    table("texts/s, embedding", count, {name: lambda how=how: how(encoder, texts) for name, how in WAYS.items()})
    passages = [(texts[place], " ".join(texts[place : place + 3])) for place in range(count // 4)]
    table("(question, passage) pairs/s", len(passages), {"sorted, 8 at once": lambda: fresh_pairs(pairs_of, passages)})
    golden = [(text, texts[place // 4 * 4]) for place, text in enumerate(texts)]  # four answers to each golden one
    table(
        "BERTScore pairs/s",
        count,
        {
            "as bert_score does it": lambda: plainly(encoder, golden),
            "sorted, 8 at once, each text once": lambda: ours(encoder, golden),
        },
    )


def some_texts(count: int) -> list[str]:
    """Answers of 2 to 90 words, as lengths of real ones lie."""
    chance = random.Random(1)
    words = " ".join(response.answer or "" for _, response in make_rows(count, paragraphs=3)).split()
    lengths = [chance.choice((2, 4, 8, 12, 16, 24, 40, 90)) for _ in range(count)]
    starts = [chance.randrange(len(words) - 90) for _ in range(count)]
    return [
        f"{place} " + " ".join(words[start : start + size])
        for place, (start, size) in enumerate(zip(starts, lengths, strict=True))
    ]


def anew(encoder: Embedder, most: int, most_tokens: int) -> None:
    """Forget what was encoded, and make batches of this size."""
    encoder._states = Batcher(encoder._work, length=len, most=most, most_tokens=most_tokens, kept=60_000, weight=len)


def unsorted(encoder: Embedder, texts: Sequence[str]) -> None:
    for start in range(0, len(texts), 64):
        encoder._work([row[0] for row in encoder._rows(texts[start : start + 64])])


def one_by_one(encoder: Embedder, texts: Sequence[str]) -> None:
    for row in encoder._rows(texts):
        encoder._work([row[0]])


def in_batches(most: int, most_tokens: int) -> Callable[[Embedder, Sequence[str]], None]:
    def way(encoder: Embedder, texts: Sequence[str]) -> None:
        anew(encoder, most, most_tokens)
        encoder.encode_now(texts)

    return way


def row_by_row(encoder: Embedder, texts: Sequence[str]) -> None:
    """As a run asks: 64 rows under way, each with a text of its own."""
    anew(encoder, 8, 512)

    async def rows() -> None:
        under_way = asyncio.Semaphore(64)

        async def row(text: str) -> None:
            async with under_way:
                await encoder.encode([text])

        await asyncio.gather(*map(row, texts))

    asyncio.run(rows())


WAYS: dict[str, Callable[[Embedder, Sequence[str]], None]] = {
    "in their order, 64 at once": unsorted,
    "one by one": one_by_one,
    "sorted, 64 at once": in_batches(64, 1 << 20),
    "sorted, 8 at once, 512 tokens": in_batches(8, 512),
    "the same, asked row by row, 64 under way": row_by_row,
}


def fresh_pairs(pairs_of: Crosser, passages: Sequence[tuple[str, str]]) -> None:
    logits = pairs_of._logits
    pairs_of._logits = Batcher(logits._work, length=logits._length, most=logits._most, most_tokens=logits._most_tokens)
    pairs_of.relevance_now(passages)


def plainly(encoder: Embedder, pairs: Sequence[tuple[str, str]]) -> None:
    for start in range(0, len(pairs), 64):
        part = pairs[start : start + 64]
        for place in (0, 1):
            unsorted(encoder, [pair[place] for pair in part])
    anew(encoder, 8, 512)
    (one,) = encoder.encode_now([pairs[0][0]])
    for _ in pairs:
        matched(one, one)


def ours(encoder: Embedder, pairs: Sequence[tuple[str, str]]) -> None:
    anew(encoder, 8, 512)
    encoded = encoder.encode_now([text for pair in pairs for text in pair])
    for answer, golden in zip(encoded[::2], encoded[1::2], strict=True):
        matched(answer, golden)


def table(title: str, count: int, ways: dict[str, Callable[[], None]]) -> None:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = process_time()
            way()
            times[name].append(process_time() - start)
    print(f"\n{title} (per CPU second)")
    first = median(next(iter(times.values())))
    for name, spent in times.items():
        print(f"  {name:<42}{count / median(spent):>8.1f}{first / median(spent):>8.2f} x")


if __name__ == "__main__":
    main()
