"""Recurrent cells, one step each: RNNCell, LSTMCell and GRUCell."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.core.tensor import wrap
from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class _Cell(Module):
    """What all cells share: two matrices, two biases, and a first state of zeros."""

    chunks = 1

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self.chunks * hidden_size
        self.weight_ih = new_parameter(rows, input_size, dtype=dtype)
        self.weight_hh = new_parameter(rows, hidden_size, dtype=dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, new_parameter(rows, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew, evenly from ±1/√hidden_size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def extra_repr(self) -> str:
        """Return the sizes."""
        text = f"{self.input_size}, {self.hidden_size}"
        return text if self.bias else f"{text}, bias={self.bias}"

    def _checked(self, input: Any, hx: Any) -> Any:
        """Return the state, zeros if there is none; raise ValueError for wrong dimensions."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        if hx is not None:
            return hx
        import numpy as np

        return wrap(np.zeros((*input.shape[:-1], self.hidden_size), input._array.dtype))

    def _both(self, input: Any, hx: Any) -> tuple[Any, Any]:
        """Return what the input and the state contribute."""
        return F.linear(input, self.weight_ih, self.bias_ih), F.linear(hx, self.weight_hh, self.bias_hh)


class RNNCell(_Cell):
    """h' = tanh(W x + b + U h + c), or relu in its place.

    Shapes: input (N, input_size) or (input_size,), state (N, hidden_size) or (hidden_size,).
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh",
                 device: Any = None, dtype: Any = None) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the next state."""
        from_input, from_state = self._both(input, self._checked(input, hx))
        if self.nonlinearity == "tanh":
            return (from_input + from_state).tanh()
        if self.nonlinearity == "relu":
            return (from_input + from_state).relu()
        raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")

    def extra_repr(self) -> str:
        """Return the sizes, and the nonlinearity if it is unusual."""
        text = super().extra_repr()
        return text if self.nonlinearity == "tanh" else f"{text}, nonlinearity={self.nonlinearity}"


class LSTMCell(_Cell):
    """A long short-term memory: gates i, f, o decide what is stored, kept and shown.

    Shapes: as RNNCell; the state is a pair (h, c).
    """

    chunks = 4

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the next state (h, c)."""
        state, memory = (None, None) if hx is None else hx
        state, memory = self._checked(input, state), self._checked(input, memory)
        from_input, from_state = self._both(input, state)
        i, f, g, o = (from_input + from_state).chunk(4, -1)
        memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
        return o.sigmoid() * memory.tanh(), memory


class GRUCell(_Cell):
    """A gated recurrent unit: r decides what of the state is seen, z how much of it is kept.

    Shapes: as RNNCell.
    """

    chunks = 3

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the next state."""
        state = self._checked(input, hx)
        from_input, from_state = self._both(input, state)
        r_input, z_input, n_input = from_input.chunk(3, -1)
        r_state, z_state, n_state = from_state.chunk(3, -1)
        r, z = (r_input + r_state).sigmoid(), (z_input + z_state).sigmoid()
        n = (n_input + r * n_state).tanh()
        return (state - n) * z + n
