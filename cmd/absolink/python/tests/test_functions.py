"""The results of the functions."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import email.message
import gc
import logging
import pickle
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pyarrow
import pytest

import absolink
from absolink import _client, _records, aio

from conftest import PAGE, URL, URLS


def test_urls() -> None:
    assert absolink.urls(PAGE, URL) == URLS
    assert absolink.urls(PAGE.decode(), url=URL) == URLS
    assert absolink.urls(PAGE, URL, kind=["nav"]) == [URLS[1]]
    assert absolink.urls(PAGE, type="html", force_base="https://f.test/") == [
        "https://f.test/d/",
        "https://f.test/x",
        "https://f.test/i.png",
    ]
    assert absolink.urls(b"", URL) == []


def test_links() -> None:
    base, link, image, invalid = absolink.links(PAGE, URL)
    assert link == absolink.Link(
        uri="http://e.test/d/x", status="resolved", kind="nav", element="a", attribute="href",
        rel=("next", "nofollow"), raw="x", value="x", offset=23, end=24, line=1, column=24, base="http://e.test/d/",
        base_layer="embedded", base_source="base-element", page=URL, type="text/html", source="-",
    )  # fmt: skip
    assert (base.kind, image.kind) == ("meta", "res")
    assert invalid.uri is None and invalid.status == "invalid" and "IPv6" in str(invalid.error)
    assert [found.text for found in absolink.links(PAGE, URL, context=True, kinds="nav")] == ["Next page", "y"]
    assert [found.kind for found in absolink.links(PAGE, URL, kinds=("res", "meta"))] == ["meta", "res"]
    assert absolink.links(b"<a href=''>", URL)[0].value == ""
    assert [link.value for link in absolink.links(b"<a href=''><a href=x>", URL)] == ["", "x"]


def test_links_share_equal_texts() -> None:
    first, second = absolink.links(b"<base href=/dir/><a href=x><a href=y>", URL, kinds="nav")
    assert first.base is second.base and first.page is second.page and first.element is second.element


def test_every_key_is_a_field() -> None:
    record = absolink.links(PAGE, URL)[0]
    for key in _records.KEYS:
        assert hasattr(record, key if key != "from" else "from_")
    message = (
        b"Subject: s\nFrom: a@b.test\nMessage-ID: <m@b.test>\nContent-Type: text/html\n\n<a href=http://c.test/>c</a>"
    )
    (found,) = [link for link in absolink.links(message, type="message", context=True) if link.element == "a"]
    assert (found.subject, found.from_, found.text) == ("s", "a@b.test", "c")
    assert found.message_id == "<m@b.test>"


@pytest.mark.parametrize(
    "value",
    [
        "a\\b",
        "a\\nb",
        "tab%09\\t",
        "\\",
        "\\\\x41",
        "\u4e2d\u6587",
        "\u2028x",
        "\x85y",
        "\x1fz",
        "\\u009b",
        "\x0bv",
        "a\x7fb",
    ],
)
def test_values_are_exact(value: str) -> None:
    page = f'<a href="?{value}">x</a>'
    (link,) = absolink.links(page, URL)
    assert link.value == "?" + value
    (url,) = absolink.urls(page, URL)
    assert link.uri == url and "\n" not in url


def test_line_ends_and_tabs_in_values() -> None:
    (link,) = absolink.links('<a href="a\tb\r\nc">x</a>', URL)
    assert link.raw == "a\tb\r\nc"
    assert link.uri == "http://e.test/abc"


def test_charset() -> None:
    page = '<a href="?q=é&r=中">'
    assert absolink.urls(page.encode("gb18030"), URL, charset="gb18030") == ["http://e.test/?q=%A8%A6&r=%D6%D0"]
    assert absolink.urls(page.encode(), URL, charset="utf-8") == absolink.urls("<meta charset=gb18030>" + page, URL)
    with pytest.raises(absolink.DocumentError, match="^http://e.test/: character 8 of data is a lone surrogate: give"):
        absolink.urls("<a href=\ud800>", URL)


def test_headers() -> None:
    fields = {"Content-Type": "text/css", "Link": "</next>; rel=next"}
    found = absolink.urls(b"a { background: url(i.png) }", URL, headers=fields)
    assert "http://e.test/i.png" in found and "http://e.test/next" in found
    assert absolink.urls(b"a { background: url(i.png) }", URL, headers=list(fields.items())) == found
    assert absolink.urls(b"a { background: url(i.png) }", URL, name="a.css") == ["http://e.test/i.png"]


def test_headers_of_other_types() -> None:
    message = email.message.Message()
    message["Content-Type"] = "text/css"
    css = b"a { background: url(i.png) }"
    for headers in (message, {b"Content-Type": b"text/css"}, [(b"Content-Type", "text/css")]):
        assert absolink.urls(css, URL, headers=headers) == ["http://e.test/i.png"]
    with pytest.raises(TypeError, match="^url is not a str: b'http://e.test/'"):
        absolink.urls(css, b"http://e.test/")  # type: ignore[arg-type]


def test_headers_with_several_values() -> None:
    """Scrapy has a list of bytes for each name."""
    fields = {b"Content-Type": [b"text/html"], b"Link": [b"</a>; rel=next", b"</b>; rel=prev"], b"X": None, b"Y": []}
    assert absolink.urls(b"<p>", URL, headers=fields) == [URL + "a", URL + "b"]


@pytest.mark.parametrize("headers", ["Content-Type: text/html", b"X: y", ["a", "b"], [("a", "b", "c")], 5, [5]])
def test_wrong_headers(headers: Any) -> None:
    with pytest.raises(TypeError, match="^headers are neither a mapping nor pairs of name and value: "):
        absolink.urls(b"<p>", URL, headers=headers)


def test_values_of_flags() -> None:
    assert absolink.urls(PAGE, URL, match=("x$", "png")) == URLS[1:]
    assert absolink.urls(PAGE, URL, kind=(kind for kind in ["nav"])) == URLS[1:2]
    for flags, reason in (
        ({"match": b"x"}, "match: b'x' is not a str"),
        ({"match": 1.5}, "match: 1.5 is not a str"),
        ({"match": ["x", None]}, "match: None is not a str"),
        ({"kind": [b"nav"]}, "kind: b'nav' is not a str"),
        ({"kinds": "nav", "kind": "res"}, "kind and kinds mean the same"),
    ):
        with pytest.raises(absolink.FlagError, match=f"^{reason}"):
            absolink.links(PAGE, URL, **flags)  # type: ignore[arg-type]
    with pytest.raises(absolink.FlagError, match="^kind and kinds mean the same"):
        absolink.Extractor(kinds="nav", kind="res")
    for rules in ({URL: 5}, {URL: None}, {None: URL}, [(URL, URL)]):
        with pytest.raises(absolink.FlagError, match="^map: .* is not a str|^map: '5' begins with neither"):
            absolink.rewrite(PAGE, URL, map=rules)  # type: ignore[arg-type]


def test_rewrite() -> None:
    want = PAGE.replace(b"href=x", b"href=http://e.test/d/x").replace(b"i.png", b"http://e.test/d/i.png")
    assert absolink.rewrite(PAGE, URL) == want
    assert absolink.rewrite(PAGE.decode(), URL) == want
    moved = absolink.rewrite(b"<a href=/x>", URL, map={"http://e.test/": "https://new.test/"})
    assert moved == b"<a href=https://new.test/x>"
    assert absolink.rewrite(b"<a href=/x>", URL, map="http://e.test/=https://new.test/") == moved
    query = {"http://e.test/?a=b": "https://new.test/?c=d"}
    assert absolink.rewrite(b"<a href='/?a=b'>", URL, map=query) == b"<a href='https://new.test/?c=d'>"
    with pytest.raises(absolink.FlagError, match="map: 'http://e.test/[?]a=/b' has"):
        absolink.rewrite(b"<a href='/?a=/b'>", URL, map={"http://e.test/?a=/b": "https://new.test/"})
    assert absolink.rewrite(b"\x00\xff\r<p>", URL) == b"\x00\xff\r<p>"
    assert absolink.rewrite(b"", URL) == b""


def test_base() -> None:
    (found,) = absolink.base(PAGE, URL)
    assert (found.base, found.base_layer, found.base_source) == ("http://e.test/d/", "embedded", "base-element")
    assert [(layer.layer, layer.used) for layer in found.layers] == [("embedded", True), ("retrieval", False)]
    assert absolink.base(b"<p>", type="html")[0].base is None


def test_errors() -> None:
    with pytest.raises(absolink.DocumentError, match="^a document of 5 bytes: cannot tell .*; try type=\"text\"$"):
        absolink.urls(b"hello")
    with pytest.raises(absolink.DocumentError, match="/: given as application/pdf, .*; type=\"html\" reads"):
        absolink.urls(b"<!DOCTYPE html>", URL, type="application/pdf")
    with pytest.raises(absolink.DocumentError, match=r"^http://e.test/a b: "):
        absolink.urls(b"x", "http://e.test/a b", type="nothing")
    with pytest.raises(absolink.FlagError, match="unknown flag: --no-flag"):
        absolink.urls(PAGE, URL, no_flag=True)
    with pytest.raises(absolink.FlagError, match="kind"):
        absolink.links(PAGE, URL, kinds="none")
    with pytest.raises(absolink.FlagError, match="format: the package sets it"):
        absolink.urls(PAGE, URL, format="csv")
    with pytest.raises(absolink.FlagError, match="base: give url with the document"):
        absolink.urls(PAGE, base=URL)
    assert issubclass(absolink.FlagError, ValueError) and issubclass(absolink.ProcessError, absolink.DocumentError)


def test_messages_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "absolink")
    absolink.urls(PAGE, URL, name="p.html")
    assert any(message.startswith("p.html:1:") and "invalid link" in message for message in caplog.messages)


def test_cells_of_rows() -> None:
    keys = ("uri", "kind", "rel", "raw", "line", "warnings")
    rows = (
        b"http://e.test/\xc3\xa9\tnav\tnext nofollow\t\\tx\\n\t1\t\n"
        b"\tnav\t\t\t\tunclear-end\n"
        b"http://e.test/\t\tnext nofollow\t\\\\\t20\t\n"
    )
    columns = [
        ["http://e.test/é", None, "http://e.test/"],
        ["nav", "nav", None],
        [("next", "nofollow"), (), ("next", "nofollow")],
        ["\tx\n", "", "\\"],
        [1, None, 20],
        [(), ("unclear-end",), ()],
    ]
    assert _records.table(keys, rows) == columns
    links = _records.links(keys)(rows)
    assert [(x.uri, x.kind, x.rel, x.raw, x.line, x.warnings) for x in links] == list(zip(*columns))
    empty = [[None], [None], [()], [""], [None], [()]]
    for n in range(1, len(keys) + 1):
        row = b"\t" * (n - 1) + b"\n"
        assert [list(column) for column in _records.table(keys[:n], row)] == empty[:n]
    assert _records.table(keys, b"") == [[] for _ in keys]
    with pytest.raises(ValueError):
        _records.links(keys)(b"http://e.test/\tnav\n")


def test_pages() -> None:
    with absolink.Extractor(fields=["uri", "line"], jobs=2) as extractor:
        pages = [(b"<p>\n" * i + b"<a href=%d>" % i, URL) for i in range(500)]
        found = list(extractor.pages(pages))
        assert [(links[0].uri, links[0].line, links[0].kind) for links in found] == [
            (f"{URL}{i}", i + 1, None) for i in range(500)
        ]
        assert extractor.links(pages[3][0], URL) == found[3]
        assert list(extractor.pages([])) == []
        with pytest.raises(absolink.DocumentError, match="^a document of 4 bytes: cannot tell"):
            list(extractor.pages([pages[0], (b"none", None), pages[1]]))
        failed: list[absolink.DocumentError] = []
        assert [len(links) for links in extractor.pages([pages[0], (b"none", None), pages[1]], failed.append)] == [
            1,
            0,
            1,
        ]
        assert len(failed) == 1


def test_pages_larger_than_pipes() -> None:
    page = b"<a href=x>" * 10_000 + b"<!--" + b" " * 3_000_000
    with absolink.Extractor(fields=["uri"]) as extractor:
        assert [len(links) for links in extractor.pages((page, URL) for _ in range(15))] == [10_000] * 15


def test_pages_are_read_ahead_in_bounds() -> None:
    pulled = 0

    def pages() -> Iterator[tuple[bytes, str]]:
        nonlocal pulled
        for _ in range(500):
            pulled += 1
            yield b"<a href=x>", URL

    with absolink.Extractor(fields=["uri"]) as extractor:
        for i, _ in enumerate(extractor.pages(pages())):
            assert pulled <= i + 64


@pytest.mark.parametrize("mark", [_client.ROWS, _client.LINES])
def test_answers_in_single_bytes(mark: bytes) -> None:
    start = b"\0" if mark == _client.ROWS else b""
    rows = b"a\nb\n" if mark == _client.ROWS else b'{"a":1}\n'
    output = b"".join(
        before + start + b'{"record":"end","status":"done","length":%d}\n' % len(after) + after
        for before, after in [(rows, b""), (b"", b"x\n\0"), (rows * 3, b'\n{"record":"end"'), (b"", b"")]
    )
    for size in (1, 2, 7, len(output)):
        answers = _client.Answers(mark)
        found = [a for i in range(0, len(output), size) for a in answers.feed(output[i : i + size])]
        assert [a.before for a in found] == [rows, b"", rows * 3, b""]
        assert [a.after for a in found] == [b"", b"x\n\0", b'\n{"record":"end"', b""]


def test_calls_while_pages_are_open() -> None:
    with absolink.Extractor(fields=["uri"], jobs=1) as extractor:
        for i, links in enumerate(extractor.pages((b"<a href=%d>" % n, URL) for n in range(100))):
            assert links[0].uri == f"{URL}{i}"
            assert extractor.links(b"<a href=other>", URL)[0].uri == URL + "other"
        first = extractor.pages((b"<a href=%d>" % n, URL) for n in range(100))
        next(first)
        first.close()
        assert extractor.links(b"<a href=other>", URL)[0].uri == URL + "other"


def test_arrow() -> None:
    with absolink.Extractor(fields=["page", "uri", "line", "rel"]) as extractor:
        reader = extractor.arrow([(PAGE, URL), (b"", URL), (b"<a href=q>", "http://f.test/")])
        assert isinstance(reader, pyarrow.RecordBatchReader)
        rows = reader.read_all().to_pylist()
        assert [row["uri"] for row in rows] == [*URLS, None, "http://f.test/q"]
        assert rows[1]["rel"] == ["next", "nofollow"] and rows[-1]["page"] == "http://f.test/"
        assert reader.schema.names == ["page", "uri", "line", "rel"]
        assert extractor.arrow([]).read_all().to_pydict() == {"page": [], "uri": [], "line": [], "rel": []}
        with pytest.raises(absolink.DocumentError, match="^a document of 4 bytes: cannot tell the type"):
            extractor.arrow([(b"none", None)]).read_all()


def test_arrow_has_links_alone() -> None:
    """A part that cannot be read has a row of the program, which is no link."""
    part = b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
    box = b"".join(
        b"From a@b.test Thu Jan  1 00:00:00 2026\nSubject: x\n" + part + body + b"\n\n"
        for body in (base64.b64encode(b"<a href=http://c.test/>"), b"!!!!")
    )
    with absolink.Extractor(fields=["uri", "status"]) as extractor:
        page = (box, None, absolink.Details(type="mbox"))
        assert extractor.arrow([page]).read_all().to_pylist() == [{"uri": "http://c.test/", "status": "absolute"}]


def test_details_of_pages() -> None:
    css = b"a { background: url(i.png) }"
    failed: list[absolink.DocumentError] = []
    pages: list[absolink.Page] = [
        (css, URL, {"type": "css"}),
        (css, URL, {"headers": {"Content-Type": "text/css"}}),
        (css, URL, {"name": "a.css", "charset": None}),
        (css, URL, {}),
        (b"", URL, {"headers": {"X": "x" * (1 << 20)}}),
        ("<a href=\ud800>", URL),
        ("<a href=x>", URL, {"status": 404}),
    ]
    with absolink.Extractor(fields=["uri", "http_status"]) as extractor:
        found = [[(link.uri, link.http_status) for link in links] for links in extractor.pages(pages, failed.append)]
        assert found == [[(URL + "i.png", None)]] * 4 + [[], [], [(URL + "x", 404)]]
        assert [e.reason.partition(":")[0] for e in failed] == [
            "its url, name and headers have more than 1 MiB",
            "character 8 of data is a lone surrogate",
        ]
        with pytest.raises(absolink.DocumentError, match="1 MiB"):
            list(extractor.pages(pages))
        with pytest.raises(absolink.DocumentError, match="1 MiB"):
            extractor.arrow(pages).read_all()


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"ab", r"pages are \(data, url\) or \(data, url, details\), not b'ab'"),
        ((b"x",), "pages are"),
        (7, "pages are .* not 7"),
        ((b"x", URL, "text/css"), "the details of a page are no dict: 'text/css'"),
        ((b"x", URL, {"url": URL}), "'url' is no detail of a page: details are type, charset, headers, name, status"),
        ((URL, b"x"), "url is not a str: b'x'"),
        ((None, URL), "data is neither bytes nor str: None"),
        ((b"x", URL, {"type": 1}), "type is not a str: 1"),
    ],
)
def test_wrong_pages(page: Any, reason: str) -> None:
    with absolink.Extractor() as extractor:
        with pytest.raises(TypeError, match=f"^{reason}"):
            list(extractor.pages([(b"", URL), page], print))
        assert extractor.links(b"<a href=x>", URL)[0].uri == URL + "x"


def test_aio() -> None:
    async def main() -> None:
        assert await asyncio.gather(*[aio.urls(PAGE, URL) for _ in range(50)]) == [URLS] * 50
        assert (await aio.links(PAGE, URL, kinds="res"))[0].uri == URLS[2]
        assert (await aio.base(PAGE, URL))[0].base == "http://e.test/d/"
        assert await aio.rewrite(b"<a href=x>", URL) == b"<a href=http://e.test/x>"
        with pytest.raises(absolink.FlagError):
            await aio.urls(PAGE, no_flag=True)

    asyncio.run(main())


async def _in_order(pages: list[absolink.Page]) -> list[list[str | None]]:
    async with aio.Extractor(fields=["uri"]) as extractor:
        return [[link.uri for link in links] async for links in extractor.pages(pages)]


def test_aio_pages() -> None:
    pages: list[absolink.Page] = [(b"<a href=%d>" % i + b" " * (i % 5 * 40_000), URL) for i in range(300)]
    assert asyncio.run(_in_order(pages)) == [[f"{URL}{i}"] for i in range(300)]
    assert asyncio.run(_in_order([])) == []
    details = absolink.Details(type="css")
    assert asyncio.run(_in_order([(b"a { background: url(i.png) }", URL, details)])) == [[URL + "i.png"]]


def test_aio_pages_that_come_from_links() -> None:
    """The source waits for the links of its own pages, as a crawler does."""

    async def main() -> list[str | None]:
        found: list[str | None] = []
        todo: asyncio.Queue[int | None] = asyncio.Queue()
        todo.put_nowait(0)

        async def source() -> AsyncIterator[absolink.Page]:
            while (i := await todo.get()) is not None:
                yield b"<a href=%d>" % (i + 1), URL

        async with aio.Extractor(fields=["uri"]) as extractor:
            async for links in extractor.pages(source()):
                found.extend(link.uri for link in links)
                todo.put_nowait(len(found) if len(found) < 20 else None)
        return found

    assert asyncio.run(asyncio.wait_for(main(), 30)) == [f"{URL}{i + 1}" for i in range(20)]


def test_aio_pages_in_bounds() -> None:
    async def main() -> None:
        pulled = 0

        async def source() -> AsyncIterator[absolink.Page]:
            nonlocal pulled
            for _ in range(400):
                pulled += 1
                yield b"<a href=x>", URL

        async with aio.Extractor(fields=["uri"]) as extractor:
            count = 0
            async for _ in extractor.pages(source()):
                count += 1
                assert pulled <= count + 65
                await asyncio.sleep(0)
            assert count == 400

    asyncio.run(main())


def test_aio_pages_that_fail() -> None:
    async def main() -> None:
        too_long = absolink.Details(headers={"X": "x" * (1 << 20)})
        pages: list[absolink.Page] = [(b"<a href=x>", URL), (b"none", None), (b"", URL, too_long)]
        async with aio.Extractor() as extractor:
            failed: list[absolink.DocumentError] = []
            assert [len(links) async for links in extractor.pages(pages, failed.append)] == [1, 0, 0]
            assert len(failed) == 2
            with pytest.raises(absolink.DocumentError, match="cannot tell the type"):
                [links async for links in extractor.pages(pages)]
            with pytest.raises(TypeError, match="^pages are"):
                [links async for links in extractor.pages([b"ab"])]  # type: ignore[list-item]

            async def broken() -> AsyncIterator[absolink.Page]:
                yield pages[0]
                raise OSError("the network is down")

            with pytest.raises(OSError, match="the network is down"):
                [links async for links in extractor.pages(broken())]
            assert len(await extractor.links(b"<a href=x>", URL)) == 1

    asyncio.run(main())


def test_aio_pages_left_early() -> None:
    """A loop that ends early, or is cancelled, leaves no task and no open page."""

    async def main() -> None:
        closed = False

        async def source() -> AsyncIterator[absolink.Page]:
            nonlocal closed
            try:
                for i in range(1000):
                    yield b"<a href=%d>" % i, URL
                    await asyncio.sleep(0)
            finally:
                closed = True

        async def read_all() -> None:
            async with aio.Extractor(fields=["uri"]) as extractor:
                async for _ in extractor.pages(source()):
                    pass

        async with aio.Extractor(fields=["uri"]) as extractor:
            async with contextlib.aclosing(extractor.pages(source())) as pages:
                async for links in pages:
                    assert links[0].uri == URL + "0"
                    break
            gc.collect()
            await asyncio.sleep(0.1)
            assert closed and len(asyncio.all_tasks()) == 1
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(read_all(), 0.05)
            await asyncio.sleep(0.1)
            assert len(asyncio.all_tasks()) == 1
            assert len(await extractor.links(b"<a href=x>", URL)) == 1

    asyncio.run(main())


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"http://o.test/?q=b": "x=/y"}, "'x=/y' begins with neither a scheme nor a slash"),
        ({"http://o.test/a": "n=http://n.test/"}, "'n=http://n.test/' begins with neither"),
        ({"http://o.test/a": ""}, "'' begins with neither"),
        ({"http://o.test/?a=": "/x"}, None),
        ({"http://o.test/?a": "/x=/y"}, None),
        ({"http://o.test/?a=mailto:b": "/x"}, "has \"=\" before a path or scheme"),
        ({"": "http://n.test/"}, "the URL that becomes 'http://n.test/' is empty"),
        ({"http://o.test/\0": "http://n.test/"}, "a character that arguments cannot have"),
        ({"http://o.test/\ud800": "http://n.test/"}, "a character that arguments cannot have"),
    ],
)
def test_rules_that_would_be_split_elsewhere(rule: dict[str, str], reason: str | None) -> None:
    if reason is None:
        assert absolink.rewrite(b"<p>", URL, map=rule) == b"<p>"
        return
    with pytest.raises(absolink.FlagError, match=f"^map: .*{reason}"):
        absolink.rewrite(b"<p>", URL, map=rule)


def test_data_whose_items_are_not_bytes() -> None:
    page = b"<a href=own>" + b" " * 8 + b'{"length":17}\n<a href=smuggled>'
    data = memoryview(page + b" " * (len(page) % 2)).cast("H")
    with absolink.Extractor(fields=["uri"]) as extractor:
        pages = [(data, "http://a.test/"), (b"<a href=real>", "http://b.test/")]
        found = [[link.uri for link in links] for links in extractor.pages(pages)]  # type: ignore[arg-type]
        assert found == [["http://a.test/own", "http://a.test/smuggled"], ["http://b.test/real"]]
        with pytest.raises(TypeError, match="length"):
            extractor.links(b"<a href=x>", URL, length=3)  # type: ignore[call-arg]


def test_headers_that_are_too_long() -> None:
    with pytest.raises(absolink.DocumentError, match="^http://e.test/: its url, name and headers have more than 1 MiB"):
        absolink.urls(PAGE, URL, headers={"X": "x" * (1 << 20)})
    with pytest.raises(ValueError):
        absolink.Extractor().links(PAGE, URL, status=float("nan"))  # type: ignore[arg-type]
    assert absolink.urls(PAGE, URL, headers={"X": "x" * 1_000_000}) == URLS


def test_charset_of_parts() -> None:
    """A message given as str is in UTF-8, but its parts have the charsets that they declare."""
    message = (
        b"Content-Base: http://m.test/\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=iso-8859-1\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3D\"?q=3D=E9\">=E9</a>\r\n"
    )
    assert absolink.urls(message.decode(), type="message", kind="nav") == ["http://m.test/?q=%E9"]
    moved = absolink.rewrite(message, type="message")
    assert b">=E9<" in moved and absolink.rewrite(message.decode(), type="message") == moved


def test_file_urls() -> None:
    assert absolink.urls(b"<a href=x>", "file:///a/b.html") == ["file:///a/x"]


@pytest.mark.parametrize("flag", ["fields", "help", "version"])
def test_flags_of_the_command_line(flag: str) -> None:
    with pytest.raises(absolink.FlagError, match=f"^{flag}: "):
        absolink.urls(PAGE, URL, **{flag: True})


def test_arguments_of_extractor() -> None:
    with absolink.Extractor(fields="uri,kind", timeout=None) as extractor:
        assert [(link.uri, link.kind) for link in extractor.links(b"<a href=x>", URL)] == [(URL + "x", "nav")]
    with absolink.Extractor(timeout=float("inf")) as extractor:
        assert extractor.links(b"", URL) == []
    for timeout in (0, -1, float("nan"), "5"):
        with pytest.raises(ValueError, match="timeout: .* is not a positive number"):
            absolink.Extractor(timeout=timeout)  # type: ignore[arg-type]


def test_extractors_are_pickled() -> None:
    with absolink.Extractor(fields="uri", kinds="nav", timeout=5) as extractor:
        extractor.links(PAGE, URL)
        copy = pickle.loads(pickle.dumps(extractor))
        with copy:
            assert copy.links(PAGE, URL) == extractor.links(PAGE, URL) and copy._timeout == 5


def test_too_many_rules() -> None:
    with pytest.raises(absolink.Error, match="Argument list too long; map_file"):
        absolink.rewrite(PAGE, URL, map={"http://o.test/" + "x" * 200_000: "http://n.test/"})
