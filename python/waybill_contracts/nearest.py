"""Finds the word that was probably meant, exactly as src/contract/wording.ts does."""

import re
from collections.abc import Iterable

_LONGEST = 60
_SEPARATORS = re.compile(r"[_\-. ]")


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is equal except for case and separators, or at most a third of its letters away."""
    if len(_units(word)) > _LONGEST:
        return None
    plain = _flatten(word)
    best: str | None = None
    fewest = max(len(plain), 3) // 3 + 1
    for candidate in candidates:
        edits = _distance(plain, _flatten(candidate), fewest)
        if edits < fewest:
            best, fewest = candidate, edits
    return best


def _flatten(word: str) -> tuple[int, ...]:
    return _units(_SEPARATORS.sub("", word.lower()))


def _units(word: str) -> tuple[int, ...]:
    """UTF-16 code units, as the product counts them."""
    encoded = word.encode("utf-16-le", "surrogatepass")
    return tuple(memoryview(encoded).cast("H"))


def _distance(a: tuple[int, ...], b: tuple[int, ...], limit: int) -> int:
    """The edit distance of two words, where swapped neighbours count as one edit; gives up at the limit."""
    if abs(len(a) - len(b)) >= limit:
        return limit
    before_last: list[int] = []
    last = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        row = [i]
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            edits = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + cost)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                edits = min(edits, before_last[j - 2] + 1)
            row.append(edits)
        before_last, last = last, row
    return min(last[len(b)], limit)
