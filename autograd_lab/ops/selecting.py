"""Which of several equal elements a choice by rank takes: selection and sorting, step by step as torch's kernels do.

kthvalue runs a quickselect of torch's own; topk, sort and mode use nth_element, partial_sort and sort of the C++
library. None of them keeps equal elements in order (sort from 17 elements on), so that the index which they return
follows from each swap. All functions work on a row of ranks (equal elements have equal ranks, NaN the highest) and
move a list of places along with it.

Sources: https://docs.pytorch.org/docs/stable/generated/torch.kthvalue.html, libstdc++'s stl_algo.h and stl_heap.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MOST = 4096         # elements that are walked through in Python; beyond, equal elements stay in order
SHORT = 16          # up to so many elements sort by insertion, which keeps equal ones in order


class Row:
    """A row of ranks, and the places where its elements stood."""

    def __init__(self, values: Any, descending: bool = False) -> None:
        _, ranks = np.unique(values, return_inverse=True)
        self.keys: list[int] = (-ranks if descending else ranks).tolist()
        self.places = list(range(len(self.keys)))

    def swap(self, a: int, b: int) -> None:
        """Exchange two elements."""
        keys, places = self.keys, self.places
        keys[a], keys[b] = keys[b], keys[a]
        places[a], places[b] = places[b], places[a]

    def take(self, at: int) -> tuple[int, int]:
        """Return an element."""
        return self.keys[at], self.places[at]

    def put(self, at: int, element: tuple[int, int]) -> None:
        """Set an element."""
        self.keys[at], self.places[at] = element


def quickselect(row: Row, rank: int) -> None:
    """Bring the element of a rank to its place: Hoare's quickselect with the median of three as pivot."""
    keys, left, right = row.keys, 0, len(row.keys) - 1
    while right > left:
        if right == left + 1:
            if keys[left] > keys[right]:
                row.swap(left, right)
            return
        row.swap(left + (right - left) // 2, left + 1)
        for a, b in ((left + 1, right), (left, right), (left + 1, left)):
            if keys[a] > keys[b]:
                row.swap(a, b)
        i, j, pivot = left + 1, right, keys[left]
        while True:
            i += 1
            while pivot > keys[i]:
                i += 1
            j -= 1
            while keys[j] > pivot:
                j -= 1
            if j < i:
                break
            row.swap(i, j)
        row.swap(left, j)
        left, right = i if j <= rank else left, j - 1 if j >= rank else right


def partition(row: Row, first: int, last: int) -> int:
    """Divide a stretch around the median of three of its elements, and return where the second part begins."""
    keys = row.keys
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    if keys[a] < keys[b]:
        middle = b if keys[b] < keys[c] else c if keys[a] < keys[c] else a
    else:
        middle = a if keys[a] < keys[c] else c if keys[b] < keys[c] else b
    row.swap(first, middle)
    pivot, low, high = keys[first], first + 1, last
    while True:
        while keys[low] < pivot:
            low += 1
        high -= 1
        while pivot < keys[high]:
            high -= 1
        if low >= high:
            return low
        row.swap(low, high)
        low += 1


def insertion_sort(row: Row, first: int, last: int, sorted_before: int | None = None) -> None:
    """Sort a stretch by insertion; what stands before `sorted_before` is in order already."""
    for at in range(first + 1 if sorted_before is None else sorted_before, last):
        element = row.take(at)
        here = first if element[0] < row.keys[first] else at
        if here == at:
            while element[0] < row.keys[here - 1]:
                here -= 1
        row.keys[here + 1 : at + 1], row.places[here + 1 : at + 1] = row.keys[here:at], row.places[here:at]
        row.put(here, element)


def nth_element(row: Row, nth: int) -> None:
    """Bring the element of a rank to its place, with no larger one before and no smaller one behind."""
    first, last = 0, len(row.keys)
    depth = 2 * (last.bit_length() - 1)
    while last - first > 3:
        if not depth:
            heap_select(row, first, nth + 1, last)
            row.swap(first, nth)
            return
        depth -= 1
        cut = partition(row, first, last)
        first, last = (cut, last) if cut <= nth else (first, cut)
    insertion_sort(row, first, last)


def sort(row: Row, last: int) -> None:
    """Sort the elements before `last`: quicksort of long stretches, then one insertion sort over everything."""
    def loop(first: int, last: int, depth: int) -> None:
        while last - first > SHORT:
            if not depth:
                partial_sort(row, first, last, last)
                return
            depth -= 1
            cut = partition(row, first, last)
            loop(cut, last, depth)
            last = cut

    if last > 0:
        loop(0, last, 2 * (last.bit_length() - 1))
        insertion_sort(row, 0, last)


# ------------------------------------------------------------------ with a heap
def partial_sort(row: Row, first: int, middle: int, last: int) -> None:
    """Bring the smallest elements in order to the front of a stretch."""
    heap_select(row, first, middle, last)
    for end in range(middle - 1, first, -1):
        pop(row, first, end, end)


def heap_select(row: Row, first: int, middle: int, last: int) -> None:
    """Gather the smallest elements at the front of a stretch, as a heap."""
    size = middle - first
    for parent in range((size - 2) // 2, -1, -1):
        sift(row, first, parent, size, row.take(first + parent))
    for at in range(middle, last):
        if row.keys[at] < row.keys[first]:
            pop(row, first, middle, at)


def pop(row: Row, first: int, last: int, to: int) -> None:
    """Exchange the top of a heap for an element outside it."""
    element = row.take(to)
    row.put(to, row.take(first))
    sift(row, first, 0, last - first, element)


def sift(row: Row, first: int, hole: int, size: int, element: tuple[int, int]) -> None:
    """Fill a hole of a heap from below, then let the element rise to its place."""
    top, child = hole, hole
    while child < (size - 1) // 2:
        child = 2 * (child + 1)
        if row.keys[first + child] < row.keys[first + child - 1]:
            child -= 1
        row.put(first + hole, row.take(first + child))
        hole = child
    if size % 2 == 0 and child == (size - 2) // 2:
        child = 2 * (child + 1)
        row.put(first + hole, row.take(first + child - 1))
        hole = child - 1
    parent = (hole - 1) // 2
    while hole > top and row.keys[first + parent] < element[0]:
        row.put(first + hole, row.take(first + parent))
        hole, parent = parent, (parent - 1) // 2
    row.put(first + hole, element)


# ------------------------------------------------------------------ what the operations ask
def replaced(indices: np.ndarray, values: np.ndarray, axis: int, tied: Any, choose: Callable) -> np.ndarray:
    """Return indices along an axis, chosen anew in the rows that hold equal elements where that matters.

    Args:
        indices: what a stable sort chooses; `tied`: for each row, whether equal elements make it doubtful.
        choose: gets the row of values and returns its indices.
    """
    if not tied.any() or values.shape[axis] * int(tied.sum()) > MOST:
        return indices
    made, rows = np.moveaxis(indices.copy(), axis, -1), np.moveaxis(values, axis, -1)
    for place in zip(*np.nonzero(np.atleast_1d(tied)), strict=True):
        place = place if tied.ndim else ()
        made[place] = choose(rows[place])
    return np.moveaxis(made, -1, axis)


def same(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Say which elements equal a chosen one; NaN equals NaN."""
    return (values == chosen) | ((values != values) & (chosen != chosen))


def kth(values: np.ndarray, indices: np.ndarray, axis: int, rank: int) -> np.ndarray:
    """Return the indices of the elements of a rank along an axis, which keeps size 1."""
    def choose(one: Any) -> int:
        row = Row(one)
        quickselect(row, rank)
        return row.places[rank]

    tied = same(values, np.take_along_axis(values, indices, axis)).sum(axis) > 1
    return replaced(indices, values, axis, tied, choose)


def largest(values: np.ndarray, indices: np.ndarray, axis: int, descending: bool, ordered: bool) -> np.ndarray:
    """Return the indices of the `k` largest (or smallest) elements along an axis."""
    count = indices.shape[axis]

    def choose(one: Any) -> list[int]:
        row = Row(one, descending)
        if count * 64 <= len(one):
            partial_sort(row, 0, count, len(one))
        else:
            nth_element(row, count - 1)
            if ordered:
                sort(row, count - 1)
        return row.places[:count]

    if not count:
        return indices
    chosen = np.take_along_axis(values, indices, axis)
    last = same(values, np.take(chosen, [count - 1], axis)).sum(axis) > 1
    equal = same(np.take(chosen, range(count - 1), axis), np.take(chosen, range(1, count), axis)).any(axis)
    tied = np.asarray(last | equal if ordered else np.ones_like(last))
    return replaced(indices, values, axis, tied, choose)


def in_order(values: np.ndarray, indices: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """Return the indices that sort along an axis, from those of a stable sort."""
    if values.shape[axis] <= SHORT:
        return indices

    def choose(one: Any) -> list[int]:
        return sorted_places(one, descending)

    chosen = np.moveaxis(np.take_along_axis(values, indices, axis), axis, -1)
    return replaced(indices, values, axis, same(chosen[..., :-1], chosen[..., 1:]).any(-1), choose)


def sorted_places(values: Any, descending: bool = False) -> list[int]:
    """Return the indices that sort a row."""
    row = Row(values, descending)
    sort(row, len(row.keys))
    return row.places
