"""Checks payloads against the published schemas."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import ValidationError, validators

from .catalogue import contract_id, schema_of
from .finding import Finding, Severity, pointer, quote
from .load import Unreadable, load
from .nearest import nearest
from .survey import Survey


@dataclass(frozen=True)
class Result:
    """The result of a check: a payload with any error is not accepted."""

    findings: list[Finding]

    @property
    def accepted(self) -> bool:
        """Whether the payload may be stored."""
        return all(finding.severity != "error" for finding in self.findings)


def check(contract: str, payload: object) -> Result:
    """Checks a payload against a contract, given by its id or its name."""
    id = contract_id(contract)
    survey = Survey(payload)
    if survey.faults:
        # A value that JSON cannot express has no structure to check.
        return Result(sorted(survey.faults))
    structure = _findings(list(_validator(id).iter_errors(payload)))
    return Result(sorted([*structure, *_null_characters(id, survey)]))


def check_text(contract: str, text: str | bytes) -> Result:
    """Checks a JSON text against a contract, given by its id or its name."""
    id = contract_id(contract)
    try:
        return check(id, load(text))
    except Unreadable as error:
        return Result(error.findings)


def _findings(errors: list[ValidationError]) -> Iterator[Finding]:
    mistyped = {tuple(error.absolute_path) for error in errors if _keyword(error) == "type"}
    for error in errors:
        path = tuple(error.absolute_path)
        # These paths end with the missing or unknown key.
        of_key = _keyword(error) in ("required", "properties", "additionalProperties")
        if _keyword(error) != "type" and (path[:-1] if of_key else path) in mistyped:
            continue
        if _keyword(error) in ("properties", "additionalProperties"):
            yield from _unknown_key(path, error.schema)
        else:
            yield Finding(pointer(path), _code(error), "error", _words(error))


def _null_characters(id: str, survey: Survey) -> Iterator[Finding]:
    """The only rule beyond the structure, since the database would reject the artifact."""
    # Only mission artifacts have a schema name.
    if "schema_name" not in schema_of(id)["properties"]:
        return
    code = f"{id.rpartition('.')[0]}/no-null-characters"
    for path, in_key in survey.nulls:
        what = "key" if in_key else "text"
        yield Finding(path, code, "error", f"the {what} contains the character \\u0000")


def _unknown_key(path: tuple[str | int, ...], schema: dict[str, Any]) -> Iterator[Finding]:
    """Reports an unknown key by its schema: forbidden, allowed, or ignored unless a known key was probably meant."""
    key = str(path[-1])
    meant = nearest(key, schema.get("properties", {}))
    policy = schema.get("additionalProperties")
    if policy is None and meant is None:
        return
    severity: Severity = "error" if policy is False else "info" if policy is True else "warning"
    hint = f"; did you mean {quote(meant)}?" if meant else ""
    yield Finding(pointer(path), "schema/additional-properties", severity, f"unknown key {quote(key)}{hint}")


def _keyword(error: ValidationError) -> str:
    # The types of jsonschema do not declare it as a string.
    return str(error.validator)


def _code(error: ValidationError) -> str:
    keyword = _keyword(error)
    # The pattern of a time is reported as its format.
    if keyword == "pattern" and error.schema.get("format") == "date-time":
        keyword = "format"
    return "schema/" + "".join("-" + letter.lower() if letter.isupper() else letter for letter in keyword)


_TYPES = {"integer": "a whole number", "array": "a list", "object": "an object", "null": "null"}

# A boolean is an integer to Python, so it comes first.
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a number"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "an object"),
)

_WORDS = {
    "const": "must be {}",
    "enum": "must be one of {}",
    "minimum": "must be {} or more",
    "maximum": "must be {} or less",
    "minLength": "must have {} or more characters",
    "maxLength": "must have {} or fewer characters",
    "minItems": "must have {} or more entries",
    "maxItems": "must have {} or fewer entries",
    "uniqueItems": "must have no duplicate entries",
}


def _words(error: ValidationError) -> str:
    # Values may be secrets, and messages end up in logs, so messages contain no values.
    keyword = _keyword(error)
    if keyword == "required":
        return f"{quote(error.absolute_path[-1])} is missing"
    limit, schema = error.validator_value, error.schema
    about = f" ({schema['description'].rstrip('.')})" if "description" in schema else ""
    if keyword == "type":
        types = [limit] if isinstance(limit, str) else limit
        expected = " or ".join(_TYPES.get(type, f"a {type}") for type in types)
        return f"must be {expected}, not {_kind(error.instance)}{about}"
    if keyword == "pattern":
        example = f"; write it like {quote(schema['examples'][0])}" if schema.get("examples") else ""
        return f"does not have the required form{example}{about}"
    words = _WORDS.get(keyword, f"does not satisfy {keyword} {{}}")
    limits = limit if keyword == "enum" else [limit]
    return words.format(", ".join(map(quote, limits))) + about


def _kind(value: object) -> str:
    return next((kind for type, kind in _KINDS if isinstance(value, type)), "null")


def _required(validator: Any, keys: list[str], instance: object, _schema: object) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for key in keys:
            if key not in instance:
                yield ValidationError("missing", path=[key])


def _additional(validator: Any, policy: object, instance: object, schema: dict[str, Any]) -> Iterator[ValidationError]:
    if isinstance(instance, dict) and policy is not True:
        patterns = schema.get("patternProperties", {})
        for key, member in instance.items():
            if key in schema.get("properties", {}) or any(re.search(p, key) for p in patterns):
                continue
            if policy is False:
                yield ValidationError("unknown", path=[key])
            else:
                yield from validator.descend(member, policy, path=key)


def _properties(
    validator: Any, known: dict[str, Any], instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    """The keyword, and the unknown keys of an open object, which the keyword ignores."""
    if not isinstance(instance, dict):
        return
    for key, member in known.items():
        if key in instance:
            yield from validator.descend(instance[key], member, path=key, schema_path=key)
    is_open = schema.get("additionalProperties", True) is True and "patternProperties" not in schema
    if schema.get("type") == "object" and is_open:
        for key in instance:
            if key not in known:
                yield ValidationError("unknown", path=[key])


@cache
def _validator(id: str) -> Any:
    schema = schema_of(id)
    standard = validators.validator_for(schema)
    keywords = {"required": _required, "additionalProperties": _additional, "properties": _properties}
    return validators.extend(standard, keywords)(schema)
