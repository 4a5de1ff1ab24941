"""The exceptions of absolink."""

from __future__ import annotations


class Error(Exception):
    """Any failure that absolink reports."""


class FlagError(Error, ValueError):
    """The program refused a flag or its value."""


class DocumentError(Error):
    """A document could not be read.

    The text begins with the URL or name of the document. The attribute ``messages`` has all messages of the program
    about it, with line and column.
    """

    def __init__(self, document: str, reason: str, messages: tuple[str, ...] = ()) -> None:
        super().__init__(document, reason, messages)
        self.document = document
        self.reason = reason
        self.messages = messages

    def __str__(self) -> str:
        return f"{self.document}: {self.reason}"


class ProcessError(DocumentError):
    """The program died or hung twice while it read this document."""
