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

/** The state when the session was blocked, as far as known. */
export interface Waiting {
  readonly awaited: Awaited
  /** The digest function for its parts. */
  readonly digest?: Digest
}

/** Why a session cannot leave a block: its input is still missing. */
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
  if (missing === 'unknown') {
    return against(
      'blocked-left-with-input',
      path,
      `the session waits at ${reason}, and the state does not show whether the input has come`,
      'add the input to the state, and pass the state from before with --previous <file>',
    )
  }
  return against(
    'blocked-left-with-input',
    path,
    `the session waits at ${reason}: ${missing}`,
    remedyFor(state),
  )
}

/** Renaming a block does not end it; the reason may become more detailed. */
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
  if (!first) return 'add the input to the state, then advance'
  const phase = PHASES.find(({ gate }) => gate?.key === first.gate)
  const review = reviewNamed(first.artifact)
  const shown = review ? `--mission ${review.mission || '<id>'}` : '--artifact <name>=present'
  return `provide it and record it: waybill state gate ${phase?.id} pending ${shown}`
}

/** The mode of a session after a block. */
export function modeAfterBlock({ ConfidenceLevel = ENOUGH }: SessionState): 'NORMAL' | 'DRAFT' {
  return ConfidenceLevel < ENOUGH ? 'DRAFT' : 'NORMAL'
}

/** The reason in `Next`, without the prefix. */
export function reasonOf(next: string | undefined): string {
  const pointer = parseNext(next ?? '')
  return pointer.kind === 'blocked' ? pointer.reason : ''
}

/** The value of `Next` for a blocked session, on one line. */
export function blockedAt(reason: string): string {
  const text = reason.replace(/^BLOCKED-/, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return `BLOCKED-${text.trim()}`
}

/** A blocked state must be FULL; a short one becomes so by listing the input as a decision. */
export function writtenInFull(state: SessionState, reason: string): StateChange[] {
  if (isFull(state)) return []
  const value = {
    MustDecideNow: [reasonOf(blockedAt(reason))],
    CanDefer: [],
    AutoDecidedBySystem: [],
  }
  return [{ path: ['DecisionSurface'], value }]
}
