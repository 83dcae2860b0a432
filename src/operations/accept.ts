import { join } from 'node:path'
import { unknownFields, withoutUnknownFields } from '../contract/index.ts'
import {
  blockersOf,
  confidenceBand,
  emptied,
  findContract,
  isTranslated,
  loadContract,
  type SessionContext,
  translated,
  withRules,
} from '../contracts/index.ts'
import { formatInstant, formatPointer } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import {
  createAtomically,
  openFiles,
  pathFromRoot,
  record,
  sha256,
  userName,
} from '../workspace/index.ts'
import { type Decision, decide, type Policy } from './accept/decide.ts'
import type { AcceptOutput, EscalatedBlocker } from './accept/output.ts'
import { type Received, receive } from './accept/received.ts'
import { settled } from './gateway/settle.ts'
import { refuseDash } from './gateway/write.ts'
import { rulesInForce } from './in-force/rules.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { cleanse, maskFor } from './show/cleanse.ts'
import { fieldsOf, said } from './show/said.ts'
import { describeSessionContext } from './show/session-context.ts'

const input = {
  type: 'object',
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The session context; path#L12 for a block in Markdown; - reads standard input.',
    },
    session: {
      type: 'string',
      placeholder: 'id',
      description: 'The id of the receiving session.',
    },
    onMismatch: {
      type: 'string',
      enum: ['reject', 'warn', 'fresh'],
      placeholder: 'policy',
      description:
        'What to do with a context of another session: refuse it, accept it with a warning (default), or keep only its constraints.',
    },
    output: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'file',
      description: 'Write the context for the target agent to this file, which must not exist yet.',
    },
  },
} as const

/** Checks a session context, records the decision, and passes the context on if it has no error. */
export default defineOperation({
  name: 'accept',
  summary: 'Check a session context and pass it on to its target agent',
  description:
    'Checks the context in full and compares its version and session with the receiver. Between agent families, ' +
    'findings are reordered for the target; none is dropped. Constraints stay as they are; standing rules in force that ' +
    'they lack are added in payload.context.constraints. Prints blockers first and records the decision, a refusal too. ' +
    'Exits with 1 and passes nothing on when the context has an error.',
  examples: [
    {
      command: 'waybill accept contexts/ps-to-nse.json --session s-42',
      does: 'read the context',
    },
    {
      command: 'waybill accept in.json --session s-42 --output contexts/in.json',
      does: 'write it for the target agent',
    },
    {
      command: 'waybill accept in.json --session s-42 --on-mismatch reject',
      does: 'refuse a context of another session',
    },
  ],
  actor: 'any',
  effect: 'write',
  rootOf: 'documents',
  input,
  run: (given, app) => settled(accept(given, app), app),
  failed: ({ accepted }) => !accepted,
})

async function accept(given: TypeOf<typeof input>, app: App): Promise<AcceptOutput> {
  const { path, session, onMismatch = 'warn', output } = given
  if (!session) {
    throw new WaybillError('usage', 'the receiving session is not named', {
      hint: 'pass --session <id>, so that a stale context can be detected',
    })
  }
  const target = output === undefined ? undefined : placeFor(output, app)
  const received = await receive(path, session, app)
  const decision = decide(received, session, onMismatch as Policy)
  const passed = decision.accepted ? await passOn(received, decision, app) : undefined
  const answer = cleanse(answerTo(received, decision, passed), received.text)
  const text = passed && `${JSON.stringify(passed.context, null, 2)}\n`
  const contextSha256 = text === undefined ? null : sha256(text)
  const written = text !== undefined && target ? target.path : null
  // Record first: nothing is passed on without a record.
  const name = record(app.root, recordOf({ ...answer, contextSha256, output: written }, app))
  if (text !== undefined && target && !createAtomically(target.file, text))
    throw alreadyThere(target.path)
  return {
    ...answer,
    context: passed?.context ?? null,
    contextSha256,
    output: written,
    record: name,
    ...readingOf(passed, received.text),
  }
}

/** Returns where to write the context: a new file inside the repository. */
function placeFor(output: string, app: App): { file: string; path: string } {
  refuseDash(output, '--output')
  const path = pathFromRoot(output, app)
  const files = openFiles(app.root)
  const kind = files.kindOf(path)
  if (kind === 'outside') {
    throw new WaybillError('usage', `${output} is outside the repository`, {
      hint: 'name a file inside the repository',
    })
  }
  if (kind !== 'missing') throw alreadyThere(path)
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  if (files.kindOf(folder) !== 'directory') {
    throw new WaybillError('not-found', `the folder ${folder} does not exist`, {
      hint: 'create the folder, or choose another one',
    })
  }
  return { file: join(app.root, path), path }
}

function alreadyThere(path: string): WaybillError {
  return new WaybillError('exists', `${path} already exists and is not overwritten`, {
    hint: 'name another file, or move the existing one',
  })
}

