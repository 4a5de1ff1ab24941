"""Children that die or hang, threads and forks, with each way to move bytes."""

from __future__ import annotations

import ctypes
import fcntl
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import absolink
from absolink import _child, _extract, _program

from conftest import PAGE, URL, URLS, children, stop

Program = Callable[[str], Path]
pytestmark = pytest.mark.usefixtures("transport")

# The answer to a frame is its document, as one row. Documents may be orders.
ECHO = r"""
import json, os, sys, time
def frames():
    while line := sys.stdin.buffer.readline():
        keys = json.loads(line)
        ids.append(keys["id"])
        yield keys, sys.stdin.buffer.read(keys["length"])
ids = []
def answer(row):
    sys.stdout.buffer.write(row + b'\n\0{"record":"end","v":1,"id":%d,"status":"done","messages":[]}\n' % ids.pop(0))
    sys.stdout.buffer.flush()
def start():
    "Return the number of this start, from 1."
    n = 1
    while True:
        try:
            os.close(os.open(f"start{n}", os.O_CREAT | os.O_EXCL))
            return n
        except FileExistsError:
            n += 1
def die():
    os.kill(os.getpid(), 9)
n = start()
"""

# Each state in which a child may die: what it does at its first start.
STATES = {
    "before it reads": "die()",
    "within the line of a frame": "os.read(0, 3); die()",
    "within the document": "sys.stdin.buffer.raw.readline(); os.read(0, 10); die()",
    "after a document": "next(frames()); die()",
    "within the rows": "next(frames()); os.write(1, b'htt'); die()",
    "before the end record": r"next(frames()); os.write(1, b'http://wrong.test/\n'); die()",
    "within the end record": r"next(frames()); os.write(1, b'http://wrong.test/\n\0{\"record\":\"end\"'); die()",
    "after an answer": "answer(next(frames())[1]); die()",
    "with its input closed": "os.close(0); time.sleep(0.2); die()",
}


@pytest.mark.parametrize("state", STATES)
def test_killed(program: Program, state: str) -> None:
    program(ECHO + f"if n == 1:\n    {STATES[state]}\nfor _, data in frames():\n    answer(data)\n")
    assert absolink.urls(b"http://a.test/", URL) == ["http://a.test/"]
    assert absolink.urls(b"http://b.test/", URL) == ["http://b.test/"]


@pytest.mark.parametrize("state", STATES)
def test_killed_with_many_open_documents(program: Program, state: str) -> None:
    program(ECHO + f"if n == 1:\n    {STATES[state]}\nfor _, data in frames():\n    answer(data)\n")
    pages = [(b"http://a.test/%d" % i + b"x" * 20_000, URL) for i in range(80)]
    with absolink.Extractor(fields=["uri"]) as extractor:
        assert [links[0].uri for links in extractor.pages(pages)] == [page.decode() for page, _ in pages]


def test_an_answer_to_another_document(program: Program) -> None:
    program(ECHO + "for _, data in frames():\n    ids[0] += data == b'other'\n    answer(data)\n")
    with pytest.raises(absolink.ProcessError, match="^http://e.test/: the answer is that of another document$"):
        absolink.urls(b"other", URL)
    assert absolink.urls(b"http://a.test/", URL) == ["http://a.test/"]


def test_a_damaged_frame_fails_alone(program: Program) -> None:
    refuse = "os.write(2, b'absolink: --pipe: frame 7 is damaged: it is long'); os._exit(2)"
    program(ECHO + f"for _, data in frames():\n    if data == b'damaged':\n        {refuse}\n    answer(data)\n")
    pages = [(b"http://a.test/", URL), (b"damaged", "http://b.test/"), (b"http://c.test/", URL)]
    failed: list[absolink.DocumentError] = []
    with absolink.Extractor(fields=["uri"]) as extractor:
        found = [[link.uri for link in links] for links in extractor.pages(pages, failed.append)]
    assert found == [["http://a.test/"], [], ["http://c.test/"]]
    assert [str(e) for e in failed] == [
        "http://b.test/: absolink ended with exit status 2, twice: absolink: --pipe: frame 7 is damaged: it is long"
    ]


