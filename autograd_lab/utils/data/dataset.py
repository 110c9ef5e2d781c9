"""Data sets: things with a length whose elements have numbers, and how to split or join them."""

from __future__ import annotations

import bisect
import math
import warnings
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from autograd_lab.core.op import functions

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """A data set: subclasses define `__getitem__`, and `__len__` if its size is known."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """A data set that is only gone through: subclasses define `__iter__`."""


class TensorDataset(Dataset):
    """Samples that are rows of tensors; raise AssertionError if the tensors have different numbers of rows."""

    def __init__(self, *tensors: Any) -> None:
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class Subset(Dataset):
    """Some elements of a data set, by their numbers."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[position] for position in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list:
        numbers = [self.indices[position] for position in indices]
        together = getattr(self.dataset, "__getitems__", None)
        return together(numbers) if callable(together) else [self.dataset[number] for number in numbers]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """Several data sets, one after the other."""

    def __init__(self, datasets: Iterable) -> None:
        self.datasets: list[Any] = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        number = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[number][idx - (self.cumulative_sizes[number - 1] if number else 0)]


def random_split(dataset: Any, lengths: Sequence[Any], generator: Any = None) -> list[Subset]:
    """Split a data set at random.

    Args:
        dataset: what to split.
        lengths: the sizes of the parts, or their fractions of the whole, which add up to 1.
        generator: where the random numbers come from.

    Raises ValueError for sizes that do not add up.
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _from_fractions(len(dataset), lengths)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = functions["randperm"](sum(lengths), generator=generator).tolist()
    return [Subset(dataset, order[end - size:end]) for end, size in zip(accumulate(lengths), lengths, strict=True)]


def _from_fractions(size: int, fractions: Sequence[float]) -> list[int]:
    """Return whole sizes; what rounding leaves over goes to the first parts, one each."""
    for position, fraction in enumerate(fractions):
        if fraction < 0 or fraction > 1:
            raise ValueError(f"Fraction at index {position} is not between 0 and 1")
    sizes = [math.floor(size * fraction) for fraction in fractions]
    for position in range(size - sum(sizes)):
        sizes[position % len(sizes)] += 1
    for position, part in enumerate(sizes):
        if part == 0:
            warnings.warn(f"Length of split at index {position} is 0. This might result in an empty dataset.",
                          stacklevel=3)  # fmt: skip
    return sizes
