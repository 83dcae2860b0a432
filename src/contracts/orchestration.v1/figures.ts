import type { Path } from '../../document/index.ts'
import { barriersOf } from './barriers.ts'
import type { Orchestration } from './schema.ts'
import { STATUSES } from './statuses.ts'

type Pipeline = Orchestration['pipelines'][string]

/** The minimum and maximum of a figure according to the detail. */
export type Bounds = readonly [least: number, most: number]

/** A figure that the document states, and its bounds. */
export interface Figure {
  readonly path: Path
  readonly stated: number
  readonly shown: Bounds
  /** The values of the figure under the usual readings of the detail, in a fixed order. */
  readonly readings: readonly number[]
}

/** The bounds of a figure, and its values under the usual readings. */
interface Shown {
  readonly bounds: Bounds
  readonly readings: readonly number[]
}

interface Tally {
  readonly total: Bounds
  readonly done: Bounds
}

/** Every derived figure of the document whose detail is present. */
export function* figuresOf(value: Orchestration): Generator<Figure> {
  const pipelines = Object.values(value.pipelines)
  const phases = tallyPhases(pipelines)
  const agents = tallyAgents(pipelines, value.execution_queue)
  const barriers = value.barriers && tallyBarriers(value)
  const progress = spread([agents, phases, ...(barriers ? [barriers] : [])].map(percent))
  const shown: Record<string, Shown | undefined> = {
    ...columns('phases', 'complete', phases),
    ...columns('agents', 'executed', agents),
    ...(barriers ? columns('barriers', 'complete', barriers) : {}),
    progress_percentage: progress,
  }
  yield* compare(value.metrics, shown, ['metrics'])
  yield* compare(value.metrics?.execution, shown, ['metrics', 'execution'])
  for (const [name, pipeline] of Object.entries(value.pipelines)) {
    const own = tallyPhases([pipeline])
    const parts = [tallyAgents([pipeline], undefined), own].map(percent)
    yield* compare(pipeline, { total_phases: exact(own.total), progress_percent: spread(parts) }, [
      'pipelines',
      name,
    ])
  }
}

function* compare(
  section: object | undefined,
  shown: Record<string, Shown | undefined>,
  path: Path,
): Generator<Figure> {
  const stated = new Map<string, unknown>(Object.entries(section ?? {}))
  for (const [key, figures] of Object.entries(shown)) {
    const figure = stated.get(key)
    if (figures && typeof figure === 'number' && figure >= 0)
      yield {
        path: [...path, key],
        stated: figure,
        shown: figures.bounds,
        readings: figures.readings,
      }
  }
}

function columns(kind: string, verb: string, tally: Tally): Record<string, Shown | undefined> {
  return {
    [`${kind}_${verb}`]: exact(tally.done),
    [`${kind}_total`]: exact(tally.total),
    [`${kind}_percent`]: percent(tally),
  }
}

function tallyPhases(pipelines: readonly Pipeline[]): Tally {
  return tally(pipelines.flatMap(({ phases }) => phases.map(({ status }) => sure(status))))
}

function tallyBarriers(value: Orchestration): Tally {
  return tally([...barriersOf(value)].map(([{ status }]) => sure(status)))
}

/** An agent in several phases may count once or each time; one only in the queue may count or not. */
function tallyAgents(
  pipelines: readonly Pipeline[],
  queue: Orchestration['execution_queue'],
): Tally {
  const phases = pipelines.flatMap(pipeline => pipeline.phases)
  const placed = phases.flatMap(({ agents = [] }) => agents)
  const ids = new Set(placed.map(({ id }) => id))
  const queued = (queue?.groups ?? []).flatMap(({ status, agents = [] }) =>
    agents.filter(id => !ids.has(id)).map(() => status),
  )
  const each = tally([...placed.map(({ status }) => worked(status)), ...queued.map(worked)])
  const done = new Set(placed.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id))
  // A phase without the key may have agents that are described elsewhere.
  const open = phases.some(({ agents }) => agents === undefined) ? Number.POSITIVE_INFINITY : 0
  return { total: [ids.size, each.total[1] + open], done: [done.size, each.done[1] + open] }
}

type Done = 'yes' | 'no' | 'maybe'

const KNOWN = new Set<string | undefined>(STATUSES)

/** A missing or faulty status may mean anything. */
function sure(status: string | undefined): Done {
  return !KNOWN.has(status) ? 'maybe' : status === 'COMPLETE' ? 'yes' : 'no'
}

/** A failed agent has run; whether it counts as executed is open. */
function worked(status: string | undefined): Done {
  return status === 'FAILED' ? 'maybe' : sure(status)
}

function tally(all: readonly Done[]): Tally {
  const count = (done: Done) => all.filter(one => one === done).length
  return { total: [all.length, all.length], done: [count('yes'), count('yes') + count('maybe')] }
}

function exact(bounds: Bounds): Shown {
  return { bounds, readings: bounds.filter(Number.isFinite) }
}

/** The percentage done, with any rounding; no bounds if there is nothing to do. */
function percent({ done, total }: Tally): Shown | undefined {
  if (total[0] === 0) return undefined
  const least = Math.floor((100 * done[0]) / total[1])
  const most = Math.min(100, Math.ceil((100 * done[1]) / total[0]))
  // An optional item counts in both numbers or in neither.
  const shares = [
    (100 * done[0]) / total[0],
    ...(total[1] === Number.POSITIVE_INFINITY ? [] : [(100 * done[0]) / total[1]]),
  ]
  const readings = shares.flatMap(share => [Math.round(share), Math.floor(share), Math.ceil(share)])
  return { bounds: [least, most], readings: readings.map(reading => Math.min(100, reading)) }
}

function spread(all: readonly (Shown | undefined)[]): Shown | undefined {
  const known = all.filter(shown => shown !== undefined)
  if (known.length === 0) return undefined
  const least = Math.min(...known.map(({ bounds }) => bounds[0]))
  const most = Math.max(...known.map(({ bounds }) => bounds[1]))
  return { bounds: [least, most], readings: known.flatMap(({ readings }) => readings) }
}
