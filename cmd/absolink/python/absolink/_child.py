"""A running absolink --pipe: its start, its end, and its descriptors in forked processes.

A process that forks has descriptors of the same pipes as its parent. Two rules keep the frames of the parent whole:
nothing here buffers bytes that a later flush would write, and a forked process closes its copies at once. So the parent
alone decides when its child reads the end of its input.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
import threading
import weakref
from collections import deque

from . import _program
from ._errors import Error
from ._transport import Bytes, Threaded, Transport

_starts = threading.Lock()  # held while a child starts, and while this process forks
_children: weakref.WeakSet[Child] = weakref.WeakSet()


def exclusive() -> threading.Lock:
    """Return a lock that is held while this process forks."""
    return _starts


class Child:
    """One process of the program. Its owner must not use it from two threads at once."""

    transport: type[Transport | Threaded] = Transport  # tests replace it

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self.pid = os.getpid()
        self._stderr = tempfile.TemporaryFile()
        with exclusive():
            theirs, self.stdin = os.pipe()
            self.stdout, ours = os.pipe()
            try:
                self.process = subprocess.Popen(
                    [_program.path(), *arguments],
                    stdin=theirs,
                    stdout=ours,
                    stderr=self._stderr,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # of Windows
                )
            except OSError as e:
                os.close(self.stdin)
                os.close(self.stdout)
                self.stdin = -1
                self._stderr.close()
                raise Error(f"{_program.path()} does not start: {e.strerror}") from e
            finally:
                os.close(theirs)
                os.close(ours)
            self.pipes = self.transport(self.stdin, self.stdout)
            _children.add(self)

    def move(self, frames: deque[Bytes], timeout: float) -> bytes | None:
        """Write from frames and return bytes of the child, as Transport.move does."""
        return self.pipes.move(frames, timeout)

    def close(self, patience: float = 5.0) -> str:
        """End the child and return the text of its standard error.

        The child has patience seconds to end by itself. In a forked process close returns an empty text.
        """
        if self.stdin < 0:
            return ""
        self.pipes.close()
        os.close(self.stdin)
        os.close(self.stdout)
        self.stdin = -1
        if patience <= 0:
            self.process.kill()
        try:
            self.process.wait(max(patience, 5.0))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with self._stderr:
            self._stderr.seek(0)
            return self._stderr.read(65536).decode(errors="replace").strip()

    def forget(self) -> None:
        """Close the descriptors in a forked process. The child belongs to the parent."""
        if self.stdin < 0:
            return
        self.pipes.forget()
        os.close(self.stdin)
        os.close(self.stdout)
        self.stdin = -1
        self._stderr.close()
        self.process.returncode = 0  # so that nobody waits for it here

    def __del__(self) -> None:
        if getattr(self, "stdin", -1) < 0 or not hasattr(self, "pipes"):
            return
        if self.pid == os.getpid():
            self.close()
        else:
            self.forget()


def _end_all() -> None:
    for child in list(_children):
        if child.pid == os.getpid():
            child.close()


def _forget_all() -> None:
    global _starts
    _starts = threading.Lock()
    for child in list(_children):
        child.forget()
    _children.clear()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _starts.acquire(),
        after_in_parent=lambda: _starts.release(),
        after_in_child=_forget_all,
    )
