"""What was measured of a judge, to keep; and pass rates put right by it."""

from datetime import UTC, datetime

from ringtrue.report.agreement.found import Agreement, Judged
from ringtrue.types import Calibration

__all__ = ["calibrations_of"]


def calibrations_of(agreement: Agreement) -> list[Calibration]:
    """A record for each judge and rule that was measured on labels of two sides, stored columns left out."""
    if agreement.labels.positive is None:
        return []
    at = datetime.now(UTC).isoformat(timespec="seconds")
    measured = [one for one in agreement.judges if one.candidate.signature and one.figures.n]
    return [_record(agreement, one, at) for one in measured]


def _record(agreement: Agreement, one: Judged, at: str) -> Calibration:
    # Runs judge the same rows: the counts are of one run, the mean over all.
    runs = len(one.candidate.runs)
    (right_no, wrong_yes), (wrong_no, right_yes) = ([round(n / runs) for n in row] for row in one.figures.table)
    figures = one.figures.figures
    return Calibration(
        signature=one.candidate.signature,
        metric=one.candidate.metric,
        cut=one.cut,
        dataset=agreement.name,
        fingerprint=agreement.fingerprint,
        at=at,
        rows=one.figures.n,
        true_positives=right_yes,
        positives=right_yes + wrong_no,
        true_negatives=right_no,
        negatives=right_no + wrong_yes,
        agreement=figures["agreement"].value,
        kappa=figures["kappa"].value,
    )
