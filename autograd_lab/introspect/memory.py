"""Group tensors by the memory they lie on: which share a storage, who wrote last, what the graph keeps alive."""

from __future__ import annotations

from typing import Any

from autograd_lab.introspect.model import Alias, Place, StorageInfo


class Memories:
    """The storages met during one walk; they are numbered S1, S2, … in the order of meeting."""

    def __init__(self, adapter: Any) -> None:
        self.adapter = adapter
        self.ids: dict[Any, str] = {}
        self.found: dict[str, dict[str, Any]] = {}
        self._places: dict[int, tuple[Any, Any]] = {}

    def place(self, value: Any) -> Any:
        """Return the piece of memory behind a tensor or an array; who is asked for twice is looked at once."""
        known = self._places.get(id(value))
        if known is None or known[0] is not value:
            known = self._places[id(value)] = value, self.adapter.memory(value)  # held, so that its id stays its own
        return known[1]

    def note(
        self, label: str, value: Any, written: Place | None = None, in_graph: bool = True, kept: bool = False
    ) -> str | None:
        """Note a tensor (or a saved array) and return the id of its storage; strangers open no new storage."""
        place = self.place(value)
        if place is None:
            return None
        key, nbytes, offset, length = place
        if key not in self.ids:
            if not in_graph:
                return None
            self.ids[key] = f"S{len(self.ids) + 1}"
            self.found[self.ids[key]] = {
                "nbytes": nbytes,
                "aliases": {},
                "version": None,
                "written": None,
                "kept": False,
            }
        name = self.ids[key]
        entry = self.found[name]
        entry["kept"] = entry["kept"] or kept
        if label and (label, offset, length) not in entry["aliases"]:
            shape = tuple(int(size) for size in value.shape)
            entry["aliases"][label, offset, length] = Alias(label, offset, length, shape, in_graph)
        if self.adapter.is_tensor(value):
            version = self.adapter.version(value)
            if version is not None:
                entry["version"] = max(version, entry["version"] or 0)
            written = written or self.adapter.written(value)
        entry["written"] = entry["written"] or written
        return name

    def storages(self) -> tuple[StorageInfo, ...]:
        """Return what was noted."""
        return tuple(
            StorageInfo(name, e["nbytes"], tuple(e["aliases"].values()), e["version"], e["written"], e["kept"])
            for name, e in self.found.items()
        )
