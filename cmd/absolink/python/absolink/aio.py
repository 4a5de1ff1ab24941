"""The functions of absolink as coroutines.

Each call runs in a thread, and all of them share the children:

    from absolink import aio

    links = await aio.links(page, url="http://www.example.org/")
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from . import _extract

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

__all__ = ["base", "links", "rewrite", "urls"]
