# Prints the messages that Python's mailbox finds in each file: a line with their
# number, and for each a line with its length and that of its From_ line, then both.
import mailbox
import sys

out = sys.stdout.buffer
for path in sys.argv[1:]:
    box = mailbox.mbox(path, create=False)
    keys = box.keys()
    out.write(b"%d\n" % len(keys))
    for key in keys:
        whole = box.get_bytes(key, from_=True)
        content = box.get_bytes(key, from_=False)
        out.write(b"%d %d\n" % (len(content), len(whole) - len(content)))
        out.write(content)
