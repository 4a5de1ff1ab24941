"""Fixtures: children that misbehave, and both ways to move bytes."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from absolink import _child, _extract, _program, _transport

PAGE = b"<base href=/d/><a href=x rel='next nofollow'>Next <b>page</b></a><img src=i.png><a href='http://[x'>y</a>"
URL = "http://e.test/"
URLS = ["http://e.test/d/", "http://e.test/d/x", "http://e.test/d/i.png"]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Start without children, and end them all. None may be left as a zombie."""
    _extract._clients.clear()
    _program.path.cache_clear()
    yield
    _extract._clients.clear()
    _child._end_all()
    left = children()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert left == []


def children() -> list[int]:
    """Return the children of this process that run the program, zombies included."""
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):  # of each thread
        with contextlib.suppress(OSError):
            for pid in path.read_text().split():
                if Path(f"/proc/{pid}/comm").read_text() in ("absolink\n", "program\n"):
                    found.append(int(pid))
    return found


def stop(pid: int) -> None:
    """Stop a process, and wait until all of its threads have stopped."""
    os.kill(pid, signal.SIGSTOP)
    for path in Path(f"/proc/{pid}/task").glob("*/stat"):
        while path.read_text().rpartition(") ")[2][0] != "T":
            time.sleep(0.001)


@pytest.fixture(params=["polled", "threaded"])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with each way to move bytes."""
    if request.param == "threaded":
        monkeypatch.setattr(_child.Child, "transport", _transport.Threaded)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that makes a script the program. The folder of the script is its current directory."""

    def use(text: str) -> Path:
        path = tmp_path / "program"
        path.write_text(f"#!{sys.executable} -IS\n" + textwrap.dedent(text))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("ABSOLINK_PROGRAM", str(path))
        monkeypatch.chdir(tmp_path)
        _program.path.cache_clear()
        return path

    return use
