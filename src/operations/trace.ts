import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { isAsRecorded, type TraceStep, traceOf } from '../governance/index.ts'
import type { LogReader } from '../ledger/index.ts'
import { drawSvg } from '../session/index.ts'
import { limitOf } from './log/listed.ts'
import { nearIds } from './log/near.ts'
import { openLedger } from './log/open.ts'
import { TENANT_INPUT, tenantOf } from './mission/tenant.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { documentsNaming } from './trace/documents.ts'
import { drawingOf } from './trace/drawing.ts'
import { missionOf, UUID } from './trace/mission.ts'
import type { TraceOutput } from './trace/output.ts'

const input = {
  type: 'object',
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      positional: true,
      description:
        'The id of a handoff, session, mission, task, artifact, tool call or record, an agent, or a digest.',
    },
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: 'How many entries at most, the newest (default: 500).',
    },
    as: {
      type: 'string',
      enum: ['text', 'svg'],
      placeholder: 'form',
      description: 'How it is drawn (default: text).',
    },
    // Agents see what is the installation's own, and no other tenant.
    tenant: { ...TENANT_INPUT, actor: 'human' },
  },
} as const

const USUAL = 500
/** Whatever is longer is no id, but a text. */
const LONGEST = 1000

/** Follows an id through everything that is recorded. */
export default defineOperation({
  name: 'trace',
  summary: 'Follow an id through the log: who handed what to whom, and what came of it',
  description:
    'Every entry that names the id, and those tied to it: the same handoff sent and received, the handoffs before and ' +
    'after it in the conversation, what a person stated about it. Each step tells who handed to whom, which prompts ' +
    'the agents had by their hashes, what the policies decided and why it was refused. Files of the repository that ' +
    'name the id are listed. Missions, sessions, tasks and artifacts are those that a handoff names in its accumulated ' +
    'context or its input data: mission_id, session_id, task_id, artifact_id and artifact_ids. The database, where there ' +
    'is one to ask, adds the mission that the id is, or that has something of it, with its tasks, artifacts, decisions and calls of tools by their digests, and the session contexts that agents of a pipeline have written. Exits with 1 where nothing is known of it, or an entry is not what was recorded.',
  examples: [
    {
      command: 'waybill trace 550e8400-e29b-41d4-a716-446655440000',
      does: 'the way of one handoff',
    },
    { command: 'waybill trace domain-05-product --limit 50', does: 'what an agent had a part in' },
    {
      command: 'waybill trace 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --as svg > mission.svg',
      does: 'draw the story of a mission',
    },
    {
      command: 'waybill trace quiet-hours-design --format mermaid',
      does: 'the same as a sequence diagram',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: trace,
  failed: ({ steps, documents, mission }) => {
    if (!steps.every(({ entry }) => isAsRecorded(entry))) return 'ledger-tampered'
    return steps.length === 0 && documents.length === 0 && mission === null
  },
})

async function trace(given: TypeOf<typeof input>, app: App): Promise<TraceOutput> {
  const { id } = given
  if (id.length > LONGEST)
    throw new WaybillError('usage', `an id has at most ${LONGEST} characters, not ${id.length}`)
  const limit = limitOf(given.limit, USUAL)
  const { origin, size, log, config } = await openLedger(app)
  const found = log ? await followed(log, id, limit) : { steps: [], kinds: [], more: false }
  const documents = await documentsNaming(id, app.root, config)
  const { steps } = found
  const shown = maskSecrets(id)
  const { story: mission, more } = await missionOf(
    { id, tenant: tenantOf(given), limit, origin, trace: found },
    app,
  )
  const isKnown = steps.length > 0 || documents.length > 0 || mission !== null
  const as = given.as === 'svg' ? 'svg' : 'text'
  const drawing = as === 'svg' ? drawingOf({ id: shown, steps, documents, mission }) : null
  return {
    ...{ origin, size, id: shown, ...found, documents, mission, as },
    more: found.more || more,
    drawing: drawing && drawSvg(drawing, `The story of ${shown}`),
    approvals: steps.flatMap(approvalOf),
    refusals: steps.flatMap(refusalOf),
    near: log && !isKnown ? await nearIds(log, id) : [],
  }
}

/** Missions are recorded by their ids in small letters, however somebody writes them. */
async function followed(log: LogReader, id: string, limit: number) {
  const found = await traceOf(log, id, limit)
  const small = UUID.test(id) ? id.toLowerCase() : id
  return found.steps.length > 0 || small === id ? found : traceOf(log, small, limit)
}

function approvalOf({ entry }: TraceStep): TraceOutput['approvals'] {
  const { index, by, standing, note, state } = entry
  // Whoever erased an entry states that in another one.
  return standing !== null && state === 'kept' ? [{ index, by, standing, what: note }] : []
}

function refusalOf({ entry }: TraceStep): TraceOutput['refusals'] {
  const { index, kind, codes } = entry
  return kind === 'handoff-rejected' ? [{ index, codes }] : []
}
