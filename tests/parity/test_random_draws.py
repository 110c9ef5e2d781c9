"""What users draw: the first 64 numbers of every random function and dtype for ten seeds, on the lab and on torch."""

from __future__ import annotations

import copy
import importlib
import pickle
from threading import Thread

import numpy as np
import pytest

import autograd_lab
from tests.support import require_torch

torch = require_torch()
SEEDS = (0, 1, 2, 42, 1234, 2**31, 2**40 + 1, -1, -12345, 2**64 - 2)
FLOATS = ("float16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
EVERY = (*FLOATS, *INTEGERS, "bool")
# `t` is the dtype, `g` the keyword for a generator (or nothing), `e` 64 zeros of the dtype, `p` 64 probabilities.
CALLS = {
    FLOATS: (
        "torch.rand(64, dtype=t{g})", "torch.rand(8, 8, dtype=t{g})", "torch.rand(size=(64,), dtype=t{g})",
        "torch.randn(64, dtype=t{g})", "torch.randn((5, 3), dtype=t{g})", "torch.rand(64, out=e{g})",
        "torch.randn(64, out=e{g})", "torch.normal(0.5, 2.0, (64,), dtype=t{g})", "torch.normal(mean=e, std=p{g})",
        "torch.normal(e, 1.5{g})", "torch.normal(0.5, p{g})", "torch.bernoulli(p{g})", "torch.bernoulli(p, 0.3{g})",
        "p.bernoulli({g0})", "torch.multinomial(p, 12{g})", "torch.multinomial(p, 64, replacement=True{g})",
        "torch.multinomial(p.reshape(4, 16), num_samples=16, replacement=True{g})", "p.multinomial(1{g})",
        "e.normal_({g0})", "e.normal_(1.0, 0.25{g})", "e.normal_(mean=1, std=2{g})", "e.uniform_({g0})",
        "e.uniform_(-1, 3{g})", "e.exponential_({g0})", "e.exponential_(lambd=1.5{g})", "e.log_normal_({g0})",
        "e.cauchy_(0.5, 2{g})", "e.geometric_(0.3{g})", "e.bernoulli_(p{g})", "e.reshape(8, 8).t().normal_({g0})",
        "e.reshape(8, 8).t().uniform_({g0})", "e.reshape(8, 8).t().bernoulli_(0.4{g})", "e[::2].normal_({g0})",
        "e[::2].exponential_({g0})", "F.dropout(e + 1, 0.4)", "F.dropout(p, p=0.2, training=True)",
        "torch.rand_like(e.reshape(8, 8).t())", "torch.randn_like(e.reshape(8, 8).t())",
        "torch.rand_like(e)", "torch.randn_like(e)", "torch.randn_like(e, dtype=torch.float64)",
    ),
    INTEGERS: (
        "torch.randint(100, (64,), dtype=t{g})", "torch.randint(3, 100, (8, 8), dtype=t{g})", "e.geometric_(0.3{g})",
        "torch.randperm(64, dtype=t{g})", "torch.randint(low=1, high=7, size=(64,), dtype=t{g})",
    ),
    (*FLOATS, *INTEGERS): (
        "torch.randint_like(e, 100)", "torch.randint_like(e, 3, 90)", "torch.randint_like(e, low=3, high=9)",
        "e.random_(100{g})", "e.random_(3, 90{g})", "torch.randint(0, 9, (64,), out=e{g})",
    ),
    EVERY: ("e.random_({g0})", "e.bernoulli_({g0})", "e.bernoulli_(0.3{g})", "e.bernoulli_(p=0.9{g})"),
    ("int64",): (
        "torch.randint(10, (64,){g})", "torch.randint(-(2**40), 2**40, (64,){g})", "torch.randperm(64{g})",
        "torch.randint(0, 2**28, (64,){g})", "e.random_(-(2**63), None{g})", "torch.rand(64{g})", "torch.randn(64{g})",
        "torch.normal(0.0, 1.0, size=(64,){g})",
    ),
}  # fmt: skip
SAMPLES = [(name, call) for names, calls in CALLS.items() for name in names for call in calls]


def drawn(library, name, call, seed, with_generator):
    """Return what a call gives, or its error, and the next number of the same stream."""
    kind = getattr(library, name)
    library.manual_seed(seed)
    generator = library.Generator().manual_seed(seed) if with_generator else None
    more = ", generator=generator" if with_generator else ""
    text = call.replace("{g}", more).replace("{g0}", more[2:])
    p = library.tensor([(k * 37 % 64 + 1) / 70 for k in range(64)])
    space = {"torch": library, "t": kind, "generator": generator, "e": library.zeros(64, dtype=kind),
             "F": importlib.import_module(f"{library.__name__}.nn.functional"),
             "p": p.to(kind) if kind.is_floating_point else p}  # fmt: skip
    try:
        result = eval(text, space)
    except (RuntimeError, NotImplementedError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    after = library.rand(1, generator=generator).item() if with_generator else library.rand(1).item()
    return result, after


def compare(name, call, seed, with_generator):
    """Hold one call against torch: dtype, shape, strides, all numbers, and where the stream stands afterwards."""
    expected, found = (drawn(one, name, call, seed, with_generator) for one in (torch, autograd_lab))
    where = f"{call} {name} seed {seed}"
    if isinstance(expected, str) or isinstance(found, str):
        assert expected == found, where
        return
    theirs, ours = expected[0], found[0]
    assert str(ours.dtype) == str(theirs.dtype), where
    assert (tuple(ours.shape), ours.stride()) == (tuple(theirs.shape), theirs.stride()), where
    if theirs.is_floating_point():
        tolerance = 4 * torch.finfo(theirs.dtype).eps
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=tolerance, atol=8 * tolerance, err_msg=where)
    else:
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy(), err_msg=where)
    assert found[1] == expected[1], f"{where}: another number of words was drawn"


