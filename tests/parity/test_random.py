"""Random numbers of the lab and of live torch, call after call on the same generator."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lab.core import discrete, distributions, random
from tests.support import require_torch

torch = require_torch()

FLOATS = ("float32", "float64", "float16")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")


def shape_of(rng):
    return tuple(int(length) for length in rng.choice([0, 1, 2, 3, 4, 5, 7, 16, 17, 37], rng.integers(0, 3)))


def fill(method, *arguments):
    """Return torch's function that fills a new tensor in place."""
    return lambda shape, dtype, generator: getattr(torch.empty(shape, dtype=dtype), method)(
        *arguments, generator=generator
    )


def real(rng):
    """Return a call for real numbers: torch's, the lab's, dtype."""
    low, width, std = float(rng.normal()), float(rng.exponential()), float(rng.exponential())
    calls = {
        "rand": (lambda s, d, g: torch.rand(s, dtype=d, generator=g), distributions.rand),
        "randn": (lambda s, d, g: torch.randn(s, dtype=d, generator=g), distributions.randn),
        "uniform": (fill("uniform_", low, low + width),
                    lambda s, d, g: distributions.uniform(s, d, low, low + width, g)),
        "normal": (fill("normal_", low, std), lambda s, d, g: distributions.normal(s, d, low, std, g)),
        "exponential": (fill("exponential_", std), lambda s, d, g: distributions.exponential(s, d, std, g)),
        "cauchy": (fill("cauchy_", low, std), lambda s, d, g: distributions.cauchy(s, d, low, std, g)),
        "log_normal": (fill("log_normal_", low, std), lambda s, d, g: distributions.log_normal(s, d, low, std, g)),
        "random_": (fill("random_"), discrete.integers),
    }  # fmt: skip
    name = str(rng.choice(list(calls)))
    return name, *calls[name], str(rng.choice(FLOATS))


def whole(rng):
    """Return a call for whole numbers."""
    low = int(rng.integers(-100, 100))
    far = low + int(rng.choice([1, 2, 7, 2**28 - 1, 2**28, 2**40]))
    p = float(rng.random())
    dtype = str(rng.choice(INTEGERS))
    small = dtype in {"int8", "uint8", "int16"}
    low, far = (abs(low) if small else low), (101 if small else far)
    if dtype == "int32":
        far = min(far, 2**31)
    calls = {
        "randint": (lambda s, d, g: torch.randint(low, far, s, dtype=d, generator=g),
                    lambda s, d, g: discrete.randint(low, far, s, d, g)),
        "from": (fill("random_", low, None), lambda s, d, g: discrete.random_integers(s, d, low, None, g)),
        "random_": (fill("random_"), discrete.integers),
        "geometric": (fill("geometric_", 0.2 + p / 2), lambda s, d, g: discrete.geometric(s, d, 0.2 + p / 2, g)),
        "bernoulli": (fill("bernoulli_", p), lambda s, d, g: discrete.bernoulli(s, d, p, g)),
        "randperm": (lambda s, d, g: torch.randperm(sum(s), dtype=d, generator=g),
                     lambda s, d, g: discrete.randperm(sum(s), d, g)),
    }  # fmt: skip
    name = str(rng.choice(list(calls)))
    return name, *calls[name], dtype


