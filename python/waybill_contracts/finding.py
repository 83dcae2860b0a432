"""Findings about a payload."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, order=True)
class Finding:
    """One problem of a payload; path is a JSON Pointer (RFC 6901)."""

    path: str
    code: str
    severity: Severity
    message: str


def pointer(path: Iterable[str | int]) -> str:
    """Formats a path of keys and indexes as a JSON Pointer."""
    written = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
    # A lone surrogate cannot be printed, so it is escaped.
    return written.encode("utf-8", "backslashreplace").decode()


def quote(value: object) -> str:
    """A value for use in a message: short, on one line, with unprintable characters escaped."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