DIES = ECHO + "for _, data in frames():\n    if data == b'die':\n        die()\n    answer(data)\n"


def test_the_document_that_kills_is_named(program: Program) -> None:
    program(DIES)
    with pytest.raises(absolink.ProcessError, match=r"^http://poison.test/: absolink ended with signal 9, twice$"):
        absolink.urls(b"die", "http://poison.test/")
    assert absolink.urls(b"http://a.test/", URL) == ["http://a.test/"]
    pages = [(b"die" if i in (3, 7) else b"http://a.test/%d" % i, f"http://b.test/{i}") for i in range(10)]
    failed: list[absolink.DocumentError] = []
    with absolink.Extractor(fields=["uri"]) as extractor:
        found = list(extractor.pages(pages, failed.append))
    assert [links[0].uri if links else None for links in found] == [
        None if i in (3, 7) else f"http://a.test/{i}" for i in range(10)
    ]
    assert [error.document for error in failed] == ["http://b.test/3", "http://b.test/7"]


# A child that reads all frames that are there before it answers any, and dies if one of them is an order.
READS_AHEAD = """
import select
def frame():
    line = b""
    while not line.endswith(b"\\n"):
        line += os.read(0, 1) or sys.exit()
    ids.append(json.loads(line)["id"])
    data = b""
    while len(data) < json.loads(line)["length"]:
        data += os.read(0, 1)
    return data
while True:
    batch = [frame()]
    while select.select([0], [], [], 0.2)[0]:
        batch.append(frame())
    if b"die" in batch:
        die()
    for data in batch:
        answer(data)
"""


def test_documents_before_it_are_innocent(program: Program) -> None:
    program(ECHO + READS_AHEAD)
    pages = [(b"http://a.test/", "http://a.test/"), (b"die", "http://die.test/"), (b"http://b.test/", "http://b.test/")]
    failed: list[absolink.DocumentError] = []
    with absolink.Extractor(fields=["uri"]) as extractor:
        found = list(extractor.pages(pages, failed.append))
    assert [[link.uri for link in links] for links in found] == [["http://a.test/"], [], ["http://b.test/"]]
    assert [error.document for error in failed] == ["http://die.test/"]


def test_a_child_that_hangs(program: Program) -> None:
    program(ECHO + "for _, data in frames():\n    time.sleep(600 if data == b'hang' else 0)\n    answer(data)\n")
    with absolink.Extractor(fields=["uri"], timeout=1) as extractor:
        with pytest.raises(absolink.ProcessError, match=r"^http://hang.test/: no answer within 1 seconds$"):
            extractor.links(b"hang", "http://hang.test/")
        failed: list[absolink.DocumentError] = []
        pages = [(b"http://a.test/", URL), (b"hang", "http://hang.test/"), (b"http://b.test/", URL)]
        found = list(extractor.pages(pages, failed.append))
        assert [[link.uri for link in links] for links in found] == [["http://a.test/"], [], ["http://b.test/"]]
        assert [error.document for error in failed] == ["http://hang.test/"]


def test_a_child_that_hangs_once_and_does_not_read(program: Program) -> None:
    program(ECHO + "time.sleep(600 if n == 1 else 0)\nfor _, data in frames():\n    answer(data[:20])\n")
    with absolink.Extractor(fields=["uri"], timeout=1) as extractor:
        assert extractor.links(b"http://a.test/1234567" + b"x" * 5_000_000, URL)[0].uri == "http://a.test/123456"


def test_wrong_program(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program("import sys\nsys.exit('broken')")
    with pytest.raises(absolink.ProcessError, match="exit status 1, twice: broken"):
        absolink.urls(PAGE, URL)
    monkeypatch.setenv("ABSOLINK_PROGRAM", "/nowhere/absolink")
    _program.path.cache_clear()
    with pytest.raises(absolink.Error, match="/nowhere/absolink does not start: No such file or directory"):
        absolink.urls(PAGE, URL)


def test_stopped_and_killed_while_it_reads() -> None:
    absolink.urls(PAGE, URL)
    (pid,) = children()
    stop(pid)
    threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
    page = b"<a href=x>" + b" " * 8_000_000
    assert absolink.urls(page, URL) == [URL + "x"]
    (pid,) = children()
    os.kill(pid, signal.SIGKILL)  # while it waits for a frame
    assert absolink.urls(PAGE, URL) == URLS


def test_threads_share_a_child() -> None:
    def work(i: int) -> bool:
        page = b"<a href=%d>" % i + b" " * (i % 7 * 30_000)
        return absolink.urls(page, URL) == [f"{URL}{i}"] and len(children()) == 1

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(600)))


