"""Look into a graph without touching it: snapshots, recorded backward runs, layout, export. Plain data, no pictures."""

from autograd_lab.introspect.export import to_networkx as to_networkx
from autograd_lab.introspect.model import (
    ArrayDigest as ArrayDigest,
    BackwardTrace as BackwardTrace,
    EdgeInfo as EdgeInfo,
    GraphSnapshot as GraphSnapshot,
    NodeInfo as NodeInfo,
    SavedInfo as SavedInfo,
    Step as Step,
    StorageInfo as StorageInfo,
)
from autograd_lab.introspect.problems import NoGraph as NoGraph, NotATensor as NotATensor, UnknownKeyword as UnknownKeyword
from autograd_lab.introspect.recorder import record as record
from autograd_lab.introspect.walk import snapshot as snapshot

__all__ = [
    "ArrayDigest", "BackwardTrace", "EdgeInfo", "GraphSnapshot", "NoGraph", "NodeInfo", "NotATensor", "SavedInfo",
    "Step", "StorageInfo", "UnknownKeyword", "record", "snapshot", "to_networkx",
]
