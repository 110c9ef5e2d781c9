"""Let one kernel at a time change the progress file, also when another one died in the middle."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path


class Lock:
    """Hold the file for one kernel at a time. The system itself lets go when a kernel dies, so no lock grows stale."""

    PATIENCE = 10.0
    """Seconds to wait for the other kernel; writing takes it a few thousandths of one."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f".{path.name}.lock")

    def __enter__(self) -> None:
        self.file = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o666)
        give_up = time.monotonic() + self.PATIENCE
        try:
            while not _try_to_lock(self.file):
                if time.monotonic() > give_up:
                    raise OSError(errno.EBUSY, "another notebook has held it for ten seconds", str(self.path))
                time.sleep(0.01)
        except BaseException:
            os.close(self.file)
            raise

    def __exit__(self, *_: object) -> None:
        # The lock file stays: whoever removed it could take it from under a kernel that has just opened it.
        os.close(self.file)


def _try_to_lock(file: int) -> bool:
    """Return whether the whole system agrees that this file is ours; a disk without locks agrees to everything."""
    try:
        import fcntl
    except ImportError:
        return _try_to_lock_on_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EINTR)
    return True


def _try_to_lock_on_windows(file: int) -> bool:
    try:
        import msvcrt
    except ImportError:  # the browser's Python: one kernel, nobody to wait for
        return True
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EDEADLK)
    return True
