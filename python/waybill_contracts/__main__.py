"""`python -m waybill_contracts check <contract> <file.json>`."""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TextIO

from .catalogue import UnknownContract, contract_id
from .check import Result, check_text
from .survey import MOST_BYTES

USAGE = "usage: python -m waybill_contracts check <contract> <file.json>"


def main(arguments: list[str]) -> int:
    """Prints the result of one check as JSON; 0 accepted, 1 rejected, 2 not run."""
    if len(arguments) != 3 or arguments[0] != "check":
        return _not_run(USAGE)
    _, contract, path = arguments
    try:
        id = contract_id(contract)
        result = check_text(id, _read(path))
        _print(json.dumps(_report(path, id, result), indent=2))
    # An invalid path is a ValueError.
    except (UnknownContract, OSError, ValueError) as error:
        return _not_run(str(error))
    return 0 if result.accepted else 1


def _read(path: str) -> bytes:
    """The bytes of a file; of an endless one, just enough to show that it is too large."""
    with Path(path).open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _print(text: str) -> None:
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        print(text, flush=True)
    except OSError as error:
        _forget(sys.stdout)
        raise OSError(f"cannot write the result: {error}") from None


def _not_run(why: str) -> int:
    # Without standard error, Python would print to standard output.
    if sys.stderr is not None:
        try:
            print(why, file=sys.stderr, flush=True)
        except OSError:
            _forget(sys.stderr)
    return 2


def _forget(stream: TextIO) -> None:
    """Discards what a stream could not write: Python would retry at exit, and fail with another exit code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _report(path: str, id: str, result: Result) -> dict[str, object]:
    name, _, version = id.rpartition(".")
    count = Counter(finding.severity for finding in result.findings)
    summary = {
        "documents": 1,
        "accepted": int(result.accepted),
        "rejected": int(not result.accepted),
        "errors": count["error"],
        "warnings": count["warning"],
    }
    diagnostics = [
        {"code": f.code, "severity": f.severity, "path": f.path, "message": f.message} for f in result.findings
    ]
    document = {
        "path": path,
        "contract": name,
        "version": version,
        "accepted": result.accepted,
        "diagnostics": diagnostics,
    }
    return {"summary": summary, "documents": [document], "structureOnly": True}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
