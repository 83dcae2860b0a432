import type { SessionState } from '../../src/contracts/session-state.v1/schema.ts'
import { type Gates, PENDING } from './ground.ts'

/** The order as the rulings print it, without a look at the table; what stands in brackets may be left out. */
const PRINTED = '1 [1.1] 2 2.1 1.2 [1.5] [3A,3B-1,3B-2] 1.3 4 5 5.3 [5.4] [5.5] [5.6] 6'.split(' ')
const GROUPS = PRINTED.map(group => group.replace(/[[\]]/g, '').split(','))
const ORDER = GROUPS.flat()

/** What of a ticket decides which gates apply. */
export interface Ticket {
  /** A schema or contract change is planned. */
  readonly planned: boolean
  /** Business rules were discovered in phase 1.5. */
  readonly discovered: boolean
}

/** The gates in their order, with whether each still keeps the work from passing. */
function openGates(
  gates: Gates,
  { planned, discovered }: Ticket,
): [phase: string, open: boolean][] {
  const rules = gates['P5.4-BusinessRules']
  const rollback = gates['P5.6-RollbackSafety']
  return [
    ['5', gates['P5-Architecture'] !== 'approved'],
    ['5.3', !gates['P5.3-TestQuality'].startsWith('pass')],
    ['5.4', !(rules.startsWith('compliant') || (rules === 'not-applicable' && !discovered))],
    ['5.5', gates['P5.5-TechnicalDebt'] === 'rejected'],
    ['5.6', !(rollback === 'approved' || (rollback === 'not-applicable' && !planned))],
  ]
}

const place = (phase: string) => ORDER.indexOf(phase)

/** Where the session may go on to, or has to go back to. */
export function stepsByThePage(from: string, gates: Gates, ticket: Ticket): string[] {
  const open = openGates(gates, ticket).flatMap(([phase, open]) => (open ? [phase] : []))
  const [first] = open.filter(phase => place(phase) <= place(from))
  const refuses = gates['P5-Architecture'] === 'rejected' ? '5' : '5.3'
  const isRefused = refuses === '5' || gates['P5.3-TestQuality'] === 'fail'
  if (first !== undefined && first === refuses && isRefused) return ['4']
  if (first !== undefined && first !== from) return [first]
  return following(from, open)
}

function following(from: string, open: readonly string[]): string[] {
  const group = GROUPS.findIndex(phases => phases.includes(from))
  const within = GROUPS[group]?.[(GROUPS[group]?.indexOf(from) ?? 0) + 1]
  if (within !== undefined && from !== '3A') return [within]
  const steps = within === undefined ? [] : [within]
  for (const [i, phases] of GROUPS.entries()) {
    const [first = ''] = phases
    if (i <= group) continue
    steps.push(first)
    if (!PRINTED[i]?.startsWith('[') || open.includes(first)) break
  }
  return steps
}

/** Whether a session that is sure enough and not blocked may move forward, straight to a phase. */
export function mayGoByThePage(state: SessionState, to: string, ticket: Ticket): boolean {
  const from = place(String(state.Phase))
  const isBetween = (phase: string) => from < place(phase) && place(phase) < place(to)
  if (isBetween('5') || isBetween('5.3')) return false
  const open = openGates(state.Gates ?? PENDING, ticket)
  return open.every(([phase, open]) => !open || place(phase) >= place(to))
}
