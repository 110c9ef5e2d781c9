"""Random numbers, held to what torch 2.13.0 recorded in golden/random.json."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from autograd_lab.core import discrete, distributions, random
from autograd_lab.core.random import Generator

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "random.json").read_text(encoding="utf-8"))
SEEDS = (0, 42, -1)
SHAPE = (20,)


def weights(dtype):
    return np.arange(1, 6).astype(dtype)


CALLS = {
    "rand": distributions.rand,
    "randn": distributions.randn,
    "few randn": lambda _, d, g: distributions.randn((5,), d, g),
    "uniform": lambda s, d, g: distributions.uniform(s, d, -0.3, 1.1, g),
    "normal": lambda s, d, g: distributions.normal(s, d, 0.5, 2.0, g),
    "exponential": lambda s, d, g: distributions.exponential(s, d, 1.5, g),
    "cauchy": lambda s, d, g: distributions.cauchy(s, d, 0.5, 2.0, g),
    "log_normal": lambda s, d, g: distributions.log_normal(s, d, 0.5, 0.3, g),
    "multinomial": lambda _, d, g: discrete.multinomial(weights(d), 3, False, g),
    "multinomial again": lambda _, d, g: discrete.multinomial(weights(d), 20, True, g),
    "bernoulli_of": lambda _, d, g: discrete.bernoulli_of(np.tile(weights(d) / d.type(6), 4), generator=g),
    "random": discrete.integers,
    "bernoulli": lambda s, d, g: discrete.bernoulli(s, d, 0.3, g),
    "randint": lambda s, d, g: discrete.randint(0, 100, s, d, g),
    "randperm": lambda _, d, g: discrete.randperm(20, d, g),
    "geometric": lambda s, d, g: discrete.geometric(s, d, 0.3, g),
    "wide": lambda s, d, g: discrete.randint(-5, 2**40, s, d, g),
}


def same(found, expected):
    expected = np.array(expected, found.dtype)
    if found.dtype.kind == "f":
        # Last digits may differ: torch has a kernel for every kind of processor, and they differ among themselves.
        tolerance = 4 * np.finfo(found.dtype).eps
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=8 * tolerance)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", GOLDEN["draws"])
def test_recorded_draws(name):
    call, dtype = name.rsplit(" ", 1)
    for seed, expected in zip(SEEDS, GOLDEN["draws"][name], strict=True):
        found = CALLS[call](SHAPE, np.dtype(dtype), Generator().manual_seed(seed))
        assert found.dtype == (np.int64 if call.startswith("multinomial") else dtype)
        same(found, expected)


def test_calls_on_one_generator():
    """The words that a call draws, and the normal number that it leaves waiting, decide all later calls."""
    random.manual_seed(5)
    single = np.float32
    found = [
        distributions.rand((3,), single), distributions.randn((3,), single), discrete.randint(0, 10, (4,)),
        distributions.randn((2,), single), distributions.randn((17,), single), distributions.randn((1,), np.float64),
        discrete.randperm(5),
    ]  # fmt: skip
    for ours, theirs in zip(found, GOLDEN["run"], strict=True):
        same(ours, theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_state_is_laid_out_as_torch_lays_it(seed):
    generator = Generator().manual_seed(seed)
    initial, fresh, later = GOLDEN["states"][str(seed)]
    assert generator.initial_seed() == initial
    assert hashlib.sha256(generator.get_array().tobytes()).hexdigest() == fresh
    distributions.randn((3,), np.float32, generator)
    # The waiting normal number stands behind these bytes; its last digit may differ.
    assert hashlib.sha256(generator.get_array().tobytes()[:5016]).hexdigest() == later


def test_a_state_brings_everything_back():
    generator = Generator().manual_seed(3)
    distributions.randn((3,), np.float32, generator)
    state = generator.get_array()
    twins = [copy.copy(generator), pickle.loads(pickle.dumps(generator)), generator.clone_state()]
    expected = distributions.randn((4,), np.float32, generator)
    generator.set_array(state)
    for twin in (generator, *twins):
        np.testing.assert_array_equal(distributions.randn((4,), np.float32, twin), expected)
        assert twin.initial_seed() == 3


def test_seeding_forgets_the_waiting_normal_number():
    generator = Generator().manual_seed(3)
    first = distributions.randn((1,), np.float32, generator)
    np.testing.assert_array_equal(distributions.randn((1,), np.float32, generator.manual_seed(3)), first)


def test_seeds():
    generator = Generator()
    assert generator.initial_seed() == 67280421310721
    assert generator.manual_seed(-1) is generator
    assert generator.initial_seed() == 2**64 - 1
    assert generator.manual_seed(np.int64(7)).initial_seed() == 7
    assert generator.seed() == generator.initial_seed()
    with pytest.raises(ValueError, match=r"^Overflow when unpacking long long$"):
        generator.manual_seed(2**64)
    with pytest.raises(RuntimeError, match=r"^manual_seed expected a long, but got float$"):
        generator.manual_seed(1.5)
    with pytest.raises(NotImplementedError, match="the CPU is the one device"):
        Generator("cuda")
    assert str(Generator("cpu").device) == "cpu"
    assert random.manual_seed(1.5).initial_seed() == random.initial_seed() == 1
    random.set_rng_state(Generator().manual_seed(11).get_state())
    assert random.initial_seed() == 11
    assert str(random.get_rng_state().dtype) == "torch.uint8"
    assert random.seed() == random.initial_seed()


def test_broken_states():
    generator = Generator()
    with pytest.raises(TypeError, match=r"^expected a torch.ByteTensor, but got int$"):
        generator.set_state(3)
    with pytest.raises(TypeError, match=r"^RNG state must be a torch.ByteTensor$"):
        generator.set_array(np.zeros(5056))
    with pytest.raises(RuntimeError, match=r"of size 5056 but found the input RNG state size to be 3$"):
        generator.set_array(np.zeros(3, np.uint8))
    with pytest.raises(RuntimeError, match=r"^Invalid mt19937 state$"):
        generator.set_array(np.zeros(5056, np.uint8))


def test_nothing_drawn_moves_nothing():
    generator = Generator().manual_seed(1)
    before = generator.get_array()
    for call in (distributions.rand, distributions.randn, distributions.exponential, discrete.integers):
        assert call((0, 3), np.float32, generator=generator).shape == (0, 3)
    discrete.randperm(1, generator=generator)
    np.testing.assert_array_equal(generator.get_array(), before)


def test_a_0_dim_array_comes_from_an_empty_shape():
    assert distributions.randn((), np.float32, Generator().manual_seed(0)).shape == ()
    assert discrete.randint(0, 3, (), generator=Generator().manual_seed(0)).shape == ()


def test_a_float_that_cannot_count_warns():
    with pytest.warns(UserWarning, match=r"^to - 1 is out of bounds \[-\(2\^24\), 2\^24\]. Due to precision"):
        discrete.random_integers((3,), np.float32, 0, 2**30)
