"""Tiny ONNX networks, written by hand: protocol-buffer messages of the few fields that a network needs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FLOAT, UINT8, INT8, INT32 = 1, 2, 3, 6
TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.uint8): UINT8, np.dtype(np.int8): INT8}


def number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def field(place: int, content: bytes | str | int) -> bytes:
    if isinstance(content, int):
        return number(place << 3) + number(content)
    content = content.encode() if isinstance(content, str) else content
    return number(place << 3 | 2) + number(len(content)) + content


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **ints: int) -> bytes:
    names = [*(field(1, one) for one in inputs), *(field(2, one) for one in outputs), field(4, kind)]
    attributes = [field(5, field(1, name) + field(3, value) + field(20, 2)) for name, value in ints.items()]
    return b"".join(names + attributes)


def tensor(name: str, values: NDArray[np.generic], *, in_ints: bool = False) -> bytes:
    """`in_ints` puts 8-bit numbers into the field of whole numbers, negative ones in 64 bits, as some writers do."""
    dims = b"".join(field(1, size) for size in values.shape)
    if in_ints:
        body = field(5, b"".join(number(int(one) % (1 << 64)) for one in values.ravel()))
    else:
        body = field(9, values.tobytes())
    return dims + field(2, TYPES[values.dtype]) + field(8, name) + body


def value(name: str, kind: int, *shape: str | int) -> bytes:
    dims = b"".join(field(1, field(1, one) if isinstance(one, int) else field(2, one)) for one in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


def network(
    nodes: Sequence[bytes], tensors: Sequence[bytes], inputs: Sequence[bytes], outputs: Sequence[bytes]
) -> bytes:
    parts = [(1, nodes), (5, tensors), (11, inputs), (12, outputs)]
    graph = field(2, "tiny") + b"".join(field(place, one) for place, listed in parts for one in listed)
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


def doubling() -> bytes:
    """y = x + x, for x of any number of rows and three columns."""
    return network([node("Add", ["x", "x"], ["y"])], [], [value("x", FLOAT, "rows", 3)], [value("y", FLOAT, "rows", 3)])


def quantised(weight: NDArray[np.int8], zero: NDArray[np.int8], scale: NDArray[np.float32], **how: bool) -> bytes:
    """y = x times the weight, as ONNX Runtime's dynamic quantisation writes it."""
    rows, columns = weight.shape
    return network(
        [
            node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
            node("MatMulInteger", ["q", "w", "z", "w_zero"], ["i"]),
            node("Cast", ["i"], ["f"], to=FLOAT),
            node("Mul", ["s", "w_scale"], ["both"]),
            node("Mul", ["f", "both"], ["y"]),
        ],
        [tensor("w", weight), tensor("w_zero", zero, **how), tensor("w_scale", scale)],
        [value("x", FLOAT, "rows", rows)],
        [value("y", FLOAT, "rows", columns)],
    )
