"""Measures --pipe against lxml, against extract over files, and against the tokenizer of x/net/html.

    pip install lxml
    go build -o /tmp/absolink ./cmd/absolink && go build -o /tmp/peers ./testdata/bench/peers
    python3 testdata/bench/pipe/pipe.py /tmp/absolink /tmp/peers ROUNDS PAGE...

Each figure is the processor time of the client and its child, the least of the rounds; the ratio of the medians is in
parentheses. Contenders take turns. The time of a client does not count before it has imported its modules and read the
pages. The start of absolink counts.
"""

import fcntl
import os
import resource
import select
import statistics
import subprocess
import sys
from pathlib import Path

import lxml.html

sys.path.insert(0, str(Path(__file__).parents[3] / "cmd/absolink/python"))
import absolink

URL = "http://example.com/dir/page.html"
SMALL = 100_000  # number of small frames


def lxml_links(pages):
    """Makes all links absolute and lists them, as a Python program does with lxml."""
    for page in pages:
        tree = lxml.html.document_fromstring(page)
        tree.make_links_absolute(URL, handle_failures="ignore")
        [link for _, _, link, _ in tree.iterlinks()]


def child_of(program):
    command = [program, "extract", "--pipe", "--jobs", "1", "--format", "tsv", "--fields", "uri"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    for pipe in child.stdin, child.stdout:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)  # as the Python package does
    return child


def exchange(child, frames):
    """Writes frames, each a list of bytes, and yields the pieces of the answers."""
    fds = child.stdin.fileno(), child.stdout.fileno()
    os.set_blocking(fds[0], False)
    ready = select.poll()
    ready.register(fds[0], select.POLLOUT)
    ready.register(fds[1], select.POLLIN)
    rest = next(frames)
    while True:
        for fd, _ in ready.poll():
            if fd == fds[1]:
                piece = os.read(fd, 1 << 18)
                if not piece:
                    return
                yield piece
                continue
            rest = after(os.writev(fd, rest), rest) or next(frames, None)
            if rest is None:
                ready.unregister(fd)
                child.stdin.close()


def after(n, parts):
    """Returns parts without their first n bytes."""
    for i, part in enumerate(parts):
        if n < len(part):
            return [memoryview(part)[n:], *parts[i + 1 :]]
        n -= len(part)
    return []


def pipe_links(pages, program):
    """Lists the links of each page with one child."""
    child = child_of(program)
    frames = ([b'{"length":%d,"url":"%s"}\n' % (len(p), URL.encode()), p] for p in pages)
    rest, links = b"", []
    for piece in exchange(child, frames):
        rest += piece
        begin = 0
        while (at := rest.find(b"\0", begin)) >= 0 and (end := rest.find(b"\n", at)) >= 0:
            links.append(rest[begin:at].decode().splitlines())
            begin = end + 1
        rest = rest[begin:]
    assert len(links) == len(pages) and child.wait() == 0


def package_links(pages):
    """Lists the links of each page with the Python package."""
    with absolink.Extractor(fields="uri", jobs=1) as extractor:
        assert sum(1 for _ in extractor.columns((page, URL) for page in pages)) == len(pages)


def small_page():
    """Returns a page of 1 KB with 22 links."""
    links = "".join(f'<p><a href="/some/path/{i}.html">Link {i}</a></p>' for i in range(22))
    return ("<!DOCTYPE html>" + links)[:1024].encode().ljust(1024)


def small_frames(program):
    """Sends many small frames, 64 in a write, and reads the answers in large pieces."""
    child = child_of(program)
    page = small_page()
    frame = b'{"length":%d,"type":"text/html","url":"http://e.example/%%d.html"}\n%s' % (len(page), page)
    frames = ([frame % i for i in range(n, min(n + 64, SMALL))] for n in range(0, SMALL, 64))
    answered = sum(piece.count(b"\0") for piece in exchange(child, frames))
    assert answered == SMALL and child.wait() == 0


def contend(kind, program, names):
    """Does the work of one contender, and prints its processor time."""
    pages = []
    for name in names:
        with open(name, "rb") as f:
            pages.append(f.read())
    os.environ["ABSOLINK_PROGRAM"] = program
    before = used(resource.RUSAGE_SELF)
    if kind == "lxml":
        lxml_links(pages)
    elif kind == "pipe":
        pipe_links(pages, program)
    elif kind == "package":
        package_links(pages)
    elif kind == "small":
        small_frames(program)
    print(used(resource.RUSAGE_SELF) - before + used(resource.RUSAGE_CHILDREN))


def used(by):
    """Returns processor seconds of the system and of programs."""
    usage = resource.getrusage(by)
    return usage.ru_utime + usage.ru_stime


def seconds(command):
    """Returns the processor time that a contender prints, or else that of a command."""
    if command[0] == sys.executable:
        return float(subprocess.check_output(command))
    before = used(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return used(resource.RUSAGE_CHILDREN) - before


def compare(program, peers, rounds, names):
    """Measures all contenders in turns, and prints the least times and their ratios."""
    me = [sys.executable, __file__, "-work"]
    tokenizer = [peers, "-work", "x/net/html tokenizer", "-passes"]
    commands = {
        "lxml": [*me, "lxml", program, *names],
        "pipe": [*me, "pipe", program, *names],
        "package": [*me, "package", program, *names],
        "small": [*me, "small", program, *names],
        "extract": [program, "extract", "--quiet", "--jobs", "1", "--format", "tsv", "--fields", "uri", *names],
        "tokenizer, idle": [*tokenizer, "0", *names],
        "tokenizer": [*tokenizer, "4", *names],
    }
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    size = sum(os.path.getsize(n) for n in names)
    share = SMALL * len(small_page()) / size / 4

    def figures(least):
        t = {name: least(list) for name, list in times.items()}
        return (
            t["lxml"],
            t["pipe"],
            t["package"],
            t["extract"],
            (t["tokenizer"] - t["tokenizer, idle"]) * share,
            t["small"],
        )

    def compared(at, to):
        medians = figures(statistics.median)
        least = figures(min)
        return f"{least[at] / least[to]:.2f} ({medians[at] / medians[to]:.2f})"

    lxml, pipe, client, extract, tokens, small = figures(min)
    print(f"{len(names)} pages, {size / 1e6:.1f} MB, {rounds} rounds")
    print(f"lxml, make_links_absolute + iterlinks   {lxml:.3f} s")
    print(f"extract over the files                  {extract:.3f} s")
    print(f"extract --pipe, client and child        {pipe:.3f} s, {compared(1, 3)} x extract, lxml {compared(0, 1)} x")
    print(f"the package and its child               {client:.3f} s, {compared(2, 3)} x extract, lxml {compared(0, 2)} x")
    print(f"tokenizer of x/net/html, {SMALL * len(small_page()) / 1e6:.0f} MB         {tokens:.3f} s")
    print(f"extract --pipe, {SMALL} frames of 1 KB  {small:.3f} s, {compared(5, 4)} x the tokenizer")


if sys.argv[1] == "-work":
    contend(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    compare(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