@pytest.mark.parametrize(("name", "call"), SAMPLES, ids=[f"{name}-{call}" for name, call in SAMPLES])
def test_first_64_draws(name, call):
    for seed in SEEDS:
        for with_generator in (False, True) if "{g" in call else (False,):
            compare(name, call, seed, with_generator)


def test_the_state_is_torchs_and_goes_round():
    for seed in SEEDS:
        for library in (torch, autograd_lab):
            library.manual_seed(seed)
            library.randn(3)
        ours, theirs = autograd_lab.get_rng_state(), torch.get_rng_state()
        assert ours.tolist() == theirs.tolist()
        first = autograd_lab.randn(20), autograd_lab.rand(3), autograd_lab.randperm(9)
        autograd_lab.set_rng_state(ours)
        second = autograd_lab.randn(20), autograd_lab.rand(3), autograd_lab.randperm(9)
        assert all(autograd_lab.equal(a, b) for a, b in zip(first, second, strict=True))
        autograd_lab.set_rng_state(autograd_lab.from_numpy(theirs.numpy()))
        assert autograd_lab.randn(20).tolist() == pytest.approx(torch.randn(20).tolist(), rel=1e-6)


@pytest.mark.parametrize("library", [torch, autograd_lab], ids=["torch", "lab"])
def test_a_generator_is_an_object_of_its_own(library):
    generator = library.Generator().manual_seed(3)
    assert generator.initial_seed() == 3
    assert str(generator.device) == "cpu"
    library.randn(3, generator=generator)
    state = generator.get_state()
    assert state.dtype is library.uint8
    assert state.shape == (5056,)
    unpickled = pickle.loads(pickle.dumps(generator))
    twins = [library.Generator(), generator.clone_state(), copy.deepcopy(generator), unpickled]
    twins[0].set_state(state)
    expected = library.randn(5, generator=generator).tolist()
    assert [library.randn(5, generator=one).tolist() for one in twins] == [expected] * 4
    before = library.get_rng_state()
    library.rand(3, generator=generator)
    assert library.equal(before, library.get_rng_state())
    assert isinstance(library.default_generator, library.Generator)
    assert library.random.get_rng_state().tolist() == before.tolist()
    with library.random.fork_rng():
        library.rand(5)
    assert library.equal(before, library.get_rng_state())


def test_threads_share_a_generator_without_losing_a_number():
    library = autograd_lab
    expected = {round(one, 9) for one in library.rand(4000, generator=library.Generator().manual_seed(5)).tolist()}
    generator, found = library.Generator().manual_seed(5), []

    def draw():
        for _ in range(100):
            found.extend(library.rand(10, generator=generator).tolist())

    threads = [Thread(target=draw) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 4000
    assert {round(one, 9) for one in found} == expected

    # Pairs of normal numbers: whoever comes first, each waiting number is taken once.
    generator, found = library.Generator().manual_seed(5), []

    def draw_normal():
        for _ in range(300):
            found.append(library.randn(1, dtype=library.float64, generator=generator).item())

    threads = [Thread(target=draw_normal) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    alone, expected = library.Generator().manual_seed(5), []
    for _ in range(1200):
        expected.append(library.randn(1, dtype=library.float64, generator=alone).item())
    assert sorted(found) == sorted(expected)
