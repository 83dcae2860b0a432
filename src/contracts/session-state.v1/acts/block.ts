import { quote } from '../../../contract/index.ts'
import { missingArtifacts } from '../artifacts.ts'
import { ENOUGH } from '../confidence-scale.ts'
import { parseNext } from '../next.ts'
import { isFull } from '../output-mode.ts'
import { PHASES } from '../phases.ts'
import { reviewNamed } from '../review.ts'
import type { SessionState } from '../schema.ts'
import { type Awaited, type Digest, missingByItself, stillMissing } from '../unblocked.ts'
import { against, type Objection, type StateChange } from './objections.ts'

/** What is known of the moment in which a session was blocked. */
export interface Waiting {
  readonly awaited: Awaited
  /** How the parts in it were made short. */
  readonly digest?: Digest
}

/** What speaks against going on from a block: the input that it named is not there. */
export function objectionToLeaving(
  state: SessionState,
  blocked: SessionState,
  waiting: Waiting | undefined,
): Objection | undefined {
  const missing = waiting
    ? stillMissing(state, waiting.awaited, waiting.digest)
    : missingByItself({ ...state, ...(blocked.Next !== undefined && { Next: blocked.Next }) })
  if (missing === undefined) return undefined
  const reason = quote(blocked.Next ?? 'BLOCKED')
  const path = ['Mode']
  if (missing === 'untold') {
    return against(
      'blocked-left-with-input',
      path,
      `the session waits at ${reason}, and nothing tells whether that has come`,
      'add the input where it belongs in the state, and give the state from before it with --previous <file>',
    )
  }
  return against(
    'blocked-left-with-input',
    path,
    `the session waits at ${reason}: ${missing}`,
    remedyFor(state),
  )
}

/** A block does not go away by being given another name; the old reason may be said more fully. */
export function objectionToRenaming(
  state: SessionState,
  after: SessionState,
  waiting: Waiting | undefined,
): Objection | undefined {
  const old = reasonOf(state.Next)
  if (after.Next === state.Next || after.Mode !== 'BLOCKED') return undefined
  if (old !== '' && reasonOf(after.Next).includes(old)) return undefined
  return objectionToLeaving(after, state, waiting)
}

function remedyFor(state: SessionState): string {
  const [first] = missingArtifacts(state)
  if (!first) return 'add the input where it belongs in the state, then advance'
  const phase = PHASES.find(({ gate }) => gate?.key === first.gate)
  const review = reviewNamed(first.artifact)
  const shown = review ? `--mission ${review.mission || '<id>'}` : '--artifact <name>=present'
  return `provide it and say so: waybill state gate ${phase?.id} pending ${shown}`
}

/** The mode in which a session goes on from a block. */
export function modeAfterBlock({ ConfidenceLevel = ENOUGH }: SessionState): 'NORMAL' | 'DRAFT' {
  return ConfidenceLevel < ENOUGH ? 'DRAFT' : 'NORMAL'
}

/** The reason of a block, without what only leads to it. */
export function reasonOf(next: string | undefined): string {
  const pointer = parseNext(next ?? '')
  return pointer.kind === 'blocked' ? pointer.reason : ''
}

/** How `Next` names what a session waits for; on one line, since it is a pointer. */
export function blockedAt(reason: string): string {
  const text = reason.replace(/^BLOCKED-/, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return `BLOCKED-${text.trim()}`
}

/** While it is blocked a state is written in full; what a short one waits for is what there is to decide. */
export function writtenInFull(state: SessionState, reason: string): StateChange[] {
  if (isFull(state)) return []
  const value = {
    MustDecideNow: [reasonOf(blockedAt(reason))],
    CanDefer: [],
    AutoDecidedBySystem: [],
  }
  return [{ path: ['DecisionSurface'], value }]
}
