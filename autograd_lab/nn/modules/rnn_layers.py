"""Recurrent layers over whole sequences: RNN, LSTM and GRU, built on the arithmetic of the cells."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from autograd_lab.core.op import functions
from autograd_lab.core.tensor import wrap
from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class RNNBase(Module):
    """What RNN, LSTM and GRU share: layers, directions, and how a sequence goes through them."""

    chunks = 1
    states = 1

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if not 0 <= dropout <= 1:
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element "
                             "being zeroed")  # fmt: skip
        if dropout > 0 and num_layers == 1:
            warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                          f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                          stacklevel=3)  # fmt: skip
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional = bidirectional
        sizes: dict[str, tuple[int, ...]]
        rows, directions = self.chunks * hidden_size, self._directions()
        for layer in range(num_layers):
            columns = input_size if layer == 0 else hidden_size * len(directions)
            for suffix in directions:
                sizes = {"weight_ih": (rows, columns), "weight_hh": (rows, hidden_size)}
                if bias:
                    sizes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                for name, shape in sizes.items():
                    setattr(self, f"{name}_l{layer}{suffix}", new_parameter(*shape, dtype=dtype))
        self.reset_parameters()

    def _directions(self) -> tuple[str, ...]:
        return ("", "_reverse") if self.bidirectional else ("",)

    def reset_parameters(self) -> None:
        """Draw the parameters anew, evenly from ±1/√hidden_size."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: torch packs parameters here for graphics cards."""

    def extra_repr(self) -> str:
        """Return the sizes, leaving out what is usual."""
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0),
                            ("bidirectional", False)):  # fmt: skip
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text

    def _advance(self, from_input: Any, from_state: Any, states: tuple) -> tuple:
        """Return the states after one step, from what input and state contribute to it."""
        raise NotImplementedError

    def _checked(self, input: Any, states: tuple | None, batched: bool) -> tuple:
        """Return the first states, zeros if none are given; raise RuntimeError for sizes that do not fit."""
        if input.size(-1) != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                               f"{input.size(-1)}")  # fmt: skip
        expected = (self.num_layers * len(self._directions()), input.size(1), self.hidden_size)
        if states is None:
            zeros = wrap(np.zeros(expected, input._array.dtype))
            return (zeros,) * self.states
        if not batched:
            states = tuple(state.unsqueeze(1) for state in states)
        for number, state in enumerate(states):
            if tuple(state.shape) != expected:
                kind = "hidden size" if self.states == 1 else f"hidden[{number}] size"
                raise RuntimeError(f"Expected {kind} {expected}, got {list(state.shape)}")
        return states

    def _run(self, input: Any, states: tuple | None) -> tuple[Any, tuple]:
        """Send a sequence through all layers; return the outputs and the last states."""
        if input.dim() not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        first = self._checked(input, states, batched)
        last: list[tuple] = []
        for layer in range(self.num_layers):
            outputs = []
            for suffix in self._directions():
                start = tuple(state[len(last)] for state in first)
                output, end = self._one_way(input, start, f"_l{layer}{suffix}", reverse=bool(suffix))
                outputs.append(output)
                last.append(end)
            input = outputs[0] if len(outputs) == 1 else functions["cat"](outputs, -1)
            if self.dropout and layer < self.num_layers - 1:
                input = F.dropout(input, self.dropout, self.training)
        ends = tuple(functions["stack"]([end[number] for end in last]) for number in range(self.states))
        if not batched:
            return input.squeeze(1), tuple(end.squeeze(1) for end in ends)
        return (input.transpose(0, 1) if self.batch_first else input), ends

    def _one_way(self, input: Any, states: tuple, suffix: str, reverse: bool) -> tuple[Any, tuple]:
        """Send a sequence through one layer in one direction."""
        weight, inner = getattr(self, "weight_ih" + suffix), getattr(self, "weight_hh" + suffix)
        bias, inner_bias = (getattr(self, name + suffix) if self.bias else None for name in ("bias_ih", "bias_hh"))
        steps = list(F.linear(input, weight, bias).unbind(0))
        outputs = []
        for step in reversed(steps) if reverse else steps:
            states = self._advance(step, F.linear(states[0], inner, inner_bias), states)
            outputs.append(states[0])
        return functions["stack"](outputs[::-1] if reverse else outputs), states


class RNN(RNNBase):
    """hₜ = tanh(W xₜ + b + U hₜ₋₁ + c), or relu in its place.

    Shapes: input (L, N, input_size), or (N, L, input_size) with `batch_first`, or (L, input_size); returns the outputs
    of the last layer and the last states (layers · directions, N, hidden_size).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.RNN.html
    """

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh",
                 bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                 device: Any = None, dtype: Any = None) -> None:  # fmt: skip
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype=dtype)
        self.nonlinearity = nonlinearity

    def _advance(self, from_input: Any, from_state: Any, states: tuple) -> tuple:
        total = from_input + from_state
        return (total.tanh() if self.nonlinearity == "tanh" else total.relu(),)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs and the last state."""
        output, (state,) = self._run(input, None if hx is None else (hx,))
        return output, state


class LSTM(RNNBase):
    """A long short-term memory over a sequence; the state is a pair (h, c). Shapes as RNN's.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.LSTM.html
    """

    chunks = 4
    states = 2

    def _advance(self, from_input: Any, from_state: Any, states: tuple) -> tuple:
        i, f, g, o = (from_input + from_state).chunk(4, -1)
        memory = f.sigmoid() * states[1] + i.sigmoid() * g.tanh()
        return o.sigmoid() * memory.tanh(), memory

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs and the last states (h, c)."""
        return self._run(input, hx)


class GRU(RNNBase):
    """A gated recurrent unit over a sequence. Shapes as RNN's.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.GRU.html
    """

    chunks = 3

    def _advance(self, from_input: Any, from_state: Any, states: tuple) -> tuple:
        r_input, z_input, n_input = from_input.chunk(3, -1)
        r_state, z_state, n_state = from_state.chunk(3, -1)
        r, z = (r_input + r_state).sigmoid(), (z_input + z_state).sigmoid()
        n = (n_input + r * n_state).tanh()
        return ((states[0] - n) * z + n,)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs and the last state."""
        output, (state,) = self._run(input, None if hx is None else (hx,))
        return output, state
