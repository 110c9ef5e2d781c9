"""The in-place forms of view operations: the tensor itself takes the new shape, nothing is copied."""

from __future__ import annotations

from autograd_lab.core.failures import inference_write
from autograd_lab.core.inplace import check_leaf
from autograd_lab.core.moored import keep_shape
from autograd_lab.core.op import Vjp, arrays, op
from autograd_lab.core.state import local
from autograd_lab.core.tensor import Tensor, set_array
from autograd_lab.core.versions import materialize, touch
from autograd_lab.core.views import regenerate
from autograd_lab.ops.shape import _squeeze_all, _squeeze_dim, _squeeze_dims, t, transpose, unsqueeze
from autograd_lab.ops.strided_ops import HIDDEN, as_strided, checked, strided_array, strided_row


def _inplace(name, node, plain, kernel, row):
    """Declare the operation behind an in-place method; its result is no view, it replaces the tensor's own data."""
    return op(r"y = a", name=f"{name}_inplace", node=node, function=False, method=False, self=row)(
        _named(kernel, plain.__doc__)
    )


def _named(kernel, doc):
    kernel.__doc__ = doc
    return kernel


def _back(grad, self_sizes, xp):
    return xp.reshape(grad, self_sizes)


_shape_back = Vjp(_back, r"\bar a = \mathrm{reshape}(\bar y)")
_squeeze_all_ = _inplace(
    "squeeze", "SqueezeBackward3", _squeeze_all, lambda self: arrays.squeeze_all(self), _shape_back
)
squeeze_dim_ = _inplace("squeeze_dim", "SqueezeBackward4", _squeeze_dim, lambda self, dim: arrays.squeeze_dim(self, dim),  # noqa: E501
                        Vjp(lambda grad, dim, self_sizes, xp: _back(grad, self_sizes, xp)))  # fmt: skip
_squeeze_dims_ = _inplace("squeeze_dims", "SqueezeBackward5", _squeeze_dims,
                          lambda self, dim: arrays.squeeze_dims(self, dim),
                          Vjp(lambda grad, dim, self_sizes, xp: _back(grad, self_sizes, xp)))  # fmt: skip
_unsqueeze_ = _inplace("unsqueeze", "UnsqueezeBackward1", unsqueeze, lambda self, dim: arrays.unsqueeze(self, dim),
                       Vjp(lambda grad, dim, xp: xp.squeeze_dim(grad, dim)))  # fmt: skip
_t_ = _inplace("t", "TBackward1", t, lambda self: arrays.t(self), Vjp(lambda grad, xp: xp.t(grad)))
_transpose_ = _inplace("transpose", "TransposeBackward1", transpose,
                       lambda self, dim0, dim1: arrays.transpose(self, dim0, dim1),
                       Vjp(lambda grad, dim0, dim1, xp: xp.transpose(grad, dim0, dim1)))  # fmt: skip


def _reshaping(name, function):
    """Make the in-place method."""

    def method(self, *args, **kwargs):
        if self._extra is not None and self._extra.inference and not local.inference:
            set_array(self, function(self, *args, **kwargs)._array)     # too late, as in torch
            raise inference_write()
        check_leaf(self, self._node is not None)
        materialize(self)
        made = function(self, *args, **kwargs)
        node = made._node
        unrecorded = node is None or node.hidden
        if unrecorded and self._extra is not None and self._extra.base is not None:
            set_array(self, made._array)    # it gets a new place like the other views, but in its new shape
        touch(self)  # gives the other views their new place; a recorded one's comes from the operation itself
        if not unrecorded:
            self._node = node       # hooks and a retained gradient stay with the node before, as in torch
        elif self._node is not None:
            keep_shape(self, made._array.shape)
        set_array(self, made._array)
        if self._extra is not None and self._extra.base is None:
            regenerate(self)    # its views lead to the new node
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of {name[:-1]}."
    setattr(Tensor, name, method)


def _squeeze_in_place(self, dim=None):
    if dim is None:
        return _squeeze_all_(self)
    return _squeeze_dims_(self, tuple(dim)) if isinstance(dim, (tuple, list)) else squeeze_dim_(self, dim)


def _checked_t(self):
    if self._array.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {self._array.ndim}D")
    return _t_(self)


_as_strided_ = op(
    r"y = \mathrm{strided}(a)", name="as_strided_inplace", node="AsStridedBackward1", function=False, method=False,
    fix="never", hidden=HIDDEN, self=strided_row,
)(_named(lambda self, source, size, stride, storage_offset: strided_array(self, source, size, stride, storage_offset),
         as_strided.__doc__))  # fmt: skip


def _as_strided_in_place(self, size, stride, storage_offset=None):
    return _as_strided_(self, *checked(self, size, stride), storage_offset)


_reshaping("as_strided_", _as_strided_in_place)
_reshaping("unsqueeze_", _unsqueeze_)
_reshaping("squeeze_", _squeeze_in_place)
_reshaping("t_", _checked_t)
_reshaping("transpose_", _transpose_)
_reshaping("swapaxes_", _transpose_)
_reshaping("swapdims_", _transpose_)
