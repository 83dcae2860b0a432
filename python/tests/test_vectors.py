"""The published conformance vectors hold for this package and for plain jsonschema."""

import unittest
from collections.abc import Iterator
from typing import Any

from jsonschema import validators

from tests.published import mutate, vectors_of
from waybill_contracts import check, contracts
from waybill_contracts.catalogue import schema_of


def _cases(contract: str) -> Iterator[tuple[str, Any, list[dict[str, str]]]]:
    vectors = vectors_of(contract)
    for vector in vectors["fixtures"]:
        yield vector["fixture"], vector["value"], vector["findings"]
    for vector in vectors["mutations"]:
        name = f"{vector['op']} {vector['path']} {vector.get('value')!r:.60}"
        yield name, mutate(vectors["base"], vector), vector["findings"]


class Vectors(unittest.TestCase):
    """Every vector of every contract."""

    def test_every_contract_has_vectors(self) -> None:
        self.assertGreater(len(contracts()), 0)
        for contract in contracts():
            with self.subTest(contract):
                self.assertGreater(len(vectors_of(contract)["fixtures"]), 0)
                self.assertGreater(len(vectors_of(contract)["mutations"]), 0)

    def test_the_findings_are_the_products(self) -> None:
        for contract in contracts():
            for name, value, expected in _cases(contract):
                with self.subTest(contract, vector=name):
                    findings = check(contract, value).findings
                    # The vectors hold the structure alone; the golden outputs of the fixtures have this rule as well.
                    structure = [f for f in findings if not f.code.endswith("/no-null-characters")]
                    found = [(f.path, f.code, f.severity) for f in structure]
                    wanted = [(f["path"], f["code"], f["severity"]) for f in expected]
                    self.assertEqual(sorted(found), sorted(wanted))

    def test_plain_jsonschema_decides_like_the_product(self) -> None:
        for contract in contracts():
            schema = schema_of(contract)
            standard = validators.validator_for(schema)
            standard.check_schema(schema)
            plain = standard(schema)
            for name, value, expected in _cases(contract):
                with self.subTest(contract, vector=name):
                    accepted = all(f["severity"] != "error" for f in expected)
                    self.assertEqual(plain.is_valid(value), accepted)


if __name__ == "__main__":
    unittest.main()
