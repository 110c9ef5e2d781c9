"""The calls that a notebook makes: inspect, step_through, watch, explore, draw."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from autograd_lab.inspector.drawing import Drawing
from autograd_lab.introspect import problems
from autograd_lab.introspect.adapters import adapters
from autograd_lab.introspect.calm import uncollected
from autograd_lab.introspect.names import name_tensors, namespace
from autograd_lab.introspect.recorder import record
from autograd_lab.introspect.walk import Walk

if TYPE_CHECKING:
    from autograd_lab.inspector.explorer import Explorer
    from autograd_lab.inspector.live import LiveInspector
    from autograd_lab.inspector.widget import GraphInspector

_MISSING: Any = object()  # so that a call without arguments can say what to pass


def inspect(*tensors: Any, **unknown: Any) -> GraphInspector:
    """Open the graph behind one or several tensors as it stands now.

    A bare `inspect()` opens every tensor with a graph that the notebook has a name for; where lab tensors and tensors
    of real torch stand side by side it opens the lab's and says how to open the others. Nothing runs, no hook is
    called, no `.grad` is touched.

    Args:
        tensors: lab tensors, or tensors of real torch.

    Raises:
        NotATensor: an argument is no tensor.
        NoGraph: a tensor has no graph, or there is none to open.
        UnknownKeyword: a keyword was given; there are none.

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.inspector import inspect
        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> inspect((x * x).sum())
        <GraphInspector of (x * x).sum(): 3 nodes, 3 edges>
    """
    problems.reject("inspect", unknown, ())
    with uncollected():
        note = ""
        if not tensors:
            tensors, note = _everything("inspect")
        return _widget()(Walk(tensors, call="inspect").snapshot(), note=note)


def step_through(loss: Any = _MISSING, **backward_kwargs: Any) -> GraphInspector:
    """Run `loss.backward(**backward_kwargs)` once, record it, and open the recording at step 0.

    The run is real: `.grad` is written, hooks run, buffers are freed. If it raises, the film ends at the node that
    raised and says why; the exception stands in `.trace.error`. `.drawing.to_html("film.html")` writes the film as one
    file that plays without a kernel.

    Args:
        loss: a tensor with a graph.
        backward_kwargs: `gradient`, `retain_graph`, `create_graph`, `inputs`.

    Raises:
        NotATensor, NoGraph, UnknownKeyword: what was given cannot be run.
        RuntimeError: what `backward` raises before it begins (a loss that is no scalar).

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.inspector import step_through
        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> film = step_through((x * x).sum())
        >>> x.grad
        tensor([2., 4.])
    """
    if loss is _MISSING:
        raise problems.NotATensor(
            "step_through() needs the tensor whose backward it runs; pass the result of a calculation, for example "
            "step_through(loss)."
        )
    return _widget()(record(loss, call="step_through", **backward_kwargs))


def watch(*tensors: Any, **unknown: Any) -> LiveInspector:
    """Open a live view: after each cell it shows the graph anew and marks what is new, changed, freed or gone.

    It follows names: when a later cell binds `loss` anew, the view shows the new graph. A bare `watch()` follows every
    tensor of the notebook. `stop()` on the result ends it.

    Args:
        tensors: what to follow.

    Raises:
        NotATensor, UnknownKeyword: as `inspect`.

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.inspector import watch
        >>> x = torch.tensor(2., requires_grad=True)
        >>> view = watch(x)
        >>> y = x * 3
        >>> view.stop()
    """
    problems.reject("watch", unknown, ())
    _widget()
    from autograd_lab.inspector.live import LiveInspector

    return LiveInspector(tensors)


def explore(function: Any = _MISSING, **leaves: Any) -> Explorer:
    """Put sliders on the leaves of a function: value, gradients, graph and the tangent follow.

    Args:
        function: takes the leaves by keyword and returns a tensor with one element.
        leaves: the start of each: a number, `(number, low, high)`, or a tensor with one element.

    Raises:
        TypeError: `function` cannot be called, no leaf was given, or one is no number.

    Example:
        >>> from autograd_lab.inspector import explore
        >>> view = explore(lambda x, y: x * x * y, x=3., y=2.)
        >>> view.value, view.gradients
        (18.0, {'x': 12.0, 'y': 9.0})
    """
    if function is _MISSING:
        raise TypeError("explore() needs a function and its leaves; pass both: explore(lambda x: x * x, x=1.).")
    _widget()
    from autograd_lab.inspector.explorer import Explorer

    return Explorer(function, leaves)


def draw(*tensors: Any, **unknown: Any) -> Drawing:
    """Draw the graph behind one or several tensors: a still picture that also exports.

    Of what `inspect` or `step_through` opened it gives the drawing, as `.drawing` does: `film.drawing.to_html()` is the
    film in one file.

    Args:
        tensors: lab tensors, tensors of real torch, or one view that is open.

    Returns:
        A Drawing: it shows itself as a picture, has a matplotlib `.figure`, and `.to_png()`, `.to_svg()`, `.to_dot()`,
        `.to_mermaid()`, `.to_html()`, `.to_json()`, `.to_networkx()`.

    Raises:
        NotATensor, NoGraph, UnknownKeyword: as `inspect`.

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.inspector import draw
        >>> x = torch.tensor(2., requires_grad=True)
        >>> print(draw(x * x).to_mermaid().splitlines()[0])
        flowchart TD
    """
    problems.reject("draw", unknown, ())
    opened = sys.modules.get("autograd_lab.inspector.widget")  # a view can only be given once its room is loaded
    if len(tensors) == 1 and opened is not None and issubclass(type(tensors[0]), opened.GraphInspector):
        return tensors[0].drawing
    return Drawing(Walk(tensors or _everything("draw")[0], call="draw").snapshot())


def _everything(call: str) -> tuple[tuple[Any, ...], str]:
    """Return every tensor of the namespace that has a graph, and a note on those of another engine.

    One view has one engine. Leaves are taken only where nothing was made of any.
    """
    variables = namespace()
    chosen: tuple[Any, ...] = ()
    note = ""
    for adapter in adapters():
        named = name_tensors(variables, adapter.is_tensor).values()
        found = [(tensor, names[0]) for tensor, names in named if adapter.has_graph(tensor)]
        found = [item for item in found if item[0].grad_fn is not None] or found
        if found and not chosen:
            chosen = tuple(tensor for tensor, _ in found)
        elif found:
            names = [name for _, name in found if name.isidentifier()][:3] or [found[0][1]]
            note = f"there are {adapter.engine} tensors too: {call}({', '.join(names)}) opens them"
    if chosen:
        return chosen, note
    raise problems.NoGraph(
        f"{call}() found no tensor with a graph among your variables. Pass the result of a calculation on tensors made "
        f"with requires_grad=True, for example {call}(loss)."
    )


def _widget() -> type[GraphInspector]:
    try:
        from autograd_lab.inspector.widget import GraphInspector
    except ImportError as problem:
        raise ImportError(
            f"The inspector needs {problem.name}, which is not installed. Run: pip install 'autograd-lab[course]'"
        ) from problem
    return GraphInspector
