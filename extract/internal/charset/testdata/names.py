"""Writes names.tsv and codecs.tsv: the names that others give to charsets, and what their
bytes are by the codecs of Python. Run it as

    python3 names.py "$(go list -m -f '{{.Dir}}' golang.org/x/text)"

with Python 3.13. The folder has the names of IANA's registry of character sets, in lower
case, in encoding/ianaindex/tables.go."""
import ast
import codecs
import encodings
import encodings.aliases
import os
import pkgutil
import re
import sys

NAMES = """\
# Names of charsets, written by names.py: who gives the name, to which charset, the name. Sources:
# python = the codecs of Python 3.13 and encodings.aliases, https://docs.python.org/3/library/codecs.html, PSF-2.0
# iana = https://www.iana.org/assignments/character-sets/, as golang.org/x/text v0.43.0 has them, CC0-1.0
# php, mysql, postgresql = the names of their manuals that the two above do not have:
#   https://www.php.net/manual/en/mbstring.supported-encodings.php
#   https://dev.mysql.com/doc/refman/8.4/en/charset-charsets.html
#   https://www.postgresql.org/docs/17/multibyte.html
"""

CODECS = """\
# What text is by the codecs of Python 3.13, written by names.py: codec, its bytes, the text.
# Source: https://docs.python.org/3/library/codecs.html, PSF-2.0.
"""

OTHERS = {
    "php": {"cp932": ["SJIS-win"], "euc_jp": ["eucJP-win"], "iso2022_jp_1": ["ISO-2022-JP-MS"]},
    "mysql": {"utf_8": ["utf8mb3", "utf8mb4"], "euc_jp": ["eucjpms"]},
    "postgresql": {
        "cp932": ["WIN932", "Windows932"], "gbk": ["WIN936", "Windows936"], "cp949": ["WIN949", "Windows949"],
        "cp950": ["WIN950", "Windows950"], "cp866": ["WIN866"], "cp874": ["WIN874"],
        **{"cp%d" % n: ["WIN%d" % n] for n in range(1250, 1259)},
    },
}

# Text to try: a codec has a sample of each that it holds.
TEXTS = ["äöüßéè", "ąćęłńó", "ğış", "Δελτίο", "фаил", "єґ", "שלום", "سلام", "ไทย", "日本", "表示", "ソ能", "中国", "漢語", "許功蓋",
         "한국어", "똠방", "İ", "€", "ı", "╬", "ﾃｽﾄ", "š", "~{", "+-", "Aé≠Α日🙂."]

NOT_TEXT = {"charmap", "idna", "mbcs", "oem", "palmos", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}


def python():
    modules = {m.name for m in pkgutil.iter_modules(encodings.__path__)} - {"aliases"} - NOT_TEXT
    modules = {m for m in modules if codecs.lookup(m)._is_text_encoding}
    for module in sorted(modules):
        names = {module} | {alias for alias, codec in encodings.aliases.aliases.items() if codec == module}
        yield module, sorted(names)


def iana(folder):
    with open(os.path.join(folder, "encoding", "ianaindex", "tables.go"), encoding="utf-8") as f:
        source = f.read()
    numbers = re.findall(r"^\t(enc\d+)\b", source.split("numIANA")[0], re.M)
    names = re.findall(r'^\t("[^"]+"),', source.split("var ianaNames")[1].split("\n}")[0], re.M)
    names = [ast.literal_eval(name) for name in names]
    # A control character before a name is the length of another one, that of MIME.
    names = [name[ord(name[0]):] if name[0] < " " else name for name in names]
    groups = {}
    for alias, number in re.findall(r'^\t"([^"]+)":\s+(enc\d+),', source.split("var ianaAliases")[1], re.M):
        groups.setdefault(number, []).append(alias.lower())
    for number, name in zip(numbers, names, strict=True):
        yield name, sorted(set(groups.get(number, [])) | {name.lower()})


def samples(codec):
    for text in TEXTS:
        try:
            data = text.encode(codec)
        except UnicodeEncodeError:
            continue
        if data.decode(codec) == text:
            yield codec, data.hex(), text


def main():
    rows = [("python", codec, name) for codec, names in python() for name in names]
    rows += [("iana", charset, name) for charset, names in iana(sys.argv[1]) for name in names]
    rows += [(who, charset, name) for who, groups in OTHERS.items() for charset, names in groups.items() for name in names]
    here = os.path.dirname(os.path.abspath(__file__))
    for path, head, lines in (
        ("names.tsv", NAMES, rows),
        ("codecs.tsv", CODECS, [line for codec, _ in python() for line in samples(codec)]),
    ):
        with open(os.path.join(here, path), "w", encoding="utf-8", newline="\n") as f:
            f.write(head)
            f.writelines("\t".join(line) + "\n" for line in lines)


main()