def choice(rng):
    """Return a call that chooses by weights or probabilities."""
    weights = rng.random((int(rng.integers(1, 4)), int(rng.integers(3, 30))))
    weights = weights[0] if rng.random() < 0.5 else weights
    count, replacement = int(rng.integers(1, 4)), bool(rng.random() < 0.5)
    means = rng.normal(size=int(rng.choice([1, 5, 16, 20])))

    def of(dtype):
        return weights.astype(str(dtype).removeprefix("torch."))

    calls = {
        "bernoulli": (lambda s, d, g: torch.bernoulli(torch.from_numpy(of(d)), generator=g),
                      lambda s, d, g: discrete.bernoulli_of(of(d), generator=g)),
        "multinomial": (lambda s, d, g: torch.multinomial(torch.from_numpy(of(d)), count, replacement, generator=g),
                        lambda s, d, g: discrete.multinomial(of(d), count, replacement, g)),
        "normal": (lambda s, d, g: torch.normal(torch.from_numpy(means), 1.5, generator=g),
                   lambda s, d, g: distributions.normal_of(means, 1.5, g)),
        "normal of std": (lambda s, d, g: torch.normal(0.5, torch.from_numpy(np.abs(means)), generator=g),
                          lambda s, d, g: distributions.normal_of(0.5, np.abs(means), g)),
        "normal of both": (lambda s, d, g: torch.normal(torch.from_numpy(means), torch.ones(1), generator=g),
                           lambda s, d, g: distributions.normal_of(means, np.ones(1, np.float32), g)),
    }  # fmt: skip
    name = str(rng.choice(list(calls)))
    return name, *calls[name], str(rng.choice(FLOATS))


def same(theirs, ours):
    assert str(theirs.dtype) == f"torch.{ours.dtype}"
    assert tuple(theirs.shape) == ours.shape
    if ours.dtype.kind == "f":
        # Last digits may differ: torch has a kernel for every kind of processor, and they differ among themselves.
        tolerance = 4 * np.finfo(ours.dtype).eps
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=tolerance, atol=8 * tolerance)
    else:
        np.testing.assert_array_equal(ours, theirs.numpy())


@pytest.mark.parametrize("seed", [0, 1, -1, 42, 2**32 + 5, 2**64 - 1, -(2**63), 7, 8, 9])
def test_interleaved_calls(seed):
    rng = np.random.default_rng(seed % 1000)
    theirs, ours = torch.Generator().manual_seed(seed), random.Generator().manual_seed(seed)
    assert theirs.initial_seed() == ours.initial_seed()
    for step in range(150):
        name, torch_call, lab_call, dtype = (real, whole, choice)[rng.integers(3)](rng)
        shape = shape_of(rng)
        expected = torch_call(shape, getattr(torch, dtype), theirs)
        found = lab_call(shape, np.dtype(dtype), ours)
        try:
            same(expected, found)
        except AssertionError as error:
            raise AssertionError(f"step {step}: {name}{shape} {dtype}") from error
        if step % 20 == 0:
            assert theirs.get_state().numpy().tobytes() == ours.get_array().tobytes()
    ours.set_array(theirs.get_state().numpy())
    same(torch.randn(3, generator=theirs), distributions.randn((3,), np.float32, ours))


NAMED = {
    "exponential": distributions.exponential,
    "cauchy": distributions.cauchy,
    "log_normal": distributions.log_normal,
    "bernoulli": discrete.bernoulli,
}


def of_64(dtype):
    """Return pairs of calls, torch's and the lab's, that draw 64 numbers of this dtype."""
    there = {"size": (64,), "dtype": getattr(torch, dtype)}
    if dtype in INTEGERS:
        return [
            (
                lambda g: torch.randint(0, 100, generator=g, **there),
                lambda g: discrete.randint(0, 100, (64,), dtype, g),
            ),
            (
                lambda g: torch.randperm(64, dtype=there["dtype"], generator=g),
                lambda g: discrete.randperm(64, dtype, g),
            ),
        ]
    pairs = [
        (lambda g: torch.rand(generator=g, **there), lambda g: distributions.rand((64,), dtype, g)),
        (lambda g: torch.randn(generator=g, **there), lambda g: distributions.randn((64,), dtype, g)),
    ]
    for name, lab_call in NAMED.items():
        pairs.append((
            lambda g, name=name: getattr(torch.empty(**there), f"{name}_")(generator=g),
            lambda g, lab_call=lab_call: lab_call((64,), dtype, generator=g),
        ))  # fmt: skip
    return pairs


