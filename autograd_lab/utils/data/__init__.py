"""Data sets and the batches made of them, the small part of torch's `torch.utils.data` that one process needs.

Source: https://docs.pytorch.org/docs/stable/data.html
"""

from autograd_lab.core.missing import answers_for
from autograd_lab.utils.data.collate import default_collate
from autograd_lab.utils.data.dataloader import DataLoader
from autograd_lab.utils.data.dataset import (
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from autograd_lab.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
)

__all__ = [
    "BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler",
    "SequentialSampler", "Subset", "SubsetRandomSampler", "TensorDataset", "default_collate", "random_split",
]  # fmt: skip
__getattr__ = answers_for("torch.utils.data", __all__)
