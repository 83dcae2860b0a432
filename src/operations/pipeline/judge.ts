import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { Before, Judged } from '../../mission/index.ts'
import { sha256, sha256OfStream } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { noteAnswer } from './answers.ts'
import {
  bytesAt,
  type ContextFault,
  checkContext,
  type ReadContext,
  readContext,
  textOfContext,
  versionAt,
  whyNoFile,
  writeOutput,
} from './contexts.ts'
import { type Misplaced, replacedAt } from './places.ts'

/** What an agent's answer is checked against. */
export interface Judging {
  /** The id of the agent in the orchestration file. */
  readonly agent: string
  readonly workflow: string | null
  /** From the root. */
  readonly output: string | null
  readonly artifact: string | null
  readonly before: Before
  readonly app: App
  /** Called each time: the file may have changed. */
  misplaced(): Promise<Misplaced | undefined>
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Checks the result of an agent: its output context and artifact must exist and be valid. The agent may answer with the
 * context, with a result that contains it, or with a result after writing it.
 */
export async function judgeAnswer(answer: unknown, judging: Judging): Promise<Judged> {
  const { output, artifact, app } = judging
  const misplaced = await whyNotPlaced(judging)
  if (misplaced) return { faults: [misplaced], isFinal: true }
  const answered = contextIn(answer)
  const kept = await toKeep(answered, judging)
  if (kept && 'refused' in kept) return { faults: [kept.refused], isFinal: kept.isFinal }
  const faults = missingArtifact(judging)
  const context = output === null ? undefined : await contextOf(kept?.context, output, judging)
  if (context && 'faults' in context) faults.push(...context.faults)
  else if (context) faults.push(...foreign(context.value, judging), ...deep(context.value, judging))
  if (faults.length > 0) return { faults }
  const sound = context && !('faults' in context) ? context : undefined
  const files = {
    ...(output !== null && sound && { session_context: { path: output, sha256: sound.sha256 } }),
    ...(artifact !== null && {
      artifact: { path: artifact, sha256: await digestOf(artifact, app) },
    }),
  }
  return {
    answer: resultOf(answer, { files, context: sound?.value ?? answered, output }),
    async keep() {
      const fault = kept && output !== null ? await write(kept.context, output, judging) : undefined
      return fault ? [fault] : []
    },
  }
}

/** Returns the session context that an answer is or contains. */
export function contextIn(answer: unknown): Fields | undefined {
  if (!isFields(answer)) return undefined
  const wrapped = answer.session_context
  if (isFields(wrapped) && Object.keys(answer).length === 1) return wrapped
  if (Object.hasOwn(answer, 'source_agent') && Object.hasOwn(answer, 'payload')) return answer
  const held = resultIn(answer)?.structured_output
  const inner = isFields(held) ? held.session_context : undefined
  return isFields(inner) ? inner : undefined
}

function resultIn(answer: Fields): Fields | undefined {
  const list = Array.isArray(answer.artifacts) ? answer.artifacts : [answer]
  return list.find(isResult)
}

function isResult(one: unknown): one is Fields {
  return isFields(one) && (one.schema_name === undefined || one.schema_name === 'worker_result')
}

async function contextOf(
  answered: Fields | undefined,
  output: string,
  { app, before }: Judging,
): Promise<ReadContext> {
  if (answered) {
    return checkContext(new TextEncoder().encode(textOfContext(answered, output)), output, app)
  }
  if (before.output !== undefined && before.output === versionAt(output, app))
    return { faults: [stale(output)] }
  return readContext(output, app)
}

/** Returns the context to write, or why it cannot be written; `undefined` when the agent wrote it itself. */
async function toKeep(
  answered: Fields | undefined,
  judging: Judging,
): Promise<{ readonly context: Fields } | Refused | undefined> {
  const { output, app } = judging
  if (!answered || output === null) return undefined
  const taken = await replacedAt(output, app)
  if (!('why' in taken)) return { context: answered }
  const read = await readContext(output, app)
  if ('faults' in read || !isDeepStrictEqual(timeless(read.value), timeless(answered)))
    return taken.isContext
      ? { refused: { ...occupied(taken.why), hint: EITHER }, isFinal: false }
      : { refused: occupied(taken.why), isFinal: true }
  noteWritten(output, judging)
  return undefined
}

/** Ignores the timestamp: the written and the returned context may differ in it. */
function timeless(context: Fields): Fields {
  return { ...context, timestamp: null }
}

/** Why an answer cannot be written, and whether another answer would not help either. */
interface Refused {
  readonly refused: ContextFault
  readonly isFinal: boolean
}

const EITHER =
  'answer with a worker_result if you wrote that file; otherwise a person must move it away'

/** Records that the agent wrote the file, valid or not, so that a later answer may replace it. */
export function noteWritten(
  output: string,
  { app, before }: Pick<Judging, 'app' | 'before'>,
): void {
  if (whyNoFile(output, app) !== undefined || before.output === versionAt(output, app)) return
  const bytes = bytesAt(output, app)
  if (bytes !== undefined && typeof bytes !== 'string') noteAnswer(output, sha256(bytes), app)
}

async function whyNotPlaced({ misplaced }: Judging): Promise<ContextFault | undefined> {
  const found = await misplaced()
  return found && { ...found, path: '', hint: OWN_FILE }
}

/** Writes the answer after checking the place again: a person may have put a file there meanwhile. */
async function write(
  answered: Fields,
  output: string,
  judging: Judging,
): Promise<ContextFault | undefined> {
  const { app } = judging
  const misplaced = await whyNotPlaced(judging)
  if (misplaced) return misplaced
  const taken = await replacedAt(output, app)
  if ('why' in taken) return occupied(taken.why)
  const text = textOfContext(answered, output)
  try {
    // After a crash the next worker must recognise the file as an answer.
    noteAnswer(output, sha256(text), app)
    const isDone = writeOutput(output, text, taken.replaced, app)
    return isDone ? undefined : occupied(`${quote(output)} was written by another process`)
  } catch (error) {
    if (error instanceof WaybillError && (error.code === 'exists' || error.code === 'conflict'))
      return occupied(error.message)
    throw error
  }
}

const OWN_FILE = 'correct its output in the orchestration file: it needs a file of its own'

function occupied(why: string): ContextFault {
  const message = `the answer was not written: ${why}`
  return { code: 'pipeline/reserved-place', path: '', message, hint: OWN_FILE }
}

function missingArtifact({ artifact, before, app }: Judging): ContextFault[] {
  if (artifact === null) return []
  const why = whyNoFile(artifact, app)
  if (why === undefined)
    return before.artifact !== undefined && before.artifact === versionAt(artifact, app)
      ? [stale(artifact)]
      : []
  const hint = 'write the file, from the root of the repository'
  return [{ code: 'pipeline/outputs-exist', path: '', message: why, hint }]
}

function stale(path: string): ContextFault {
  return {
    code: 'pipeline/outputs-exist',
    path: '',
    message: `${quote(path)} has not changed since the agent started`,
    hint: 'write it again: it is from an earlier run',
  }
}

/** Finds signs that a context belongs to another agent or workflow. */
function foreign(value: Fields, { agent, workflow }: Judging): ContextFault[] {
  const faults: ContextFault[] = []
  const source = isFields(value.source_agent) ? String(value.source_agent.id) : ''
  // Files number the agents of a kind; contexts name only the kind.
  const kind = agent.replace(/-[0-9]+$/, '')
  if (/^(?:ps|nse|orch)-/.test(agent) && source !== kind)
    faults.push(disagrees('/source_agent/id', `the context is of ${quote(source)}`, kind))
  const { workflow_id } = value
  if (workflow !== null && workflow_id !== undefined && workflow_id !== workflow) {
    const message = `the context is of the workflow ${quote(workflow_id)}`
    faults.push(disagrees('/workflow_id', message, workflow))
  }
  return faults
}

function disagrees(path: string, message: string, expected: string): ContextFault {
  return { code: 'pipeline/foreign-context', path, message, hint: `write ${quote(expected)}` }
}

/** Finds agents nested deeper than the file allows. */
function deep({ trace }: Fields, { before: { deepest } }: Judging): ContextFault[] {
  const depth = isFields(trace) ? trace.depth : undefined
  if (typeof depth !== 'number' || deepest === undefined || depth <= deepest) return []
  const message = `depth ${depth} is more than the ${deepest} of max_agent_nesting in the orchestration file`
  const hint = 'let the orchestrator start the agent'
  return [{ code: 'pipeline/nested', path: '/trace/depth', message, hint }]
}

function digestOf(path: string, { root }: App): Promise<string> {
  return sha256OfStream(createReadStream(join(root, path)))
}

interface AgentAnswer {
  readonly files: Fields
  readonly context: Fields | undefined
  readonly output: string | null
}

/** Returns the result for the mission: the agent's own or one made from its context, with the digests of its files. */
function resultOf(answer: unknown, { files, context, output }: AgentAnswer): unknown {
  if (!isFields(answer)) return answer
  const own = resultIn(answer)
  const isContext = contextIn(answer) !== undefined && own?.structured_output === undefined
  if (isContext) return derived(context ?? {}, files, output)
  if (!own) return answer
  const result = withFiles({ structured_output: {}, ...own }, { files })
  if (!Array.isArray(answer.artifacts)) return result
  const others = (one: unknown) => (isResult(one) ? withFiles(one, {}) : one)
  return {
    ...answer,
    artifacts: answer.artifacts.map(one => (one === own ? result : others(one))),
  }
}

/** Replaces `files` of a result: only digests computed here count, never those that an agent reports. */
function withFiles(result: Fields, found: { readonly files?: Fields }): Fields {
  const { structured_output: held } = result
  // The contract refuses this result, as in other missions.
  if (!isFields(held)) return result
  const { files: _, ...others } = held
  return { ...result, structured_output: { ...others, ...found } }
}

function derived(context: Fields, files: Fields, output: string | null): Fields {
  const payload = isFields(context.payload) ? context.payload : {}
  const findings = Array.isArray(payload.key_findings) ? payload.key_findings : []
  const summaries = findings.flatMap(one => (isFields(one) ? [String(one.summary)] : []))
  const overall = isFields(payload.confidence) ? payload.confidence.overall : undefined
  return {
    schema_name: 'worker_result',
    output_text: summaries.join('\n') || 'The agent has found nothing.',
    structured_output: { files },
    citations: output === null ? [] : [{ kind: 'session_context', ref: output }],
    confidence: typeof overall === 'number' ? overall : 0,
    tool_trace_refs: [],
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
