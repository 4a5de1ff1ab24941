"""Turns keyword arguments into flags of the program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ._errors import FlagError

Flag: TypeAlias = str | int | bool | Iterable[str] | Mapping[str, str] | None

JOINED = frozenset({"kind", "element", "attribute", "status", "host", "rel", "scheme", "fields", "keep"})
OURS = {
    "pipe": "the package sets it",
    "format": "the package sets it",
    "fields": "the result decides; Extractor takes it",
    "help": "it is for the command line",
    "version": "it is for the command line",
    "base": "give url with the document",
    "urls": "give the content of pages as data",
    "units": "give the content of documents as data",
    "pages": "call Extractor.pages",
}


_begin = re.compile("/|[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_split = re.compile(r"=(/|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)


def arguments(command: str, flags: Mapping[str, Flag]) -> tuple[str, ...]:
    """Return the arguments of a command with --pipe.

    True stands for a flag without a value; False and None leave the flag out. A list is joined by commas if the flag
    takes a list, or else the flag is repeated. A mapping becomes OLD=NEW.
    """
    all_of = [command, "--pipe"]
    for key, value in flags.items():
        name = key.replace("_", "-")
        if name in OURS:
            raise FlagError(f"{key}: {OURS[name]}")
        if value is None or value is False:
            continue
        if value is True:
            all_of.append(f"--{name}")
        else:
            all_of.extend(f"--{name}={text}" for text in _values(name, value))
    return tuple(_checked(text) for text in all_of)


def _pair(name: str, old: str, new: str) -> str:
    """Return OLD=NEW, which the program splits at the first "=" before a path or scheme."""
    if not old:
        raise FlagError(f"{name}: the URL that becomes {new!r} is empty")
    if not _begin.match(new):
        raise FlagError(f"{name}: {new!r} begins with neither a scheme nor a slash")
    pair = f"{old}={new}"
    found = _split.search(pair)
    if found is None or found.start() != len(old):
        raise FlagError(f'{name}: {old!r} has "=" before a path or scheme, where the program would split it')
    return pair


def _checked(text: str) -> str:
    """Refuse a text that cannot be an argument of a program."""
    try:
        if "\0" not in text:
            os.fsencode(text)
            return text
    except UnicodeEncodeError:
        pass
    name, _, value = text.partition("=")
    raise FlagError(f"{name.removeprefix('--')}: {value!r} has a character that arguments cannot have")


def _values(name: str, value: str | int | Iterable[str] | Mapping[str, str]) -> list[str]:
    if isinstance(value, str | int):
        return [str(value)]
    if isinstance(value, Mapping):
        return [_pair(name, _word(name, old), _word(name, new)) for old, new in value.items()]
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise FlagError(f"{name}: {value!r:.80} is not a str")
    words = [_word(name, word) for word in value]
    return [",".join(words)] if name in JOINED else words


def _word(name: str, value: object) -> str:
    if isinstance(value, str | int):
        return str(value)
    raise FlagError(f"{name}: {value!r:.80} is not a str")
