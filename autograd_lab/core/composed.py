"""`@composed`: public functions that are made of declared operations, or that choose between several of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lab.core.op import functions, tensors
from autograd_lab.core.tensor import Tensor


def composed(*, name: str | None = None, function: bool = True, method: bool = True, aliases: tuple[str, ...] = (),
             vocabulary: bool = True) -> Callable:  # fmt: skip
    """Publish a function under torch's names.

    Options:
        function: as torch.<name>. method: as a method of Tensor; "only here" cases switch one of them off.
        aliases: further names. vocabulary: formulas may call it (`xp.<name>`) in a recorded backward.
    """

    def publish(made: Callable) -> Callable:
        names = (name or made.__name__, *aliases)
        made.__name__ = made.__qualname__ = names[0]
        made.__module__ = "autograd_lab"
        for public in names:
            if function:
                functions[public] = made
            if method:
                setattr(Tensor, public, made)
        if vocabulary and names[0] not in vars(tensors):    # asked so, it opens no other rooms
            setattr(tensors, names[0], made)
        return made

    return publish


def attribute(name: str, getter: Callable[[Any], Any]) -> None:
    """Add a read-only attribute to Tensor."""
    from autograd_lab.core.tensor import refuse

    setattr(Tensor, name, property(getter, refuse(name), doc=getter.__doc__))
