"""Types commands into a shell, presses Tab, and checks the completion: completion.py bash|zsh.

A package must have installed the completions. The shell runs on its own terminal, in a directory that
holds only the file letter.eml.
"""
import os
import pty
import re
import select
import sys
import tempfile
import time

# The text typed before Tab, and the text of the line afterwards.
CASES = [
    ("absolink rewr", "absolink rewrite "),
    ("absolink extract --default-b", "absolink extract --default-base "),
    ("absolink extract --rules draft-0", "draft-0"),  # two are possible: the part that they share
    ("absolink extract --rules wh", "absolink extract --rules whatwg "),
    ("absolink extract --fields page,ur", "absolink extract --fields page,uri"),
    ("absolink extract --status resolved,unr", "absolink extract --status resolved,unresolved"),
    ("absolink extract --kind nav,res,pi", "absolink extract --kind nav,res,ping"),
    ("absolink extract lett", "absolink extract letter.eml "),
    ("absolink rewrite --map-file lett", "absolink rewrite --map-file letter.eml "),
]

START = {
    "bash": ["bash", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
SETUP = {
    "bash": "unset HISTFILE; . /usr/share/bash-completion/bash_completion; bind 'set enable-bracketed-paste off'; PS1=READY\\>",
    "zsh": "unset zle_bracketed_paste HISTFILE; autoload -Uz compinit && compinit -u -D; PROMPT=READY\\> ; unsetopt prompt_sp list_beep",
}


def read(terminal, seconds, until=None):
    """Returns the output of the shell up to until, or of the given number of seconds."""
    text, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if ready:
            text += os.read(terminal, 1 << 16)
        if until and until in text:
            break
    return text.decode(errors="replace")


def plain(text):
    """Returns text without sequences that move the cursor and without characters that backspaces remove."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r", "", text)
    while "\x08" in text:
        text = re.sub("[^\x08]?\x08", "", text, count=1)
    return text


def main(shell):
    # While the directory is removed, a shell that ends may still write its history there.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        open(os.path.join(home, "letter.eml"), "w").close()
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(home)
            env = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "dumb", "LC_ALL": "C.UTF-8", "COLUMNS": "200"}
            os.execvpe(START[shell][0], START[shell], env)
        read(terminal, 1)
        os.write(terminal, (SETUP[shell] + "\n").encode())
        read(terminal, 20, b"\nREADY>")
        failed = 0
        for typed, want in CASES:
            os.write(terminal, typed.encode() + b"\t")
            got, end = "", time.monotonic() + 10
            while want not in got and time.monotonic() < end:
                got = plain(got + read(terminal, 0.2))
            if want not in got:
                print(f"{shell}: {typed!r} and Tab: got {got!r}, want {want!r}")
                failed += 1
            os.write(terminal, b"\x15\n")  # deletes the line
            read(terminal, 0.3)
        os.write(terminal, b"exit\n")
        os.close(terminal)
    print(f"{shell}: {len(CASES) - failed} of {len(CASES)} completions")
    return failed != 0


sys.exit(main(sys.argv[1]))
