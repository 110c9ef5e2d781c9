"""The random generator: torch's stream of words for a seed, and the state that can be taken and put back.

The words come from NumPy's MT19937, which torch's generator equals when it is seeded with the seed's low 32 bits.
How words become numbers of a distribution is written in `distributions`.
"""

from __future__ import annotations

import operator
import os
import struct
import threading
from typing import Any

import numpy as np

__all__ = [
    "Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state",
]  # fmt: skip

_LOW = 0xFFFF_FFFF
_HALF = np.uint64(32)
_WORDS = 624
# torch's state: seed, words left, seeded, next word; 624 words of 64 bits; x, y (the waiting normal number), rho and
# whether y is waiting; a float twin of it that only other devices fill.
_HEAD, _TAIL = struct.Struct("<QiiQ"), struct.Struct("<dddi4xf?3x")
_STATE_BYTES = _HEAD.size + 8 * _WORDS + _TAIL.size


class Generator:
    """Produce the pseudo-random words of torch's CPU generator.

    A new generator starts from torch's fixed default seed. Raises NotImplementedError for a device other than the CPU.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.Generator.html

    >>> Generator().manual_seed(0).words(2).tolist()
    [2357136044, 2546248239]
    """

    def __init__(self, device: Any = "cpu") -> None:
        if str(device).split(":")[0] != "cpu":
            raise NotImplementedError(f"torch.Generator(device='{device}') is not available: the CPU is the one device")
        self._words: Any = None
        # Held while words are drawn that belong together, so that threads may share a generator.
        self.lock = threading.RLock()
        # Box-Muller makes two normal numbers at a time; the second waits here for the next call.
        self.waiting_normal: float | None = None
        self._start(67280421310721)

    def _start(self, seed: int) -> None:
        with self.lock:
            self._seed = seed
            self._words = None
            self.waiting_normal = None

    @property
    def _bits(self) -> Any:
        # Made when first needed: importing numpy.random costs more than importing the rest of the lab's core.
        if self._words is None:
            words = np.random.MT19937()
            np.random.RandomState(words).seed(self._seed & _LOW)
            self._words = words
        return self._words

    @property
    def device(self) -> Any:
        """The CPU."""
        from autograd_lab.core.tensor import device  # here: NumPy is all that drawing needs

        return device("cpu")

    def manual_seed(self, seed: int) -> Generator:
        """Restart from this seed, forget a waiting normal number, and return the generator.

        Negative seeds count from 2**64. Raises RuntimeError unless `seed` is an integer, ValueError beyond 64 bits.
        """
        if isinstance(seed, bool) or not hasattr(seed, "__index__"):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        number = operator.index(seed)
        if not -(2**63) <= number < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._start(number % 2**64)
        return self

    def seed(self) -> int:
        """Restart from a seed that the operating system draws, and return it."""
        self._start(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """Return the seed from which the generator started."""
        return self._seed

    def words(self, count: int) -> np.ndarray:
        """Draw `count` words of 32 bits, as uint64."""
        with self.lock:
            return self._bits.random_raw(count)

    def double_words(self, count: int) -> np.ndarray:
        """Draw `count` words of 64 bits, the high half first."""
        words = self.words(2 * count)
        high = words[0::2] << _HALF
        high |= words[1::2]
        return high

    def get_state(self) -> Any:
        """Return the state as torch lays it out: a uint8 tensor of 5,056 elements."""
        from autograd_lab.core.tensor import fresh

        return fresh(self.get_array())

    def get_array(self) -> np.ndarray:
        """Return the state as a uint8 array."""
        with self.lock:
            key, position = self._key()
            waits, waiting = self.waiting_normal is not None, self.waiting_normal or 0.0
        # After seeding torch stands before the first word of the seed's table, and says "1 left, next is 0".
        fresh = position == _WORDS and int(key[0]) == self._seed & _LOW
        left, following = (1, 0) if fresh else (_WORDS + 1 - position, position)
        head = _HEAD.pack(self._seed, left, 1, following)
        tail = _TAIL.pack(0.0, waiting, 0.0, waits, 0.0, False)
        return np.frombuffer(bytearray(head + key.astype("<u8").tobytes() + tail), np.uint8)

    def set_state(self, new_state: Any) -> None:
        """Continue from a state that `get_state`, of the lab or of torch, gave.

        Raises TypeError unless it is a uint8 tensor, RuntimeError for a wrong length or a broken state.
        """
        from autograd_lab.core.tensor import Tensor

        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        self.set_array(np.asarray(new_state._array))

    def set_array(self, new_state: np.ndarray) -> None:
        """Continue from a state that is an array; the errors are those of `set_state`."""
        if new_state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if new_state.size != _STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE_BYTES} "
                f"but found the input RNG state size to be {new_state.size}"
            )
        data = new_state.tobytes()
        seed, left, seeded, following = _HEAD.unpack_from(data)
        if not (seeded and 0 < left <= _WORDS and following <= _WORDS):
            raise RuntimeError("Invalid mt19937 state")
        key = np.frombuffer(data, "<u8", _WORDS, _HEAD.size).astype(np.uint32)
        _, waiting, _, waits, _, _ = _TAIL.unpack_from(data, len(data) - _TAIL.size)
        with self.lock:
            self._seed = seed
            self._bits.state = {
                "bit_generator": "MT19937",
                "state": {"key": key, "pos": _WORDS if left == 1 else following},
            }
            self.waiting_normal = waiting if waits else None

    def clone_state(self) -> Generator:
        """Return a new generator that stands where this one stands."""
        twin = Generator()
        twin.set_array(self.get_array())
        return twin

    def get_offset(self) -> int:
        """Raise RuntimeError: only generators of other devices have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset: int) -> None:
        """Raise RuntimeError: only generators of other devices have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_state, (self.get_array(),)

    def _key(self) -> tuple[np.ndarray, int]:
        state: Any = self._bits.state["state"]
        return state["key"], int(state["pos"])


# torch's class lives in torch._C; its plain repr shows that.
Generator.__module__ = f"{__name__.split('.', maxsplit=1)[0]}._C"


def _from_state(state: np.ndarray) -> Generator:
    generator = Generator()
    generator.set_array(state)
    return generator


# What every call draws from that is not given a generator. It starts anywhere: a program that wants the same numbers
# every time calls manual_seed.
default_generator = Generator()
default_generator.seed()


def manual_seed(seed: Any) -> Generator:
    """Restart the default generator from `int(seed)` and return it.

    Raises ValueError for what is not a number or exceeds 64 bits.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.manual_seed.html
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Restart the default generator from a seed that the operating system draws, and return the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed from which the default generator started."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """Return the state of the default generator as a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Put the default generator into a state that `get_rng_state` gave."""
    default_generator.set_state(new_state)
