"""Sends documents to a child and receives its answers, in order.

Requests form a line. Whoever waits for an answer moves bytes for all of them: it writes the next frames, and hands each
answer to the first open request. So threads share a child without a thread of their own, and a caller that keeps many
requests open keeps both pipes full.

If the child dies, a new one gets the open documents again. A document that was open at two deaths is sent alone, so
that the next death tells which document is to blame. In a forked process nothing of the parent's is used: see
Line.owner.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypedDict, cast

from . import _child
from ._child import Child, Process
from ._errors import DocumentError, Error, FlagError, ProcessError
from ._transport import Bytes, Hung

logger = logging.getLogger("absolink")

ROWS = b"\0"  # begins the end record after rows
LINES = b'{"record":"end"'  # begins the end record after lines of JSON

MAX_HEADER = 1 << 20  # bytes of the first line of a frame
_key = re.compile(r'"(url|type|charset)"(?::("[^"]*"))? in the frame')
_ids = itertools.count(1)
_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

_KEYS = ("type", "charset", "headers", "name", "status")
_Field: TypeAlias = tuple[str | bytes, str | bytes]


class Fields(Protocol):
    """Header fields, such as a dict, or a Message of http.client."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return names with values."""
        ...


Headers: TypeAlias = Fields | Iterable[_Field]


class Details(TypedDict, total=False):
    """Facts about a page, besides its URL. They are those of the functions."""

    type: str | None
    charset: str | None
    headers: Headers | None
    name: str | None
    status: int | None


Page: TypeAlias = tuple[bytes | str, str | None] | tuple[bytes | str, str | None, Details]


class Answer(NamedTuple):
    """The answer to a frame: the rows or lines before the end record, the record, and the bytes after it."""

    before: bytes
    end: dict[str, Any]
    after: bytes


class Request:
    """A document that is sent, and its answer."""

    __slots__ = ("answer", "deaths", "error", "frame", "id", "name", "owner")

    def __init__(
        self,
        data: bytes | str,
        *,
        url: str | None = None,
        type: str | None = None,
        charset: str | None = None,
        headers: Headers | None = None,
        name: str | None = None,
        status: int | None = None,
    ) -> None:
        for key, value in {"url": url, "type": type, "charset": charset, "name": name}.items():
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{key} is not a str: {value!r}")
        self.deaths = 0  # of children that had this document
        self.answer: Answer | None = None
        self.error: Error | None = None
        self.owner: Process | None = None  # the process whose line has the request
        fault = ""
        if isinstance(data, str):
            try:
                data = data.encode()
            except UnicodeEncodeError as e:
                fault = f"character {e.start} of data is a lone surrogate: give the document as bytes"
                data = b""
            charset = "utf-8"
        elif not isinstance(data, bytes):
            try:
                data = bytes(memoryview(data))  # len(data) may be another number than that of its bytes
            except TypeError:
                raise TypeError(f"data is neither bytes nor str: {data!r:.80}") from None
        self.id = next(_ids)
        self.name = str(url or name or f"a document of {len(data)} bytes")
        keys = {
            "url": url,
            "type": type,
            "charset": charset,
            "headers": pairs(headers),
            "name": name,
            "status": status,
        }
        line = {"length": len(data), "id": self.id} | {key: value for key, value in keys.items() if value is not None}
        header = _json(line).encode()
        if len(header) > MAX_HEADER:
            fault = "its url, name and headers have more than 1 MiB"
        if fault:
            self.error = DocumentError(self.name, fault)
        self.frame: tuple[bytes, bytes] = (header + b"\n", data)

    @classmethod
    def of_page(cls, page: Page) -> Request:
        """Return the request for a page of Extractor.pages."""
        if isinstance(page, bytes | str) or not isinstance(page, Sequence) or not 2 <= len(page) <= 3:
            raise TypeError(f"pages are (data, url) or (data, url, details), not {page!r:.80}")
        if len(page) == 2:
            return cls(page[0], url=page[1])
        details = page[2]
        if not isinstance(details, Mapping):
            raise TypeError(f"the details of a page are no dict: {details!r:.80}")
        for key in details:
            if key not in _KEYS:
                raise TypeError(f"{key!r} is no detail of a page: details are {', '.join(_KEYS)}")
        return cls(page[0], url=page[1], **details)

    def result(self) -> Answer:
        """Return the answer of a request that is done, or raise its error."""
        if self.error:
            raise self.error
        assert self.answer
        end = self.answer.end
        messages = tuple(map(_in_words_of_python, end.get("messages", ())))
        if end.get("status") != "done":
            raise DocumentError(self.name, _in_words_of_python(end.get("error", "failed")), messages)
        for message in messages:
            logger.info("%s", message)
        return self.answer

    @property
    def done(self) -> bool:
        """Whether the request has an answer or an error."""
        return self.answer is not None or self.error is not None


