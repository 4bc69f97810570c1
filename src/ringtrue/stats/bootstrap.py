"""Bootstrap over clusters and judge runs: intervals of any figure that is computed from summed cells.

What is drawn again is the question (cluster), not the row: rows of one question are not independent (Field and Welsh
2007, doi:10.1111/j.1467-9868.2007.00593.x). Where a judge ran several times, its runs are drawn again too, crossed
with the questions (Owen 2007, doi:10.1214/07-AOAS122). Cells are summed once for each cluster, so that a resample is a
row of whole-number weights, and thousands of resamples are one matrix product.

Two calls with the same seed and the same number of clusters draw the same clusters, so that judges can be compared.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isnan
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.stats.confusion import NO_ROWS, Array, Label, Statistic, codes
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import wilson_interval

__all__ = [
    "DEFAULT_METHOD",
    "ONE_CLUSTER",
    "Method",
    "bootstrap",
    "cluster_codes",
    "estimate",
    "interval",
    "on_tables",
    "replicate_cells",
    "resamples",
    "run_weights",
    "table_cells",
    "without_each",
]

Method: TypeAlias = Literal["percentile", "bca"]
DEFAULT_METHOD: Method = "bca"

ONE_CLUSTER = "no interval: there is one cluster only"

_CHUNK = 250_000  # weights held at once: 2 MB, which stays in a processor's cache
_KEPT = 16_000_000  # weights kept for the next figure: 32 MB
_MOST_UNDEFINED = 0.05  # share of resamples that may be undefined before there is no interval


def cluster_codes(clusters: Sequence[Hashable] | None, rows: int) -> tuple[NDArray[np.int64], int]:
    """Number the clusters by first appearance: the number of each row's cluster, and how many there are.

    Without `clusters` each row is its own.
    """
    if clusters is None:
        return np.arange(rows), rows
    if len(clusters) != rows:
        raise ValueError(f"{len(clusters)} clusters for {rows} rows: each row needs one")
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.array(found, dtype=np.int64), len(numbers)


def table_cells(
    people: Sequence[Label | None],
    runs: Sequence[Sequence[Label | None]],
    labels: Sequence[Label],
    clusters: Sequence[Hashable] | None = None,
) -> Array:
    """One confusion table for each run and cluster, its K × K cells in a row: the shape is (runs, clusters, K²)."""
    size = len(labels)
    cluster, count = cluster_codes(clusters, len(people))
    truth = codes(people, labels)
    cells = np.zeros((len(runs), count, size * size))
    for place, run in enumerate(runs):
        if len(run) != len(people):
            raise ValueError(f"run {place + 1} has {len(run)} verdicts for {len(people)} rows")
        verdict = codes(run, labels)
        both = (truth >= 0) & (verdict >= 0)
        where = (cluster[both] * size + truth[both]) * size + verdict[both]
        cells[place] = np.bincount(where, minlength=count * size * size).reshape(count, size * size)
    return cells


def on_tables(statistic: Statistic, size: int) -> Statistic:
    """The same figure from cells that hold a `size` × `size` table in a row."""

    def shaped(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
        return lambda cells: function(cells.reshape(*cells.shape[:-1], size, size))

    return Statistic(shaped(statistic.of), statistic.why, None if statistic.base is None else shaped(statistic.base))


def resamples(clusters: int, draws: int, seed: int, *, widest: int = 0) -> Iterator[Array]:
    """How often each cluster is drawn in each resample, in chunks of the shape (resamples, `clusters`).

    Where each cluster stands for many rows, `widest` is the number of columns that a chunk will grow to.
    """
    chunks = _kept if clusters * draws <= _KEPT else _drawn
    step = max(1, _CHUNK // max(clusters, widest, 1))
    for counts in chunks(clusters, draws, seed):
        for start in range(0, len(counts), step):
            yield counts[start : start + step].astype(np.float64)


def _drawn(clusters: int, draws: int, seed: int) -> Iterator[NDArray[np.int64]]:
    random = np.random.Generator(np.random.PCG64([seed, 0]))
    step = max(1, _CHUNK // max(clusters, 1))
    for start in range(0, draws, step):
        yield _counts(random, min(step, draws - start), clusters)


@lru_cache(maxsize=1)
def _kept(clusters: int, draws: int, seed: int) -> tuple[NDArray[np.uint16], ...]:
    """The last draws, since one report asks for the same ones for each judge and figure."""
    return tuple(counts.astype(np.uint16) for counts in _drawn(clusters, draws, seed))


def run_weights(runs: int, draws: int, seed: int, stream: int = 1) -> Array:
    """How often each judge run is drawn in each resample: (draws, runs). Another `stream` draws independently."""
    return _counts(np.random.Generator(np.random.PCG64([seed, stream])), draws, runs).astype(np.float64)


def _counts(random: np.random.Generator, draws: int, things: int) -> NDArray[np.int64]:
    drawn = random.integers(0, things, size=(draws, things))
    drawn += np.arange(draws)[:, None] * things
    return np.bincount(drawn.ravel(), minlength=draws * things).reshape(draws, things)


def replicate_cells(cells: Array, draws: int, seed: int, stream: int = 1) -> Array:
    """The summed cells of each resample: (draws, cells) from (runs, clusters, cells)."""
    runs, clusters, size = cells.shape
    flat = np.ascontiguousarray(cells.transpose(1, 0, 2)).reshape(clusters, runs * size)
    by_run = np.concatenate([weights @ flat for weights in resamples(clusters, draws, seed)])
    drawn: Array = np.einsum("br,brx->bx", run_weights(runs, draws, seed, stream), by_run.reshape(draws, runs, size))
    return drawn


def without_each(cells: Array) -> Array:
    """The summed cells with one cluster left out at a time, for the jackknife: (clusters, cells)."""
    by_cluster = cells.sum(0)
    left: Array = by_cluster.sum(0) - by_cluster
    return left


def bootstrap(
    cells: Array,
    statistics: Mapping[str, Statistic],
    *,
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = DEFAULT_METHOD,
) -> dict[str, Figure]:
    """Figures with their intervals. `cells` has the shape (runs, clusters, cells); cells of all runs are pooled.

    A `Statistic` gets cells of the shape (..., cells). Without `draws` the figures have no interval.
    """
    if not cells.sum():
        return {name: Figure(None, why=NO_ROWS) for name in statistics}
    total = cells.sum((0, 1))
    if not draws or cells.shape[1] < 2:
        why = ONE_CLUSTER if draws else None
        bare = {name: float(statistic.of(total)) for name, statistic in statistics.items()}
        return {
            name: Figure(None, why=statistics[name].why) if isnan(value) else Figure(value, why=why)
            for name, value in bare.items()
        }
    drawn, jackknife = replicate_cells(cells, draws, seed), without_each(cells)
    return {
        name: _with_share(
            estimate(float(of.of(total)), of.of(drawn), of.of(jackknife), of.why, confidence, method),
            of,
            cells,
            confidence,
        )
        for name, of in statistics.items()
    }


def _with_share(found: Figure, statistic: Statistic, cells: Array, confidence: float) -> Figure:
    """Wilson's interval over the clusters for a share that is 0 or 1 in every cluster: resampling cannot move it."""
    if statistic.base is None or found.low is not None or found.value not in (0.0, 1.0):
        return found
    n = int((statistic.base(cells.sum(0)) > 0).sum())
    low, high = wilson_interval(n if found.value else 0, n, confidence)
    return Figure(found.value, low, high)


