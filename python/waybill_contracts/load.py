"""Parses JSON strictly: rejects what parsers read differently, with the product's codes."""

import json
import math
import re
from dataclasses import replace

from .finding import Finding, quote
from .survey import MOST_BYTES, MOST_LEVELS, Survey, fault, is_unsafe, not_finite, too_deep, too_large, unsafe

_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
# Line starts and white space in ECMAScript.
_CONFLICT = re.compile("(?:\\A|(?<=[\n\r\u2028\u2029]))<<<<<<< ")
_CONFLICT_END = re.compile("(?<=[\n\r\u2028\u2029])>>>>>>> ")
_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_BLANK = re.compile(f"[{_SPACE}]*")


class Unreadable(ValueError):
    """A text is not JSON, or is JSON that parsers read differently."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("; ".join(f"{f.code}: {f.message}" for f in findings))
        self.findings = findings


def load(text: str | bytes) -> object:
    """Returns the value of a JSON text, or raises `Unreadable` with all its findings."""
    decoded = _decode(text)
    if _CONFLICT.search(decoded) and _CONFLICT_END.search(decoded):
        raise Unreadable([fault("merge-conflict", "the file contains conflict markers of an unfinished merge")])
    if _BLANK.fullmatch(decoded):
        raise Unreadable([fault("empty", "the document is empty")])
    if _levels(decoded) > MOST_LEVELS:
        raise Unreadable([too_deep()])
    faults: list[Finding] = []
    value = _parse(decoded, faults)
    # Syntax faults concern the whole text, so they have no pointer.
    faults += [replace(f, path="") for f in Survey(value).faults if f.code == "syntax/lone-surrogate"]
    if faults:
        raise Unreadable(faults)
    return value


def _decode(text: str | bytes) -> str:
    # A character has at most four bytes, so most texts need no encoding to be measured.
    if isinstance(text, str) and len(text) * 4 <= MOST_BYTES:
        return text.removeprefix("\ufeff")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MOST_BYTES:
        raise Unreadable([too_large("document")])
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        message = f"the byte at offset {error.start} is not valid UTF-8"
        raise Unreadable([fault("encoding", message)]) from None


def _levels(text: str) -> int:
    """Nesting depth of brackets, counted first because the parser recurses."""
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
                faults.append(fault("duplicate-key", f"the key {quote(key)} is not unique"))
            found[key] = value
        return found

    def number(digits: str) -> float | int:
        # As a float first: it cannot fail, while Python rejects integers of thousands of digits.
        rounded = float(digits)
        if math.isinf(rounded):
            faults.append(not_finite())
        elif digits.lstrip("-").isdigit():
            if not is_unsafe(rounded):
                return int(digits)
            faults.append(unsafe())
        return rounded

    def constant(word: str) -> object:
        raise ValueError(f"JSON has no {word}")

    try:
        value: object = json.loads(
            text, object_pairs_hook=members, parse_int=number, parse_float=number, parse_constant=constant
        )
    except ValueError as error:
        raise Unreadable([*faults, fault("json", f"this is not valid JSON: {error}")]) from None
    return value
