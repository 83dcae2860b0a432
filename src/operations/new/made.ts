import type { NewOutput } from './output.ts'

/** A new document before it is written. */
export interface Made
  extends Pick<
    NewOutput,
    'known' | 'missing' | 'predecessor' | 'carried' | 'notes' | 'inForce' | 'conflicts'
  > {
  /** Its path from the root. */
  readonly path: string
  /** Whether the name must not be changed: the caller chose it, or the contract requires it. */
  readonly isFixed: boolean
  readonly text: string
  /** It must not be written, for a reason that no check of the text reports. */
  readonly isBlocked: boolean
}
