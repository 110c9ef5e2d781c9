"""The Tensor: NumPy data, a place in the graph, a version counter.

Its autograd side (grad, hooks, backward) is in `tensor_autograd`, its Python side (numpy, item, pickle) in
`tensor_python`; operations attach themselves as methods when `ops` is imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autograd_lab.core import dtypes, printing, saved
from autograd_lab.core.missing import explain_missing_attribute
from autograd_lab.core.node import AccumulateGrad, accumulator
from autograd_lab.core.rooms import open_all
from autograd_lab.core.sizes import Size, make_size
from autograd_lab.core.state import local
from autograd_lab.core.tensor_autograd import AutogradMethods
from autograd_lab.core.tensor_python import PythonMethods


class TensorExtra:
    """What few tensors have; the class's attributes are the defaults."""

    base: Any = None                # the tensor that this one is a view of
    creation = "default"            # under which circumstances the view was made
    placed = 0                      # of a view: the number of the node that its own last write gave it
    behind = False                  # its memory was written when neither it nor its base required grad
    views: Any = None               # weak references to the views of this tensor
    hooks: Any = None               # the ordered dict of tensor hooks
    retains_grad = False
    grad: Any = None                # .grad of a tensor that is no leaf with requires_grad
    grad_dtype: Any = None
    detached = False                # detach_() took it out of the graph
    inference = False
    counted = False                 # an inference tensor that counts its writes all the same
    wrapped_number = False          # a Python number that became an operand
    number: Any = None              # that number
    accumulator: Any = None         # the AccumulateGrad of a leaf whose requires_grad was switched off
    name: str | None = None
    storage: Any = None


DEVICES = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla",
           "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")  # fmt: skip


def check_device_name(given: Any) -> None:
    """Raise torch's error for what names no device at all, or one of an accelerator that is not there."""
    if isinstance(given, int) and not isinstance(given, bool):
        if not -(2**63) <= given < 2**63:
            raise ValueError("Overflow when unpacking long long")
        raise RuntimeError("Cannot access accelerator device when none is available." if given >= 0 else
                           "Device index must not be negative")  # fmt: skip
    if isinstance(given, str) and given.partition(":")[0] not in DEVICES:
        raise RuntimeError(
            f"Expected one of {', '.join(DEVICES)} device type at start of device string: {given.partition(':')[0]}"
        )


