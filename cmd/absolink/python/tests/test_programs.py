"""Whole programs that use the package: how they end, and how they fork."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import URL

# A thread has sent a part of a document to a child that does not read, and the process forks. The forked process ends
# as any process does, with flushing and finalisation.
FORKS_WITHIN_A_FRAME = """
import os, pathlib, signal, sys, threading, time
import absolink
absolink.urls(b"<a href=x>", "http://e.test/")
(pid,) = map(int, pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
os.kill(pid, signal.SIGSTOP)
page = b"<a href=x>" + b" " * 8_000_000
thread = threading.Thread(target=lambda: print(absolink.urls(page, "http://e.test/")))
thread.start()
time.sleep(0.3)
forked = os.fork()
if forked == 0:
    sys.exit(0)
os.waitpid(forked, 0)
os.kill(pid, signal.SIGCONT)
thread.join()
assert pathlib.Path(f"/proc/{pid}/comm").read_text() == "absolink\\n"
"""


def test_fork_within_a_frame() -> None:
    out = subprocess.run([sys.executable, "-c", FORKS_WITHIN_A_FRAME], capture_output=True, text=True)
    assert (out.stdout, out.stderr) == ("['http://e.test/x']\n", "")


def test_the_child_ends_with_its_process() -> None:
    script = (
        "import absolink, os, pathlib\n"
        f"absolink.urls(b'<a href=x>', {URL!r})\n"
        "print(pathlib.Path(f'/proc/self/task/{os.getpid()}/children').read_text(), flush=True)\n"
    )
    for end in ("", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise SystemExit(3)"):
        out = subprocess.run([sys.executable, "-W", "error", "-c", script + end], capture_output=True)
        assert out.stderr == b""
        pid = int(out.stdout)
        for _ in range(200):
            if not os.path.exists(f"/proc/{pid}"):
                break
            time.sleep(0.05)
        assert not os.path.exists(f"/proc/{pid}"), end


@pytest.mark.parametrize("readme", ["README.md", "../../../README.md"])
def test_readme(readme: str) -> None:
    """The first example of each README runs as it is shown."""
    text = (Path(__file__).parents[1] / readme).read_text()
    code = next(block for block in text.split("```python\n")[1:] if block.startswith("import absolink"))
    out = subprocess.run([sys.executable, "-W", "error", "-c", code.split("```")[0]], capture_output=True, text=True)
    lines = out.stdout.splitlines()
    assert out.stderr == ""
    assert lines[0] == "['http://www.example.org/docs/guide']"
    assert "1 27 nav http://www.example.org/docs/guide Guide" in lines
    assert "b'<base href=/docs/><a href=https://example.net/docs/guide rel=next>Guide</a>'" in lines
    assert lines[-2:] == ["1", "1"]
