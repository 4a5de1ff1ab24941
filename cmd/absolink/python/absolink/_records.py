"""The results, and how they are read from the output of the program."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Link(NamedTuple):
    """One reference of a document. "absolink help links" describes the keys.

    A value that is not known, or that was not asked for, is None. Offsets count bytes from 0, lines and columns from 1.
    """

    uri: str | None = None
    status: str | None = None
    kind: str | None = None
    element: str | None = None
    attribute: str | None = None
    rel: tuple[str, ...] = ()
    raw: str | None = None
    value: str | None = None
    text: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    offset: int | None = None
    end: int | None = None
    line: int | None = None
    column: int | None = None
    base: str | None = None
    base_layer: str | None = None
    base_source: str | None = None
    base_part: str | None = None
    page: str | None = None
    type: str | None = None
    source: str | None = None
    item: int | None = None
    part: str | None = None
    message_id: str | None = None
    subject: str | None = None
    from_: str | None = None
    date: str | None = None
    record_id: str | None = None
    record_offset: int | None = None
    http_status: int | None = None
    host: str | None = None
    domain: str | None = None


class Layer(NamedTuple):
    """A layer of RFC 2396 Section 5.1 around a document, and whether it gave the base."""

    layer: str
    source: str | None = None
    value: str | None = None
    uri: str | None = None
    part: str | None = None
    used: bool = False
    reason: str | None = None
    cut: bool = False


class Base(NamedTuple):
    """The base of a document. base is None if it has none. layers has the innermost layer first."""

    base: str | None = None
    base_layer: str | None = None
    base_source: str | None = None
    base_part: str | None = None
    layers: tuple[Layer, ...] = ()
    page: str | None = None
    type: str | None = None
    source: str | None = None
    item: int | None = None
    part: str | None = None
    message_id: str | None = None
    subject: str | None = None
    from_: str | None = None
    date: str | None = None
    record_id: str | None = None
    record_offset: int | None = None
    http_status: int | None = None


COMPUTED = ("host", "domain")  # only on request: they need the public suffix list
CONTEXT = ("text", "subject", "from")  # only with --context, or on request: text needs a tree of the page
NUMBERS = frozenset({"item", "record_offset", "http_status", "offset", "end", "line", "column"})
LISTS = frozenset({"rel", "warnings"})
EMPTY = frozenset({"raw", "value"})  # an empty cell of these is a value

KEYS = tuple(name.rstrip("_") for name in Link._fields)
DEFAULT_KEYS = tuple(key for key in KEYS if key not in COMPUTED + CONTEXT)

_escape = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))")
_named = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _named[match[3]]


def unescape(cell: str) -> str:
    """Return the value of a cell of tsv."""
    return _escape.sub(_unescaped, cell)


def cells(rows: bytes) -> list[str]:
    """Return the non-empty values of rows with one cell each."""
    text = rows.decode()
    values = text.splitlines() if text.isascii() else text.split("\n")
    if "\\" in text:
        values = [unescape(value) for value in values]
    return list(filter(None, values))


def _column(key: str, values: Sequence[str], escaped: bool) -> Sequence[Any]:
    """Return the values of one column, whose cells are text."""
    if not any(values):
        return [() if key in LISTS else "" if key in EMPTY else None] * len(values)
    if key in NUMBERS:
        return [int(value) if value else None for value in values]
    if escaped:
        values = [unescape(value) if "\\" in value else value for value in values]
    if key in LISTS:
        lists = {value: tuple(filter(None, value.split(" "))) for value in set(values)}
        return [lists[value] for value in values]
    if key in EMPTY:
        return values
    if key == "uri":
        return values if all(values) else [value or None for value in values]
    shared: dict[str, str | None] = {"": None}  # many links of a page have the same base, and it may be long
    return list(map(shared.setdefault, values, values))


def table(keys: Sequence[str], rows: bytes) -> list[Sequence[Any]]:
    """Return the columns of rows, which have a cell for each of keys."""
    text = rows.decode()
    if not text:
        return [[] for _ in keys]
    values = text[:-1].replace("\n", "\t").split("\t")
    escaped = "\\" in text
    n = len(keys)
    return [_column(key, values[i::n], escaped) for i, key in enumerate(keys)]


def links(keys: Sequence[str]) -> Callable[[bytes], list[Link]]:
    """Return a function that reads rows with a cell for each of keys."""
    indices = {key: i for i, key in enumerate(keys)}

    def read(rows: bytes) -> list[Link]:
        columns = table(keys, rows)
        n = len(columns[0])
        missing: dict[bool, list[Any]] = {False: [None] * n, True: [()] * n}
        ordered = [columns[indices[key]] if key in indices else missing[key in LISTS] for key in KEYS]
        return list(map(Link._make, zip(*ordered, strict=True)))

    return read


def bases(lines: bytes) -> list[Base]:
    """Read the lines of base --format jsonl."""
    found = []
    for line in lines.splitlines():
        record = json.loads(line)
        record.pop("record", None)
        record["layers"] = tuple(_named_tuple(Layer, layer) for layer in record.get("layers", ()))
        found.append(_named_tuple(Base, record))
    return found


def _named_tuple(of: Any, record: dict[str, Any]) -> Any:
    """Return the values of a record that the type has a field for."""
    if "from" in record:
        record["from_"] = record.pop("from")
    return of(**{key: value for key, value in record.items() if key in of._fields})
