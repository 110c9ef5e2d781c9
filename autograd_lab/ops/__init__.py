"""The op table: declarations and nothing else, one room for each kind of operation."""

from autograd_lab.ops import pointwise as pointwise
