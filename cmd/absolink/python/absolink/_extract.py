"""The functions of the package, and Extractor."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _child, _records
from ._client import LINES, ROWS, Client, Headers, Page, Request
from ._errors import DocumentError, FlagError
from ._flags import Flag, arguments
from ._records import Base, Link

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore] # pyright: ignore

TIMEOUT = 60.0  # seconds without a byte, after which a child counts as hung
LONGEST = 1e6  # seconds, the longest timeout
OPEN_PAGES = 64  # pages that Extractor.pages reads ahead
OPEN_BYTES = 32 << 20  # their size

_clients: OrderedDict[tuple[str, ...], Client] = OrderedDict()


def client(args: tuple[str, ...], mark: bytes) -> Client:
    """Return the client of this process with these arguments. Only the eight newest keep their child."""
    found = _clients.get(args)
    if found is None:
        with _child.exclusive():
            found = _clients.setdefault(args, Client(args, mark, TIMEOUT))
            oldest = _clients.popitem(last=False) if len(_clients) > 8 else None
        del oldest  # its child ends when nobody uses it any more
    return found


def urls(
    data: bytes | str,
    url: str | None = None,
    *,
    type: str | None = None,
    charset: str | None = None,
    headers: Headers | None = None,
    name: str | None = None,
    **flags: Flag,
) -> list[str]:
    """Return the absolute URLs of a document, in its order.

    url is the URL that the document was retrieved from. type is a media type, or a kind such as html, css or message;
    without it the headers of the response decide, then the name and the content. flags are flags of "absolink extract",
    such as kind="nav" or same_host=True.
    """
    request = Request(data, url=url, type=type, charset=charset, headers=headers, name=name)
    args = arguments("extract", flags) + ("--format=tsv", "--fields=uri", "--jobs=1")
    return _records.cells(client(args, ROWS).ask(request).before)


def links(
    data: bytes | str,
    url: str | None = None,
    *,
    context: bool = False,
    kinds: str | Iterable[str] | None = None,
    type: str | None = None,
    charset: str | None = None,
    headers: Headers | None = None,
    name: str | None = None,
    **flags: Flag,
) -> list[Link]:
    """Return the links of a document, in its order, also those that are invalid or have no base.

    With context, links have the text of their element. kinds selects kinds such as "nav" and "res". The other arguments
    are those of urls.
    """
    request = Request(data, url=url, type=type, charset=charset, headers=headers, name=name)
    keys = _keys(context)
    args = arguments("extract", {"context": context, **_kinds(kinds, flags)}) + _columns(keys) + ("--jobs=1",)
    return _records.links(keys)(client(args, ROWS).ask(request).before)


def rewrite(
    data: bytes | str,
    url: str | None = None,
    *,
    map: str | Iterable[str] | Mapping[str, str] | None = None,
    to: str | None = None,
    type: str | None = None,
    charset: str | None = None,
    headers: Headers | None = None,
    name: str | None = None,
    **flags: Flag,
) -> bytes:
    """Return a document with absolute links. All other bytes stay. If data is str, the result is in UTF-8.

    map moves URLs: {"http://old.example/": "https://new.example/"}. to is the form of links within the site, such as
    "relative". flags are flags of "absolink rewrite". A document that cannot be rewritten safely raises DocumentError.
    """
    request = Request(data, url=url, type=type, charset=charset, headers=headers, name=name)
    args = arguments("rewrite", {"map": map, "to": to, **flags}) + ("--jobs=1",)
    return client(args, LINES).ask(request).after


def base(
    data: bytes | str,
    url: str | None = None,
    *,
    type: str | None = None,
    charset: str | None = None,
    headers: Headers | None = None,
    name: str | None = None,
    **flags: Flag,
) -> list[Base]:
    """Return the base of each document in data, with the layers around it: one for a page, more for a message."""
    request = Request(data, url=url, type=type, charset=charset, headers=headers, name=name)
    args = arguments("base", flags) + ("--format=jsonl", "--jobs=1")
    return _records.bases(client(args, LINES).ask(request).before)


def _kinds(kinds: str | Iterable[str] | None, flags: Mapping[str, Flag]) -> dict[str, Flag]:
    if kinds is not None and flags.get("kind") is not None:
        raise FlagError("kind and kinds mean the same: leave one of them out")
    return {"kind": kinds, **flags}


def _keys(context: bool) -> tuple[str, ...]:
    return _records.DEFAULT_KEYS + _records.CONTEXT if context else _records.DEFAULT_KEYS


def _columns(keys: Sequence[str]) -> tuple[str, ...]:
    return ("--format=tsv", "--fields=" + ",".join(keys))


def _selected(table: pyarrow.Table, keys: Sequence[str]) -> pyarrow.Table:
    """Return the links of an answer with these columns. The program adds columns, and rows about failures."""
    import pyarrow.compute  # type: ignore[import-not-found,import-untyped,unused-ignore] # pyright: ignore

    return table.filter(pyarrow.compute.field("record") == "link").select(list(keys))


class Extractor:
    """Lists the links of many documents with the same flags.

    fields selects keys of the links: fewer keys take less time. context adds the text of links. jobs is the number of
    documents that the child works on at once, by default one for each core. timeout is in seconds without a byte from
    the child; None is no limit. flags are flags of "absolink extract". An Extractor may be used from many threads, and
    after a fork, and it can be pickled.
    """

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
        fields = fields.split(",") if isinstance(fields, str) else fields
        keys = tuple(fields) if fields else _keys(context)
        if timeout is not None and not (isinstance(timeout, int | float) and timeout > 0):
            raise ValueError(f"timeout: {timeout!r} is not a positive number of seconds")
        args = arguments("extract", {"context": context, "jobs": jobs, **_kinds(kinds, flags)})
        self.__setstate__((keys, args, min(timeout or LONGEST, LONGEST)))

    def __getstate__(self) -> tuple[tuple[str, ...], tuple[str, ...], float]:
        return self._keys, self._args, self._timeout

    def __setstate__(self, state: tuple[tuple[str, ...], tuple[str, ...], float]) -> None:
        self._keys, self._args, self._timeout = state
        self._client = Client(self._args + _columns(self._keys), ROWS, self._timeout)
        self._read = _records.links(self._keys)

    def __enter__(self) -> Extractor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child. A later call starts another."""
        self._client.close()

    def links(
        self,
        data: bytes | str,
        url: str | None = None,
        *,
        type: str | None = None,
        charset: str | None = None,
        headers: Headers | None = None,
        name: str | None = None,
        status: int | None = None,
    ) -> list[Link]:
        """Return the links of one document. The arguments are those of absolink.links; status is a code of HTTP."""
        request = Request(data, url=url, type=type, charset=charset, headers=headers, name=name, status=status)
        return self._read(self._client.ask(request).before)

    def pages(
        self,
        pages: Iterable[Page],
        on_error: Callable[[DocumentError], object] | None = None,
    ) -> Iterator[list[Link]]:
        """Yield the links of each page, in order.

        pages yields (data, url), or (data, url, details) with a dict of details such as {"headers": response.headers}.
        Details are type, charset, headers, name and status. Up to 64 pages are read ahead. If a page fails, on_error is
        called with the error, and the page has no links. Without on_error the error is raised.
        """
        for answer in self._answers(self._client, pages, on_error):
            yield self._read(answer) if answer else []

    def columns(
        self,
        pages: Iterable[Page],
        on_error: Callable[[DocumentError], object] | None = None,
    ) -> Iterator[list[Sequence[Any]]]:
        """Yield the links of each page as one sequence of values for each of fields. It is like pages otherwise."""
        for answer in self._answers(self._client, pages, on_error):
            yield _records.table(self._keys, answer)

    def arrow(self, pages: Iterable[Page]) -> pyarrow.RecordBatchReader:
        """Return the links of pages as Arrow batches, with a column for each of fields.

        Each page that has links is a batch. It needs pyarrow. A page that fails raises its error.
        """
        import pyarrow  # pyright: ignore

        columns = ("--format=arrow", "--fields=" + ",".join(self._keys))
        arrow = Client(self._args + columns, LINES, self._timeout)
        empty = arrow.ask(Request(b"", type="html"))
        schema = _selected(pyarrow.ipc.open_stream(empty.after).read_all(), self._keys).schema

        def batches() -> Iterator[pyarrow.RecordBatch]:
            try:
                for answer in self._answers(arrow, pages, None):
                    table = pyarrow.ipc.open_stream(answer).read_all()
                    yield from _selected(table, self._keys).to_batches()
            finally:
                arrow.close()

        return pyarrow.RecordBatchReader.from_batches(schema, batches())

    def _answers(
        self,
        client: Client,
        pages: Iterable[Page],
        on_error: Callable[[DocumentError], object] | None,
    ) -> Iterator[bytes]:
        """Yield the bytes of each answer, in order; they are empty if a page failed."""
        requests: deque[Request] = deque()

        def first() -> bytes:
            request = requests.popleft()
            try:
                answer = client.wait(request)
            except DocumentError as e:
                if on_error is None:
                    raise
                on_error(e)
                return b""
            return answer.after or answer.before

        size = 0
        try:
            for page in pages:
                requests.append(Request.of_page(page))
                size += len(requests[-1].frame[1])
                client.submit(requests[-1])
                client.poll(requests[0])
                while requests and (requests[0].done or len(requests) >= OPEN_PAGES or size > OPEN_BYTES):
                    size -= len(requests[0].frame[1])
                    yield first()
            while requests:
                yield first()
        finally:
            client.withdraw(requests)


def read_page(extractor: Extractor, page: Page) -> list[Link]:
    """Return the links of a page of Extractor.pages."""
    return extractor._read(extractor._client.ask(Request.of_page(page)).before)
