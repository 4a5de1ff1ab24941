"""The LinkExtractor for Scrapy: Scrapy's own tests, pages with difficult markup, and a spider."""

from __future__ import annotations

import functools
import http.server
import json
import os
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="Scrapy is not installed (pip install scrapy)")

from scrapy.http import HtmlResponse
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor

import absolink
from absolink.scrapy import LinkExtractor

HERE = Path(__file__).parent


def test_suite_of_scrapy(tmp_path: Path) -> None:
    """Each test of Scrapy has the outcome that scrapy.tsv lists."""
    source = os.environ.get("ABSOLINK_SCRAPY_SOURCE")
    if not source:
        pytest.skip("ABSOLINK_SCRAPY_SOURCE is not set: it names the unpacked source archive of Scrapy 2.19.0")
    report = tmp_path / "report.txt"
    suite = [sys.executable, str(HERE / "scrapy_suite.py"), "-c", os.devnull, "--rootdir", source, "--noconftest"]
    environ = dict(os.environ, PYTHONPATH=os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])]))
    with report.open("w") as out:
        subprocess.run(
            [*suite, "-p", "no:cacheprovider", "-q", "-rA", "--tb=line", "tests/test_linkextractors.py"],
            cwd=source, stdout=out, stderr=subprocess.STDOUT, env=environ,
        )  # fmt: skip
    text = report.read_text()
    found = {m[2]: m[1] for m in re.finditer(r"^(PASSED|FAILED) \S+::(\w+::\w+)", text, re.MULTILINE)}
    want = {}
    for line in (HERE / "scrapy.tsv").read_text().splitlines()[1:]:
        test, outcome, reason = line.split("\t")
        want[test] = {"passes": "PASSED", "differs": "FAILED"}[outcome]
        assert (outcome == "differs") == bool(reason), test
    assert len(want) >= 41
    assert found == want, text


def responses(body: bytes | str, encoding: str = "utf-8") -> Any:
    data = body if isinstance(body, bytes) else body.encode(encoding, "xmlcharrefreplace")
    return HtmlResponse("http://e.test/dir/page.html", body=data, encoding=encoding)


MARKUP = {
    "plain": "<a href=x>text</a>",
    "white space": "<a href=x>\n  two\n  lines </a>",
    "elements": "<a href=x>some <b>bold</b> and <i><u>more</u></i></a>",
    "quotes": '<a title=\'a > b\' href="x" class="> <">text</a>',
    "quotes behind": "<a href='x' title='a > b' class=\"</a>\">text</a>",
    "blanks around =": "<a href = x title = 'a > b'>text</a>",
    "an image": "<a href=x><img src=i.png alt='a > b'></a><a href=y>y</a>",
    "comment": "<a href=x>a<!-- <b> > -->b</a>",
    "references": "<a href=x>&lt;b&gt; &amp; &eacute;&#8364;&nbsp;</a>",
    "no end": "<a href=x>one <a href=y>two</a>",
    "capitals": "<A HREF=x>one</A> two",
    "names that begin alike": "<a href=x><abbr>one</abbr> <address>two</address></a>",
    "area": "<map><area href=x alt=text></map>",
    "rel": "<a href=x rel='Next nofollow'>a</a><a href=y rel='external,nofollow'>b</a><a href=z rel=nofollows>c</a>"
    "<a href=u rel=NOFOLLOW>d</a><a href=v rel='x NoFollow'>e</a>",
    "fragment": "<a href=x#a>a</a><a href=#>b</a><a href=''>c</a><a href=x#>d</a>",
    "duplicates": "<a href=x>first</a><a href=x>second</a>",
    "schemes": "<a href=mailto:a@b>m</a><a href=javascript:x()>j<a href=ftp://f.test/>f</a><a href=HTTPS://h.test/>",
    "extensions": "<a href=a.PDF>a<a href=a.pdf?x>b</a><a href=a?x=.pdf>c<a href=a.pdf;v=1>d</a><a href=a#.pdf>e",
    "base": "<base href=/other/><a href=x>a</a>",
    "not ASCII": "<a href='/é?q=é'>é中</a>",
    "blanks": "<a href=' x y '>a</a>",
}


@pytest.mark.parametrize("name", MARKUP)
def test_same_as_scrapy(name: str) -> None:
    response = responses(MARKUP[name])
    assert LinkExtractor().extract_links(response) == LxmlLinkExtractor().extract_links(response)
    assert LinkExtractor(unique=False).extract_links(response) == LxmlLinkExtractor(unique=False).extract_links(
        response
    )


