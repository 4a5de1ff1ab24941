"""Links of the pages in a DataFrame of Spark.

The rows become other rows, one for each link:

    from absolink import spark

    spark.links(pages, content="content", url="url").write.parquet("links")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import _records
from ._errors import DocumentError
from ._extract import Extractor

FIELDS = (
    "page",
    "uri",
    "status",
    "kind",
    "element",
    "attribute",
    "rel",
    "value",
    "line",
    "column",
    "base",
    "base_layer",
    "error",
)
_ROWS = 10_000  # of a batch, at least


def links(df: Any, content: str = "content", url: str = "url", *, fields: Sequence[str] = FIELDS, **flags: Any) -> Any:
    """Return a DataFrame with a row for each link of the pages in df.

    The column content has the bytes or the text of a page, and url the URL that it was retrieved from. Pages without
    content have no rows. fields are the keys of links that become columns. A page that cannot be read has one row, with
    its URL as page, "failed" as status, and the reason as error. flags are flags of "absolink extract".

    Every task starts the program once. The workers need the wheel of absolink, pyarrow, and the pandas that PySpark
    asks for.
    """
    keys = tuple(fields)

    def extract(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore] # pyright: ignore

        schema = pyarrow.schema([(key, _arrow_type(pyarrow, key)) for key in keys])
        with Extractor(fields=keys, jobs=1, **flags) as extractor:
            for columns in _columns(extractor, keys, batches):
                yield pyarrow.RecordBatch.from_pydict(dict(zip(keys, columns)), schema=schema)

    return df.select(content, url).mapInArrow(extract, ", ".join(f"`{key}` {_spark_type(key)}" for key in keys))


def _columns(extractor: Extractor, keys: Sequence[str], batches: Iterable[Any]) -> Iterator[list[list[Any]]]:
    """Yield the columns of many pages."""
    columns: list[list[Any]] = [[] for _ in keys]
    failures: list[DocumentError] = []
    for found in extractor.columns(_pages(batches), failures.append):
        for column, values in zip(columns, found):
            column.extend(values)
        for failure in failures:
            row = {"page": failure.document, "status": "failed", "error": failure.reason}
            for column, key in zip(columns, keys):
                column.append(row.get(key, [] if key in _records.LISTS else None))
        failures.clear()
        if len(columns[0]) >= _ROWS:
            yield columns
            columns = [[] for _ in keys]
    yield columns


def _pages(batches: Iterable[Any]) -> Iterator[tuple[bytes | str, str | None]]:
    for batch in batches:
        for data, url in zip(batch.column(0), batch.column(1)):
            if data.is_valid:
                yield data.as_py(), url.as_py()


def _arrow_type(pyarrow: Any, key: str) -> Any:
    if key in _records.NUMBERS:
        return pyarrow.int64()
    return pyarrow.list_(pyarrow.string()) if key in _records.LISTS else pyarrow.string()


def _spark_type(key: str) -> str:
    if key in _records.NUMBERS:
        return "bigint"
    return "array<string>" if key in _records.LISTS else "string"