def test_threads_while_children_are_killed() -> None:
    kills = 20

    def kill() -> None:
        for _ in range(kills):
            time.sleep(0.02)
            for pid in children():
                os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(_urls_or_error, range(400)))
    killer.join()
    for i, outcome in enumerate(outcomes):
        assert outcome in ([f"{URL}{i}"], "ProcessError")
    assert outcomes.count("ProcessError") <= kills
    assert absolink.urls(PAGE, URL) == URLS


def _urls_or_error(i: int) -> list[str] | str:
    try:
        return absolink.urls(b"<a href=%d>" % i, URL)
    except absolink.ProcessError:
        return "ProcessError"


def _run_in_fork(work: Callable[[], None]) -> None:
    """Run work in a forked process, and fail if it fails."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            gc.collect()
            _child._end_all()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0


def test_fork() -> None:
    absolink.urls(PAGE, URL)
    (ours,) = children()

    def work() -> None:
        assert children() == []
        assert absolink.urls(PAGE, URL) == URLS
        assert children() != [ours]

    for _ in range(3):
        _run_in_fork(work)
    assert children() == [ours]
    assert absolink.urls(PAGE, URL) == URLS


def test_fork_within_pages() -> None:
    with absolink.Extractor(fields=["uri"]) as extractor:
        found = extractor.pages((b"<a href=%d>" % i + b" " * 50_000, URL) for i in range(150))
        assert next(found)[0].uri == URL + "0"

        def work() -> None:  # its copy of the generator goes on, with its own child
            assert [links[0].uri for links in found] == [f"{URL}{i}" for i in range(1, 150)]

        _run_in_fork(work)
        assert [links[0].uri for links in found] == [f"{URL}{i}" for i in range(1, 150)]


def test_a_forked_process_does_not_keep_the_child() -> None:
    absolink.urls(PAGE, URL)
    process = next(child.process for child in _child._children if child.stdin >= 0)
    read, write = os.pipe()
    forked = os.fork()
    if forked == 0:
        os.read(read, 1)
        os._exit(0)
    _extract._clients.clear()  # ends the child: it reads the end of its input
    assert process.returncode == 0  # it was not killed
    os.write(write, b"x")
    os.waitpid(forked, 0)
    os.close(read)
    os.close(write)


def pool_work(i: int) -> bytes:
    """Rewrite a page. Processes of pools call it."""
    return absolink.rewrite(b"<a href=%d>" % i, URL)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str) -> None:
    assert pool_work(0) == b"<a href=http://e.test/0>"
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(pool_work, range(100)) == [b"<a href=http://e.test/%d>" % i for i in range(100)]


def test_an_interrupt() -> None:
    """Ctrl-C interrupts a call, and later calls start another child."""
    absolink.urls(PAGE, URL)
    (pid,) = children()
    stop(pid)
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(KeyboardInterrupt):
        absolink.urls(PAGE, URL)
    assert absolink.urls(PAGE, URL) == URLS


def test_interrupts_in_close() -> None:
    """Wherever an interrupt arrives in close, no child is left, and later calls work."""
    signal.signal(signal.SIGALRM, _interrupt)
    for i in range(60):
        extractor = absolink.Extractor(fields=["uri"])
        assert extractor.links(b"<a href=x>", URL)[0].uri == URL + "x"
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.0001 + i * 0.00003)
            extractor.close()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            pass
        signal.setitimer(signal.ITIMER_REAL, 0)
    extractor.close()
    gc.collect()
    _child._reap()
    assert children() == [] and _child._unwaited == set()
    assert absolink.urls(PAGE, URL) == URLS


def test_an_interrupt_of_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt arrives when the child has begun, and Popen has not returned."""
    popen = subprocess.Popen

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        process = popen(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGALRM)
        return process

    signal.signal(signal.SIGALRM, _interrupt)
    monkeypatch.setattr(_child.subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        absolink.urls(PAGE, URL)
    monkeypatch.undo()
    for _ in range(1000):
        gc.collect()
        _child._reap()
        if not children():
            break
        time.sleep(0.01)
    assert children() == [] and _child._unwaited == set()
    assert absolink.urls(PAGE, URL) == URLS


@pytest.mark.parametrize("where", [1, 2, 3])
def test_an_interrupt_while_close_waits(program: Program, monkeypatch: pytest.MonkeyPatch, where: int) -> None:
    """The child does not end by itself. The first interrupts come while close waits for it."""
    program(ECHO + "for _, data in frames():\n    answer(data)\ntime.sleep(600)\n")
    extractor = absolink.Extractor(fields=["uri"])
    extractor.links(b"http://a.test/", URL)
    wait = os.waitpid
    calls = 0

    def interrupted(pid: int, options: int) -> tuple[int, int]:
        nonlocal calls
        calls += 1
        if calls <= where:
            raise KeyboardInterrupt
        return wait(pid, options)

    monkeypatch.setattr(os, "waitpid", interrupted)
    with pytest.raises(KeyboardInterrupt):
        extractor.close()
    monkeypatch.undo()
    program(ECHO + "for _, data in frames():\n    answer(data)\n")
    assert extractor.links(b"http://b.test/", URL)[0].uri == "http://b.test/"
    extractor.close()
    assert children() == []


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def test_only_eight_children_are_kept() -> None:
    for i in range(12):
        assert absolink.urls(PAGE, URL, default_base=f"http://{i}.test/") == URLS
    assert len(children()) == 8


def test_a_thousand_starts() -> None:
    for i in range(500):  # with each way to move bytes
        with absolink.Extractor(fields=["uri"], jobs=1) as extractor:
            assert extractor.links(b"<a href=%d>" % i, URL)[0].uri == f"{URL}{i}"
    assert children() == []
    assert len(os.listdir("/proc/self/fd")) < 40


def test_closed(program: Program) -> None:
    program(ECHO + "for _, data in frames():\n    if data == b'wait':\n        os.read(0, 1)\n    answer(data)\n")
    extractor = absolink.Extractor(fields=["uri"])
    found = extractor.pages([(b"http://a.test/", URL), (b"wait", URL)])
    assert next(found)[0].uri == "http://a.test/"
    extractor.close()
    assert children() == []
    with pytest.raises(absolink.Error, match="closed before the answer came"):
        list(found)
    assert extractor.links(b"http://b.test/", URL)[0].uri == "http://b.test/"
    extractor.close()


def test_a_fork_while_a_child_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of descriptors that a closed child had may belong to other files when another thread forks."""
    extractor = absolink.Extractor(fields=["uri"])
    extractor.links(PAGE, URL)
    (child,) = [child for child in _child._children if child.stdin >= 0]
    stdin = child.stdin
    close = os.close
    forks: list[threading.Thread] = []
    other = -1

    def work() -> None:
        os.fstat(other)

    def close_and_fork(fd: int) -> None:
        nonlocal other
        close(fd)
        if fd == stdin and not forks:
            other = fcntl.fcntl(0, fcntl.F_DUPFD, stdin)
            assert other == stdin
            forks.append(threading.Thread(target=run))
            forks[0].start()
            forks[0].join(0.3)

    failed: list[BaseException] = []

    def run() -> None:
        try:
            _run_in_fork(work)
        except BaseException as e:
            failed.append(e)

    monkeypatch.setattr(os, "close", close_and_fork)
    extractor.close()
    monkeypatch.undo()
    forks[0].join()
    close(other)
    assert failed == []


def test_a_fork_closes_each_child(monkeypatch: pytest.MonkeyPatch) -> None:
    forget = _child.Child.forget
    calls = 0

    def fails_first(child: _child.Child) -> None:
        nonlocal calls
        calls += 1
        forget(child)
        if calls == 1:
            raise OSError("it fails")

    monkeypatch.setattr(_child.Child, "forget", fails_first)
    for i in range(3):
        absolink.urls(PAGE, URL, default_base=f"http://{i}.test/")
    ours = list(_child._children)

    def work() -> None:
        assert [child.stdin for child in ours] == [-1, -1, -1]

    _run_in_fork(work)


def test_a_child_that_was_ended(tmp_path: Path) -> None:
    """Calls after the end start a new child, and write nothing into files that have its numbers."""
    absolink.urls(PAGE, URL)
    _child._end_all()
    files = [open(tmp_path / f"{i}", "w+b", buffering=0) for i in range(6)]
    assert absolink.urls(PAGE, URL) == URLS
    for file in files:
        with file:
            assert file.seek(0, 2) == 0


def test_a_fork_with_the_number_of_its_ancestor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absolink.urls(PAGE, URL)
    ours = os.getpid()

    def work() -> None:
        monkeypatch.setattr(os, "getpid", lambda: ours)
        files = [open(tmp_path / f"{i}", "w+b", buffering=0) for i in range(6)]
        assert absolink.urls(PAGE, URL) == URLS
        for file in files:
            assert file.seek(0, 2) == 0

    _run_in_fork(work)
    assert absolink.urls(PAGE, URL) == URLS


def test_a_thread_at_the_end(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program(ECHO + "for _, data in frames():\n    os.read(0, 1)\n    answer(data)\n")
    errors: list[str] = []

    def work() -> None:
        with pytest.raises(absolink.Error) as error:
            absolink.urls(b"http://a.test/", URL)
        errors.append(str(error.value))

    monkeypatch.setattr(_child, "_ending", False)
    thread = threading.Thread(target=work)
    thread.start()
    while not Path("start1").exists():
        time.sleep(0.01)
    time.sleep(0.1)  # so that it waits for the answer
    _child._end_process()
    thread.join()
    assert errors == ["this process ends: its threads get no more answers"]
    program(ECHO + "for _, data in frames():\n    answer(data)\n")
    assert absolink.urls(b"http://b.test/", URL) == ["http://b.test/"]  # as functions of atexit may do


def test_an_interrupt_in_poll() -> None:
    class Interrupted:
        """A lock that is taken when a signal arrives."""

        def __init__(self) -> None:
            self._lock = threading.Lock()
            self.locked = self._lock.locked

        def acquire(self, blocking: bool = True) -> None:
            self._lock.acquire(blocking)
            raise KeyboardInterrupt

        def __enter__(self) -> None:
            self._lock.acquire()

        def __exit__(self, *_: object) -> None:
            self._lock.release()

    with absolink.Extractor(fields=["uri"]) as extractor:
        extractor._client._line.lock = Interrupted()  # type: ignore[assignment]
        assert [len(links) for links in extractor.pages([(PAGE, URL)] * 3)] == [4, 4, 4]
        assert not extractor._client._line.lock.locked()


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(7, "it fails"), ValueError])
def test_a_start_that_fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(_child.subprocess, "Popen", fails)
    with pytest.raises((absolink.Error, KeyboardInterrupt, ValueError)):
        absolink.urls(PAGE, URL)
    monkeypatch.undo()
    _extract._clients.clear()
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
    assert absolink.urls(PAGE, URL) == URLS


def worker(pids: multiprocessing.SimpleQueue[int]) -> None:
    """Start a child in a process of multiprocessing."""
    absolink.urls(PAGE, URL)
    pids.put(next(child.process.pid for child in _child._children))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_waits_for_its_child(method: str) -> None:
    context = multiprocessing.get_context(method)
    adopt = ctypes.CDLL(None).prctl
    assert adopt(36, 1, 0, 0, 0) == 0  # PR_SET_CHILD_SUBREAPER: children of the worker become children of this process
    try:
        pids = context.SimpleQueue()
        process = context.Process(target=worker, args=(pids,))
        process.start()
        pid = pids.get()
        process.join()
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, 0)
    finally:
        adopt(36, 0, 0, 0, 0)