@pytest.mark.parametrize("seed", [0, 1, 2, 42, 1234, 2**31, 2**40 + 1, -1, -12345, 2**64 - 2])
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_first_64_draws(seed, dtype):
    for torch_call, lab_call in of_64(dtype):
        same(torch_call(torch.Generator().manual_seed(seed)), lab_call(random.Generator().manual_seed(seed)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_long_fills(dtype):
    for count in (16, 31, 1000, 10007):
        theirs, ours = torch.Generator().manual_seed(count), random.Generator().manual_seed(count)
        expected = torch.empty(count, dtype=getattr(torch, dtype)).normal_(0.3, 2.5, generator=theirs)
        same(expected, distributions.normal((count,), dtype, 0.3, 2.5, ours))
        same(torch.rand(3, generator=theirs), distributions.rand((3,), np.float32, ours))


@pytest.mark.skipif(torch.backends.cpu.get_cpu_capability() != "AVX2", reason="torch has other kernels elsewhere")
def test_bulk_float32_is_equal_to_the_last_digit():
    theirs, ours = torch.Generator().manual_seed(7), random.Generator().manual_seed(7)
    for mean, std in ((0.0, 1.0), (0.3, 2.5)):
        expected = torch.empty(100_003).normal_(mean, std, generator=theirs).numpy()
        np.testing.assert_array_equal(distributions.normal((100_003,), np.float32, mean, std, ours), expected)


def test_a_transposed_tensor_is_filled_in_memory_order():
    for permutation in ((1, 0, 2), (2, 1, 0), (2, 0, 1)):
        theirs, ours = torch.Generator().manual_seed(3), random.Generator().manual_seed(3)
        tensor = torch.empty(3, 4, 5).permute(permutation)
        array = np.empty((3, 4, 5), np.float32).transpose(permutation)
        view = distributions.in_memory_order(array)
        for _ in range(2):
            view[...] = distributions.normal(view.shape, np.float32, generator=ours, contiguous=False)
            same(tensor.normal_(generator=theirs), array)
            view[...] = distributions.uniform(view.shape, np.float32, generator=ours)
            same(tensor.uniform_(generator=theirs), array)


def message_of(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)


EMPTY, LONGS = (3,), torch.int64
ERRORS = [
    (lambda: torch.rand(2, dtype=LONGS), lambda: distributions.rand((2,), "int64")),
    (lambda: torch.randn(2, dtype=LONGS), lambda: distributions.randn((2,), "int64")),
    (lambda: torch.empty(3).uniform_(2, 1), lambda: distributions.uniform((3,), "float32", 2, 1)),
    (lambda: torch.empty(3).uniform_(-3e38, 3e38), lambda: distributions.uniform((3,), "float32", -3e38, 3e38)),
    (lambda: torch.empty(3).uniform_(-1e39, 0), lambda: distributions.uniform((3,), "float32", -1e39, 0)),
    (lambda: torch.empty(3).normal_(0, -1), lambda: distributions.normal((3,), "float32", 0, -1)),
    (lambda: torch.normal(0.0, -torch.ones(2)), lambda: distributions.normal_of(0.0, -np.ones(2))),
    (lambda: torch.randint(3, 3, (2,)), lambda: discrete.randint(3, 3, (2,))),
    (lambda: torch.randint(0, 300, (2,), dtype=torch.uint8), lambda: discrete.randint(0, 300, (2,), "uint8")),
    (lambda: torch.randint(0, 3, (2,), dtype=torch.bool), lambda: discrete.randint(0, 3, (2,), "bool")),
    (lambda: torch.empty(3).random_(2**25, None), lambda: discrete.random_integers((3,), "float32", 2**25)),
    (lambda: torch.randperm(-1), lambda: discrete.randperm(-1)),
    (lambda: torch.randperm(300, dtype=torch.uint8), lambda: discrete.randperm(300, "uint8")),
    (lambda: torch.randperm(5000, dtype=torch.half), lambda: discrete.randperm(5000, "float16")),
    (lambda: torch.randperm(3, dtype=torch.bool), lambda: discrete.randperm(3, "bool")),
    (lambda: torch.empty(3).bernoulli_(2), lambda: discrete.bernoulli((3,), "float32", 2)),
    (lambda: torch.bernoulli(torch.tensor([2.0])), lambda: discrete.bernoulli_of(np.array([2.0]))),
    (lambda: torch.bernoulli(torch.tensor([1])), lambda: discrete.bernoulli_of(np.array([1]))),
    (lambda: torch.empty(3).exponential_(0), lambda: distributions.exponential((3,), "float32", 0)),
    (lambda: torch.empty(3, dtype=LONGS).exponential_(), lambda: distributions.exponential((3,), "int64")),
    (lambda: torch.empty(3).cauchy_(0, -1), lambda: distributions.cauchy((3,), "float32", 0, -1)),
    (lambda: torch.empty(3, dtype=LONGS).cauchy_(), lambda: distributions.cauchy((3,), "int64")),
    (lambda: torch.empty(3).log_normal_(0, 0), lambda: distributions.log_normal((3,), "float32", 0, 0)),
    (lambda: torch.empty(3).geometric_(1), lambda: discrete.geometric((3,), "float32", 1)),
    (lambda: torch.multinomial(torch.ones(3), 4), lambda: discrete.multinomial(np.ones(3), 4)),
    (lambda: torch.multinomial(torch.ones(3), 0), lambda: discrete.multinomial(np.ones(3), 0)),
    (lambda: torch.multinomial(torch.zeros(3), 1), lambda: discrete.multinomial(np.zeros(3), 1)),
    (lambda: torch.multinomial(torch.zeros(3), 2, True), lambda: discrete.multinomial(np.zeros(3), 2, True)),
    (lambda: torch.multinomial(-torch.ones(3), 2, True), lambda: discrete.multinomial(-np.ones(3), 2, True)),
    (lambda: torch.multinomial(-torch.ones(3), 2), lambda: discrete.multinomial(-np.ones(3), 2)),
    (lambda: torch.multinomial(torch.tensor([1, 2]), 1), lambda: discrete.multinomial(np.array([1, 2]), 1)),
    (lambda: torch.multinomial(torch.tensor(1.0), 1), lambda: discrete.multinomial(np.array(1.0), 1)),
    (lambda: torch.Generator().manual_seed(1.5), lambda: random.Generator().manual_seed(1.5)),
    (lambda: torch.Generator().manual_seed(2**64), lambda: random.Generator().manual_seed(2**64)),
    (lambda: torch.manual_seed("a"), lambda: random.manual_seed("a")),
    (lambda: torch.Generator().get_offset(), lambda: random.Generator().get_offset()),
    (lambda: torch.Generator().set_state(torch.zeros(3)), lambda: random.Generator().set_array(np.zeros(3))),
    (lambda: torch.Generator().set_state(torch.zeros(3, dtype=torch.uint8)),
     lambda: random.Generator().set_array(np.zeros(3, np.uint8))),
    (lambda: torch.Generator().set_state(torch.zeros(5056, dtype=torch.uint8)),
     lambda: random.Generator().set_array(np.zeros(5056, np.uint8))),
]  # fmt: skip


@pytest.mark.parametrize("pair", range(len(ERRORS)))
def test_errors(pair):
    theirs, ours = ERRORS[pair]
    assert message_of(ours) == message_of(theirs)


@pytest.mark.filterwarnings("ignore")
def test_integers_in_a_float_that_cannot_count_so_far():
    for dtype, low, high in (
        ("float32", 0, 2**60),
        ("float16", 0, 5000),
        ("float16", -5000, 60000),
        ("float64", -(2**62), 2**62),
    ):
        theirs, ours = torch.Generator().manual_seed(3), random.Generator().manual_seed(3)
        expected = torch.empty(50, dtype=getattr(torch, dtype)).random_(low, high, generator=theirs)
        same(expected, discrete.random_integers((50,), dtype, low, high, ours))
