import type { CodeMeaning } from '../../contract/index.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const LOOK =
  'Compare the mission with a bundle that was exported before, and find out who can write to the database.'
const LOG = 'waybill log verify tells whether the log itself is whole.'
const ANEW = 'Ask whoever made the bundle for another copy, or let them export the mission again.'

/** What a replay of a mission can find. */
export const REPLAY_CODES = {
  'replay/digest-differs': error(
    'The digest of every artifact is that of its payload.',
    'Whoever changed one of the two has changed what was agreed on.',
    LOOK,
  ),
  'replay/id-differs': error(
    'An artifact has the id, the mission and the sort under which it is stored.',
    'It would be found, and believed, in the place of another.',
    LOOK,
  ),
  'replay/tenant-differs': error(
    'The tenant of a mission is the one that its envelope names.',
    'One tenant would answer for what another has ordered.',
    LOOK,
  ),
  'replay/artifact-refused': error(
    'Every artifact keeps its contract, with all that the mission has.',
    'What would not be taken today was changed, or never checked.',
    LOOK,
  ),
  'replay/artifact-missing': error(
    'Every artifact that a task has produced is there.',
    'What is not there and was not erased was taken away.',
    LOOK,
  ),
  'replay/artifact-unaccounted': error(
    'Every artifact that only a task can make was produced by one.',
    'Nobody was ever handed the work that it claims to come from.',
    LOOK,
  ),
  'replay/task-missing': error(
    'Every task of the graphs has a state.',
    'A task without one is never done, and the mission would seem finished without it.',
    LOOK,
  ),
  'replay/task-unknown': error(
    'Every task that has a state stands in a graph, and every call of a tool is that of a task.',
    'Nobody planned it.',
    LOOK,
  ),
  'replay/task-state': error(
    'The state of every task is the one that the artifacts and the tasks before it lead to.',
    'Work would be taken for done that was not, or be done twice.',
    LOOK,
  ),
  'replay/task-order': error(
    'By the order of the log, where there is one, no task was handed to its agent before those that it depends on.',
    'What it is based on was not there yet.',
    LOG,
  ),
  'replay/task-output': error(
    'What a task has produced is what its role returns, and names that task.',
    'The work of one would be taken for that of another.',
    LOOK,
  ),
  'replay/mission-state': error(
    'State, counts and usage of a mission are those that its tasks lead to.',
    'It would be taken for finished while it is not, or for one that goes on.',
    LOOK,
  ),
  'replay/tool-call-unknown': error(
    'Every call of a tool that a result refers to was traced.',
    'A result that rests on calls which nobody has seen is not shown by them.',
    'Ask the agent for a result that names only the calls that it was given names for.',
  ),
  'replay/decision-differs': error(
    'Every decision on a write-back is about a proposal of the mission, as it is, and is what the log says: who decided what, why, on what grounds, until when, and what came of it.',
    'An approval of something else, or by somebody else, lets out what nobody approved.',
    LOOK,
  ),
  'replay/handoff-missing': error(
    'The log has an accepted handoff for every task that an agent has worked on.',
    'Work that was not handed over was done without identity, prompt and policies being verified.',
    `${LOG} What was imported was handed over by another one: replay and export it with --without-log.`,
  ),
  'replay/handoff-differs': error(
    'The handoff of a task is about that task of that mission, as its graph has it, and to its agent.',
    'A handoff of something else says nothing about this work.',
    LOG,
  ),
  'replay/answer-differs': error(
    'Of every task that a person has answered, the log says by whom, and what.',
    'Whoever has answered a task decides on nothing that came of it: under another name they could; and nobody has said what a task goes on with otherwise.',
    LOG,
  ),
  'replay/decision-unrecorded': error(
    'The log has an entry for every decision on a write-back.',
    'Nobody may act on a decision that is not recorded.',
    LOG,
  ),
  'replay/decision-missing': error(
    'A mission shows every decision on its write-backs, and all that came of them, as far as the log has them.',
    'What was rejected could be approved after all, and what was sent be sent once more.',
    LOOK,
  ),
  'replay/too-many': error(
    'Of a mission of which more than 1,000 things are not as they should be, a replay tells 1,000.',
    'What fails in so many places was made to, and to list them all would end whoever looks.',
    LOOK,
  ),
  'replay/entry-tampered': error(
    'The entries of the log are what was recorded.',
    'Of one that was changed nothing can be believed.',
    LOG,
  ),
} as const satisfies Readonly<Record<`replay/${string}`, CodeMeaning>>

/** What can be wrong with the bundle of a mission, beside what a replay finds in it. */
export const BUNDLE_CODES = {
  'bundle/too-large': error(
    'A bundle has at most 512 MiB, and no line has more than 64 MiB.',
    'It is read as a whole before anything of it counts.',
    'Move the mission with the database, or let bulk data be kept elsewhere and cited.',
  ),
  'bundle/malformed': error(
    'A bundle is lines of canonical JSON, from the head to the manifest, each with the parts of its sort.',
    'What two readers may read in two ways shows nothing.',
    ANEW,
  ),
  'bundle/version': error(
    'The bundle has a version that is known here.',
    'What is not understood cannot be checked.',
    'Read it with the version of Waybill that made it, or a newer one.',
  ),
  'bundle/digest-differs': error(
    'The manifest has the digests of what stands before it.',
    'Something was changed, taken out, put in or moved.',
    ANEW,
  ),
  'bundle/not-expected': error(
    'The bundle is of the mission, and has the root digest, that was asked for.',
    'A sound bundle of something else proves nothing about this.',
    'Compare the root digest with the one that you were told by whoever exported it.',
  ),
  'bundle/other-tenant': error(
    'A mission is imported for the tenant that it is of.',
    'Its artifacts name their tenant, and would show one tenant what belongs to another.',
    'Import it as somebody who may act for its tenant.',
  ),
  'bundle/still-running': error(
    'What is imported has ended, or was paused when nothing of it was being done.',
    'Two installations would do the same work, and write back twice.',
    'Pause the mission where it runs, wait until no task is running and every decision is recorded, and export it again.',
  ),
  'bundle/erased': error(
    'What is imported is there as a whole.',
    'Nobody but the owner of a database may write a tombstone, and none may be forged by a bundle.',
    'Keep the bundle itself: it shows what was erased, and a dry run tells whether anything else is wrong with it.',
  ),
  'bundle/no-evidence': error(
    'Who is to verify a bundle by the keys of a log is given entries of that log.',
    'Without them nobody has vouched for what the bundle says.',
    'Ask for a bundle that was exported where the mission ran, and where its log is; --unproved takes one without.',
  ),
  'bundle/checkpoint': error(
    'The checkpoint is signed by a key of the log that is trusted.',
    'Anybody can build a log whose hashes are sound; only the signature says whose it is.',
    'Compare the key with the one that the owner of the log has given you.',
  ),
  'bundle/entry': error(
    'Every entry is signed by its gateway and stands under the checkpoint.',
    'It was changed, or never stood in that log.',
    ANEW,
  ),
} as const satisfies Readonly<Record<`bundle/${string}`, CodeMeaning>>

/** One thing that is not as it should be. */
export interface Difference {
  readonly code: keyof typeof REPLAY_CODES | keyof typeof BUNDLE_CODES
  /** JSON Pointer into what is replayed: `/artifacts/<sort>/<id>`, `/tasks/<id>`, `/run`, `/decisions/<proposal>`, `/entries/<index>`. */
  readonly path: string
  readonly message: string
}
