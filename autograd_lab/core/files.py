"""Tensors in files: `torch.save` and `torch.load` in a format of the lab's own.

A file is a zip archive with two kinds of members: `structure.json`, a flat table of the objects (so that shared and
cyclic references and any depth survive), and one `.npy` per memory, so that tensors that shared memory share it again.
Nothing in it is executed on loading. torch cannot read it, and the lab cannot read torch's files, which are pickles.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autograd_lab.core.packing import Packer, unpack

FORMAT, VERSION = "autograd_lab", 1
STRUCTURE = "structure.json"


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2,
         _use_new_zipfile_serialization: bool = True) -> None:  # fmt: skip
    """Write an object to a file.

    Args:
        obj: tensors, parameters, numbers, strings, bytes, None, dtypes, sizes, ndarrays, and dicts, lists, tuples and
            sets of them.
        f: a path, which is replaced only when everything has been written, or an open binary file.
        pickle_module, pickle_protocol: accepted and without effect, since nothing is pickled.

    A tensor that was computed comes back as a leaf. Raises TypeError for an object of another class (save a module's
    `state_dict()`).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.save.html

    >>> import autograd_lab as torch, io
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.Tensor([1, 2])}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 2.])}
    """
    packer = Packer()
    root = packer.pack(obj)
    if hasattr(f, "write"):
        _write(f, packer, root)
        return
    path = Path(os.fspath(f))
    if not path.parent.is_dir():
        raise RuntimeError(f"Parent directory {path.parent} does not exist.")
    descriptor, name = tempfile.mkstemp(prefix=path.name + ".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _write(file, packer, root)
        # mkstemp lets only the owner read; a file that existed keeps its mode, a new one gets the usual one.
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write(file: Any, packer: Packer, root: int) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        table = {"format": FORMAT, "version": VERSION, "root": root, "objects": packer.objects}
        archive.writestr(STRUCTURE, json.dumps(table))
        for number, memory in enumerate(packer.memories):
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, memory, allow_pickle=False)
            archive.writestr(f"memory/{number}.npy", buffer.getvalue())


def load(f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None,
         mmap: bool | None = None, **pickle_load_args: Any) -> Any:  # fmt: skip
    """Read an object that `save` wrote.

    Args:
        f: a path or an open, seekable binary file.
        map_location, pickle_module, weights_only, mmap: accepted and without effect: there is one device, and
            loading never executes anything.

    Raises FileNotFoundError, and RuntimeError for a file that is damaged or of another format.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.load.html
    """
    if hasattr(f, "read"):
        return _read(f, getattr(f, "name", "the given file"))
    with open(os.fspath(f), "rb") as file:
        return _read(file, os.fspath(f))


def _read(file: Any, name: Any) -> Any:
    refuse: Callable[[str], RuntimeError] = lambda why: RuntimeError(f"autograd_lab cannot load {name!s}: {why}.")
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.namelist()
            if STRUCTURE not in members:
                if any(member.endswith("data.pkl") for member in members):
                    raise refuse("it was written by the real torch; the lab reads only files of its own torch.save")
                raise refuse("it is an archive, but was not written by torch.save")
            table = json.loads(archive.read(STRUCTURE))
            if table.get("format") != FORMAT or table.get("version") != VERSION:
                raise refuse(f"its format is {table.get('format')!r}, version {table.get('version')!r}")
            count = sum(member.startswith("memory/") for member in members)
            memories = []
            for number in range(count):
                buffer = io.BytesIO(archive.read(f"memory/{number}.npy"))
                memories.append(np.lib.format.read_array(buffer, allow_pickle=False))
            return unpack(table["objects"], table["root"], memories)
    except zipfile.BadZipFile:
        raise refuse("it is damaged, or was not written by torch.save") from None
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        raise refuse(f"its contents are damaged ({type(error).__name__}: {error})") from error
