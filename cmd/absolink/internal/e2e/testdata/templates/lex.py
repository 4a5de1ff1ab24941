"""Prints a line of JSON for each file named on standard input: the pieces of Jinja in it, in base64, as
Jinja's own lexer cuts them out of the text. The line is null if Jinja cannot read the file."""

import base64
import json
import sys

import jinja2

lexer = jinja2.Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do"]).lexer


def pieces(source):
    found = [""]
    for _, kind, text in lexer.tokeniter(source, None):
        if kind == "data":
            found.append("")
        else:
            found[-1] += text
            if kind in ("variable_end", "block_end", "comment_end", "raw_end"):
                found.append("")
    return [piece for piece in found if piece]


for name in sys.stdin:
    with open(name.rstrip("\n"), encoding="utf-8", newline="") as file:
        source = file.read()
    try:
        print(json.dumps([base64.b64encode(p.encode()).decode() for p in pieces(source)]))
    except jinja2.TemplateSyntaxError:
        print("null")
