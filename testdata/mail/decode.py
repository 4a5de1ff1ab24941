"""Reads rewritten messages with Python's email package and compares them with the originals.

Each line of standard input is a JSON object. Its keys are name; was and is, the paths of both messages;
and leaves, the SHA-256 of the decoded bytes of each edited leaf before and after. Each line of standard
output answers one line. Its keys are name; leaves, the number of edited leaves that decode to the expected
bytes; unread, the number of edited leaves that this package decodes differently even before the edit, so
that they prove nothing; and errors."""
import base64
import collections
import email
import email.policy
import hashlib
import json
import quopri
import re
import sys

COUNTS = {"content-md5", "lines", "content-length"}


def read(path):
    with open(path, "rb") as f:
        return list(email.message_from_bytes(f.read(), policy=email.policy.compat32).walk())


def decoded(part):
    """Decodes the transfer encoding. The email package requires its bare name. It also keeps the blanks
    that a mail server may have added to lines of quoted-printable (RFC 2045 Section 6.7, rule 3)."""
    encoding = str(part.get("content-transfer-encoding", "")).split("(")[0].strip("\"'; \t\r\n").lower()
    raw = part._payload.encode("ascii", "surrogateescape")
    if encoding == "quoted-printable":
        return quopri.decodestring(re.sub(rb"[ \t]+(?=\r?\n|\Z)", b"", raw))
    return base64.b64decode(raw) if encoding == "base64" else raw


def digest(part):
    return hashlib.sha256(decoded(part)).hexdigest()


def fields(part):
    return [(name, str(value)) for name, value in part._headers if name.lower() not in COUNTS]


def check(job):
    was, now = read(job["was"]), read(job["is"])
    want = collections.Counter(map(tuple, job["leaves"]))
    errors, done = [], 0
    if [p.get_content_type() for p in was] != [p.get_content_type() for p in now]:
        return {"errors": ["another structure"], "leaves": 0, "unread": 0}
    for number, (a, b) in enumerate(zip(was, now)):
        if fields(a) != fields(b) or a.preamble != b.preamble or a.epilogue != b.epilogue:
            errors.append("part %d: other fields, preamble or epilogue" % number)
        if a.is_multipart():
            continue
        if a._payload == b._payload:
            continue
        pair = digest(a), digest(b)
        if want[pair] > 0:
            want[pair] -= 1
            done += 1
        elif any(w[0] == pair[0] and n > 0 for w, n in want.items()):
            errors.append("part %d decodes to something else" % number)
    return {"errors": errors, "leaves": done, "unread": sum(n for n in want.values())}


for line in sys.stdin:
    job = json.loads(line)
    print(json.dumps({"name": job["name"], **check(job)}), flush=True)
