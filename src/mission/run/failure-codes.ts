import type { CodeMeaning } from '../../contract/index.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const RETRY = 'then waybill mission retry tries the task again.'

/** Why a task failed that Waybill itself could not begin or end, for want of something around it. */
export const FAILURE_CODES = {
  'mission/configuration': error(
    'waybill.yaml and the files that it names are sound while a task runs.',
    'By what cannot be read nobody can be let work.',
    `waybill doctor shows what is wrong there. Mend it, start the workers anew, and ${RETRY}`,
  ),
  'mission/not-found': error(
    'What a task needs of the repository or of its mission is there when the task begins.',
    'A task that goes on without it would answer something else than it was asked.',
    `The message names what is gone: put it back, ${RETRY}`,
  ),
  'mission/exists': error(
    'Nothing stands where a task writes its own.',
    'What somebody else has put there is not written over.',
    `The message names it: move it away, ${RETRY}`,
  ),
  'mission/conflict': error(
    'Nobody else holds what a task has to write, such as the log.',
    'Two that write at once would lose what one of them wrote; it was tried again, as often as the template allows.',
    `The message says who holds what: let that process end or go on, ${RETRY}`,
  ),
  'mission/input-output': error(
    'The files of the repository, its log among them, can be read and written.',
    'What was not written down has not happened, for all that anybody can show; it was tried again, as often as the template allows.',
    `The message names the file: look at its rights and at the space on the disk, ${RETRY}`,
  ),
  'mission/ledger-tampered': error(
    'The log is as it was written.',
    'Nothing is handed over that could not be recorded where it can be proved.',
    `waybill log verify shows what is wrong, and what to do about it; ${RETRY}`,
  ),
} as const satisfies Readonly<Record<`mission/${string}`, CodeMeaning>>
