"""`python -m waybill_contracts check <contract> <file.json>`."""

import json
import sys
from collections import Counter
from pathlib import Path

from .catalogue import UnknownContract, contract_id
from .check import Result, check_text

USAGE = "usage: python -m waybill_contracts check <contract> <file.json>"


def main(arguments: list[str]) -> int:
    """Prints the result of one check as JSON; 0 accepted, 1 rejected, 2 not run."""
    if len(arguments) != 3 or arguments[0] != "check":
        print(USAGE, file=sys.stderr)
        return 2
    _, contract, path = arguments
    try:
        id = contract_id(contract)
        result = check_text(id, Path(path).read_bytes())
    except (UnknownContract, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(_report(path, id, result), indent=2))
    return 0 if result.accepted else 1


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
