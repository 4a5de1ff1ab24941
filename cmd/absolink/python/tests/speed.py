"""Prints the processor seconds that absolink, lxml and Scrapy take for pages: speed.py [--rounds N] FILE...

The seconds of a child count. Each number is the least of N rounds.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import lxml.html
import scrapy.linkextractors
from scrapy.http import HtmlResponse

import absolink
import absolink.scrapy
from absolink import _extract

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("files", nargs="+", type=Path)
options = parser.parse_args()
pages = [(path.read_bytes(), f"http://e.test/{path.name}") for path in options.files]


def peer_lxml() -> int:
    found = 0
    for data, url in pages:
        if data.strip():
            document = lxml.html.document_fromstring(data)
            document.make_links_absolute(url)
            found += sum(1 for _ in document.iterlinks())
    return found


def urls() -> int:
    return sum(len(absolink.urls(data, url)) for data, url in pages)


def links() -> int:
    return sum(len(absolink.links(data, url)) for data, url in pages)


def extractor_pages() -> int:
    with absolink.Extractor() as extractor:
        return sum(len(found) for found in extractor.pages(pages))


def peer_scrapy() -> int:
    extractor = scrapy.linkextractors.LinkExtractor()
    return sum(len(extractor.extract_links(HtmlResponse(url, body=data))) for data, url in pages)


def link_extractor() -> int:
    extractor = absolink.scrapy.LinkExtractor()
    return sum(len(extractor.extract_links(HtmlResponse(url, body=data))) for data, url in pages)


def seconds(work: Callable[[], int]) -> tuple[float, int]:
    """Return the processor seconds of this process and its ended children for work, and the number of links."""
    began = sum(os.times()[:4])
    found = work()
    _extract._clients.clear()  # ends the child
    return sum(os.times()[:4]) - began, found


TICK = 0.01  # the processor seconds between two readings of the clock that may be equal

TABLE: dict[str, tuple[Callable[[], int], str]] = {
    "lxml make_links_absolute + iterlinks": (peer_lxml, ""),
    "absolink.urls": (urls, "lxml make_links_absolute + iterlinks"),
    "absolink.links": (links, "lxml make_links_absolute + iterlinks"),
    "absolink.Extractor.pages": (extractor_pages, "lxml make_links_absolute + iterlinks"),
    "scrapy.linkextractors.LinkExtractor": (peer_scrapy, ""),
    "absolink.scrapy.LinkExtractor": (link_extractor, "scrapy.linkextractors.LinkExtractor"),
}
best: dict[str, tuple[float, int]] = {}
for _ in range(options.rounds):
    for name, (work, _) in TABLE.items():
        best[name] = min(best.get(name, (1e9, 0)), seconds(work))
print("| | processor seconds | links | |\n|---|---|---|---|")
for name, (_, peer) in TABLE.items():
    times = f"{best[peer][0] / max(best[name][0], TICK):.1f} times as fast" if peer else ""
    print(f"| {name} | {best[name][0]:.2f} | {best[name][1]} | {times} |")
