"""Walks a value once for what no JSON text can carry, and for the character that PostgreSQL cannot hold."""

import json
import math
import re

from .finding import Finding, pointer

MOST_BYTES = 8 * 1024 * 1024
MOST_LEVELS = 100
_MOST_EXACT = 2**53 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")
# Escapes what has to be, and nothing else.
_written = json.JSONEncoder(ensure_ascii=False).encode


class _TooLarge(Exception):
    """There is no need to look further."""


class Survey:
    """What is found in a value; a container that stands in several places is visited, and told of, once."""

    def __init__(self, value: object) -> None:
        self.faults: list[Finding] = []
        # Pointers of keys and texts with the character U+0000, and whether it stands in the key.
        self.nulls: list[tuple[str, bool]] = []
        self._path: list[str | int] = []
        # The least number of bytes of the value as JSON, with what is shared written out wherever it stands.
        self._length = 0
        self._open: set[int] = set()
        # Containers by id with their levels and length; each is held, so that no other can get its id.
        self._seen: dict[int, tuple[object, int, int]] = {}
        try:
            self._visit(value)
        except _TooLarge:
            self.faults.append(too_large("value"))

    def _visit(self, value: object) -> int:
        """Looks at a value and gives how many levels it has."""
        if isinstance(value, (dict, list)):
            return self._container(value)
        self._grow(_least_bytes(value))
        if isinstance(value, str):
            self._text(value, in_key=False)
        elif isinstance(value, float):
            if not math.isfinite(value):
                self._tell(not_finite())
        elif isinstance(value, int):
            if is_unsafe(value):
                self._tell(unsafe())
        elif value is not None:
            self._tell(fault("json", f"JSON has no {type(value).__name__}"))
        return 0

    def _container(self, value: dict[object, object] | list[object]) -> int:
        if id(value) in self._open:
            self._tell(fault("too-deep", "an object or array holds itself, so it is nested without end"))
            return 0
        _, levels, length = self._seen.get(id(value), (None, 1, 0))
        if len(self._path) + levels > MOST_LEVELS:
            self._tell(too_deep())
            return levels
        if length:
            self._grow(length)
            return levels
        before = self._length
        # Brackets, and commas between the parts.
        self._grow(1 + max(1, len(value)))
        self._open.add(id(value))
        levels = 1 + (self._members(value) if isinstance(value, dict) else self._items(value))
        self._open.remove(id(value))
        self._seen[id(value)] = (value, levels, self._length - before)
        return levels

    def _members(self, value: dict[object, object]) -> int:
        deepest = 0
        for key, member in value.items():
            if not isinstance(key, str):
                self._grow(1)
                # The key itself may be too large to be written.
                self._tell(fault("json", f"a key is no text, but of the type {type(key).__name__}"))
                continue
            self._grow(_least_bytes(key) + 1)
            self._path.append(key)
            self._text(key, in_key=True)
            deepest = max(deepest, self._visit(member))
            self._path.pop()
        return deepest

    def _items(self, value: list[object]) -> int:
        deepest = 0
        for index, item in enumerate(value):
            self._path.append(index)
            deepest = max(deepest, self._visit(item))
            self._path.pop()
        return deepest

    def _text(self, text: str, in_key: bool) -> None:
        if _SURROGATE.search(text):
            self._tell(fault("lone-surrogate", "a string holds half of a UTF-16 surrogate pair"))
        # The product looks at members alone: a text that is all of a document fails by its type.
        if "\0" in text and self._path:
            self.nulls.append((pointer(self._path), in_key))

    def _grow(self, length: int) -> None:
        self._length += length
        if self._length > MOST_BYTES:
            raise _TooLarge

    def _tell(self, found: Finding) -> None:
        self.faults.append(Finding(pointer(self._path), found.code, found.severity, found.message))


def _least_bytes(value: object) -> int:
    """How many bytes a text, a number or a word takes at least as JSON."""
    if isinstance(value, str):
        # What is too long as it stands need not be written.
        return len(value) if len(value) > MOST_BYTES else len(_written(value).encode("utf-8", "surrogatepass"))
    if isinstance(value, float):
        # Zeros may be written as an exponent.
        return max(1, len(float.__repr__(value).partition("e")[0].replace(".", "").strip("-0")))
    if isinstance(value, bool) or value is None:
        return len("false" if value is False else "true")
    return len(int.__repr__(value)) if isinstance(value, int) and not is_unsafe(value) else 1


def too_large(what: str) -> Finding:
    """Says that a document or value is longer than the product reads."""
    return fault("too-large", f"the {what} has more than {MOST_BYTES} bytes")


def not_finite() -> Finding:
    """Says that a number is none that JSON can carry."""
    return fault("non-finite-number", "a number is infinite, too large, or no number at all")


def unsafe() -> Finding:
    """Says that an integer is not the same to every parser."""
    return fault("unsafe-integer", "an integer is beyond 2^53, where parsers round differently")


def too_deep() -> Finding:
    """Says that a value has more levels than the product reads."""
    return fault("too-deep", f"objects and arrays are nested more than {MOST_LEVELS} levels deep")


def is_unsafe(number: int | float) -> bool:
    """Whether parsers may read an integer of this size differently."""
    return abs(number) > _MOST_EXACT


def fault(name: str, message: str) -> Finding:
    """A fault of the text as a whole, which has no pointer."""
    return Finding(path="", code=f"syntax/{name}", severity="error", message=message)
