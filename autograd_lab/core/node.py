"""The graph: nodes, the edges between them, and AccumulateGrad at the leaves.

An edge is stored as what the gradient is sent to: a node (its only output), an `Output` (one of several outputs of a
node), an `AccumulateGrad` (a leaf), or None. `kind` tells the three apart with one attribute read: 0, 2, 1.

Node classes of operations have no base class but `object`, as torch's have: their methods are copied from
`NodeMethods` when `node_class` makes them.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.state import count_forbidden, mode

SLOTS = ("clock", "edges", "extra", "fix", "saved", "seq", "site", "__weakref__")
ACCUMULATE_SEQUENCE = 2**64 - 1     # torch gives AccumulateGrad the highest number, so that a ready leaf runs at once


class Extra:
    """What few nodes have: hooks, retained gradients, metadata, an anomaly trace.

    While any exists, backward takes the exact path, on which hooks can see torch's order of events.
    """

    __slots__ = ("heir", "made_for", "maker", "metadata", "parent", "post", "post_accumulate", "pre", "retain",
                 "tensor_hooks", "trace", "uneven")  # fmt: skip

    def __init__(self) -> None:
        mode.extras += 1
        self.tensor_hooks: dict[int, list[OrderedDict]] = {}    # output number -> hooks of the tensors it became
        self.retain: dict[int, Any] = {}                        # output number -> weak reference to the tensor
        self.pre: OrderedDict[int, Callable] = OrderedDict()
        self.post: OrderedDict[int, Callable] = OrderedDict()
        self.post_accumulate: OrderedDict[int, Callable] = OrderedDict()
        self.metadata: dict | None = None
        self.trace: list[str] | None = None
        self.maker: Any = None      # of a leaf: weak reference to the node that was made with it, and that trace is of
        self.parent: Any = None
        self.made_for: dict | None = None       # output number -> shape and dtype that it had, of a tensor that was
                                                # reshaped without recording, and until when (core.moored)
        self.heir: Any = None       # of a leaf that `set_` gave another memory: the leaf node that came after this one
        self.uneven = False                     # of a leaf: its `.grad` may lie otherwise in memory than the leaf

    def __del__(self) -> None:
        mode.extras -= 1
        if self.made_for is not None:
            count_forbidden(-1)


def extra_of(node: Any) -> Extra:
    """Return the node's `Extra`, making it if need be."""
    if node.extra is None:
        node.extra = Extra()
    return node.extra


class Output:
    """One output of a node that has several: where its gradient is sent."""

    __slots__ = ("node", "nr")
    kind = 2
    hidden = False

    def __init__(self, node: Any, nr: int) -> None:
        self.node = node
        self.nr = nr


def edge_pair(edge: Any) -> tuple[Any, int]:
    """Return (node, output number) of a stored edge, as torch's `next_functions` shows it."""
    if edge is None or edge.hidden:
        return None, 0
    return (edge.node, edge.nr) if edge.kind == 2 else (edge, 0)


# What `dir(node)` shows, besides what the node saved.
SHOWN = ("_input_metadata", "_register_hook_dict", "_sequence_nr", "_set_sequence_nr", "metadata", "name",
         "next_functions", "register_hook", "register_prehook", "requires_grad")  # fmt: skip


class InputMetadata:
    """What a gradient that arrives at one output of a node must look like: shape, dtype, device."""

    __module__ = "autograd_lab._C._autograd"
    __qualname__ = "_InputMetadata"
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape: tuple, dtype: Any) -> None:
        from autograd_lab.core.dtypes import from_numpy
        from autograd_lab.core.tensor import device

        self.shape, self.dtype, self.device = list(shape), from_numpy(dtype), device("cpu")


# Output number -> (shape, dtype) of the tensors whose `grad_fn` the user has looked at. Nodes themselves do not keep
# this: the engine checks gradients where they arrive, so only who holds a node can ask.
_seen: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def note_output(node: Any, nr: int, array: Any) -> None:
    """Remember the shape and the dtype of an output of a node that is handed to the user."""
    _seen.setdefault(node, {})[nr] = (array.shape, array.dtype)


def is_known(node: Any) -> bool:
    """Say whether the user has looked at a node."""
    return node in _seen


def known_output(node: Any, nr: int) -> tuple[tuple, Any] | None:
    """Return the shape and the NumPy dtype of a node's output, or None when nobody has looked at it."""
    extra = None if node.custom else node.extra
    if extra is not None and extra.made_for is not None and nr in extra.made_for:
        return extra.made_for[nr][:2]
    if node.kind == 1:
        return node.array.shape, node.array.dtype
    if node.custom:
        result = node.results[nr]
        return None if result is None else (result[0], result[1])
    return _seen.get(node, {}).get(nr)


def input_metadata(node: Any) -> tuple:
    """Return the metadata of every output of a node; of an output nobody has looked at, that of one that is known."""
    known = [known_output(node, nr) for nr in range(1 if node.kind == 1 else node.outputs)]
    any_known = next((one for one in known if one is not None), None)
    return tuple([InputMetadata(*found) if (found := one or any_known) is not None else None for one in known])