@pytest.mark.parametrize(
    "encoding",
    "cp1252 iso8859-5 koi8-r cp1251 gb18030 gbk big5 shift_jis cp932 euc_jp euc_kr cp949 iso2022_jp".split(),
)
def test_charsets(encoding: str) -> None:
    letter = {"c": "Ж", "k": "Ж", "i": "Ж", "g": "中", "b": "中", "s": "日", "e": "日"}[encoding[0]]
    letter = {"cp1252": "é", "cp932": "日", "cp949": "日", "iso2022_jp": "日"}.get(encoding, letter)
    response = responses(f"<a href='/p'>a {letter}</a><a href='/{letter}'>b</a>", encoding)
    assert LinkExtractor().extract_links(response) == LxmlLinkExtractor().extract_links(response)


@pytest.mark.parametrize("encoding", "cp1252 koi8-r mac_roman mac_cyrillic tis-620 iso8859-11 cp874".split())
def test_charsets_of_queries(encoding: str) -> None:
    letter = {"cp1252": "é", "koi8-r": "Ж", "mac_roman": "é", "mac_cyrillic": "Ж"}.get(encoding, "ไ")
    response = responses(f"<a href='?{letter}'>a {letter}</a>", encoding)
    assert LinkExtractor().extract_links(response) == LxmlLinkExtractor().extract_links(response)


def test_queries_in_iso_2022_jp() -> None:
    """Bytes of characters may look like markup, and queries are written as browsers write them."""
    text = "".join(map(chr, range(0x3041, 0x3094))) + "日本語"
    page = f"<a href='/p?q={text}&amp;x=1'>{text}</a><a href='/日#本'>c</a><a href=?q=é>d</a>"
    response = responses(page, "iso2022_jp")
    query = text.encode("iso2022_jp").decode("ascii")
    assert set("\"'<>#") <= set(query)
    for raw, escaped in [("\x1b", "%1B"), ('"', "%22"), ("#", "%23"), ("'", "%27"), ("<", "%3C"), (">", "%3E")]:
        query = query.replace(raw, escaped)
    assert [(link.url, link.text) for link in LinkExtractor().extract_links(response)] == [
        (f"http://e.test/p?q={query}&x=1", text),
        ("http://e.test/%E6%97%A5#%E6%9C%AC", "c"),
        ("http://e.test/dir/page.html?q=%26%23233%3B", "d"),
    ]
    plain = responses("<a href='?テスト'>日</a>", "iso2022_jp")
    assert LinkExtractor().extract_links(plain) == LxmlLinkExtractor().extract_links(plain)


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x", "file:///a/b.html"])
def test_other_schemes(url: str) -> None:
    response = HtmlResponse(url, body=b"<a href=http://c.test/>c</a><a href=x>d</a>", encoding="utf-8")
    assert LinkExtractor().extract_links(response) == LxmlLinkExtractor().extract_links(response)


@pytest.mark.parametrize("css", ["p:::x", "a[", "p\0"])
def test_wrong_restrict_css(css: str) -> None:
    with pytest.raises(absolink.FlagError, match="select"):
        LinkExtractor(restrict_css=css)


ARGUMENTS: list[dict[str, Any]] = [
    {"allow": r"/a/"},
    {"deny": [r"/a/", re.compile("b")]},
    {"allow_domains": "c.test"},
    {"deny_domains": ["c.test", "d.test"]},
    {"deny_extensions": ["html"]},
    {"deny_extensions": []},
    {"tags": ("a", "link", "img"), "attrs": ("href", "src"), "deny_extensions": ()},
    {"tags": ("a", "link"), "deny_tags": "a"},
    {"attrs": ("href", "src"), "deny_attrs": ["href"]},
    {"canonicalize": True},
    {"restrict_text": "tw"},
    {"restrict_text": ["^one", re.compile("THREE", re.IGNORECASE)]},
    {"restrict_css": "div"},
    {"restrict_css": ("#i", "p > a")},
    {"process_value": lambda value: value.replace("/a/", "/changed/")},
    {"process_value": lambda value: None},
    {"process_value": lambda value: value + " ", "strip": False},
    {"unique": False, "canonicalize": True},
]
LINKS = """<link rel=stylesheet href=/s><div><a href=/a/1>one</a> <a href=/a/1>two</a>
<a href=http://sub.c.test/x>three</a></div><p><a href="http://d.test/?b=1&a=2">two</a><img src=/a/i.png>
<a href=y.html id=i>one</a><a href="javascript:go('/a/')">go</a></p>"""


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda arguments: " ".join(map(str, arguments)))
def test_arguments(arguments: dict[str, Any]) -> None:
    response = responses(LINKS)
    found = LinkExtractor(**arguments).extract_links(response)
    want = LxmlLinkExtractor(**arguments).extract_links(response)
    if isinstance(arguments.get("restrict_css"), tuple):  # Scrapy orders by selector
        found.sort(key=lambda link: str(link.url))
        want.sort(key=lambda link: str(link.url))
    assert found == want


