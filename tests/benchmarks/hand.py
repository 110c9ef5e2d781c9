"""Every workload by hand in NumPy, derivatives included: what a careful person would write, and the measure of all."""

import numpy as np

from tests.benchmarks import data
from tests.benchmarks.clock import Step

f32 = np.float32


def w1() -> Step:
    weight, constant = f32(1.0001), f32(0.001)

    def step():
        x, kept = f32(1), []
        for _ in range(data.CHAIN // 2):
            kept.append(x)
            x = x * weight
            x = x + constant
        grad, grad_weight, grad_constant = f32(1), f32(0), f32(0)
        for x in reversed(kept):
            grad_constant = grad_constant + grad
            grad_weight = grad_weight + grad * x
            grad = grad * weight
        return grad, grad_weight, grad_constant

    return step


def softmax_loss(scores, target):
    """Return the mean cross-entropy, and its derivative by the scores."""
    exponentials = np.exp(scores)
    probabilities = exponentials / exponentials.sum(1, keepdims=True)
    scale = f32(1 / len(target))
    return -(np.log(probabilities) * target).sum() * scale, (probabilities - target) * scale


def w2() -> Step:
    w_in, b_in, w_out, b_out = (array.copy() for array in data.TINY)
    x, target = data.TINY_INPUT, data.TINY_TARGET

    def step():
        hidden = np.tanh(x @ w_in + b_in)
        loss, grad = softmax_loss(hidden @ w_out + b_out, target)
        grad_hidden = (grad @ w_out.T) * (1 - hidden * hidden)
        updates = (x.T @ grad_hidden, grad_hidden.sum(0), hidden.T @ grad, grad.sum(0))
        for parameter, update in zip((w_in, b_in, w_out, b_out), updates):
            parameter -= data.RATE * update
        return loss

    return step


def w3() -> Step:
    w_one, b_one, w_two, b_two, w_out, b_out = parameters = [array.copy() for array in data.LARGE]
    x, target = data.LARGE_INPUT, data.LARGE_TARGET

    def step():
        one = np.maximum(x @ w_one + b_one, 0)
        two = np.maximum(one @ w_two + b_two, 0)
        loss, grad = softmax_loss(two @ w_out + b_out, target)
        grad_two = (grad @ w_out.T) * (two > 0)
        grad_one = (grad_two @ w_two.T) * (one > 0)
        updates = (x.T @ grad_one, grad_one.sum(0), one.T @ grad_two, grad_two.sum(0), two.T @ grad, grad.sum(0))
        for parameter, update in zip(parameters, updates):
            parameter -= data.RATE * update
        return loss

    return step


def w4() -> Step:
    weight = data.EIGHT_WEIGHTS

    def step():
        a, b, kept = data.EIGHT, data.EIGHT * f32(0.5), []
        for _ in range(data.FAN_OUT):
            kept.append(b)
            a, b = b, b * weight - a
        grad_a, grad_b, grad_weight = np.zeros(8, f32), np.ones(8, f32), np.zeros(8, f32)
        for b in reversed(kept):
            grad_weight = grad_weight + grad_b * b
            grad_b, grad_a = grad_b * weight + grad_a, -grad_b
        return grad_a, grad_b, grad_weight

    return step


def w5() -> Step:
    x, weights = data.MILLION, data.MILLION_WEIGHTS

    def step():
        return (x * weights + np.sin(x)).sum(), weights + np.cos(x), x.copy()

    return step


def w6() -> Step:
    """Loss plus PENALTY · |gradient|²: its gradient is g + 2·PENALTY·H·g, with H·g by Pearlmutter's R-operator."""
    w_in, b_in, w_out, b_out = data.TINY
    x, target = data.TINY_INPUT, data.TINY_TARGET
    scale, twice = f32(1 / len(target)), 2 * data.PENALTY

    def step():
        hidden = np.tanh(x @ w_in + b_in)
        exponentials = np.exp(hidden @ w_out + b_out)
        chance = exponentials / exponentials.sum(1, keepdims=True)
        slope = 1 - hidden * hidden
        grad = (chance - target) * scale
        back = grad @ w_out.T
        grad_hidden = back * slope
        g_w_in, g_b_in, g_w_out, g_b_out = x.T @ grad_hidden, grad_hidden.sum(0), hidden.T @ grad, grad.sum(0)
        # R{·}: the change of each quantity when the parameters move along the gradient.
        r_hidden = slope * (x @ g_w_in + g_b_in)
        r_scores = r_hidden @ w_out + hidden @ g_w_out + g_b_out
        r_grad = chance * (r_scores - (chance * r_scores).sum(1, keepdims=True)) * scale
        r_back = (r_grad @ w_out.T + grad @ g_w_out.T) * slope + back * (-2 * hidden * r_hidden)
        return (
            g_w_in + twice * (x.T @ r_back),
            g_b_in + twice * r_back.sum(0),
            g_w_out + twice * (r_hidden.T @ grad + hidden.T @ r_grad),
            g_b_out + twice * r_grad.sum(0),
        )

    return step


def w7f() -> Step:
    x, weight, multiply = data.THREE, data.THREE_WEIGHTS, np.multiply

    def step():
        for _ in range(data.REPEATS):
            multiply(x, weight)

    return step


def w7c() -> Step:
    x, weight = data.THREE, data.THREE_ONES

    def step():
        z, kept = x, []
        for _ in range(data.REPEATS):
            kept.append(z)
            z = z * weight
        grad, grad_weight = np.ones(3, f32), np.zeros(3, f32)
        for z in reversed(kept):
            grad_weight = grad_weight + grad * z
            grad = grad * weight
        return grad, grad_weight

    return step


#: The backward alone is compared with the whole chain by hand: a hand-written backward has no forward to be kept from.
w7b = w7c
