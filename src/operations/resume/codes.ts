import type { CodeMeaning } from '../../contract/index.ts'
import type { ResumeDiagnostic } from './output.ts'

/** What resuming itself refuses or warns of, beside what rules and the chain say. */
export const RESUME_CODES = {
  'resume/draft': {
    severity: 'error',
    summary: 'Nobody goes on from a draft.',
    why: 'Its writer is not done with it: what it says may be half of what it will say.',
    remedy: "Finish it, and take '.draft' out of its name.",
  },
  'resume/none-valid': {
    severity: 'error',
    summary: 'There is a valid handoff document to go on from.',
    why: 'What a rejected document says may be wrong in any part, and the next session would build on it.',
    remedy: 'Mend the newest one; waybill check says exactly what is wrong.',
  },
  'resume/passed-over': {
    severity: 'warning',
    summary: 'The newest handoff document is the one that is gone on from.',
    why: 'Newer ones that are not valid are passed over, and what they know is lost to the next session.',
    remedy: 'Mend what is newer: waybill check says what is wrong with it.',
  },
  'resume/stale': {
    severity: 'error',
    summary: 'Nobody goes on from a stale document that no person has verified.',
    why: 'So much has happened since that what it says may no longer hold, and it cannot know that itself.',
    remedy:
      'Let a person compare it with what is there and say so with --verified-by and --note, or write a new one.',
  },
  'resume/slightly-stale': {
    severity: 'warning',
    summary: 'Nothing of weight has happened since the document was written.',
    why: 'Some of what it says may no longer hold.',
    remedy: 'Verify what matters most before you build on it.',
  },
  'resume/verified': {
    severity: 'warning',
    summary: 'That a stale document still holds rests on the word of a person.',
    why: 'Nothing proves the name that is stated, nor that anybody looked.',
    remedy:
      'Ask that person where much depends on it; the word holds until a byte of the document changes.',
  },
  'resume/tracked-records': {
    severity: 'warning',
    summary: 'The records of verifications are kept out of Git.',
    why: 'Records that come with a repository may be anybody’s, so that none of them counts.',
    remedy: 'Take them out of Git: git rm -r --cached .waybill',
  },
  'resume/broken-records': {
    severity: 'warning',
    summary: 'Every record is as it was written.',
    why: 'The name of a record is the digest of its bytes; one that was changed proves nothing, and does not count.',
    remedy: 'Find out who changed the records in the message, and remove them.',
  },
  'resume/also-resumed': {
    severity: 'warning',
    summary: 'One session goes on from a document.',
    why: 'Two that go on from the same bytes do the same work twice, or work against each other.',
    remedy: 'Agree on who goes on, or say so in the next handoff: otherwise the chain forks.',
  },
  'resume/continued': {
    severity: 'warning',
    summary: 'The document that is gone on from was not carried on yet.',
    why: 'Another handoff says what happened since; this one does not know it.',
    remedy: 'Resume from the later one, unless you mean to start a fork.',
  },
  'resume/no-evidence': {
    severity: 'warning',
    summary: 'What the document names as evidence is there.',
    why: 'A claim whose evidence is gone can no longer be looked up.',
    remedy: 'Find out where it went, or do not rely on what it was named for.',
  },
  'resume/other-branch': {
    severity: 'warning',
    summary: 'The branch that the document was written on is checked out.',
    why: 'On another one the files are not those that it speaks of.',
    remedy: 'Switch to its branch; where that is gone, find out where its work went.',
  },
  'resume/check-failed': {
    severity: 'error',
    summary:
      'Every command of the verification checklist that is run ends well, in time and in the open.',
    why: 'Its writer said that it would; where it does not, the document does not hold here.',
    remedy:
      'Mend what the command shows, or correct the checklist; --timeout gives commands more time.',
  },
  'resume/check-declined': {
    severity: 'warning',
    summary: 'Every command of the verification checklist that was asked for is run.',
    why: 'What was not run was not verified.',
    remedy: 'Read the command, and agree to it if it may be run.',
  },
  'resume/no-brief': {
    severity: 'error',
    summary: 'The next session can be briefed from the document.',
    why: 'Whoever goes on without having read it does not know what is open.',
    remedy: 'See what is wrong with waybill check, and mend it.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

type Codes = typeof RESUME_CODES

/** What resuming itself says, by a code that can be explained and with the weight that it has there. */
export type ResumeFinding = {
  readonly [Code in keyof Codes]: ResumeDiagnostic & {
    readonly code: Code
    readonly severity: Codes[Code]['severity']
  }
}[keyof Codes]
