"""How probable each label was."""

from math import log

import pytest

from ringtrue.models.probabilities import Token, label_probabilities, require_label_mass
from ringtrue.models.types import Completion, ModelFailure, Usage


def token(text: str, **likeliest: float) -> Token:
    """A token, and the likeliest ones at its place with their probabilities (``_`` stands for a space)."""
    return text, [(one.replace("_", " "), log(share)) for one, share in (likeliest or {text: 1.0}).items()]


def test_the_first_token_of_a_label_tells_its_share() -> None:
    shares, mass = label_probabilities([token("Yes", Yes=0.6, yes=0.1, _No=0.2, Maybe=0.1)], "yes", ("yes", "no"))
    assert mass == pytest.approx(0.9)
    assert shares == pytest.approx({"yes": 0.7 / 0.9, "no": 0.2 / 0.9})


def test_a_beginning_counts_for_the_one_label_that_begins_so() -> None:
    tokens = [token("ir", ir=0.5, relevant=0.3, re=0.1, i=0.1), token("relevant")]
    shares, mass = label_probabilities(tokens, "irrelevant", ("relevant", "irrelevant"))
    assert mass == pytest.approx(1.0)
    assert shares == pytest.approx({"relevant": 0.4, "irrelevant": 0.6})


def test_a_beginning_of_two_labels_leaves_probabilities_open() -> None:
    tokens = [token("part", part=0.75, full=0.25), token("ly right")]
    shares, mass = label_probabilities(tokens, "partly right", ("partly right", "partly wrong", "fully"))
    assert (shares, mass) == (None, pytest.approx(1.0))


def test_a_label_that_may_stand_just_below_the_likeliest_tokens_leaves_probabilities_open() -> None:
    # A grammar forced "relevant", which the model held for hardly likelier than "irrelevant", which is not listed.
    forced = [token("relevant", The=0.6, A=0.1, relevant=0.002)]
    assert label_probabilities(forced, "relevant", ("relevant", "irrelevant")) == (None, pytest.approx(0.002))
    sure = [token("relevant", relevant=0.98, The=0.015, A=0.004)]
    shares, _ = label_probabilities(sure, "relevant", ("relevant", "irrelevant"))
    assert shares == {"relevant": 1.0, "irrelevant": 0.0}


def test_in_an_object_the_label_stands_last() -> None:
    tokens = [
        token('{"why": "'),
        token("no"),
        token(' date", "verdict": "'),
        token("yes", yes=0.9, no=0.1),
        token('"}'),
    ]
    shares, _ = label_probabilities(tokens, "yes", ("yes", "no"))
    assert shares == pytest.approx({"yes": 0.9, "no": 0.1})


def test_at_the_start_of_a_reply_the_first_place_counts() -> None:
    tokens = [token("Yes", Yes=0.8, No=0.2), token(", and "), token("yes", yes=0.5, no=0.5), token(" again")]
    shares, _ = label_probabilities(tokens, "yes", ("yes", "no"))
    assert shares == pytest.approx({"yes": 0.8, "no": 0.2})


def test_labels_without_a_share_have_no_probabilities() -> None:
    assert label_probabilities([token("Yes", Sure=0.9)], "yes", ("yes", "no")) == (None, 0.0)
    assert label_probabilities([], "yes", ("yes", "no")) == (None, 0.0)


def test_too_little_mass_is_a_failure_of_its_own() -> None:
    usage = Usage(input_tokens=1, output_tokens=1, calls=1, cost=None, latency_s=0.1)
    completion = Completion(text="yes", parsed="yes", finish_reason="stop", usage=usage, model="m", label_mass=0.2)
    require_label_mass(completion, 0.1)
    with pytest.raises(ModelFailure) as raised:
        require_label_mass(completion, 0.5)
    assert raised.value.kind == "low_label_mass"
    assert raised.value.usage is usage