def test_known_differences() -> None:
    """These URLs are those of browsers."""
    response = responses("<a href=http://E.test>a</a><a href=x?>b</a><a href='?q={a}'>c</a><a href=./y/../z>d</a>")
    assert [link.url for link in LinkExtractor().extract_links(response)] == [
        "http://e.test/",
        "http://e.test/dir/x?",
        "http://e.test/dir/page.html?q={a}",
        "http://e.test/dir/z",
    ]
    wide = responses(b"\xff\xfe" + "<a href=/p>日</a>".encode("utf-16le"), "utf-16")
    assert [(link.url, link.text) for link in LinkExtractor().extract_links(wide)] == [("http://e.test/p", "日")]
    far = responses("<!--" + " " * 5000 + "--><base href=/far/><a href=x>a</a>")
    assert [link.url for link in LinkExtractor().extract_links(far)] == ["http://e.test/far/x"]
    with pytest.raises(ValueError, match="restrict_xpaths: use restrict_css"):
        LinkExtractor(restrict_xpaths="//div")
    pickle.loads(pickle.dumps(LinkExtractor(allow="a"))).extract_links(response)


SPIDER = """
import os
from scrapy.spiders import CrawlSpider, Rule
from scrapy.linkextractors import LinkExtractor as Scrapys
import absolink
from absolink.scrapy import LinkExtractor as Ours


class Pages(CrawlSpider):
    name = "pages"
    start_urls = [os.environ["SITE"]]
    allowed_domains = ["127.0.0.1"]
    custom_settings = {"TELNETCONSOLE_ENABLED": False}
    extractor = {"ours": Ours, "scrapys": Scrapys}[os.environ["EXTRACTOR"]]
    rules = [Rule(extractor(deny="/private/"), callback="parse_page", follow=True)]

    def parse_page(self, response):
        yield {"url": response.url, "text": response.meta["link_text"], "status": response.status}
"""


def site(folder: Path) -> None:
    """Write 30 pages. Each has links to the next ones, in many forms."""
    forms = ["{0}", "./{0}", "/{0}", "../{0}", "{0}#part", " {0} ", "{0}?q=%20a&amp;b"]
    for i in range(30):
        targets = [f"p{2 * i + 1}.html", f"p{2 * i + 2}.html", "gone.html", f"private/{i}.html", "i.png"]
        links = [
            f"<a href='{forms[(i + n) % len(forms)].format(name)}'>to <b>{n}</b></a>" for n, name in enumerate(targets)
        ]
        (folder / f"p{i}.html").write_text(
            f"<!DOCTYPE html><title>{i}</title><p>{' '.join(links)}<a href=http://other.test/>x</a>"
        )


def test_spider(tmp_path: Path) -> None:
    """A spider gets the same pages with both extractors."""
    folder = tmp_path / "site"
    folder.mkdir()
    site(folder)
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (tmp_path / "spider.py").write_text(SPIDER)
        start = f"http://127.0.0.1:{server.server_port}/p0.html"
        with ThreadPoolExecutor(2) as pool:
            ours, scrapys = pool.map(lambda name: crawl(tmp_path, name, start), ("ours", "scrapys"))
        server.shutdown()
    assert ours == scrapys
    assert len({url.partition("?")[0] for url, *_ in ours}) == 29


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def crawl(folder: Path, extractor: str, start: str) -> list[tuple[str, str, int]]:
    """Return the pages that the spider finds."""
    out = folder / f"{extractor}.jsonl"
    environ = dict(os.environ, SITE=start, EXTRACTOR=extractor)
    run = subprocess.run(
        [sys.executable, "-m", "scrapy", "runspider", "-s", "LOG_LEVEL=ERROR", "spider.py", "-O", str(out)],
        cwd=folder, env=environ, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0 and not run.stderr, run.stderr
    items = [json.loads(line) for line in out.read_text().splitlines()]
    return sorted((item["url"], item["text"], item["status"]) for item in items)
