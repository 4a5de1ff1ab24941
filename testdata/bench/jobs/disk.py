"""Compares jobs that write files with a copy of the same files.

    python3 testdata/bench/jobs/disk.py PAGES MAILS ROUNDS DIVISOR DIRECTORY PROGRAM...

PAGES and MAILS are directories with pages and messages. The files of the jobs are made from them, below DIRECTORY,
which must be on a disk: a site of 10,000 pages that all change, a mailbox of 1 GB of which one message in a hundred
changes, and a Maildir of 20,000 messages below 100 kB that all change. DIVISOR divides these three sizes. Each figure is the time of
a job and of sync(1) after it, divided by the time of `cp -r` and sync(1): the best time of all rounds by the best, and
the median by the median. Programs take turns.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time

MAP = ["--map", "//old.example/=https://new.example/"]


def contents(directory, least, most):
    """Returns the contents of the files in a directory that have from least to most bytes."""
    found = []
    for folder, _, names in sorted(os.walk(directory)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if least <= os.path.getsize(path) <= most:
                with open(path, "rb") as f:
                    found.append(f.read())
    return found


def make_site(path, pages, count):
    for i in range(count):
        folder = os.path.join(path, str(i % 10), str(i // 10 % 10))
        os.makedirs(folder, exist_ok=True)
        links = "".join(f'<a href="http://old.example/{i}/{k}">x</a>\n' for k in range(40))
        with open(os.path.join(folder, f"{i}.html"), "wb") as f:
            f.write(pages[i % len(pages)] + links.encode())


def message(mails, i, changes):
    """Returns a message without a line that begins with "From "."""
    text = mails[i % len(mails)].replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ").rstrip(b"\n")
    if text.startswith(b"From "):
        text = text.partition(b"\n")[2]
    return text + (f"\nhttp://old.example/{i}\n".encode() if changes else b"\n")


def make_mbox(path, mails, size):
    os.makedirs(path)
    i = written = 0
    with open(os.path.join(path, "list.mbox"), "wb") as f:
        while written < size:
            written += f.write(b"From x@example.org Mon Jan  1 00:00:00 2001\n" + message(mails, i, i % 100 == 0) + b"\n")
            i += 1


def make_maildir(path, mails, count):
    for name in ("cur", "new", "tmp"):
        os.makedirs(os.path.join(path, name))
    for i in range(count):
        with open(os.path.join(path, "cur", f"{i}.host:2,S"), "wb") as f:
            f.write(message(mails, i, True))


def seconds(command):
    begun = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["sync"], check=True)
    return time.monotonic() - begun


def remove(*paths):
    for path in paths:
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)
    subprocess.run(["sync"], check=True)


def compare(name, source, flags, programs, rounds, in_place):
    """Prints the ratios of one job for each program."""
    work, journal = source + ".work", source + ".journal"
    copies, jobs = [], {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            remove(work, journal)
            copies.append(seconds(["cp", "-r", source, work]))
            target = ["--in-place", work] if in_place else ["-o", work + ".out", source]
            flags = [journal if flag == "JOURNAL" else flag for flag in flags]
            jobs[program].append(seconds([program, "rewrite", "-q", *MAP, *flags, *target]))
            remove(work, work + ".out", journal)
    for program, times in jobs.items():
        best = min(times) / min(copies)
        median = statistics.median(times) / statistics.median(copies)
        print(f"{name:28} {program:28} best {best:5.2f}  median {median:5.2f}", flush=True)


def main(pages, mails, rounds, divisor, directory, programs):
    pages, mails, short = contents(pages, 2_000, 100_000), contents(mails, 300, 1_200_000), contents(mails, 300, 100_000)
    site, mbox, maildir = (os.path.join(directory, name) for name in ("site", "mbox", "maildir"))
    remove(site, mbox, maildir)
    make_site(site, pages, 10_000 // divisor)
    make_mbox(mbox, mails, 1_000_000_000 // divisor)
    make_maildir(maildir, short, 20_000 // divisor)
    subprocess.run(["sync"], check=True)
    compare("mailbox, in place", mbox, [], programs, rounds, True)
    compare("site, -o", site, [], programs, rounds, False)
    compare("site, in place", site, [], programs, rounds, True)
    compare("site, in place, --journal", site, ["--journal", "JOURNAL"], programs, rounds, True)
    compare("Maildir, in place, --journal", maildir, ["--journal", "JOURNAL"], programs, rounds, True)
    remove(site, mbox, maildir)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5], sys.argv[6:])
