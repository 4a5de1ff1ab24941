"""A LinkExtractor for Scrapy that finds links with absolink.

Its arguments are those of Scrapy's:

    from absolink.scrapy import LinkExtractor

    rules = [Rule(LinkExtractor(allow=r"/news/"), follow=True)]
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias
from urllib.parse import urljoin, urlparse

from scrapy.link import Link  # type: ignore[import-not-found,unused-ignore] # pyright: ignore
from scrapy.linkextractors import lxmlhtml  # type: ignore[import-not-found,unused-ignore] # pyright: ignore
from scrapy.utils.url import url_is_from_any_domain  # type: ignore[import-not-found,unused-ignore] # pyright: ignore
from w3lib.url import safe_url_string  # type: ignore[import-not-found,unused-ignore] # pyright: ignore

from . import _records
from ._client import ROWS, Request
from ._extract import client
from ._flags import Flag, arguments

_Names: TypeAlias = str | Iterable[str] | None
_Regexes: TypeAlias = str | re.Pattern[str] | Iterable[str | re.Pattern[str]] | None

# Codecs of Python whose bytes below 0x40 are always ASCII, and their names in the Encoding Standard. A page in another
# charset is sent in UTF-8.
_CHARSETS = {
    "utf-8": "utf-8",
    "ascii": "windows-1252",
    "big5": "big5",
    "big5hkscs": "big5",
    "cp866": "ibm866",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "gb18030": "gb18030",
    "gb2312": "gbk",
    "gbk": "gbk",
    "iso8859-11": "windows-874",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "shift_jis": "shift_jis",
    "tis-620": "windows-874",
    **{f"cp{n}": f"windows-{n}" for n in range(1250, 1259)},
    **{f"iso8859-{n}": f"iso-8859-{n}" for n in (*range(1, 9), 10, 13, 14, 15, 16)},
}
# Codecs in which other characters have bytes below 0x40. A page is sent in UTF-8 for its texts, and as it is for the
# queries of its URLs.
_SHIFTED = {"iso2022_jp": "iso-2022-jp"}
_SCHEMES = ("http", "https", "file", "ftp")
_SPACE = "\t\n\f\r "
_FIELDS = ("uri", "element", "end", "rel")
_EMPTY_ELEMENTS = frozenset("area base br col embed frame hr img input link meta param source track wbr".split())

_quote = re.compile(rb"""=[\t\n\f\r ]*(["'])|>""")
_anchor_end = re.compile(rb"</?[aA](?=[\t\n\f\r />])")
_markup = re.compile(
    rb"""<!--.*?-->|<[a-z/!?](?:[^>"']|"[^"]*"|'[^']*')*>|<[a-z/!?][^>]*>""", re.IGNORECASE | re.DOTALL
)


def _names(value: _Names) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


class LinkExtractor(lxmlhtml.LxmlLinkExtractor):  # type: ignore[misc,unused-ignore]
    """Extracts links as scrapy.linkextractors.LinkExtractor does, with the same arguments except restrict_xpaths.

    URLs are written as browsers write them: http://example.com becomes http://example.com/, and an empty query stays.
    tags and attrs select from the places where absolink looks for links; data-* attributes are among them.
    process_value gets the same values as from Scrapy.
    """

    def __init__(
        self,
        allow: _Regexes = (),
        deny: _Regexes = (),
        allow_domains: _Names = (),
        deny_domains: _Names = (),
        restrict_xpaths: _Names = (),
        tags: _Names = ("a", "area"),
        attrs: _Names = ("href",),
        canonicalize: bool = False,
        unique: bool = True,
        process_value: Callable[[Any], Any] | None = None,
        deny_extensions: _Names = None,
        restrict_css: _Names = (),
        strip: bool = True,
        restrict_text: _Regexes = None,
        deny_tags: _Names = (),
        deny_attrs: _Names = (),
    ) -> None:
        if _names(restrict_xpaths):
            raise ValueError(
                'restrict_xpaths: use restrict_css, such as restrict_css="#content" for //*[@id="content"]'
            )
        super().__init__(
            allow=() if allow is None else allow,
            deny=() if deny is None else deny,
            allow_domains=_names(allow_domains),
            deny_domains=_names(deny_domains),
            canonicalize=canonicalize,
            unique=unique,
            deny_extensions=deny_extensions,
            restrict_text=restrict_text,
        )
        self._unique = unique
        self._process_value = process_value
        self._strip = strip
        self._fields = _FIELDS + ("value", "base") if process_value else _FIELDS
        self._arguments = self._flags(_names(tags), _names(attrs), set(_names(deny_tags)), set(_names(deny_attrs)))
        if self._arguments and (css := ", ".join(_names(restrict_css))):
            self._arguments += arguments("extract", {"select": css})[2:]
            _check_flags(self._arguments)
        self._extensions = tuple(self.deny_extensions)

    def _flags(
        self, tags: Sequence[str], attrs: Sequence[str], deny_tags: set[str], deny_attrs: set[str]
    ) -> tuple[str, ...]:
        """Return the arguments of the program, or none if the extractor cannot have links."""
        elements = _choice(tags, deny_tags)
        attributes = _choice(attrs, deny_attrs)
        if elements == "" or attributes == "":
            return ()
        lazy = "*" in attrs or any(name.startswith(("data-", "hx-", "up-")) for name in attrs)
        flags: dict[str, Flag] = {"element": elements, "attribute": attributes, "lazy": lazy}
        if self._process_value is None:
            flags["scheme"] = _SCHEMES
        columns = ("--format=tsv", "--fields=" + ",".join(self._fields), "--jobs=1")
        return arguments("extract", flags) + columns

    def extract_links(self, response: Any) -> list[Any]:
        """Return the links of a response, in its order."""
        if not self._arguments:
            return []
        page = _Page(response)
        hierarchical = response.url.partition(":")[2].startswith("/")  # unlike about:blank and data:
        url = response.url if hierarchical else None
        columns = self._columns(page.body, url, page.charset)
        if self._process_value is not None:
            columns[0] = self._processed(columns, response)
        elif page.shifted:
            urls = self._columns(response.body, url, page.shifted)[0]
            if len(urls) == len(columns[0]):
                columns[0] = urls
        links: list[Any] = []
        seen: set[str] = set()  # before canonicalize, as in Scrapy
        canonical: set[str] = set()
        for url, element, end, rel in zip(*columns[:4]):
            if not url:
                continue
            url = url.removesuffix("#")
            if self._unique and url in seen:
                continue
            seen.add(url)
            if not self._url_allowed(url):
                continue
            text = page.text(element, end)
            if self.restrict_text and not any(r.search(text) for r in self.restrict_text):
                continue
            if self.canonicalize:
                url = lxmlhtml.canonicalize_url(url)  # type: ignore[attr-defined,unused-ignore]
                if self._unique and url in canonical:
                    continue
                canonical.add(url)
            links.append(Link(url, text, nofollow=_nofollow(rel)))
        return links

    def _columns(self, body: bytes, url: str | None, charset: str) -> list[Sequence[Any]]:
        """Return the columns of the links of a page."""
        request = Request(body, url=url, type="text/html", charset=charset)
        return _records.table(self._fields, client(self._arguments, ROWS).ask(request).before)

    def _processed(self, columns: Sequence[Sequence[Any]], response: Any) -> list[str | None]:
        """Return the URLs after process_value, which gets each reference as Scrapy resolves it."""
        urls: list[str | None] = []
        for value, base in zip(*columns[4:]):
            try:
                url = urljoin(base or response.url, value.strip(_SPACE) if self._strip else value)
                url = self._process_value(url) if self._process_value else url
                if url is not None:
                    url = urljoin(response.url, safe_url_string(url, encoding=response.encoding))
            except ValueError:
                url = None
            urls.append(url)
        return urls

    def _url_allowed(self, url: str) -> bool:
        """Report whether the URL passes all arguments except restrict_text."""
        if url.partition("://")[0] not in _SCHEMES:
            return False
        if self.allow_res and not any(r.search(url) for r in self.allow_res):
            return False
        if any(r.search(url) for r in self.deny_res):
            return False
        if self._extensions and _path(url).lower().endswith(self._extensions):
            return False
        if self.allow_domains and not url_is_from_any_domain(url, self.allow_domains):
            return False
        return not (self.deny_domains and url_is_from_any_domain(url, self.deny_domains))


def _check_flags(args: tuple[str, ...]) -> None:
    """Raise a FlagError if the program refuses the flags."""
    client(args, ROWS).ask(Request(b"", type="text/html"))


def _nofollow(rel: Sequence[str]) -> bool:
    return bool(rel) and "nofollow" in " ".join(rel).lower().replace(",", " ").split()


def _choice(names: Sequence[str], denied: set[str]) -> str | None:
    """Return the value of --element or --attribute: None for all, an empty text for nothing."""
    if "*" in names:
        return "!" + ",".join(sorted(denied)) if denied else None
    return ",".join(name for name in names if name not in denied)


def _path(url: str) -> str:
    """Return the path of a URL with an authority."""
    return urlparse(url).path if ";" in url else url.partition("#")[0].partition("?")[0]


class _Page:
    """The bytes of a response, and the text of elements in them."""

    def __init__(self, response: Any) -> None:
        self._python_charset = codecs.lookup(response.encoding).name
        self.body: bytes = response.body
        charset = _CHARSETS.get(self._python_charset)
        self.shifted = _SHIFTED.get(self._python_charset)
        if charset is None:
            self.body = response.text.encode()
            self._python_charset = "utf-8"
        self.charset = charset or "utf-8"

    def text(self, element: str, end: int | None) -> str:
        """Return the text of an element, whose tag has an attribute that ends at end."""
        if end is None or element in _EMPTY_ELEMENTS:
            return ""
        begin = self._tag_end(end)
        inner = self.body[begin : self._element_end(element, begin)]
        if b"<" in inner:
            inner = _markup.sub(b"", inner)
        text = inner.decode(self._python_charset, "replace")
        return html.unescape(text) if "&" in text else text

    def _tag_end(self, end: int) -> int:
        """Return the offset after the tag."""
        body = self.body
        if body[end : end + 1] in (b'"', b"'"):
            end += 1
        while found := _quote.search(body, end):
            if found[1] is None:
                return found.end()
            end = body.find(found[1], found.end()) + 1
            if end == 0:
                break
        return len(body)

    def _element_end(self, element: str, begin: int) -> int:
        """Return the offset at which the content of an element ends. An anchor ends before the next anchor."""
        if element == "a":
            found = _anchor_end.search(self.body, begin)
            return found.start() if found else len(self.body)
        depth = 1
        tag = re.compile(rb"<(/?)" + re.escape(element.encode()) + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
        for found in tag.finditer(self.body, begin):
            depth += -1 if found[1] else 1
            if depth == 0:
                return found.start()
        return len(self.body)
