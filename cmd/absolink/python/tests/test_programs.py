"""Whole programs that use the package: how they end, and how they fork."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
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
    command = [sys.executable, "-W", "ignore:This process", "-c", FORKS_WITHIN_A_FRAME]  # it forks with threads
    out = subprocess.run(command, capture_output=True, text=True)
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
        assert ended(int(out.stdout)), end


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
    if "Extractor" in code:
        assert lines[-2:] == ["1", "1"]
    assert "Extractor" in code or readme != "README.md"


APP = """
import json, os, pathlib
import absolink

def children():
    return pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()

absolink.urls(b"<a href=x>", "http://e.test/")  # before the workers are forked
master = children()

def app(environ, start_response):
    page = b"<a href=%s>" % environ["QUERY_STRING"].encode()
    urls = absolink.urls(page, "http://e.test/")
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"urls": urls, "worker": os.getpid(), "children": children(), "master": master}).encode()]
"""


def test_gunicorn_with_preload(tmp_path: Path) -> None:
    """Each worker has its own child, and all children end with gunicorn."""
    pytest.importorskip("gunicorn", reason="gunicorn is not installed (pip install gunicorn)")
    (tmp_path / "app.py").write_text(APP)
    command = [sys.executable, "-m", "gunicorn", "--preload", "--workers=3", "--bind=127.0.0.1:0", "app:app"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as gunicorn:
        assert gunicorn.stderr
        address = next(m[1] for line in gunicorn.stderr if (m := re.search(r"Listening at: (\S+)", line)))
        answers = []
        for i in range(60):
            with urllib.request.urlopen(f"{address}/?{i}") as response:
                answers.append(json.load(response))
        gunicorn.terminate()
        log = gunicorn.stderr.read()
    assert gunicorn.returncode == 0 and "Traceback" not in log, log
    assert [answer["urls"] for answer in answers] == [[f"http://e.test/{i}"] for i in range(60)]
    of_workers = {answer["worker"]: answer["children"] for answer in answers}
    (master,) = answers[0]["master"]
    for found in of_workers.values():
        assert len(found) == 1 and found != [master]
    for pid in {master, *(found[0] for found in of_workers.values())}:
        assert ended(pid)


def ended(pid: str | int) -> bool:
    """Wait at most 10 seconds for the end of a process."""
    for _ in range(200):
        if not os.path.exists(f"/proc/{pid}"):
            return True
        time.sleep(0.05)
    return False


def test_speed_prints_its_table() -> None:
    """The program that measures works. The figures are in testdata/bench/README.md."""
    pytest.importorskip("scrapy", reason="Scrapy is not installed (pip install scrapy)")
    here = Path(__file__).parent
    pages = sorted((here.parents[3] / "testdata/pages").glob("*.html"))
    command = [sys.executable, str(here / "speed.py"), "--rounds", "1", *map(str, pages)]
    out = subprocess.run(command, capture_output=True, text=True)
    assert out.returncode == 0 and out.stdout.count(" times as fast |") == 4, out.stderr
