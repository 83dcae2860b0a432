"""What is said of a faulty payload."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, order=True)
class Finding:
    """One thing wrong with a payload; path is a JSON Pointer (RFC 6901)."""

    path: str
    code: str
    severity: Severity
    message: str


def pointer(path: Iterable[str | int]) -> str:
    """Writes a path of keys and indexes as a JSON Pointer."""
    written = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
    # Half of a surrogate pair is no text that could be printed: it is spelled out, as in messages.
    return written.encode("utf-8", "backslashreplace").decode()


def quote(value: object) -> str:
    """A value as it may stand in a message: short, on one line, with everything unprintable spelled out."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
