"""Moves bytes to and from a child without blocking on either pipe."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import sys
import threading
from collections import deque
from typing import TypeAlias

CHUNK = 1 << 18
Bytes: TypeAlias = bytes | memoryview


class Hung(Exception):
    """Nothing moved within the timeout."""


class Threaded:
    """Moves bytes with two threads, for systems whose pipes have no poll."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._frames: queue.SimpleQueue[Bytes | None] = queue.SimpleQueue()
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._fds = (os.dup(stdin), os.dup(stdout))
        for work, fd in zip((self._write, self._read), self._fds):
            threading.Thread(target=work, args=(fd,), daemon=True, name="absolink").start()

    def _write(self, fd: int) -> None:
        try:
            while (frame := self._frames.get()) is not None:
                rest = memoryview(frame)
                while rest:
                    rest = rest[os.write(fd, rest[:CHUNK]) :]
        except OSError:
            pass  # the child is dead: its output ends, too
        finally:
            os.close(fd)

    def _read(self, fd: int) -> None:
        chunk = b"more"
        while chunk:
            try:
                chunk = os.read(fd, CHUNK)
            except OSError:
                chunk = b""
            self._chunks.put(chunk)
        os.close(fd)

    def move(self, frames: deque[Bytes], timeout: float) -> bytes | None:
        """Take all frames, and return bytes of the child: b"" at the end, None if the timeout is 0 and there are none.

        If nothing arrives within timeout seconds, move raises Hung.
        """
        while frames:
            self._frames.put(frames.popleft())
        try:
            return self._chunks.get(timeout > 0, timeout)
        except queue.Empty:
            if timeout > 0:
                raise Hung from None
            return None

    def close(self) -> None:
        """End the thread that writes, which closes its pipe."""
        self._frames.put(None)

    def forget(self) -> None:
        """Close the descriptors in a forked process, which has no threads."""
        for fd in self._fds:
            os.close(fd)


if sys.platform == "win32":
    Transport = Threaded
else:
    import fcntl
    import select

    class Polled:
        """Moves bytes when poll says that a pipe is ready."""

        def __init__(self, stdin: int, stdout: int) -> None:
            self._stdin = stdin
            self._stdout = stdout
            self._writable = True  # false once the child has closed its input
            for fd in (stdin, stdout):
                os.set_blocking(fd, False)
                _widen(fd)
            self._both = select.poll()
            self._both.register(stdin, select.POLLOUT)
            self._both.register(stdout, select.POLLIN)
            self._answers = select.poll()
            self._answers.register(stdout, select.POLLIN)

        def move(self, frames: deque[Bytes], timeout: float) -> bytes | None:
            """Write from frames, and return bytes of the child: b"" at the end, None if only bytes were written.

            If nothing moves within timeout seconds, move raises Hung, or returns None if timeout is 0.
            """
            self._write(frames)
            waits = self._both if frames and self._writable else self._answers
            ready = waits.poll(timeout * 1000)
            if not ready and timeout > 0:
                raise Hung
            for fd, _ in ready:
                if fd == self._stdout:
                    return os.read(fd, CHUNK)
            return None

        def _write(self, frames: deque[Bytes]) -> None:
            """Write until the pipe is full."""
            try:
                while frames and self._writable:
                    n = os.writev(self._stdin, list(itertools.islice(frames, 16)))
                    while frames and n >= len(frames[0]):
                        n -= len(frames.popleft())
                    if n:
                        frames[0] = memoryview(frames[0])[n:]
                        return  # the pipe is full
            except BlockingIOError:
                pass
            except BrokenPipeError:
                self._writable = False  # the child is dead: its output ends, too

        def close(self) -> None:
            """Do nothing: the pipes belong to the child."""

        def forget(self) -> None:
            """Do nothing: the pipes belong to the child."""

    Transport = Polled

    def _widen(fd: int) -> None:
        """Give a pipe a buffer of 1 MB, if the system can."""
        size = getattr(fcntl, "F_SETPIPE_SZ", None)
        if size is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(fd, size, 1 << 20)
