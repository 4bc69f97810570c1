"""Networks in 8 bits, made to reckon in 32."""

import numpy as np
import pytest

from ringtrue.errors import RingtrueError
from ringtrue.models.local.session import open_session
from ringtrue.models.local.widening import widened
from tests.models.local.onnx_bytes import doubling, quantised

WEIGHT = np.array([[-128, 5, 0], [127, -7, 33]], dtype=np.int8)


@pytest.mark.parametrize("in_ints", [False, True])
@pytest.mark.parametrize("per_column", [False, True])
def test_the_product_is_that_of_the_widened_weights(per_column: bool, in_ints: bool) -> None:
    zero = np.array([-3, 0, 4] if per_column else -3, dtype=np.int8)
    scale = np.array([0.1, 0.02, 0.5] if per_column else 0.1, dtype=np.float32)
    network = widened(quantised(WEIGHT, zero, scale, in_ints=in_ints))
    x = np.array([[0.3, -1.7], [1000, 0]], dtype=np.float32)
    (y,) = open_session(network).run(None, {"x": x})
    plain = (WEIGHT.astype(np.float32) - zero) * scale
    np.testing.assert_allclose(y, x @ plain, rtol=1e-6)


def test_a_row_no_longer_hangs_on_the_rows_beside_it() -> None:
    quantised_so = quantised(WEIGHT, np.array(0, np.int8), np.array(0.1, np.float32))
    alone = np.array([[0.3, -1.7]], dtype=np.float32)
    beside = np.array([[0.3, -1.7], [1000, 0]], dtype=np.float32)
    before, after = open_session(quantised_so), open_session(widened(quantised_so))
    assert abs(before.run(None, {"x": alone})[0][0] - before.run(None, {"x": beside})[0][0]).max() > 1
    assert (after.run(None, {"x": alone})[0][0] == after.run(None, {"x": beside})[0][0]).all()


def test_a_network_without_8_bits_stays_as_it_is() -> None:
    assert widened(doubling()) is not None
    assert widened(doubling()) == doubling()


@pytest.mark.parametrize("broken", [b"", b"hello", doubling()[:-3], b"\x3a\x05\x0a\x03\x0a\x01x", b"\x38\x01"])
def test_what_is_no_network_is_told(broken: bytes) -> None:
    with pytest.raises(RingtrueError, match="no ONNX network that can be read"):
        widened(broken)
