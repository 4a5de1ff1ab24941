"""A running absolink --pipe: its start, its end, and its descriptors in forked processes.

A process that forks has descriptors of the same pipes as its parent. Two rules keep the frames of the parent whole:
nothing here buffers bytes that a later flush would write, and a forked process closes its copies at once. So the parent
alone decides when its child reads the end of its input.

A number of a descriptor is free for other files as soon as it is closed. So a child forgets its numbers before it
closes them, and this process does not fork in between.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import deque
from contextlib import AbstractContextManager
from typing import IO, TypeAlias

from . import _program
from ._errors import Error
from ._transport import Bytes, Threaded, Transport

Process: TypeAlias = tuple[int, int]

_starts = threading.RLock()  # held while descriptors are opened or closed, and while this process forks
_children: weakref.WeakSet[Child] = weakref.WeakSet()
_unwaited: set[subprocess.Popen[bytes]] = set()  # closed children; an interrupt may keep close from waiting for them
_forks = 0  # between the first process and this one
_ending = False  # this process runs its last functions
_pool_worker: Process | None = None  # a worker of multiprocessing that ends its children when it ends


def exclusive() -> AbstractContextManager[bool]:
    """Return a lock that is held while this process forks."""
    return _starts


def process() -> Process:
    """Return what tells this process from those that it was forked from, whose numbers may come again."""
    return os.getpid(), _forks


class Child:
    """One process of the program. Its owner must not use it from two threads at once."""

    transport: type[Transport | Threaded] = Transport  # tests replace it

    stdin = stdout = -1  # an interrupt may end __init__ before its first line
    owner: Process = (0, 0)

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self.stdin = self.stdout = -1  # both are -1 after the end
        self.owner = process()
        if _ending and threading.current_thread() is not threading.main_thread():
            raise Error("this process ends: its threads get no more answers")
        command = [_program.path(), *arguments]
        self._moves = threading.RLock()  # held while bytes are moved
        self._stderr = tempfile.TemporaryFile()
        _end_with_worker()
        _reap()
        with exclusive():
            try:
                theirs, self.stdin = os.pipe()
                try:
                    self.stdout, ours = os.pipe()
                except BaseException:
                    os.close(theirs)
                    raise
                self.process = _start(command, theirs, ours, self._stderr)
                self.pipes = self.transport(self.stdin, self.stdout)
                _children.add(self)
                _unwaited.discard(self.process)
            except BaseException as e:
                self._close()
                self._stderr.close()
                if isinstance(e, OSError):
                    hint = "; map_file reads rules from a file" if e.errno == errno.E2BIG else ""
                    raise Error(f"{command[0]} does not start: {e.strerror}{hint}") from e
                raise

    def move(self, frames: deque[Bytes], timeout: float) -> bytes | None:
        """Write from frames and return bytes of the child, as Transport.move does."""
        with self._moves:
            if self.stdin < 0:
                return b""
            return self.pipes.move(frames, timeout)

    def close(self, patience: float = 5.0) -> str:
        """End the child and return the text of its standard error.

        The child has patience seconds to end by itself. If it has ended, or in a forked process, the text is empty.
        """
        if self.stdin < 0:
            return ""
        _unwaited.add(self.process)
        try:
            if not self._close():
                return ""
            if patience <= 0:
                self.process.kill()
            if not _wait(self.process, max(patience, 5.0)):
                self.process.kill()
                _wait(self.process)
        except BaseException:
            self.process.kill()
            _wait(self.process)
            raise
        finally:
            _reap()
        with self._stderr:
            self._stderr.seek(0)
            return self._stderr.read(65536).decode(errors="replace").strip()

    def end(self) -> None:
        """End the child at the end of this process. A thread that waits for it reads the end of its output."""
        if self._moves.acquire(blocking=False):
            try:
                self.close()
            finally:
                self._moves.release()
        else:
            self.process.kill()
            _wait(self.process)

    def forget(self) -> None:
        """Close the descriptors in a forked process. The child belongs to the parent."""
        if self._close():
            self._stderr.close()
            self.process.returncode = 0  # so that nobody waits for it here

    def _close(self) -> bool:
        """Close the descriptors, and report whether they were open."""
        with exclusive():
            fds = [fd for fd in (self.stdin, self.stdout) if fd >= 0]
            if not fds:
                return False
            try:
                self.stdin = self.stdout = -1
                if hasattr(self, "pipes"):
                    if self.owner == process():
                        self.pipes.close()
                    else:
                        self.pipes.forget()
            finally:
                for fd in fds:
                    os.close(fd)
        return True

    def __del__(self) -> None:
        if self.owner == process():
            self.close()
        else:
            self.forget()


def _start(command: list[str], stdin: int, stdout: int, stderr: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a process, and close its ends of the pipes here. Until the caller discards it, it is in _unwaited.

    An interrupt may end Popen after the process has begun, and then nobody knows its number. Interrupts arrive in the
    main thread alone, so another thread starts the process.
    """
    outcome: list[subprocess.Popen[bytes] | BaseException] = []

    def start() -> None:
        try:
            flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of Windows
            started = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, creationflags=flags)
            _unwaited.add(started)
            outcome.append(started)
        except BaseException as e:
            outcome.append(e)
        finally:
            os.close(stdin)
            os.close(stdout)

    interrupt: BaseException | None = None
    thread = threading.Thread(target=start, name="absolink")
    try:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError
        thread.start()
    except RuntimeError:  # or at the end of the interpreter, which starts no threads
        start()
    except BaseException as e:
        interrupt = e
    while thread.is_alive():
        try:
            thread.join()
        except BaseException as e:
            interrupt = e
    if interrupt is not None:
        raise interrupt
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _wait(ended: subprocess.Popen[bytes], timeout: float | None = None) -> bool:
    """Wait at most timeout seconds, and report whether the process has ended.

    Popen.wait would do, but an interrupt may leave it locked for ever.
    """
    if sys.platform == "win32":
        with contextlib.suppress(subprocess.TimeoutExpired):
            ended.wait(timeout)
        return ended.returncode is not None
    limit = time.monotonic() + (math.inf if timeout is None else timeout)
    delay = 0.0005
    while ended.returncode is None:
        try:
            pid, status = os.waitpid(ended.pid, os.WNOHANG)
        except ChildProcessError:  # somebody else has waited for it
            ended.returncode = 0
            break
        if pid:
            ended.returncode = os.waitstatus_to_exitcode(status)
        elif (rest := limit - time.monotonic()) <= 0:
            return False
        else:
            time.sleep(min(delay, rest))
            delay = min(delay * 2, 0.05)
    return True


