"""Finds the program absolink."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import shutil

from ._errors import Error


@functools.cache
def path() -> str:
    """Return the path of the program.

    It is the value of ABSOLINK_PROGRAM, the program of the installed wheel, or the first absolink in PATH.
    """
    named = os.environ.get("ABSOLINK_PROGRAM")
    if named:
        return named
    try:
        files = importlib.metadata.files("absolink") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("absolink", "absolink.exe"):
            program = os.path.normpath(str(file.locate()))
            if os.path.isfile(program):
                return program
    found = shutil.which("absolink")
    if found:
        return found
    raise Error("the program absolink is not installed: pip install a wheel of absolink, or put the program into PATH")
