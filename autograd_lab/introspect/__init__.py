"""Look into a graph without touching it: snapshots, recorded backward runs, layout, export. Plain data, no pictures."""

from autograd_lab.introspect.export import to_networkx
from autograd_lab.introspect.forecast import forecast
from autograd_lab.introspect.model import (
    ArrayDigest,
    BackwardTrace,
    EdgeInfo,
    GraphSnapshot,
    NodeInfo,
    SavedInfo,
    Step,
    StorageInfo,
)
from autograd_lab.introspect.problems import NoGraph, NotATensor, TooLarge, UnknownKeyword
from autograd_lab.introspect.recorder import record
from autograd_lab.introspect.walk import snapshot

__all__ = [
    "ArrayDigest",
    "BackwardTrace",
    "EdgeInfo",
    "GraphSnapshot",
    "NoGraph",
    "NodeInfo",
    "NotATensor",
    "SavedInfo",
    "Step",
    "StorageInfo",
    "TooLarge",
    "UnknownKeyword",
    "forecast",
    "record",
    "snapshot",
    "to_networkx",
]
