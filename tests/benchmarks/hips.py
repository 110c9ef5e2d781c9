"""The workloads in HIPS autograd, which differentiates functions of arrays."""

import importlib

import numpy as np

from tests.benchmarks import data
from tests.benchmarks.clock import Step, Timed, now

f32 = np.float32


class Hips:
    """HIPS autograd: `grad(f)`, a fresh recording at each call."""

    def __init__(self) -> None:
        self.autograd = importlib.import_module("autograd")
        self.numpy = importlib.import_module("autograd.numpy")

    def w1(self) -> Step:
        def chain(arguments):
            x, weight, constant = arguments
            for _ in range(data.CHAIN // 2):
                x = x * weight
                x = x + constant
            return x

        gradient = self.autograd.grad(chain)
        return lambda: gradient((f32(1), f32(1.0001), f32(0.001)))

    def cross_entropy(self, scores, target):
        numpy = self.numpy
        log_chances = scores - numpy.log(numpy.sum(numpy.exp(scores), axis=1, keepdims=True))
        return numpy.sum(log_chances * target) * f32(-1 / len(target))

    def tiny(self, parameters):
        w_in, b_in, w_out, b_out = parameters
        hidden = self.numpy.tanh(data.TINY_INPUT @ w_in + b_in)
        return self.cross_entropy(hidden @ w_out + b_out, data.TINY_TARGET)

    def large(self, parameters):
        w_one, b_one, w_two, b_two, w_out, b_out = parameters
        one = self.numpy.maximum(data.LARGE_INPUT @ w_one + b_one, f32(0))
        two = self.numpy.maximum(one @ w_two + b_two, f32(0))
        return self.cross_entropy(two @ w_out + b_out, data.LARGE_TARGET)

    def training(self, loss_of, arrays) -> Step:
        parameters = [array.copy() for array in arrays]
        value_and_gradient = self.autograd.value_and_grad(loss_of)

        def step():
            loss, gradients = value_and_gradient(parameters)
            for parameter, gradient in zip(parameters, gradients):
                parameter -= data.RATE * gradient
            return loss

        return step

    def w2(self) -> Step:
        return self.training(self.tiny, data.TINY)

    def w3(self) -> Step:
        return self.training(self.large, data.LARGE)

    def w4(self) -> Step:
        def fan(arguments):
            start, weight = arguments
            a, b = start, start * f32(0.5)
            for _ in range(data.FAN_OUT):
                a, b = b, b * weight - a
            return self.numpy.sum(b)

        gradient = self.autograd.grad(fan)
        return lambda: gradient((data.EIGHT, data.EIGHT_WEIGHTS))

    def w5(self) -> Step:
        numpy = self.numpy
        gradient = self.autograd.grad(lambda pair: numpy.sum(pair[0] * pair[1] + numpy.sin(pair[0])))
        return lambda: gradient((data.MILLION, data.MILLION_WEIGHTS))

    def w6(self) -> Step:
        first_order = self.autograd.grad(self.tiny)

        def penalised(parameters):
            norm = sum(self.numpy.sum(gradient * gradient) for gradient in first_order(parameters))
            return self.tiny(parameters) + norm * data.PENALTY

        gradient = self.autograd.grad(penalised)
        return lambda: gradient(data.TINY)

    def product(self, arguments):
        z, weight = arguments
        for _ in range(data.REPEATS):
            z = z * weight
        return self.numpy.sum(z)

    def w7f(self) -> Step:
        def step():
            took = 0.0

            def products(arguments):
                nonlocal took
                x, weight = arguments
                start = now()
                for _ in range(data.REPEATS):
                    x * weight
                took = now() - start
                return self.numpy.sum(x * weight)

            self.autograd.grad(products)((data.THREE, data.THREE_WEIGHTS))
            return Timed(took)

        return step

    def w7c(self) -> Step:
        gradient = self.autograd.grad(self.product)
        return lambda: gradient((data.THREE, data.THREE_ONES))

    def w7b(self) -> Step:
        make_vjp = importlib.import_module("autograd.core").make_vjp
        arguments = importlib.import_module("autograd.builtins").tuple((data.THREE, data.THREE_ONES))

        def step():
            backward, _ = make_vjp(self.product, arguments)
            start = now()
            backward(f32(1))
            return Timed(now() - start)

        return step