def _reap() -> None:
    """Wait for children that were closed, if they have ended."""
    for ended in list(_unwaited):
        if _wait(ended, 0):
            _unwaited.discard(ended)


def _end_all() -> None:
    for child in list(_children):
        if child.owner == process():
            child.end()
    for ended in list(_unwaited):
        ended.kill()
        _wait(ended)
        _unwaited.discard(ended)


def _end_process() -> None:
    global _ending
    _ending = True
    _end_all()


def _end_with_worker() -> None:
    """End the children of a worker of multiprocessing with it: such a process does not run functions of atexit."""
    global _pool_worker
    multiprocessing = sys.modules.get("multiprocessing.process")
    if multiprocessing is None or _pool_worker == process() or multiprocessing.parent_process() is None:
        return
    from multiprocessing.util import Finalize

    Finalize(None, _end_all, exitpriority=0)
    _pool_worker = process()


def _forget_all() -> None:
    global _starts, _forks
    _starts = threading.RLock()
    _forks += 1
    for child in list(_children):
        with contextlib.suppress(Exception):  # the others must be closed all the same
            child.forget()
    _children.clear()
    for ended in _unwaited:
        ended.returncode = 0  # it belongs to the parent
    _unwaited.clear()


atexit.register(_end_process)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _starts.acquire(),
        after_in_parent=lambda: _starts.release(),
        after_in_child=_forget_all,
    )
