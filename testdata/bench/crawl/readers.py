"""Compares absolink with FastWARC: processor time of one thread, medians of seven rounds.

    pip install fastwarc==2.0.1
    python readers.py PROGRAM PAGES     PROGRAM is absolink, PAGES a directory of HTML
    python readers.py PAGES ARCHIVE N   only makes the ARCHIVE of N times the pages

FastWARC iterates and reads every response. The pages, and records of 2 KB, are each put into an archive
in gzip members and into an uncompressed one, of 200 and 150 MB. They are that large because absolink's
time includes the start of the program, and FastWARC's does not.
"""

import glob
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

from fastwarc.warc import ArchiveIterator, WarcRecordType

ROUNDS = 7


def member(kind, uri, block):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/http; msgtype={kind}\r\n"
    return f"{head}WARC-Record-ID: <urn:test:{uri}:{kind}>\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def archive(name, pages, copies):
    """Write each page copies times, as Common Crawl does: request, response and metadata."""
    with open(name, "wb") as f:
        for copy in range(copies):
            for n, page in enumerate(pages):
                uri = f"http://site{n}.example/{copy}"
                response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page) + page
                for record in (member("request", uri, b"GET / HTTP/1.1\r\n\r\n"), member("response", uri, response), member("metadata", uri, b"fetchTimeMs: 12\r\n")):
                    if name.endswith(".gz"):
                        z = zlib.compressobj(6, zlib.DEFLATED, 31)
                        record = z.compress(record) + z.flush()
                    f.write(record)


def read(name):
    begin = time.process_time()
    n = 0
    with open(name, "rb") as f:
        for record in ArchiveIterator(f, record_types=WarcRecordType.response, parse_http=False):
            n += len(record.reader.read())
    return time.process_time() - begin


def run(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "GOMAXPROCS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pages_of(directory):
    return [open(name, "rb").read() for name in sorted(glob.glob(directory + "/*.html"))]


def main(program, directory):
    pages = pages_of(directory)
    text = b"".join(pages)
    small = [b"<a href=x>" + text[i:i + 2000] for i in range(0, len(text), 2000)]
    with tempfile.TemporaryDirectory() as top:
        for name, documents, copies in (("pages.warc.gz", pages, 8), ("pages.warc", pages, 8), ("small.warc.gz", small, 4), ("small.warc", small, 4)):
            path = os.path.join(top, name)
            archive(path, documents, copies)
            rounds = [(read(path), run(program, "units", "--jobs", "1", path), run(program, "extract", "--jobs", "1", path)) for _ in range(ROUNDS)]
            fast, units, extract = (statistics.median(r) for r in zip(*rounds))
            print(f"{name}: fastwarc {fast:.3f} s, units {units:.3f} s ({units / fast:.2f}), extract {extract:.3f} s ({extract / fast:.2f})", flush=True)
            os.remove(path)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        archive(sys.argv[2], pages_of(sys.argv[1]), int(sys.argv[3]))
    else:
        main(*sys.argv[1:])
