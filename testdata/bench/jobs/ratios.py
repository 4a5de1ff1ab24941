"""Compares jobs of absolink with each other: processor time, best and median of the rounds.

    python ratios.py PAGES PROGRAM...    PAGES is a directory of HTML, PROGRAM is absolink

Each job is compared with a plain one: extract as text over a gzip WARC with columns and JSON lines, extract
over a site with --check-files, extract as text over a mailbox of short messages with JSON lines, and the
start of the program with a Go program that prints a line. The jobs of all programs alternate, so a load of
the machine meets all of them. Two tables compare units with one and two jobs over four such WARCs in one
file: the processor time, and the time that passes, which a load distorts. A PROGRAM may be a script that
gives absolink a real-time priority (chrt -r 10).
"""

import glob
import gzip
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 9
STARTS = 200


def read(folder):
    """Return the pages below a folder; those whose names end in .gz are unpacked."""
    names = sorted(n for n in glob.glob(folder + "/**/*.htm*", recursive=True) if os.path.isfile(n))
    return [(gzip.open if n.endswith(".gz") else open)(n, "rb").read() for n in names]


def archive(name, pages, copies):
    """Write the pages copies times, each as a response in a gzip member."""
    with open(name, "wb") as f:
        for n, page in enumerate(pages * copies):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://site{n % 50}.example/{n}\r\n"
            head += f"WARC-Record-ID: <urn:test:{n}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            f.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))


def site(folder, pages, count):
    """Write count small pages with 40 links each to other pages; half of the links have a fragment."""
    small = [p for p in pages if len(p) < 90000]
    ids = [re.findall(rb'\sid="([A-Za-z][\w-]*)"', p)[:200] for p in small]
    choose = random.Random(3)
    for n in range(count):
        links = b""
        for _ in range(40):
            to = choose.randrange(count)
            names = ids[to % len(small)]
            fragment = b"#" + choose.choice(names) if names and choose.random() < 0.5 else b""
            links += b'<a href="/d%d/p%d.html%s">t</a>' % (to % 30, to, fragment)
        os.makedirs(f"{folder}/d{n % 30}", exist_ok=True)
        with open(f"{folder}/d{n % 30}/p{n}.html", "wb") as f:
            f.write(small[n % len(small)] + links)


def mailbox(name, count):
    with open(name, "w") as f:
        for n in range(count):
            f.write(f"From a@b.test Thu Jan  1 00:00:00 1970\nFrom: a <a@b.test>\nSubject: message {n}\nDate: Thu, 1 Oct 2020 12:{n // 60 % 60:02}:{n % 60:02} +0200\n"
                    f"Message-ID: <{n}@b.test>\nContent-Type: text/plain; charset=utf-8\n\nsee http://old.example/p/{n} and\nhttp://other.example/{n} for more.\n\n")


def spent(command):
    """Return the processor time of a command, and the time that passes."""
    begun = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    passed = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def measure(rounds, jobs):
    """Return the results of spent for each job. jobs are pairs of a name and a command."""
    times = [[] for _ in jobs]
    for _ in range(rounds):
        for list_, (_, command) in zip(times, jobs):
            list_.append(spent(command))
    return times


def show(jobs, times):
    """Print the times of jobs, and their ratios to the first."""
    for list_, (name, _) in zip(times, jobs):
        best, median = min(list_), statistics.median(list_)
        print(f"| {name} | {best * 1000:.1f} ms | {best / min(times[0]):.2f} | {median * 1000:.1f} ms | {median / statistics.median(times[0]):.2f} |", flush=True)


def compare(rounds, jobs):
    """Print the processor times of jobs, and their ratios to the first."""
    show(jobs, [[processor for processor, _ in list_] for list_ in measure(rounds, jobs)])


def main():
    pages, programs = read(sys.argv[1]), [os.path.realpath(p) for p in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        archive("pages.warc.gz", pages, max(1, 200_000_000 // sum(map(len, pages))))
        site("site", pages, 1500)
        mailbox("short.mbox", 200_000)
        with open("hello.go", "w") as f:
            f.write('package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n')
        subprocess.run(["go", "build", "-o", "hello", "hello.go"], check=True, env=os.environ | {"CGO_ENABLED": "0"})

        def jobs(*flags):
            return [(f"{os.path.basename(p)} {' '.join(flags)}", [p, *flags]) for p in programs]

        extract = ("extract", "-q", "--jobs", "1")
        print("| job | best | × the first | median | × the first |\n|---|---|---|---|---|")
        compare(ROUNDS, jobs(*extract, "pages.warc.gz") + jobs(*extract, "--format", "jsonl", "pages.warc.gz") + jobs(*extract, "--format", "arrow", "--fields", "page,uri", "pages.warc.gz")
                + jobs(*extract, "--format", "arrow", "pages.warc.gz"))
        root = ("--root", "site=http://d.example/", "site")
        compare(ROUNDS, jobs(*extract, *root) + jobs(*extract, "--check-files", *root))
        compare(ROUNDS, jobs(*extract, "short.mbox") + jobs(*extract, "--format", "jsonl", "short.mbox"))
        with open("pages.warc.gz", "rb") as f, open("large.warc.gz", "wb") as large:
            large.write(f.read() * 4)
        units = [job for n in "12" for job in jobs("units", "-q", "--jobs", n, "large.warc.gz")]
        times = measure(ROUNDS, units)
        show(units, [[processor for processor, _ in list_] for list_ in times])
        show([(name + ", passed", None) for name, _ in units], [[passed for _, passed in list_] for list_ in times])
        compare(STARTS, [("a program that prints a line", ["./hello"])] + jobs("version"))


if __name__ == "__main__":
    main()
