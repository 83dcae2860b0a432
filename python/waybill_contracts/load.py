"""Reads JSON strictly: whatever two parsers could read differently is refused, with the product's codes."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace

from .finding import Finding, pointer, quote

MOST_BYTES = 8 * 1024 * 1024
MOST_LEVELS = 100
_MOST_EXACT = 2**53 - 1

_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
# What ECMAScript takes for the beginning of a line and for white space.
_CONFLICT = re.compile("(?:\\A|(?<=[\n\r\u2028\u2029]))<<<<<<< ")
_CONFLICT_END = re.compile("(?<=[\n\r\u2028\u2029])>>>>>>> ")
_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_BLANK = re.compile(f"[{_SPACE}]*")


class Unreadable(ValueError):
    """A text is no JSON, or JSON that parsers read differently."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("; ".join(f"{f.code}: {f.message}" for f in findings))
        self.findings = findings


def load(text: str | bytes) -> object:
    """The value of a JSON text, or `Unreadable` with everything that is wrong with it."""
    decoded = _decode(text)
    if _CONFLICT.search(decoded) and _CONFLICT_END.search(decoded):
        raise Unreadable([_fault("merge-conflict", "the text holds an unfinished merge")])
    if _BLANK.fullmatch(decoded):
        raise Unreadable([_fault("empty", "the document is empty")])
    if _levels(decoded) > MOST_LEVELS:
        raise Unreadable([_too_deep(())])
    faults: list[Finding] = []
    value = _parse(decoded, faults)
    # The product's syntax faults concern the text as a whole, so they have no pointer.
    faults += [replace(fault, path="") for fault in value_faults(value) if fault.code == "syntax/lone-surrogate"]
    if faults:
        raise Unreadable(faults)
    return value


def value_faults(value: object, path: tuple[str | int, ...] = ()) -> Iterator[Finding]:
    """Everything in a value that JSON cannot carry, or that its readers would read differently."""
    if isinstance(value, (dict, list)) and len(path) >= MOST_LEVELS:
        yield _too_deep(path)
    elif isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                yield _fault("json", f"the key {quote(key)} is no text", path)
                continue
            yield from _half_characters(key, (*path, key))
            yield from value_faults(member, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from value_faults(item, (*path, index))
    elif isinstance(value, str):
        yield from _half_characters(value, path)
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield _not_finite(path)
    elif isinstance(value, int):
        if abs(value) > _MOST_EXACT:
            yield _unsafe(path)
    elif value is not None:
        yield _fault("json", f"JSON has no {type(value).__name__}", path)


def _decode(text: str | bytes) -> str:
    # A character has at most four bytes, so most texts need not be encoded to be measured.
    if isinstance(text, str) and len(text) * 4 <= MOST_BYTES:
        return text.removeprefix("\ufeff")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MOST_BYTES:
        raise Unreadable([_fault("too-large", f"the document has more than {MOST_BYTES} bytes")])
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        message = f"the byte at offset {error.start} is not valid UTF-8"
        raise Unreadable([_fault("encoding", message)]) from None


def _levels(text: str) -> int:
    """How deep brackets nest; counted ahead because the parser recurses."""
    depth = deepest = 0
    for match in _BRACKET.finditer(text):
        token = match[0]
        if token in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "}]":
            depth -= 1
    return deepest


def _parse(text: str, faults: list[Finding]) -> object:
    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                faults.append(_fault("duplicate-key", f"the key {quote(key)} is given twice"))
            found[key] = value
        return found

    def number(digits: str) -> float | int:
        # As a float first: it cannot fail, while Python refuses integers of thousands of digits.
        rounded = float(digits)
        if math.isinf(rounded):
            faults.append(_not_finite(()))
        elif digits.lstrip("-").isdigit():
            if abs(rounded) <= _MOST_EXACT:
                return int(digits)
            faults.append(_unsafe(()))
        return rounded

    def constant(word: str) -> object:
        raise ValueError(f"JSON has no {word}")

    try:
        value: object = json.loads(
            text, object_pairs_hook=members, parse_int=number, parse_float=number, parse_constant=constant
        )
    except ValueError as error:
        raise Unreadable([*faults, _fault("json", f"this is not JSON: {error}")]) from None
    return value


def _half_characters(text: str, path: tuple[str | int, ...]) -> Iterator[Finding]:
    if _SURROGATE.search(text):
        yield _fault("lone-surrogate", "a string holds half of a UTF-16 surrogate pair", path)


def _not_finite(path: tuple[str | int, ...]) -> Finding:
    return _fault("non-finite-number", "a number is infinite, too large, or no number at all", path)


def _unsafe(path: tuple[str | int, ...]) -> Finding:
    return _fault("unsafe-integer", "an integer is beyond 2^53, where parsers round differently", path)


def _too_deep(path: tuple[str | int, ...]) -> Finding:
    return _fault("too-deep", f"objects and arrays are nested more than {MOST_LEVELS} levels deep", path)


def _fault(name: str, message: str, path: tuple[str | int, ...] = ()) -> Finding:
    return Finding(path=pointer(path), code=f"syntax/{name}", severity="error", message=message)
