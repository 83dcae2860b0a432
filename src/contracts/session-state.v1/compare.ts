import { type Fields, listed, quote } from '../../contract/index.ts'
import { canonical } from './canonical.ts'
import { ENOUGH } from './confidence-scale.ts'
import { GATES, type Gate, orderOf, phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'

/** One difference between two states in workflow terms. */
export interface Difference {
  readonly about:
    | 'phase'
    | 'mode'
    | 'confidence'
    | 'next'
    | 'profile'
    | 'gate'
    | 'artifact'
    | 'decision'
    | 'part'
  /** The part of the state, keys separated by dots. */
  readonly part: string
  readonly text: string
  readonly before?: string
  readonly after?: string
}

/** Keys with their own wording. */
const WORDED = new Set([
  'Phase',
  'Mode',
  'ConfidenceLevel',
  'Next',
  'Gates',
  'GateArtifacts',
  'ArchitectureDecisions',
])
const PROFILE = new Set(['ActiveProfile', 'ProfileSource', 'ProfileEvidence', 'LoadedRulebooks'])

/** The differences between two structurally valid states. */
export function differences(before: Fields, after: Fields): Difference[] {
  const [old, now] = [before as SessionState, after as SessionState]
  return [
    ...phases(old, now),
    ...scalars(old, now),
    ...gates(old, now),
    ...artifacts(old, now),
    ...decisions(old, now),
    ...parts(before, after),
  ]
}

function phases(old: SessionState, now: SessionState): Difference[] {
  const [from, to] = [phaseOf(old), phaseOf(now)]
  if (!from || !to || from === to) return []
  const way = orderOf(to.id) > orderOf(from.id) ? 'moved' : 'went back'
  const text = `${way} from ${from.id} (${from.about}) to ${to.id} (${to.about})`
  return [difference('phase', 'Phase', text, old.Phase, now.Phase)]
}

function scalars(old: SessionState, now: SessionState): Difference[] {
  const found: Difference[] = []
  if (old.Mode !== now.Mode) {
    const suffix =
      now.Mode === 'BLOCKED' ? ', blocked' : old.Mode === 'BLOCKED' ? ', no longer blocked' : ''
    found.push(
      difference('mode', 'Mode', `${arrow(old.Mode, now.Mode)}${suffix}`, old.Mode, now.Mode),
    )
  }
  const [had, has] = [old.ConfidenceLevel, now.ConfidenceLevel]
  if (had !== has) {
    const crossed = (had ?? ENOUGH) >= ENOUGH !== (has ?? ENOUGH) >= ENOUGH
    const side =
      (has ?? ENOUGH) >= ENOUGH
        ? 'enough to advance'
        : `below ${ENOUGH}, so the session cannot advance`
    const text = `${arrow(had, has)}${crossed ? `, ${side}` : ''}`
    found.push(difference('confidence', 'ConfidenceLevel', text, had, has))
  }
  if (old.Next !== now.Next)
    found.push(difference('next', 'Next', arrow(old.Next, now.Next), old.Next, now.Next))
  return found
}

function gates(old: SessionState, now: SessionState): Difference[] {
  return GATES.flatMap(gate => {
    const [was, is] = [old.Gates?.[gate.key], now.Gates?.[gate.key]]
    if (was === is) return []
    const text = `${arrow(was, is)}${meaningOf(gate, was, is)}`
    return [difference('gate', `Gates.${gate.key}`, text, was, is)]
  })
}

function meaningOf({ passes, refuses }: Gate, was = '', is = ''): string {
  if (passes.includes(is)) return ', passes'
  if (is === refuses) return ', refuses'
  return passes.includes(was) ? ', no longer passes' : ''
}

function artifacts(old: SessionState, now: SessionState): Difference[] {
  return GATES.flatMap(({ key }) => {
    const [was, is] = [statuses(old, key), statuses(now, key)]
    const names = [...new Set([...was.keys(), ...is.keys()])]
    return names.flatMap(name => {
      const [b, a] = [was.get(name), is.get(name)]
      if (b === a) return []
      return [difference('artifact', `GateArtifacts.${key}.${name}`, arrow(b, a), b, a)]
    })
  })
}

function statuses(state: SessionState, gate: (typeof GATES)[number]['key']): Map<string, string> {
  const { Required = [], Provided = {} } = state.GateArtifacts?.[gate] ?? {}
  const unstated = Required.map(name => [name, 'not stated'] as const)
  return new Map([...unstated, ...Object.entries(Provided)])
}

function decisions(old: SessionState, now: SessionState): Difference[] {
  const [was, is] = [byId(old), byId(now)]
  const ids = [...new Set([...was.keys(), ...is.keys()])]
  return ids.flatMap(id => {
    const [b, a] = [was.get(id), is.get(id)]
    if (canonical(b) === canonical(a)) return []
    const words = `${id} ${wordsForDecision(b, a)}`
    return [difference('decision', `ArchitectureDecisions.${id}`, words, b?.Status, a?.Status)]
  })
}

function wordsForDecision(b?: ArchitectureDecision, a?: ArchitectureDecision): string {
  if (!b) return a?.Status ? `added, ${a.Status}` : 'added'
  if (a && saysSame(b, a)) return arrow(b.Status, a.Status)
  const approved = b.Status === 'approved' ? ', although it was approved' : ''
  return `${a ? 'rewritten' : 'dropped'}${approved}`
}

type ArchitectureDecision = NonNullable<SessionState['ArchitectureDecisions']>[number]

function byId({ ArchitectureDecisions = [] }: SessionState): Map<string, ArchitectureDecision> {
  return new Map(ArchitectureDecisions.map((d, i) => [d.ID ?? `number ${i + 1}`, d]))
}

function saysSame(b: ArchitectureDecision, a: ArchitectureDecision): boolean {
  return (
    b.Status !== a.Status && canonical({ ...b, Status: '' }) === canonical({ ...a, Status: '' })
  )
}

/** The differences in all other keys, with the changed parts of an object. */
function parts(before: Fields, after: Fields): Difference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap(key => {
    if (WORDED.has(key)) return []
    const b = Object.hasOwn(before, key) ? before[key] : undefined
    const a = Object.hasOwn(after, key) ? after[key] : undefined
    if (canonical(b) === canonical(a)) return []
    const about = PROFILE.has(key) ? 'profile' : 'part'
    return [difference(about, key, wordsFor(b, a), plain(b), plain(a))]
  })
}

