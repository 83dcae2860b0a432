import { counted, listed, nearest, quote } from '../../contract/index.ts'
import { formatInstant, maskedPointer, type Path, parseInstant } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Assignment, Payload, Repair } from '../runner.ts'
import { MOST_ARTIFACTS, sortOf } from './artifacts.ts'

/** More bytes of canonical JSON than this are no artifact. */
const MOST_ARTIFACT_BYTES = 1024 * 1024

/** One thing wrong with an answer, as its agent is told of it. */
export type AnswerFault = Repair['diagnostics'][number]

/** The artifacts of an answer, complete but not checked yet; with a fault there are none. */
export type Answer =
  | { readonly artifacts: readonly Payload[] }
  | { readonly faults: readonly AnswerFault[] }

/** What an answer has to agree with. */
export interface Expected
  extends Pick<Assignment, 'mission' | 'task' | 'agent' | 'attempt' | 'returns'> {
  /** When it came by a time that never goes back, in milliseconds since the epoch: that of reviews, of which the first counts. */
  readonly now: number
  /** The same by the clock that tells what has expired: that of all other artifacts that say none. */
  readonly clock: number
  /** Ids of the tasks that a prompt master or a librarian was asked to serve; any, when absent. */
  readonly serves?: readonly string[]
}

/**
 * Takes the artifacts out of what an agent answered: `{ "artifacts": [...] }`, or one artifact alone.
 *
 * Root metadata that is missing is filled in; what is there has to agree. Ids that are missing follow from mission,
 * task, attempt and place, so that the same answer gives the same artifacts.
 */
export function artifactsIn(answer: unknown, expected: Expected): Answer {
  const taken = listOf(answer)
  if ('faults' in taken) return taken
  const { list, base } = taken
  const faults: AnswerFault[] = []
  const artifacts: Payload[] = []
  for (const [place, entry] of list.entries()) {
    const at = base === undefined ? [] : [base, place]
    const read = artifactOf(entry, place, expected)
    if ('artifact' in read) artifacts.push(read.artifact)
    else faults.push(...read.faults.map(({ path, ...rest }) => fault([...at, ...path], rest)))
  }
  const [first] = expected.returns.artifacts
  if (faults.length === 0 && !artifacts.some(({ schema_name }) => schema_name === first))
    faults.push(
      fault([], {
        code: 'mission/answer-incomplete',
        message: `there is no ${first} in the answer`,
        hint: `answer with { "artifacts": [...] } and a ${first} among them`,
      }),
    )
  return faults.length > 0 ? { faults } : { artifacts }
}

interface Words {
  readonly code: string
  readonly message: string
  readonly hint: string
}

function fault(path: Path, words: Words): AnswerFault {
  return { ...words, path: maskedPointer(path) }
}

const SHAPE = 'answer with { "artifacts": [...] }, or with one artifact alone'

function refused(path: Path, code: string, message: string, hint = SHAPE) {
  return { faults: [fault(path, { code, message, hint })] }
}

type List = { readonly list: readonly unknown[]; readonly base: string | undefined }

/** The artifacts as they were given, and under which key they stand. */
function listOf(answer: unknown): List | { readonly faults: readonly AnswerFault[] } {
  if (!isFields(answer))
    return refused([], 'mission/answer-shape', 'the answer is no object and so no artifact')
  const isAlone = Object.hasOwn(answer, 'schema_name') || !Object.hasOwn(answer, 'artifacts')
  if (isAlone) return { list: [answer], base: undefined }
  const { artifacts, ...rest } = answer
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    return refused(
      [stray],
      'mission/answer-shape',
      `${quote(stray)} stands beside the artifacts and belongs to none`,
      'write it into an artifact, or leave it out: nobody would read it',
    )
  if (!Array.isArray(artifacts))
    return refused(['artifacts'], 'mission/answer-shape', "'artifacts' is not a list")
  if (artifacts.length > MOST_ARTIFACTS)
    return refused(
      ['artifacts'],
      'mission/answer-count',
      `the answer has ${counted(artifacts.length, 'artifact')}, more than ${MOST_ARTIFACTS}`,
      'answer with fewer: one task makes one thing',
    )
  return { list: artifacts, base: 'artifacts' }
}

interface Objection extends Words {
  readonly path: Path
}

type Read = { readonly artifact: Payload } | { readonly faults: readonly Objection[] }

function artifactOf(entry: unknown, place: number, expected: Expected): Read {
  if (!isFields(entry)) {
    const message = 'this is no object and so no artifact'
    return { faults: [{ path: [], code: 'mission/answer-shape', message, hint: SHAPE }] }
  }
  const name = nameOf(entry, expected)
  if (typeof name !== 'string') return { faults: [name] }
  const settled = settledFor(name, expected)
  const faults = [...disagreements(entry, settled), ...untimely(entry, expected)]
  const sort = sortOf(name)
  if (sort?.task === 'other') faults.push(...taskFaults(entry, expected))
  if (faults.length > 0) return { faults }
  const made = {
    created_at: formatInstant(name === 'review_packet' ? expected.now : expected.clock),
    ...(sort?.idKey && { [sort.idKey]: idFor(name, place, expected) }),
  }
  const artifact = { ...settled, ...made, ...entry }
  const unfit = whyUnfit(artifact)
  return unfit ? { faults: [unfit] } : { artifact }
}

