"""Sliders on the leaves of a function: its value, its gradients, its graph and its tangent follow the hand."""

from __future__ import annotations

import base64
import html
import importlib
import io
import sys
from collections.abc import Callable
from typing import Any

import ipywidgets
import numpy as np

from autograd_lab.inspector.widget import VIEW_MIME, GraphInspector
from autograd_lab.introspect.adapters import adapters
from autograd_lab.introspect.digest import number as short
from autograd_lab.introspect.problems import NoGraph, describe
from autograd_lab.introspect.recorder import record

POINTS = 81  # at which the function is drawn
DIM = "autograd-lab-old"
WRONG = "autograd-lab-wrong"
OLD = f"""<style>.{DIM} {{ opacity: 0.4 }}
.{WRONG}, .{WRONG} * {{ color: #b54600 !important }}
[data-jp-theme-light="false"] .{WRONG}, [data-jp-theme-light="false"] .{WRONG} * {{ color: #ff8f4d !important }}
</style><p>Picture and graph are of the last values that worked.</p>"""


class Explorer(ipywidgets.VBox):
    """The view that `explore` opens.

    Attributes:
        sliders: by name of the leaf; set `.sliders["x"].value` to move one.
        value: the function's value where the sliders stand, None where it could not be computed.
        gradients: the derivative for each leaf there.
        cause: after an error the names of the leaves that must move for it to go away.
        inspector: the graph of the calculation, with its recorded backward.
    """

    def __init__(self, function: Callable[..., Any], leaves: dict[str, Any]) -> None:
        if not callable(function):
            raise TypeError(
                f"explore() got {describe(function)}; pass a function first: explore(lambda x: x * x, x=1.)."
            )
        if not leaves:
            raise TypeError("explore() got no leaf to put a slider on; name at least one: explore(f, x=1.).")
        self.function = function
        self.torch = _engine(leaves.values())
        self.sliders = {name: _slider(name, value) for name, value in leaves.items()}
        self.axis = next(iter(leaves))
        self.value: float | None = None
        self.gradients: dict[str, float] = {}
        self.cause: tuple[str, ...] = ()
        self._worked: dict[str, float] = {}
        self.inspector: GraphInspector | None = None
        self._numbers = ipywidgets.HTML()
        self._picture = ipywidgets.HTML()
        self._place = ipywidgets.VBox()
        self._compute()
        for name, slider in self.sliders.items():
            slider.observe(lambda change, name=name: self._moved(name), "value")
        top = ipywidgets.HBox([ipywidgets.VBox([*self.sliders.values(), self._numbers]), self._picture])
        super().__init__([top, self._place])

    def _moved(self, name: str) -> None:
        self.axis = name
        self._compute()

    def _leaves(self, **changed: float) -> dict[str, Any]:
        values = {name: slider.value for name, slider in self.sliders.items()} | changed
        return {name: self.torch.tensor(float(value), requires_grad=True) for name, value in values.items()}

    def _run(self, leaves: dict[str, Any]) -> Any:
        """Call the function and return its result, a tensor with one element, or raise what is wrong with it."""
        result = self.function(**leaves)
        if not issubclass(type(result), self.torch.Tensor):
            raise TypeError(f"the function returned {describe(result)}; explore() needs a tensor with one element")
        if int(np.prod(tuple(result.shape))) != 1:
            raise TypeError(f"the function returned shape {tuple(result.shape)}; explore() needs one number")
        if not result.requires_grad:
            raise NoGraph("the function returned a tensor without a graph; explore() needs one made of the leaves")
        return result

    def _compute(self) -> None:
        leaves = self._leaves()
        try:
            result = self._run(leaves)
            trace = record(result.reshape(()) if tuple(result.shape) else result, names={**leaves, "result": result})
        except Exception as problem:
            if self.inspector is None:
                raise
            self.value, self.gradients, self.cause = None, {}, self._causes()
            self._numbers.value = self._told(problem)
            self._dim(True)
            return
        self.cause, self._worked = (), {name: slider.value for name, slider in self.sliders.items()}
        self._dim(False)
        self.value = float(result.item())
        self.gradients = {
            name: float(leaf.grad.item()) if leaf.grad is not None else 0.0 for name, leaf in leaves.items()
        }
        self._numbers.value = f"<pre>{html.escape(self._words())}</pre>"
        self._picture.value = f'<img alt="{html.escape(self._words())}" src="data:image/png;base64,{self._png()}">'
        if self.inspector is None:
            self.inspector = GraphInspector(trace)
            self._place.children = [self.inspector]
        else:
            self.inspector.show(trace)

    def _causes(self) -> tuple[str, ...]:
        """Return the leaves of which each alone, put back to where the function worked, makes it work again."""
        found = []
        for name in sorted(self.sliders, key=lambda name: name != self.axis):
            try:
                self._run(self._leaves(**{name: self._worked[name]}))
            except Exception:  # another leaf is to blame, or several together
                continue
            found.append(name)
        return tuple(found) or (self.axis,)

    def _told(self, problem: Exception) -> str:
        """Return the error as HTML: what was raised, and which value brought it about."""
        now = ", ".join(f"{name} = {short(self.sliders[name].value)}" for name in self.cause)
        then = ", ".join(f"{name} = {short(self._worked[name])}" for name in self.cause)
        words = f"{type(problem).__name__}: {problem}"
        cause = f"It comes from {now}; with {then} the function worked."
        return f"<p role='alert' class='{WRONG}'><b>{html.escape(words)}</b><br>{html.escape(cause)}</p>{OLD}"

    def _dim(self, old: bool) -> None:
        for part in (self._picture, self._place):
            (part.add_class if old else part.remove_class)(DIM)
        for name, slider in self.sliders.items():
            (slider.add_class if name in self.cause else slider.remove_class)(WRONG)

    def _words(self) -> str:
        at = ", ".join(f"{name} = {short(slider.value)}" for name, slider in self.sliders.items())
        if self.value is None:
            return f"at {at}: not computed"
        slopes = [f"gradient for {name}: {short(slope)}" for name, slope in self.gradients.items()]
        return "\n".join([f"at {at}", f"value: {short(self.value)}", *slopes])

    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the points at which the function is drawn along the leaf that moved last; nan where it fails."""
        slider = self.sliders[self.axis]
        xs = np.linspace(slider.min, slider.max, POINTS)
        ys = np.full(POINTS, np.nan)
        with self.torch.no_grad():
            for i, x in enumerate(xs):
                try:
                    ys[i] = float(self.function(**self._leaves(**{self.axis: x})).item())
                except Exception:  # outside its domain a function has no point to draw
                    continue
        return xs, ys

    def figure(self) -> Any:
        """Return the function with its tangent as a matplotlib figure."""
        from matplotlib.figure import Figure

        xs, ys = self.curve()
        drawing = Figure(figsize=(4.2, 2.8), dpi=96, layout="constrained")
        axes = drawing.add_subplot()
        axes.plot(xs, ys, color="black", linewidth=1.5, label="function")
        if self.value is not None:
            x, slope = self.sliders[self.axis].value, self.gradients[self.axis]
            label = f"tangent, slope {short(slope)}"
            axes.plot(xs, self.value + slope * (xs - x), color="#0069a6", linestyle="--", linewidth=1.5, label=label)
            axes.plot([x], [self.value], "o", color="#0069a6")
            finite = ys[np.isfinite(ys)]
            if finite.size and np.ptp(finite) > 0:
                margin = 0.15 * np.ptp(finite)
                axes.set_ylim(finite.min() - margin, finite.max() + margin)
        axes.set_xlabel(self.axis)
        axes.legend(frameon=False, fontsize=9)
        return drawing

    def _png(self) -> str:
        target = io.BytesIO()
        self.figure().savefig(target, format="png", metadata={"Software": None})
        return base64.b64encode(target.getvalue()).decode()

    def __repr__(self) -> str:
        return f"<Explorer of {', '.join(self.sliders)}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        data = super()._repr_mimebundle_(**kwargs)
        data = dict(data[0] if isinstance(data, tuple) else data)
        if VIEW_MIME in data:
            data |= {"text/plain": self._words(), "image/png": self._png()}
            return data, {"image/png": {"alt": self._words()}}
        return data


def _engine(values: Any) -> Any:
    for adapter in adapters():
        if any(adapter.is_tensor(value) for value in values):
            return sys.modules[adapter.engine]
    return importlib.import_module("autograd_lab")


def _slider(name: str, start: Any) -> ipywidgets.FloatSlider:
    parts = start if isinstance(start, tuple) else (start,)
    try:
        numbers = [float(part.item() if hasattr(part, "item") else part) for part in parts]
    except (TypeError, ValueError, RuntimeError):
        numbers = []
    if len(numbers) not in (1, 3) or not np.isfinite(numbers).all():
        raise TypeError(f"explore() got {describe(start)} for {name}; pass a number, or (number, low, high).")
    value = numbers[0]
    reach = max(1.0, 2 * abs(value))
    low, high = numbers[1:] if len(numbers) == 3 else (-reach, reach)
    if not low < high:
        raise TypeError(f"explore() got the range {short(low)} to {short(high)} for {name}; low must be below high.")
    start = min(max(value, low), high)
    step = (high - low) / 200
    return ipywidgets.FloatSlider(start, min=low, max=high, step=step, description=name, readout_format=".3g")