function wordsFor(b: unknown, a: unknown): string {
  if (b === undefined) return isPlain(a) ? `added: ${quote(a)}` : 'added'
  if (a === undefined) return 'removed'
  if (isPlain(b) && isPlain(a)) return arrow(b, a)
  if (Array.isArray(b) && Array.isArray(a)) return listChange(b, a)
  if (!isObject(b) || !isObject(a)) return 'rewritten'
  const changed = [...new Set([...Object.keys(b), ...Object.keys(a)])].filter(
    key => canonical(b[key]) !== canonical(a[key]),
  )
  return `${listed(changed.slice(0, 6))}${changed.length > 6 ? ' and more' : ''} changed`
}

function listChange(b: readonly unknown[], a: readonly unknown[]): string {
  const [was, is] = [new Set(b.map(canonical)), new Set(a.map(canonical))]
  const added = [...is].filter(entry => !was.has(entry)).length
  const gone = [...was].filter(entry => !is.has(entry)).length
  const words = [...(added ? [`${added} added`] : []), ...(gone ? [`${gone} removed`] : [])]
  return words.length > 0 ? listed(words) : 'in another order'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) => typeof value !== 'object' || value === null
const plain = (value: unknown) => (isPlain(value) ? value : undefined)

const arrow = (before: unknown, after: unknown) => `${shown(before)} → ${shown(after)}`
const shown = (value: unknown) =>
  value === undefined ? 'nothing' : quote(value).slice(1, -1) || 'empty'

function difference(
  about: Difference['about'],
  part: string,
  text: string,
  before: unknown,
  after: unknown,
): Difference {
  return {
    about,
    part,
    text,
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  }
}
