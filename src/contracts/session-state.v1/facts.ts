import type { SessionState } from './schema.ts'

/** Facts for the rules of a session state. */
export interface SessionStateFacts {
  /** The previous state, structurally valid and unwrapped. */
  readonly previous: SessionState
}
