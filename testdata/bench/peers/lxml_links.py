"""MODE PASSES FILE...: reads the files, and lists or rewrites the links of each file PASSES times."""
import sys

import lxml.html


def links(page):
    for _ in lxml.html.document_fromstring(page).iterlinks():
        pass


def rewrite(page):
    tree = lxml.html.document_fromstring(page)
    tree.make_links_absolute("http://example.com/dir/page.html", handle_failures="ignore")
    lxml.html.tostring(tree)


work = {"list": links, "rewrite": rewrite}[sys.argv[1]]
pages = []
for name in sys.argv[3:]:
    with open(name, "rb") as f:
        pages.append(f.read())
for _ in range(int(sys.argv[2])):
    for page in pages:
        work(page)
