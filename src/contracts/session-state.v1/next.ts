import { PHASES, type Phase } from './phases.ts'

/** The target of `Next`; `exact` if it has the documented form. */
export type Pointer =
  | { readonly kind: 'phase'; readonly phase: Phase; readonly exact: boolean }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'pull-request'; readonly exact: boolean }
  | { readonly kind: 'unknown' }

const LONGEST_FIRST = [...PHASES].sort((a, b) => b.id.length - a.id.length)

/**
 * Parses `Next`: `Phase<phase>-<text>`, `BLOCKED-<reason>` or `PR-Ready`.
 *
 * Accepts other spellings with a clear meaning (`phase 6`), so that a typo cannot bypass a gate.
 */
export function parseNext(next: string): Pointer {
  // Cached: several rules parse the same value in turn.
  if (latest?.next !== next) latest = { next, pointer: pointerIn(next) }
  return latest.pointer
}

let latest: { readonly next: string; readonly pointer: Pointer } | undefined

function pointerIn(next: string): Pointer {
  if (next === 'BLOCKED') return { kind: 'blocked', reason: '' }
  if (next.startsWith('BLOCKED-')) return { kind: 'blocked', reason: reasonIn(next.slice(8)) }
  const text = next.trim().toLowerCase()
  if (/^pr[\s_-]?ready(?![a-z0-9])/.test(text)) {
    return { kind: 'pull-request', exact: next === 'PR-Ready' }
  }
  const rest = /^phase[\s_-]*(.*)/s.exec(text)?.[1]
  if (rest === undefined) return { kind: 'unknown' }
  const phase = LONGEST_FIRST.find(({ id }) => begins(rest, id.toLowerCase()))
  if (!phase) return { kind: 'unknown' }
  const lead = `Phase${phase.id}-`
  return {
    kind: 'phase',
    phase,
    exact: next.startsWith(lead) && saysSomething(next.slice(lead.length)),
  }
}

/** Placeholders (`<reason>`, dashes) are not a reason. */
function reasonIn(text: string): string {
  const reason = text.trim()
  return saysSomething(reason) && !/^<[^<>]*>$/.test(reason) ? reason : ''
}

const saysSomething = (text: string) => /[\p{L}\p{N}]/u.test(text)

function begins(text: string, id: string): boolean {
  return text.startsWith(id) && !/[a-z0-9.]/.test(text[id.length] ?? '')
}

/** The form of a phase in `Next`. */
export function pointerTo({ id, about }: Phase): string {
  const words = about.split(' ').map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `Phase${id}-${words.join('')}`
}

/** Whether `Next` names a step that produces code: phase 6, or `PR-Ready` after it. */
export function producesCode(next: string): boolean {
  const pointer = parseNext(next)
  return pointer.kind === 'pull-request' || (pointer.kind === 'phase' && pointer.phase.id === '6')
}
