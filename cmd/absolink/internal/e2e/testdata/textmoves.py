# python3 textmoves.py BEFORE AFTER HOST=NEW...: compares the running text of the messages in two directories.
#
# Python's email reads both. Each text part after the move must be the text before it, with http(s)://HOST/ replaced by NEW.
# Left out: pages and other markup, parts below multipart/signed and multipart/encrypted, texts that are signed in clear,
# reports, and all that follows the first line of a patch. Prints a line for each difference, and last the numbers of
# compared texts and of texts that changed.
import email, os, re, sys

before, after = sys.argv[1], sys.argv[2]
rules = [arg.split('=', 1) for arg in sys.argv[3:]]
MARKUP = {'text/html', 'text/css', 'text/xml', 'text/javascript', 'text/calendar', 'text/vcard', 'text/x-vcard',
          'text/directory', 'text/rfc822-headers', 'text/x-amp-html', 'text/watch-html', 'text/x-vcalendar',
          'text/x-patch', 'text/x-diff'}


def leaves(message, sealed=False):
    if message.is_multipart():
        sealed = sealed or message.get_content_type() in (
            'multipart/signed', 'multipart/encrypted', 'message/delivery-status')
        for part in message.get_payload():
            yield from leaves(part, sealed)
    else:
        yield message, sealed


def moved(text):
    for host, new in rules:
        host, new = re.escape(host.encode()), new.encode()
        text = re.sub(rb'(?i)\bhttps?://' + host + rb'(?::80|:443)?(?=[/?#])/?', lambda _: new, text)
        text = re.sub(rb'(?i)\bhttps?://' + host + rb'(?::80|:443)?(?![\w.:@-]|\.\w)', lambda _: new, text)
    return text


def unpatched(text):
    return re.split(rb'(?m)^(?:> ?)*(?:diff -|@@ -|--- a|\*{15})', text)[0]


compared = changed = 0
for top, _, names in os.walk(before):
    for name in names:
        path = os.path.join(top, name)
        try:
            a = list(leaves(email.message_from_bytes(open(path, 'rb').read())))
            b = list(leaves(email.message_from_bytes(open(os.path.join(after, os.path.relpath(path, before)), 'rb').read())))
        except Exception as e:  # Python gives up on some damaged messages
            continue
        if len(a) != len(b):
            print(path, 'has', len(a), 'leaves before and', len(b), 'after')
            continue
        for (p, sealed), (q, _) in zip(a, b):
            drop = ('content-md5', 'lines', 'content-length')
            if [h for h in p.raw_items() if h[0].lower() not in drop] != [h for h in q.raw_items() if h[0].lower() not in drop]:
                print(path, 'has other header fields')
            if sealed or p.get_content_maintype() != 'text' or p.get_content_type() in MARKUP:
                continue
            try:
                text, got = p.get_payload(decode=True), q.get_payload(decode=True)
            except Exception:
                continue
            if text is None or b'-----BEGIN PGP SIGNED MESSAGE-----' in text:
                continue
            compared += 1
            changed += text != got
            want, got = moved(unpatched(text)), unpatched(got)
            if want != got:
                i = next((i for i, (x, y) in enumerate(zip(want, got)) if x != y), min(len(want), len(got)))
                print(path, 'want', want[max(0, i - 40):i + 60], 'got', got[max(0, i - 40):i + 60])
print(compared, changed)
