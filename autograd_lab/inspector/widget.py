"""The inspector as a notebook widget: one synced view model, and the few values that a reader changes."""

from __future__ import annotations

import json
from typing import Any

import anywidget
import ipywidgets
import traitlets

from autograd_lab.inspector import shipped, sketch, text
from autograd_lab.inspector.drawing import Drawing
from autograd_lab.inspector.film import film as film_of
from autograd_lab.inspector.fold import fold
from autograd_lab.inspector.later import after_cell
from autograd_lab.inspector.panel import Panels
from autograd_lab.inspector.stacks import Stacks
from autograd_lab.inspector.strokes import still
from autograd_lab.inspector.view import count, opening_of, picture_of, shown_nodes
from autograd_lab.introspect.calm import uncollected
from autograd_lab.introspect.forecast import begin, forecast
from autograd_lab.introspect.model import BackwardTrace, GraphSnapshot

# As text a large scene is packed once; as a tree ipywidgets would search it for binary parts, and search it again.
_JSON = {
    "to_json": lambda value, _: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    "from_json": lambda value, _: json.loads(value) if isinstance(value, str) else value,
}
VIEW_MIME = "application/vnd.jupyter.widget-view+json"


class _Lean(anywidget.AnyWidget):
    """A widget whose class has every trait already: anywidget would make a new class for each inspector."""

    _anywidget_id = traitlets.Unicode("autograd_lab").tag(sync=True)

    def add_traits(self, **wanted: Any) -> None:
        """Add what the class does not have."""
        missing = {name: trait for name, trait in wanted.items() if not self.has_trait(name)}
        if missing:
            super().add_traits(**missing)


class Library(_Lean):
    """The inspector's module and style sheet, sent once for all inspectors of a kernel; it shows nothing itself."""

    _esm = traitlets.Unicode(shipped.library()).tag(sync=True)

    _open: Library | None = None

    @classmethod
    def here(cls) -> Library:
        """Return the library of this kernel; somebody may have closed all widgets since it was sent."""
        if cls._open is None or cls._open.comm is None:
            cls._open = cls()
        return cls._open


