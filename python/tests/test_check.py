"""What the vectors cannot hold: values that are no JSON, names, numbers that differ by their type, the command."""

import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import OrderedDict
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests.published import ROOT, vectors_of
from waybill_contracts import UnknownContract, check, check_text, contracts
from waybill_contracts.__main__ import main
from waybill_contracts.nearest import nearest
from waybill_contracts.survey import MOST_BYTES, Survey


def _section(level: object) -> dict[str, Any]:
    return {**_document(), "sections": [{"title": "Decisions", "level": level, "body": "None."}]}


def _document() -> dict[str, Any]:
    base: dict[str, Any] = vectors_of("handoff-document.v1")["base"]
    return base


class Check(unittest.TestCase):
    """Payloads in memory."""

    maxDiff = None

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
            (cyclic, "syntax/too-deep", "/context_refs/a~1b/0"),
            ({10**5000: 2}, "syntax/json", "/context_refs/a~1b"),
        ]
        for value, code, path in cases:
            with self.subTest(code, type=type(value)):
                findings = check("mission-envelope.v1", {"context_refs": {"a/b": value}}).findings
                self.assertEqual([(f.code, f.path, f.severity) for f in findings], [(code, path, "error")])

    def test_a_path_can_be_printed_whatever_a_key_holds(self) -> None:
        findings = check("session-context.v1", {"\ud800": 1, "😀": float("nan")}).findings
        paths = [f.path.encode().decode() for f in findings if f.code.startswith("syntax/")]
        self.assertEqual(sorted(paths), ["/\\ud800", "/😀"])

    def test_null_characters_are_refused_in_every_key_and_text_beside_faults_of_structure(self) -> None:
        payload = {"a\0": "b", "c": [{"d": "\0"}], "user_goal": 1}
        findings = check("mission-envelope.v1", payload).findings
        code = "mission-envelope/no-null-characters"
        nulls = [(f.path, f.severity) for f in findings if f.code == code]
        self.assertEqual(nulls, [("/a\0", "error"), ("/c/0/d", "error")])
        self.assertIn(("/user_goal", "schema/type"), [(f.path, f.code) for f in findings])
        self.assertIn(code, [f.code for f in check_text("mission-envelope", '{"a": "\\u0000"}').findings])

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

    def test_messages_say_what_belongs_there(self) -> None:
        payload = {
            "schema_version": 1.0,
            "source_agent": {"id": "ps-analyst", "family": "PS"},
            "target_agent": OrderedDict(id=True, family=None),
            "timestamp": "today",
            "payload": {"key_findings": OrderedDict(), "confidence": {"overall": 85}},
        }
        said = {f.path: f.message for f in check("session-context", payload).findings}
        self.assertEqual(
            said,
            {
                "/schema_version": "must be a string, not a number (Version of the format, three numbers)",
                "/session_id": "'session_id' is missing",
                "/source_agent/family": "must be one of 'ps', 'nse', 'orch' (The family of the agent)",
                "/target_agent/id": "must be a string, not a boolean (The agent's family and role)",
                "/target_agent/family": "must be one of 'ps', 'nse', 'orch' (The family of the agent)",
                "/timestamp": "does not have the required form; write it like '2026-04-14T12:00:00Z'"
                " (When it was written, with its zone)",
                "/payload/key_findings": "must be a list, not an object (The main insights of the source agent)",
                "/payload/confidence/overall": "must be 1 or less (The score from 0 to 1)",
            },
        )

    def test_a_text_with_syntax_faults_is_not_judged_further(self) -> None:
        result = check_text("session-context.v1", '{"a": 1, "a": 2}')
        self.assertEqual([f.code for f in result.findings], ["syntax/duplicate-key"])
        self.assertFalse(result.accepted)


