"""Texts that two parsers could read differently are refused, by the product's codes."""

import unittest

from waybill_contracts import Unreadable, load

REFUSED: list[tuple[str, str | bytes, str]] = [
    ("a key given twice", '{"a": 1, "a": 1}', "duplicate-key"),
    ("a key given twice, once with an escape", '{"a": 1, "\\u0061": 2}', "duplicate-key"),
    ("NaN", '{"a": NaN}', "json"),
    ("Infinity", "[-Infinity]", "json"),
    ("an integer beyond 2^53", "[9007199254740993]", "unsafe-integer"),
    ("2^53 itself, which rounding can give", "[9007199254740992]", "unsafe-integer"),
    ("a negative integer beyond 2^53", "[-9007199254740992]", "unsafe-integer"),
    ("a number too large to hold", "[1e400]", "non-finite-number"),
    ("an integer of thousands of digits", "1" * 10_000, "non-finite-number"),
    ("half of a character in a text", '["\\ud800"]', "lone-surrogate"),
    ("half of a character in a key", '{"\\udc00": 1}', "lone-surrogate"),
    ("halves in the wrong order", '["\\udc00\\ud800"]', "lone-surrogate"),
    ("101 levels", "[" * 101 + "]" * 101, "too-deep"),
    ("brackets without end", "[" * 200_000, "too-deep"),
    ("more than 8 MiB of text", '"' + "x" * (8 * 1024 * 1024) + '"', "too-large"),
    ("more than 8 MiB of bytes", b'"' + b"x" * (8 * 1024 * 1024) + b'"', "too-large"),
    ("a byte that is no UTF-8", b'{"a": "\xff"}', "encoding"),
    ("a character written too long", b'"\xc0\xaf"', "encoding"),
    ("UTF-16", '{"a": 1}'.encode("utf-16"), "encoding"),
    ("nothing", "", "empty"),
    ("white space alone", " \n\t", "empty"),
    ("a zero in front", "[01]", "json"),
    ("a line end within a text", '["a\nb"]', "json"),
    ("a comma at the end", "[1,]", "json"),
    ("two values", "1 2", "json"),
    ("two byte order marks", "\ufeff\ufeff1", "json"),
    ("an unfinished merge", '<<<<<<< ours\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> theirs\n', "merge-conflict"),
]

READ: list[tuple[str, str | bytes, object]] = [
    ("a byte order mark", b"\xef\xbb\xbf[1]", [1]),
    ("the largest exact integer", "[9007199254740991]", [9007199254740991]),
    ("a large number that is no integer in its text", "[1e20]", [1e20]),
    ("100 levels", "[" * 100 + "]" * 100, None),
    ("brackets within a text", '["' + "[" * 200 + '\\"["]', None),
    ("both halves of a character", '["\\ud83d\\ude00"]', ["😀"]),
    ("equal keys of different objects", '[{"a": 1}, {"a": {"a": 2}}]', [{"a": 1}, {"a": {"a": 2}}]),
    ("keys that trip programs up", '{"__proto__": 1}', {"__proto__": 1}),
    ("a text that speaks of merges", '["<<<<<<< "]', ["<<<<<<< "]),
]


class Load(unittest.TestCase):
    """Strict reading."""

    def test_refuses(self) -> None:
        for name, text, code in REFUSED:
            with self.subTest(name):
                with self.assertRaises(Unreadable) as caught:
                    load(text)
                self.assertEqual({f.code for f in caught.exception.findings}, {f"syntax/{code}"})
                self.assertEqual({f.path for f in caught.exception.findings}, {""})

    def test_reads(self) -> None:
        for name, text, value in READ:
            with self.subTest(name):
                loaded = load(text)
                if value is not None:
                    self.assertEqual(loaded, value)

    def test_tells_of_every_fault(self) -> None:
        with self.assertRaises(Unreadable) as caught:
            load('{"a": 1, "a": 9007199254740993, "b": "\\ud800"}')
        codes = [finding.code for finding in caught.exception.findings]
        self.assertEqual(sorted(codes), ["syntax/duplicate-key", "syntax/lone-surrogate", "syntax/unsafe-integer"])


if __name__ == "__main__":
    unittest.main()
