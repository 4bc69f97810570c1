"""What a refusal says of how to ask."""

import asyncio

import pytest

from ringtrue.models.faults import Fault, fault_of_status
from ringtrue.models.providers.capabilities import Capabilities, adapt
from ringtrue.models.providers.wire import How
from ringtrue.models.types import Request

FORMS = ("schema", "tool", "object", "prompt")


def refused(text: str, status: int = 400) -> Fault:
    return fault_of_status(status, {}, text.encode())


def adapted(how: How, fault: Fault, *params: str, known: bool = False) -> How | None:
    found = adapt(how, fault, FORMS, params, known=known)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("form", "text", "lower"),
    [
        ("schema", "'response_format' is not supported", "tool"),
        ("schema", "This model doesn't support the outputConfig.textFormat field.", "tool"),
        ("schema", "output_config: Extra inputs are not permitted", "tool"),
        ("schema", "failed to parse grammar", "tool"),
        ("tool", "does not support tools", "object"),
        ("object", "json mode is not available", "prompt"),
        ("schema", "Bad Request", "tool"),  # nothing is named: the surest way may be what is off
        ("prompt", "'response_format' is not supported", None),
        ("text", "Bad Request", None),
        ("schema", "maximum context length is 4096 tokens", None),
    ],
)
def test_a_refused_form_gives_way_to_the_next(form: str, text: str, lower: str | None) -> None:
    found = adapted(How(form=form), refused(text))  # type: ignore[arg-type]
    assert (found and found.form) == lower


def test_what_was_taken_before_is_not_given_up_for_one_bad_request() -> None:
    assert adapted(How(form="schema"), refused("Bad Request"), known=True) is None
    assert adapted(How(form="schema"), refused("response_format is not supported"), known=True)


@pytest.mark.parametrize("status", [401, 429, 503])
def test_other_faults_are_no_refusals(status: int) -> None:
    assert adapted(How(form="schema"), refused("response_format is not supported", status)) is None


def test_a_server_error_counts_only_where_it_names_the_form() -> None:
    assert adapted(How(form="schema"), refused("oops", 500)) is None
    assert adapted(How(form="schema"), refused("json_schema conversion failed", 500))


def test_a_parameter_is_left_out_only_once_and_only_where_it_is_not_supported() -> None:
    how = adapted(How(form="text"), refused("`temperature` is deprecated for this model."), "temperature")
    assert how == How(form="text", left_out=frozenset({"temperature"}))
    assert adapted(how, refused("`temperature` is deprecated for this model."), "temperature") is None
    assert adapted(How(form="text"), refused("temperature must be at most 1"), "temperature") is None
    assert adapted(How(form="text"), refused("temperature_top is not supported"), "temperature") is None


def test_the_field_that_a_server_names_counts_before_its_words() -> None:
    text = '{"error": {"message": "Unsupported parameter: use temperature instead", "param": "top_p"}}'
    how = adapted(How(form="text"), refused(text), "temperature", "top_p")
    assert how is not None
    assert how.left_out == {"top_p"}


def test_the_other_name_of_the_budget() -> None:
    text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    how = adapted(How(form="text"), refused(text), "max_tokens")
    assert how == How(form="text", budget_name="max_completion_tokens")
    back = adapted(how, refused("unknown field max_completion_tokens, did you mean max_tokens?"), "max_tokens")
    assert back == How(form="text")


def test_those_who_waited_go_on_together_where_the_first_call_fails() -> None:
    async def run() -> list[str]:
        capabilities, order = Capabilities(), []
        kind = ("endpoint", "text", frozenset[str]())

        async def call(name: str, *, answered: bool) -> None:
            first = await capabilities.go_first(kind)
            order.append(f"{name} {first} {capabilities.knows(kind)}")
            await asyncio.sleep(0)
            if answered:
                capabilities.found_out(kind)
            capabilities.give_way(kind)

        await asyncio.gather(call("a", answered=False), call("b", answered=True), call("c", answered=True))
        await call("d", answered=True)
        return order

    assert asyncio.run(run()) == ["a True False", "b False False", "c False False", "d False True"]


def test_a_form_that_was_guessed_does_not_replace_a_proven_one() -> None:
    capabilities = Capabilities()
    request = Request(messages=(), schema={"type": "object"})
    capabilities.keep("e", How(form="schema"), request, adapted=False, proven=True)
    capabilities.keep("e", How(form="tool"), request, adapted=False, proven=True)
    assert capabilities.of("e").form == "schema"
    capabilities.keep("e", How(form="tool"), request, adapted=True, proven=True)
    assert capabilities.of("e").form == "tool"


def test_notes_are_told_once() -> None:
    capabilities = Capabilities()
    capabilities.note("one")
    capabilities.note("one")
    assert capabilities.notes == ("one",)