class Shared(unittest.TestCase):
    """Values of which parts stand in several places."""

    def _faults(self, value: object) -> list[tuple[str, str]]:
        return [(f.path, f.code) for f in Survey(value).faults]

    def test_what_is_shared_is_no_cycle(self) -> None:
        part: list[object] = [{"a": "b"}]
        self.assertEqual(self._faults([part, part, {"c": part}]), [])

    def test_a_shared_fault_is_told_of_once(self) -> None:
        part = [float("nan")]
        self.assertEqual(self._faults([part, part]), [("/0/0", "syntax/non-finite-number")])

    def test_a_value_that_doubles_at_every_level_is_as_large_as_its_text(self) -> None:
        value: object = []
        for _ in range(90):
            value = [value, value]
        self.assertEqual(self._faults(value), [("", "syntax/too-large")])
        self.assertEqual([f.code for f in check("mission-envelope", {"a": value}).findings], ["syntax/too-large"])

    def test_parts_of_a_cycle_that_branches_are_visited_once(self) -> None:
        parts: list[list[object]] = [[] for _ in range(90)]
        for part, after in zip(parts, parts[1:] + parts[:1], strict=True):
            part += [after, after]
        self.assertEqual(self._faults(parts[0])[0], ("/0" * 90, "syntax/too-deep"))
        self.assertEqual({code for _, code in self._faults(parts[0])}, {"syntax/too-deep", "syntax/too-large"})

    def test_a_shared_part_is_too_deep_where_it_stands_deeper(self) -> None:
        part: object = []
        for _ in range(49):
            part = [part]
        for above, faults in ((50, []), (51, [("/1" + "/0" * 50, "syntax/too-deep")])):
            deeper = part
            for _ in range(above - 1):
                deeper = [deeper]
            self.assertEqual(self._faults([part, deeper]), faults)

    def test_the_largest_text_may_be_a_value(self) -> None:
        self.assertEqual(self._faults("x" * (MOST_BYTES - 2)), [])
        self.assertEqual(self._faults("x" * (MOST_BYTES - 1)), [("", "syntax/too-large")])
        self.assertEqual(self._faults(["x" * 1_000_000] * 1_000_000), [("", "syntax/too-large")])

    def test_what_is_accepted_is_as_small_as_a_text_that_is_read(self) -> None:
        parts: list[object] = [123456789, -1, True, False, None, [], {}, {"a": 1, "b": [2]}]
        parts += ["é", "一", "😀", '"', "\\", "\n", "\x01", "\x7f"]
        for part in [*parts, *({key: 1} for key in parts if isinstance(key, str))]:
            rest = len(json.dumps(["", part], ensure_ascii=False, separators=(",", ":")).encode())
            text = "x" * (MOST_BYTES - rest)
            with self.subTest(part):
                self.assertEqual(self._faults([text, part]), [])
                self.assertEqual(self._faults([text + "x", part]), [("", "syntax/too-large")])


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
        cases: list[list[str]] = [
            [],
            ["check", "nothing", "x.json"],
            ["check", "session-context", "/nowhere/x.json"],
            ["check", "session-context", "a\0b"],
        ]
        for arguments in cases:
            with self.subTest(arguments), redirect_stderr(io.StringIO()) as stderr:
                self.assertEqual(main(arguments), 2)
                self.assertNotEqual(stderr.getvalue(), "")
            with self.subTest(arguments), redirect_stderr(None), redirect_stdout(io.StringIO()) as printed:
                self.assertEqual(main(arguments), 2)
                self.assertEqual(printed.getvalue(), "")

    def _run(self, target: str, *arguments: str) -> tuple[int, str]:
        with open(target, "w") as printed:
            # Without the caller's settings, which may turn the buffer off that fails only at the end.
            command = [sys.executable, "-B", "-E", "-m", "waybill_contracts", *arguments]
            done = subprocess.run(command, stdout=printed, stderr=subprocess.PIPE, text=True, cwd=ROOT / "python")
        return done.returncode, done.stderr

    @unittest.skipUnless(Path("/dev/full").exists(), "there is no /dev/full")
    def test_a_result_that_cannot_be_written_is_no_result(self) -> None:
        code, stderr = self._run("/dev/full", "check", "session-context", os.devnull)
        self.assertEqual(code, 2)
        self.assertRegex(stderr, r"\Acannot write the result: [^\n]+\n\Z")

    def test_without_an_output_there_is_no_result(self) -> None:
        with redirect_stderr(io.StringIO()) as stderr, redirect_stdout(None):
            self.assertEqual(main(["check", "session-context", os.devnull]), 2)
        self.assertEqual(stderr.getvalue(), "standard output is closed\n")

    @unittest.skipUnless(Path("/dev/zero").exists(), "there is no /dev/zero")
    def test_a_file_without_end_is_read_up_to_the_limit(self) -> None:
        # Without the limit this would take all memory, so the attempt itself has one.
        script = """import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from waybill_contracts.__main__ import main
sys.exit(main(["check", "session-context", "/dev/zero"]))"""
        command = [sys.executable, "-B", "-E", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "python", timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn('"syntax/too-large"', done.stdout)


if __name__ == "__main__":
    unittest.main()
