"""The functions of absolink as coroutines, and Extractor.

Each call runs in a thread, and all of them share the children:

    from absolink import aio

    links = await aio.links(page, url="http://www.example.org/")

    async with aio.Extractor(kinds="nav") as extractor:
        async for links in extractor.pages((page, url) async for url, page in crawl()):
            ...
"""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from . import _extract
from ._client import Page
from ._errors import DocumentError
from ._extract import TIMEOUT
from ._flags import Flag
from ._records import Link

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _in_thread(function: Callable[_P, _T]) -> Callable[_P, Awaitable[_T]]:
    @functools.wraps(function)
    async def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await asyncio.to_thread(function, *args, **kwargs)

    return call


urls = _in_thread(_extract.urls)
links = _in_thread(_extract.links)
rewrite = _in_thread(_extract.rewrite)
base = _in_thread(_extract.base)


class Extractor:
    """Lists the links of many documents with the same flags, as absolink.Extractor does."""

    def __init__(
        self,
        *,
        fields: str | Sequence[str] | None = None,
        context: bool = False,
        kinds: str | Iterable[str] | None = None,
        jobs: int | None = None,
        timeout: float | None = TIMEOUT,
        **flags: Flag,
    ) -> None:
        self._extractor = _extract.Extractor(
            fields=fields, context=context, kinds=kinds, jobs=jobs, timeout=timeout, **flags
        )
        self.links = _in_thread(self._extractor.links)
        self.close = _in_thread(self._extractor.close)

    async def __aenter__(self) -> Extractor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def pages(
        self,
        pages: Iterable[Page] | AsyncIterable[Page],
        on_error: Callable[[DocumentError], object] | None = None,
    ) -> AsyncGenerator[list[Link], None]:
        """Yield the links of each page, in order, as absolink.Extractor.pages does.

        pages may be an asynchronous iterable, and may wait for the links of its earlier pages. Up to 64 pages are read
        ahead.
        """
        source = _each(pages)
        upcoming: asyncio.Future[Page | None] | None = asyncio.ensure_future(anext(source, None))
        answers: deque[asyncio.Future[list[Link]]] = deque()
        try:
            while upcoming or answers:
                full = len(answers) >= _extract.OPEN_PAGES
                waits: list[asyncio.Future[Any]] = [answers[0]] if answers else []
                if upcoming and not full:
                    waits.append(upcoming)
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                if upcoming and upcoming.done() and not full:
                    page = upcoming.result()
                    upcoming = None
                    if page is not None:
                        answer = asyncio.to_thread(_extract.read_page, self._extractor, page)
                        answers.append(asyncio.ensure_future(answer))
                        upcoming = asyncio.ensure_future(anext(source, None))
                if answers and answers[0].done():
                    yield _result(answers.popleft(), on_error)
        finally:
            for future in answers:
                future.cancel()
            if upcoming:
                upcoming.cancel()
                await asyncio.wait([upcoming])
            await source.aclose()


async def _each(pages: Iterable[Page] | AsyncIterable[Page]) -> AsyncGenerator[Page, None]:
    if isinstance(pages, AsyncIterable):
        async for page in pages:
            yield page
    else:
        for page in pages:
            yield page


def _result(answer: asyncio.Future[list[Link]], on_error: Callable[[DocumentError], object] | None) -> list[Link]:
    try:
        return answer.result()
    except DocumentError as e:
        if on_error is None:
            raise
        on_error(e)
        return []


__all__ = ["Extractor", "base", "links", "rewrite", "urls"]
