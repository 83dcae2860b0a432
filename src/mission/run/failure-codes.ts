import type { CodeMeaning } from '../../contract/index.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const RETRY = 'then run waybill mission retry.'

/** Failures of a task caused by its environment. */
export const FAILURE_CODES = {
  'mission/configuration': error(
    'waybill.yaml and the files that it names are valid while a task runs.',
    'An agent cannot run without a valid configuration.',
    `waybill doctor shows the errors. Fix them, restart the workers, ${RETRY}`,
  ),
  'mission/not-found': error(
    'The files and artifacts that a task needs exist when it starts.',
    'Without them the task would answer a different question.',
    `The message names what is missing: restore it, ${RETRY}`,
  ),
  'mission/exists': error(
    'The output path of a task is free.',
    'Files of others are not overwritten.',
    `The message names the file: move it away, ${RETRY}`,
  ),
  'mission/conflict': error(
    'No other process locks what a task writes, such as the log.',
    'Concurrent writers would lose data; the task was retried as often as the template allows.',
    `The message names the process with the lock: wait for it or stop it, ${RETRY}`,
  ),
  'mission/input-output': error(
    'The files of the repository and its log can be read and written.',
    'Unrecorded work cannot be proved; the task was retried as often as the template allows.',
    `The message names the file: check its permissions and the disk space, ${RETRY}`,
  ),
  'mission/ledger-tampered': error(
    'The log is unchanged.',
    'A handoff must be recorded in a log that can be verified.',
    `waybill log verify shows the fault and what to do; ${RETRY}`,
  ),
} as const satisfies Readonly<Record<`mission/${string}`, CodeMeaning>>
