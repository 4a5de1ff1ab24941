"""The results of the functions."""

from __future__ import annotations

import asyncio
import email.message
import logging
from collections.abc import Iterator

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
    with pytest.raises(UnicodeEncodeError):
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
    with pytest.raises(absolink.DocumentError, match="^a document of 5 bytes: cannot tell the type"):
        absolink.urls(b"hello")
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
    assert any(message.startswith("p.html:1:") and "invalid reference" in message for message in caplog.messages)


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
        assert extractor.arrow([]).read_all().num_rows == 0


def test_aio() -> None:
    async def main() -> None:
        assert await asyncio.gather(*[aio.urls(PAGE, URL) for _ in range(50)]) == [URLS] * 50
        assert (await aio.links(PAGE, URL, kinds="res"))[0].uri == URLS[2]
        assert (await aio.base(PAGE, URL))[0].base == "http://e.test/d/"
        assert await aio.rewrite(b"<a href=x>", URL) == b"<a href=http://e.test/x>"
        with pytest.raises(absolink.FlagError):
            await aio.urls(PAGE, no_flag=True)

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
    for timeout in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="timeout: .* is not a positive number"):
            absolink.Extractor(timeout=timeout)


def test_too_many_rules() -> None:
    with pytest.raises(absolink.Error, match="Argument list too long; map_file"):
        absolink.rewrite(PAGE, URL, map={"http://o.test/" + "x" * 200_000: "http://n.test/"})
