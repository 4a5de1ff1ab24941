"""Links of web pages, mail and web archives, absolute by the layers of RFC 2396 Section 5.1.

    import absolink

    absolink.urls(page, "http://www.example.org/dir/")     # ["http://www.example.org/dir/next.html", …]
    absolink.links(page, "http://www.example.org/dir/")    # a Link for each, with its place and its base
    absolink.rewrite(page, "http://www.example.org/dir/")  # the page with absolute links, all other bytes unchanged
    absolink.base(page, "http://www.example.org/dir/")     # its base, and the layers around it

    with absolink.Extractor(kinds="nav") as extractor:
        for links in extractor.pages((page, url) for url, page in crawl):
            ...

The program absolink does the work in a child process, which starts at the first call and ends with this process. All
functions may be called from many threads, and in forked processes. absolink.aio has the same functions for asyncio,
absolink.scrapy a LinkExtractor, and absolink.spark a function for DataFrames.
"""

from ._client import Details, Page
from ._errors import DocumentError, Error, FlagError, ProcessError
from ._extract import Extractor, base, links, rewrite, urls
from ._records import Base, Layer, Link

__all__ = [
    "Base",
    "Details",
    "DocumentError",
    "Error",
    "Extractor",
    "FlagError",
    "Layer",
    "Link",
    "Page",
    "ProcessError",
    "base",
    "links",
    "rewrite",
    "urls",
]
