"""The JSON fixtures of the contracts, read from their own files, give what their golden outputs say."""

import json
import re
import unittest
from pathlib import Path

from tests.published import ROOT, vectors_of
from waybill_contracts import Result, check, check_text, contracts, load

_GOLDEN = re.compile(r"[0-9]+:[0-9]+ (error|warning|info) ((?:schema|syntax)/\S+|\S+/no-null-characters) ", re.ASCII)


def _fixtures(contract: str) -> list[Path]:
    folder = ROOT / "src/contracts" / contract / "fixtures"
    return sorted([*folder.glob("valid/*.json"), *folder.glob("invalid/*.json")])


def _check_file(contract: str, file: Path) -> Result:
    """Checks a fixture, without the wrapper that the vectors leave out as well."""
    name = f"{file.parent.name}/{file.stem}"
    for vector in vectors_of(contract)["fixtures"]:
        if vector["fixture"] == name:
            value = load(file.read_bytes())
            if isinstance(value, dict) and value != vector["value"]:
                (value,) = value.values()
            assert value == vector["value"], f"{name} is not what its vector says"
            return check(contract, value)
    return check_text(contract, file.read_bytes())


class Fixtures(unittest.TestCase):
    """Every fixture that is written as JSON."""

    def test_there_are_some(self) -> None:
        self.assertGreater(sum(len(_fixtures(contract)) for contract in contracts()), 0)

    def test_every_fixture_gives_its_golden_output(self) -> None:
        for contract in contracts():
            for file in _fixtures(contract):
                with self.subTest(contract, fixture=f"{file.parent.name}/{file.stem}"):
                    result = _check_file(contract, file)
                    if file.parent.name == "valid":
                        self.assertTrue(result.accepted, result.findings)
                        continue
                    golden = _GOLDEN.findall(file.with_suffix(".out").read_text("utf-8"))
                    found = [(finding.severity, finding.code) for finding in result.findings]
                    self.assertEqual(sorted(found), sorted(golden))

    def test_a_contract_has_the_rule_against_null_characters_exactly_if_the_product_says_so(self) -> None:
        for contract in contracts():
            with self.subTest(contract):
                explained = ROOT / "src/contracts" / contract / "explain.generated.json"
                ruled = "no-null-characters" in json.loads(explained.read_text("utf-8"))
                codes = {f.code for f in check(contract, {"a": "\0"}).findings}
                self.assertEqual(f"{contract.rpartition('.')[0]}/no-null-characters" in codes, ruled)


if __name__ == "__main__":
    unittest.main()
