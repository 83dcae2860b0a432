import {
  normalPath,
  type Orchestration,
  type PipelineProgress,
  type Unit,
} from '../contracts/index.ts'
import { agentsIn, filesOf, unitsOf } from './pipeline-address.ts'

/** Something that the document says in two ways, though no rule forbids it. */
export interface Note {
  readonly address: string
  readonly message: string
  /** What may be done about it. */
  readonly hint: string
}

/** What sets a status. */
type Command = (address: string, status: string) => string

/** Where statuses disagree with each other, with what they wait for, or with the files that are there. */
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
    const message = `${address} is called COMPLETE, but ${open ? `${open.address} is ${open.stated ?? 'not'}` : 'the document is at fault there'}`
    return [{ address, message, hint: command(address, 'IN_PROGRESS') }]
  }
  const isOver = agents.length > 0 && agents.every(agent => agent.state === 'done')
  if (!isOver || state === 'done') return []
  const message = `all agents of ${address} are COMPLETE, and it is called ${stated}`
  return [{ address, message, hint: command(address, 'COMPLETE') }]
}

function aboutStatus({ address, stated, state, reasons }: Unit, command: Command): Note[] {
  const [first] = reasons
  if (stated === 'BLOCKED' && state === 'ready')
    return [
      {
        address,
        message: `${address} is called BLOCKED, and nothing stands in its way any more`,
        hint: command(address, 'PENDING'),
      },
    ]
  if (state !== 'running' || !first) return []
  return [
    {
      address,
      message: `${address} is under way, although ${first.message}`,
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
      message: `${unit.address} is COMPLETE, but ${path} is not there`,
      hint: 'write the file, or correct its path',
    }))
}