class device:
    """Where a tensor lives; the lab has one place.

    >>> device("cpu").type
    'cpu'
    """

    __slots__ = ("index", "type")
    __module__ = "torch"

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        name = type.type if isinstance(type, device) else str(type)
        if name.partition(":")[0] != "cpu":
            check_device_name(type)
            raise NotImplementedError(f"autograd_lab computes on the CPU only; device {name!r} is outside its scope.")
        given = type.index if isinstance(type, device) else int(name.partition(":")[2]) if ":" in name else None
        self.type, self.index = "cpu", given if index is None else index

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (other.type, other.index) == (self.type, self.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device("cpu")


def refuse(name: str) -> Any:
    """Return the setter of a read-only attribute."""

    def setter(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return setter


def read_only(getter: Any) -> property:
    """Make a property that refuses to be written, with torch's words."""
    return property(getter, refuse(getter.__name__), doc=getter.__doc__)


class TensorMeta(type):
    """What `Tensor` itself answers: `Tensor.exp` and `dir(Tensor)` open the rooms that hold the rest of the methods."""

    def __getattr__(cls, name: str) -> Any:
        if not name.startswith("__"):
            open_all()
            for kind in cls.__mro__:
                if name in vars(kind):
                    return getattr(cls, name)
        raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")

    def __dir__(cls) -> Iterable[str]:
        open_all()
        return super().__dir__()


class Tensor(AutogradMethods, PythonMethods, metaclass=TensorMeta):
    """A multi-dimensional array whose operations can be differentiated.

    Made by `torch.tensor` and its relatives; `Tensor(2, 3)` gives uninitialised float32 memory, `Tensor([1, 2])` the
    values as float32.

    Source: https://docs.pytorch.org/docs/stable/tensors.html
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_cell", "_extra", "_node")
    __module__ = "autograd_lab"
    __array_priority__ = 1000

    if TYPE_CHECKING:   # operations attach themselves when `ops` is imported, which a type checker does not see

        def __getitem__(self, index: Any) -> Any: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __getitem__
        __pow__ = __rpow__ = __matmul__ = __mod__ = __floordiv__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:
        """Make a tensor the old way: of sizes, of a list, or of another tensor."""
        from autograd_lab.core.construct import legacy_tensor

        return legacy_tensor(cls, args, kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        """Find a method in the part of the op table that is imported when first needed."""
        if not name.startswith("__"):
            open_all()
            # Only a method can be new here. A property that is there already has itself raised the error.
            if callable(getattr(type(self), name, None)):
                return getattr(self, name)
        raise explain_missing_attribute(self, name)

    @read_only
    def shape(self) -> Size:
        """The size of each dimension."""
        return make_size(self._array.shape)

    @read_only
    def dtype(self) -> dtypes.dtype:
        """The data type."""
        return dtypes.from_numpy(self._array.dtype)

    @read_only
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    @read_only
    def device(self) -> device:
        """Always the CPU."""
        return CPU

    @read_only
    def layout(self) -> Any:
        """Always strided."""
        return strided

    @read_only
    def is_cuda(self) -> bool:
        """Always False."""
        return False

    is_sparse = is_quantized = is_meta = is_mps = is_xpu = is_nested = read_only(lambda self: False)

    @property
    def name(self) -> str | None:
        """A name that torch no longer uses; None."""
        return None

    @read_only
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._array.dtype.itemsize

    @read_only
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._array.size * self._array.dtype.itemsize

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension."""
        if dim is None:
            return make_size(self._array.shape)
        from autograd_lab.core.dims import sized

        return sized(self, dim)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self._array.ndim

    ndimension = dim

    def numel(self) -> int:
        """Return the number of elements."""
        return self._array.size

    nelement = numel

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self._array.dtype.itemsize

    def is_floating_point(self) -> bool:
        """Say whether the elements are floating-point numbers."""
        return self._array.dtype.kind == "f"

    def is_complex(self) -> bool:
        """Return False: the lab has no complex numbers."""
        return False

    def is_signed(self) -> bool:
        """Say whether the elements can be negative."""
        return self._array.dtype.kind in "if"

    def is_inference(self) -> bool:
        """Say whether the tensor was made in inference mode."""
        return self._extra is not None and self._extra.inference

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return printing.tensor_text(self._array, requires_grad=self.requires_grad, grad_fn_name=self._printed_grad_fn())

    def _printed_grad_fn(self) -> str | None:
        try:
            grad_fn = self.grad_fn
        except RuntimeError:
            return "Invalid"
        return None if grad_fn is None else type(grad_fn).__name__


class layout:
    """How elements are laid out in memory."""

    __module__ = "torch"

    def __repr__(self) -> str:
        return "torch.strided"


strided = layout()


def wrap(array: Any, edge: Any = None, cell: Any = None) -> Tensor:
    """Return a Tensor around NumPy data, without a copy."""
    tensor = object.__new__(Tensor)
    tensor._array = array
    tensor._node = edge
    tensor._cell = cell
    tensor._extra = None
    return tensor


def extra_of(tensor: Tensor) -> TensorExtra:
    """Return the tensor's `TensorExtra`, making it if need be."""
    if tensor._extra is None:
        tensor._extra = TensorExtra()
    return tensor._extra


def set_array(tensor: Tensor, array: Any) -> None:
    """Give the tensor other data."""
    tensor._array = array
    node = tensor._node
    if node is not None and node.kind == 1:
        node.array = array


def fresh(array: Any, requires_grad: bool = False) -> Tensor:
    """Return what a factory returns: a new tensor, perhaps a leaf, perhaps an inference tensor."""
    tensor = wrap(array)
    if local.inference:
        extra_of(tensor).inference = True
    if requires_grad:
        if array.dtype.kind != "f":
            from autograd_lab.errors import explain

            raise explain(RuntimeError("Only Tensors of floating point and complex dtype can require gradients"),
                          "integer_grad")  # fmt: skip
        tensor._node = accumulator(tensor)
    return tensor


def _revive(node: Any) -> Tensor:
    return wrap(node.array, node, node.cell)


for _room in (AutogradMethods, PythonMethods):      # bound methods print as Tensor's own
    for _name, _member in vars(_room).items():
        if hasattr(_member, "__qualname__"):
            _member.__qualname__ = f"Tensor.{_name}"

AccumulateGrad.revive = staticmethod(_revive)
saved.new_tensor = wrap
