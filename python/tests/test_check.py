"""What the vectors cannot hold: values that are no JSON, names, numbers that differ by their type, the command."""

import io
import json
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests.published import vectors_of
from waybill_contracts import UnknownContract, check, check_text, contracts
from waybill_contracts.__main__ import main
from waybill_contracts.nearest import nearest


def _section(level: object) -> dict[str, Any]:
    return {**_document(), "sections": [{"title": "Decisions", "level": level, "body": "None."}]}


def _document() -> dict[str, Any]:
    base: dict[str, Any] = vectors_of("handoff-document.v1")["base"]
    return base


class Check(unittest.TestCase):
    """Payloads in memory."""

    def test_an_integer_may_be_written_with_a_point(self) -> None:
        self.assertTrue(check("handoff-document.v1", _section(1.0)).accepted)

    def test_a_boolean_is_no_integer(self) -> None:
        findings = check("handoff-document.v1", _section(True)).findings
        self.assertEqual([(f.code, f.path) for f in findings], [("schema/type", "/sections/0/level")])

    def test_values_that_json_cannot_carry_are_refused_wherever_they_stand(self) -> None:
        cyclic: list[object] = []
        cyclic.append(cyclic)
        cases: list[tuple[object, str, str]] = [
            (float("nan"), "syntax/non-finite-number", "/context_refs/a~1b"),
            (2**53, "syntax/unsafe-integer", "/context_refs/a~1b"),
            ("\ud800", "syntax/lone-surrogate", "/context_refs/a~1b"),
            (b"bytes", "syntax/json", "/context_refs/a~1b"),
            ((1, 2), "syntax/json", "/context_refs/a~1b"),
            ({1: 2}, "syntax/json", "/context_refs/a~1b"),
            (cyclic, "syntax/too-deep", "/context_refs/a~1b" + "/0" * 98),
        ]
        for value, code, path in cases:
            with self.subTest(code, value=ascii(value)):
                findings = check("mission-envelope.v1", {"context_refs": {"a/b": value}}).findings
                self.assertEqual([(f.code, f.path, f.severity) for f in findings], [(code, path, "error")])

    def test_a_name_without_version_means_the_newest(self) -> None:
        self.assertEqual(check("session-context", {}), check("session-context.v1", {}))

    def test_an_unknown_contract_is_an_exception_that_names_the_known_ones(self) -> None:
        for name in ("session-contxt", "session-context.v2", "config.v1", "../config.v1", ""):
            with self.subTest(name), self.assertRaisesRegex(UnknownContract, "session-context.v1"):
                check(name, {})

    def test_messages_name_keys_and_limits_but_never_values(self) -> None:
        for contract in contracts():
            for finding in check(contract, {"$schema": ["hunter2"]}).findings:
                self.assertNotIn("hunter2", finding.message)
                self.assertNotEqual(finding.message, "")

    def test_a_text_with_syntax_faults_is_not_judged_further(self) -> None:
        result = check_text("session-context.v1", '{"a": 1, "a": 2}')
        self.assertEqual([f.code for f in result.findings], ["syntax/duplicate-key"])
        self.assertFalse(result.accepted)


class Nearest(unittest.TestCase):
    """The word that was meant."""

    def test_finds_what_the_product_finds(self) -> None:
        known = ["session_id", "source_agent", "payload"]
        cases = [
            ("sessionId", "session_id"),
            ("SESSION-ID", "session_id"),
            ("sesion_id", "session_id"),
            ("paylaod", "payload"),
            ("agent", None),
            ("x" * 61, None),
            ("\U0001d4b3" * 31, None),
        ]
        for word, meant in cases:
            with self.subTest(word):
                self.assertEqual(nearest(word, known), meant)


class Command(unittest.TestCase):
    """`python -m waybill_contracts`."""

    def test_prints_json_and_exits_by_the_decision(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "handoff.json"
            for document, code, accepted in ((_document(), 0, 1), ({}, 1, 0)):
                file.write_text(json.dumps(document), "utf-8")
                with redirect_stdout(io.StringIO()) as printed:
                    self.assertEqual(main(["check", "handoff-document", str(file)]), code)
                report = json.loads(printed.getvalue())
                self.assertEqual(report["summary"]["accepted"], accepted)
                self.assertEqual(report["documents"][0]["contract"], "handoff-document")
                self.assertEqual(report["documents"][0]["version"], "v1")

    def test_exits_with_2_when_it_cannot_run(self) -> None:
        cases: list[list[str]] = [[], ["check", "nothing", "x.json"], ["check", "session-context", "/nowhere/x.json"]]
        for arguments in cases:
            with self.subTest(arguments), redirect_stderr(io.StringIO()) as told:
                self.assertEqual(main(arguments), 2)
                self.assertNotEqual(told.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