/** What is passed on of an accepted context. */
interface Passed {
  readonly context: SessionContext
  readonly ignored: readonly string[]
  readonly masked: number
  readonly before: readonly string[]
}

async function passOn({ value, text }: Received, { session }: Decision, app: App): Promise<Passed> {
  const contract = findContract('session-context')
  if (!contract) throw new Error('session-context is not in the catalogue')
  const { schema } = await loadContract(contract)
  // Mask before formatting: a JSON Pointer escapes the slashes that identify some secrets.
  const ignored = cleanse(unknownFields(schema, value), text).map(formatPointer)
  const known = withoutUnknownFields(schema, value) as SessionContext
  const before = known.payload.key_findings.map(finding => finding.id)
  const rules = await rulesInForce(app)
  const whole = withRules(contextFor(known, session, app), rules)
  return { ...withoutSecrets(whole, [text, ...rules].join('\n')), ignored, before }
}

function contextFor(
  context: SessionContext,
  { outcome, current }: Decision['session'],
  { now }: App,
): SessionContext {
  if (outcome === 'fresh') return emptied(context, current, formatInstant(now))
  return isTranslated(context) ? translated(context) : context
}

/** Returns the context with secrets masked, and the number of masked texts. */
function withoutSecrets(
  context: SessionContext,
  source: string,
): { context: SessionContext; masked: number } {
  const mask = maskFor(context, source)
  let masked = 0
  const clean = (_: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const text = mask(value)
    if (text !== value) masked++
    return text
  }
  return { context: JSON.parse(JSON.stringify(context, clean)), masked }
}

type Answer = Omit<
  AcceptOutput,
  'context' | 'contextSha256' | 'output' | 'record' | 'facts' | 'sections'
>

function answerTo(
  { report, bytes, value }: Received,
  decision: Decision,
  passed: Passed | undefined,
): Answer {
  const context = passed?.context
  const { source_agent, target_agent } = fieldsOf(value)
  const [from, to] = [source_agent, target_agent].map(agent => said(fieldsOf(agent).family) ?? null)
  const fresh = decision.session.outcome === 'fresh'
  return {
    accepted: decision.accepted,
    path: report.path,
    sha256: bytes ? sha256(bytes) : null,
    session: decision.session,
    version: { ...decision.version, ignored: passed?.ignored ?? [] },
    families: {
      from: from ?? null,
      to: to ?? null,
      crossed: from != null && to != null && from !== to,
      translated: context !== undefined && !fresh && isTranslated(context),
      before: passed?.before ?? [],
      after: context?.payload.key_findings.map(finding => finding.id) ?? [],
    },
    confidence: context ? confidenceOf(context) : null,
    blockers: context ? blockersOf(context).map(escalated) : [],
    masked: passed?.masked ?? 0,
    diagnostics: decision.diagnostics,
  }
}

function confidenceOf({ payload }: SessionContext): NonNullable<AcceptOutput['confidence']> {
  const { overall, breakdown = {} } = payload.confidence
  const parts = Object.entries(breakdown).map(([name, score]) => ({
    name,
    score,
    band: confidenceBand(score),
  }))
  return { overall, band: confidenceBand(overall), parts }
}

function escalated(blocker: ReturnType<typeof blockersOf>[number]): EscalatedBlocker {
  const { id, severity, description, workaround, blocked_actions } = blocker
  return {
    id,
    severity,
    description,
    ...(workaround !== undefined && { workaround }),
    ...(blocked_actions && { blocks: blocked_actions }),
  }
}

function readingOf(
  passed: Passed | undefined,
  text: string,
): Pick<AcceptOutput, 'facts' | 'sections'> {
  return passed
    ? cleanse(describeSessionContext(passed.context), text)
    : { facts: [], sections: [] }
}

/** Returns the record of a receipt: the decision and its grounds, without the context's content. */
function recordOf(
  answer: Answer & Pick<AcceptOutput, 'contextSha256' | 'output'>,
  { now, root }: App,
): Parameters<typeof record>[1] {
  const { path, sha256: digest, accepted, diagnostics, blockers, ...rest } = answer
  return {
    type: 'urn:waybill:record:accept',
    at: formatInstant(now),
    by: userName(root),
    ...(digest !== null && { subject: { path, sha256: digest } }),
    decision: accepted ? 'accepted' : 'rejected',
    session: rest.session,
    version: rest.version,
    families: rest.families,
    confidence: rest.confidence && { overall: rest.confidence.overall, band: rest.confidence.band },
    blockers: blockers.map(({ id, severity }) => ({ id, severity })),
    masked: rest.masked,
    diagnostics: diagnostics.map(({ code, severity }) => ({ code, severity })),
    passedOn: rest.contextSha256 && { sha256: rest.contextSha256, path: rest.output },
  }
}