/** The schema name of an artifact, which may be left out where only one is possible. */
function nameOf(
  entry: Payload,
  { returns: { artifacts: names }, task }: Expected,
): string | Objection {
  const given = Object.hasOwn(entry, 'schema_name') ? entry.schema_name : undefined
  const [only] = names
  if (given === undefined && names.length === 1) return only
  if (typeof given === 'string' && names.includes(given)) return given
  const meant = typeof given === 'string' ? nearest(given, names) : undefined
  return {
    code: 'mission/answer-foreign',
    path: ['schema_name'],
    message:
      given === undefined
        ? `nothing says which artifact this is: ${listed(names, 'or')}`
        : `the task ${quote(task.task_id)} does not return ${quote(given)}`,
    hint: meant ? `did you mean '${meant}'?` : `write ${listed(names, 'or')}`,
  }
}

/** What an artifact cannot say otherwise. */
function settledFor(name: string, { mission, task, agent, serves }: Expected): Payload {
  const [served, ...more] = serves ?? []
  const sort = sortOf(name)
  return {
    schema_name: name,
    schema_version: 'v1',
    mission_id: mission.mission_id,
    tenant_id: mission.tenant_id,
    actor_id: mission.actor_id,
    producer: agent,
    ...(sort?.task === 'own' && { task_id: task.task_id }),
    ...(sort?.task === 'other' && served !== undefined && more.length === 0 && { task_id: served }),
  }
}

function disagreements(entry: Payload, settled: Payload): Objection[] {
  return Object.entries(settled)
    .filter(([key, value]) => Object.hasOwn(entry, key) && entry[key] !== value)
    .map(([key, value]) => ({
      code: 'mission/answer-disagrees',
      path: [key],
      message: `${quote(key)} is ${quote(entry[key])}, and has to be ${quote(value)}`,
      hint: 'leave the key out: it is filled in',
    }))
}

/** Clocks of other machines may be behind by as much. */
const CLOCK_SKEW = 5 * 60 * 1000

/** Nothing of a mission was written before it: what is dated back would be judged by what was allowed then. */
function* untimely(entry: Payload, { mission, clock }: Expected): Iterable<Objection> {
  const written = Object.hasOwn(entry, 'created_at')
    ? parseInstant(String(entry.created_at))
    : undefined
  const begun = parseInstant(mission.created_at)
  // The time of the gateway, by which missions begin, may be ahead of the clock.
  if (written === undefined || begun === undefined) return
  if (written >= Math.min(begun, clock) - CLOCK_SKEW) return
  yield {
    code: 'mission/answer-disagrees',
    path: ['created_at'],
    message: `'created_at' is ${quote(entry.created_at)}, and the mission began at ${mission.created_at}`,
    hint: 'leave the key out: it is filled in',
  }
}

/** A package or a pass is for another task, so it has to say which. */
function taskFaults(entry: Payload, { serves, task }: Expected): Objection[] {
  // The only one is filled in, and has to be agreed with.
  if (serves?.length === 1) return []
  const given = Object.hasOwn(entry, 'task_id') ? entry.task_id : undefined
  const known = serves?.slice(0, 20).join(', ')
  const isServed = serves === undefined || (typeof given === 'string' && serves.includes(given))
  if (given !== undefined && isServed) return []
  const meant = typeof given === 'string' ? nearest(given, serves ?? []) : undefined
  return [
    {
      code: given === undefined ? 'mission/answer-incomplete' : 'mission/answer-disagrees',
      path: ['task_id'],
      message:
        given === undefined
          ? 'nothing says for which task this is'
          : `${quote(given)} is no task that ${quote(task.task_id)} serves`,
      hint: meant ? `did you mean '${meant}'?` : `name the task${known ? `: ${known}` : ''}`,
    },
  ]
}

function whyUnfit(artifact: Payload): Objection | undefined {
  const text = canonicalJson(artifact)
  if (typeof text !== 'string')
    return {
      code: 'mission/answer-not-json',
      path: [],
      message: `it cannot be stored: ${text.fault}`,
      hint: 'write it as JSON that every reader reads in the same way',
    }
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= MOST_ARTIFACT_BYTES) return undefined
  return {
    code: 'mission/answer-size',
    path: [],
    message: `the artifact has ${bytes} bytes, more than ${MOST_ARTIFACT_BYTES}`,
    hint: 'store bulk data elsewhere, and cite the place',
  }
}

/** The same for the same answer to the same attempt, and no other. */
function idFor(name: string, place: number, { mission, task, attempt }: Expected): string {
  const digest = sha256(JSON.stringify([mission.mission_id, task.task_id, attempt, place, name]))
  return `${sortOf(name)?.prefix}_${digest.slice(0, 24)}`
}

function isFields(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
