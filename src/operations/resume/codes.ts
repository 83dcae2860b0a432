import type { CodeMeaning } from '../../contract/index.ts'
import type { ResumeDiagnostic } from './output.ts'

/** Codes of resuming itself, in addition to those of the rules and the chain. */
export const RESUME_CODES = {
  'resume/draft': {
    severity: 'error',
    summary: 'The document is not a draft.',
    why: 'A draft is unfinished and may be incomplete.',
    remedy: "Finish it, and remove '.draft' from its name.",
  },
  'resume/none-valid': {
    severity: 'error',
    summary: 'There is a valid handoff document to resume from.',
    why: 'Any part of an invalid document may be wrong, and the next session would build on it.',
    remedy: 'Fix the newest one; waybill check lists its errors.',
  },
  'resume/passed-over': {
    severity: 'warning',
    summary: 'The resumed document is the newest one.',
    why: 'Newer documents that are not valid are skipped, and the next session misses their content.',
    remedy: 'Fix the newer document: waybill check lists its errors.',
  },
  'resume/stale': {
    severity: 'error',
    summary: 'The document is not stale, or a person has verified it.',
    why: 'It is so old that it may no longer hold.',
    remedy:
      'Compare it with the current state and confirm with --verified-by and --note, or write a new one.',
  },
  'resume/slightly-stale': {
    severity: 'warning',
    summary: 'The document was written recently.',
    why: 'Some of it may no longer hold.',
    remedy: 'Verify the most important parts before you build on them.',
  },
  'resume/changed-since': {
    severity: 'warning',
    summary: 'No commit has changed files since the document was written.',
    why: 'What the document says about a changed file may no longer hold.',
    remedy: 'Compare what it says about the listed files with what they hold now.',
  },
  'resume/verified': {
    severity: 'warning',
    summary: 'No person had to confirm that a stale document still holds.',
    why: 'Nothing proves the name of that person, or that they looked.',
    remedy:
      'Ask that person when much depends on it; the confirmation holds until the document changes.',
  },
  'resume/tracked-records': {
    severity: 'warning',
    summary: 'The verification records are not tracked by Git.',
    why: 'The author of records that come with a repository is unknown, so they do not count.',
    remedy: 'Remove them from Git: git rm -r --cached .waybill',
  },
  'resume/broken-records': {
    severity: 'warning',
    summary: 'Every record is unchanged.',
    why: 'The name of a record is the digest of its bytes; a changed record proves nothing and does not count.',
    remedy: 'Find out who changed the records in the message, and remove them.',
  },
  'resume/also-resumed': {
    severity: 'warning',
    summary: 'Only one session resumes from a document.',
    why: 'Two sessions do the same work twice or conflict with each other.',
    remedy:
      'Agree on which session continues, or say so in the next handoff: otherwise the chain forks.',
  },
  'resume/continued': {
    severity: 'warning',
    summary: 'No later handoff continues the document.',
    why: 'The later handoff says what happened since.',
    remedy: 'Resume from the later one, unless you mean to start a fork.',
  },
  'resume/no-evidence': {
    severity: 'warning',
    summary: 'Everything that the document names as evidence exists.',
    why: 'Without its evidence a claim cannot be checked.',
    remedy: 'Find out where it went, or do not rely on the claim.',
  },
  'resume/other-branch': {
    severity: 'warning',
    summary: 'The branch that the document was written on is checked out.',
    why: 'On another branch the files differ from those that the document describes.',
    remedy: 'Switch to its branch; if it is gone, find out where its work went.',
  },
  'resume/check-failed': {
    severity: 'error',
    summary: 'Every command of the verification checklist that is run succeeds in time.',
    why: 'The author expected it to succeed; otherwise the document does not hold here.',
    remedy:
      'Fix what the command reports, or correct the checklist; --timeout gives commands more time.',
  },
  'resume/check-declined': {
    severity: 'warning',
    summary: 'Every requested command of the verification checklist is run.',
    why: 'A command that was not run verifies nothing.',
    remedy: 'Read the command, and confirm it if it may be run.',
  },
  'resume/no-brief': {
    severity: 'error',
    summary: 'A brief can be made from the document.',
    why: 'Without the brief the next session does not know what is open.',
    remedy: 'Run waybill check and fix the errors.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

type Codes = typeof RESUME_CODES

/** A diagnostic of resuming itself, with the severity of its code. */
export type ResumeFinding = {
  readonly [Code in keyof Codes]: ResumeDiagnostic & {
    readonly code: Code
    readonly severity: Codes[Code]['severity']
  }
}[keyof Codes]
