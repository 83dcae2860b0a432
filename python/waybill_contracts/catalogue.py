"""Finds the published schemas."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

_SCHEMA = re.compile(r"(.+)\.v([0-9]+)\.json")

# The schema of the product's configuration is in the same folder.
_NO_CONTRACTS = {"config.v1"}


class UnknownContract(LookupError):
    """The contract is unknown."""


@cache
def contracts() -> tuple[str, ...]:
    """The ids of all contracts, such as `session-context.v1`."""
    names = (entry.name for entry in files(__package__).joinpath("schemas").iterdir())
    ids = (name.removesuffix(".json") for name in names if _SCHEMA.fullmatch(name))
    return tuple(sorted(set(ids) - _NO_CONTRACTS))


def contract_id(name: str) -> str:
    """The id of a contract, given by its id, or by its name for the newest version."""
    if name in contracts():
        return name
    versions = [id for id in contracts() if id.rpartition(".")[0] == name]
    if not versions:
        raise UnknownContract(f"unknown contract {name!r}; known contracts: {', '.join(contracts())}")
    return max(versions, key=lambda id: int(id.rpartition(".v")[2]))


@cache
def schema_of(id: str) -> dict[str, Any]:
    """The published JSON Schema of a contract."""
    text = files(__package__).joinpath("schemas", f"{id}.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