def pairs(headers: Headers | None) -> list[tuple[str, str]] | None:
    """Return header fields as a frame has them. Bytes are read as ISO 8859-1, as HTTP sends them."""
    if headers is None:
        return None
    items = getattr(headers, "items", None)
    fields = cast("Iterable[Any]", headers if items is None else items())
    found: list[tuple[str, str]] = []
    try:
        if isinstance(headers, str | bytes):
            raise TypeError
        for name, value in fields:
            values = value if isinstance(value, list | tuple) else [value]  # a list in Scrapy
            found.extend((_text(name), _text(text)) for text in values if text is not None)
    except (TypeError, ValueError):
        raise TypeError(f"headers are neither a mapping nor pairs of name and value: {headers!r:.80}") from None
    return found


def _text(text: str | bytes) -> str:
    return text.decode("latin-1") if isinstance(text, bytes) else str(text)


def _in_words_of_python(message: str) -> str:
    """Return a message that names arguments in place of keys of the frame."""
    return _key.sub(lambda m: f"{m[1]}={m[2]}" if m[2] else m[1], message)


class Answers:
    """Cuts the output of a child into answers."""

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._begin = b"\n" + mark if mark == LINES else mark
        self._buffer = bytearray()
        self._searched = 0
        self._end: dict[str, Any] | None = None  # the end record, while bytes after it are missing
        self._before = b""

    def feed(self, chunk: bytes) -> Iterator[Answer]:
        """Yield the answers that are complete with this chunk."""
        self._buffer += chunk
        while (answer := self._next()) is not None:
            yield answer

    def _next(self) -> Answer | None:
        buffer = self._buffer
        if self._end is None and not self._read_end():
            return None
        end = self._end or {}
        length = end.get("length", 0)
        if len(buffer) < length:
            return None
        answer = Answer(self._before, end, bytes(buffer[:length]))
        del buffer[:length]
        self._end = None
        return answer

    def _read_end(self) -> bool:
        """Read the end record, and report whether the buffer has all of it."""
        buffer = self._buffer
        at = self._find()
        if at < 0:
            return False
        stop = buffer.find(b"\n", at)
        if stop < 0:
            self._searched = max(0, at - 1)
            return False
        self._end = json.loads(buffer[at:stop].lstrip(b"\0"))
        self._before = bytes(buffer[:at])
        del buffer[: stop + 1]
        self._searched = 0
        return True

    def _find(self) -> int:
        """Return the offset of the end record, or -1 if it is not there yet."""
        if self._mark == LINES and self._buffer.startswith(LINES):
            return 0
        at = self._buffer.find(self._begin, self._searched)
        if at < 0:
            self._searched = max(0, len(self._buffer) - len(self._begin))
            return -1
        return at + len(self._begin) - len(self._mark)


class Line:
    """The requests of one process, and its child."""

    def __init__(self) -> None:
        self.owner = _child.process()
        self.lock = threading.Lock()
        self.child: Child | None = None
        self.open: deque[Request] = deque()  # in the order of the answers
        self.sent = 0  # the child has frames of so many of them
        self.frames: deque[Bytes] = deque()  # bytes that the pipe has not taken
        self.answers: Answers | None = None


