import type { CodeMeaning } from '../../contract/index.ts'
import {
  AUDIT_CODES,
  ENVELOPE_CODES,
  GATEWAY_CODES,
  LOCK_CODES,
  POLICY_CODES,
  WITNESS_CODES,
} from '../../governance/index.ts'
import { BUNDLE_CODES, MISSION_CODES, REPLAY_CODES, WRITEBACK_CODES } from '../../mission/index.ts'
import { LINEAGE_CODES, PIPELINE_CODES } from '../../session/index.ts'
import { RESUME_CODES } from '../resume/codes.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const SYNTAX = {
  'syntax/json': error(
    'The text is well-formed JSON.',
    'Parsers disagree on invalid JSON, so two readers could see different documents.',
    'Fix the marked line; JSON has no comments, no trailing commas and only double quotes.',
  ),
  'syntax/yaml': error(
    'The text is well-formed YAML 1.2.',
    'An unreadable document cannot be checked, so it is not accepted.',
    'Fix the marked line; the usual cause is indentation, a tab or a missing quote.',
  ),
  'syntax/yaml-alias': error(
    'No value is an alias of another (`*name`).',
    'A few lines of aliases can expand to billions of values, and readers expand them differently.',
    'Repeat the value.',
  ),
  'syntax/yaml-key': error(
    'Every key is a string, a number or a boolean.',
    'JSON, in which documents are compared and stored, has no other keys.',
    'Write a plain key, or put it in quotes.',
  ),
  'syntax/yaml-tag': error(
    'Only tags of the core schema are used, on values that fit them.',
    'Programs give other tags different meanings.',
    'Remove the tag, and put strings in quotes.',
  ),
  'syntax/multiple-documents': error(
    'A file or block holds one YAML document.',
    'Readers differ in whether they take the first document, the last one or all.',
    'Keep one document, and move the others to separate files.',
  ),
  'syntax/frontmatter-open': error(
    'Frontmatter that begins with `---` ends with a second line of `---`.',
    'Without it, the start of the text is ambiguous.',
    'End the frontmatter with a line that contains only ---.',
  ),
  'syntax/duplicate-key': error(
    'No object has the same key twice.',
    'One parser takes the first value and another the last, so two readers could see different documents.',
    'Keep the intended one.',
  ),
  'syntax/lone-surrogate': error(
    'No string contains half of a surrogate pair.',
    'Half a character cannot be written as UTF-8, so the string would change in transit.',
    'Write the whole character, or leave it out.',
  ),
  'syntax/non-finite-number': error(
    'Every number is finite.',
    'JSON has no infinity and no not-a-number.',
    'Write a number, or omit the optional key.',
  ),
  'syntax/unsafe-integer': error(
    'Every integer is small enough to be read exactly (below 2^53).',
    'Some readers round larger ones.',
    'Put the number in quotes.',
  ),
  'syntax/empty': error(
    'The file contains a document.',
    'An empty file is usually the result of an interrupted write.',
    'Write the document, or delete the file.',
  ),
  'syntax/encoding': error(
    'The file is text in UTF-8.',
    'Programs decode other bytes differently.',
    'Save the file as UTF-8.',
  ),
  'syntax/too-large': error(
    'The file is at most 8 MiB.',
    'A file is held in memory while it is checked.',
    'Move bulk data to another file and refer to it.',
  ),
  'syntax/too-deep': error(
    'Nothing is nested deeper than 100 levels; in Markdown, quotes and lists no deeper than 32, a list counting twice.',
    'Readers run out of memory at different depths; with a limit, all read the same.',
    'Use fewer levels.',
  ),
  'syntax/merge-conflict': error(
    'The file has no merge conflicts.',
    'It contains both sides, which contradict each other.',
    'Choose one side between <<<<<<< and >>>>>>>, then check again.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

const SCHEMA = {
  'schema/required': error(
    'Every required key is present.',
    'The reader relies on it; a missing value is lost in the handoff.',
    'Add the key; the message describes it.',
  ),
  'schema/type': error(
    'A value has the type that its contract requires.',
    'A reader that expects a list cannot use a string.',
    'Write a value of the expected type; in YAML, quotes make a string.',
  ),
  'schema/enum': error(
    'A value is one of the allowed ones.',
    'Both sides know the meaning of only these.',
    'Use one of the values in the message, with the same spelling.',
  ),
  'schema/const': error(
    'A value is exactly the one that its contract requires.',
    'It identifies the kind of document and its version.',
    'Use the value in the message.',
  ),
  'schema/pattern': error(
    'A text matches the pattern in its contract.',
    'Ids and paths are compared and sorted by their form.',
    'Write it like the example in the message; waybill schema prints the pattern.',
  ),
  'schema/format': error(
    'A time has a valid date, seconds and a time zone.',
    'A time without a zone means another moment to each reader, so its age is unknown.',
    'Write the time in UTC, like the example in the message, or with an offset.',
  ),
  'schema/minimum': error(
    'A number is not below the minimum.',
    'A lower number has no meaning.',
    'Use the limit in the message or more.',
  ),
  'schema/maximum': error(
    'A number is not above the maximum.',
    'A higher number has no meaning.',
    'Use the limit in the message or less.',
  ),
  'schema/min-length': error(
    'A text is not shorter than its contract allows.',
    'An empty text looks like content but has none.',
    'Write the text, or omit the optional key.',
  ),
  'schema/max-length': error(
    'A text is not longer than its contract allows.',
    'Short texts stay readable when there are many.',
    'Shorten it, and move the details elsewhere.',
  ),
  'schema/min-items': error(
    'A list has at least as many entries as its contract requires.',
    'A shorter list cannot serve its purpose.',
    'Add the missing entries.',
  ),
  'schema/max-items': error(
    'A list has at most as many entries as its contract allows.',
    'Readers do not read longer lists.',
    'Keep the most important entries.',
  ),
  'schema/unique-items': error(
    'No list has the same entry twice.',
    'A repeated entry adds nothing, or hides a mistake.',
    'Keep one of them.',
  ),
  'schema/additional-properties': {
    severity: 'depends',
    summary: 'Every key is defined in the contract.',
    why: 'Readers ignore an unknown key; it is usually a misspelled one.',
    remedy:
      'Correct or remove it. Contracts that forbid unknown keys report an error, those that allow them an info, and those that ignore them a warning for a likely misspelling.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

const DOCUMENT = {
  'document/unreadable': error(
    'The file can be read.',
    'An unreadable file cannot be checked, so it is not accepted.',
    'Make it readable, or exclude it; the message states the cause.',
  ),
  'document/unrecognised': error(
    'A file named on the command line is a document of a known contract.',
    'A named file is expected to be checked; skipping it silently would look like success.',
    'Pass its contract with --contract; waybill schema lists the contracts.',
  ),
  'document/more-findings': {
    severity: 'depends',
    summary: 'A document has at most a thousand diagnostics.',
    why: 'Further diagnostics are counted, not shown.',
    remedy: 'Fix the first ones and check again.',
  },
  'internal/rule-failed': error(
    'Every rule runs to its end.',
    'The result of a crashed rule is unknown, so the document is not accepted.',
    'This is a bug in Waybill: please report it, with the document if you can share it.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** The meaning of `<contract>/not-checked`, reported for each rule whose facts are missing. */
export const NOT_CHECKED: CodeMeaning = error(
  'All facts that the rules of a document need are available.',
  'A rule that did not run counts as failed: an unchecked document must not be used.',
  'Supply what the message names, or run the check where it exists; --structure-only skips all rules.',
)

/** Codes outside of contracts: of parsing and structure, and of operations. */
export const OTHER_CODES = [
  { title: 'Reading', codes: SYNTAX },
  { title: 'Structure', codes: SCHEMA },
  { title: 'Documents', codes: DOCUMENT },
  { title: 'Lineage', codes: LINEAGE_CODES },
  { title: 'Resuming', codes: RESUME_CODES },
  { title: 'Pipelines', codes: PIPELINE_CODES },
  { title: 'Locking', codes: LOCK_CODES },
  { title: 'Policies', codes: POLICY_CODES },
  { title: 'Envelopes', codes: ENVELOPE_CODES },
  { title: 'Gateways', codes: GATEWAY_CODES },
  { title: 'Ledgers', codes: AUDIT_CODES },
  { title: 'Witnesses', codes: WITNESS_CODES },
  { title: 'Missions', codes: MISSION_CODES },
  { title: 'Write-backs', codes: WRITEBACK_CODES },
  { title: 'Replays', codes: REPLAY_CODES },
  { title: 'Bundles', codes: BUNDLE_CODES },
] as const satisfies readonly { title: string; codes: Readonly<Record<string, CodeMeaning>> }[]
