import type { CodeMeaning } from '../../contract/index.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const LOOK =
  'Compare the mission with a bundle that was exported before, and find out who can write to the database.'
const LOG = 'waybill log verify checks the log itself.'
const NEW_COPY = 'Ask the exporter for another copy or a new export.'

/** Errors that a replay of a mission finds. */
export const REPLAY_CODES = {
  'replay/digest-differs': error(
    'The digest of every artifact matches its payload.',
    'The artifact or its digest was changed after it was recorded.',
    LOOK,
  ),
  'replay/id-differs': error(
    'An artifact has the id, mission and kind that it is stored under.',
    'Otherwise it could replace another artifact.',
    LOOK,
  ),
  'replay/tenant-differs': error(
    'The envelope of a mission names its owner as tenant.',
    'Otherwise a mission could belong to a tenant that did not request it.',
    LOOK,
  ),
  'replay/artifact-refused': error(
    'Every artifact satisfies its contract within the mission.',
    'An invalid artifact was changed, or never checked.',
    LOOK,
  ),
  'replay/artifact-missing': error(
    'Every artifact that a task produced exists.',
    'A missing artifact without a tombstone was deleted.',
    LOOK,
  ),
  'replay/artifact-unaccounted': error(
    'Every artifact that only tasks produce is an output of a task.',
    'Without a task the artifact has no verified origin.',
    LOOK,
  ),
  'replay/task-missing': error(
    'Every task of the graphs has a state.',
    'The mission could seem finished although the task was never done.',
    LOOK,
  ),
  'replay/task-unknown': error(
    'Every task with a state is in a graph, and every tool call belongs to a task.',
    'It was never planned.',
    LOOK,
  ),
  'replay/task-state': error(
    'The state of every task follows from its artifacts and dependencies.',
    'Otherwise work could be skipped or repeated.',
    LOOK,
  ),
  'replay/task-order': error(
    'By the order of the log, every task was handed to its agent after its dependencies.',
    'Its inputs did not exist yet.',
    LOG,
  ),
  'replay/task-output': error(
    'The outputs of a task fit its role and name the task.',
    'Otherwise work could be attributed to the wrong task.',
    LOOK,
  ),
  'replay/mission-state': error(
    'The state, counts and usage of a mission follow from its tasks.',
    'Otherwise it could seem finished or unfinished when it is not.',
    LOOK,
  ),
  'replay/tool-call-unknown': error(
    'Every tool call that a result cites is in the trace.',
    'Calls outside the trace are no evidence for a result.',
    'Ask the agent for a result that cites only refs that came with tool results.',
  ),
  'replay/decision-differs': error(
    'Every decision on a write-back is about an unchanged proposal of the mission and matches the log: who decided what and why, the evidence, the expiry and the outcome.',
    'An approval of something else, or by someone else, would release an unapproved write-back.',
    LOOK,
  ),
  'replay/handoff-missing': error(
    'The log has an accepted handoff for every task that an agent worked on.',
    'Without a handoff, identity, prompt and policies were not verified.',
    `${LOG} The handoffs of an imported mission are in another log: replay and export it with --without-log.`,
  ),
  'replay/handoff-differs': error(
    'The handoff of a task names that task of that mission, as in its graph, and its agent.',
    'A handoff of other work proves nothing about this task.',
    LOG,
  ),
  'replay/answer-differs': error(
    'The log records who answered a task, and the answer.',
    'A person must not decide on results of their own answer, and an unrecorded answer cannot be proved.',
    LOG,
  ),
  'replay/decision-unrecorded': error(
    'The log has an entry for every decision on a write-back.',
    'A decision takes effect only once it is recorded.',
    LOG,
  ),
  'replay/decision-missing': error(
    'A mission contains every decision and outcome of its write-backs that the log records.',
    'Otherwise a rejected proposal could be approved, or a write-back sent twice.',
    LOOK,
  ),
  'replay/too-many': error(
    'A replay reports at most 1,000 differences.',
    'So many differences are deliberate, and listing all could exhaust memory.',
    LOOK,
  ),
  'replay/entry-tampered': error(
    'The entries of the log are unchanged.',
    'A changed entry cannot be trusted.',
    LOG,
  ),
} as const satisfies Readonly<Record<`replay/${string}`, CodeMeaning>>

/** Errors in the bundle of a mission, apart from those of a replay. */
export const BUNDLE_CODES = {
  'bundle/too-large': error(
    'A bundle has at most 512 MiB, and no line has more than 64 MiB.',
    'It is read into memory as a whole.',
    'Move the mission with the database, or store bulk data elsewhere and cite it.',
  ),
  'bundle/malformed': error(
    'A bundle consists of lines of canonical JSON, from head to manifest, each with exactly the fields of its kind.',
    'Ambiguous content proves nothing.',
    NEW_COPY,
  ),
  'bundle/version': error(
    'The version of the bundle is supported.',
    'An unknown format cannot be checked.',
    'Use the version of Waybill that exported it, or a newer one.',
  ),
  'bundle/digest-differs': error(
    'The digests in the manifest match the content before it.',
    'Content was changed, removed, added or moved.',
    NEW_COPY,
  ),
  'bundle/not-expected': error(
    'The bundle has the expected mission and root digest.',
    'A valid bundle of another mission proves nothing about this one.',
    'Compare the root digest with the one that the exporter gave you.',
  ),
  'bundle/other-tenant': error(
    'A mission is imported for its own tenant.',
    'Otherwise one tenant could read the data of another.',
    'Import it with --tenant set to its tenant.',
  ),
  'bundle/still-running': error(
    'An imported mission has ended, or was paused with no task running.',
    'Two installations would repeat the work and write back twice.',
    'Pause the mission where it runs, wait until no task is running and every decision is recorded, and export it again.',
  ),
  'bundle/erased': error(
    'An imported mission has no erased artifacts.',
    'Only the database owner may write tombstones, so a bundle cannot import them.',
    'Keep the bundle itself: it shows what was erased, and a dry run checks the rest.',
  ),
  'bundle/no-evidence': error(
    'A bundle verified by the keys of a log contains entries of that log.',
    'Without them nothing authenticates the bundle.',
    'Ask for a bundle exported where the mission ran and its log is; --unproved accepts one without.',
  ),
  'bundle/checkpoint': error(
    'The checkpoint is signed by a trusted key of the log.',
    'Anyone can build a log with valid hashes; only the signature proves its owner.',
    'Compare the key with the one from the owner of the log.',
  ),
  'bundle/entry': error(
    'Every entry is signed by its gateway and covered by the checkpoint.',
    'It was changed, or never was in that log.',
    NEW_COPY,
  ),
} as const satisfies Readonly<Record<`bundle/${string}`, CodeMeaning>>

/** One difference from the expected state. */
export interface Difference {
  readonly code: keyof typeof REPLAY_CODES | keyof typeof BUNDLE_CODES
  /**
   * JSON Pointer into the replayed mission: `/artifacts/<sort>/<id>`, `/tasks/<id>`, `/run`, `/decisions/<proposal>`,
   * `/entries/<index>`.
   */
  readonly path: string
  readonly message: string
}
