"""The op table: declarations and nothing else, one room for each kind of operation.

The rooms of everyday operations are imported with the package. The others, about two thirds, are imported together when
one of their names is first asked for: on torch, on a tensor, in a formula or in the table. That keeps the import short.
"""

from importlib import import_module

from autograd_lab.core import op, public, rooms
from autograd_lab.ops import casts as casts
from autograd_lab.ops import compare as compare
from autograd_lab.ops import create as create
from autograd_lab.ops import data as data
from autograd_lab.ops import everyday as everyday
from autograd_lab.ops import indexing as indexing
from autograd_lab.ops import linear as linear
from autograd_lab.ops import pointwise as pointwise
from autograd_lab.ops import power as power
from autograd_lab.ops import reduction as reduction
from autograd_lab.ops import rounding as rounding
from autograd_lab.ops import shape as shape
from autograd_lab.ops import view_ops as view_ops
from autograd_lab.ops import words as words

LATER = (
    "activation", "bags", "blend", "chains", "choice", "complexes", "convolution", "cumulative", "decompositions",
    "distances", "extreme_values", "extremes", "gammas", "gates", "index_writes", "joining", "loss", "margins",
    "measures", "normalization", "norms", "numbers", "ordering", "padding", "parts", "pointwise_float", "products",
    "random_inplace", "random_ops", "ranges", "resampling", "scatter", "searching", "shape_inplace", "softmax",
    "statistics", "steps", "storages", "strided_ops", "thresholds", "trigonometry", "forms",
)  # fmt: skip


def load_all() -> None:
    """Import every room of the table."""
    rooms.open_the_rest = None      # a room that asks for a name while it is opened must not begin again
    for room in LATER:
        import_module(f"autograd_lab.ops.{room}")
    public.publish(op.functions, op.Tensor, op.table)
    public.publish_inner(op.functions, {"cdist": ("cdist", "x1", "x2", "p", None)})


public.publish(op.functions, op.Tensor, op.table)
public.publish_methods(op.Tensor)
rooms.open_the_rest = load_all
