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

/** Why a status cannot be set. */
export interface Refusal {
  readonly code: PipelineCode
  readonly message: string
  readonly hint: string
}

/** A status to set, with its context. */
export interface Move {
  readonly value: Orchestration
  readonly standing: PipelineProgress
  readonly unit: Unit
  readonly status: string
  /** ISO 8601. */
  readonly at: string
  /** Whether a file exists at a path from the root. */
  readonly isThere: (path: string) => boolean
}

/** Returns why a status cannot be set, given the document and its files; empty if it can. */
export function refusalsOf(move: Move): Refusal[] {
  const { unit, status } = move
  const fault = unit.reasons.find(({ kind }) => kind === 'fault')
  if (fault)
    return [
      {
        code: 'pipeline/sound-document',
        message: `${unit.address} cannot be set: ${fault.message}`,
        hint: 'run waybill check and correct the errors first',
      },
    ]
  const starts = status === 'IN_PROGRESS' || status === 'COMPLETE'
  return [
    ...(starts ? unready(move) : []),
    ...(unit.kind === 'phase' ? disagreeing(move) : []),
    ...(status === 'COMPLETE' ? missingOutputs(move) : []),
  ]
}

/** A started unit may end regardless of what would block its start. */
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
  input: 'write the session context there, or correct its path',
  unknown: 'correct the name in depends_on',
  workflow: 'set the status of the workflow to ACTIVE when it continues',
  stated: 'resolve the blocker, then set it to PENDING',
}

/** The status of a phase follows its agents, except FAILED and BLOCKED. */
function disagreeing({ unit, standing, status }: Move): Refusal[] {
  const against = (agentsIn(unitsOf(standing)).get(unit) ?? []).filter(
    ({ stated }, _, all) => stated !== undefined && DISAGREES[status]?.(stated, all),
  )
  if (against.length === 0) return []
  const who = against.slice(0, 5).map(({ address, stated }) => `${address} is ${stated}`)
  const more = against.length > who.length ? [`${against.length - who.length} more differ`] : []
  return [
    {
      code: 'pipeline/agents-agree',
      message: `${unit.address} cannot be ${status}: ${listed([...who, ...more])}`,
      hint: 'set the status of its agents; that of the phase follows',
    },
  ]
}

/** Agent statuses that contradict the status of their phase. */
const DISAGREES: Readonly<Record<string, (stated: string, all: readonly Unit[]) => boolean>> = {
  COMPLETE: stated => stated !== 'COMPLETE',
  IN_PROGRESS: (_, all) => all.every(({ stated }) => stated === 'COMPLETE'),
  PENDING: stated => stated === 'COMPLETE' || stated === 'IN_PROGRESS',
}

function missingOutputs({ unit, value, isThere }: Move): Refusal[] {
  const missing = filesOf(unit, value).flatMap(path => {
    const why =
      whyReserved(path) ?? (isThere(normalPath(path) ?? '') ? undefined : 'does not exist')
    return why === undefined ? [] : [{ path, why }]
  })
  return missing.map(({ path, why }) => ({
    code: 'pipeline/outputs-exist',
    message: `${unit.address} cannot be COMPLETE: ${path}, which it ${unit.kind === 'barrier' ? 'hands over' : 'writes'}, ${why}`,
    hint: 'write the file (relative to the repository root or to this document), or correct its path',
  }))
}

/**
 * Everything that changes with a status: times, the phase, the pipeline, the workflow, the queue and the figures.
 *
 * Figures of a partially read document are left unchanged.
 */
export function changesOf(
  { value, standing, unit, status, at, isThere }: Move,
  isPartial: boolean,
): Change[] {
  const draft = new Draft(value)
  enter(draft, unit.path, status, at)
  const held = draft.at([...unit.path, 'blocked_by'])
  // A blocker that names no unit has no status of its own, so the new status clears it.
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

/** A workflow becomes COMPLETE when every unit is, and ACTIVE again when one no longer is. */
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

/** Sets a status, and its times if the document has them. */
function enter(draft: Draft, path: Path, status: string, at: string): void {
  if (draft.at([...path, 'status']) === status) return
  draft.set([...path, 'status'], status)
  if (status === 'IN_PROGRESS' || status === 'PENDING')
    draft.replace([...path, 'started_at'], status === 'IN_PROGRESS' ? at : null)
  if (status !== 'FAILED' && status !== 'BLOCKED')
    draft.replace([...path, 'completed_at'], status === 'COMPLETE' ? at : null)
}

/** Derives the status of a phase, if it has one, from its agents. */
function followAgents(draft: Draft, phase: Path, status: string, at: string): void {
  const stated = draft.at([...phase, 'status'])
  const agents = draft
    .list([...phase, 'agents'])
    .map((_, i) => draft.at([...phase, 'agents', i, 'status']))
  if (stated === undefined) return
  if (agents.every(one => one === 'COMPLETE')) enter(draft, phase, 'COMPLETE', at)
  else if (stated === 'COMPLETE' || status === 'IN_PROGRESS' || status === 'COMPLETE') {
    const untouched = agents.every(one => one === undefined || one === 'PENDING')
    enter(draft, phase, untouched ? 'PENDING' : 'IN_PROGRESS', at)
  }
}
