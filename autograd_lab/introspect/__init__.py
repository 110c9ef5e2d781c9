"""Look into a graph without touching it: snapshots, recorded backward runs, layout, export. Plain data, no pictures."""

from autograd_lab.introspect.export import to_networkx as to_networkx
from autograd_lab.introspect.model import (
    ArrayDigest as ArrayDigest,
)
from autograd_lab.introspect.model import (
    BackwardTrace as BackwardTrace,
)
from autograd_lab.introspect.model import (
    EdgeInfo as EdgeInfo,
)
from autograd_lab.introspect.model import (
    GraphSnapshot as GraphSnapshot,
)
from autograd_lab.introspect.model import (
    NodeInfo as NodeInfo,
)
from autograd_lab.introspect.model import (
    SavedInfo as SavedInfo,
)
from autograd_lab.introspect.model import (
    Step as Step,
)
from autograd_lab.introspect.model import (
    StorageInfo as StorageInfo,
)
from autograd_lab.introspect.problems import NoGraph as NoGraph
from autograd_lab.introspect.problems import NotATensor as NotATensor
from autograd_lab.introspect.problems import UnknownKeyword as UnknownKeyword
from autograd_lab.introspect.recorder import record as record
from autograd_lab.introspect.walk import snapshot as snapshot

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
    "UnknownKeyword",
    "record",
    "snapshot",
    "to_networkx",
]
