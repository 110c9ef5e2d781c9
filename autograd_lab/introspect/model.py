"""What a graph and a backward run look like once they are data: frozen dataclasses, no live tensor inside.

Everything that draws, tells or exports a graph starts from these. Ids are `n0, n1, …` in walk order and `e0, e1, …`
in edge order, never `id()`, so that a notebook that is run again shows the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

OPERATION, ACCUMULATOR, VIEW, INPLACE, CUSTOM = "operation", "accumulator", "view", "inplace", "custom"
KINDS = (OPERATION, ACCUMULATOR, VIEW, INPLACE, CUSTOM)

FRESH, STALE, CHANGED, FREED, UNKNOWN = "fresh", "stale", "changed", "freed", "unknown"

SEED, ENTER, EXIT, RELEASE, ROUTE = "seed", "enter", "exit", "release", "route"
ACCUMULATE, HOOK, FINISH, ERROR = "accumulate", "hook", "finish", "error"
REST = "MoreNodes"  # op of the node that stands for what was not looked at
STEP_KINDS = (SEED, ENTER, EXIT, RELEASE, ROUTE, ACCUMULATE, HOOK, FINISH, ERROR)


@dataclass(frozen=True, slots=True)
class ArrayDigest:
    """What is kept of an array: everything of a small one, shape, statistics and corners of a large one.

    Attributes:
        shape: the shape.
        dtype: torch's short name, `float32`.
        nbytes: bytes that the whole array takes.
        text: one line that says the most useful thing: `0.3333`, `all 1`, `[0.5, 1, 2]`, `(64, 64), norm 8.1`.
        rows: the numbers as text, row by row; of a large array the corners, with `…` between.
        complete: whether `rows` holds every element.
        norm: Euclidean norm, None when it is not a finite number or the dtype has none.
        low, high, mean: statistics of the finite elements, None when there are none.
        bad: how many elements are nan or infinite.
        first_bad: index of the first of them.
    """

    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    complete: bool = True
    norm: float | None = None
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    bad: int = 0
    first_bad: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's code: file, line, notebook cell (None outside one), its text, the expression on it.

    `scope` is the qualified name of the function that the line stands in, "" where it is not known.
    """

    file: str
    line: int
    cell: int | None = None
    text: str = ""
    expression: str = ""
    scope: str = ""

    def __str__(self) -> str:
        if self.cell is not None:
            return f"In [{self.cell}], line {self.line}"
        return f"{self.file.replace(chr(92), '/').rsplit('/', 1)[-1]}, line {self.line}"


@dataclass(frozen=True, slots=True)
class SavedInfo:
    """One value that a node keeps for its backward.

    `name` is torch's (`self`, `other`, `result`), `source` the user's name of that tensor ("" when it has none).
    `state` is fresh, stale, changed, freed or unknown; versions are None where the engine does not tell them.
    """

    name: str
    is_tensor: bool
    state: str = FRESH
    source: str = ""
    value: ArrayDigest | None = None
    plain: str = ""
    version_saved: int | None = None
    version_now: int | None = None
    written: Place | None = None
    storage: str | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that the saved tensor takes; 0 for a plain value or after the release."""
        return self.value.nbytes if self.is_tensor and self.value is not None and self.state != FREED else 0


@dataclass(frozen=True, slots=True)
class InputInfo:
    """One input of an operation: its argument name, and the node that its gradient goes to (None: nowhere)."""

    index: int
    name: str
    target: str | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """One node. `label` is what a drawing shows: the user's name, else the source expression, else ""."""

    id: str
    op: str
    kind: str
    label: str
    names: tuple[str, ...] = ()
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    outputs: int = 1
    place: Place | None = None
    inputs: tuple[InputInfo, ...] = ()
    saved: tuple[SavedInfo, ...] = ()
    hooks: tuple[str, ...] = ()
    declared: str = ""
    formula: str = ""
    derivatives: tuple[tuple[str, str], ...] = ()
    value: ArrayDigest | None = None
    grad: ArrayDigest | None = None
    version: int | None = None
    storage: str | None = None
    order: int | None = None

    @property
    def named(self) -> bool:
        """Whether the user gave this node's tensor a name."""
        return bool(self.names)

    @property
    def kept_bytes(self) -> int:
        """Bytes of saved tensors that this node keeps; one that it saved twice (`x * x`) counts once."""
        sizes: dict[str, int] = {}
        for entry in self.saved:
            key = entry.storage or entry.source or f"{self.id}.{entry.name}"
            sizes[key] = max(sizes.get(key, 0), entry.nbytes)
        return sum(sizes.values())

    @property
    def stale(self) -> bool:
        """Whether backward will raise here because a saved tensor was written afterwards."""
        return any(entry.state == STALE for entry in self.saved)


