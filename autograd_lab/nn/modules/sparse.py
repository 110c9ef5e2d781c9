"""Embedding: a table of vectors, looked up by number."""

from __future__ import annotations

from typing import Any

from autograd_lab.autograd import no_grad
from autograd_lab.core.parameter import Parameter
from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class Embedding(Module):
    """Look vectors up by number; the table is learned, its first values are normal.

    Shapes: integers (…) to (…, embedding_dim).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html

    Args:
        num_embeddings, embedding_dim: the table's size.
        padding_idx: the row that stays zero and gets no gradient.
        max_norm, norm_type: rows that are looked up are shortened to this norm first.
        scale_grad_by_freq: divide a row's gradient by how often the row was looked up.
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None,
                 max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
                 sparse: bool = False, _weight: Any = None, _freeze: bool = False, device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if padding_idx > 0 and padding_idx >= num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            if padding_idx < 0:
                if padding_idx < -num_embeddings:
                    raise AssertionError("Padding_idx must be within num_embeddings")
                padding_idx += num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        if _weight is None:
            self.weight = new_parameter(num_embeddings, embedding_dim, dtype=dtype)
            self.weight.requires_grad_(not _freeze)
            self.reset_parameters()
        else:
            if list(_weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self) -> None:
        """Draw the table anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Any) -> Any:
        """Look the numbers up."""
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                           self.sparse)  # fmt: skip

    def extra_repr(self) -> str:
        """Return the sizes, leaving out what is usual."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        for name, usual in (("padding_idx", None), ("max_norm", None), ("norm_type", 2), ("scale_grad_by_freq", False)):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text + (", sparse=True" if self.sparse else "")

    @classmethod
    def from_pretrained(cls, embeddings: Any, freeze: bool = True, padding_idx: int | None = None,
                        max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
                        sparse: bool = False) -> Embedding:  # fmt: skip
        """Return a module around a table that exists; `freeze` keeps it from learning."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)
