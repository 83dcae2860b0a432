"""The published vectors and the fixtures that they were made from."""

import json
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@cache
def vectors_of(contract: str) -> dict[str, Any]:
    """The conformance vectors of a contract."""
    vectors: dict[str, Any] = json.loads((ROOT / "schemas/vectors" / f"{contract}.json").read_text("utf-8"))
    return vectors


def mutate(value: Any, mutation: dict[str, Any]) -> Any:
    """A copy of a value with one change, in the words of JSON Patch."""
    keys = [key.replace("~1", "/").replace("~0", "~") for key in mutation["path"].split("/")[1:]]
    return _change(value, keys, mutation)


def _change(part: Any, keys: list[str], mutation: dict[str, Any]) -> Any:
    if not keys:
        return mutation["value"]
    key, rest = keys[0], keys[1:]
    if isinstance(part, list):
        return [_change(item, rest, mutation) if str(i) == key else item for i, item in enumerate(part)]
    if mutation["op"] == "remove" and not rest:
        return {name: member for name, member in part.items() if name != key}
    return {**part, key: _change(part.get(key), rest, mutation)}
