"""The DataLoader: a data set, gone through in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from autograd_lab.utils.data.collate import default_collate
from autograd_lab.utils.data.dataset import IterableDataset
from autograd_lab.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed


class DataLoader:
    """Go through a data set in batches, as often as wanted.

    Args:
        dataset: with `__getitem__` and `__len__`, or an IterableDataset.
        batch_size: samples in a batch; None gives single samples.
        shuffle: in random order, another each time.
        sampler, batch_sampler: the order, or order and batches, given from outside.
        num_workers: accepted; the lab loads in one process, which gives the same batches.
        collate_fn: how samples become a batch.
        drop_last: leave out a last batch that is not full.
        generator: where the random order comes from.

    Raises ValueError for arguments that exclude each other.
    Source: https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.DataLoader

    >>> [batch.tolist() for batch in DataLoader([1, 2, 3, 4, 5], batch_size=2)]
    [[1, 2], [3, 4], [5]]
    """

    def __init__(self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
                 batch_sampler: Any = None, num_workers: int = 0, collate_fn: Callable | None = None,
                 pin_memory: bool = False, drop_last: bool = False, timeout: float = 0,
                 worker_init_fn: Callable | None = None, multiprocessing_context: Any = None, generator: Any = None, *,
                 prefetch_factor: int | None = None, persistent_workers: bool = False, pin_memory_device: str = "",
                 in_order: bool = True) -> None:  # fmt: skip
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        iterable = isinstance(dataset, IterableDataset)
        if iterable:
            _check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None and not iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            numbers: Any = _Endless() if iterable else sampler
            batch_sampler = BatchSampler(numbers, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.collate_fn = collate_fn or (default_collate if batch_sampler is not None else lambda sample: sample)

    def __iter__(self) -> Iterator:
        # torch draws a seed for its workers here, even without any; the numbers after it must be the same.
        draw_seed(self.generator)
        return self._batches()

    def _batches(self) -> Iterator:
        if isinstance(self.dataset, IterableDataset):
            yield from self._from_iterable()
        elif self.batch_sampler is None:
            for number in self.sampler:
                yield self.collate_fn(self.dataset[number])
        else:
            together = getattr(self.dataset, "__getitems__", None)
            for numbers in self.batch_sampler:
                samples = together(numbers) if together else [self.dataset[number] for number in numbers]
                yield self.collate_fn(samples)

    def _from_iterable(self) -> Iterator:
        samples = iter(self.dataset)
        if self.batch_size is None:
            yield from map(self.collate_fn, samples)
            return
        while batch := list(islice(samples, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            size: int = len(self.dataset)  # type: ignore[arg-type]
            if self.batch_size is None:
                return size
            return size // self.batch_size if self.drop_last else -(-size // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


class _Endless:
    """The sampler of a data set that has no numbers."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


def _check_iterable(shuffle: bool | None, sampler: Iterable | None, batch_sampler: Iterable | None) -> None:
    start = "DataLoader with IterableDataset: expected unspecified"
    if shuffle not in (False, None):
        raise ValueError(f"{start} shuffle option, but got shuffle={shuffle}")
    if sampler is not None:
        raise ValueError(f"{start} sampler option, but got sampler={sampler}")
    if batch_sampler is not None:
        raise ValueError(f"{start} batch_sampler option, but got batch_sampler={batch_sampler}")