@dataclass(frozen=True, slots=True)
class EdgeInfo:
    """One edge, the way of the gradient: input `index` of `source` sends to output `output` of `target`."""

    id: str
    source: str
    target: str
    index: int
    output: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class StorageInfo:
    """One piece of memory and the tensors known to lie on it."""

    id: str
    nbytes: int
    aliases: tuple[Alias, ...] = ()
    version: int | None = None
    written: Place | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Alias:
    """A tensor on a storage: where it begins, how many elements it spans, whether it takes part in the graph."""

    label: str
    offset: int
    length: int
    shape: tuple[int, ...]
    in_graph: bool = True


@dataclass(frozen=True)
class GraphSnapshot:
    """The graph behind one or several tensors as it stood at one moment.

    Attributes:
        nodes: in walk order, outputs first.
        edges: in walk order.
        roots: ids of the nodes that the given tensors came from.
        title: the outputs' names, for headings.
        engine: `autograd_lab` or `torch`.
        storages: the memory that the graph's tensors lie on.
        cut: whether the graph is larger than what was looked at; one node of op `MoreNodes` stands for the rest.
    """

    nodes: tuple[NodeInfo, ...]
    edges: tuple[EdgeInfo, ...]
    roots: tuple[str, ...]
    title: str = "graph"
    engine: str = "autograd_lab"
    storages: tuple[StorageInfo, ...] = field(default=())
    cut: bool = False

    @cached_property
    def index(self) -> dict[str, NodeInfo]:
        """Nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def arriving(self) -> dict[str, tuple[EdgeInfo, ...]]:
        """Edges that bring a gradient to a node, by node id."""
        return _grouped(self.nodes, self.edges, "target")

    @cached_property
    def leaving(self) -> dict[str, tuple[EdgeInfo, ...]]:
        """Edges that take a gradient away from a node, by node id."""
        return _grouped(self.nodes, self.edges, "source")

    @cached_property
    def edge(self) -> dict[str, EdgeInfo]:
        """Edges by id."""
        return {edge.id: edge for edge in self.edges}

    @property
    def kept_bytes(self) -> int:
        """Bytes of saved tensors that the graph keeps alive; memory that several nodes share counts once."""
        sizes: dict[object, int] = {}
        for node in self.nodes:
            for entry in node.saved:
                key = entry.storage or (node.id, entry.name)
                sizes[key] = max(sizes.get(key, 0), entry.nbytes)
        return sum(sizes.values())

    def find(self, words: str) -> tuple[NodeInfo, ...]:
        """Return the nodes whose name, op or place contains `words`, case ignored."""
        words = words.lower()
        return tuple(n for n in self.nodes if words in f"{' '.join(n.names)} {n.label} {n.op} {n.place or ''}".lower())

    def __repr__(self) -> str:
        return f"<GraphSnapshot of {self.title}: {len(self.nodes)} nodes, {len(self.edges)} edges>"


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a backward run.

    `values` are the gradients of the event: of `enter` one per output of the node, of `exit` one per input, of
    `seed` and `route` the one that travels. `arrived`/`expected` count the gradients at the target of a route.
    `before` and `after` are a leaf's `.grad` around an `accumulate`, a gradient around a `hook` that changed it; `hook`
    is the name of that hook, or of the one that raised.
    """

    kind: str
    node: str | None = None
    edge: str | None = None
    values: tuple[ArrayDigest | None, ...] = ()
    arrived: int = 0
    expected: int = 0
    before: ArrayDigest | None = None
    after: ArrayDigest | None = None
    total: ArrayDigest | None = None
    nbytes: int = 0
    error: str = ""
    message: str = ""
    hook: str = ""


@dataclass(frozen=True)
class BackwardTrace:
    """A backward run: the graph before it, and its steps in the order in which the engine made them.

    `mode` is `recorded` (it ran) or `forecast` (the order is known, nothing ran). `error` is the exception that ended
    the run, None when it went through.
    """

    snapshot: GraphSnapshot
    steps: tuple[Step, ...]
    mode: str = "recorded"
    error: BaseException | None = None
    retained: bool = False

    def __repr__(self) -> str:
        return f"<BackwardTrace of {self.snapshot.title}: {len(self.steps)} steps, {self.mode}>"


def _grouped(nodes: tuple[NodeInfo, ...], edges: tuple[EdgeInfo, ...], end: str) -> dict[str, tuple[EdgeInfo, ...]]:
    groups: dict[str, list[EdgeInfo]] = {node.id: [] for node in nodes}
    for edge in edges:
        groups[getattr(edge, end)].append(edge)
    return {key: tuple(value) for key, value in groups.items()}
