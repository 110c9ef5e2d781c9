"""The numbers that every library computes with, and the sizes of the workloads.

    W1   a scalar chain of 1,000 operations, forward and backward
    W2   a training step of a tiny network (16-32-10, batch 32)
    W3   a training step of a network 784-512-512-10, batch 256
    W4   10,000 nodes with fan-out
    W5   10⁶ elements, elementwise
    W6   the tiny network's gradient penalty: a derivative of derivatives
    W7f  1,000 times one `mul` of three elements, forward
    W7c  the same as a chain, forward, backward and free
    W7b  of that chain, the backward alone
"""

import numpy as np

WORKLOADS = ("W1", "W2", "W3", "W4", "W5", "W6", "W7f", "W7c", "W7b")
CHAIN = 1_000
FAN_OUT = 5_000  # each of its steps makes two nodes
REPEATS = 1_000
RATE = np.float32(0.01)
PENALTY = np.float32(0.1)

_random = np.random.default_rng(0)


def _normal(*shape: int, scale: float = 1.0) -> np.ndarray:
    return (_random.standard_normal(shape) * scale).astype(np.float32)


def _classes(rows: int, classes: int) -> np.ndarray:
    return np.eye(classes, dtype=np.float32)[_random.integers(0, classes, rows)]


TINY_INPUT, TINY_TARGET = _normal(32, 16), _classes(32, 10)
TINY = [_normal(*shape, scale=0.3) for shape in ((16, 32), (32,), (32, 10), (10,))]
LARGE_INPUT, LARGE_TARGET = _normal(256, 784), _classes(256, 10)
LARGE = [_normal(*shape, scale=0.04) for shape in ((784, 512), (512,), (512, 512), (512,), (512, 10), (10,))]
EIGHT, EIGHT_WEIGHTS = _normal(8), _random.uniform(-1, 1, 8).astype(np.float32)
MILLION, MILLION_WEIGHTS = _normal(1_000_000), _normal(1_000_000)
THREE, THREE_WEIGHTS, THREE_ONES = EIGHT[:3].copy(), EIGHT_WEIGHTS[:3].copy(), np.ones(3, np.float32)