def estimate(value: float, replicates: Array, jackknife: Array, why: str, confidence: float, method: Method) -> Figure:
    """A Figure from its value (NaN: undefined, because of `why`), its resampled values and its jackknife values."""
    if isnan(value):
        return Figure(None, why=why)
    known = replicates[~np.isnan(replicates)]
    undefined = 1 - len(known) / len(replicates)
    if undefined > _MOST_UNDEFINED:
        return Figure(value, why=f"no interval: in {undefined:.0%} of the resamples {why}")
    if np.ptp(known) <= 1e-12:
        return Figure(value, why="no interval: every resample gives the same")
    low, high = interval(value, known, jackknife, confidence, method)
    return Figure(value, low, high)


def interval(
    value: float, replicates: Array, jackknife: Array, confidence: float, method: Method
) -> tuple[float, float]:
    """The two quantiles of `replicates`: plain ones, or moved for bias and acceleration (BCa).

    BCa: Efron 1987, doi:10.1080/01621459.1987.10478410, with the acceleration from the jackknife over clusters.
    """
    tail = (1 - confidence) / 2
    quantiles = [tail, 1 - tail]
    if method == "bca":
        bias, acceleration = _bias(value, replicates), _acceleration(jackknife)
        quantiles = [_moved(q, bias, acceleration) for q in quantiles]
    low, high = np.quantile(replicates, quantiles)
    return float(low), float(high)


def _bias(value: float, replicates: Array) -> float:
    """The bias z0; a resample that equals the value counts half, as figures of few rows have many ties."""
    equal = np.abs(replicates - value) <= 1e-12
    below = float(((replicates < value) & ~equal).sum() + equal.sum() / 2) / len(replicates)
    least = 1 / (2 * len(replicates))
    return NormalDist().inv_cdf(min(max(below, least), 1 - least))


def _acceleration(jackknife: Array) -> float:
    known = jackknife[~np.isnan(jackknife)]
    apart = known.mean() - known if len(known) else known
    spread = float((apart**2).sum())
    return float((apart**3).sum()) / (6 * spread**1.5) if spread > 1e-24 else 0.0


def _moved(quantile: float, bias: float, acceleration: float) -> float:
    z = bias + NormalDist().inv_cdf(quantile)
    room = 1 - acceleration * z
    if room <= 0:  # one cluster outweighs all others: the correction runs off the end
        return 1.0 if z > 0 else 0.0
    return NormalDist().cdf(bias + z / room)