def shown(node: Any) -> Any:
    """Return what the user sees of a node: the ctx of a custom Function, any other node itself."""
    return node.ctx if node.custom else node


def behind(node: Any) -> Any:
    """Return the engine's node behind what the user holds."""
    return getattr(node, "_engine_node", node)


class NodeMethods:
    """What every node answers; copied into each node class."""

    def name(self) -> str:
        """Return the node's name, such as 'MulBackward0'."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple:
        """The nodes that this node sends its gradients to, each with the number of the output that it made."""
        pairs = [edge_pair(edge) for edge in self.edges]
        return tuple([(node if node is None else shown(node), nr) for node, nr in pairs])

    @property
    def metadata(self) -> dict:
        """A dict for the user's own notes about this node."""
        extra = extra_of(self)
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    def _sequence_nr(self) -> int:
        return self.seq

    def _set_sequence_nr(self, value: int) -> None:
        self.seq = value

    def register_hook(self, fn: Callable) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after the node has run; a returned tuple replaces the grad_inputs."""
        post = extra_of(self).post
        handle = RemovableHandle(post)
        post[handle.id] = fn
        return handle

    def register_prehook(self, fn: Callable) -> RemovableHandle:
        """Call `fn(grad_outputs)` before the node runs; a returned tuple replaces them."""
        pre = extra_of(self).pre
        handle = RemovableHandle(pre)
        pre[handle.id] = fn
        return handle

    def _register_hook_dict(self, tensor: Any) -> None:
        if not hasattr(tensor, "_backward_hooks"):
            raise TypeError("_register_hook_dict expected a variable")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot pickle {type(self).__name__!r} object")

    def __call__(self, *grads: Any, **kwargs: Any) -> Any:
        """Run the node's backward on gradients, one for each of its outputs."""
        from autograd_lab.core.engine import call_node

        return call_node(self, grads, kwargs)

    @property
    def requires_grad(self) -> bool:
        """Whether the node sends a gradient anywhere."""
        return True

    @property
    def _input_metadata(self) -> tuple:
        return input_metadata(self)

    def __dir__(self) -> list[str]:
        kind = type(self)
        saved = [name for name in vars(kind) if name.startswith(("_saved_", "_raw_saved_"))]
        return sorted([*SHOWN, *saved, *dir(object)])

    def undefined(self) -> tuple:
        """Return the gradients of the inputs when no gradient arrived: none; but a freed node says so even then."""
        if self.saved is None and self.frees:
            from autograd_lab.core.failures import freed

            raise freed(self)
        if self.saved and self.saved_names:
            from autograd_lab.core.saved import verify

            verify(self)
        return (None,) * len(self.edges)


_COPIED = ("name", "next_functions", "metadata", "_sequence_nr", "_set_sequence_nr", "register_hook",
           "register_prehook", "_register_hook_dict", "__reduce_ex__", "__call__", "undefined", "requires_grad",
           "_input_metadata", "__dir__")  # fmt: skip
node_classes: weakref.WeakSet = weakref.WeakSet()


def methods() -> dict[str, Any]:
    """Return a fresh copy of the methods that every node class carries."""
    return {name: vars(NodeMethods)[name] for name in _COPIED}


def node_class(name: str, shown: str | None = None, **members: Any) -> type:
    """Make a node class that derives from `object` alone; `shown` is what `.name()` answers instead of its name."""
    body = methods() | {
        "__slots__": SLOTS, "__module__": "builtins", "kind": 0, "outputs": 1, "frees": False, "declaration": None,
        "saved_names": (), "saved_outputs": (), "custom": False, "forbidden": False, "hidden": False,
    }  # fmt: skip
    if shown is not None:
        body["name"] = lambda self: shown
    made = type(name, (), body | members)
    node_classes.add(made)
    return made


def _variable(self: Any) -> Any:
    """The leaf whose `.grad` this node fills (made anew from its data when the user's own name for it is gone)."""
    tensor = self.ref()
    if tensor is None:
        tensor = self.revive(self)
        self.ref = weakref.ref(tensor)
    return tensor


AccumulateGrad = node_class(
    "AccumulateGrad",
    "torch::autograd::AccumulateGrad",
    __slots__=("array", "cell", "edges", "extra", "grad", "ref", "seq", "__weakref__"),
    kind=1,
    site=None,
    clock=0,
    variable=property(_variable),
    revive=None,        # set by core.tensor
)


# Where the gradients of a view end that was made in no-grad mode of a tensor that requires grad: the view says that it
# requires grad too, but nothing is gathered for it, and the graph shows no edge.
Nowhere = node_class("Nowhere", __slots__=AccumulateGrad.__slots__, kind=1, hidden=True, site=None, clock=0)


def accumulator(tensor: Any, kind: type = AccumulateGrad) -> Any:
    """Make the AccumulateGrad of a leaf."""
    node = kind()
    node.seq = ACCUMULATE_SEQUENCE
    node.edges = ()
    node.grad = node.extra = None
    node.array, node.cell = tensor._array, tensor._cell
    node.ref = weakref.ref(tensor)
    return node