class GraphInspector(_Lean):
    """A graph, or a recorded backward, opened in a notebook.

    `step`, `selected`, `query` and `breaks` follow the reader and may be set and observed from Python:

        inspector.step = 3
        inspector.selected = "loss"
        inspector.observe(lambda change: print(change.new), "selected")

    A saved notebook keeps a picture and the words, which GitHub, nbconvert and a notebook that is not trusted show. For
    a film that still plays when the notebook is opened again without its kernel, switch JupyterLab's Settings, Save
    Widget State Automatically, on before saving, or write the film with `inspector.drawing.to_html("film.html")`.

    Attributes:
        step: the step that is shown, 0 before the first.
        selected: id of the selected node; a variable's name is taken too.
        query: what the reader searches.
        breaks: ids of the nodes at which playing stops.
        expanded: ids of the stacks that the reader opened, `"*"` for all; Python answers with a new `picture`.
        more: panels that follow the first picture.
        asked: the panel of a node of a large graph, sent when the reader selects the node.
        movie: the film's steps in words and changes; they too follow the first picture.
        snapshot: the graph.
        trace: the recorded run, None for a graph that was only looked at.
    """

    _esm = traitlets.Unicode(shipped.each()).tag(sync=True)

    library = traitlets.Instance(Library).tag(sync=True, **ipywidgets.widget_serialization)
    scene = traitlets.Dict().tag(sync=True, **_JSON)
    step = traitlets.Int(0, min=0).tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    query = traitlets.Unicode("").tag(sync=True)
    breaks = traitlets.List(traitlets.Unicode()).tag(sync=True)
    expanded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    picture = traitlets.Dict().tag(sync=True, **_JSON)
    more = traitlets.Dict().tag(sync=True, **_JSON)
    asked = traitlets.Dict().tag(sync=True, **_JSON)
    movie = traitlets.Dict().tag(sync=True, **_JSON)

    def __init__(self, source: GraphSnapshot | BackwardTrace, step: int = 0, note: str = "", **traits: Any) -> None:
        self.note = note
        with uncollected():
            self._take(source)
            roots = self.snapshot.roots
            selected = traits.pop("selected", roots[0] if roots else "")
            scene = self._opening(selected) | ({"note": note} if note else {})
            super().__init__(library=Library.here(), scene=scene, step=step, selected=selected, **traits)
        self.on_msg(self._answer)
        after_cell(self._complete)

    def _take(self, source: GraphSnapshot | BackwardTrace) -> None:
        self.snapshot = source.snapshot if isinstance(source, BackwardTrace) else source
        self.trace = source if isinstance(source, BackwardTrace) and source.mode == "recorded" else None
        self._played = source if isinstance(source, BackwardTrace) else None
        self._forecast_made = self._played is not None
        self._panels = Panels(self.snapshot, self.trace)
        self._movie: dict[str, Any] = {}

    @property
    def film(self) -> BackwardTrace | None:
        """What the timeline plays: the recorded run, or a forecast; None for a very large graph."""
        if not self._forecast_made:  # the first picture does not wait for it
            self._played, self._forecast_made = forecast(self.snapshot), True
        return self._played

    def _answer(self, _: Any, content: Any, __: Any) -> None:
        """A page that the library has not reached asks for it."""
        if isinstance(content, dict) and content.get("library") == "wanted":
            self.send({"library": shipped.library()})

    def _opening(self, selected: str) -> dict[str, Any]:
        """Return the scene that is sent first: the picture, and the panel that stands open beside it."""
        begun = begin(self.snapshot) if not self._forecast_made else None
        scene = opening_of(begun[0] if begun else self.film or self.snapshot)
        if begun:
            scene["film"]["last"] = begun[1]
        node = self.snapshot.index.get(selected)
        scene["panels"] = {selected: self._panels.panel(node)} if node is not None else {}
        return scene

    def _complete(self) -> None:
        """Send what the first picture could do without: the other panels, and the film."""
        with uncollected():
            graph = self.snapshot
            wanted = [name for name in shown_nodes(graph, self.scene) if name not in self.scene["panels"]]
            with self.hold_sync():
                self.more = {name: self._panels.panel(graph.index[name]) for name in wanted}
                self.movie = self._whole_film()

    def _whole_film(self) -> dict[str, Any]:
        if not self._movie and self.film is not None:
            self._movie = film_of(self.film)
        return self._movie

    def show(self, source: GraphSnapshot | BackwardTrace, note: str = "", marks: dict[str, str] | None = None) -> None:
        """Show another graph or run in the same place.

        Args:
            source: the new snapshot or trace.
            note: words for the status line.
            marks: words for single nodes, `new`, `changed` or `freed`, by node id.
        """
        with uncollected():
            self._take(source)
            selected = self.selected
            if selected not in self.snapshot.index:
                selected = self.snapshot.roots[0] if self.snapshot.roots else ""
            scene = self._opening(selected)
            scene["note"] = note
            for card in scene["pictures"][scene["picture"]]["cards"]:
                said = next((marks[node] for node in card["nodes"] if node in marks), "") if marks else ""
                if said:
                    card["mark"] = said
                    card["aria"] += f", {said}"
            with self.hold_sync():
                self.expanded, self.picture, self.more, self.asked, self.movie = [], {}, {}, {}, {}
                self.step = self.step  # inside the new film
                self.selected = selected
                self.scene = scene
        after_cell(self._complete)

    @traitlets.validate("step")
    def _inside(self, proposal: Any) -> int:
        if proposal["value"] <= 0:  # no film is made to say so
            return 0
        return min(len(self.film.steps) if self.film is not None else 0, proposal["value"])

    @traitlets.validate("selected")
    def _known(self, proposal: Any) -> str:
        return self._node_of(proposal["value"], "selected")

    @traitlets.validate("breaks")
    def _all_known(self, proposal: Any) -> list[str]:
        return [self._node_of(name, "breaks") for name in proposal["value"]]

    def _node_of(self, name: str, trait: str) -> str:
        """Return the id of a node or stack; a name of the user's stands for the node that it belongs to."""
        if not name or name in self.snapshot.index or name in self._stacks:
            return name
        found = next((node.id for node in self.snapshot.nodes if name in node.names or name == node.label), None)
        if found is None:
            names = list(dict.fromkeys(name for node in self.snapshot.nodes for name in node.names))
            known = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
            last = self.snapshot.nodes[-1].id if self.snapshot.nodes else "n0"
            raise traitlets.TraitError(
                f"There is no node {name!r} in this graph, so it cannot be in .{trait}. Pass the id of a node, n0 to "
                f"{last}{f', or a name: {known}' if known else ''}."
            )
        return found

    def set_state(self, sync_data: Any) -> None:
        """Take what the reader did; a click in a picture that was just replaced names nodes that are gone."""
        known = self.snapshot.index.keys() | self._stacks | {""}
        if sync_data.get("selected", "") not in known:
            sync_data = {name: value for name, value in sync_data.items() if name != "selected"}
        if "breaks" in sync_data:
            sync_data = {**sync_data, "breaks": [name for name in sync_data["breaks"] if name in known]}
        super().set_state(sync_data)

    def _cards(self) -> list[dict[str, Any]]:
        """Return the cards of every picture that was sent, the one that is shown first."""
        sheets = [self.picture, *self.scene.get("pictures", {}).values()]
        return [card for sheet in sheets for card in sheet.get("cards", ())]

    @property
    def _stacks(self) -> set[str]:
        return {card["id"] for card in self._cards()}

    @traitlets.observe("expanded")
    def _expand(self, change: Any) -> None:
        if not change["new"]:
            self.picture = {}
            return
        gone = next((card["nodes"][0] for card in self._cards() if card["id"] == self.selected), None)
        folds = fold(self.snapshot, frozenset(change["new"]))
        stacks = Stacks(self.snapshot, self.trace)
        inside = {"stacks": {item.id: stacks.panel(item) for item in folds}}
        with self.hold_sync():
            self.picture = picture_of(self.film or self.snapshot, folds) | inside
            if gone is not None and self.selected in change["new"]:  # select what stands first in the opened stack
                found = next(card for card in self.picture["cards"] if gone in card["nodes"])
                self.selected = found["id"] if "stack" in found else gone

    @traitlets.observe("selected")
    def _tell_more(self, change: Any) -> None:
        node = self.snapshot.index.get(change["new"])
        if node is not None and node.id not in self.scene.get("panels", {node.id: None}) and node.id not in self.more:
            self.asked = {node.id: self._panels.panel(node)}

    @property
    def drawing(self) -> Drawing:
        """The step that is shown as a still drawing; its `to_html` writes the whole film."""
        return Drawing(self.film or self.snapshot, self.step)

    def __repr__(self) -> str:
        graph = self.snapshot
        words = f"{count(len(graph.nodes), 'node')}, {count(len(graph.edges), 'edge')}"
        if self.trace is not None:
            words += f", {count(len(self.trace.steps), 'step')}"
        return f"<GraphInspector of {graph.title}: {words}>"

    def __str__(self) -> str:
        words = text.trace_text(self.trace, self.step) if self.trace is not None else text.graph_text(self.snapshot)
        return f"{words}\nNote: {self.note}" if self.note else words

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the widget where a kernel lives, the picture where none does, the words everywhere."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        if not data:
            return bundle
        data = dict(data)
        with uncollected():
            data["text/plain"] = str(self)
            at = still(self.scene, self.step)
            data["image/png"] = sketch.png(self.scene | {"film": self._whole_film()} if at else self.scene, at)
        return data, {**metadata, "image/png": {"alt": f"Graph of {self.snapshot.title}"}}
