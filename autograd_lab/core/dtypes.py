"""The data types: torch's dtype objects, the default dtype, and the limits of every type.

A dtype is a singleton: `torch.float is torch.float32`, and pickling or copying one gives the same object back. Each
carries `numpy`, the NumPy dtype that stores it. How two dtypes meet is decided in `promotion`.
"""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

import numpy as np

__all__ = [
    "ALL",
    "BY_NAME",
    "OUT_OF_SCOPE",
    "bool",
    "by_name",
    "default_numpy",
    "double",
    "dtype",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "get_default_dtype",
    "half",
    "iinfo",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "long",
    "on_default_change",
    "out_of_scope",
    "set_default_dtype",
    "short",
    "uint8",
]


class dtype:
    """Name the type of a tensor's elements.

    Instances are the module's constants (`float32`, `int64`, ...); more cannot be made. Besides torch's attributes
    (`is_floating_point`, `is_signed`, `itemsize`, `abbr`, ...) there are `numpy` (the NumPy dtype), `name`
    ("float32"), `scalar_name` ("Float", torch's word in messages), `cpp_name` ("float", its word in a few others)
    and `tensor_type` ("torch.FloatTensor"), which some messages show otherwise for bools (`shown_type`).

    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.dtype

    >>> float32.itemsize, float32.is_floating_point, float32
    (4, True, torch.float32)
    """

    __slots__ = (
        "_text", "abbr", "cpp_name", "is_complex", "is_floating_point", "is_signed", "itemsize", "name", "numpy",
        "rank", "scalar_name", "shown_type", "tensor_type",
    )  # fmt: skip

    _text: str
    abbr: str
    cpp_name: str
    is_complex: builtins.bool
    is_floating_point: builtins.bool
    is_signed: builtins.bool
    itemsize: builtins.int
    name: str
    numpy: np.dtype[Any]
    rank: builtins.int
    scalar_name: str
    shown_type: str
    tensor_type: str

    def __new__(cls, *args: Any, **kwargs: Any) -> dtype:
        """Raise: only the module makes dtypes."""
        raise TypeError("cannot create 'torch.dtype' instances")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        raise TypeError("type 'torch.dtype' is not an acceptable base type")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in dtype.__slots__:
            raise AttributeError(f"attribute {name!r} of 'torch.dtype' objects is not writable")
        raise AttributeError(f"'torch.dtype' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.name,)

    def to_real(self) -> dtype:
        """Return the dtype of the real part: the dtype itself, as no complex dtype exists here."""
        return self

    def to_complex(self) -> NoReturn:
        """Raise: torch's error for a dtype without a complex twin, NotImplementedError for the others."""
        if self.is_floating_point:
            out_of_scope({2: "complex32", 4: "complex64", 8: "complex128"}[self.itemsize])
        raise RuntimeError(f"Unknown Complex ScalarType for {self.scalar_name}")


def _make(name: str, scalar_name: str, cpp_name: str, abbr: str) -> dtype:
    made: dtype = object.__new__(dtype)
    stored = np.dtype(name)
    attributes = {
        "name": name,
        "numpy": stored,
        "itemsize": stored.itemsize,
        "scalar_name": scalar_name,
        "cpp_name": cpp_name,
        "abbr": abbr,
        "tensor_type": f"torch.{scalar_name}Tensor",
        "shown_type": "CPUBoolType" if name == "bool" else f"torch.{scalar_name}Tensor",
        "is_floating_point": stored.kind == "f",
        "is_complex": False,
        "is_signed": stored.kind in "if",
        # Three kinds, in rising order: bool, integers, floats. Promotion compares them.
        "rank": "b__f".index(stored.kind) if stored.kind in "bf" else 1,
        "_text": f"torch.{name}",
    }
    for attribute, value in attributes.items():
        object.__setattr__(made, attribute, value)
    return made


float16 = half = _make("float16", "Half", "c10::Half", "f16")
float32 = float = _make("float32", "Float", "float", "f32")
float64 = double = _make("float64", "Double", "double", "f64")
int8 = _make("int8", "Char", "signed char", "i8")
int16 = short = _make("int16", "Short", "short int", "i16")
int32 = int = _make("int32", "Int", "int", "i32")
int64 = long = _make("int64", "Long", "long int", "i64")
uint8 = _make("uint8", "Byte", "unsigned char", "u8")
bool = _make("bool", "Bool", "bool", "b8")

ALL = (uint8, int8, int16, int32, int64, float16, float32, float64, bool)
BY_NAME = {made.name: made for made in ALL}
BY_NAME |= {"half": half, "float": float, "double": double, "short": short, "int": int, "long": long}
_BY_NUMPY = {made.numpy: made for made in ALL}

_COMPLEX = "autograd_lab computes with real numbers only; complex dtypes are left out."
_UNSIGNED = "autograd_lab has one unsigned integer dtype, torch.uint8; the wider ones are left out."
_BRAIN = "NumPy has no bfloat16; use torch.float16 or torch.float32."
_SMALL = "NumPy has no 8-bit floats; use torch.float16 or torch.float32."
_QUANTIZED = "autograd_lab has no quantized tensors."

# What torch has and the lab leaves out, each with the sentence a learner gets who asks for it.
OUT_OF_SCOPE: dict[str, str] = {
    **dict.fromkeys(("complex32", "complex64", "complex128", "chalf", "cfloat", "cdouble"), _COMPLEX),
    **dict.fromkeys(("uint16", "uint32", "uint64"), _UNSIGNED),
    "bfloat16": _BRAIN,
    **dict.fromkeys(("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"), _SMALL),
    **dict.fromkeys(("quint8", "qint8", "qint32", "quint4x2", "quint2x4"), _QUANTIZED),
}


def out_of_scope(name: str) -> NoReturn:
    """Raise NotImplementedError with the sentence that says why torch.<name> is left out."""
    raise NotImplementedError(f"torch.{name} is not available: {OUT_OF_SCOPE[name]}")


def by_name(name: str) -> dtype:
    """Return the dtype of this name or alias; raise NotImplementedError if torch has it and the lab has not.

    >>> by_name("double")
    torch.float64
    """
    if name in OUT_OF_SCOPE:
        out_of_scope(name)
    return BY_NAME[name]


def from_numpy(numpy_dtype: np.dtype) -> dtype:
    """Return the dtype that a NumPy dtype stores.

    Raises TypeError or ValueError with torch's words where torch cannot convert either, and NotImplementedError for
    a dtype that torch has and the lab has not (complex numbers, wide unsigned integers).

    >>> from_numpy(np.dtype("float32"))
    torch.float32
    """
    try:
        return _BY_NUMPY[numpy_dtype]
    except KeyError:
        _refuse(numpy_dtype)


def _refuse(numpy_dtype: np.dtype) -> NoReturn:
    if not numpy_dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    if numpy_dtype.name in OUT_OF_SCOPE:
        out_of_scope(numpy_dtype.name)
    kind = numpy_dtype.type
    raise TypeError(
        f"can't convert np.ndarray of type {kind.__module__}.{kind.__name__}. The only supported types are: float64, "
        "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool."
    )


# Promotion keeps a cache that depends on the default dtype, so it asks to be called after every change.
_default: dtype = float32
_listeners: list[Any] = []


def get_default_dtype() -> dtype:
    """Return the dtype of new floating-point tensors, float32 unless changed.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.get_default_dtype.html
    """
    return _default


def default_numpy() -> np.dtype:
    """Return the default dtype as a NumPy dtype."""
    return _default.numpy


def set_default_dtype(d: dtype) -> None:
    """Make `d` the dtype of new floating-point tensors and of Python floats that meet integer tensors.

    Raises TypeError, with torch's words, for anything but a floating-point dtype.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.set_default_dtype.html
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d
    for listener in _listeners:
        listener()


def on_default_change(listener: Any) -> None:
    """Call `listener()` after every change of the default dtype."""
    _listeners.append(listener)


class _Limits:
    """Hold what finfo and iinfo share: frozen attributes, comparison by dtype, no hash."""

    _shown: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: Any) -> None:
        kind = type(self).__name__
        if name in self.__dict__:
            raise AttributeError(f"attribute {name!r} of 'torch.{kind}' objects is not writable")
        raise AttributeError(f"'torch.{kind}' object has no attribute {name!r}")

    def __eq__(self, other: object) -> Any:
        return self.dtype == other.dtype if type(self) is type(other) else NotImplemented

    def __hash__(self) -> builtins.int:
        raise TypeError(f"unhashable type: 'torch.{type(self).__name__}'")

    def __repr__(self) -> str:
        # torch prints six significant digits, also of integers: int32's largest is 2.14748e+09.
        numbers = [f"{name}={getattr(self, name):.6g}" for name in self._shown]
        return f"{type(self).__name__}({', '.join(numbers)}, dtype={self.dtype})"


# Python's types stand for dtypes wherever torch takes one.
OF_PYTHON: dict[Any, dtype] = {builtins.float: float64, builtins.int: int64, builtins.bool: bool}


def of_python(value: Any) -> Any:
    """Return the dtype that one of Python's types stands for; anything else unchanged."""
    return OF_PYTHON.get(value, value) if value.__class__ is type else value


def _checked(kind: str, given: Any) -> dtype:
    given = of_python(given)
    if not isinstance(given, dtype):
        raise TypeError(f"{kind}(): argument 'type' (position 1) must be torch.dtype, not {type(given).__name__}")
    return given


class finfo(_Limits):
    """Tell the limits of a floating-point dtype: bits, eps, max, min, resolution, smallest_normal, tiny, dtype.

    Without an argument it speaks of the default dtype. Raises TypeError for another kind of dtype.
    Source: https://docs.pytorch.org/docs/stable/type_info.html#torch.finfo

    >>> finfo(float32).eps
    1.1920928955078125e-07
    """

    _shown = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type: dtype | None = None) -> None:
        of = _checked("finfo", _default if type is None else type)
        if not of.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        limits = np.finfo(of.numpy)
        smallest = builtins.float(limits.smallest_normal)
        self.__dict__.update(
            bits=of.itemsize * 8,
            dtype=of.name,
            eps=builtins.float(limits.eps),
            max=builtins.float(limits.max),
            min=builtins.float(limits.min),
            resolution={2: 1e-3, 4: 1e-6, 8: 1e-15}[of.itemsize],
            smallest_normal=smallest,
            tiny=smallest,
        )


_REQUIRED = object()


class iinfo(_Limits):
    """Tell the limits of an integer dtype: bits, max, min, dtype.

    Raises TypeError for another kind of dtype.
    Source: https://docs.pytorch.org/docs/stable/type_info.html#torch.iinfo

    >>> iinfo(int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    _shown = ("min", "max")

    def __init__(self, type: dtype = _REQUIRED) -> None:  # type: ignore[assignment]
        if type is _REQUIRED:
            raise TypeError('iinfo() missing 1 required positional arguments: "type"')
        of = _checked("iinfo", type)
        if of.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if of.numpy.kind == "b":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        limits = np.iinfo(of.numpy)
        self.__dict__.update(
            bits=limits.bits, dtype=of.name, max=builtins.int(limits.max), min=builtins.int(limits.min)
        )


# Public names live in the façade, as torch's live in torch.
for _public in (dtype, finfo, iinfo):
    _public.__module__ = __name__.split(".", maxsplit=1)[0]
