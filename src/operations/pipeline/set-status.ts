import { listed, nearest, quote } from '../../contract/index.ts'
import type { Unit } from '../../contracts/index.ts'
import { type Change, editDocument, formatInstant, formatPointer } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  changesOf,
  findUnits,
  inStartingOrder,
  recordWrite,
  refusalsOf,
  unitsOf,
} from '../../session/index.ts'
import { loadConfig, sha256, swapAtomically, userName } from '../../workspace/index.ts'
import { ownTask, refuseDeciding } from '../mission/nested.ts'
import type { App } from '../operation.ts'
import type { PipelineSetOutput } from '../pipeline-set/output.ts'
import { openPipeline, type Pipeline, readPipeline } from './open.ts'

/** The statuses of agents and phases. */
export const STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETE', 'FAILED', 'BLOCKED'] as const

/** A status of an agent or phase. */
export type Status = (typeof STATUSES)[number]

const OF_BARRIERS: readonly string[] = ['PENDING', 'IN_PROGRESS', 'COMPLETE']
const MOST_NAMED = 6
const MOST_COMPARED = 2000

/** A request to set a status. */
export interface Setting {
  readonly target: string
  readonly status: Status
  readonly file?: string | undefined
  /** The digest that the document must have. */
  readonly expect?: string | undefined
}

/** Sets the status of an agent, phase or barrier and updates everything derived from it, in one step. */
export async function setStatus(given: Setting, app: App): Promise<PipelineSetOutput> {
  const pipeline = await openPipeline(given.file, app)
  if (given.expect !== undefined && given.expect.toLowerCase() !== pipeline.sha256)
    throw new WaybillError('conflict', `${pipeline.path} has changed`, {
      hint: `its digest is ${pipeline.sha256}; look at it and try again`,
    })
  const units = unitsOf(pipeline.standing)
  const unit = theOne(units, given.target, pipeline)
  // An agent may keep its own file, but must not set the status of agents in the file that runs it.
  const own = ownTask(app)
  if (units.some(({ kind, address }) => kind === 'agent' && address === own))
    refuseDeciding(`set the status of ${quote(unit.address)}`, app)
  if (unit.kind === 'barrier' && !OF_BARRIERS.includes(given.status))
    throw new WaybillError('usage', `a barrier cannot be ${given.status}`, {
      hint: `use one of ${OF_BARRIERS.join(', ')}`,
    })
  const { value, standing, isThere } = pipeline
  const at = formatInstant(app.now)
  const move = { value, standing, unit, status: given.status, at, isThere }
  const refusals = refusalsOf(move)
  if (refusals.length > 0) return answer(pipeline, unit, given.status, { refused: refusals })
  return write(pipeline, unit, given.status, changesOf(move, pipeline.isPartial), app)
}

async function write(
  pipeline: Pipeline,
  unit: Unit,
  status: string,
  changes: readonly Change[],
  app: App,
): Promise<PipelineSetOutput> {
  const text = pipeline.mark + editDocument(pipeline.text, pipeline.format, changes)
  const bytes = new TextEncoder().encode(text)
  const config = await loadConfig(app.root)
  const after = await readPipeline(pipeline, bytes, config, app)
  const worse = newErrors(pipeline, after)
  if (worse.length > 0) return answer(pipeline, unit, status, { refused: worse })
  const done = { changes, after }
  if (after.sha256 === pipeline.sha256) return answer(pipeline, unit, status, done)
  swapAtomically(app.root, pipeline.file, pipeline.sha256, text)
  const { show } = pipeline
  const kept = recordWrite(app.root, show(pipeline.path), {
    type: 'urn:waybill:record:pipeline-set',
    at: formatInstant(app.now),
    by: userName(app.root),
    subject: { path: show(pipeline.path), sha256: sha256(bytes) },
    before: pipeline.sha256,
    address: show(unit.address),
    from: show(unit.stated ?? null),
    to: status,
  })
  return answer(pipeline, unit, status, { ...done, record: kept })
}

/** Returns errors that the document did not have before. */
function newErrors(before: Pipeline, after: Pipeline): PipelineSetOutput['refused'] {
  const errors = ({ report }: Pipeline) => report.diagnostics.filter(d => d.severity === 'error')
  const old = new Set(errors(before).map(({ code, path, message }) => `${code} ${path} ${message}`))
  return errors(after)
    .filter(({ code, path, message }) => !old.has(`${code} ${path} ${message}`))
    .map(({ code, message, hint, line }) => ({
      code,
      message: `the document would have a new error: ${message}`,
      hint: hint ?? `waybill explain ${code}`,
      line,
    }))
}

function answer(
  pipeline: Pipeline,
  unit: Unit,
  to: string,
  result: {
    readonly refused?: PipelineSetOutput['refused']
    readonly changes?: readonly Change[]
    readonly after?: Pipeline
    readonly record?: string
  },
): PipelineSetOutput {
  const { after, changes = [], refused = [] } = result
  const wasReady = new Set(inStartingOrder(pipeline.standing).map(({ address }) => address))
  const isReady = after ? inStartingOrder(after.standing) : []
  return pipeline.show({
    accepted: refused.length === 0,
    file: pipeline.path,
    kind: unit.kind,
    address: unit.address,
    from: unit.stated ?? null,
    to,
    before: pipeline.sha256,
    after: (after ?? pipeline).sha256,
    changes: changes.flatMap(change =>
      'value' in change
        ? [
            {
              path: formatPointer(pipeline.show(change.path)),
              from: partAt(pipeline, change),
              to: change.value,
            },
          ]
        : [],
    ),
    ready: isReady
      .filter(({ kind, address }) => kind !== 'phase' && !wasReady.has(address))
      .map(({ kind, address }) => ({ kind, address })),
    refused,
    record: result.record ?? null,
  })
}

function partAt({ value }: Pipeline, { path }: Change): unknown {
  return (
    path.reduce<unknown>(
      (place, segment) => (place as Record<string | number, unknown> | undefined)?.[segment],
      value,
    ) ?? null
  )
}

/** Returns the one unit with this address. */
function theOne(units: readonly Unit[], target: string, pipeline: Pipeline): Unit {
  const { path, show, isPartial } = pipeline
  const found = findUnits(units, target)
  const [first] = found
  if (first && found.length === 1) return first
  if (!first) {
    const names = units
      .slice(0, MOST_COMPARED)
      .flatMap(unit => [unit.address, unit.names.at(-1)?.[0] ?? ''])
    const meant = nearest(target, names)
    const purpose = isPartial
      ? 'shows the error that hides part of the file'
      : 'lists all addresses'
    throw new WaybillError('not-found', `there is no ${quote(target)} in ${path}`, {
      hint: meant ? `did you mean ${show(meant)}?` : `waybill pipeline status ${purpose}`,
    })
  }
  const named = [...new Set(found.map(({ address }) => show(address)))]
  const several = named.length > 1
  throw new WaybillError('usage', `${quote(target)} matches ${found.length} units in ${path}`, {
    hint: several
      ? `use one of ${listed(named.slice(0, MOST_NAMED), 'or')}`
      : 'two units have the same address; give them different ids first',
  })
}