class Client:
    """Sends documents to a child with the same arguments. It may be used from many threads, and after a fork."""

    def __init__(self, arguments: tuple[str, ...], mark: bytes, timeout: float) -> None:
        self._arguments = arguments
        self._mark = mark
        self._timeout = timeout
        self._line = Line()

    def ask(self, request: Request) -> Answer:
        """Return the answer to one document, or raise the error."""
        self.submit(request)
        return self.wait(request)

    def submit(self, request: Request) -> None:
        """Put a request in the line, unless it has failed already."""
        if request.done:
            return
        line = self._current()
        with line.lock:
            request.owner = line.owner
            line.open.append(request)

    def wait(self, request: Request) -> Answer:
        """Move bytes until the request is done, and return the answer."""
        while not request.done:
            line = self._current()
            if request.owner != line.owner:
                self.submit(request)  # its line belongs to the parent
            with line.lock:
                if not request.done:
                    self._step(line, request, self._timeout)
        return request.result()

    def poll(self, request: Request) -> bool:
        """Move bytes without waiting, and report whether the request is done."""
        line = self._current()
        if request.owner == line.owner and not request.done and not line.lock.locked():
            with line.lock:  # only "with" is safe if a signal interrupts it
                if not request.done:
                    self._step(line, request, 0)
        return request.done

    def close(self) -> None:
        """End the child. A later request starts another."""
        line = self._line
        if line.owner != _child.process():
            return
        with line.lock:
            if line.child:
                line.child.close()
            line.child = None
            self._fail(line, Error("closed before the answer came"))

    def withdraw(self, requests: Iterable[Request]) -> None:
        """Take requests out of the line that the child does not have yet."""
        line = self._current()
        with line.lock:
            waiting = [request for request in requests if request in itertools.islice(line.open, line.sent, None)]
            for request in waiting:
                line.open.remove(request)

    def _current(self) -> Line:
        """Return the line of this process."""
        line = self._line
        if line.owner != _child.process():
            with _child.exclusive():
                line = self._line
                if line.owner != _child.process():
                    line = Line()
                    self._line = line
        return line

    def _step(self, line: Line, request: Request, timeout: float) -> None:
        """Move some bytes, with line.lock held. If that is interrupted, the request is withdrawn."""
        try:
            self._send(line)
            assert line.child and line.answers
            chunk = line.child.move(line.frames, timeout)
            if chunk is None:
                return
            if not chunk:
                self._lost(line, "", 5.0)
                return
            for answer in line.answers.feed(chunk):
                if not line.open or answer.end.get("id") != line.open[0].id:
                    self._lost(line, "the answer is that of another document", 0)
                    return
                line.open[0].answer = answer
                line.open.popleft()
                line.sent -= 1
        except Hung:
            self._lost(line, f"no answer within {timeout:g} seconds", 0)
        except Error as e:
            self._fail(line, e)
        except BaseException:
            if line.child:
                line.child.close(0)
            line.child = None
            line.sent = 0
            if request in line.open:
                line.open.remove(request)
            raise

    def _send(self, line: Line) -> None:
        """Start a child if there is none, and queue the frames of requests that it may have now."""
        if line.child is None or line.child.stdin < 0:
            line.sent = 0
            line.frames.clear()
            line.answers = Answers(self._mark)
            line.child = Child(self._arguments)
        while line.sent < len(line.open) and len(line.frames) < 64:
            request = line.open[line.sent]
            if line.sent and (request.deaths > 1 or line.open[0].deaths > 1):
                return  # a request that goes alone
            line.frames.extend(request.frame)
            line.sent += 1

    def _lost(self, line: Line, reason: str, patience: float) -> None:
        """Give up a child that is dead or that hangs. Documents get a second chance, and a third one alone."""
        child = line.child
        assert child
        line.child = None
        said = child.close(patience)
        status = child.process.returncode
        if status == 2 and " is damaged: " not in said:
            self._fail(line, FlagError(said.removeprefix("absolink: ") or "exit status 2"))
            return
        had = [line.open[i] for i in range(line.sent)]
        if len(had) == 1 and had[0].deaths:
            ended = f"signal {-status}" if status < 0 else f"exit status {status}"
            text = ": ".join(s for s in (reason or f"absolink ended with {ended}, twice", said[-1000:]) if s)
            had[0].error = ProcessError(had[0].name, text)
            line.open.popleft()
        for request in had:
            request.deaths += 1

    def _fail(self, line: Line, error: Error) -> None:
        """Give an error to all open requests."""
        if line.child:
            line.child.close(0)
        line.child = None
        line.sent = 0
        while line.open:
            line.open.popleft().error = error
