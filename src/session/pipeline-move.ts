import { listed } from '../contract/index.ts'
import {
  normalPath,
  type Orchestration,
  type PipelineProgress,
  progressOf,
  soundPart,
  type Unit,
  whyReserved,
} from '../contracts/index.ts'
import type { Change, Path } from '../document/index.ts'
import { agentsIn, filesOf, findUnits, unitsOf } from './pipeline-address.ts'
import type { PipelineCode } from './pipeline-codes.ts'
import { Draft } from './pipeline-draft.ts'
import { deriveFigures } from './pipeline-figures.ts'

/** What keeps a status from being set. */
export interface Refusal {
  readonly code: PipelineCode
  readonly message: string
  readonly hint: string
}

/** A status that is to be set, and what is known around it. */
export interface Move {
  readonly value: Orchestration
  readonly standing: PipelineProgress
  readonly unit: Unit
  readonly status: string
  /** ISO 8601. */
  readonly at: string
  /** Tells of files by their paths from the root. */
  readonly isThere: (path: string) => boolean
}

/** Why a status cannot be set as far as the document and its files tell; nothing where it can. */
export function refusalsOf(move: Move): Refusal[] {
  const { unit, status } = move
  const fault = unit.reasons.find(({ kind }) => kind === 'fault')
  if (fault)
    return [
      {
        code: 'pipeline/sound-document',
        message: `${unit.address} cannot be set: ${fault.message}`,
        hint: 'see what is wrong with waybill check, and correct it first',
      },
    ]
  const starts = status === 'IN_PROGRESS' || status === 'COMPLETE'
  return [
    ...(starts ? unready(move) : []),
    ...(unit.kind === 'phase' ? disagreeing(move) : []),
    ...(status === 'COMPLETE' ? missingOutputs(move) : []),
  ]
}

/** What has begun already may end, whatever stands in the way of beginning. */
function unready({ unit, status }: Move): Refusal[] {
  if (unit.stated === 'IN_PROGRESS' || unit.stated === 'COMPLETE') return []
  return unit.reasons
    .filter(({ kind, on }) => !(kind === 'stated' && on === unit.address))
    .map(({ kind, on, message }) => ({
      code: 'pipeline/ready',
      message: `${unit.address} cannot be ${status} yet: ${message}`,
      hint: HINTS[kind] ?? `waybill pipeline status shows what ${on} waits for`,
    }))
}

const HINTS: Readonly<Record<string, string>> = {
  input: 'put the session context there, or correct its path',
  unknown: 'correct the name in depends_on',
  workflow: 'set the status of the workflow to ACTIVE when it goes on',
  stated: 'take away what blocks it, then set it to PENDING',
}

/** A phase is as far as its agents are; that it failed or is blocked can be said of the phase alone. */
function disagreeing({ unit, standing, status }: Move): Refusal[] {
  const against = (agentsIn(unitsOf(standing)).get(unit) ?? []).filter(
    ({ stated }, _, all) => stated !== undefined && DISAGREES[status]?.(stated, all),
  )
  if (against.length === 0) return []
  const who = against.slice(0, 5).map(({ address, stated }) => `${address} is ${stated}`)
  const more =
    against.length > who.length ? [`${against.length - who.length} more are not either`] : []
  return [
    {
      code: 'pipeline/agents-agree',
      message: `${unit.address} cannot be ${status}: ${listed([...who, ...more])}`,
      hint: 'set its agents; the status of the phase follows them',
    },
  ]
}

/** Which statuses of agents speak against that of their phase. */
const DISAGREES: Readonly<Record<string, (stated: string, all: readonly Unit[]) => boolean>> = {
  COMPLETE: stated => stated !== 'COMPLETE',
  IN_PROGRESS: (_, all) => all.every(({ stated }) => stated === 'COMPLETE'),
  PENDING: stated => stated === 'COMPLETE' || stated === 'IN_PROGRESS',
}

function missingOutputs({ unit, value, isThere }: Move): Refusal[] {
  const missing = filesOf(unit, value).flatMap(path => {
    const why = whyReserved(path) ?? (isThere(normalPath(path) ?? '') ? undefined : 'is not there')
    return why === undefined ? [] : [{ path, why }]
  })
  return missing.map(({ path, why }) => ({
    code: 'pipeline/outputs-exist',
    message: `${unit.address} cannot be COMPLETE: ${path}, which it says it ${unit.kind === 'barrier' ? 'hands over' : 'writes'}, ${why}`,
    hint: 'write the file (from the root of the repository or beside this document), or correct its path',
  }))
}

/**
 * Everything that changes with a status: times, the phase, the pipeline, the workflow, the queue, and the figures that follow.
 *
 * Of a document that is known only in part, figures are left alone.
 */
export function changesOf(
  { value, standing, unit, status, at, isThere }: Move,
  isPartial: boolean,
): Change[] {
  const draft = new Draft(value)
  enter(draft, unit.path, status, at)
  const held = draft.at([...unit.path, 'blocked_by'])
  // A word that names nothing in the document cannot be found done: that it blocks no more is said by the new status.
  if (
    unit.stated === 'BLOCKED' &&
    status !== 'BLOCKED' &&
    typeof held === 'string' &&
    findUnits(unitsOf(standing), held).length === 0
  )
    draft.set([...unit.path, 'blocked_by'], null)
  if (unit.kind === 'agent') followAgents(draft, unit.path.slice(0, 4), status, at)
  if (draft.changes.length > 0) {
    for (const path of TOUCHED) draft.replace(path, at)
  }
  if (!isPartial) {
    followUnits(draft, at, isThere)
    deriveFigures(draft, value)
  }
  return [...draft.changes]
}

/** A workflow that goes on is complete when everything in it is, and goes on again when something is not any more. */
function followUnits(draft: Draft, at: string, isThere: Move['isThere']): void {
  const units = unitsOf(progressOf(soundPart(draft.value, []), isThere))
  const [from, to] = units.every(({ state }) => state === 'done')
    ? ['ACTIVE', 'COMPLETE']
    : ['COMPLETE', 'ACTIVE']
  if (draft.at(['workflow', 'status']) === from) enter(draft, ['workflow'], to, at)
}

const TOUCHED = [
  ['workflow', 'updated'],
  ['workflow', 'updated_at'],
  ['metrics', 'timing', 'last_activity'],
]

/** Sets a status, and the times beside it where the document keeps them. */
function enter(draft: Draft, path: Path, status: string, at: string): void {
  if (draft.at([...path, 'status']) === status) return
  draft.set([...path, 'status'], status)
  if (status === 'IN_PROGRESS' || status === 'PENDING')
    draft.replace([...path, 'started_at'], status === 'IN_PROGRESS' ? at : null)
  if (status !== 'FAILED' && status !== 'BLOCKED')
    draft.replace([...path, 'completed_at'], status === 'COMPLETE' ? at : null)
}

/** The status of a phase that has one follows from those of its agents. */
function followAgents(draft: Draft, phase: Path, status: string, at: string): void {
  const told = draft.at([...phase, 'status'])
  const agents = draft
    .list([...phase, 'agents'])
    .map((_, i) => draft.at([...phase, 'agents', i, 'status']))
  if (told === undefined) return
  if (agents.every(one => one === 'COMPLETE')) enter(draft, phase, 'COMPLETE', at)
  else if (told === 'COMPLETE' || status === 'IN_PROGRESS' || status === 'COMPLETE') {
    const untouched = agents.every(one => one === undefined || one === 'PENDING')
    enter(draft, phase, untouched ? 'PENDING' : 'IN_PROGRESS', at)
  }
}
