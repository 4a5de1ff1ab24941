"""Measures --pipe against lxml, against extract over files, and against the tokenizer of x/net/html.

    pip install lxml
    go build -o /tmp/absolink ./cmd/absolink && go build -o /tmp/peers ./testdata/bench/peers
    python3 testdata/bench/pipe/pipe.py /tmp/absolink /tmp/peers ROUNDS PAGE...

Each figure is the processor time of the client and its child, the least of the rounds. Contenders take turns. The time
of a client that only reads the pages is subtracted, so the start of Python does not count. The start of absolink counts.
"""

import os
import resource
import subprocess
import sys
import threading

URL = "http://example.com/dir/page.html"
SMALL = 100_000  # number of small frames


def lxml_links(pages):
    """Makes all links absolute and lists them, as a Python program does with lxml."""
    import lxml.html

    for page in pages:
        tree = lxml.html.document_fromstring(page)
        tree.make_links_absolute(URL, handle_failures="ignore")
        [link for _, _, link, _ in tree.iterlinks()]


def child_of(program):
    command = [program, "extract", "--pipe", "--jobs", "1", "--format", "tsv", "--fields", "uri"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def send(child, frames):
    """Writes frames, each a list of bytes, in another thread, while the caller reads answers."""

    def write():
        for parts in frames:
            for part in parts:
                rest = memoryview(part)
                while rest:
                    rest = rest[os.write(child.stdin.fileno(), rest) :]
        child.stdin.close()

    threading.Thread(target=write).start()


def pipe_links(pages, program):
    """Lists the links of each page with one child."""
    child = child_of(program)
    send(child, ([b'{"length":%d,"url":"%s"}\n' % (len(p), URL.encode()), p] for p in pages))
    rest, links = b"", []
    while piece := os.read(child.stdout.fileno(), 1 << 20):
        rest += piece
        while (at := rest.find(b"\0")) >= 0 and (end := rest.find(b"\n", at)) >= 0:
            links.append(rest[:at].decode().splitlines())
            rest = rest[end + 1 :]
    assert len(links) == len(pages) and child.wait() == 0


def small_page():
    """Returns a page of 1 KB with 22 links."""
    links = "".join(f'<p><a href="/some/path/{i}.html">Link {i}</a></p>' for i in range(22))
    return ("<!DOCTYPE html>" + links)[:1024].encode().ljust(1024)


def small_frames(program):
    """Sends many small frames, 64 in a write, and reads the answers in large pieces."""
    child = child_of(program)
    page = small_page()
    frame = b'{"length":%d,"type":"text/html","url":"http://e.example/%%d.html"}\n%s' % (len(page), page)
    send(child, ([b"".join(frame % i for i in range(n, min(n + 64, SMALL)))] for n in range(0, SMALL, 64)))
    answered = 0
    while piece := os.read(child.stdout.fileno(), 1 << 20):
        answered += piece.count(b"\0")
    assert answered == SMALL and child.wait() == 0


def contend(kind, program, names):
    """Does the work of one contender."""
    pages = []
    for name in names:
        with open(name, "rb") as f:
            pages.append(f.read())
    if kind == "lxml":
        lxml_links(pages)
    elif kind == "import":
        import lxml.html  # noqa: F401
    elif kind == "pipe":
        pipe_links(pages, program)
    elif kind == "small":
        small_frames(program)


def seconds(command):
    """Returns the processor time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(program, peers, rounds, names):
    """Measures all contenders in turns, and prints the least times and their ratios."""
    me = [sys.executable, __file__, "-work"]
    tokenizer = [peers, "-work", "x/net/html tokenizer", "-passes"]
    size = sum(os.path.getsize(n) for n in names)
    commands = {
        "idle": [*me, "idle", program, *names],
        "import": [*me, "import", program, *names],
        "lxml": [*me, "lxml", program, *names],
        "pipe": [*me, "pipe", program, *names],
        "small": [*me, "small", program, *names],
        "extract": [program, "extract", "--quiet", "--jobs", "1", "--format", "tsv", "--fields", "uri", *names],
        "tokenizer, idle": [*tokenizer, "0", *names],
        "tokenizer": [*tokenizer, "4", *names],
    }
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    t = {name: min(list) for name, list in times.items()}
    lxml, pipe, small = t["lxml"] - t["import"], t["pipe"] - t["idle"], t["small"] - t["idle"]
    tokens = (t["tokenizer"] - t["tokenizer, idle"]) / 4 * SMALL * len(small_page()) / size
    print(f"{len(names)} pages, {size / 1e6:.1f} MB, {rounds} rounds")
    print(f"lxml, make_links_absolute + iterlinks   {lxml:.3f} s")
    print(f"extract --pipe, client and child        {pipe:.3f} s, lxml takes {lxml / pipe:.1f} times as long")
    print(f"extract over the files                  {t['extract']:.3f} s, --pipe takes {pipe / t['extract']:.2f} times as long")
    print(f"tokenizer of x/net/html, {SMALL * len(small_page()) / 1e6:.0f} MB       {tokens:.3f} s")
    print(f"extract --pipe, {SMALL} frames of 1 KB  {small:.3f} s, {small / tokens:.2f} times as long")


if sys.argv[1] == "-work":
    contend(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    compare(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
