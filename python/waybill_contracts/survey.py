"""Finds values that JSON cannot express, and the character that PostgreSQL cannot store, in one walk."""

import json
import math
import re

from .finding import Finding, pointer

MOST_BYTES = 8 * 1024 * 1024
MOST_LEVELS = 100
_MOST_EXACT = 2**53 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")
# Escapes only what needs it.
_written = json.JSONEncoder(ensure_ascii=False).encode


class _TooLarge(Exception):
    """Ends the walk."""


class Survey:
    """The findings in a value; a shared container is visited and reported once."""

    def __init__(self, value: object) -> None:
        self.faults: list[Finding] = []
        # Pointers of keys and texts with the character U+0000, and whether it is in the key.
        self.nulls: list[tuple[str, bool]] = []
        self._path: list[str | int] = []
        # Minimum size of the value as JSON in bytes, with shared containers counted at each place.
        self._length = 0
        self._open: set[int] = set()
        # Containers by id with their levels and length; the reference keeps the id from being reused.
        self._seen: dict[int, tuple[object, int, int]] = {}
        try:
            self._visit(value)
        except _TooLarge:
            self.faults.append(too_large("value"))

    def _visit(self, value: object) -> int:
        """Examines a value and returns its number of levels."""
        if isinstance(value, (dict, list)):
            return self._container(value)
        self._grow(_least_bytes(value))
        if isinstance(value, str):
            self._text(value, in_key=False)
        elif isinstance(value, float):
            if not math.isfinite(value):
                self._report(not_finite())
        elif isinstance(value, int):
            if is_unsafe(value):
                self._report(unsafe())
        elif value is not None:
            self._report(fault("json", f"JSON has no {type(value).__name__}"))
        return 0

    def _container(self, value: dict[object, object] | list[object]) -> int:
        if id(value) in self._open:
            self._report(fault("too-deep", "an object or array holds itself, so it is nested without end"))
            return 0
        _, levels, length = self._seen.get(id(value), (None, 1, 0))
        if len(self._path) + levels > MOST_LEVELS:
            self._report(too_deep())
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
                # The key itself may be too large.
                self._report(fault("json", f"a key must be a string, not {type(key).__name__}"))
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
            self._report(fault("lone-surrogate", "a string holds half of a UTF-16 surrogate pair"))
        # Members only, as in the product: a document that is only a text has the wrong type anyway.
        if "\0" in text and self._path:
            self.nulls.append((pointer(self._path), in_key))

    def _grow(self, length: int) -> None:
        self._length += length
        if self._length > MOST_BYTES:
            raise _TooLarge

    def _report(self, found: Finding) -> None:
        self.faults.append(Finding(pointer(self._path), found.code, found.severity, found.message))


def _least_bytes(value: object) -> int:
    """Minimum size of a text, number or word as JSON in bytes."""
    if isinstance(value, str):
        # A text that is too long without escapes needs no encoding.
        return len(value) if len(value) > MOST_BYTES else len(_written(value).encode("utf-8", "surrogatepass"))
    if isinstance(value, float):
        # Zeros may be an exponent.
        return max(1, len(float.__repr__(value).partition("e")[0].replace(".", "").strip("-0")))
    if isinstance(value, bool) or value is None:
        return len("false" if value is False else "true")
    return len(int.__repr__(value)) if isinstance(value, int) and not is_unsafe(value) else 1


def too_large(what: str) -> Finding:
    """A document or value is larger than the limit."""
    return fault("too-large", f"the {what} has more than {MOST_BYTES} bytes")


def not_finite() -> Finding:
    """A number cannot be expressed in JSON."""
    return fault("non-finite-number", "a number is infinite, too large, or no number at all")


def unsafe() -> Finding:
    """Parsers read an integer differently."""
    return fault("unsafe-integer", "an integer is beyond 2^53, where parsers round differently")


def too_deep() -> Finding:
    """A value has more levels than the limit."""
    return fault("too-deep", f"objects and arrays are nested more than {MOST_LEVELS} levels deep")


def is_unsafe(number: int | float) -> bool:
    """Whether parsers may read an integer of this size differently."""
    return abs(number) > _MOST_EXACT


def fault(name: str, message: str) -> Finding:
    """A fault of the text as a whole, which has no pointer."""
    return Finding(path="", code=f"syntax/{name}", severity="error", message=message)
