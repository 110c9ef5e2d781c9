"""Digests say the useful thing, and never carry a large array along."""

import numpy as np
import pytest

from autograd_lab.introspect.digest import digest, size_text


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.float32(1 / 3), "0.3333"), (np.array(2), "2"), (np.array([True, False]), "[True, False]"),
        (np.full(3, 1 / 3), "all 0.3333"), (np.array([0.2925, 0.1801, -0.1387]), "[0.2925, 0.1801, -0.1387]"),
        (np.arange(4.0), "(4,), norm 3.742"), (np.zeros((0, 3)), "(0, 3), empty"), (np.array([np.nan]), "[nan]"),
        (np.array([1.0, 2, 3, np.inf]), "(4,), 1 not finite"), (np.ones((64, 64)), "all 1"), (np.array([5.0]), "[5]"),
    ],
)  # fmt: skip
def test_text(array, text):
    assert digest(array).text == text


def test_corners_and_statistics_of_a_large_array():
    array = np.arange(100.0, dtype=np.float32).reshape(10, 10)
    found = digest(array)
    assert not found.complete
    assert found.rows[0] == ("0", "1", "…", "8", "9")
    assert len(found.rows) == 5
    assert (found.low, found.high, found.mean) == (0, 99, 49.5)
    assert found.norm == pytest.approx(np.linalg.norm(array), rel=1e-5)


def test_the_first_nan_is_found():
    array = np.ones((8, 8))
    array[2, 5] = np.nan
    found = digest(array)
    assert (found.bad, found.first_bad, found.norm) == (1, (2, 5), None)


def test_ten_million_elements_stay_in_python():
    found = digest(np.zeros(10_000_000, np.float32))
    assert found.nbytes == 40_000_000
    assert sum(len(word) for row in found.rows for word in row) < 50


@pytest.mark.parametrize(("size", "text"), [(48, "48 B"), (122880, "120 KiB"), (1536, "1.5 KiB"), (5 << 30, "5.0 GiB")])
def test_sizes(size, text):
    assert size_text(size) == text
