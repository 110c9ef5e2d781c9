"""The workloads for libraries with tensors that record: torch, the lab, and MyGrad by the same words.

What a library does in its own way (make a parameter, clear gradients, take a step) is a method of its class.
"""

import importlib

import numpy as np

from tests.benchmarks import data
from tests.benchmarks.clock import Step, Timed, now


class Torch:
    """torch, eager, on one thread."""

    module_name = "torch"

    def __init__(self) -> None:
        self.torch = torch = importlib.import_module(self.module_name)
        self.tanh, self.relu, self.exp, self.log, self.sin = torch.tanh, torch.relu, torch.exp, torch.log, torch.sin
        if hasattr(torch, "set_num_threads"):
            torch.set_num_threads(1)

    def parameter(self, array):
        return self.torch.tensor(array, dtype=self.torch.float32, requires_grad=True)

    def constant(self, array):
        return self.torch.tensor(array)

    def clear(self, parameters) -> None:
        for parameter in parameters:
            parameter.grad = None

    def row_sums(self, x):
        return x.sum(1, keepdim=True)

    def descend(self, parameters) -> None:
        with self.torch.no_grad():
            for parameter in parameters:
                parameter.sub_(parameter.grad, alpha=float(data.RATE))

    def gradients(self, loss, parameters):
        return self.torch.autograd.grad(loss, parameters, create_graph=True)

    # The workloads of data.py.

    def w1(self) -> Step:
        start, weight, constant = map(self.parameter, (1.0, 1.0001, 0.001))

        def step():
            self.clear((start, weight, constant))
            x = start
            for _ in range(data.CHAIN // 2):
                x = x * weight
                x = x + constant
            x.backward()

        return step

    def cross_entropy(self, scores, target):
        log_chances = scores - self.log(self.row_sums(self.exp(scores)))
        return (log_chances * target).sum() * (-1 / len(target))

    def tiny(self, x, target, parameters):
        w_in, b_in, w_out, b_out = parameters
        return self.cross_entropy(self.tanh(x @ w_in + b_in) @ w_out + b_out, target)

    def large(self, x, target, parameters):
        w_one, b_one, w_two, b_two, w_out, b_out = parameters
        hidden = self.relu(self.relu(x @ w_one + b_one) @ w_two + b_two)
        return self.cross_entropy(hidden @ w_out + b_out, target)

    def training(self, loss_of, x, target, arrays) -> Step:
        parameters = [self.parameter(array.copy()) for array in arrays]
        x, target = self.constant(x), self.constant(target)

        def step():
            self.clear(parameters)
            loss = loss_of(x, target, parameters)
            loss.backward()
            self.descend(parameters)
            return loss

        return step

    def w2(self) -> Step:
        return self.training(self.tiny, data.TINY_INPUT, data.TINY_TARGET, data.TINY)

    def w3(self) -> Step:
        return self.training(self.large, data.LARGE_INPUT, data.LARGE_TARGET, data.LARGE)

    def w4(self) -> Step:
        start, weight = self.parameter(data.EIGHT), self.parameter(data.EIGHT_WEIGHTS)

        def step():
            self.clear((start, weight))
            a, b = start, start * 0.5
            for _ in range(data.FAN_OUT):
                a, b = b, b * weight - a
            b.sum().backward()

        return step

    def w5(self) -> Step:
        x, weights = self.parameter(data.MILLION), self.parameter(data.MILLION_WEIGHTS)

        def step():
            self.clear((x, weights))
            (x * weights + self.sin(x)).sum().backward()

        return step

    def w6(self) -> Step:
        parameters = [self.parameter(array.copy()) for array in data.TINY]
        x, target = self.constant(data.TINY_INPUT), self.constant(data.TINY_TARGET)

        def step():
            self.clear(parameters)
            loss = self.tiny(x, target, parameters)
            first, *rest = [(grad * grad).sum() for grad in self.gradients(loss, parameters)]
            norm = sum(rest, first)
            (loss + norm * float(data.PENALTY)).backward()
            return [parameter.grad for parameter in parameters]

        return step

    def w7f(self) -> Step:
        x, weight = self.parameter(data.THREE), self.parameter(data.THREE_WEIGHTS)

        def step():
            for _ in range(data.REPEATS):
                x * weight

        return step

    def w7c(self) -> Step:
        x, weight = self.parameter(data.THREE), self.parameter(data.THREE_ONES)

        def step():
            self.clear((x, weight))
            z = x
            for _ in range(data.REPEATS):
                z = z * weight
            z.sum().backward()

        return step

    def w7b(self) -> Step:
        x, weight = self.parameter(data.THREE), self.parameter(data.THREE_ONES)

        def step():
            self.clear((x, weight))
            z = x
            for _ in range(data.REPEATS):
                z = z * weight
            total = z.sum()
            start = now()
            total.backward()
            return Timed(now() - start)

        return step


class Lab(Torch):
    """autograd_lab, by torch's words."""

    module_name = "autograd_lab"


class MyGrad(Torch):
    """MyGrad: the same programs, other names."""

    w6 = None  # it has no derivative of derivatives

    def __init__(self) -> None:
        self.mygrad = mygrad = importlib.import_module("mygrad")
        self.tanh, self.exp, self.log, self.sin = mygrad.tanh, mygrad.exp, mygrad.log, mygrad.sin
        self.relu = importlib.import_module("mygrad.nnet").relu

    def parameter(self, array):
        return self.mygrad.tensor(np.asarray(array, np.float32))

    def constant(self, array):
        return self.mygrad.tensor(array, constant=True)

    def clear(self, parameters) -> None:
        for parameter in parameters:
            parameter.null_grad()

    def row_sums(self, x):
        return self.mygrad.sum(x, axis=1, keepdims=True)

    def descend(self, parameters) -> None:
        for parameter in parameters:
            parameter.data -= data.RATE * parameter.grad


class UnguardedMyGrad(MyGrad):
    """MyGrad without its guard against writes into arrays that the graph still needs."""

    def __init__(self) -> None:
        super().__init__()
        self.mygrad.turn_memory_guarding_off()
