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
    'What one parser repairs another refuses: two readers would see two documents.',
    'Mend the place that is shown; JSON has no comments, no trailing commas and only double quotes.',
  ),
  'syntax/yaml': error(
    'The text is well-formed YAML 1.2.',
    'What cannot be read cannot be checked, and nothing unchecked is accepted.',
    'Mend the place that is shown; most often it is indentation, a tab or a missing quote.',
  ),
  'syntax/yaml-alias': error(
    'No value is written as a reference to another (`*name`).',
    'A few lines of aliases can stand for billions of values, and readers expand them differently.',
    'Write the value out where it is needed.',
  ),
  'syntax/yaml-key': error(
    'Every key is a string, a number or a boolean.',
    'Other keys have no form in JSON, in which documents are compared and stored.',
    'Write a plain key, or put it in quotes.',
  ),
  'syntax/yaml-tag': error(
    'Only tags of the core schema are used, on values that fit them.',
    'A tag can mean anything to the program that reads it.',
    'Remove the tag, and put strings in quotes.',
  ),
  'syntax/multiple-documents': error(
    'A file or block holds one YAML document.',
    'Readers differ in whether they take the first document, the last one or all.',
    'Keep one document, and move the others to files of their own.',
  ),
  'syntax/frontmatter-open': error(
    'Frontmatter that begins with `---` is closed by a second line of `---`.',
    'Without its end, nobody can tell where the keys stop and the text begins.',
    'Close the frontmatter with a line that holds only ---.',
  ),
  'syntax/duplicate-key': error(
    'No object has the same key twice.',
    'One parser takes the first value and another the last: two readers would see two documents.',
    'Keep the one that is meant.',
  ),
  'syntax/lone-surrogate': error(
    'No string holds half of a surrogate pair.',
    'Half a character cannot be written as UTF-8, so the string would change on its way.',
    'Write the whole character, or leave it out.',
  ),
  'syntax/non-finite-number': error(
    'Every number is finite.',
    'Infinity and not-a-number have no form in JSON.',
    'Write a number, or leave the key out where it is optional.',
  ),
  'syntax/unsafe-integer': error(
    'Every number that is written in digits alone is small enough to be read exactly (below 2^53).',
    'Larger ones are rounded by some readers and kept by others.',
    'Put the number in quotes.',
  ),
  'syntax/empty': error(
    'There is a document to read.',
    'An empty file is most often one whose writing was interrupted.',
    'Write the document, or remove the file.',
  ),
  'syntax/encoding': error(
    'The file is text in UTF-8.',
    'Bytes that are no UTF-8 are read differently everywhere.',
    'Save the file as UTF-8.',
  ),
  'syntax/too-large': error(
    'The file is no larger than the 8 MiB that are read.',
    'Everything is held in memory while it is checked.',
    'Move bulk data to a file of its own and refer to it.',
  ),
  'syntax/too-deep': error(
    'Nothing is nested deeper than 100 levels; in Markdown, quotes and lists no deeper than 32, a list counting twice.',
    'Readers run out of memory at different depths; bounded nesting is read the same everywhere.',
    'Write it with fewer levels.',
  ),
  'syntax/merge-conflict': error(
    'The file holds no unfinished merge.',
    'Both sides stand in it, so it says two things at once.',
    'Choose one side between <<<<<<< and >>>>>>>, then check again.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

const SCHEMA = {
  'schema/required': error(
    'Every required key is there.',
    'The reader relies on it; what is missing was lost in the handoff.',
    'Add the key; the message says what it is for.',
  ),
  'schema/type': error(
    'A value has the type that its contract states.',
    'A reader that expects a list cannot use a string.',
    'Write a value of the expected type; in YAML, quotes make a string.',
  ),
  'schema/enum': error(
    'A value is one of the listed ones.',
    'Only these have a meaning that both sides know.',
    'Use one of the values in the message, spelled exactly so.',
  ),
  'schema/const': error(
    'A value is exactly the one that its contract states.',
    'It tells which document this is and in which version.',
    'Write the value in the message.',
  ),
  'schema/pattern': error(
    'A text has the form that its contract states.',
    'Ids and paths are compared and sorted by their form.',
    'Write it like the example in the message; waybill schema prints the pattern.',
  ),
  'schema/format': error(
    'A time has its day, its seconds and its zone, and is in the calendar.',
    'A time without a zone is another moment to each reader, and none can be told old or yet to come by it.',
    'Write the time in UTC, like the example in the message, or with its offset.',
  ),
  'schema/minimum': error(
    'A number is not below the least one allowed.',
    'Below it the number has no meaning.',
    'Use the limit in the message or more.',
  ),
  'schema/maximum': error(
    'A number is not above the greatest one allowed.',
    'Above it the number has no meaning.',
    'Use the limit in the message or less.',
  ),
  'schema/min-length': error(
    'A text is not shorter than its contract allows.',
    'An empty text says nothing, but looks as if something had been said.',
    'Write it, or leave the key out where it is optional.',
  ),
  'schema/max-length': error(
    'A text is not longer than its contract allows.',
    'Short texts stay readable when many are read at once.',
    'Shorten it, and put the details where there is room for them.',
  ),
  'schema/min-items': error(
    'A list has no fewer entries than its contract asks for.',
    'Fewer cannot do what the list is for.',
    'Add what is missing.',
  ),
  'schema/max-items': error(
    'A list has no more entries than its contract allows.',
    'A longer one is not read.',
    'Keep those that matter most.',
  ),
  'schema/unique-items': error(
    'No entry stands twice in a list.',
    'The second one adds nothing, or hides what was meant.',
    'Keep one of them.',
  ),
  'schema/additional-properties': {
    severity: 'depends',
    summary: 'Every key is one that the contract knows.',
    why: 'Nothing reads an unknown key; most often it is a known one that was misspelled.',
    remedy:
      'Correct or remove it. Contracts that forbid unknown keys report an error, those that allow them an info, and those that ignore them a warning where a known key was probably meant.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

const DOCUMENT = {
  'document/unreadable': error(
    'The file can be read.',
    'What cannot be read cannot be checked, and nothing unchecked is accepted.',
    'Make it readable, or leave it out; the message names the cause.',
  ),
  'document/unrecognised': error(
    'A file that is named on the command line is a document of a known contract.',
    'Whoever names a file expects it to be checked; passing it over in silence would look like success.',
    'Say what it should be with --contract; waybill schema lists the contracts.',
  ),
  'document/more-findings': {
    severity: 'depends',
    summary: 'There are no more findings than anybody would read.',
    why: 'After a thousand, the rest is counted and not shown.',
    remedy: 'Mend the first ones and check again.',
  },
  'internal/rule-failed': error(
    'Every rule comes to a decision.',
    'A rule that fails leaves open what it would have found, so the document is not accepted.',
    'This is a fault of Waybill: please report it with the document, if you can share it.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** What every rule whose facts are missing is reported as, under its contract's name. */
export const NOT_CHECKED: CodeMeaning = error(
  'Everything that the rules of a document ask of its governanceFiles can be answered.',
  'A check that could not be made is a failure, not a success: nobody may act on what was never checked.',
  'Supply what the message names, or check where it exists; --structure-only leaves all rules out and says so.',
)

/** Codes that are no rule of a contract: of reading and structure, which all share, and of what operations find. */
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
