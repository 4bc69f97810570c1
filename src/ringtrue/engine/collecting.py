"""When the garbage collector looks: hardly ever while rows come in, since nearly all that is made then stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collection_paused", "collection_seldom"]

_COLLECTED_AFTER = 100_000  # new objects


@contextmanager
def collection_paused() -> Iterator[None]:
    """Let the garbage collector wait for the end of a batch: it is a third of the cost else."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def collection_seldom() -> Iterator[None]:
    """Let the garbage collector look seldom, while rows are read or Scores come in: a quarter of the cost else."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _COLLECTED_AFTER) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
