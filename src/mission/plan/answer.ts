import { counted, listed, nearest, quote } from '../../contract/index.ts'
import { formatInstant, maskedPointer, type Path, parseInstant } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Assignment, Payload, Repair } from '../runner.ts'
import { MOST_ARTIFACTS, sortOf } from './artifacts.ts'

/** The largest artifact, in bytes of canonical JSON. */
const MOST_ARTIFACT_BYTES = 1024 * 1024

/** One fault of an answer, as reported to its agent. */
export type AnswerFault = Repair['diagnostics'][number]

/** The artifacts of an answer, complete but unchecked, or its faults. */
export type Answer =
  | { readonly artifacts: readonly Payload[] }
  | { readonly faults: readonly AnswerFault[] }

/** What an answer must agree with. */
export interface Expected
  extends Pick<Assignment, 'mission' | 'task' | 'agent' | 'attempt' | 'returns'> {
  /**
   * When the answer arrived, by the gateway's monotonic time, in milliseconds since the epoch; the time of reviews, of
   * which the first counts.
   */
  readonly now: number
  /** The same by the system clock, which decides expiry; the default time of all other artifacts. */
  readonly clock: number
  /** The tasks that a prompt master or librarian serves; any when absent. */
  readonly serves?: readonly string[]
}

/**
 * Reads the artifacts of an answer: `{ "artifacts": [...] }` or one artifact alone. Fills in missing root metadata;
 * given metadata must agree. Missing ids derive from mission, task, attempt and place, so that the same answer gives
 * the same artifacts.
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
        message: `the answer has no ${first}`,
        hint: `answer with { "artifacts": [...] } that include a ${first}`,
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

const SHAPE = 'answer with { "artifacts": [...] } or with one artifact alone'

function refused(path: Path, code: string, message: string, hint = SHAPE) {
  return { faults: [fault(path, { code, message, hint })] }
}

type List = { readonly list: readonly unknown[]; readonly base: string | undefined }

/** The artifacts as given, and the key that holds them. */
function listOf(answer: unknown): List | { readonly faults: readonly AnswerFault[] } {
  if (!isFields(answer)) return refused([], 'mission/answer-shape', 'the answer is not an object')
  const isAlone = Object.hasOwn(answer, 'schema_name') || !Object.hasOwn(answer, 'artifacts')
  if (isAlone) return { list: [answer], base: undefined }
  const { artifacts, ...rest } = answer
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    return refused(
      [stray],
      'mission/answer-shape',
      `${quote(stray)} is outside the artifacts`,
      'move it into an artifact or remove it: it would be ignored',
    )
  if (!Array.isArray(artifacts))
    return refused(['artifacts'], 'mission/answer-shape', "'artifacts' is not a list")
  if (artifacts.length > MOST_ARTIFACTS)
    return refused(
      ['artifacts'],
      'mission/answer-count',
      `the answer has ${counted(artifacts.length, 'artifact')}, more than ${MOST_ARTIFACTS}`,
      'answer with fewer artifacts',
    )
  return { list: artifacts, base: 'artifacts' }
}

interface Objection extends Words {
  readonly path: Path
}

type Read = { readonly artifact: Payload } | { readonly faults: readonly Objection[] }

function artifactOf(entry: unknown, place: number, expected: Expected): Read {
  if (!isFields(entry)) {
    const message = 'this is not an object'
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

/** The schema name of an artifact; optional if the task returns only one kind. */
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
        ? `schema_name is missing; expected ${listed(names, 'or')}`
        : `the task ${quote(task.task_id)} does not return ${quote(given)}`,
    hint: meant ? `did you mean '${meant}'?` : `write ${listed(names, 'or')}`,
  }
}

/** Metadata with only one valid value. */
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
      message: `${quote(key)} is ${quote(entry[key])} but must be ${quote(value)}`,
      hint: 'remove the key: it is filled in',
    }))
}

/** The tolerated lag of other clocks, in milliseconds. */
const CLOCK_SKEW = 5 * 60 * 1000

/** Rejects artifacts dated before their mission, which would be judged by earlier permissions. */
function* untimely(entry: Payload, { mission, clock }: Expected): Iterable<Objection> {
  const written = Object.hasOwn(entry, 'created_at')
    ? parseInstant(String(entry.created_at))
    : undefined
  const begun = parseInstant(mission.created_at)
  // The gateway's time, used for mission starts, may be ahead of the system clock.
  if (written === undefined || begun === undefined) return
  if (written >= Math.min(begun, clock) - CLOCK_SKEW) return
  yield {
    code: 'mission/answer-disagrees',
    path: ['created_at'],
    message: `'created_at' is ${quote(entry.created_at)}, before the mission began at ${mission.created_at}`,
    hint: 'remove the key: it is filled in',
  }
}

/** A package or pass must name the task that it is for. */
function taskFaults(entry: Payload, { serves, task }: Expected): Objection[] {
  // A single task is filled in.
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
          ? 'task_id is missing'
          : `${quote(task.task_id)} does not serve a task ${quote(given)}`,
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
      message: `the artifact cannot be stored: ${text.fault}`,
      hint: 'write it as unambiguous JSON',
    }
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= MOST_ARTIFACT_BYTES) return undefined
  return {
    code: 'mission/answer-size',
    path: [],
    message: `the artifact has ${bytes} bytes, more than ${MOST_ARTIFACT_BYTES}`,
    hint: 'store bulk data elsewhere and cite its location',
  }
}

/** A stable id: the same answer to the same attempt gives the same id. */
function idFor(name: string, place: number, { mission, task, attempt }: Expected): string {
  const digest = sha256(JSON.stringify([mission.mission_id, task.task_id, attempt, place, name]))
  return `${sortOf(name)?.prefix}_${digest.slice(0, 24)}`
}

function isFields(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
