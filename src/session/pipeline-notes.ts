import {
  normalPath,
  type Orchestration,
  type PipelineProgress,
  type Unit,
} from '../contracts/index.ts'
import { agentsIn, filesOf, unitsOf } from './pipeline-address.ts'

/** A contradiction in the document that no rule forbids. */
export interface Note {
  readonly address: string
  readonly message: string
  /** A command or step that resolves it. */
  readonly hint: string
}

/** Formats the command that sets a status. */
type Command = (address: string, status: string) => string

/** Statuses that contradict each other, their dependencies or the existing files. */
export function notesOf(
  standing: PipelineProgress,
  value: Orchestration,
  isThere: (path: string) => boolean,
  command: Command,
): Note[] {
  const units = unitsOf(standing)
  const agents = agentsIn(units)
  return units.flatMap(unit => [
    ...(unit.kind === 'phase' ? aboutPhase(unit, agents.get(unit) ?? [], command) : []),
    ...aboutStatus(unit, command),
    ...aboutOutputs(unit, value, isThere),
  ])
}

function aboutPhase(unit: Unit, agents: readonly Unit[], command: Command): Note[] {
  const { address, stated, state } = unit
  if (stated === 'COMPLETE' && state !== 'done') {
    const open = agents.find(agent => agent.state !== 'done' && agent.state !== 'failed')
    const message = `${address} is COMPLETE, but ${open ? `${open.address} is ${open.stated ?? 'not'}` : 'the document has errors there'}`
    return [{ address, message, hint: command(address, 'IN_PROGRESS') }]
  }
  const isOver = agents.length > 0 && agents.every(agent => agent.state === 'done')
  if (!isOver || state === 'done') return []
  const message = `all agents of ${address} are COMPLETE, but it ${stated ? `is ${stated}` : 'has no valid status'}`
  return [{ address, message, hint: command(address, 'COMPLETE') }]
}

function aboutStatus({ address, stated, state, reasons }: Unit, command: Command): Note[] {
  const [first] = reasons
  if (stated === 'BLOCKED' && state === 'ready')
    return [
      {
        address,
        message: `${address} is BLOCKED, but nothing blocks it any more`,
        hint: command(address, 'PENDING'),
      },
    ]
  if (state !== 'running' || !first) return []
  return [
    {
      address,
      message: `${address} is running, although ${first.message}`,
      hint: command(address, 'PENDING'),
    },
  ]
}

function aboutOutputs(
  unit: Unit,
  value: Orchestration,
  isThere: (path: string) => boolean,
): Note[] {
  if (unit.stated !== 'COMPLETE') return []
  return filesOf(unit, value)
    .filter(path => !isThere(normalPath(path) ?? ''))
    .map(path => ({
      address: unit.address,
      message: `${unit.address} is COMPLETE, but ${path} does not exist`,
      hint: 'write the file, or correct its path',
    }))
}
