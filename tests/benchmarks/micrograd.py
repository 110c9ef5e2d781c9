"""The scalar workloads in micrograd, which knows no arrays and computes in Python floats."""

import importlib
import sys

from tests.benchmarks import data
from tests.benchmarks.clock import Step, Timed, now


class Micrograd:
    """micrograd's `Value`."""

    def __init__(self) -> None:
        self.value = importlib.import_module("micrograd.engine").Value
        sys.setrecursionlimit(20_000)  # its backward recurses, and ends at about 1,000 nodes otherwise

    def w1(self) -> Step:
        def step():
            x, weight, constant = map(self.value, (1.0, 1.0001, 0.001))
            for _ in range(data.CHAIN // 2):
                x = x * weight
                x = x + constant
            x.backward()

        return step

    def w7f(self) -> Step:
        x, weight = self.value(1.5), self.value(0.5)

        def step():
            for _ in range(data.REPEATS):
                x * weight

        return step

    def product(self):
        z, weight = self.value(1.0), self.value(1.0)
        for _ in range(data.REPEATS):
            z = z * weight
        return z

    def w7c(self) -> Step:
        return lambda: self.product().backward()

    def w7b(self) -> Step:
        def step():
            product = self.product()
            start = now()
            product.backward()
            return Timed(now() - start)

        return step
